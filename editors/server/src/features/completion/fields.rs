//! Fields of the block at the cursor: nodes and properties in KDL, keys in JSON and YAML.
use super::context::Context;
use super::described;
use super::example::Example;
use super::fit::Fit;
use super::inherited;
use super::insert::{Draft, Writer, string};
use super::item::{Item, Rank};
use super::names;
use crate::cursor::Slot;
use crate::features::lines::line_start;
use lsp_types::CompletionItemKind;
use std::collections::BTreeSet;
use tfjob_driver::files::is_cluster;
use tfjob_lang::cluster::words::is_ignored;
use tfjob_lang::shape::{Field, Object, Place, Shape, foreign_names};
use tfjob_lang::sources::Format;

/// The fields that most examples set, most used first. They come before the other fields. A test compares them with the examples.
const USED: [&str; 11] =
    ["role", "run", "resources", "target", "image", "checkpoints", "code", "hadoop", "data", "param", "env"];

/// Returns the fields that may be written at the cursor.
pub fn items(context: &Context<'_>) -> Vec<Item> {
    match (&context.cursor.slot, &context.located) {
        (Slot::Node, Some(located)) if located.key => keys(context),
        (Slot::Node, None) => nodes(context),
        (Slot::Entry(_), None) => properties(context),
        (Slot::Node | Slot::Entry(_) | Slot::Argument(_) | Slot::Property(_), _) => Vec::new(),
    }
}

/// Returns the fields of the object at the cursor, in order of declaration, each with its number.
fn fields<'c>(
    context: &Context<'c>,
    object: &'static Object,
) -> impl Iterator<Item = (usize, &'static Field)> + use<'c> {
    let is_other = in_cluster(context);
    let is_offered = |field: &Field| object.offered().any(|offered| offered.name == field.name);
    let fields = object.fields.iter().enumerate().filter(move |(_, field)| is_offered(field));
    fields.filter(move |(_, field)| !is_other(field))
}

/// Returns whether a field of a cluster file has no effect on its target: the block of another target, or a field that the target
/// ignores.
fn in_cluster<'c>(context: &Context<'c>) -> impl Fn(&Field) -> bool + use<'c> {
    let registry = *context.session.host.driver().registry();
    let is_cluster = is_cluster(&context.document.path);
    let cluster = context.trees().find_map(|tree| tree.get("cluster")).filter(|_| is_cluster);
    let name = cluster.and_then(|cluster| cluster.get("target")?.text());
    let target = name.and_then(|name| registry.target(name));
    let options = target.and_then(|target| cluster?.get(target.name()).cloned());
    let block = match context.cursor.path.as_slice() {
        [_] => Some(None),
        [_, block] => Some(Some(block.name.clone())),
        _ => None,
    };
    move |field| {
        let (Some(target), Some(block)) = (target, &block) else { return false };
        let is_other =
            block.is_none() && registry.target(field.name).is_some() && field.name != target.name();
        is_other || is_ignored(target, options.as_ref(), block.as_deref(), field.name)
    }
}

/// Returns whether no file of the spec sets a required field of the block at the cursor.
fn is_missing(context: &Context<'_>, field: &Field) -> bool {
    let own = context.cursor_text();
    field.required && (own == field.name || context.here().iter().all(|tree| tree.get(field.name).is_none()))
}

