//! Reports duplicate entries, and builds the fix that merges two blocks.
use super::Reader;
use crate::codes::DUPLICATE_NODE;
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::shape::{Field, Place, Shape, misplaced};
use crate::sources::Span;
use crate::syntax::{Node, NodeEntry};
use crate::tree::{Entry, Tree, Value};

/// Help for duplicate entries that cannot be merged.
pub(super) const REMOVE: &str = "remove one of them";
/// Lists whose values have the same meaning in one entry as in two. The arguments of `run` have not.
pub(crate) const JOINED: [&str; 5] = ["codes", "secrets", "set", "specs", "target"];

/// Help for two entries with the same name.
const RENAME: &str = "remove one of them, or rename one";

/// Help for two roles with the same name. Most frameworks have fixed names of roles, so a new name is no solution.
const COUNT: &str = "merge both into one block; `count` sets the number of tasks of the role";

/// Returns the error for a duplicate entry.
pub(super) fn repeated(again: Span, first: Span, what: &str) -> Diagnostic {
    let told = Diagnostic::new(&DUPLICATE_NODE, again, format!("duplicate `{what}`"));
    told.here("repeated here").label(first, "first occurrence")
}

impl<'a> Reader<'a> {
    /// Reports an entry of a field that the block already sets.
    pub(super) fn again(&mut self, field: &'a Field, node: &Node, entries: &mut [Entry]) {
        let Some(first) = entries.iter_mut().find(|entry| entry.key == field.name) else { return };
        let told = repeated(node.name_span, first.key_span, field.name);
        if field.name == "job" {
            self.out.push(told.help("a file can contain only one job; move the other to its own file"));
        } else if let Some(told) = self.one_list(&told, field, &first.tree, node) {
            self.out.push(told);
        } else if let Some(told) = self.one_entry(&told, &first.tree, node) {
            self.out.push(told);
            let tree = self.value(&field.shape, field, node, 0);
            absorb(&mut first.tree, tree);
        } else if !is_block(&field.shape, node) {
            self.out.push(told.help(REMOVE));
        } else {
            self.out.push(self.one_block(told, field.name, &first.tree, node));
            let tree = match &field.shape {
                Shape::Keyed(keyed) => self.pairs(field, keyed, node),
                shape => self.value(shape, field, node, 0),
            };
            absorb(&mut first.tree, tree);
        }
    }

    /// Reports a second entry with the same name. Two `target "X"` blocks are merged.
    pub(super) fn named_again(
        &mut self,
        field: &'a Field,
        node: &Node,
        (key, at): (&str, Span),
        things: &mut Vec<Entry>,
    ) {
        let Some(first) = things.iter_mut().find(|entry| entry.key == key) else { return };
        let what = format!("{} \"{key}\"", field.name);
        let told = repeated(at, first.key_span, &what);
        match (&field.shape, field.block(Some(key))) {
            (Shape::Object(_), Some(object)) => {
                self.out.push(self.one_block(told, &what, &first.tree, node));
                let tree = self.object(object, field, node, 1);
                absorb(&mut first.tree, tree);
            }
            // The name of the second entry may be wrong, so its fields are validated like those of an entry without a name.
            (Shape::Keyed(_), Some(object)) => {
                let help = if field.name == "role" { COUNT } else { RENAME };
                self.out.push(told.help(help).blocks_targets(what));
                let tree = self.object(object, field, node, 1);
                let (span, rest) = (tree.span, complete(&mut first.tree, tree));
                things.push(Entry { key: String::new(), key_span: at, tree: Tree::map(span, rest) });
            }
            (_, _) => self.out.push(told.help(RENAME)),
        }
    }

    /// Returns the error for a second list, with the edit that keeps all values. `None` for another field, or without values.
    fn one_list(&self, told: &Diagnostic, field: &Field, first: &Tree, node: &Node) -> Option<Diagnostic> {
        let Value::List(items) = &first.value else { return None };
        let is_joined = field.place == Place::Args && JOINED.contains(&field.name);
        let is_plain = node.children.is_none() && node.entries.iter().all(|entry| entry.key.is_none());
        if !is_joined || !is_plain || node.entries.is_empty() {
            return None;
        }
        let (first_item, last) = (items.first()?, items.last()?);
        let own = self.source.slice(Span::new(first_item.span.start, last.span.end));
        // With its comments, and with a type, which is another error.
        let more = self.source.slice(Span::new(node.name_span.end, misplaced::header_end(node))).trim_start();
        let one = format!("{} {own} {more}", field.name);
        let edits = vec![
            Edit { span: Span::new(last.span.end, last.span.end), text: format!(" {more}") },
            misplaced::removal(self.source, node.span),
        ];
        let all = format!("write all values in one `{}`", field.name);
        let (help, title) = match one.contains('\n') {
            true => (all.clone(), all),
            false => (format!("{all}: `{one}`"), format!("write `{one}`")),
        };
        let joined = told.clone().help(help);
        // The values keep their order, because a later value replaces an earlier one: a third list is joined after the second.
        Some(match self.is_third(told) {
            true => joined,
            false => joined.suggest(Fix::of(title, edits).in_help()),
        })
    }

