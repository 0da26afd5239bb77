//! Parser for the subset of the protobuf text format that lists of checkpoints use, compatible with `text_format.Merge` of Python.

/// A value of a field.
#[derive(Debug, PartialEq, Eq)]
pub enum Value {
    /// An unquoted string.
    Text(String),
    /// A number, unparsed.
    Number(String),
}

/// The rest of the input.
struct Rest<'t>(&'t [u8]);

/// Calls `take` with each field, in order. Supports comments, separators, single quotes, and short lists (`[a, b]`). Returns `None`
/// if the text is invalid or `take` returns `None`.
pub fn fields(text: &[u8], take: &mut dyn FnMut(&[u8], Value) -> Option<()>) -> Option<()> {
    let mut rest = Rest(text);
    rest.blank();
    while !rest.0.is_empty() {
        let key = rest.word(|byte| byte == b'_' || byte.is_ascii_lowercase());
        rest.skip(b':').then_some(())?;
        // Only repeated fields may have a short list (`[a, b]`).
        if key.starts_with(b"all_") && rest.skip(b'[') {
            while !rest.skip(b']') {
                take(key, rest.value()?)?;
                (rest.skip(b',') != rest.0.starts_with(b"]")).then_some(())?;
            }
        } else {
            take(key, rest.value()?)?;
        }
        let _ = rest.skip(b',') || rest.skip(b';');
    }
    Some(())
}

impl<'t> Rest<'t> {
    /// Skips whitespace and comments.
    fn blank(&mut self) {
        let mut comment = false;
        while let [byte, rest @ ..] = self.0
            && (comment || *byte == b'#' || byte.is_ascii_whitespace())
        {
            comment = (comment || *byte == b'#') && *byte != b'\n';
            self.0 = rest;
        }
    }

    /// Skips `byte` if it is next, and the whitespace after it. Returns whether it was next.
    fn skip(&mut self, byte: u8) -> bool {
        let Some(rest) = self.0.strip_prefix(&[byte]) else { return false };
        self.0 = rest;
        self.blank();
        true
    }

    fn word(&mut self, of: fn(u8) -> bool) -> &'t [u8] {
        let end = self.0.iter().position(|byte| !of(*byte)).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        self.blank();
        word
    }

    /// Reads a value. Adjacent strings are concatenated.
    fn value(&mut self) -> Option<Value> {
        let mut text = Vec::new();
        if !matches!(self.0, [b'"' | b'\'', ..]) {
            let of = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-' | b'_');
            let number = self.word(of);
            text.extend(number);
            return is_number(number).then(|| String::from_utf8(text).ok().map(Value::Number))?;
        }
        while matches!(self.0, [b'"' | b'\'', ..]) {
            self.0 = unquoted(self.0, &mut text).ok()?;
            self.blank();
        }
        String::from_utf8(text).ok().map(Value::Text)
    }
}

/// Whether Python parses the text as a number: `17`, `1.5`, `1.`, `-1e+16`.
fn is_number(text: &[u8]) -> bool {
    let (mut digits, mut point, mut power, mut last) = (0, false, false, b' ');
    for byte in text {
        match byte {
            b'0'..=b'9' => digits += 1,
            b'.' if !point && !power => point = true,
            b'e' | b'E' if !power && digits > 0 => (power, digits) = (true, 0),
            b'+' | b'-' if matches!(last, b' ' | b'e' | b'E') => {}
            _ => return false,
        }
        last = *byte;
    }
    digits > 0
}

/// Appends the content of the quoted string at the start of `quoted` to `text`. Returns the rest of the input.
///
/// # Errors
/// `true` if the string is valid but not terminated, `false` if it is invalid.
pub fn unquoted<'t>(quoted: &'t [u8], text: &mut Vec<u8>) -> Result<&'t [u8], bool> {
    let (quote, mut rest) = quoted.split_first().ok_or(true)?;
    loop {
        let (byte, behind) = rest.split_first().ok_or(true)?;
        rest = behind;
        match byte {
            _ if byte == quote => return Ok(rest),
            b'\n' => return Err(false),
            b'\\' => {
                let (plain, length) = escaped(rest).ok_or(rest.is_empty())?;
                text.push(plain);
                rest = rest.get(length..).unwrap_or_default();
            }
            _ => text.push(*byte),
        }
    }
}

/// Decodes an escape sequence; `behind` starts after the backslash. Returns the decoded byte, and the length of the sequence
/// without the backslash. `None` for an unknown sequence.
fn escaped(behind: &[u8]) -> Option<(u8, usize)> {
    let first = behind.first()?;
    let plain = match first {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'"' | b'\'' | b'\\' => *first,
        b'0'..=b'7' => {
            let digits = behind.iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7'));
            let (number, length) = digits
                .fold((0, 0), |(number, length), digit| (number * 8 + u32::from(digit - b'0'), length + 1));
            return Some((u8::try_from(number).ok()?, length));
        }
        _ => return None,
    };
    Some((plain, 1))
}

#[cfg(test)]
mod tests {
    use super::Value::{self, Number, Text};

    fn fields(text: &str) -> Option<Vec<(String, Value)>> {
        let mut fields = Vec::new();
        let mut take = |key: &[u8], value| {
            fields.push((String::from_utf8(key.to_vec()).unwrap(), value));
            Some(())
        };
        super::fields(text.as_bytes(), &mut take)?;
        Some(fields)
    }

    #[test]
    fn what_protobuf_reads_is_read_in_any_layout() {
        let text = |text: &str| Text(text.to_owned());
        let number = |text: &str| Number(text.to_owned());
        for (written, read) in [
            ("", vec![]),
            (" # nothing\n", vec![]),
            ("a_b: \"x\"\nc: 1.5\n", vec![("a_b", text("x")), ("c", number("1.5"))]),
            (
                "a:'x';c:-1e+16,d\n:\n # no\n .5",
                vec![("a", text("x")), ("c", number("-1e+16")), ("d", number(".5"))],
            ),
            ("a: \"x\" # one\n  'y'", vec![("a", text("xy"))]),
            (
                "all_a: [\"x\", 'y' ] all_a: [] all_a: \"z\"",
                vec![("all_a", text("x")), ("all_a", text("y")), ("all_a", text("z"))],
            ),
            (r#"a: "g\303\274t\t'A\\\"""#, vec![("a", text("g\u{fc}t\t'A\\\""))]),
        ] {
            let read = read.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
            assert_eq!(fields(written), Some(read), "{written}");
        }
        for wrong in [
            "a",
            "a:",
            "a: ",
            "a \"x\"",
            "a: x",
            "a: \"x",
            "a: \"x'",
            "a: \"x\ny\"",
            "a: \"\\q\"",
            "a: \"\\303\"",
            "a: \"\\777\"",
            "a: \"x\\",
            "a: [\"x\"]",
            "all_a: [\"x\",]",
            "all_a: [\"x\" \"y\"",
            "all_a: [",
            "a: 1.5e",
            "a: -",
            "a: 1.2.3",
            "{a: 1}",
            "a: 1\0",
            "\u{a0}a: 1",
            ";a: 1",
        ] {
            assert_eq!(fields(wrong), None, "{wrong}");
        }
    }
}