fn nodes(context: &Context<'_>) -> Vec<Item> {
    let rest = context.document.text[context.byte..].lines().next().unwrap_or_default().trim_start();
    let before = context.before().rsplit('\n').next().unwrap_or_default().trim_end();
    let starts = before.is_empty() || before.ends_with(['{', ';']) || !context.cursor.word.is_empty();
    let ends = rest.is_empty() || rest.starts_with(['}', ';']) || rest.starts_with("//");
    if context.cursor.word.is_empty() && !(starts && ends) {
        return Vec::new();
    }
    let Some(object) = context.cursor.object(context.root) else { return Vec::new() };
    let present = context.present();
    let fields = fields(context, object).filter(|(_, field)| field.place.is_node());
    let free = fields.filter(|(_, field)| field.place.repeats() || !present.contains(&field.name));
    let fit = Fit::of(context);
    let make = |(number, field): (usize, &Field)| {
        // If the node already has arguments, properties, or a block, only its name is replaced.
        let has_more = context.node().is_some_and(|node| !node.entries.is_empty() || node.block.is_some());
        let draft = if has_more {
            Draft::of(field.name)
        } else {
            let mut writer = writer(context, &fit, field, true);
            writer.node(field, &names::of(context, field));
            writer.draft
        };
        item(context, field, number, draft)
    };
    free.map(make).collect()
}

fn properties(context: &Context<'_>) -> Vec<Item> {
    let chain = context.chain();
    let Some(node) = chain.last() else { return Vec::new() };
    let in_block = node.block.as_ref().is_some_and(|block| context.byte >= block.bytes.end);
    let Some(object) = context.cursor.object(context.root).filter(|_| !in_block) else { return Vec::new() };
    let own = context.range();
    let named = node.entries.iter().filter(|entry| entry.bytes.start != own.start);
    let present: Vec<&str> = named.filter_map(|entry| Some(entry.name.as_ref()?.text.as_str())).collect();
    let fields = fields(context, object).filter(|(_, field)| field.place == Place::Prop);
    let free = fields.filter(|(_, field)| !present.contains(&field.name));
    let fit = Fit::of(context);
    let make = |(number, field): (usize, &Field)| {
        let follows = context.document.text[own.end..].trim_start_matches([' ', '\t']).starts_with('=');
        let draft = if follows {
            Draft::of(field.name)
        } else {
            let mut writer = Writer::new(Format::Kdl, true, Some(fit.clone()));
            writer.property(field, &names::of(context, field));
            writer.draft
        };
        item(context, field, number, draft)
    };
    free.map(make).collect()
}

fn keys(context: &Context<'_>) -> Vec<Item> {
    let Some(object) = context.cursor.object(context.root) else { return Vec::new() };
    let Some(located) = context.located.as_ref().filter(|_| is_free(context)) else { return Vec::new() };
    let present = context.present();
    let free = fields(context, object).filter(|(_, field)| !present.contains(&field.name));
    let fit = Fit::of(context);
    let make = |(number, field): (usize, &Field)| {
        let draft = if located.colon {
            Draft::of(string(context.format(), field.name))
        } else {
            let mut writer = writer(context, &fit, field, located.is_block);
            writer.pair(field, &names::of(context, field), argument(context, object, field).as_deref());
            writer.draft
        };
        separated(context, item(context, field, number, draft))
    };
    free.map(make).collect()
}

/// Creates a writer for a new entry at the cursor. `lines`: whether a block of YAML may have lines of its own.
fn writer(context: &Context<'_>, fit: &Fit, field: &Field, lines: bool) -> Writer {
    let mut writer = Writer::new(context.format(), lines, Some(fit.clone()));
    writer.inherited = inherited::entry(context, field).and_then(|entry| entry.example(field));
    writer.overrides = names::overrides(context, field);
    writer
}

/// Returns the value of an argument in the example of the block at the cursor.
fn argument(context: &Context<'_>, object: &Object, field: &Field) -> Option<String> {
    let number = object.at(Place::Arg).position(|other| other.name == field.name)?;
    let step = context.cursor.path.last()?;
    let named = context.root.find(&context.cursor.steps()).is_some_and(|field| field.place == Place::Named);
    Example::named(&step.name, false).arguments.into_iter().nth(number + usize::from(named))
}

