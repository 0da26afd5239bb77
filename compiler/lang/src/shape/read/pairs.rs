//! Names and values that stand in a row where a block of them is due: `env NAME="v"`, `labels "a" "b"`.
use super::{Reader, put, scalar};
use crate::codes::MISPLACED_FIELD;
use crate::diagnostic::{Diagnostic, Fix};
use crate::shape::{Field, literal};
use crate::sources::Format;
use crate::syntax::names::NAMING;
use crate::syntax::{Node, NodeEntry, Scalar};
use crate::tree::{Entry, Tree, Value};

/// The property that may be one half of a pair, as other systems write it: `name="LR" value="0.1"`.
fn half(node: &Node, is: impl Fn(&str) -> bool) -> Option<&NodeEntry> {
    let key = |entry: &&NodeEntry| {
        entry.key.as_ref().is_some_and(|(key, _)| NAMING.contains(&key.as_str()) && is(key))
    };
    node.entries.iter().find(key)
}

impl<'a> Reader<'a> {
    /// `env NAME="v"`: the pairs stand where no property may.
    pub(super) fn pairs_in_a_row(
        &mut self,
        field: &Field,
        node: &Node,
        first: &NodeEntry,
        entries: &mut Vec<Entry>,
    ) {
        let last = node.entries.last().unwrap_or(first);
        let at = first.key.as_ref().map_or(first.span, |(_, span)| *span).to(last.span);
        let fact = format!("`{}` has its names and values in a block", field.name);
        let told = Diagnostic::new(&MISPLACED_FIELD, at, fact).help(format!("`{}`", field.form()));
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
        // One of them may be the other's value.
        let sure = half(node, |_| true).is_none();
        let told = match self.in_pairs(&node.entries, entries) {
            Some(all) if node.children.is_none() => told
                .fix(Fix::edit("move into a block", at, format!("{{ {} }}", all.join("; "))).if_sure(sure)),
            _ => told,
        };
        self.out.push(told);
    }

    /// The words of each pair as they stand in a block; `None` where some are no pair.
    fn in_pairs(&self, row: &[NodeEntry], entries: &mut Vec<Entry>) -> Option<Vec<String>> {
        let quoted = |text: &str| literal::text(Format::Kdl, text);
        let (mut all, mut rest) = (Vec::new(), row.iter());
        while let Some(entry) = rest.next() {
            if let Some((key, at)) = &entry.key {
                all.push(format!("{} {}", self.source.slice(*at), self.source.slice(entry.span)));
                put(entries, key, *at, scalar(entry));
            } else if let Some((key, value)) = self.odd(entry) {
                all.push(format!("{} {}", quoted(key), quoted(value)));
                put(
                    entries,
                    key,
                    entry.span,
                    Tree { span: entry.span, value: Value::Text(value.to_owned()) },
                );
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
