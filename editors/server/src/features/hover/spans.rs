//! Byte ranges of entries and roles in a document of any format.
use super::Place;
use crate::outline::Node;
use std::ops::Range;
use tfjob_lang::Loaded;
use tfjob_lang::analysis::read_file;
use tfjob_lang::merge::merges_fields;
use tfjob_lang::shape::{Field, Object, Place as Form};
use tfjob_lang::sources::{Format, Source, Span};
use tfjob_lang::tree::{Tree, Value};

/// Returns the node of a KDL text that contains a range, innermost.
#[must_use]
pub fn node_at(place: &Place<'_>, word: &Range<usize>) -> Option<Node> {
    fn find<'n>(nodes: &'n [Node], word: &Range<usize>) -> Option<&'n Node> {
        let node = nodes.iter().find(|node| node.bytes.start <= word.start && word.end <= node.bytes.end)?;
        find(node.nodes(), word).or(Some(node))
    }
    find(&place.document.outline().nodes, word).cloned()
}

/// Returns the bytes of a role with its fields.
#[must_use]
pub fn block_of(place: &Place<'_>, kind: &str, name: &str) -> Option<Range<usize>> {
    if place.document.format() == Format::Kdl {
        let outline = place.document.outline();
        let job = outline.nodes.iter().find(|node| node.name.text == "job")?;
        let role = job.nodes().iter().find(|node| node.name.text == kind && node.key() == Some(name))?;
        return Some(role.bytes.clone());
    }
    with_tree(place, |source, tree| {
        let roles = tree.get("job")?.get(kind)?.entries();
        let role = roles.iter().find(|entry| entry.key == name)?;
        Some(local(source, role.key_span, role.tree.span))
    })
}

/// Returns the bytes of the argument or property at a word. For the name of a block, returns the bytes of the block; for a block
/// with fields of roles ([`merges_fields`]) in KDL, only those up to its arguments and properties.
#[must_use]
pub fn entry(place: &Place<'_>, word: &Range<usize>) -> Option<Range<usize>> {
    if place.document.format() != Format::Kdl {
        return with_tree(place, |source, tree| {
            in_data(source, tree, word, Above::file(place.root.object()))
        });
    }
    let node = node_at(place, word)?;
    if node.name.bytes != *word {
        let is_in =
            |entry: &&crate::outline::Entry| entry.bytes.start <= word.start && word.end <= entry.bytes.end;
        return node.entries.iter().find(is_in).map(|entry| entry.bytes.clone());
    }
    let end = node.entries.last().map_or(node.name.bytes.end, |entry| entry.bytes.end);
    let is_large = merges_fields(&node.name.text);
    Some(node.bytes.start..if is_large { end } else { node.bytes.end })
}

/// What is known about the map around an entry of JSON or YAML.
#[derive(Clone, Copy)]
struct Above<'s> {
    /// The field whose named entries the map contains, such as `role`.
    named: Option<&'s Field>,
    /// The shape of the map, if its keys are fields.
    object: Option<&'s Object>,
}

impl<'s> Above<'s> {
    const fn file(object: Option<&'s Object>) -> Self {
        Self { named: None, object }
    }

    /// Returns what is known about the value of an entry.
    fn inner(self, key: &str) -> Self {
        if let Some(field) = self.named {
            return Self::file(field.block(Some(key)));
        }
        let field = self.object.and_then(|object| object.field(key));
        let is_named = |field: &&Field| matches!(field.place, Form::Named | Form::Targets);
        Self { named: field.filter(is_named), object: field.and_then(|field| field.block(None)) }
    }

    /// Returns whether a hover over a key does not cover the fields below it.
    fn is_large(self, key: &str) -> bool {
        self.named.map_or_else(|| merges_fields(key), |field| merges_fields(field.name))
    }
}

/// Finds the innermost entry of a JSON or YAML text that contains a word.
fn in_data(source: &Source, tree: &Tree, word: &Range<usize>, above: Above<'_>) -> Option<Range<usize>> {
    let is_in = |range: &Range<usize>| range.start <= word.start && word.end <= range.end;
    match &tree.value {
        Value::Map(entries) => {
            let around =
                |entry: &&tfjob_lang::tree::Entry| is_in(&local(source, entry.key_span, entry.tree.span));
            let entry = entries.iter().find(around)?;
            if is_in(&source.local(entry.key_span)) && !entry.is_plain() {
                let end = if above.is_large(&entry.key) { entry.key_span } else { entry.tree.span };
                return Some(local(source, entry.key_span, end));
            }
            let inner = in_data(source, &entry.tree, word, above.inner(&entry.key));
            inner.or_else(|| Some(local(source, entry.key_span, entry.tree.span)))
        }
        Value::List(items) => items.iter().find_map(|item| {
            let range = source.local(item.span);
            let inner = is_in(&range).then(|| in_data(source, item, word, above));
            inner.map(|inner| inner.unwrap_or(range))
        }),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) | Value::Hole => None,
    }
}

fn local(source: &Source, start: Span, end: Span) -> Range<usize> {
    source.local(start).start..source.local(end).end
}

/// Calls a function with the tree of the document alone. `None` if the document has no valid syntax.
fn with_tree<R>(place: &Place<'_>, read: impl FnOnce(&Source, &Tree) -> Option<R>) -> Option<R> {
    let name = place.document.path.to_string_lossy().into_owned();
    let file = Loaded { format: place.document.format(), name, text: place.document.text.clone() };
    let (sources, tree, _) = read_file(&file, place.root);
    read(sources.find(tree.span)?, &tree)
}
