//! YAML output that every YAML parser reads as the same value.
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use serde_saphyr::{Commented, LitStr};
use tfjob_lang::origin::Document;

/// Returns the comment of a value: one line, without `#`. Arguments: the key of the map that contains the value, or of the list
/// with this map; the map itself; and the key of the value in the map.
pub type Comment = fn(&str, &Map<String, Value>, &str) -> Option<String>;

/// Writes documents in order, separated by `---`.
///
/// A string is written without quotes only if no YAML 1.1 or 1.2 parser can read it as another type. A string with several plain
/// lines becomes a block, so that scripts are readable. Any other string is quoted, because some parsers lose the first tab of a
/// block. `comment` returns the comment of a value that is hard to understand.
///
/// # Panics
/// Never panics, because every JSON value is a YAML value.
#[must_use]
pub fn write(documents: &[Document], comment: Comment) -> String {
    let options = serde_saphyr::ser_options! { prefer_block_scalars: false };
    let texts = documents.iter().map(|d| {
        serde_saphyr::to_string_with_options(&Readable(&d.value, "", comment), options.clone())
            .expect("every JSON value is a YAML value")
    });
    let texts: Vec<String> = texts.collect();
    if let [only] = texts.as_slice() { only.clone() } else { format!("---\n{}", texts.join("---\n")) }
}

/// Serializes a value, with scripts as blocks. The second field is the key of the value, or of the list that contains it.
struct Readable<'a>(&'a Value, &'a str, Comment);

impl Serialize for Readable<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(map) => {
                let mut out = serializer.serialize_map(Some(map.len()))?;
                for (key, value) in map {
                    match (self.2)(self.1, map, key).filter(|_| !value.is_object() && !value.is_array()) {
                        Some(comment) => out.serialize_entry(key, &Commented(value, comment))?,
                        None => out.serialize_entry(key, &Readable(value, key, self.2))?,
                    }
                }
                out.end()
            }
            Value::Array(list) => {
                let mut out = serializer.serialize_seq(Some(list.len()))?;
                for value in list {
                    out.serialize_element(&Readable(value, self.1, self.2))?;
                }
                out.end()
            }
            Value::String(text) if is_block(text) => LitStr(text).serialize(serializer),
            leaf @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => {
                leaf.serialize(serializer)
            }
        }
    }
}

/// Returns whether every YAML parser reads the block form of a text as exactly this text. The text must be printable ASCII with at most
/// one newline at the end (`|`, or `|-` without). It must not begin with a space, and no line may end with a space.
fn is_block(text: &str) -> bool {
    let lines = text.strip_suffix('\n').unwrap_or(text);
    let plain = |line: &str| line.bytes().all(|b| matches!(b, b' '..=b'~')) && !line.ends_with(' ');
    lines.contains('\n')
        && !lines.starts_with([' ', '\n'])
        && !lines.ends_with('\n')
        && lines.split('\n').all(plain)
}

#[cfg(test)]
mod tests {
    use super::{is_block, write};
    use serde_json::{Map, Value, json};
    use tfjob_lang::origin::Document;

    fn written(value: &serde_json::Value) -> String {
        write(&[Document { value: value.clone(), ..Document::default() }], |_, _, _| None)
    }

    #[test]
    fn a_comment_follows_its_value() {
        let comment = |parent: &str, _: &Map<String, Value>, key: &str| {
            (key == "mode" && parent != "labels").then(|| "octal 0555".to_owned())
        };
        let value = json!({ "list": [{ "mode": 365, "name": "a" }], "mode": "", "other": { "mode": {} }, "labels": { "mode": 1 } });
        let text = write(&[Document { value, ..Document::default() }], comment);
        let expected = "list:\n- mode: 365 # octal 0555\n  name: a\nmode: \"\" # octal 0555\nother:\n  mode: {}\nlabels:\n  mode: 1\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_script_is_a_block() {
        assert_eq!(written(&json!({ "a": "x\n  y\n" })), "a: |\n  x\n    y\n");
        assert_eq!(written(&json!({ "a": ["x\n\ny\n"] })), "a:\n- |\n  x\n\n  y\n");
        assert_eq!(written(&json!({ "a": ["x\n y", "z"] })), "a:\n- |-\n  x\n   y\n- z\n");
    }

    #[test]
    fn lines_that_parsers_read_differently_are_quoted() {
        for text in
            ["\tx\ny\n", " x\ny\n", "x \ny\n", "x\ny ", "x\ny\n\n", "\nx\ny\n", "x\r\ny\n", "é\ny\n", "x\n"]
        {
            assert!(!is_block(text), "{text:?}");
            assert!(written(&json!({ "a": text })).starts_with("a: \""), "{text:?}");
        }
    }

    #[test]
    fn what_is_written_is_what_is_read() {
        let texts = [
            "yes",
            "no",
            "on",
            "y",
            "~",
            "null",
            "",
            "1_000",
            "0x1F",
            "017",
            "0o17",
            "1e3",
            ".5",
            ".inf",
            "12:30:45",
            "2024-01-01",
            "=",
            "<<",
            "- a",
            "a: b",
            "a #b",
            "*a",
            "&a",
            "!x",
            "|",
            ">",
            "%x",
            "@x",
            "`x",
            "? a",
            "'",
            "\"",
            "\\",
            "\t",
            "a\tb",
            "line\nline2\n",
            " lead",
            "trail ",
            "\u{85}\u{2028}\u{feff}é😀",
            "\u{7f}\u{1b}",
            "---",
            "...",
            "a\n---\nb\n",
            "#!/bin/sh\nset -eu\n",
            "x\n  y\n\nz\n",
        ];
        for text in texts {
            let value = json!({ "text": text, "list": [text], text: "key" });
            let read: serde_json::Value = serde_saphyr::from_str(&written(&value)).expect("YAML");
            assert_eq!(read["text"], text, "{text:?}");
            assert_eq!(read["list"][0], text, "{text:?}");
            assert_eq!(read[text], "key", "{text:?}");
        }
    }
}
