//! The mark of a refusal about a part of a feature: the property that requests this part.
use crate::diagnostic::Diagnostic;
use crate::sources::{Sources, Span};
use crate::tree::{Entry, Tree, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Properties to find: for the span of a value, the names of properties of the entry that has this value.
type Wanted<'w> = BTreeMap<Span, BTreeSet<&'w str>>;

/// Moves the mark of each finding about a part, such as `limit` of `restart`, to the property of this name in the same entry.
pub(super) fn mark(diagnostics: &mut [Diagnostic], tree: &Tree, sources: &Sources) {
    let place = |found: &Diagnostic| Some((found.labels.first()?.span, found.part?));
    let mut wanted = Wanted::new();
    for (at, name) in diagnostics.iter().filter_map(place) {
        wanted.entry(at).or_default().insert(name);
    }
    if wanted.is_empty() {
        return;
    }
    let mut properties = BTreeMap::new();
    search(tree, &wanted, sources, &mut properties);
    for diagnostic in diagnostics {
        let span = place(diagnostic).and_then(|place| properties.get(&place));
        if let Some((label, span)) = diagnostic.labels.first_mut().zip(span) {
            label.span = *span;
        }
    }
}

/// Finds the spans of the wanted properties, in one pass over the tree.
fn search<'w>(
    tree: &Tree,
    wanted: &Wanted<'w>,
    sources: &Sources,
    properties: &mut BTreeMap<(Span, &'w str), Span>,
) {
    match &tree.value {
        Value::Map(entries) => {
            for entry in entries {
                let at = entry.tree.span;
                for name in wanted.get(&at).into_iter().flatten() {
                    if let Some(property) = entries.iter().find(|entry| entry.key == *name) {
                        properties.entry((at, name)).or_insert_with(|| whole(property, sources));
                    }
                }
            }
            entries.iter().for_each(|entry| search(&entry.tree, wanted, sources, properties));
        }
        Value::List(list) => list.iter().for_each(|item| search(item, wanted, sources, properties)),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) | Value::Hole => {}
    }
}

/// Returns the span of a property with its name, if both are in one text, otherwise that of its value.
fn whole(property: &Entry, sources: &Sources) -> Span {
    let (key, value) = (property.key_span, property.tree.span);
    let is_one_text = sources.find(key).is_some_and(|text| text.span().contains(value));
    if is_one_text { key.to(value) } else { value }
}
