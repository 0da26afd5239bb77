//! Escapes text so that it passes through YARN unchanged, byte for byte.
//!
//! The NodeManager writes `export NAME="VALUE"` and `exec /bin/bash -c "COMMAND 1>… 2>…"` without escaping. Before that, the
//! service master replaces `${TOKEN}`, and the NodeManager replaces `{{X`, `}}`, `<LOG_DIR>`, `<CPS>`, and, from 3.4 on,
//! `<ADD_OPENS>`.
use tfjob_contract::{Piece, Value};

/// Escapes `text` for double quotes of bash. Where YARN would find one of its tokens, inserts `""`, which bash removes.
///
/// Verified on real Hadoop with 56 hostile texts, each as an environment variable and as an argument.
#[must_use]
pub fn in_double_quotes(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut last = ' ';
    for c in text.chars() {
        let token = match c {
            '{' | '}' => matches!(last, '{' | '}' | '$'),
            'L' | 'C' | 'A' => last == '<',
            _ => false,
        };
        if token {
            out.push_str("\"\"");
        }
        if matches!(c, '\\' | '"' | '$' | '`') {
            out.push('\\');
        }
        out.push(c);
        last = c;
    }
    out
}

/// Quotes `text` as one shell word. Text that needs no quotes is unchanged. Any other text is put into single quotes.
#[must_use]
pub fn word(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(&b);
    if !text.is_empty() && text.bytes().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Returns a value as one shell word, in which the shell expands environment variables of the platform.
#[must_use]
pub fn value(value: &Value) -> String {
    let word: String = value
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) if text.is_empty() => String::new(),
            Piece::Text(text) => word(text),
            Piece::Env(name) => format!("\"${name}\""),
            // These pieces do not occur here: only the shim inserts values that depend on the task.
            Piece::Index | Piece::Address | Piece::Addresses(_) | Piece::Port(_) | Piece::Done => {
                String::new()
            }
        })
        .collect();
    if word.is_empty() { "''".to_owned() } else { word }
}

/// Rewrites JSON as the content of a `TEMPLATE` file: the same value, but without `${TOKEN}` and in ASCII. It must be ASCII,
/// because the service master of 3.1 writes the file in the character set of its host.
#[must_use]
pub fn template(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut units = [0; 2];
    for c in json.replace("${", "\\u0024{").chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{in_double_quotes, template, value, word};
    use tfjob_contract::Piece;

    #[test]
    fn every_character_that_bash_reads_is_escaped() {
        assert_eq!(in_double_quotes(r#"a "b" $c `d` \e"#), r#"a \"b\" \$c \`d\` \\e"#);
        assert_eq!(in_double_quotes("it's; & | > !x\n"), "it's; & | > !x\n");
    }

    #[test]
    fn no_token_of_the_engine_forms() {
        let texts = [
            "${COMPONENT_ID}",
            "$${USER}",
            "\\${USER}",
            "{{HOME}}",
            "}}",
            "{{{",
            "<LOG_DIR>",
            "<CPS>",
            "<<LOG_DIR>>",
            "<ADD_OPENS>",
        ];
        for text in texts {
            let sent = in_double_quotes(text);
            for token in ["${", "{{", "}}", "<LOG_DIR>", "<CPS>", "<ADD_OPENS>"] {
                assert!(!sent.contains(token), "{text} gives {sent}");
            }
        }
        assert_eq!(in_double_quotes("<LOG_DIR>"), "<\"\"LOG_DIR>");
    }

    #[test]
    fn a_word_is_one_word() {
        assert_eq!(word("--steps=9"), "--steps=9");
        assert_eq!(word("a'b"), r"'a'\''b'");
        assert_eq!([word(""), word("a b"), word("é"), word("~")], ["''", "'a b'", "'é'", "'~'"]);
        let text = vec![Piece::Env("WORK_DIR".to_owned()), Piece::Text("/a b".to_owned())];
        assert_eq!(value(&text), r#""$WORK_DIR"'/a b'"#);
        assert_eq!(value(&Vec::new()), "''");
    }

    #[test]
    fn a_template_is_the_same_json() {
        let json = serde_json::json!({"a": "${USER} \\${x} é 😀 $ {", "${b}": 1});
        let sent = template(&json.to_string());
        assert!(sent.is_ascii() && !sent.contains("${"));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&sent).unwrap(), json);
    }
}
