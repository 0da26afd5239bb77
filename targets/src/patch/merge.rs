//! Merges a patch into a document: RFC 7386, with lists merged item by item.
use super::read;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use tfjob_lang::origin::{Document, Overridden, Removed, pointer_step};
use tfjob_lang::sources::Span;

/// Merges a patch into the value at a JSON pointer, by RFC 7386. [`super::judge`] or [`super::check`] must have accepted the
/// patch. In contrast to RFC 7386, lists are merged item by item: mounts are matched by `mountPath` or `containerPath`, files by
/// `dest_file` or `uri`, and other items by `name`. `null` removes a value.
pub fn apply(document: &mut Document, pointer: &str, text: &str, at: Span) {
    let (Ok(patch), Some(value)) = (read(text), document.value.pointer_mut(pointer)) else { return };
    let origins = &mut document.origins;
    let numbers = document.patched.entry((at, pointer.to_owned())).or_default();
    merge(value, patch, pointer, &mut |pointer, change| {
        let known = || origins.under(pointer).collect::<Vec<_>>();
        match change {
            Change::Removed => {
                let removed = |words| Removed { pointer: pointer.to_owned(), words, patch: at };
                document.removed.extend(known().into_iter().map(removed));
            }
            Change::Replaced { scalar } => {
                // A scalar that tfjob writes without a span, such as the type of an artifact, gets the span of a sibling. If this
                // patch has already set all siblings, the span is that of a sibling before the patch. The spans of siblings are not
                // used for a value at the top level of the document.
                let above = pointer.rsplit_once('/').map_or("", |(above, _)| above);
                let sibling = |other: &str| other.rsplit_once('/').is_some_and(|(other, _)| other == above);
                let inside = |set: &&Overridden| set.patch == at && sibling(&set.pointer);
                let siblings = || {
                    let before = document.overridden.iter().find(inside).map(|set| set.words);
                    let mut set =
                        origins.0.range(above.to_owned()..).take_while(|(at, _)| at.starts_with(above));
                    let set = set.find(|(other, words)| (*other == above || sibling(other)) && **words != at);
                    set.map(|(_, words)| *words).or(before)
                };
                let mut words = known();
                if words.is_empty() && scalar && !above.is_empty() {
                    words.extend(siblings());
                }
                let set = |words| Overridden { pointer: pointer.to_owned(), words, patch: at };
                document.overridden.extend(words.into_iter().map(set));
            }
            Change::Added => {}
            Change::Moved(number) => {
                numbers.insert(pointer.to_owned(), number);
                return;
            }
        }
        origins.0.insert(pointer.to_owned(), at);
    });
}

/// The change that a patch makes to the value at a JSON pointer. A patch that repeats the old value makes no change, so the value
/// keeps its span in the spec.
#[derive(Clone, Copy)]
enum Change {
    /// Adds a value, or tries to remove a value that does not exist.
    Added,
    /// Replaces another value. `scalar`: whether the new value is a scalar.
    Replaced { scalar: bool },
    /// Removes the value.
    Removed,
    /// Sets a list item that has this number in the patch, but another number in the document.
    Moved(usize),
}

fn merge(value: &mut Value, patch: Value, at: &str, trace: &mut impl FnMut(&str, Change)) {
    match (value, patch) {
        (Value::Object(map), Value::Object(patch)) => {
            for (key, patch) in patch {
                let below = format!("{at}/{}", pointer_step(&key));
                if patch.is_null() {
                    let gone = map.shift_remove(&key).is_some();
                    trace(&below, if gone { Change::Removed } else { Change::Added });
                } else {
                    merge(map.entry(key).or_insert(Value::Null), patch, &below, trace);
                }
            }
        }
        (Value::Array(list), Value::Array(patch)) if key(list, &patch).is_some() => {
            items(list, patch, at, trace);
        }
        (value, patch) => {
            let patch = without_null(patch);
            if *value == patch {
                return;
            }
            let scalar = !patch.is_array() && !patch.is_object();
            trace(at, if value.is_null() { Change::Added } else { Change::Replaced { scalar } });
            *value = patch;
        }
    }
}

/// Merges each item of the patch into the first item of the list with the same key. If there is no such item, appends the item.
fn items(list: &mut Vec<Value>, patch: Vec<Value>, at: &str, trace: &mut impl FnMut(&str, Change)) {
    let Some(key) = key(list, &patch) else { return };
    let text = |item: &Value| item[key].as_str().unwrap_or_default().to_owned();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for (number, item) in list.iter().enumerate() {
        known.entry(text(item)).or_insert(number);
    }
    for (own, item) in patch.into_iter().enumerate() {
        let number = *known.entry(text(&item)).or_insert(list.len());
        let below = format!("{at}/{number}");
        if number != own {
            trace(&below, Change::Moved(own));
        }
        if number == list.len() {
            list.push(Value::Object(Map::new()));
        }
        merge(&mut list[number], item, &below, trace);
    }
}

/// Returns the field by which the items of the document and of the patch are matched. `None` if a list is empty, or if no known
/// field exists in every item: the patch then replaces the list. For mounts, the field is `mountPath`, because several mounts can
/// refer to the same volume.
fn key(list: &[Value], patch: &[Value]) -> Option<&'static str> {
    let all = |key: &str| list.iter().chain(patch).all(|item| item[key].is_string());
    let some = !list.is_empty() && !patch.is_empty();
    ["mountPath", "dest_file", "containerPath", "uri", "name"].into_iter().find(|key| some && all(key))
}

/// Removes `null` entries from a value that a patch adds. `null` would otherwise remain in the document.
fn without_null(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let kept = map.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(key, value)| (key, without_null(value))).collect())
        }
        Value::Array(list) => Value::Array(list.into_iter().map(without_null).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
    }
}
