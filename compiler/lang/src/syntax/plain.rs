//! Fast parser for the common subset of KDL. Returns the same result as the kdl crate, or `None` for a text outside of the
//! subset.
use super::draft::Draft;
use super::lexer::{Kind, is_newline, run, text_literal};
use super::literal::{self, text_of};
use super::read::{is_quoted, with_broken};
use super::{Node, NodeEntry, Scalar};
use crate::sources::{Source, Span};
use std::ops::Range;

/// Parses a text of the common subset. For any other text, returns `None`; the kdl crate then parses the text.
///
/// The subset: ASCII names, quoted strings, decimal numbers, `#true`, `#false`, `#null`, properties, and blocks, separated by
/// spaces, tabs, newlines, and `;`. `broken`: the unparsable spans, which the draft has replaced by spaces.
pub(super) fn read(draft: &Draft<'_>, source: &Source, broken: &[Span]) -> Option<Vec<Node>> {
    let mut reader = Reader { draft, source, broken, text: &draft.text, at: 0 };
    let nodes = reader.nodes()?;
    (reader.at == reader.text.len()).then_some(nodes)
}

struct Reader<'r> {
    draft: &'r Draft<'r>,
    source: &'r Source,
    broken: &'r [Span],
    text: &'r str,
    at: usize,
}

/// A value and its byte range in the text.
struct Word {
    value: Scalar,
    bytes: Range<usize>,
}