    /// Returns whether another duplicate of the same entry is reported already.
    fn is_third(&self, told: &Diagnostic) -> bool {
        self.out.iter().any(|other| other.code == told.code && other.labels.last() == told.labels.last())
    }

    /// Returns the error for a second entry that sets other properties than the first one, with the edit that keeps all of them. `None`
    /// for other entries.
    fn one_entry(&self, told: &Diagnostic, first: &Tree, node: &Node) -> Option<Diagnostic> {
        let is_new = |entry: &NodeEntry| entry.key.as_ref().is_some_and(|(key, _)| first.get(key).is_none());
        let is_map = matches!(first.value, Value::Map(_)) && node.children.is_none();
        if !is_map || node.entries.is_empty() || !node.entries.iter().all(is_new) {
            return None;
        }
        let own = self.source.slice(first.span);
        let more = self.source.slice(Span::new(node.name_span.end, misplaced::header_end(node))).trim_start();
        let one = format!("{own} {more}");
        if one.contains(['\n', '`', '{']) || has_comment(&one) || self.is_third(told) {
            return Some(told.clone().help(format!("write all properties in one `{}`", node.name)));
        }
        let end = Span::new(first.span.end, first.span.end);
        let edits =
            vec![Edit { span: end, text: format!(" {more}") }, misplaced::removal(self.source, node.span)];
        let fix = Fix::of(format!("write `{one}`"), edits).in_help();
        Some(told.clone().help(format!("write both in one entry: `{one}`")).suggest(fix))
    }

    fn one_block(&self, told: Diagnostic, what: &str, first: &Tree, node: &Node) -> Diagnostic {
        let told = told.help(format!("merge both into one block: `{what} {{ … }}`"));
        match self.joined(first, node) {
            Some(fix) => told.fix(fix),
            None => told,
        }
    }

    /// Returns the fix that moves the children of `node` into the first block. `None` if a child conflicts with an entry of
    /// that block.
    fn joined(&self, first: &Tree, node: &Node) -> Option<Fix> {
        let children = node.children.as_deref()?;
        let given = first.entries();
        let block = |child: &Node| child.children.is_some() && child.entries.is_empty();
        let clash = |child: &&Node| {
            let same = given.iter().find(|entry| entry.key == child.name);
            same.is_some_and(|entry| !matches!(entry.tree.value, Value::Map(_)) || !block(child))
        };
        if !self.kdl.broken.is_empty() || children.iter().any(|child| clash(&child)) {
            return None;
        }
        let header = misplaced::header_end(node);
        let moved = self.source.slice(Span::new(header, node.span.end)).trim();
        let moved = moved.strip_prefix('{')?.strip_suffix('}')?.trim_end();
        // A comment may refer to the removed block, so there is no fix.
        if has_comment(moved) {
            return None;
        }
        let before = self.source.slice(first.span).strip_suffix('}')?;
        let kept = before.trim_end_matches([' ', '\t', '\r', '\n']);
        let end = first.span.start + kept.len() as u32;
        let indent = before[kept.len()..].rsplit_once('\n').map(|(_, indent)| indent);
        let text = match indent {
            Some(_) if moved.contains('\n') => moved.to_owned(),
            Some(indent) => {
                let end_of_line = if before[kept.len()..].contains("\r\n") { "\r\n" } else { "\n" };
                format!("{end_of_line}{indent}    {}", moved.trim_start())
            }
            None if kept.ends_with(['{', ';']) => format!(" {}", moved.trim_start()),
            None => format!("; {}", moved.trim_start()),
        };
        let gone = misplaced::removal(self.source, node.span);
        let edits = vec![Edit { span: Span::new(end, end), text }, gone];
        Some(Fix::of("move into the first block", edits))
    }
}

/// Returns whether the node has a block that can be merged into another one.
const fn is_block(shape: &Shape, node: &Node) -> bool {
    match shape {
        Shape::Keyed(_) => true,
        Shape::Object(_) => node.children.is_some(),
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

/// Adds the fields of the second block that the first block lacks, so that they are validated and not reported as missing.
fn absorb(first: &mut Tree, second: Tree) {
    let (Value::Map(kept), Value::Map(entries)) = (&mut first.value, second.value) else { return };
    for entry in entries {
        match kept.iter_mut().find(|kept| kept.key == entry.key) {
            Some(same) => absorb(&mut same.tree, entry.tree),
            None => kept.push(entry),
        }
    }
}

/// Adds the fields of the second block that the first block lacks. Returns the remaining fields, which the first block already has.
fn complete(first: &mut Tree, second: Tree) -> Vec<Entry> {
    let (Value::Map(kept), Value::Map(entries)) = (&mut first.value, second.value) else { return Vec::new() };
    let (both, more) = entries.into_iter().partition(|entry| kept.iter().any(|kept| kept.key == entry.key));
    kept.extend::<Vec<Entry>>(more);
    both
}

/// Returns whether there is a comment outside of quotes.
fn has_comment(words: &str) -> bool {
    let outside: String = words.split('"').step_by(2).collect::<Vec<_>>().join(" ");
    words.contains("\\\"") || ["//", "/*", "/-"].iter().any(|comment| outside.contains(comment))
}
