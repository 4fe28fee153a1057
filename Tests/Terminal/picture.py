"""Draws the screen of a terminal emulator (pyte) as SVG."""

from xml.sax.saxutils import escape

CELL_WIDTH, CELL_HEIGHT, MARGIN, TITLE = 9, 19, 16, 30
PAPER, INK, FAINT = "#14202b", "#e6e9ec", "#7f8d99"
COLOURS = {
    "red": "#ff7b72", "green": "#7ee787", "brown": "#f2cc60", "yellow": "#f2cc60",
    "cyan": "#79c0ff", "brightred": "#ffa657", "brightblack": FAINT,
}


def runs(row, columns):
    """Pieces of a row with one look: (first column, text, cell)."""
    found = []
    for column in range(columns):
        cell = row[column]
        look = (cell.fg, cell.bold, cell.reverse)
        if found and found[-1][3] == look:
            found[-1][1] += cell.data
        else:
            found.append([column, cell.data, cell, look])
    return [run for run in found if run[1].strip() or run[2].reverse]


def picture(screen):
    """The screen with a frame of its own, so that it reads the same on light and dark pages."""
    width = screen.columns * CELL_WIDTH + 2 * MARGIN
    height = screen.lines * CELL_HEIGHT + 2 * MARGIN + TITLE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}"',
        '     font-family="\'DejaVu Sans Mono\', Menlo, Consolas, monospace" font-size="15" '
        'role="img"',
        '     aria-label="RocketCar on a terminal: its shop with products, prices, and what is '
        'owned.">',
        f'  <rect width="{width}" height="{height}" rx="12" fill="{PAPER}"/>',
    ]
    for place, colour in enumerate(("#ff5f57", "#febc2e", "#28c840")):
        parts.append(f'  <circle cx="{22 + 20 * place}" cy="20" r="6" fill="{colour}"/>')
    for number in range(screen.lines):
        y = MARGIN + TITLE + number * CELL_HEIGHT
        for column, text, cell, _ in runs(screen.buffer[number], screen.columns):
            x = MARGIN + column * CELL_WIDTH
            length = len(text) * CELL_WIDTH
            ink = COLOURS.get(cell.fg, INK)
            if cell.reverse:
                parts.append(
                    f'  <rect x="{x}" y="{y}" width="{length}" height="{CELL_HEIGHT}" '
                    f'fill="{ink}"/>')
                ink = PAPER
            weight = ' font-weight="bold"' if cell.bold else ""
            parts.append(
                f'  <text x="{x}" y="{y + 14}" fill="{ink}"{weight} textLength="{length}" '
                f'lengthAdjust="spacingAndGlyphs" xml:space="preserve">{escape(text)}</text>')
    parts.append("</svg>\n")
    return "\n".join(parts)
