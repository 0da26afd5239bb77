//! Reports names and values on one line, although they belong in a block: `env NAME="v"`, `labels "a" "b"`.
use super::{REMOVE, Reader, given, hole, put, repeated, scalar};
use crate::codes::MISPLACED_FIELD;
use crate::diagnostic::{Diagnostic, Fix};
use crate::shape::suggest::example;
use crate::shape::{Field, literal};
use crate::sources::{Format, Span};
use crate::syntax::names::NAMING;
use crate::syntax::{Node, NodeEntry, Scalar};
use crate::tree::{Entry, Tree, Value};

/// Returns the first property that may be the name or the value of a pair in the notation of other systems:
/// `name="LR" value="0.1"`. Only properties with a key for which `is` returns true are considered.
fn half(node: &Node, is: impl Fn(&str) -> bool) -> Option<&NodeEntry> {
    let key = |entry: &&NodeEntry| {
        entry.key.as_ref().is_some_and(|(key, _)| NAMING.contains(&key.as_str()) && is(key))
    };
    node.entries.iter().find(key)
}

/// Returns the help for pairs that belong in a block.
fn in_block(field: &Field) -> String {
    match example(field.name) {
        Some(example) => format!("write the pairs in a block, such as `{example}`"),
        None => format!("write the pairs in a block: `{}`", field.form()),
    }
}

/// Returns the name of an entry in source notation, quoted if necessary.
fn bare(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let head = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if head && name.chars().all(plain) { name.to_owned() } else { literal::text(Format::Kdl, name) }
}

impl<'a> Reader<'a> {
    /// Reports pairs on the line of their entry: `env NAME="v"`.
    pub(super) fn pairs_in_a_row(
        &mut self,
        field: &Field,
        node: &Node,
        first: &NodeEntry,
        entries: &mut Vec<Entry>,
    ) {
        let last = node.entries.last().unwrap_or(first);
        let at = first.key.as_ref().map_or(first.span, |(_, span)| *span).to(last.span);
        let fact = format!("`{}` takes its names and values in a block", field.name);
        let told = Diagnostic::new(&MISPLACED_FIELD, at, fact).help(in_block(field));
        let (name, value) = (|known: &str| known != "value", |known: &str| known == "value");
        if let (Some(name), Some(value), 2, None) =
            (half(node, name), half(node, value), node.entries.len(), &node.children)
            && let Scalar::Text(text) = &name.value
        {
            let words =
                format!("{{ {} {} }}", literal::text(Format::Kdl, text), self.source.slice(value.span));
            self.out.push(told.suggest(Fix::edit("write one pair", at, words)));
            put(entries, text, name.span, scalar(value));
            return;
        }
        // A property `key`, `name`, or `value` may be half of a pair in the notation of other systems. The fix is then uncertain.
        let sure = half(node, |_| true).is_none();
        let told = match self.in_pairs(&node.entries, entries) {
            // Brackets before the pairs are another error, whose fix comes first.
            Some(all)
                if node.children.is_none()
                    && !self.source.slice(Span::new(node.name_span.end, at.start)).contains('[') =>
            {
                told.fix(
                    Fix::edit("move into a block", at, format!("{{ {} }}", all.join("; "))).if_sure(sure),
                )
            }
            _ => told,
        };
        self.out.push(told);
    }

    /// Reports `name "A" value="b"`, which should be `A "b"`. Returns `false` for other lines.
    pub(super) fn pair_as_fields(&mut self, field: &Field, line: &Node, entries: &mut Vec<Entry>) -> bool {
        let is = |known: &'static str| move |key: &str| key == known;
        let first =
            line.entries.first().filter(|first| first.key.is_none() && NAMING.contains(&line.name.as_str()));
        let name = first.or_else(|| half(line, is("name"))).or_else(|| half(line, is("key")));
        let (Some(name), Some(value), 2, None) =
            (name, half(line, is("value")), line.entries.len(), &line.children)
        else {
            return false;
        };
        let Scalar::Text(text) = &name.value else { return false };
        if let Some(before) = given(entries, text) {
            self.out.push(repeated(name.span, before, text).help(REMOVE));
            return true;
        }
        let words = format!("{} {}", bare(text), self.source.slice(value.span));
        let fact = format!("an entry of `{}` must be a name and a value", field.name);
        let told = Diagnostic::new(&MISPLACED_FIELD, line.span, fact);
        let told = told.help(format!("write `{words}`"));
        self.out.push(told.suggest(Fix::edit("write one pair", line.span, words)));
        put(entries, text, name.span, scalar(value));
        true
    }

    /// Reports `TOKEN from="store"` among the variables, which should be a `secret`. Returns `false` for other lines.
    pub(super) fn secret_in_env(&mut self, field: &Field, line: &Node, entries: &mut Vec<Entry>) -> bool {
        let is_secret =
            |(key, _): &(String, Span)| ["from", "secret", "secret-key-ref"].contains(&key.as_str());
        let from = line.entries.iter().find(|entry| entry.key.as_ref().is_some_and(is_secret));
        let (Some(from), "env", None) = (from, field.name, &line.children) else { return false };
        let key = line
            .property("key")
            .map_or_else(String::new, |key| format!(" key={}", self.source.slice(key.span)));
        let (name, from) = (literal::text(Format::Kdl, &line.name), self.source.slice(from.span));
        let fact = format!("`env` cannot read `{}` from a secret", line.name);
        let told = Diagnostic::new(&MISPLACED_FIELD, line.span, fact);
        self.out.push(told.help(format!("write `secret {name} from={from}{key}` outside of `env`")));
        put(entries, &line.name, line.name_span, hole(line.span));
        true
    }

    /// Returns each pair in the notation of a block. `None` if any entry is not a pair.
    fn in_pairs(&self, row: &[NodeEntry], entries: &mut Vec<Entry>) -> Option<Vec<String>> {
        let quoted = |text: &str| literal::text(Format::Kdl, text);
        let (mut all, mut rest) = (Vec::new(), row.iter());
        while let Some(entry) = rest.next() {
            if let Some((key, at)) = &entry.key {
                all.push(format!("{} {}", self.source.slice(*at), self.source.slice(entry.span)));
                put(entries, key, *at, scalar(entry));
            } else if let Some((key, value)) = self.unexpected(entry) {
                all.push(format!("{} {}", quoted(key), quoted(value)));
                put(
                    entries,
                    key,
                    entry.span,
                    Tree { span: entry.span, value: Value::Text(value.to_owned()) },
                );
            } else if let Scalar::Text(pair) = &entry.value
                && let Some((key, value)) = pair.split_once('=')
            {
                // `"A=b" "C=d"`, as for `docker run`.
                if bare(key) != key {
                    return None;
                }
                all.push(format!("{} {}", quoted(key), quoted(value)));
                let value = Tree { span: entry.span, value: Value::Text(value.to_owned()) };
                put(entries, key, entry.span, value);
            } else {
                let Scalar::Text(key) = &entry.value else { return None };
                let value = rest.next().filter(|value| value.key.is_none())?;
                let Scalar::Text(text) = &value.value else { return None };
                all.push(format!("{} {}", quoted(key), quoted(text)));
                put(entries, key, entry.span, scalar(value));
            }
        }
        Some(all)
    }
}
