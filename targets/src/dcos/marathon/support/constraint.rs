//! Placement constraints on agent attributes. Mesos parses the value in `rack:01` as the number 1. Marathon formats this number as
//! text, and compares the text with the value of the constraint (`Constraints.getValueString`).
use crate::dcos::Dcos;
use crate::dcos::attributes::number;
use tfjob_lang::target::Site;

/// The first DC/OS version where Marathon formats numbers independently of the locale (Marathon 1.6).
const LOCALE_INDEPENDENT: (u32, u32) = (1, 11);

/// Returns the constraint that selects agents with this attribute, as attribute, operator, and value.
pub fn constraint(key: &str, value: &str, site: &Site<Dcos>) -> Vec<String> {
    let (operator, value) = match number(key, value).map(decimal) {
        None => ("CLUSTER", value.to_owned()),
        Some(number)
            if site.job.is_since(LOCALE_INDEPENDENT) || number.len() < 4 && !number.contains('.') =>
        {
            ("CLUSTER", number)
        }
        Some(number) => ("LIKE", in_any_locale(&number)),
    };
    vec![key.to_owned(), operator.to_owned(), value]
}

/// Formats a number as Java's `DecimalFormat("0.###")` does.
fn decimal(number: f64) -> String {
    // `to_string` writes the shortest digits that identify the number, as Java does. `{:.3}` would write the digits of the exact
    // binary value.
    if number >= 1e15 {
        return number.to_string();
    }
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Returns a regular expression that matches a number as Java's `NumberFormat.getInstance` writes it in any locale.
fn in_any_locale(number: &str) -> String {
    let (whole, fraction) =
        number.split_once('.').map_or((number, None), |(whole, rest)| (whole, Some(rest)));
    let digits: String = whole
        .char_indices()
        .map(|(at, digit)| {
            let group = at > 0 && (whole.len() - at).is_multiple_of(3);
            if group { format!("\\D?{digit}") } else { digit.to_string() }
        })
        .collect();
    fraction.map_or_else(|| digits.clone(), |fraction| format!("{digits}\\D{fraction}"))
}

#[cfg(test)]
mod tests {
    use super::{decimal, in_any_locale};

    #[test]
    fn numbers_are_written_as_java_writes_them() {
        for (value, text, any) in [
            ("01", "1", "1"),
            ("12.0", "12", "12"),
            ("1e3", "1000", "1\\D?000"),
            ("3.14159", "3.142", "3\\D142"),
            ("2021.10", "2021.1", "2\\D?021\\D1"),
            ("0.0005", "0.001", "0\\D001"),
            ("1234567", "1234567", "1\\D?234\\D?567"),
            ("1e23", "100000000000000000000000", "100\\D?000\\D?000\\D?000\\D?000\\D?000\\D?000\\D?000"),
            ("-0", "0", "0"),
        ] {
            let number: f64 = value.parse().unwrap_or(f64::NAN);
            assert_eq!((decimal(number).as_str(), in_any_locale(&decimal(number)).as_str()), (text, any));
        }
    }
}
