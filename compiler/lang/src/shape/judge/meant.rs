//! Finds the value that the user probably meant, for a value of the wrong type.
use super::without_zeros;
use crate::shape::keys;
use crate::shape::literal;
use crate::shape::{Number, Shape};
use crate::sources::Format;
use crate::tree::Value;

/// Returns the value that the user probably meant, as source text: `2` for `"2"`. `None` if there is no such value. `source`:
/// the invalid value as the user wrote it.
pub(super) fn meant(shape: &Shape, value: &Value, source: &str, format: Format) -> Option<String> {
    match (shape, value) {
        (Shape::Number(number), Value::Text(text)) => {
            let whole = text.parse::<i128>().is_ok();
            let real = matches!(number, Number::Real { .. }) && text.parse::<f64>().is_ok_and(f64::is_finite);
            (whole || real).then(|| text.clone())
        }
        (Shape::NumberOr(..), Value::Text(text)) => Some(without_zeros(text).to_owned()),
        (Shape::Number(Number::Whole { .. }), Value::Float(n)) if n.fract() == 0.0 && n.abs() < 1e15 => {
            Some(n.to_string())
        }
        (Shape::Flag, Value::Text(text)) => {
            text.parse().ok().map(|flag| literal::flag(format, flag).to_owned())
        }
        (Shape::Flag, Value::Int(n @ 0..=1)) => Some(literal::flag(format, *n == 1).to_owned()),
        (Shape::Object(_) | Shape::List(_), value) if matches!(format, Format::Json | Format::Yaml) => {
            keys::meant(shape, value, source, format)
        }
        _ => None,
    }
}
