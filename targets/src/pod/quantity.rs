//! Quantities of the Kubernetes API: `2`, `500m`, `16Gi`, `5e9`.
//!
//! Based on `k8s.io/apimachinery/pkg/api/resource`.
use serde_json::Value;

/// Decimal suffixes, each with its power of 1000. The suffixes in `BINARY` stand for powers of 1024.
const DECIMAL: [(&str, i32); 10] =
    [("n", -3), ("u", -2), ("m", -1), ("", 0), ("k", 1), ("M", 2), ("G", 3), ("T", 4), ("P", 5), ("E", 6)];
const BINARY: [&str; 6] = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/// Billionths per unit of a quantity. tfjob stores a quantity as a number of billionths.
const NANO: i128 = 1_000_000_000;
/// Maximum quantity in billionths. Kubernetes reduces larger quantities to this maximum, and so does tfjob.
const MOST: i128 = i64::MAX as i128 * NANO;

/// A quantity in billionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Quantity(i128);

impl Quantity {
    /// Returns the quantity of an API value, or `None` if the value is not a quantity.
    #[must_use]
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Number(number) => Some(Self(i128::from(number.as_i64()?) * NANO)),
            Value::String(text) => Self::parse(text),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// Parses a quantity. `None` if the text is not a quantity.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        let (number, suffix) = rest.split_at(end);
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        if part.contains('.') || whole.is_empty() && part.is_empty() {
            return None;
        }
        let amount = scaled(whole, part, suffix)?;
        Some(Self(if negative { -amount } else { amount }))
    }

    /// Returns whether the quantity is below zero.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// Returns whether the quantity is zero.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the quantity is an integer after it is rounded up to thousandths.
    #[must_use]
    pub const fn is_whole(self) -> bool {
        // The API server rounds up to thousandths before it checks whether the quantity is an integer.
        let milli = self.0 / 1_000_000 + if self.0 % 1_000_000 > 0 { 1 } else { 0 };
        milli % 1000 == 0
    }

    /// Returns whether the quantity is a multiple of one thousandth. The API server rounds finer quantities.
    #[must_use]
    pub const fn is_milli(self) -> bool {
        self.0 % 1_000_000 == 0
    }

    /// Returns the quantity divided by another quantity, rounded up.
    #[must_use]
    pub const fn in_units_of(self, unit: Self) -> i128 {
        self.0 / unit.0 + if self.0 % unit.0 > 0 { 1 } else { 0 }
    }

    /// Returns whether the quantity is a multiple of another positive quantity.
    #[must_use]
    pub const fn is_multiple_of(self, other: Self) -> bool {
        other.0 > 0 && self.0 % other.0 == 0
    }
}

/// Returns the number `whole.part` times its suffix, in billionths, rounded up. `None` if the suffix is invalid.
fn scaled(whole: &str, part: &str, suffix: &str) -> Option<i128> {
    let digits: String = whole.chars().chain(part.chars()).collect();
    let digits = digits.trim_start_matches('0');
    let places = i32::try_from(part.len()).ok()?;
    if let Some(power) = BINARY.iter().position(|known| *known == suffix) {
        let unit = 1_i128 << (10 * (power + 1));
        let number = decimal(digits, 9 - places)?;
        return Some(number.checked_mul(unit).map_or(MOST, |amount| amount.min(MOST)));
    }
    let exponent = match DECIMAL.iter().find(|(known, _)| *known == suffix) {
        Some((_, power)) => power * 3,
        None => exponent(suffix)?,
    };
    decimal(digits, exponent.saturating_add(9).saturating_sub(places))
}

/// Parses the exponent of a suffix such as `e9`, `E+9`, or `e-3`. `None` if the suffix has another form.
fn exponent(suffix: &str) -> Option<i32> {
    let digits = suffix.strip_prefix(['e', 'E'])?;
    let plain = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    if plain.is_empty() || !plain.bytes().all(|b| b.is_ascii_digit()) || plain.len() > 5 {
        return None;
    }
    digits.parse().ok()
}

