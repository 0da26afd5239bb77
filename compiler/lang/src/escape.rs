//! A text of a spec within a message.

/// A text that can be shown within a message.
pub trait Escaped {
    /// Returns the text with escapes for characters that cannot be seen, such as `\n`, and for `"` and `\`. Unlike `escape_debug`,
    /// this leaves `'` unchanged, because no format of a spec needs a `\` before it.
    fn escaped(&self) -> String;
}

#[expect(clippy::disallowed_methods, reason = "all other characters are escaped like this")]
impl Escaped for str {
    fn escaped(&self) -> String {
        let parts: Vec<String> = self.split('\'').map(|part| part.escape_debug().collect()).collect();
        parts.join("'")
    }
}

impl Escaped for char {
    fn escaped(&self) -> String {
        self.encode_utf8(&mut [0; 4]).escaped()
    }
}

#[cfg(test)]
mod tests {
    use super::Escaped;

    #[test]
    fn only_what_cannot_be_seen_or_ends_a_string_is_escaped() {
        for (text, shown) in [
            ("it's", "it's"),
            ("\\'", "\\\\'"),
            ("a\nb\tc", "a\\nb\\tc"),
            ("\"x\"", "\\\"x\\\""),
            ("é ü 日 e\u{301}", "é ü 日 e\u{301}"),
            ("\u{200b}\u{1b}[0m", "\\u{200b}\\u{1b}[0m"),
        ] {
            assert_eq!(text.escaped(), shown);
        }
        assert_eq!(('\''.escaped(), '\r'.escaped()), ("'".to_owned(), "\\r".to_owned()));
    }
}
