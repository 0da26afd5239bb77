//! What is known at the cursor: its block, the names of the spec, and the cluster file.
use super::references;
use super::values::{Expected, expected};
use crate::cursor::{Cursor, Located, locate, tree_at};
use crate::data::{Data, Value as Datum};
use crate::documents::Document;
use crate::outline::{Node, Outline};
use crate::session::Session;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use tfjob_driver::files::{format_in, format_of, is_cluster};
use tfjob_driver::{Checked, Loaded};
use tfjob_lang::analysis::tree_of;
use tfjob_lang::secrets::{Scrubber, in_value};
use tfjob_lang::shape::{Shape, normalize};
use tfjob_lang::sources::{Format, Span};
use tfjob_lang::syntax::literal::{kdl as literals, text_of};
use tfjob_lang::tree::{Entry, Tree, Value};

/// What is known at the cursor.
pub struct Context<'s> {
    /// The session, for other files and the settings of the editor.
    pub session: &'s Session<'s>,
    /// The document.
    pub document: &'s Document,
    /// Shape of the file.
    pub root: &'static Shape,
    /// Offset of the cursor.
    pub byte: usize,
    /// What is at the cursor.
    pub cursor: Cursor,
    /// The keys around the cursor, in JSON and YAML.
    pub located: Option<Located>,
    /// The nodes around the cursor, in KDL.
    pub outline: Outline,
    /// The document as a tree, also if it has errors.
    own: Tree,
    /// The cluster files of the project, without credentials: these files may not be open.
    pub clusters: Vec<Tree>,
}

impl<'s> Context<'s> {
    /// Returns what is known at an offset. `None` in a comment, and where nothing can be written.
    pub fn of(session: &'s Session<'s>, document: &'s Document, byte: usize) -> Option<Self> {
        let root = session.shape(document);
        let name = document.path.to_string_lossy();
        let text = &document.text;
        let format = format_in(&name, text);
        let kdl = |text: &str| {
            let outline = Outline::of(text);
            let cursor = Cursor::of(text, &outline, byte)?;
            let (name, text) = (name.clone().into_owned(), text.to_owned());
            let own = tree_of(&Loaded { name, text, format: Format::Kdl }, root);
            let clusters = clusters(session, document);
            Some(Self { session, document, root, byte, cursor, located: None, outline, own, clusters })
        };
        let data = |text: &str| {
            let located = locate(text, format, root, byte)?;
            let mut own = Data::of(text, format).root.as_ref().map_or_else(nothing, tree);
            normalize(&mut own, root);
            let (cursor, outline) = (located.cursor.clone(), Outline::default());
            let clusters = clusters(session, document);
            Some(Self {
                session,
                document,
                root,
                byte,
                cursor,
                located: Some(located),
                outline,
                own,
                clusters,
            })
        };
        let of = |text: &str| match format {
            Format::Kdl | Format::Set => kdl(text),
            Format::Json | Format::Yaml => data(text),
        };
        // `{` starts an object in YAML, and a block in KDL after an unterminated string, but a user may mean a reference.
        let masked = without_braces(text, byte, format);
        let reference = masked.and_then(|masked| of(&masked)).filter(references::is_expanded);
        // `#` starts a comment in other languages, but a user may mean `#true`.
        let masked = || without_hash(text, byte, format);
        let is_flag = |own: &Self| matches!(expected(own), Some(Expected::Value(_, Shape::Flag)));
        let flag = || masked().and_then(|masked| of(&masked)).filter(is_flag);
        reference.or_else(flag).or_else(|| of(text))
    }

    /// Returns the format of the document.
    pub const fn format(&self) -> Format {
        self.cursor.format
    }

    /// Returns the word at the cursor, with its quotes.
    pub fn word(&self) -> &str {
        self.document.text.get(self.cursor.word.clone()).unwrap_or_default()
    }

    /// Returns the text before the cursor.
    pub fn before(&self) -> &str {
        &self.document.text[..self.byte]
    }

