//! Suggestions for findings in KDL: the edits that a rule declares ([`Remedy`]). Without one, the help is read: it may begin with one
//! edit: "add `…`", "remove `…`", or "write `NAME=…`".
mod roles;
mod short_form;

pub(super) use short_form::{add_fix, expand};

use super::suggestions::disable_fixes;
use crate::diagnostic::{Diagnostic, Edit, Fix, Remedy, Step};
use crate::shape::{Shape, block_end, header_end, removal, with_blanks_before};
use crate::sources::{Format, Source, Sources, Span};
use crate::syntax::guard::MAX_TOLD;
use crate::syntax::{Node, NodeEntry, Scalar, read_kdl};
use std::sync::OnceLock;

/// The nodes of the first text in KDL, and the offset of this text. With them, the text is parsed only once.
#[derive(Debug, Default)]
pub(crate) struct Nodes(OnceLock<(u32, Vec<Node>)>);

impl Nodes {
    /// Keeps the nodes of a text, unless those of another text are kept already.
    pub(crate) fn keep(&self, source: &Source, nodes: Vec<Node>) {
        self.0.get_or_init(|| (source.base(), nodes));
    }

    /// Returns the nodes of a text, if they are kept.
    fn of(&self, source: &Source) -> Option<&[Node]> {
        self.0.get().filter(|(base, _)| *base == source.base()).map(|(_, nodes)| nodes.as_slice())
    }
}

/// Adds the declared edits to each finding in KDL. To a finding without a fix, adds the edit that its help names. Turns fixes that
/// `--fix` must not apply into suggestions. `kept`: the nodes of one of the texts.
pub(crate) fn suggest_edits(diagnostics: &mut [Diagnostic], sources: &Sources, shape: &Shape, kept: &Nodes) {
    let mut read: Option<(u32, Vec<Node>)> = None;
    let is_open = |found: &&mut Diagnostic| found.fixes.is_empty() || !found.remedies.is_empty();
    for diagnostic in diagnostics.iter_mut().filter(is_open).take(MAX_TOLD) {
        let mut remedies = std::mem::take(&mut diagnostic.remedies);
        if remedies.is_empty() {
            remedies.extend(diagnostic.help.as_deref().and_then(named).map(Remedy::from));
        }
        let at = diagnostic.span();
        let Some(source) = sources.find(at).filter(|source| source.format == Format::Kdl) else { continue };
        if remedies.is_empty() {
            continue;
        }
        let nodes = match kept.of(source) {
            Some(nodes) => nodes,
            // Findings of one file follow each other, so the last text is kept.
            None => {
                let last = read.take().filter(|(base, _)| *base == source.base());
                &read.insert(last.unwrap_or_else(|| (source.base(), read_kdl(source).0.nodes))).1
            }
        };
        let place = Place { source, shape, chain: chain(nodes, at), at };
        let fix = |remedy: &Remedy| {
            let edits: Option<Vec<Edit>> = remedy.0.iter().map(|step| place.edit(step)).collect();
            Some(Fix::of(remedy.title(), edits?).suggested().in_help())
        };
        diagnostic.fixes.extend(remedies.iter().filter_map(fix));
    }
    diagnostics.iter_mut().for_each(|diagnostic| disable_fixes(diagnostic, sources));
}

/// Entries that other entries refer to, and the mount path, without which a program must open the URI itself.
pub(crate) const DEPENDED_ON: [&str; 3] = ["role", "secret", "at"];

/// Returns the edit at the start of a help. `None` if the help names none, or several that belong together; and for a value that refers
/// to another entry, which may not exist.
fn named(help: &str) -> Option<Step> {
    if help.starts_with("remove this line") || help.ends_with(", or remove it") {
        return Some(Step::RemoveThis);
    }
    let (verb, rest) = help.split_once(" `")?;
    let (code, rest) = rest.split_once('`')?;
    let shown = rest.strip_prefix(", such as `").and_then(|rest| rest.split_once('`'));
    let (code, rest) = shown.unwrap_or((code, rest));
    if rest.starts_with(", and ") || rest.starts_with(" and ") {
        return None;
    }
    // Other entries of the job depend on these, so one edit alone may cause another error.
    let code = code.strip_suffix(" { … }").unwrap_or(code);
    if DEPENDED_ON.iter().any(|name| code.split([' ', '=']).next() == Some(name)) || code.contains('{') {
        return None;
    }
    let is_property = code.split_once('=').is_some_and(|(name, _)| is_name(name));
    let is_whole = || if is_property { is_complete(&format!("x {code}")) } else { is_complete(code) };
    match verb {
        "add" if is_whole() => Some(Step::Add(code.to_owned().into())),
        "remove" => Some(Step::Remove(code.to_owned().into())),
        "write" if is_property && is_whole() => Some(Step::Set(code.to_owned().into())),
        _ => None,
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c == '-')
}

/// Returns the nodes that contain a span, outermost first.
fn chain(mut nodes: &[Node], at: Span) -> Vec<&Node> {
    let mut chain = Vec::new();
    while let Some(node) = nodes.iter().find(|node| node.span.contains(at)) {
        chain.push(node);
        nodes = node.children.as_deref().unwrap_or_default();
    }
    chain
}

/// The place of a finding.
struct Place<'a> {
    source: &'a Source,
    shape: &'a Shape,
    /// The nodes around the finding, outermost first.
    chain: Vec<&'a Node>,
    at: Span,
}

