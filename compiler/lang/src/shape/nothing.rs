//! Null in place of a block: a YAML key without a value, or `null` in JSON. It is reported once, and read as an empty block.
use super::of_child::child_with;
use super::suggest::ours;
use super::{Field, Object, Place, Shape};
use crate::diagnostic::{Diagnostic, Fix, nearest};
use crate::sources::{Format, Source, Span};
use crate::tree::{Entry, Tree, Value};

/// Replaces null by an empty block if an empty block is valid, otherwise by a hole. Adds a hole for each field with a
/// misspelled name, so that the field is not reported as missing.
pub fn fill(tree: &mut Tree, shape: &Shape) {
    match (shape, &mut tree.value) {
        (Shape::Object(object), Value::Map(entries)) => {
            for entry in entries.iter_mut() {
                if let Some(field) = object.field(&entry.key) {
                    fill(&mut entry.tree, &field.shape);
                }
            }
            for number in 0..entries.len() {
                if let Some(hole) = meant(object, &entries[number], entries) {
                    entries.push(hole);
                }
            }
        }
        (Shape::Keyed(keyed), Value::Map(entries)) => {
            for entry in entries {
                match entry.tree.value {
                    Value::Null if entry_may_be_empty(&keyed.item) => {
                        entry.tree.value = Value::Map(Vec::new())
                    }
                    _ => fill(&mut entry.tree, &keyed.item),
                }
            }
        }
        (Shape::List(list), Value::List(items)) => items.iter_mut().for_each(|item| fill(item, &list.item)),
        (Shape::Object(_) | Shape::Keyed(_) | Shape::List(_), value @ Value::Null) => {
            *value = if may_be_empty(shape) { Value::Map(Vec::new()) } else { Value::Hole };
        }
        (_, _) => {}
    }
}

/// Returns a hole for the field that a misspelled key most likely means, or for the block that has the key. Without the hole, this
/// field would be reported as missing.
fn meant(object: &Object, entry: &Entry, given: &[Entry]) -> Option<Entry> {
    if entry.key.is_empty() || object.field(&entry.key).is_some() {
        return None;
    }
    let near = nearest(&entry.key, object.fields.iter().map(|field| field.name));
    let name = near.or_else(|| Some(ours(&entry.key)?.0));
    let block = || Some(child_with(object, &entry.key)?.0);
    let field = name.and_then(|name| object.field(name)).or_else(block)?;
    let tree = Tree { span: entry.tree.span, value: Value::Hole };
    let hole = || Entry { key: field.name.to_owned(), key_span: entry.key_span, tree };
    (!given.iter().any(|entry| entry.key == field.name)).then(hole)
}

/// Returns whether an empty block is valid for this shape.
pub fn may_be_empty(shape: &Shape) -> bool {
    // An empty block is invalid in two cases: a field is required, or the block can have only properties, such as `shim`, and has
    // no effect without them.
    let is_property = |field: &Field| field.place == Place::Prop && field.shape.is_scalar();
    let without_fields = |object: &Object| {
        let only_properties = !object.fields.is_empty() && object.fields.iter().all(is_property);
        object.fields.iter().all(|field| !field.required) && !only_properties
    };
    match shape {
        Shape::Object(object) => without_fields(object),
        Shape::Keyed(_) => true,
        Shape::List(_)
        | Shape::Words(_)
        | Shape::Number(_)
        | Shape::Flag
        | Shape::Text(_)
        | Shape::NumberOr(..)
        | Shape::Scalar
        | Shape::Any => false,
    }
}

/// Returns whether an empty block is valid for a named entry of this shape, such as `nb` in `after`: its name has an effect without
/// properties.
pub fn entry_may_be_empty(shape: &Shape) -> bool {
    shape.object().is_some_and(|object| object.fields.iter().all(|field| !field.required))
}

/// Adds the help and the fix for null to a diagnostic. The fix writes an empty block.
pub fn tell(told: Diagnostic, source: &Source, at: Span) -> Diagnostic {
    let range = source.local(at);
    let fix = match source.format {
        Format::Json => Fix::replace(at, "{}"),
        Format::Yaml | Format::Kdl | Format::Set => {
            let colon = u32::from(range.is_empty() && source.text[range.end..].starts_with(':'));
            let end = Span::new(at.end + colon, at.end + colon);
            let words = source.slice(at);
            if words.is_empty() { Fix::edit("write `{}`", end, " {}") } else { Fix::replace(at, "{}") }
        }
    };
    told.help("write an empty block as `{}`").fix(fix)
}
