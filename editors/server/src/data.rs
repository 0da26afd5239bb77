//! Keys and values of a JSON or YAML text, also of a text with errors: the counterpart of [`crate::outline`] for these formats.
//!
//! The parsers of `tfjob_lang` stop at the first error of such a text, and an editor asks while the user is typing. This reader
//! never fails. It closes a string at the end of its line, and a bracket at the end of its block.
mod block;
mod flow;

use crate::outline::Word;
use std::ops::Range;
use tfjob_lang::sources::Format;

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// An object.
    Map(Vec<Pair>),
    /// A list. An item that is not typed yet is left out.
    List(Vec<Value>),
    /// A string, a number, or another scalar.
    Scalar(Word),
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The key.
    pub key: Word,
    /// Offset of the `:`. `None` if it is not typed yet.
    pub colon: Option<usize>,
    /// The value. `None` if it is not typed yet.
    pub value: Option<Value>,
    /// Offset behind the last closing bracket of the value. `None` without a closing bracket.
    pub closed: Option<usize>,
}

/// The value and the comments of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Data {
    /// The value of the text. `None` if the text is empty.
    pub root: Option<Value>,
    /// Bytes of all comments, in order.
    pub comments: Vec<Range<usize>>,
    /// Bytes of all values in brackets of a YAML text, except those inside another value in brackets.
    pub flows: Vec<Range<usize>>,
}

/// Maximum depth of values. Deeper values are left out; the parser refuses them.
const MAX_DEPTH: usize = 64;

impl Data {
    /// Reads a text. Never fails. A text in another format than JSON is read as YAML.
    #[must_use]
    pub fn of(text: &str, format: Format) -> Self {
        match format {
            Format::Json => {
                let mut comments = Vec::new();
                let root = flow::Flow::new(text, 0..text.len(), Format::Json, &mut comments).value(0);
                Self { root, comments, flows: Vec::new() }
            }
            Format::Yaml | Format::Kdl | Format::Set => block::read(text),
        }
    }

    /// Returns whether an offset is in a comment, or at its end.
    #[must_use]
    pub fn in_comment(&self, byte: usize) -> bool {
        self.comments.iter().any(|comment| comment.start < byte && byte <= comment.end)
    }
}

impl Value {
    /// Returns the pairs of an object. Empty for any other value.
    #[must_use]
    pub fn pairs(&self) -> &[Pair] {
        match self {
            Self::Map(pairs) => pairs,
            Self::List(_) | Self::Scalar(_) => &[],
        }
    }

    /// Returns the word of a scalar.
    #[must_use]
    pub const fn word(&self) -> Option<&Word> {
        match self {
            Self::Scalar(word) => Some(word),
            Self::Map(_) | Self::List(_) => None,
        }
    }

    /// Returns the value of a key of an object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.pairs().iter().find(|pair| pair.key.text == key)?.value.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: &Value) -> String {
        match value {
            Value::Scalar(word) => word.text.clone(),
            Value::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(" ")),
            Value::Map(pairs) => {
                let pair = |pair: &Pair| {
                    let value = pair.value.as_ref().map_or_else(|| "?".to_owned(), shown);
                    format!("{}{}{value}", pair.key.text, if pair.colon.is_some() { "=" } else { "~" })
                };
                format!("{{{}}}", pairs.iter().map(pair).collect::<Vec<_>>().join(" "))
            }
        }
    }

    fn read(text: &str, format: Format) -> String {
        Data::of(text, format).root.as_ref().map_or_else(String::new, shown)
    }

    #[test]
    fn json_texts_with_errors_have_values() {
        for (text, wanted) in [
            ("{\"a\": [1, \"x\\\"y\", true], \"b\": {}}", "{a=[1 x\"y true] b={}}"),
            ("{\"a\": {\"b\": 1 \"c\"", "{a={b=1 c~?}}"),
            ("{\"a\": \n \"b\": 2}", "{a=? b=2}"),
            ("{\"a\": \"wor\n \"b\": 2}", "{a=wor b=2}"),
            ("{\"a\": [\"x\", , \"y\"", "{a=[x y]}"),
            ("{ro}", "{ro~?}"),
            ("{\"a\": [1}", "{a=[1]}"),
            ("", ""),
        ] {
            assert_eq!(read(text, Format::Json), wanted, "{text}");
        }
    }

    #[test]
    fn yaml_texts_with_errors_have_values() {
        for (text, wanted) in [
            ("a:\n  b: 1 # c\n  # d: 2\n  e: gs://x/y\n", "{a={b=1 e=gs://x/y}}"),
            ("a:\n  - b: 1\n    c: 2\n  - d\n", "{a=[{b=1 c=2} d]}"),
            ("a:\n- b\n- c\nd: 1\n", "{a=[b c] d=1}"),
            ("run: [a, \"{b.c}\", 'd''e']\nx: {y: 1, z}\n", "{run=[a {b.c} d'e] x={y=1 z~?}}"),
            ("a:\n  b:\n    ro\n  c: 1\n", "{a={b=ro c=1}}"),
            ("a:\n  b: 1\n  ro\n  c: 1\n", "{a={b=1 ro~? c=1}}"),
            ("shell: |\n  # no comment\n  x: y\nb: 1\n", "{shell=|\n  # no comment\n  x: y b=1}"),
            ("a: \"wor\nb: 1\n", "{a=wor b=1}"),
            ("a: [x, y\nb: 1\n", "{a=[x y] b=1}"),
            ("a:\n    b: 1\n  c: 2\n", "{a={b=1 c=2}}"),
            ("- \n- x:\n", "[{x=?}]"),
            ("---\n\"a\" : 1\n", "{a=1}"),
        ] {
            assert_eq!(read(text, Format::Yaml), wanted, "{text}");
        }
        assert_eq!(Data::of("a: 1 # x\n# y\n", Format::Yaml).comments, [5..8, 9..12]);
        assert_eq!(Data::of("a: [1] # x\n", Format::Yaml).comments.first(), Some(&(7..10)));
    }

    #[test]
    fn deep_values_are_left_out() {
        for (text, format) in [("[", Format::Json), ("[", Format::Yaml), ("- ", Format::Yaml)] {
            assert!(Data::of(&text.repeat(100_000), format).root.is_some());
        }
        let deep: String = (0..2_000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        assert!(Data::of(&deep, Format::Yaml).root.is_some());
    }
}