/// Returns a decimal integer times a power of ten, rounded up, and capped as in Kubernetes. `None` if `digits` is not a number.
fn decimal(digits: &str, power: i32) -> Option<i128> {
    if digits.is_empty() {
        return Some(0);
    }
    if power >= 0 {
        let length = digits.len() + usize::try_from(power).ok()?;
        if length > 30 {
            return Some(MOST);
        }
        let number: i128 = digits.parse().ok()?;
        return Some((number * 10_i128.pow(power.unsigned_abs())).min(MOST));
    }
    let cut = usize::try_from(power.unsigned_abs()).ok()?;
    if cut >= digits.len() {
        return Some(1);
    }
    let (kept, lost) = digits.split_at(digits.len() - cut);
    if kept.len() > 30 {
        return Some(MOST);
    }
    let number: i128 = kept.parse().ok()?;
    Some((number + i128::from(lost.bytes().any(|b| b != b'0'))).min(MOST))
}

/// Formats thousandths of a core as a quantity.
#[must_use]
pub fn cores(milli: u32) -> String {
    if milli.is_multiple_of(1000) { (milli / 1000).to_string() } else { format!("{milli}m") }
}

/// Formats a number of bytes as a quantity, in the largest unit that needs no fraction.
#[must_use]
pub fn bytes(bytes: u64) -> String {
    let units = [("Ti", 40), ("Gi", 30), ("Mi", 20), ("Ki", 10)];
    let whole = units.iter().find(|(_, shift)| bytes > 0 && bytes.is_multiple_of(1 << shift));
    whole.map_or_else(|| bytes.to_string(), |(unit, shift)| format!("{}{unit}", bytes >> shift))
}

#[cfg(test)]
mod tests {
    use super::{Quantity, bytes, cores};
    use serde_json::json;

    fn parse(text: &str) -> Quantity {
        Quantity::parse(text).expect(text)
    }

    #[test]
    fn one_amount_has_many_spellings() {
        for same in [
            ["2", "2000m"],
            ["1Ki", "1024"],
            ["5e9", "5G"],
            ["5E9", "5000000000"],
            ["0.5", "500m"],
            [".5", "+0.5"],
            ["1.5Gi", "1536Mi"],
            ["1e-3", "1m"],
            ["10E", "9223372036854775807"],
        ] {
            assert_eq!(parse(same[0]), parse(same[1]), "{same:?}");
        }
        assert_eq!(Quantity::of(&json!(2)), Some(parse("2")));
        assert!(parse("1Gi") > parse("1G") && parse("-1").is_negative());
    }

    #[test]
    fn anything_else_is_not_a_quantity() {
        for text in ["", ".", "-", "1.2.3", "1 Gi", "1gi", "1KB", "1e", "1e+", "Gi", "0x10", "1_000", "1mi"] {
            assert_eq!(Quantity::parse(text), None, "{text}");
        }
        assert_eq!(Quantity::of(&json!(0.5)), None);
    }

    #[test]
    fn counts_are_whole_and_pages_divide() {
        assert!(parse("2").is_whole() && parse("2000m").is_whole() && !parse("1500m").is_whole());
        assert!(parse("1m").is_milli() && !parse("1n").is_milli());
        assert!(parse("4Mi").is_multiple_of(parse("2Mi")) && !parse("3Mi").is_multiple_of(parse("2Mi")));
    }

    #[test]
    fn a_quantity_is_in_the_largest_whole_unit() {
        assert_eq!([cores(4000), cores(1500), cores(100)], ["4", "1500m", "100m"]);
        assert_eq!([bytes(16 << 30), bytes(1536 << 20), bytes(1 << 40)], ["16Gi", "1536Mi", "1Ti"]);
        assert_eq!([bytes(1000), bytes(4 << 10)], ["1000", "4Ki"]);
    }
}
