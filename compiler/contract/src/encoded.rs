//! A job contract in an environment variable: base64, because shells and templates change quotes, braces, and dollar signs.
use crate::failure::other_text;
use crate::{Contract, Unreadable, read::LARGEST};

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

impl Contract {
    /// Returns [`Contract::write`] in base64 (RFC 4648, padded), which shells, JSON, and templates do not change.
    #[must_use]
    pub fn write_base64(&self) -> String {
        base64(self.write().as_bytes())
    }

    /// Reads a job contract from the value of a variable: JSON, or its base64.
    ///
    /// # Errors
    /// Errors of [`Contract::read`], and a text that is neither JSON nor base64.
    pub fn read_encoded(text: &str) -> Result<Self, Unreadable> {
        let text = text.trim();
        if text.starts_with('{') {
            return Self::read(text);
        }
        // Whitespace is ignored: the command `base64` wraps lines, and a shell may turn line feeds into spaces.
        let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
        let bytes = match digits.len() {
            0..=LARGEST => decode(&digits),
            _ => None,
        };
        match bytes.map(String::from_utf8) {
            Some(Ok(text)) => Self::read(&text),
            Some(Err(_)) | None => Err(other_text(&"it is neither JSON nor base64")),
        }
    }
}

/// Returns bytes in base64 (RFC 4648, padded).
#[must_use]
pub fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * at) & 63) as usize];
            text.push(if at <= group.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

/// Decodes base64. Missing padding is accepted, because some platforms cut it off. Returns `None` if the text is not base64.
#[must_use]
pub fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let padding = text.iter().rev().take_while(|byte| **byte == b'=').count();
    let digits = &text[..text.len() - padding];
    if padding > 2 || digits.len() % 4 == 1 || (padding > 0 && !(digits.len() + padding).is_multiple_of(4)) {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for group in digits.chunks(4) {
        let mut bits: u32 = 0;
        for at in 0..4 {
            bits = bits << 6 | group.get(at).map_or(Some(0), |byte| value(*byte))?;
        }
        bytes.extend(&bits.to_be_bytes()[1..group.len()]);
    }
    Some(bytes)
}

fn value(digit: u8) -> Option<u32> {
    DIGITS.iter().position(|known| *known == digit).and_then(|at| u32::try_from(at).ok())
}

#[cfg(test)]
mod tests {
    use super::{base64, decode};

    #[test]
    fn the_vectors_of_rfc_4648_hold_both_ways() {
        let vectors = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (plain, carried) in vectors {
            assert_eq!(base64(plain.as_bytes()), carried);
            assert_eq!(decode(carried.as_bytes()).as_deref(), Some(plain.as_bytes()));
            assert_eq!(decode(carried.trim_end_matches('=').as_bytes()).as_deref(), Some(plain.as_bytes()));
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(base64(&all).as_bytes()), Some(all));
    }

    #[test]
    fn what_is_no_base64_is_refused() {
        for text in ["Z", "Zg=", "Zg===", "Zm9v=", "Z=g=", "Zm9v Zm9v", "Zm9$", "Zm-_", "é"] {
            assert_eq!(decode(text.as_bytes()), None, "{text}");
        }
    }
}
