//! Error recovery: which parts of a faulty spec were skipped, and which placeholder values replaced them.
use crate::sources::Span;
use crate::tree::{Tree, Value};
use std::collections::BTreeSet;

/// Skipped parts and placeholder values of a faulty spec. The collector uses them to drop findings about a skipped part
/// ([`Recovery::missing`], [`Recovery::partial`]) or about a placeholder value ([`Recovery::guessed`]).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovery {
    /// Paths at which a part of the spec could not be parsed.
    missing: Vec<Vec<String>>,
    /// Paths of maps that contain an entry without a name. That entry may be any entry that seems to be absent from the
    /// map.
    nameless: Vec<Vec<String>>,
    substituted: BTreeSet<Span>,
    guessed: BTreeSet<Span>,
}

impl Recovery {
    /// Collects the skipped parts of a merged tree.
    #[must_use]
    pub fn of(tree: &Tree) -> Self {
        let mut found = Self::default();
        found.search(tree, &mut Vec::new());
        found
    }

    fn search<'t>(&mut self, tree: &'t Tree, path: &mut Vec<&'t str>) {
        let children: &mut dyn Iterator<Item = (&'t str, &'t Tree)> = match &tree.value {
            Value::Hole => {
                let above =
                    path.split_last().filter(|(key, _)| key.is_empty()).map_or(&path[..], |(_, up)| up);
                return self.missing.push(above.iter().map(|key| (*key).to_owned()).collect());
            }
            Value::Map(entries) => &mut entries.iter().map(|entry| (entry.key.as_str(), &entry.tree)),
            Value::Null
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Text(_)
            | Value::List(_) => return,
        };
        for (key, child) in children {
            if key.is_empty() && child.value != Value::Hole {
                self.nameless.push(path.iter().map(|key| (*key).to_owned()).collect());
            }
            path.push(key);
            self.search(child, path);
            path.pop();
        }
    }

    /// Records that the value at this path, or a part of it, could not be parsed.
    pub(crate) fn mark_missing(&mut self, path: &[&str]) {
        self.missing.push(path.iter().map(|key| (*key).to_owned()).collect());
    }

    /// Returns whether a value that seems to be absent at this path may be in a skipped part of the spec: at this path, or in an
    /// enclosing block.
    #[must_use]
    pub fn missing(&self, path: &[&str]) -> bool {
        let begins = |missing: &Vec<String>| missing.iter().zip(path).all(|(a, b)| a == b);
        self.missing.iter().any(|missing| missing.len() <= path.len() && begins(missing))
            || self.nameless.iter().any(|parent| parent.len() + 1 == path.len() && begins(parent))
    }

    /// Returns whether the block at this path has a skipped part.
    #[must_use]
    pub fn partial(&self, path: &[&str]) -> bool {
        self.missing.iter().any(|missing| missing == path)
    }

    /// Returns whether the value at this span is a placeholder that may differ from the intended value.
    #[must_use]
    pub fn guessed(&self, span: Span) -> bool {
        self.guessed.contains(&span)
    }

    /// Returns whether the plan has a different value than the spec at this span.
    #[must_use]
    pub fn substituted(&self, span: Span) -> bool {
        self.substituted.contains(&span)
    }

    /// Records that the plan has a different value than the spec at this span, or that the text at this span is an invalid name.
    pub(crate) fn place(&mut self, span: Span) {
        self.substituted.insert(span);
    }

    /// Records that a placeholder replaced the value at this span.
    pub(crate) fn guess(&mut self, span: Span) {
        self.substituted.insert(span);
        self.guessed.insert(span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Entry;

    fn hole(key: &str) -> Entry {
        let tree = Tree { span: Span::default(), value: Value::Hole };
        Entry { key: key.to_owned(), key_span: Span::default(), tree }
    }

    fn map(key: &str, entries: Vec<Entry>) -> Entry {
        Entry { tree: Tree::map(Span::default(), entries), ..hole(key) }
    }

    #[test]
    fn a_lost_line_may_hold_whatever_its_block_seems_to_lack() {
        let worker = map("worker", vec![hole("")]);
        let framework = map("framework", vec![hole("strategy")]);
        let job = map("job", vec![framework, map("role", vec![worker])]);
        let recovery = Recovery::of(&Tree::map(Span::default(), vec![job]));
        assert!(recovery.missing(&["job", "role", "worker", "run"]));
        assert!(recovery.missing(&["job", "framework", "strategy"]));
        assert!(
            recovery.partial(&["job", "role", "worker"])
                && !recovery.partial(&["job", "role", "worker", "ready"])
        );
        for whole in [&["job", "role", "ps"][..], &["job", "code"], &["job", "framework", "version"], &[]] {
            assert!(!recovery.missing(whole), "{whole:?}");
        }
    }

    #[test]
    fn a_lost_file_may_hold_anything() {
        assert!(Recovery::of(&Tree::map(Span::default(), vec![hole("")])).missing(&["job", "framework"]));
        assert!(!Recovery::default().missing(&[]));
    }
}