impl Place<'_> {
    fn edit(&self, step: &Step) -> Option<Edit> {
        match step {
            Step::Add(code) => self.add(code),
            Step::Rewrite(code) => {
                let name = code.split(' ').next()?;
                let node = self.chain.iter().rev().find(|node| node.name == name)?;
                let header = Span::new(node.name_span.start, header_end(node));
                Some(Edit { span: header, text: code.clone().into_owned() })
            }
            Step::Argument(code) => {
                let (name, value) = code.split_once(' ')?;
                let node = self.chain.iter().rev().find(|node| node.name == name)?;
                let old = node.entries.iter().find(|entry| entry.key.is_none())?;
                Some(Edit { span: old.span, text: value.to_owned() })
            }
            Step::Set(code) => {
                let (name, value) = code.split_once('=')?;
                let old = self.chain.iter().rev().find_map(|node| node.property(name))?;
                Some(Edit { span: old.span, text: value.to_owned() })
            }
            Step::Remove(code) => {
                let name = code.split(' ').next()?;
                let node = self.chain.last()?;
                match node.property(name) {
                    Some(property) => self.without(property),
                    None if node.name == name => Some(self.without_node(node)),
                    None => None,
                }
            }
            Step::RemoveThis => {
                let node = self.chain.last()?;
                let property = node.entries.iter().find(|entry| entry.key.is_some() && entry.span == self.at);
                property.map_or_else(|| Some(self.without_node(node)), |property| self.without(property))
            }
        }
    }

    /// Returns the edit that adds a property or an entry to the innermost block that accepts it.
    fn add(&self, code: &str) -> Option<Edit> {
        let property = code.split_once('=').map(|(name, _)| name).filter(|name| is_name(name));
        let name = property.unwrap_or_else(|| code.split(' ').next().unwrap_or_default());
        let field = |depth: &usize| {
            let steps: Vec<_> =
                self.chain[..=*depth].iter().map(|node| (node.name.as_str(), key(node))).collect();
            let field = self.shape.block(&steps).and_then(|object| object.field(name));
            field.filter(|field| field.place.is_node() != property.is_some())
        };
        let depth = (0..self.chain.len()).rev().find(|depth| field(depth).is_some())?;
        let owner = self.chain[depth];
        let is_set = match property {
            Some(name) => owner.property(name).is_some(),
            None => owner.children.iter().flatten().any(|child| child.name == name),
        };
        if is_set && !field(&depth).is_some_and(|field| field.place.repeats()) {
            return None;
        }
        match property {
            Some(_) => {
                let end = header_end(owner);
                Some(Edit { span: Span::new(end, end), text: format!(" {code}") })
            }
            None if name == "role" => self.add_role(owner, code),
            None => self.add_entry(owner, name, code),
        }
    }

    /// Returns the edit that adds an entry to a block: before the first entry of the same name, otherwise before the first one.
    fn add_entry(&self, owner: &Node, name: &str, code: &str) -> Option<Edit> {
        let Some(children) = owner.children.as_ref().filter(|children| !children.is_empty()) else {
            // An empty block may contain a comment, which would be lost.
            let block = Span::new(header_end(owner), owner.span.end);
            let is_empty = self.source.slice(block).chars().all(|c| c.is_whitespace() || "{}".contains(c));
            let end = block_end(self.source, owner);
            let span = if end > owner.span.end { Span::new(end, end) } else { block };
            let may = is_empty && (owner.children.is_none() || end == owner.span.end);
            return may.then(|| Edit { span, text: format!(" {{ {code}; }}") });
        };
        let next = children.iter().find(|child| child.name == name).or(children.first())?;
        Some(self.before(next, code))
    }

    /// Returns the edit that adds an entry before another one.
    fn before(&self, next: &Node, code: &str) -> Edit {
        let start = next.name_span.start;
        let before = &self.source.text[..self.source.local(Span::new(start, start)).start];
        let indent = before.rsplit('\n').next().filter(|line| line.trim().is_empty());
        let text = indent.map_or_else(|| format!("{code}; "), |indent| format!("{code}\n{indent}"));
        Edit { span: Span::new(start, start), text }
    }

    fn without(&self, property: &NodeEntry) -> Option<Edit> {
        let (_, key) = property.key.as_ref()?;
        Some(Edit { span: with_blanks_before(self.source, key.to(property.span)), text: String::new() })
    }

    fn without_node(&self, node: &Node) -> Edit {
        removal(self.source, node.span)
    }
}

/// Returns the first argument of a node.
fn key(node: &Node) -> Option<&str> {
    match &node.entries.iter().find(|entry| entry.key.is_none())?.value {
        Scalar::Text(text) => Some(text),
        Scalar::Null | Scalar::Bool(_) | Scalar::Int(_) | Scalar::Float(_) => None,
    }
}

/// Returns whether a text is one node without placeholders: words in capitals, and words without quotes.
fn is_complete(text: &str) -> bool {
    let mut sources = Sources::default();
    let number = sources.add("help", Format::Kdl, text);
    let (kdl, found) = read_kdl(sources.get(number));
    let [node] = kdl.nodes.as_slice() else { return false };
    // Such as `NAME` and `gs://BUCKET/logs`.
    let is_placeholder = |text: &str| {
        let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
        text.contains('…') || words.any(|word| word.len() > 2 && word.bytes().all(|b| b.is_ascii_uppercase()))
    };
    let is_shown =
        |entry: &NodeEntry| entry.bare || matches!(&entry.value, Scalar::Text(text) if is_placeholder(text));
    found.is_empty()
        && node.children.is_none()
        && !node.entries.is_empty()
        && !node.entries.iter().any(is_shown)
}
