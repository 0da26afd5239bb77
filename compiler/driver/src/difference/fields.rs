//! Compares the fields of two versions of a spec, with their base files and settings.
use std::collections::{BTreeMap, BTreeSet};
use tfjob_lang::sources::Span;
use tfjob_lang::tree::{Entry, Tree, Value};

/// A field of the spec that differs.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldChange {
    /// Path of the field in the notation of `--set`, such as `role.worker.count`.
    pub path: String,
    /// The old value and its span; `None` if the field is new.
    pub old: Option<(String, Span)>,
    /// The new value and its span; `None` if the field was removed.
    pub new: Option<(String, Span)>,
}

/// Returns the fields that differ, in the order of the new version; then the removed fields. The job must be the first entry.
pub fn compare(old: &Tree, new: &Tree) -> Vec<FieldChange> {
    let mut found = Vec::new();
    both(&mut String::new(), old.get("job"), new.get("job"), &mut found);
    // Removed fields come last.
    found.sort_by_key(|change| change.new.is_none());
    found
}

fn both(path: &mut String, old: Option<&Tree>, new: Option<&Tree>, found: &mut Vec<FieldChange>) {
    let leaf = |tree: Option<&Tree>| tree.map(|tree| (text(tree), tree.span));
    let is_map = |tree: Option<&Tree>| tree.is_none_or(|tree| matches!(tree.value, Value::Map(_)));
    if !is_map(old) || !is_map(new) {
        let (old, new) = (leaf(old), leaf(new));
        if old.as_ref().map(|(text, _)| text) != new.as_ref().map(|(text, _)| text) {
            found.push(FieldChange { path: path.clone(), old, new });
        }
        return;
    }
    let (olds, news) = (old.map_or(&[][..], Tree::entries), new.map_or(&[][..], Tree::entries));
    if olds.is_empty() && news.is_empty() {
        // An empty block, such as `tensorboard {}`.
        if old.is_some() != new.is_some() {
            found.push(FieldChange { path: path.clone(), old: leaf(old), new: leaf(new) });
        }
        return;
    }
    let before: BTreeMap<&str, &Tree> = olds.iter().map(|entry| (entry.key.as_str(), &entry.tree)).collect();
    let after: BTreeSet<&str> = news.iter().map(|entry| entry.key.as_str()).collect();
    let only = !path.is_empty() && has_one_argument(news);
    for entry in news {
        let before = before.get(entry.key.as_str()).copied();
        below(path, name(entry, only), |path| both(path, before, Some(&entry.tree), found));
    }
    let only = !path.is_empty() && has_one_argument(olds);
    for entry in olds.iter().filter(|entry| !after.contains(entry.key.as_str())) {
        below(path, name(entry, only), |path| both(path, Some(&entry.tree), None, found));
    }
}

fn has_one_argument(entries: &[Entry]) -> bool {
    entries.iter().filter(|entry| entry.is_plain()).count() == 1
}

/// Returns the name of an entry in a path: empty for the only argument of a block, as in `image "a:1"`. The argument of the job is
/// its name. `only`: whether an argument of this block is the only one, and the block is not the job.
fn name(entry: &Entry, only: bool) -> &str {
    if only && entry.is_plain() { "" } else { &entry.key }
}

fn below(path: &mut String, key: &str, run: impl FnOnce(&mut String)) {
    let length = path.len();
    if length > 0 && !key.is_empty() {
        path.push('.');
    }
    // As in `--set`, a name with other characters is quoted.
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    if key.chars().all(plain) {
        path.push_str(key)
    } else {
        path.push_str(&format!("{key:?}"))
    }
    run(path);
    path.truncate(length);
}

/// Returns a value as text: a string in quotes, a list in brackets.
fn text(tree: &Tree) -> String {
    match &tree.value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Text(text) => serde_json::Value::from(text.as_str()).to_string(),
        Value::List(list) => format!("[{}]", list.iter().map(text).collect::<Vec<_>>().join(", ")),
        Value::Map(entries) => {
            let entry = |entry: &Entry| format!("{}: {}", entry.key, text(&entry.tree));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        Value::Hole => "an invalid value".to_owned(),
    }
}