/// Returns whether a new key or value at the cursor belongs to the object around it: in YAML, the indentation decides.
pub fn is_free(context: &Context<'_>) -> bool {
    let Some(located) = &context.located else { return true };
    let text = &context.document.text;
    let word = &context.cursor.word;
    if !located.is_block {
        return !(word.is_empty() && has_value(&text[..word.start], &text[word.end..]));
    }
    let start = |at: usize| line_start(text, at);
    let indent = |line: &str| line.len() - line.trim_start().len();
    let after = text[word.end..].split_once('\n').map_or("", |(_, lines)| lines);
    let next = after.lines().find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    if !located.key {
        // The lines below may be the value already.
        let line = &text[start(word.start)..];
        // A key after the `-` of an item is indented by the `-` too.
        let own = line.len() - line.trim_start_matches([' ', '-']).len();
        let is_below =
            |line: &str| indent(line) > own || indent(line) == own && line.trim_start().starts_with('-');
        return !word.is_empty() || !next.is_some_and(is_below);
    }
    let column = |at: usize| at - start(at);
    let own = column(word.start);
    let is_last = located.colon || next.is_none_or(|next| indent(next) <= own);
    located.sibling.is_none_or(|at| column(at) == own) && is_last
}

/// Returns whether the JSON text `before` ends with a key whose value is at the start of `after`.
fn has_value(before: &str, after: &str) -> bool {
    let rest = after.trim_start();
    let same_line = !after[..after.len() - rest.len()].contains('\n');
    let is_key = rest.strip_prefix('"').and_then(|rest| rest.split_once('"'));
    let is_key = is_key.is_some_and(|(_, rest)| rest.trim_start().starts_with(':'));
    let ends = rest.is_empty() || rest.starts_with(['}', ']', ',']);
    before.trim_end().ends_with(':') && !ends && (same_line || !is_key)
}

/// Adds the commas around a new key or value of JSON, and a space after the `:` or `-` of YAML.
pub fn separated(context: &Context<'_>, mut item: Item) -> Item {
    let text = &context.document.text;
    let (before, after) = (&text[..item.range.start], &text[item.range.end..]);
    let Some(located) = &context.located else { return item };
    if located.is_block {
        let marks = [':', '-'];
        if before.ends_with(marks) {
            item.draft.snippet.insert(0, ' ');
            item.draft.plain.insert(0, ' ');
        }
        return item;
    }
    let previous = before.trim_end();
    if !previous.ends_with(['{', '[', ',', ':']) && !previous.is_empty() {
        item.comma = Some(previous.len());
    }
    let next = after.trim_start().chars().next();
    if !located.colon && next.is_some_and(|c| !matches!(c, '}' | ']' | ',' | ':' | '#')) {
        item.draft.snippet.push(',');
        item.draft.plain.push(',');
    }
    item
}

fn item(context: &Context<'_>, field: &Field, number: usize, draft: Draft) -> Item {
    let block = field.place.is_node() && field.block(None).is_some() || field.place == Place::Targets;
    let kind = if block { CompletionItemKind::STRUCT } else { CompletionItemKind::PROPERTY };
    let is_missing = is_missing(context, field);
    let mut item = Item::new(field.name, kind, context.range(), draft);
    let used = USED.iter().position(|name| *name == field.name);
    let order = used.unwrap_or(USED.len() + number);
    item.rank = if is_missing { Rank::Missing(number) } else { Rank::Usual(order) };
    item.detail = Some(field.form_in(context.format()));
    item.documentation = documentation(field) + &described::choices(context, field);
    if let Some(entry) = inherited::entry(context, field) {
        item.documentation = format!("{}\n\n{}", item.documentation, entry.about(field));
    }
    let all = context.cursor.object(context.root).map_or(&[][..], |object| object.fields);
    let names = all.iter().map(|field| field.name);
    item.filter = Some(filter(context, field.name, others(field, all), names));
    item
}

