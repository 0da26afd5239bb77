//! Lines of a text, for edits that insert and remove whole lines.

/// Returns the offset of the first byte of the line of a byte.
#[must_use]
pub fn line_start(text: &str, byte: usize) -> usize {
    let byte = text.floor_char_boundary(byte);
    text[..byte].rfind('\n').map_or(0, |end| end + 1)
}

/// Returns the offset of the newline that ends the line of a byte; the end of the text in its last line.
#[must_use]
pub fn line_end(text: &str, byte: usize) -> usize {
    let byte = text.floor_char_boundary(byte);
    text[byte..].find('\n').map_or(text.len(), |length| byte + length)
}

/// Returns the white space at the start of the line of a byte.
#[must_use]
pub fn indent(text: &str, byte: usize) -> &str {
    let line = &text[line_start(text, byte)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