    /// Returns the bytes that an item replaces: the word at the cursor. If the word is an unterminated string, returns
    /// only its first word, because the rest of the line may not belong to the string.
    pub fn range(&self) -> Range<usize> {
        let word = self.cursor.word.clone();
        if !(word.start <= self.byte && self.byte <= word.end) {
            return self.byte..self.byte;
        }
        if !self.cursor.quoted || is_closed(self.word()) {
            return word;
        }
        let rest = &self.document.text[self.byte..word.end];
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ':');
        let length = rest.find(|c: char| !plain(c)).unwrap_or(rest.len());
        word.start..self.byte + length
    }

    /// Returns whether the cursor is inside a string, and not after its closing quote.
    pub fn in_string(&self) -> bool {
        let word = &self.cursor.word;
        let inside = word.start < self.byte && (self.byte < word.end || !is_closed(self.word()));
        if self.cursor.quoted { inside } else { self.format() == Format::Yaml }
    }

    /// Returns the quote of the string around the cursor, if the string has its closing quote. `None` for a raw string, and for one
    /// with several lines.
    pub fn closed_quote(&self) -> Option<char> {
        let quote = self.word().chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let is_short =
            is_closed(self.word()) && !self.word().contains('\n') && !self.word().starts_with("\"\"\"");
        (self.in_string() && self.cursor.quoted && is_short).then_some(quote)
    }

    /// Returns the text of the word before the cursor, without its quote.
    pub fn typed(&self) -> &str {
        let typed = self.document.text.get(self.range().start..self.byte).unwrap_or_default();
        if self.cursor.quoted { typed.trim_start_matches(['"', '\'', '#']) } else { typed }
    }

    /// Returns the text of the word before the cursor, without its quote and its escapes.
    pub fn decoded(&self) -> String {
        let typed = self.typed();
        if self.format() != Format::Kdl || self.word().starts_with('#') {
            return typed.to_owned();
        }
        literals::units(&format!("\"{typed}\"")).map_or_else(|_| typed.to_owned(), |units| text_of(&units))
    }

    /// Returns the nodes around the cursor, outermost first, as in [`Cursor::path`].
    pub fn chain(&self) -> Vec<&Node> {
        let mut chain = Vec::new();
        let mut nodes = self.outline.nodes.as_slice();
        for step in &self.cursor.path {
            let at = |node: &&Node| node.line.start <= self.byte && self.byte <= node.line.end;
            let Some(node) = nodes.iter().find(at).filter(|node| node.name.text == step.name) else { break };
            chain.push(node);
            nodes = node.nodes();
        }
        chain
    }

    /// Returns the node whose name is at the cursor, in KDL.
    pub fn node(&self) -> Option<&Node> {
        let nodes = self.chain().last().map_or(self.outline.nodes.as_slice(), |node| node.nodes());
        nodes.iter().find(|node| node.name.bytes == self.cursor.word)
    }

    /// Returns the names of the fields that are in the block already, without the one at the cursor.
    pub fn present(&self) -> Vec<&str> {
        if let Some(located) = &self.located {
            return located.siblings.iter().map(String::as_str).collect();
        }
        let chain = self.chain();
        let nodes = chain.last().map_or(self.outline.nodes.as_slice(), |node| node.nodes()).iter();
        let nodes = nodes.filter(|node| !node.disabled && node.name.bytes != self.cursor.word);
        nodes.map(|node| node.name.text.as_str()).collect()
    }

    /// Returns the trees of the spec: the document, and the document merged with its base files.
    pub fn trees(&self) -> impl Iterator<Item = &Tree> {
        std::iter::once(&self.own).chain(self.merged().map(|(_, tree)| tree))
    }

    /// Returns the checks of the document, each with the document merged with its base files.
    pub fn merged(&self) -> impl Iterator<Item = (&Checked, &Tree)> {
        let results = self.session.last(&self.document.path);
        let checked = results.into_iter().flat_map(|results| &results.checked);
        checked.filter_map(|checked| Some((checked, checked.tree.as_ref()?)))
    }

    /// Returns, for each tree of the spec, the tree of the job and, if the cursor is in a role, the tree of this role.
    pub fn scopes(&self) -> Vec<&Tree> {
        self.trees().flat_map(|tree| self.scopes_in(tree)).collect()
    }

    /// Returns the scopes of one tree.
    pub fn scopes_in<'t>(&self, tree: &'t Tree) -> Vec<&'t Tree> {
        let Some(job) = tree.get("job") else { return Vec::new() };
        let role = self.role().and_then(|(block, name)| job.get(block)?.get(name));
        std::iter::once(job).chain(role).collect()
    }

    /// Returns the block (`role` or `helper`) and the name of the role around the cursor.
    pub fn role(&self) -> Option<(&str, &str)> {
        let step = self.cursor.path.get(1)?;
        let is_role = matches!(step.name.as_str(), "role" | "helper");
        Some((step.name.as_str(), step.key.as_deref()?)).filter(|_| is_role)
    }

    /// Returns the tree at the path of the cursor, in each tree of the spec.
    pub fn here(&self) -> Vec<&Tree> {
        self.trees().filter_map(|tree| tree_at(tree, self.root.object()?, &self.cursor.path)).collect()
    }

    /// Returns the values of all fields with this name, in the spec and its base files.
    pub fn used(&self, name: &str) -> Vec<String> {
        let mut found = Vec::new();
        for tree in self.trees() {
            collect(tree, name, &mut found);
        }
        let own = self.cursor_text();
        let mut known = BTreeSet::new();
        found.retain(|text| text != own && known.insert(text.clone()));
        found
    }

    /// Returns the word at the cursor without its quotes, also those of a raw string.
    pub fn cursor_text(&self) -> &str {
        let word = self.word();
        let is_raw = word.starts_with('#') && word.contains('"');
        if is_raw { word.trim_matches(['#', '"']) } else { word.trim_matches(['"', '\'']) }
    }
}

