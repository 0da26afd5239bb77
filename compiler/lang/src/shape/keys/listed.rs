//! Lists that are objects in a spec: `NAME=VALUE` of command lines, and items with `name` and `value`.
use super::key;
use crate::shape::{Keyed, Shape, literal, repair};
use crate::sources::Format;
use crate::syntax::yaml::is_plain_text;
use crate::tree::{Entry, Tree, Value};

/// Returns the entries of the object that a list, or a single `NAME=VALUE`, most likely means. `None` if an item has no name, or if
/// its value does not fit.
pub(super) fn entries(shape: &Shape, value: &Value, format: Format) -> Option<Vec<String>> {
    let Shape::Keyed(keyed) = shape else { return None };
    let entries: Option<Vec<String>> = match value {
        Value::Text(text) => Some(vec![assigned(keyed, text, format)?]),
        Value::List(items) => items.iter().map(|item| entry(keyed, item, format)).collect(),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Map(_) | Value::Hole => None,
    };
    entries.filter(|entries| !entries.is_empty())
}

fn entry(keyed: &Keyed, item: &Tree, format: Format) -> Option<String> {
    match &item.value {
        Value::Text(text) => assigned(keyed, text, format),
        Value::Map(fields) => named(keyed, fields, format),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::List(_) | Value::Hole => None,
    }
}

/// Returns the entry that `NAME=VALUE` means.
fn assigned(keyed: &Keyed, text: &str, format: Format) -> Option<String> {
    let (name, value) = text.split_once('=')?;
    entry_of(keyed, name, &Value::Text(value.to_owned()), format)
}

/// Returns the entry that an object with a name means: `name` and `value`, or `name` and the fields of the item.
fn named(keyed: &Keyed, fields: &[Entry], format: Format) -> Option<String> {
    let is_name = |field: &&Entry| ["name", "key"].contains(&field.key.as_str());
    let name = fields.iter().find(is_name)?.tree.text()?;
    let mut rest = fields.iter().filter(|field| !is_name(field));
    if keyed.item.is_scalar() {
        let value = rest.next().filter(|field| field.key == "value")?;
        return rest.next().is_none().then(|| entry_of(keyed, name, &value.tree.value, format))?;
    }
    keyed.keys.check(name).ok()?;
    let object = keyed.item.object()?;
    let field = |field: &Entry| {
        let shown = written(&field.tree.value, format).unwrap_or_else(|| "…".to_owned());
        object.field(&field.key).map(|_| format!("{}: {shown}", key(&field.key, format)))
    };
    let fields: Vec<String> = rest.map(field).collect::<Option<_>>()?;
    (!fields.is_empty()).then(|| format!("{}: {{ {} }}", key(name, format), fields.join(", ")))
}

fn entry_of(keyed: &Keyed, name: &str, value: &Value, format: Format) -> Option<String> {
    keyed.keys.check(name).ok()?;
    let fits = keyed.item.is_scalar() && repair::fits(value, &keyed.item);
    fits.then(|| Some(format!("{}: {}", key(name, format), written(value, format)?)))?
}

/// Returns a scalar in source notation.
fn written(value: &Value, format: Format) -> Option<String> {
    match value {
        Value::Text(text) if format == Format::Yaml && is_plain_text(text) => Some(text.clone()),
        Value::Text(text) => Some(literal::text(Format::Json, text)),
        Value::Int(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::List(_) | Value::Map(_) | Value::Hole => None,
    }
}