/// Returns other names by which a user may look for a field: its names in other systems, and for a node also the names of its
/// properties and of the entries in its block, here and in other systems. So `cpus` finds `resources`, `replicas` finds `role`, and
/// `tolerations` finds `target`. `all`: the fields here, whose names find only these fields.
fn others(field: &Field, all: &[Field]) -> impl Iterator<Item = &'static str> {
    let blocks: Vec<&Object> = match (field.place, &field.shape) {
        (Place::Arg | Place::Prop, _) => Vec::new(),
        (Place::Targets, Shape::Object(targets)) => {
            targets.fields.iter().filter_map(|target| target.shape.object()).collect()
        }
        (_, _) => field.block(None).into_iter().collect(),
    };
    let inner: BTreeSet<&str> = blocks
        .into_iter()
        .flat_map(|block| block.fields)
        .filter(|field| field.place != Place::Arg && !all.iter().any(|own| own.name == field.name))
        .map(|field| field.name)
        .collect();
    let theirs: BTreeSet<&str> = inner.iter().flat_map(|name| foreign_names(name)).collect();
    foreign_names(field.name).chain(inner).chain(theirs)
}

/// Returns the text with which the editor compares the typed text: one of `others`, the names of other systems, if the typed text is
/// its beginning, and the beginning of none of `all`; otherwise, `name`. A longer text would match letters that are far apart.
pub fn filter(
    context: &Context<'_>,
    name: &str,
    others: impl Iterator<Item = &'static str>,
    mut all: impl Iterator<Item = &'static str>,
) -> String {
    let typed = context.typed();
    let others: Vec<&str> = others.collect();
    let is_foreign = typed.len() > 1 && !all.any(|other| other.starts_with(typed));
    let first = others.iter().find(|other| other.starts_with(typed)).filter(|_| is_foreign);
    let text = first.copied().unwrap_or(name);
    // The compared text includes the opening quote, also that of a raw string, if the item replaces it.
    let replaces = context.cursor.quoted && context.range().start == context.cursor.word.start;
    let word = context.word();
    let hashes = word.len() - word.trim_start_matches('#').len();
    let quote = word.get(..hashes + 1).filter(|_| replaces).unwrap_or_default();
    format!("{quote}{text}")
}

/// Returns the type, the default, and the description of a field, in Markdown.
pub fn documentation(field: &Field) -> String {
    let kind = match (&field.shape, field.place) {
        (Shape::Object(_) | Shape::Keyed(_), _) | (_, Place::Targets) => String::new(),
        (shape, _) => shape.words(),
    };
    let default = match (&field.default, field.required) {
        (Some(preset), _) => format!("default: `{preset}`"),
        (None, true) => "required".to_owned(),
        (None, false) => String::new(),
    };
    let head = [kind, default].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
    if head.is_empty() { field.doc.to_owned() } else { format!("*{head}*\n\n{}", field.doc) }
}

#[cfg(test)]
mod tests {
    use super::USED;
    use crate::outline::{Node, Outline};
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::Path;

    /// Collects the names of the fields of jobs, roles, and helpers.
    fn names(nodes: &[Node], found: &mut BTreeSet<String>) {
        for node in nodes {
            found.insert(node.name.text.clone());
            if ["job", "role", "helper"].contains(&node.name.text.as_str()) {
                names(node.nodes(), found);
            }
        }
    }

    #[test]
    fn the_fields_that_most_examples_use_come_first() {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let paths = std::fs::read_dir(examples).expect("examples").map(|entry| entry.expect("a file").path());
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for path in paths.filter(|path| path.to_string_lossy().ends_with(".tfjob.kdl")) {
            let mut found = BTreeSet::new();
            names(&Outline::of(&std::fs::read_to_string(path).expect("a text")).nodes, &mut found);
            found.into_iter().for_each(|name| *counts.entry(name).or_default() += 1);
        }
        let count = |name: &str| counts.get(name).copied().unwrap_or_default();
        assert!(USED.is_sorted_by_key(|name| std::cmp::Reverse(count(name))), "{counts:?}");
        let least = USED.iter().map(|name| count(name)).min();
        let is_listed = |name: &str| ["job", "framework"].contains(&name) || USED.contains(&name);
        let others = counts.iter().filter(|(name, _)| !is_listed(name)).map(|(_, other)| *other);
        assert!(others.max() < least, "{counts:?}");
    }
}
