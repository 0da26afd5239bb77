"""Draws the rows of a terminal as an SVG image with selectable text."""
from xml.sax import saxutils

# Size of a cell and of the margin in pixels.
CELL_WIDTH, CELL_HEIGHT, MARGIN = 8.4, 17, 16
FONT_SIZE = 14
# Distance from the top of a cell to the base line.
BASELINE = 13
# The picture has its own background, so that it is readable on a light and on a dark page. Each color has a contrast of at least
# 4.5.
BACKGROUND, BORDER, FOREGROUND = "#0d1117", "#484f58", "#e6edf3"
PALETTE = {
    "red": "#ff7b72",
    "green": "#56d364",
    "yellow": "#e3b341",
    "blue": "#79c0ff",
    "magenta": "#d2a8ff",
    "cyan": "#56d4dd",
}
DIM_OPACITY = 0.65
FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"


def number(value):
    """Returns a coordinate, without trailing zeros."""
    return f"{value:.1f}".removesuffix(".0")


def style_sheet():
    """Returns the CSS rules: one class for each color and attribute."""
    rules = [
        f"text {{ fill: {FOREGROUND}; font: {FONT_SIZE}px {FONTS}; white-space: pre }}",
        *(f".{name} {{ fill: {color} }}" for name, color in PALETTE.items()),
        ".bold { font-weight: bold }",
        f".dim {{ fill-opacity: {DIM_OPACITY} }}",
        ".underline { text-decoration: underline }",
    ]
    return "\n".join(rules)


def classes(style):
    """Returns the CSS classes of a style."""
    names = [style.color] + [name for name in ("bold", "dim", "underline") if getattr(style, name)]
    return " ".join(name for name in names if name)


def span(run):
    """Returns the element of a run. Its position and length are those of its cells, with any font."""
    x, length = number(MARGIN + run.column * CELL_WIDTH), number(run.width * CELL_WIDTH)
    names = classes(run.style)
    attributes = f' class="{names}"' if names else ""
    text = saxutils.escape(run.text)
    return f'<tspan x="{x}" textLength="{length}" lengthAdjust="spacingAndGlyphs"{attributes}>{text}</tspan>'


def draw(title, lines, columns):
    """Returns the SVG image of `lines`, each a list of runs, in a terminal with this number of columns."""
    width, height = number(columns * CELL_WIDTH + 2 * MARGIN), number(len(lines) * CELL_HEIGHT + 2 * MARGIN)
    rows = [
        f'<text y="{number(MARGIN + row * CELL_HEIGHT + BASELINE)}" xml:space="preserve">{"".join(map(span, line))}</text>'
        for row, line in enumerate(lines)
        if line
    ]
    frame = f'<rect x="0.5" y="0.5" width="{number(float(width) - 1)}" height="{number(float(height) - 1)}" rx="8"'
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f"<title>{saxutils.escape(title)}</title>",
        f"<style>\n{style_sheet()}\n</style>",
        f'{frame} fill="{BACKGROUND}" stroke="{BORDER}"/>',
        *rows,
        "</svg>\n",
    ])
