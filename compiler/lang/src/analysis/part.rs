//! The mark of a refusal about a part of a feature: the property that requests this part.
use crate::diagnostic::Diagnostic;
use crate::sources::{Sources, Span};
use crate::tree::{Tree, Value};

/// Moves the mark of each finding about a part, such as `limit` of `restart`, to the property of this name in the same entry.
pub(super) fn mark(diagnostics: &mut [Diagnostic], tree: &Tree, sources: &Sources) {
    for diagnostic in diagnostics {
        let Some(part) = diagnostic.part else { continue };
        let Some(label) = diagnostic.labels.first_mut() else { continue };
        if let Some(span) = property(tree, label.span, part, sources) {
            label.span = span;
        }
    }
}

/// Returns the span of the property with this name in the entry that has a value at `at`.
fn property(tree: &Tree, at: Span, name: &str, sources: &Sources) -> Option<Span> {
    let children: Vec<&Tree> = match &tree.value {
        Value::Map(entries) => {
            if entries.iter().any(|entry| entry.tree.span == at) {
                let found = entries.iter().find(|entry| entry.key == name);
                if let Some(entry) = found {
                    let (key, value) = (entry.key_span, entry.tree.span);
                    let is_one_text = sources.find(key).is_some_and(|text| text.span().contains(value));
                    return Some(if is_one_text { key.to(value) } else { value });
                }
            }
            entries.iter().map(|entry| &entry.tree).collect()
        }
        Value::List(list) => list.iter().collect(),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) | Value::Hole => {
            return None;
        }
    };
    children.into_iter().find_map(|child| property(child, at, name, sources))
}
