//! Symbols: the outline of a document, and the names of the workspace.
pub(super) mod data;

use crate::documents::Document;
use crate::names;
use crate::outline::{Node, Word};
use crate::results::masked;
use crate::session::Session;
use lsp_types::{DocumentSymbol, SymbolInformation, SymbolKind, SymbolTag, Uri};
use std::borrow::Cow;
use tfjob_lang::mentions::Kind;
use tfjob_lang::shape::{Object, Place};
use tfjob_lang::sources::Format;

/// Returns the entries of a document, nested as in its text.
pub fn document(session: &mut Session<'_>, uri: &Uri) -> Option<Vec<DocumentSymbol>> {
    let path = session.document(uri)?.path.clone();
    // The credentials are those of the current text.
    session.results(&path);
    let document = session.document(uri)?;
    let format = document.format();
    let root = session.shape(document);
    let masked = match session.last(&path) {
        Some(results) => Cow::Borrowed(results.masked(document)),
        None => Cow::Owned(masked(document, &[])),
    };
    let view = View { document, masked };
    if format != Format::Kdl {
        return Some(data::symbols(&view, format, root.object()));
    }
    Some(nodes(&view, &document.outline().nodes, root.object()))
}

/// A document, and its text with masked credentials, from which details are taken.
struct View<'d> {
    document: &'d Document,
    /// Has the length of the text in bytes, so that places stay valid.
    masked: Cow<'d, str>,
}

impl View<'_> {
    /// Returns the text of a word; if it contains a credential, the word as written, with masks.
    fn shown<'w>(&'w self, word: &'w Word) -> &'w str {
        let masked = self.masked.get(word.bytes.clone()).unwrap_or_default();
        let is_plain = self.document.text.get(word.bytes.clone()) == Some(masked);
        if is_plain { &word.text } else { masked.trim_matches(['"', '\'']) }
    }
}

fn nodes(view: &View<'_>, nodes: &[Node], object: Option<&Object>) -> Vec<DocumentSymbol> {
    let shown = nodes.iter().filter(|node| !node.disabled && !node.name.text.is_empty());
    shown.map(|node| symbol(view, node, object)).collect()
}

#[expect(deprecated, reason = "LSP has a field that is replaced by tags")]
fn symbol(view: &View<'_>, node: &Node, object: Option<&Object>) -> DocumentSymbol {
    let field = object.and_then(|object| object.field(&node.name.text));
    let inner = field.and_then(|field| field.block(node.key()));
    let keyed = field.is_some_and(|field| matches!(field.place, Place::Named | Place::Targets))
        || node.name.text == "job";
    let key = node.arguments().next().filter(|word| keyed && !word.text.is_empty());
    let name = match key {
        Some(word) => format!("{} {}", node.name.text, view.shown(word)),
        None => view.shown(&node.name).to_owned(),
    };
    let children = nodes_in(view, node, inner);
    DocumentSymbol {
        name,
        detail: Some(detail(view, node, key.is_some())).filter(|detail| !detail.is_empty()),
        kind: kind(&node.name.text, node.block.is_some()),
        tags: None::<Vec<SymbolTag>>,
        deprecated: None,
        range: view.document.range(node.bytes.clone()),
        selection_range: view.document.range(node.name.bytes.clone()),
        children: Some(children).filter(|children| !children.is_empty()),
    }
}

fn nodes_in(view: &View<'_>, node: &Node, object: Option<&Object>) -> Vec<DocumentSymbol> {
    nodes(view, node.nodes(), object)
}

/// Maximum length of a detail, in characters.
const MAX_DETAIL: usize = 60;

/// Returns the arguments and properties of a node as written, without the one in its name.
fn detail(view: &View<'_>, node: &Node, has_key: bool) -> String {
    let rest = node.entries.iter().skip(usize::from(has_key));
    let texts = rest.filter_map(|entry| view.masked.get(entry.bytes.clone()));
    shortened(&texts.collect::<Vec<_>>().join(" "))
}

/// Returns a text on one line, with at most [`MAX_DETAIL`] characters.
fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MAX_DETAIL {
        return line;
    }
    line.chars().take(MAX_DETAIL - 1).chain(['…']).collect()
}

/// Returns the icon of an entry.
fn kind(name: &str, has_block: bool) -> SymbolKind {
    match name {
        "job" | "cluster" | "project" => SymbolKind::MODULE,
        "role" | "helper" | "nodes" => SymbolKind::CLASS,
        "target" | "environment" => SymbolKind::NAMESPACE,
        "data" | "files" | "checkpoints" | "code" => SymbolKind::FILE,
        "param" => SymbolKind::CONSTANT,
        "port" => SymbolKind::INTERFACE,
        "secret" => SymbolKind::KEY,
        "run" | "shell" => SymbolKind::FUNCTION,
        "extends" => SymbolKind::PACKAGE,
        _ if has_block => SymbolKind::STRUCT,
        _ => SymbolKind::FIELD,
    }
}

/// Maximum number of symbols in an answer.
const MAX_SYMBOLS: usize = 500;

/// Returns the names that all specs declare, if they contain the characters of the query in this order.
#[expect(deprecated, reason = "LSP has a field that is replaced by tags")]
pub fn workspace(session: &mut Session<'_>, query: &str) -> Vec<SymbolInformation> {
    let mut found = Vec::new();
    names::each_of_workspace(session, &mut |session, file| {
        let job = file.mentions.iter().find(|one| one.kind == Kind::Job && one.declares);
        for mention in file.mentions.iter().filter(|one| one.declares && matches(&one.name, query)) {
            let place = names::Place { file, mention };
            let Some(location) = place.location(session.client.encoding) else { continue };
            found.push(SymbolInformation {
                name: mention.name.clone(),
                kind: kind_of(mention.kind),
                tags: None,
                deprecated: None,
                location,
                container_name: mention.role.clone().or_else(|| job.map(|job| job.name.clone())),
            });
        }
        found.len() < MAX_SYMBOLS
    });
    found.truncate(MAX_SYMBOLS);
    found
}

/// Returns whether a name contains the characters of a query in order, in any case.
fn matches(name: &str, query: &str) -> bool {
    let mut rest = name.chars().map(|c| c.to_ascii_lowercase());
    query.chars().all(|wanted| rest.any(|c| c == wanted.to_ascii_lowercase()))
}

const fn kind_of(kind: Kind) -> SymbolKind {
    match kind {
        Kind::Role => SymbolKind::CLASS,
        Kind::Data | Kind::Files | Kind::Code | Kind::Checkpoints => SymbolKind::FILE,
        Kind::Param => SymbolKind::CONSTANT,
        Kind::Port => SymbolKind::INTERFACE,
        Kind::Variable => SymbolKind::KEY,
        Kind::Target => SymbolKind::NAMESPACE,
        Kind::Job => SymbolKind::MODULE,
    }
}
