//! Constraints by attributes of agents, as Marathon compares them: an agent with `rack:01` has the attribute 1, and Marathon
//! compares the text of that number (`Constraints.getValueString`).
use crate::dcos::Dcos;
use crate::dcos::attributes::number;
use tfjob_lang::target::Site;

/// The first version whose Marathon writes numbers the same in each language (Marathon 1.6).
const PLAIN: (u32, u32) = (1, 11);

/// The constraint of an agent with that attribute.
pub fn constraint(key: &str, value: &str, site: &Site<Dcos>) -> Vec<String> {
    let (operator, value) = match number(key, value).map(decimal) {
        None => ("CLUSTER", value.to_owned()),
        Some(number) if site.job.is_since(PLAIN) || number.len() < 4 && !number.contains('.') => {
            ("CLUSTER", number)
        }
        Some(number) => ("LIKE", in_any_language(&number)),
    };
    vec![key.to_owned(), operator.to_owned(), value]
}

/// As Java's `DecimalFormat("0.###")`.
fn decimal(number: f64) -> String {
    // Without a fraction, so that all digits are those of the shortest text.
    if number >= 1e15 {
        return number.to_string();
    }
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// As Java's `NumberFormat.getInstance`, whatever stands there between thousands and before the fraction.
fn in_any_language(number: &str) -> String {
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
    use super::{decimal, in_any_language};

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
            assert_eq!((decimal(number).as_str(), in_any_language(&decimal(number)).as_str()), (text, any));
        }
    }
}