/// Returns whether this byte is valid in an unquoted name of the subset.
const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':' | b'@' | b'%')
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip(&mut self, wanted: impl Fn(u8) -> bool) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|byte| !wanted(*byte)).unwrap_or(rest.len());
    }

    /// Parses nodes up to a `}` or the end of the text. The guard has already limited the depth.
    fn nodes(&mut self) -> Option<Vec<Node>> {
        let mut nodes = Vec::new();
        loop {
            self.skip(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
            match self.peek() {
                None | Some(b'}') => return Some(nodes),
                Some(_) => nodes.push(self.node()?),
            }
        }
    }

    /// Parses a node, including the newline or `;` that ends it.
    fn node(&mut self) -> Option<Node> {
        let name = self.word()?;
        let Scalar::Text(text) = name.value else { return None };
        let (mut entries, mut children, mut end) = (Vec::new(), None, self.at);
        let stop = loop {
            let before = self.at;
            self.skip(|byte| matches!(byte, b' ' | b'\t'));
            let spaced = self.at > before;
            match self.peek() {
                None | Some(b'}') => break self.at,
                Some(b';' | b'\n' | b'\r') => {
                    self.at += 1;
                    break self.at - 1;
                }
                Some(_) if !spaced || children.is_some() => return None,
                Some(b'{') => {
                    self.at += 1;
                    children = Some(self.nodes()?);
                    if self.peek() != Some(b'}') {
                        return None;
                    }
                    self.at += 1;
                }
                Some(_) => entries.push(self.entry()?),
            }
            end = self.at;
        };
        let name_span = self.draft.span(name.bytes.clone());
        let span = name_span.to(self.draft.span(name.bytes.start..end));
        let span = match self.broken {
            [] => span,
            broken => with_broken(span, self.draft.span(name.bytes.start..stop), broken),
        };
        Some(Node { name: text, name_span, span, entries, children })
    }

    fn entry(&mut self) -> Option<NodeEntry> {
        let mut word = self.word()?;
        let mut key = None;
        if self.peek() == Some(b'=') {
            self.at += 1;
            let Scalar::Text(name) = word.value else { return None };
            key = Some((name, self.draft.span(word.bytes)));
            word = self.word()?;
        }
        let span = self.draft.span(word.bytes);
        let bare = matches!(word.value, Scalar::Text(_)) && !is_quoted(self.source, span);
        Some(NodeEntry { key, value: word.value, span, bare })
    }

    fn word(&mut self) -> Option<Word> {
        let start = self.at;
        let value = match self.peek()? {
            b'"' => Scalar::Text(self.quoted().or_else(|| self.literal())?),
            b'#' if matches!(self.text.as_bytes().get(start + 1), Some(b'"' | b'#')) => {
                Scalar::Text(self.literal()?)
            }
            b'#' => {
                self.at += 1;
                self.skip(is_name);
                match &self.text[start..self.at] {
                    "#true" => Scalar::Bool(true),
                    "#false" => Scalar::Bool(false),
                    "#null" => Scalar::Null,
                    _ => return None,
                }
            }
            b'0'..=b'9' | b'-' => self.number()?,
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                self.skip(is_name);
                let name = &self.text[start..self.at];
                if matches!(name, "true" | "false" | "null" | "inf" | "nan") {
                    return None;
                }
                Scalar::Text(name.to_owned())
            }
            _ => return None,
        };
        Some(Word { value, bytes: start..self.at })
    }

    /// Parses a string on one line with common escapes. For any other string, returns `None` and does not move.
    fn quoted(&mut self) -> Option<String> {
        let body = &self.text[self.at + 1..];
        let (mut out, mut from) = (String::new(), 0);
        loop {
            let stops = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=b'\x08' | b'\n'..=b'\x1f' | b'\x7f');
            let at = from + body.as_bytes()[from..].iter().position(stops)?;
            out.push_str(&body[from..at]);
            match &body.as_bytes()[at..] {
                [b'"', b'"', ..] => return None,
                [b'"', ..] => {
                    self.at += at + 2;
                    let long = !body[..at].is_ascii() && body[..at].contains(is_newline);
                    return (!long).then_some(out);
                }
                [b'\\', escape, ..] => out.push(match escape {
                    b'"' => '"',
                    b'\\' => '\\',
                    b'n' => '\n',
                    b't' => '\t',
                    _ => return None,
                }),
                _ => return None,
            }
            from = at + 2;
        }
    }

    /// Parses a string of any kind: raw, multi-line, or with any escapes.
    fn literal(&mut self) -> Option<String> {
        let rest = &self.text[self.at..];
        let hashes = run(rest, |c| c == '#');
        if !rest[hashes..].starts_with('"') {
            return None;
        }
        let (kind, length) = text_literal(rest, hashes);
        let units = (kind == Kind::Text).then(|| literal::kdl::units(&rest[..length]).ok()).flatten()?;
        self.at += length;
        Some(text_of(&units))
    }

    fn number(&mut self) -> Option<Scalar> {
        let start = self.at;
        self.skip(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b';' | b'}'));
        let digits = &self.text[start..self.at];
        let is_whole =
            |digits: &str| (1..=15).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
        let bare = digits.strip_prefix('-').unwrap_or(digits);
        match bare.split_once('.') {
            None if is_whole(bare) => digits.parse().ok().map(Scalar::Int),
            Some((whole, part)) if is_whole(whole) && is_whole(part) => {
                digits.parse().ok().map(Scalar::Float)
            }
            None | Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::sources::{Format, Sources};
    use crate::syntax::random::{Random, document, slipped};
    use crate::syntax::read::{read_kdl, read_with};
    use crate::syntax::rounds;
    use std::cell::Cell;

    /// Returns whether the text is in the subset, and asserts that both parsers agree.
    fn agrees(text: &str) -> bool {
        let mut all = Sources::default();
        all.add("first", Format::Kdl, "x");
        let number = all.add("a", Format::Kdl, text);
        let source = all.get(number);
        let plain = Cell::new(false);
        let read = read_with(source, |draft, source, broken| {
            let nodes = super::read(draft, source, broken);
            plain.set(nodes.is_some());
            nodes
        });
        let kdls = read_with(source, |_, _, _| None);
        assert_eq!(read.0, kdls.0, "{text:?}");
        assert_eq!(format!("{:?}", read.1), format!("{:?}", kdls.1), "{text:?}");
        assert_eq!(read_kdl(source).0, kdls.0);
        plain.get()
    }

    /// Words of random texts. Most of the first thirty are in the subset that the fast parser supports.
    const WORDS: &[&str] = &[
        "a",
        "b-1",
        "a.b:c",
        "_x",
        "\"q r\"",
        "\"\"",
        "\"\\\"e\\\\ \\n\\t\"",
        "\"é {x} // y\"",
        "k=1",
        "k=\"v\"",
        "\"k l\"=v",
        "1",
        "-1",
        "007",
        "1.50",
        "-0.0",
        "#true",
        "k=#false",
        "#null",
        " ",
        "  ",
        "\t",
        "\n",
        "\r\n",
        ";",
        "{",
        "}",
        " {\n",
        "\n}\n",
        "// c\n",
        "true",
        "0x1f",
        "+1",
        "1e3",
        "1.",
        "=",
        "r\"x\"",
        "#\"r\"#",
        "\"\"\"",
        "\u{85}",
        "\"\u{2028}\"",
        "/-",
        "\\\n",
        "123456789012345678901234567890",
        "inf",
        "\u{feff}",
        "é",
        "(t)",
        "\"\\u{e9}\"",
        "a=b=c",
        "a\"b\"",
        "\"\"\"\n  m\n    n\n\n  \"\"\"",
        "\"\"\"\r\n\ta\\\n  b\r\n\t\"\"\"",
        "\"\"\"\n \u{2028} x\u{85} y\n \"\"\"",
        "#\"\"\"\n \"\"x\"\"\\n\n \"\"\"#",
        "##\"a\"#b\\\"##",
        "\"\\u{0}\\s\\b\\f\\r\\/\"",
        "\"\\u{d800}\"",
        "\"\\   x\"",
        "\"\"\"\"\"\"",
        "#\"\"\"#",
        "k=\"\"\"\n\"\"\"",
    ];

    #[test]
    fn what_is_plain_is_read_as_kdl_reads_it() {
        let mut plain = 0;
        for seed in 0..rounds(1_500) {
            let random = &mut Random::new(seed);
            // Most texts use only the first thirty words, so that many texts are entirely in the subset that the fast parser
            // supports.
            let top = if random.one_in(3) { WORDS.len() } else { 30 };
            let mut text = String::new();
            for _ in 0..random.below(14) {
                text.push_str(WORDS[random.below(top)]);
                text.push_str(random.pick(&["", " ", " ", " "]));
            }
            plain += u32::from(agrees(&text));
            plain += u32::from(agrees(&document(random))) + u32::from(agrees(&slipped(random)));
        }
        assert!(plain > 500, "only {plain} texts are plain");
    }
}
