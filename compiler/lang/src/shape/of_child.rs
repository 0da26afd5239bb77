//! Properties that belong in a block of the entry: `role "worker" cpus=8` instead of `resources cpus=8` in the block of the role.
use super::suggest::ours;
use super::{Field, Object, Place, Shape, keys, misplaced, repair};
use crate::diagnostic::{Edit, Fix};
use crate::shape::entries::scalar;
use crate::sources::{Format, Source, Sources, Span};
use crate::syntax::{Node, NodeEntry};
use crate::tree::{Entry, Tree};

/// Returns the only block of an object that has this property, and the property. `None` if the object itself has a field of this name.
pub fn child_with<'o>(object: &'o Object, key: &str) -> Option<(&'o Field, &'o Field)> {
    let name = ours(key).filter(|(_, same)| *same).map_or(key, |(ours, _)| ours);
    let of_block = |block: &'o Field| {
        let Shape::Object(inner) = &block.shape else { return None };
        let property = inner.fields.iter().find(|field| field.name == name)?;
        (property.place == Place::Prop && property.shape.is_scalar()).then_some((block, property))
    };
    let mut found = object.at(Place::Child).filter_map(of_block);
    let first = found.next().filter(|_| object.field(name).is_none() && object.field(key).is_none())?;
    found.next().is_none().then_some(first)
}

/// Returns whether these properties are all that a block requires.
fn has_required(block: &Field, given: &[(&Field, Tree)]) -> bool {
    let Shape::Object(inner) = &block.shape else { return false };
    let has = |field: &Field| given.iter().any(|(property, _)| property.name == field.name);
    inner.fields.iter().all(|field| !field.required || has(field))
}

/// Returns whether all values are valid.
fn are_valid(given: &[(&Field, Tree)]) -> bool {
    given.iter().all(|(property, tree)| repair::fits(&tree.value, &property.shape))
}

/// Returns whether two properties have the same name.
fn has_twice(given: &[(&Field, Tree)]) -> bool {
    let is_again = |(number, (field, _)): (usize, &(&Field, Tree))| {
        given.iter().take(number).any(|(other, _)| other.name == field.name)
    };
    given.iter().enumerate().any(is_again)
}

/// Where the property of a finding belongs.
pub struct Moved {
    /// The entry with the property, in the format of the text.
    pub line: String,
    /// The fix that moves all such properties of the entry.
    pub fix: Option<Fix>,
}

/// Returns how to move all properties of the node that belong to a block. `None` if their block is not certain, or already has them.
pub fn moved(source: &Source, object: &Object, block: &Field, node: &Node) -> Option<Moved> {
    let own = |entry: &NodeEntry| {
        let (key, at) = entry.key.as_ref()?;
        let (owner, property) = child_with(object, key)?;
        let whole = misplaced::with_blanks_before(source, at.to(entry.span));
        let text = format!(" {}={}", property.name, source.slice(entry.span));
        (owner.name == block.name)
            .then(|| (Edit { span: whole, text: String::new() }, text, (property, scalar(entry))))
    };
    let (mut edits, mut text, mut given) = (Vec::new(), String::new(), Vec::new());
    for (removed, added, property) in node.entries.iter().filter_map(own) {
        edits.push(removed);
        text.push_str(&added);
        given.push(property);
    }
    let mut children = node.children.iter().flatten().filter(|child| child.name == block.name);
    if has_twice(&given) {
        return None;
    }
    match (children.next(), children.next()) {
        (_, Some(_)) => None,
        (Some(child), None) => {
            let header = Span::new(child.name_span.start, misplaced::header_end(child));
            let is_set = |(property, _): &(&Field, Tree)| child.property(property.name).is_some();
            let line = format!("{}{text}", source.slice(header));
            edits.push(Edit { span: Span::new(header.end, header.end), text });
            let fix = Fix::of(format!("move to the line of `{}`", block.name), edits);
            let is_free = is_shown(&line) && !given.iter().any(is_set);
            is_free.then_some(Moved { line, fix: Some(fix) })
        }
        (None, None) => {
            let line = format!("{}{text}", block.name);
            // Without its other properties, the block would be another error.
            if !is_shown(&line) || !has_required(block, &given) {
                return None;
            }
            let fix = insertion(source, node, &line).map(|insert| {
                with_insertion(&mut edits, insert);
                Fix::of(format!("write `{line}`"), edits).if_sure(are_valid(&given))
            });
            Some(Moved { line, fix })
        }
    }
}

/// Adds an insertion. If it is at the end of another edit, both become one.
fn with_insertion(edits: &mut Vec<Edit>, insert: Edit) {
    match edits.iter_mut().find(|edit| edit.span.end == insert.span.start) {
        Some(edit) => edit.text = insert.text,
        None => edits.push(insert),
    }
}

/// Returns whether a help can show a line.
fn is_shown(line: &str) -> bool {
    !line.contains(['\n', '`'])
}

/// Returns the edit that adds an entry to the block of a node: before the first entry of the block, on a line of its own if that entry
/// has one.
fn insertion(source: &Source, node: &Node, entry: &str) -> Option<Edit> {
    let at = |byte: u32| Span::new(byte, byte);
    let Some(children) = &node.children else {
        return Some(Edit { span: at(misplaced::block_end(source, node)), text: format!(" {{ {entry} }}") });
    };
    let first = children.first()?.name_span.start;
    let before = source.text.get(..source.local(at(first)).start)?.rsplit('\n').next()?;
    let text = if before.trim().is_empty() { format!("{entry}\n{before}") } else { format!("{entry}; ") };
    Some(Edit { span: at(first), text })
}

/// Like [`moved`], for the keys of an object in JSON or YAML. `entries`: all keys of the object. There is no fix if other keys are
/// between the keys.
pub fn moved_keys(
    sources: &Sources,
    format: Format,
    object: &Object,
    (block, entries): (&Field, &[Entry]),
) -> Option<Moved> {
    if entries.iter().any(|entry| entry.key == block.name) {
        return None;
    }
    let own = |(number, entry)| {
        let entry: &Entry = entry;
        let (owner, property) = child_with(object, &entry.key)?;
        (owner.name == block.name).then_some((number, entry, property))
    };
    let found: Vec<(usize, &Entry, &Field)> = entries.iter().enumerate().filter_map(own).collect();
    let given: Vec<(&Field, Tree)> =
        found.iter().map(|(_, entry, property)| (*property, entry.tree.clone())).collect();
    let pair = |(_, entry, property): &(usize, &Entry, &Field)| {
        let between = sources.slice(Span::new(entry.key_span.end, entry.tree.span.start));
        let value = sources.slice(entry.tree.span);
        // In YAML, a comment may be between the key and the value.
        let is_plain = between.trim() == ":" && !value.is_empty();
        is_plain.then(|| format!("{}: {value}", keys::key(property.name, format)))
    };
    let pairs: Vec<String> = found.iter().map(pair).collect::<Option<_>>()?;
    let written = format!("{}: {{ {} }}", keys::key(block.name, format), pairs.join(", "));
    if has_twice(&given) || !is_shown(&written) || !has_required(block, &given) {
        return None;
    }
    let ((first, start, _), (last, end, _)) = (found.first()?, found.last()?);
    let whole = start.key_span.to(end.tree.span);
    let is_together = last - first + 1 == found.len() && !sources.slice(whole).contains('#');
    let title = format!("write `{written}`");
    let fix = is_together.then(|| Fix::edit(title, whole, written.clone()).if_sure(are_valid(&given)));
    Some(Moved { line: written, fix })
}
