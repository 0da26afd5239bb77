//! Reads the base64 of a shared file.

/// Returns the digits of a line that contains only base64, with the indentation of a shared file.
pub fn digits(line: &str) -> Option<&str> {
    let digits = line.strip_prefix("    ")?;
    let digits = digits.strip_suffix('\n').unwrap_or(digits);
    let is_digit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    Some(digits).filter(|digits| !digits.is_empty() && digits.chars().all(is_digit))
}

/// Decodes base64 with padding (RFC 4648).
pub fn decoded(digits: &str) -> Option<Vec<u8>> {
    let values = digits.trim_end_matches('=');
    if digits.len() - values.len() > 2 || !digits.len().is_multiple_of(4) {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3);
    for group in values.as_bytes().chunks(4) {
        let mut bits: u32 = 0;
        for at in 0..4 {
            bits = bits << 6 | group.get(at).map_or(Some(0), |digit| value(*digit))?;
        }
        bytes.extend(&bits.to_be_bytes()[1..group.len()]);
    }
    Some(bytes)
}

const fn value(digit: u8) -> Option<u32> {
    let (first, number) = match digit {
        b'A'..=b'Z' => (b'A', 0),
        b'a'..=b'z' => (b'a', 26),
        b'0'..=b'9' => (b'0', 52),
        b'+' => (b'+', 62),
        b'/' => (b'/', 63),
        _ => return None,
    };
    Some((digit - first) as u32 + number)
}

#[cfg(test)]
mod tests {
    use super::{decoded, digits};

    #[test]
    fn what_is_encoded_is_decoded() {
        for count in 0..9_u8 {
            let bytes: Vec<u8> = (0..count).map(|byte| byte.wrapping_mul(91)).collect();
            assert_eq!(decoded(&tfjob_contract::base64(&bytes)), Some(bytes));
        }
        for wrong in ["A", "AA", "AA=A", "A===", "AA AA", "AAA-"] {
            assert_eq!(decoded(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn only_a_line_of_digits_is_part_of_the_shim() {
        assert_eq!((digits("    AA+/==\n"), digits("    AA")), (Some("AA+/=="), Some("AA")));
        for line in ["    \n", "   AA\n", "     AA\n", "    AA \n", "    a: b\n", "    AA\r\n", "AA\n", ""] {
            assert_eq!(digits(line), None, "{line:?}");
        }
    }
}
