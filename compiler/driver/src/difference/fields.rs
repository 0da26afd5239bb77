//! Compares the fields of two versions of a spec, with their base files and settings.
use std::collections::{BTreeMap, BTreeSet};
use tfjob_lang::plan::Plan;
use tfjob_lang::sources::Span;
use tfjob_lang::spec::is_ordered;
use tfjob_lang::spec::values::Word;
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
    compare_trees(&mut Path::default(), old.get("job"), new.get("job"), &mut found);
    // Removed fields come last.
    found.sort_by_key(|change| change.new.is_none());
    found
}

/// Adds the parameters whose value is written in another way, such as `1.1` and `1.10`: tasks get the text.
pub fn add_spelled(old: &Plan, new: &Plan, found: &mut Vec<FieldChange>) {
    for (name, value) in &new.params {
        let Some((at, before)) = old.params.iter().find(|(other, _)| other.value == name.value) else {
            continue;
        };
        if before.text == value.text {
            continue;
        }
        let path = Path(vec!["param".to_owned(), name.value.clone()]).text();
        if found.iter().all(|change| change.path != path) {
            let side = |value: &Word, span: Span| Some((value.text.clone(), span));
            found.push(FieldChange { path, old: side(before, at.span), new: side(value, name.span) });
        }
    }
}

fn compare_trees(path: &mut Path, old: Option<&Tree>, new: Option<&Tree>, found: &mut Vec<FieldChange>) {
    let leaf = |tree: Option<&Tree>| tree.map(|tree| (text(tree), tree.span));
    let is_map = |tree: Option<&Tree>| tree.is_none_or(|tree| matches!(tree.value, Value::Map(_)));
    if !is_map(old) || !is_map(new) {
        let at = old.zip(new).and_then(|(old, new)| first_item(old, new));
        let (old, mut new) = (leaf(old), leaf(new));
        if old.as_ref().map(|(text, _)| text) != new.as_ref().map(|(text, _)| text) {
            if let (Some((_, span)), Some(at)) = (&mut new, at) {
                *span = at;
            }
            found.push(FieldChange { path: path.text(), old, new });
        }
        return;
    }
    let (olds, news) = (old.map_or(&[][..], Tree::entries), new.map_or(&[][..], Tree::entries));
    if olds.is_empty() && news.is_empty() {
        // An empty block, such as `tensorboard {}`.
        if old.is_some() != new.is_some() {
            found.push(FieldChange { path: path.text(), old: leaf(old), new: leaf(new) });
        }
        return;
    }
    let before: BTreeMap<&str, &Tree> = olds.iter().map(|entry| (entry.key.as_str(), &entry.tree)).collect();
    let after: BTreeSet<&str> = news.iter().map(|entry| entry.key.as_str()).collect();
    // The argument of the job is its name. A setting names the argument, such as `param.lr.value`.
    let argument = if path.0.is_empty() { None } else { argument(news).or_else(|| argument(olds)) };
    let name =
        |entry: &Entry| if argument == Some(entry.key.as_str()) { String::new() } else { entry.key.clone() };
    for entry in news {
        let before = before.get(entry.key.as_str()).copied();
        path.with(name(entry), |path| compare_trees(path, before, Some(&entry.tree), found));
    }
    for entry in olds.iter().filter(|entry| !after.contains(entry.key.as_str())) {
        path.with(name(entry), |path| compare_trees(path, Some(&entry.tree), None, found));
    }
    found.extend(order(path, (old, olds, &after), (new, news, &before)));
}

/// Returns the span of the first item of a new list that differs from the old one.
fn first_item(old: &Tree, new: &Tree) -> Option<Span> {
    let (Value::List(olds), Value::List(news)) = (&old.value, &new.value) else { return None };
    let differs = |(index, item): &(usize, &Tree)| olds.get(*index).is_none_or(|old| text(old) != text(item));
    news.iter().enumerate().find(differs).map(|(_, item)| item.span)
}

/// Returns the key of the only argument of a block, as in `image "a:1"`. An entry without arguments, such as `argocd`, is none.
fn argument(entries: &[Entry]) -> Option<&str> {
    let mut arguments =
        entries.iter().filter(|entry| entry.is_plain() && !matches!(entry.tree.value, Value::Map(_)));
    let first = arguments.next()?;
    arguments.next().is_none().then_some(first.key.as_str())
}

/// Returns the change of the order of the entries that both versions have.
fn order(
    path: &Path,
    (old, olds, after): (Option<&Tree>, &[Entry], &BTreeSet<&str>),
    (new, news, before): (Option<&Tree>, &[Entry], &BTreeMap<&str, &Tree>),
) -> Option<FieldChange> {
    if !is_ordered(&path.0) {
        return None;
    }
    let keys = |entries: &[Entry], is_common: &dyn Fn(&str) -> bool| {
        let keys = entries.iter().map(|entry| entry.key.as_str()).filter(|key| is_common(key));
        format!("order {}", keys.collect::<Vec<_>>().join(", "))
    };
    let old_keys = keys(olds, &|key| after.contains(key));
    let new_keys = keys(news, &|key| before.contains_key(key));
    let change =
        FieldChange { path: path.text(), old: Some((old_keys, old?.span)), new: Some((new_keys, new?.span)) };
    let text = |side: &Option<(String, Span)>| side.as_ref().map(|(text, _)| text.clone());
    (text(&change.old) != text(&change.new)).then_some(change)
}

/// The keys from the job to a field. The key of an argument is empty.
#[derive(Default)]
struct Path(Vec<String>);

impl Path {
    /// Runs a function with the path of the entry `key` of this field.
    fn with(&mut self, key: String, run: impl FnOnce(&mut Self)) {
        self.0.push(key);
        run(self);
        self.0.pop();
    }

    /// Returns the path in the notation of `--set`: a name with other characters than those of fields is quoted.
    fn text(&self) -> String {
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        let quoted = |key: &String| if key.chars().all(is_plain) { key.clone() } else { format!("{key:?}") };
        self.0.iter().filter(|key| !key.is_empty()).map(quoted).collect::<Vec<_>>().join(".")
    }
}

/// Returns a value as text: a string in quotes, a list in brackets.
fn text(tree: &Tree) -> String {
    match &tree.value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Int(number) => number.to_string(),
        // `1.0` is not the integer 1.
        Value::Float(number) => format!("{number:?}"),
        Value::Text(text) => serde_json::Value::from(text.as_str()).to_string(),
        Value::List(list) => format!("[{}]", list.iter().map(text).collect::<Vec<_>>().join(", ")),
        Value::Map(entries) => {
            let entry = |entry: &Entry| format!("{}: {}", entry.key, text(&entry.tree));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        Value::Hole => "an invalid value".to_owned(),
    }
}