/// Returns whether a string has its closing quote. A string that ends with `="` is closed by the opening quote of the next value.
fn is_closed(word: &str) -> bool {
    let Some(quote) = word.trim_start_matches('#').chars().next() else { return false };
    let ends = word.trim_end_matches('#').ends_with(quote) && word.trim_matches('#').len() > 1;
    let inner = word.trim_matches(['#', quote]);
    let takes_next = inner.ends_with('=') && inner.contains(' ');
    ends && !takes_next && (!word.contains('\n') || word.trim_start_matches('#').starts_with("\"\"\""))
}

/// Returns a text of the same length without the braces of the reference at an offset. `None` if there is no brace before the
/// offset, or only that of a block of KDL.
fn without_braces(text: &str, byte: usize, format: Format) -> Option<String> {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    let open = text[..byte].rfind(|c| !plain(c)).filter(|at| text[*at..].starts_with('{'))?;
    let is_block = text[..open].ends_with([' ', '\t', '\n']) && format != Format::Yaml;
    if is_block || format == Format::Json {
        return None;
    }
    let length = text[byte..].find(|c| !plain(c)).unwrap_or(text.len() - byte);
    let mut masked = text.to_owned();
    masked.replace_range(open..=open, "z");
    if text[byte + length..].starts_with('}') {
        masked.replace_range(byte + length..=byte + length, "z");
    }
    Some(masked)
}

/// Returns a text of the same length without the `#` of the KDL keyword before an offset, such as `#true`. `None` if there
/// is no such `#`.
fn without_hash(text: &str, byte: usize, format: Format) -> Option<String> {
    let hash =
        text[..byte].rfind(|c: char| !c.is_ascii_alphabetic()).filter(|at| text[*at..].starts_with('#'))?;
    let mut masked = text.to_owned();
    masked.replace_range(hash..=hash, "z");
    (format == Format::Kdl).then_some(masked)
}

fn nothing() -> Tree {
    Tree::map(Span::default(), Vec::new())
}

/// Converts a value of JSON or YAML to a tree without spans.
fn tree(value: &Datum) -> Tree {
    let span = Span::default();
    let value = match value {
        Datum::Scalar(word) => Value::Text(word.text.clone()),
        Datum::List(items) => Value::List(items.iter().map(tree).collect()),
        Datum::Map(pairs) => {
            let entry = |key: &str, value: Option<&Datum>| Entry {
                key: key.to_owned(),
                key_span: span,
                tree: value.map_or_else(nothing, tree),
            };
            Value::Map(pairs.iter().map(|pair| entry(&pair.key.text, pair.value.as_ref())).collect())
        }
    };
    Tree { span, value }
}

/// Returns the cluster files that the document was checked against.
fn clusters(session: &Session<'_>, document: &Document) -> Vec<Tree> {
    let registry = *session.host.driver().registry();
    let checked = session.last(&document.path).into_iter().flat_map(|results| &results.checked);
    let sources = checked.filter_map(|checked| checked.batch.sources.iter().next());
    let files = sources
        .filter(|source| is_cluster(Path::new(&source.name)) && Path::new(&source.name) != document.path);
    let loaded = files.map(|source| Loaded {
        name: source.name.clone(),
        text: source.text.clone(),
        format: format_of(&source.name),
    });
    let mut trees: Vec<Tree> = loaded.map(|loaded| tree_of(&loaded, (registry.clusters)())).collect();
    if let Some(results) = session.last(&document.path) {
        trees.iter_mut().for_each(|tree| remove_credentials(tree, "", results.scrubber()));
    }
    trees
}

/// Removes the names and strings of a tree that contain a credential. `key`: the key of the tree.
fn remove_credentials(tree: &mut Tree, key: &str, scrubber: &Scrubber) {
    let is_safe = |key: &str, text: &str| scrubber.find(text).is_empty() && in_value(key, text).is_empty();
    match &mut tree.value {
        Value::Map(entries) => {
            entries.retain(|entry| is_safe("", &entry.key));
            entries.iter_mut().for_each(|entry| remove_credentials(&mut entry.tree, &entry.key, scrubber));
        }
        Value::List(items) => items.iter_mut().for_each(|item| remove_credentials(item, key, scrubber)),
        Value::Text(text) if !is_safe(key, text) => tree.value = Value::Hole,
        Value::Text(_) | Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Hole => {}
    }
}

/// Collects the strings of all fields with this name.
fn collect(tree: &Tree, name: &str, found: &mut Vec<String>) {
    for entry in tree.entries() {
        if entry.key == name {
            found.extend(entry.tree.text().map(str::to_owned));
            // A field with one argument, such as `image`.
            let first = entry.tree.entries().first().filter(|first| first.is_plain());
            found.extend(first.and_then(|first| first.tree.text()).map(str::to_owned));
        }
        collect(&entry.tree, name, found);
    }
    if let Value::List(items) = &tree.value {
        items.iter().for_each(|item| collect(item, name, found));
    }
}
