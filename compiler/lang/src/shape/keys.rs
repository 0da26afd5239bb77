//! Forms of fields in JSON and YAML, for help texts: `"memory": MEMORY`, `role: { NAME: { … } }`.
mod listed;

use super::{Field, Shape, literal, repair};
use crate::sources::Format;
use crate::syntax::yaml::is_plain_text;
use crate::tree::{Tree, Value};

/// Returns the form of a field: its key, and a placeholder for its value.
pub fn form(field: &Field, format: Format) -> String {
    format!("{}: {}", key(field.name, format), due(&field.shape, format))
}

/// Returns the placeholder for a value, such as `MEMORY`. For an object, it contains the required fields. If no field is
/// required, it contains one field as an example.
pub fn due(shape: &Shape, format: Format) -> String {
    match shape {
        Shape::Object(object) if object.is_plain() => {
            object.plain().map_or_else(String::new, |field| due(&field.shape, format))
        }
        Shape::Object(object) => {
            let slot = |field: &Field| {
                let inner =
                    if field.shape.is_scalar() { due(&field.shape, format) } else { "…".to_owned() };
                format!("{}: {inner}", key(field.name, format))
            };
            let due: Vec<&Field> = object.fields.iter().filter(|field| field.required).collect();
            let shown = if due.is_empty() { object.offered().take(1).collect() } else { due };
            let fields: Vec<String> = shown.into_iter().map(slot).collect();
            if fields.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", fields.join(", ")) }
        }
        Shape::Keyed(keyed) => format!("{{ {}: {} }}", key("NAME", format), due(&keyed.item, format)),
        Shape::List(list) => format!("[{}, …]", due(&list.item, format)),
        Shape::Flag => literal::flag(format, true).to_owned(),
        Shape::Words(_)
        | Shape::Number(_)
        | Shape::Text(_)
        | Shape::NumberOr(..)
        | Shape::Scalar
        | Shape::Any => shape.slot(),
    }
}

/// Returns the object that a list of the user means, with all of its values. `None` if it is not certain.
pub fn object_of(shape: &Shape, value: &Value, format: Format) -> Option<String> {
    let entries = listed::entries(shape, value, format)?;
    let is_whole = !entries.iter().any(|entry| entry.contains('…'));
    is_whole.then(|| format!("{{ {} }}", entries.join(", ")))
}

/// Returns the placeholder for a value as [`due`] does, with the names or the value that the user wrote.
pub fn due_for(shape: &Shape, value: &Value, format: Format) -> String {
    if let Some(entries) = listed::entries(shape, value, format) {
        return format!("{{ {} }}", entries.join(", "));
    }
    let names: Vec<&str> = match value {
        Value::Text(text) => vec![text],
        Value::List(items) => items.iter().filter_map(Tree::text).collect(),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Map(_) | Value::Hole => {
            Vec::new()
        }
    };
    let inner = |name: &str| match shape {
        Shape::Keyed(keyed) => keyed.keys.check(name).is_ok().then(|| due(&keyed.item, format)),
        Shape::Object(object) => {
            let field = object.field(name)?;
            let Some(block) = field.shape.object() else {
                // The name of a property in place of the object, as in `start: gang`.
                return field.shape.is_scalar().then(|| due(&field.shape, format));
            };
            let form = || due(&Shape::Object(block), format);
            Some(if block.fields.iter().any(|field| field.required) { form() } else { "{}".to_owned() })
        }
        Shape::List(_)
        | Shape::Words(_)
        | Shape::Number(_)
        | Shape::Flag
        | Shape::Text(_)
        | Shape::NumberOr(..)
        | Shape::Scalar
        | Shape::Any => None,
    };
    let written = |name: &&str| Some(format!("{}: {}", key(name, format), inner(name)?));
    let entries: Option<Vec<String>> = names.iter().map(written).collect();
    match entries.filter(|entries| !entries.is_empty()) {
        Some(entries) => format!("{{ {} }}", entries.join(", ")),
        None => with_value(shape, value, format).unwrap_or_else(|| due(shape, format)),
    }
}

/// Returns an object that contains the value, such as `{ NAME: 8080 }`. `None` if the value fits neither a named entry of the
/// object nor its first field.
fn with_value(shape: &Shape, value: &Value, format: Format) -> Option<String> {
    let written = match value {
        Value::Text(text) if format == Format::Yaml && is_plain_text(text) => text.clone(),
        Value::Text(text) => literal::text(format, text),
        Value::Int(number) => number.to_string(),
        _ => return None,
    };
    let (name, item) = match shape {
        Shape::Keyed(keyed) => match &keyed.item {
            Shape::Object(object) => ("NAME", &object.plain()?.shape),
            item => ("NAME", item),
        },
        Shape::Object(object) if object.fields.iter().all(|field| !field.required) => {
            let first = object.offered().next()?;
            (first.name, &first.shape)
        }
        _ => return None,
    };
    let fits = item.is_scalar() && repair::fits(value, item);
    fits.then(|| format!("{{ {}: {written} }}", key(name, format)))
}

/// Returns a key in source notation, quoted if necessary.
pub fn key(name: &str, format: Format) -> String {
    let plain = format == Format::Yaml && is_plain_text(name);
    if plain { name.to_owned() } else { literal::text(Format::Json, name) }
}

/// Returns the object or list that a single value most likely means: `{ count: 4 }`, `["python", "train.py"]`. `words`: the value
/// as the user wrote it.
pub fn meant(shape: &Shape, value: &Value, words: &str, format: Format) -> Option<String> {
    let written = match value {
        Value::Text(text) => literal::text(format, text),
        Value::Int(_) | Value::Float(_) | Value::Bool(_) => words.to_owned(),
        Value::Null | Value::List(_) | Value::Map(_) | Value::Hole => return None,
    };
    match (shape, value) {
        (Shape::Object(object), _) => {
            let fits = |field: &&Field| field.shape.is_scalar() && repair::fits(value, &field.shape);
            let field = match object.field("count") {
                Some(count) => Some(count).filter(|field| fits(field)),
                None if object.fields.iter().any(|field| field.required) => None,
                None => {
                    let mut fields = object.offered().filter(fits);
                    fields.next().filter(|_| fields.next().is_none())
                }
            };
            field.map(|field| format!("{{ {}: {written} }}", key(field.name, format)))
        }
        (Shape::List(list), Value::Text(text)) if splits_plainly(text) && !text.trim().is_empty() => {
            let words: Vec<String> =
                text.split_whitespace().map(|word| literal::text(format, word)).collect();
            let text = matches!(list.item, Shape::Text(_));
            text.then(|| format!("[{}]", words.join(", ")))
        }
        (_, _) => None,
    }
}

/// Returns whether a shell would only split the command line at spaces: no quotes, expansions, globs, or assignments.
pub(crate) fn splits_plainly(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    !line.contains(|c: char| "\"'\\$|&;<>\n*?~`()[]#!".contains(c)) && !first.contains('=')
}
