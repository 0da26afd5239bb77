//! Settings of environments that replace the value at the cursor.
use super::Place;
use super::field::Subject;
use super::inherited::Origins;
use crate::cursor::{Cursor, Slot, tree_at};
use crate::features::environments::shortened;
use tfjob_driver::Checked;
use tfjob_lang::merge::merges_fields;
use tfjob_lang::shape::{Place as Form, Shape};
use tfjob_lang::sources::{Format, Span};
use tfjob_lang::tree::Tree;

/// Maximum number of settings that are listed.
const MOST: usize = 8;

/// Returns the settings for the value at the cursor, each with the environments that have it. `None` if there are none.
#[must_use]
pub fn parts(place: &Place<'_>, cursor: &Cursor) -> Option<String> {
    let word = place.document.text.get(cursor.word.clone())?;
    let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
    for (name, place) in place.each() {
        let Some(origins) = Origins::of(&place) else { continue };
        let spans = place.checked.iter().flat_map(|checked| settings(checked, cursor, word, place.root));
        for line in spans.filter_map(|span| origins.shown(span)) {
            match lines.iter_mut().find(|(known, _)| *known == line) {
                Some((_, names)) if names.contains(&name) => {}
                Some((_, names)) => names.push(name),
                None => lines.push((line, vec![name])),
            }
        }
    }
    let shown = lines.iter().take(MOST).map(|(line, names)| format!("- {}: {line}", shortened(names)));
    let shown: Vec<String> = shown.collect();
    (!shown.is_empty()).then(|| format!("Set in environments:\n\n{}", shown.join("\n")))
}

/// Returns the values of settings that replace the value at the cursor, or a value in its block. `word`: the word at the cursor.
#[must_use]
pub fn settings(checked: &Checked, cursor: &Cursor, word: &str, root: &Shape) -> Vec<Span> {
    let sources = &checked.batch.sources;
    let is_setting = |span: &Span| sources.find(*span).is_some_and(|source| source.format == Format::Set);
    let value = checked.tree.as_ref().and_then(|tree| value(tree, cursor, word, root));
    value.map(Tree::leaves).unwrap_or_default().into_iter().filter(is_setting).collect()
}

/// Returns the value at the cursor in a spec with its settings. `None` for the name of an entry, such as a role, whose hover lists all
/// inherited values.
fn value<'t>(tree: &'t Tree, cursor: &Cursor, word: &str, root: &Shape) -> Option<&'t Tree> {
    let word = word.trim_matches(['"', '\'', '#']);
    let block = tree_at(tree, root.object()?, &cursor.path)?;
    match (Subject::of(cursor, root, word)?, &cursor.slot) {
        (Subject::Name(field), _) if merges_fields(field.name) => None,
        (Subject::Name(field), _) => block.get(field.name),
        (Subject::Value(_), Slot::Property(name)) => block.get(name),
        // A plain value, such as that of `image`, may be that of the entry itself.
        (Subject::Value(field), _) => block.get(field.name).or(Some(block)),
        (Subject::Key(field), _) if field.place == Form::Pairs => block.get(word),
        (Subject::Key(_), _) => None,
    }
}
