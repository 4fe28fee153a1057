"""What the pages of a code host need in order to read the same in MkDocs' Markdown."""

import re

ITEM = re.compile(r"^( *)([-*]|\d+\.)( +)(?=\S)")
FENCE = re.compile(r"^ *```")
COMMANDS = re.compile(
    r"^(\$ |\w+=|#!|# |\(umask|(bodega|curl|scripts/|swift|export|git|RocketCar|sudo|python3?|node"
    r"|pip|apt-get|cd|for|env|\.build/|\.venv/|Tests/|GOLDEN_UPDATE|BODEGA_|STOREKIT_)\b)")


def converted(text):
    """A page with lists and code as MkDocs' Markdown wants them."""
    text = re.sub(r"(?m)^\|.*$", lambda row: unescaped(row[0]), text)
    return fenced(relisted(text.replace("](LICENSE)", "](LICENSE.txt)")
                           .replace("](NOTICE)", "](NOTICE.txt)")
                           .replace("](../LICENSE)", "](../LICENSE.txt)")))


def unescaped(row):
    """A table's row whose code has no backslash before a pipe."""
    return re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), row)


def relisted(text):
    """The content of list items indented by four, and a blank line before each list."""
    lines, levels, inside, before, apart = [], [], False, "", False
    for line in text.split("\n"):
        apart = apart or not line.strip()
        if inside or (FENCE.match(line) and not levels):
            inside = inside != bool(FENCE.match(line))
            lines.append(shifted(line, levels))
            before = line
            continue
        indent = len(line) - len(line.lstrip())
        item, listed = ITEM.match(line), bool(levels)
        if line.strip() and (item or not before.strip()):
            while levels and indent < levels[-1]:
                levels.pop()
        if item and indent < (levels[-1] if levels else 0) + 4:
            if before.strip() and (not listed or apart):
                lines.append("")
            apart = False
            lines.append("    " * len(levels) + item[2] + " " + line[item.end():])
            levels.append(item.end())
        else:
            lines.append(shifted(line, levels))
            if FENCE.match(line):
                inside = True
        before = line
    return "\n".join(lines)


def shifted(line, levels):
    if not levels or not line.strip():
        return line
    indent = len(line) - len(line.lstrip())
    return "    " * len(levels) + " " * max(0, indent - levels[-1]) + line.lstrip()


def fenced(text):
    """Indented code as fenced code, coloured as a shell's where it is commands."""
    lines, inside, block = [], False, []
    depth = 0
    source = text.split("\n")

    def close():
        nonlocal block
        while block and not block[-1].strip():
            block.pop()
        if block:
            edge = " " * depth
            language = "bash" if COMMANDS.match(block[0].strip()) else "text"
            lines.extend([f"{edge}```{language}", *(edge + line[depth + 4:] for line in block),
                          f"{edge}```", ""])
        block = []

    list_depth = 0
    for place, line in enumerate(source):
        if not block and FENCE.match(line):
            inside = not inside
        if inside or (FENCE.match(line) and not block):
            lines.append(line)
            continue
        indent = len(line) - len(line.lstrip())
        if block:
            if not line.strip() or indent >= depth + 4:
                block.append(line)
                continue
            close()
            if FENCE.match(line):
                inside = True
                lines.append(line)
                continue
        if ITEM.match(line) and indent <= list_depth:
            list_depth = indent + 4
        elif line.strip() and indent < list_depth and not source[place - 1].strip():
            list_depth = indent - indent % 4
        if line.strip() and indent >= list_depth + 4 and not source[place - 1].strip():
            depth, block = list_depth, [line]
        else:
            lines.append(line)
    close()
    return "\n".join(lines)
