"""A terminal of fixed width: applies the output of a program to a grid of cells.

It understands the control characters and escape sequences that tfjob writes, and no others: an unknown one is an error, because
the picture would differ from what a terminal shows."""
import dataclasses
import re
import unicodedata

# SGR parameters of colors.
COLORS = {31: "red", 32: "green", 33: "yellow", 34: "blue", 35: "magenta", 36: "cyan"}
# SGR parameters of attributes.
ATTRIBUTES = {1: "bold", 2: "dim", 4: "underline"}
SEQUENCE = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])")


class UnknownOutput(Exception):
    """The output contains an escape sequence or a character that the screen does not understand."""


@dataclasses.dataclass(frozen=True)
class Style:
    """Color and attributes of a cell."""

    color: str | None = None
    bold: bool = False
    dim: bool = False
    underline: bool = False


@dataclasses.dataclass(frozen=True)
class Run:
    """Adjacent cells of one style: the first column, the number of columns, and the text."""

    column: int
    width: int
    text: str
    style: Style


def char_width(char):
    """Returns the number of columns of a character: 0 for a combining mark, 2 for a wide character, otherwise 1."""
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me"):
        return 0
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"):
        raise UnknownOutput(f"character {ascii(char)}")
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


class Screen:
    """The rows of a terminal. Rows do not scroll out, so that the picture has the whole output."""

    def __init__(self, columns):
        self.columns = columns
        # A row is a list of cells, each a text and its style. The text of the second cell of a wide character is empty.
        self.rows = [[]]
        self.row = self.column = 0
        self.style = Style()

    def feed(self, output):
        """Applies output. Raises UnknownOutput."""
        at = 0
        while at < len(output):
            if output[at] == "\x1b":
                sequence = SEQUENCE.match(output, at)
                if not sequence:
                    raise UnknownOutput(f"escape sequence {ascii(output[at:at + 8])}")
                self.escape(sequence)
                at = sequence.end()
            else:
                self.char(output[at])
                at += 1

    def escape(self, sequence):
        """Applies an escape sequence."""
        parameters = [int(number or 0) for number in sequence[1].split(";")]
        match sequence[2], parameters:
            case "m", _:
                for parameter in parameters:
                    self.select(parameter, sequence[0])
            case "A", [count]:
                self.row = max(0, self.row - max(1, count))
            case "J", [0]:
                del self.rows[self.row + 1:]
                del self.rows[self.row][self.column:]
            case _:
                raise UnknownOutput(f"escape sequence {ascii(sequence[0])}")

    def select(self, parameter, sequence):
        """Applies one parameter of SGR (Select Graphic Rendition)."""
        if parameter == 0:
            self.style = Style()
        elif parameter in COLORS:
            self.style = dataclasses.replace(self.style, color=COLORS[parameter])
        elif parameter in ATTRIBUTES:
            self.style = dataclasses.replace(self.style, **{ATTRIBUTES[parameter]: True})
        else:
            raise UnknownOutput(f"SGR parameter {parameter} in {ascii(sequence)}")

    def char(self, char):
        """Applies a character."""
        if char == "\r":
            self.column = 0
        elif char == "\n":
            self.next_row()
        else:
            self.put(char, char_width(char))

    def next_row(self):
        """Moves the cursor down, and adds a row at the end."""
        self.row += 1
        if self.row == len(self.rows):
            self.rows.append([])

    def put(self, char, width):
        """Writes a character at the cursor. A character that does not fit into the row goes to the next one."""
        if width and self.column + width > self.columns:
            self.column = 0
            self.next_row()
        row = self.rows[self.row]
        row.extend([(" ", Style())] * (self.column - len(row)))
        if width == 0:
            if self.column == 0:
                raise UnknownOutput(f"combining character {ascii(char)} at the start of a row")
            text, style = row[self.column - 1]
            row[self.column - 1] = (text + char, style)
            return
        row[self.column:self.column + width] = [(char, self.style), ("", self.style)][:width]
        self.column += width

    def lines(self):
        """Returns the rows as lists of runs, without spaces at the end of a row and without empty rows at the end."""
        lines = [runs(row) for row in self.rows]
        while lines and not lines[-1]:
            lines.pop()
        return lines


def runs(row):
    """Returns the runs of a row."""
    while row and row[-1][0] == " " and not row[-1][1].underline:
        row = row[:-1]
    found = []
    for column, (text, style) in enumerate(row):
        if found and found[-1].style == style:
            last = found[-1]
            found[-1] = dataclasses.replace(last, width=last.width + 1, text=last.text + text)
        else:
            found.append(Run(column, 1, text, style))
    return found
