#!/usr/bin/env python3
"""Whether every bodega command on the pages exists, with its options, by docs/command-line.md.

  commands.py          looks at README.md, docs and Examples
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIST = (ROOT / "docs/command-line.md").read_text(encoding="utf-8")
WORDS = re.compile(r"[a-z][a-z-]*(?: [a-z][a-z-]*)*")
# The words of each command without its arguments, of which leaf\|intermediate is one.
COMMANDS = {("help",)} | {
    tuple(WORDS.match(re.sub(r" \S*\\\|.*", "", line))[0].split())
    for line in re.findall(r"(?m)^\| `bodega ([^`]+)`", LIST)}
OPTIONS = set(re.findall(r"`(--[a-z-]+)", LIST)) | {"--help", "--version"}


def exists(words):
    """Whether a command begins with them, as a group's name does, or they with a command."""
    return any(known[:len(words)] == words or words[:len(known)] == known for known in COMMANDS)


def findings(name, text):
    told = re.findall(r"`bodega ([a-z][^`]*)`", text)
    told += re.findall(r"(?m)^(?: {4,})?bodega ([a-z].*)$", text)
    for command in told:
        if not exists(tuple(WORDS.match(command)[0].split())):
            yield f"{name}: there is no command bodega {command}"
        for option in re.findall(r"(?<!\S)--[a-z-]+", command):
            if option not in OPTIONS:
                yield f"{name}: bodega {command}: there is no option {option}"


def main():
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "Examples").rglob("*.md")]
    found = [one for page in pages
             for one in findings(page.relative_to(ROOT), page.read_text(encoding="utf-8"))]
    assert len(list(findings("", "`bodega frob` `bodega world make --frob`"))) == 2, "blind"
    print("\n".join(found) if found else f"the commands on {len(pages)} pages exist")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main() if len(sys.argv) == 1 else __doc__.strip())
