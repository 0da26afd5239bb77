//! What nobody knows of a spec with faults: where words were lost, and what was put in for them.
use crate::sources::Span;
use crate::tree::{Tree, Value};
use std::collections::BTreeSet;

/// The limits of what can be said of a spec with faults. The collector of findings asks: whether something that a finding
/// says is missing was [`Recovery::missing`] (or [`Recovery::partial`]), and whether a value that it is concluded from was
/// [`Recovery::guessed`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovery {
    /// The paths of the tree below which something could not be read.
    missing: Vec<Vec<String>>,
    /// The paths of nodes by name, such as all roles, of which one has none: it may be any that is not there.
    nameless: Vec<Vec<String>>,
    substituted: BTreeSet<Span>,
    guessed: BTreeSet<Span>,
}

impl Recovery {
    /// Finds where words of a merged tree were lost.
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

    /// Remembers that the words at this path could not be read.
    pub(crate) fn mark_missing(&mut self, path: &[&str]) {
        self.missing.push(path.iter().map(|key| (*key).to_owned()).collect());
    }

    /// Whether what seems not to stand at this path may stand there, in words that could not be read: of any block
    /// around it, since a block can be continued by another file.
    #[must_use]
    pub fn missing(&self, path: &[&str]) -> bool {
        let begins = |missing: &Vec<String>| missing.iter().zip(path).all(|(a, b)| a == b);
        self.missing.iter().any(|missing| missing.len() <= path.len() && begins(missing))
            || self.nameless.iter().any(|parent| parent.len() + 1 == path.len() && begins(parent))
    }

    /// Whether this very node, which is there, lost words of its line or block.
    #[must_use]
    pub fn partial(&self, path: &[&str]) -> bool {
        self.missing.iter().any(|missing| missing == path)
    }

    /// Whether nobody knows what the value at these words was meant to be: it is there so that others can be read.
    #[must_use]
    pub fn guessed(&self, span: Span) -> bool {
        self.guessed.contains(&span)
    }

    /// Whether these words do not say what stands in the plan for them: what is said of it is no news.
    #[must_use]
    pub fn substituted(&self, span: Span) -> bool {
        self.substituted.contains(&span)
    }

    /// Remembers that something else stands for these words, or that the words are no name.
    pub(crate) fn place(&mut self, span: Span) {
        self.substituted.insert(span);
    }

    /// Remembers that what stands for these words is a guess.
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
