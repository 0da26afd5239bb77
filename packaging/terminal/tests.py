"""Tests of the terminal and of the drawing: python3 -m unittest terminal.tests, in packaging."""
import re
import unittest
from xml.etree import ElementTree

from . import screen, svg

SVG = "{http://www.w3.org/2000/svg}"


def shown(output, columns=20):
    """Returns the rows of a terminal after this output."""
    terminal = screen.Screen(columns)
    terminal.feed(output)
    return terminal.lines()


def texts(output, columns=20):
    """Returns the text of each row."""
    return ["".join(run.text for run in line) for line in shown(output, columns)]


def luminance(color):
    """Returns the relative luminance of WCAG 2."""
    parts = [int(color[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear))


class Screen(unittest.TestCase):
    """The screen applies what tfjob writes, and refuses everything else."""

    def test_text_and_rows(self):
        self.assertEqual(texts("one\r\ntwo\nx\r\n\r\n"), ["one", "two", "   x"])
        self.assertEqual(texts("one\rtw"), ["twe"])

    def test_styles(self):
        style = screen.Style
        [line] = shown("a\x1b[36;1;4mb\x1b[2mc\x1b[0md\x1b[31m\x1b[me")
        self.assertEqual([(run.column, run.width, run.text, run.style) for run in line], [
            (0, 1, "a", style()),
            (1, 1, "b", style("cyan", bold=True, underline=True)),
            (2, 1, "c", style("cyan", bold=True, dim=True, underline=True)),
            (3, 2, "de", style()),
        ])

    def test_status_lines_are_replaced(self):
        self.assertEqual(texts("\r\x1b[Jstatus\r\n0 s\r\n\r\x1b[2A\x1b[Jlog\r\nstatus\r\n1 s\r\n\r\x1b[2A\x1b[J"), ["log"])

    def test_an_unknown_escape_sequence_is_an_error(self):
        for output in ("\x1b[5mx", "\x1b[38;5;12mx", "\x1b[2K", "\x1b[1J", "\x1b[?25l", "\x1b]8;;x\x07", "\x1b", "\x1b[3"):
            with self.assertRaises(screen.UnknownOutput, msg=ascii(output)) as caught:
                shown("text " + output)
            self.assertIn(r"\x1b", str(caught.exception))

    def test_an_unknown_character_is_an_error(self):
        for char in ("\a", "\b", "\t", "\0", "\x7f", "\x9b", "\u200b", "\ue000", "\ufffe", "\u0301"):
            with self.assertRaises(screen.UnknownOutput, msg=ascii(char)):
                shown(char)

    def test_a_long_line_continues_in_the_next_row(self):
        self.assertEqual(texts("abcdef", 3), ["abc", "def"])
        # The cursor stays in a full row until the next character.
        self.assertEqual(texts("abc\r\ndef", 3), ["abc", "def"])
        self.assertEqual(texts("ab語", 3), ["ab", "語"])

    def test_width_of_characters(self):
        self.assertEqual([screen.char_width(char) for char in "a─╰…×語"], [1, 1, 1, 1, 1, 2])
        [[run]] = shown("語e\u0301x")
        self.assertEqual((run.width, run.text), (4, "語e\u0301x"))


class Drawing(unittest.TestCase):
    """The image is valid XML with the text of the rows."""

    def draw(self, output, title="a title"):
        return ElementTree.fromstring(svg.draw(title, shown(output, 40), 40))

    def test_text_is_escaped(self):
        image = self.draw("<a> & \"b\" 'c' ]]>", "`a < b & c`")
        self.assertEqual([text for text in image.find(f"{SVG}text").itertext()], ["<a> & \"b\" 'c' ]]>"])
        self.assertEqual(image.find(f"{SVG}title").text, "`a < b & c`")
        self.assertEqual(image[0].tag, f"{SVG}title")

    def test_each_run_has_the_position_and_the_length_of_its_cells(self):
        image = self.draw("ab\x1b[1mcde\x1b[0m\r\n\r\n   x")
        spans = [(span.get("x"), span.get("textLength"), span.get("class"), span.text) for span in image.iter(f"{SVG}tspan")]
        self.assertEqual(spans, [
            ("16", "16.8", None, "ab"),
            ("32.8", "25.2", "bold", "cde"),
            ("16", "33.6", None, "   x"),
        ])
        self.assertEqual([text.get("y") for text in image.iter(f"{SVG}text")], ["29", "63"])
        self.assertEqual((image.get("width"), image.get("height")), ("368", "83"))

    def test_every_style_has_a_rule(self):
        names = {*screen.COLORS.values(), *screen.ATTRIBUTES.values()}
        self.assertEqual(set(re.findall(r"^\.(\w+) ", svg.style_sheet(), re.MULTILINE)), names)
        for number, name in {**screen.COLORS, **screen.ATTRIBUTES}.items():
            [span] = self.draw(f"\x1b[{number}mx").iter(f"{SVG}tspan")
            self.assertEqual(span.get("class"), name)

    def test_colors_have_contrast(self):
        def blend(front, back):
            parts = zip(*(bytes.fromhex(color[1:]) for color in (front, back)))
            return "#" + "".join(f"{round(a * svg.DIM_OPACITY + b * (1 - svg.DIM_OPACITY)):02x}" for a, b in parts)

        dim = blend(svg.FOREGROUND, svg.BACKGROUND)
        for color in (svg.FOREGROUND, dim, *svg.PALETTE.values()):
            contrast = (luminance(color) + 0.05) / (luminance(svg.BACKGROUND) + 0.05)
            self.assertGreaterEqual(contrast, 4.5, color)


if __name__ == "__main__":
    unittest.main()
