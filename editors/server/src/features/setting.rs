//! Settings in a project file, such as `set "role.worker.count=8"`: the field that a setting names, and its value in the specs.
use crate::cursor::{Cursor, Step};
use crate::diagnostics::Places;
use crate::documents::Document;
use crate::features::hover::{Origins, Place};
use crate::session::Session;
use lsp_types::Location;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use tfjob_driver::Checked;
use tfjob_driver::files::is_spec;
use tfjob_lang::merge::{self, Next, next};
use tfjob_lang::secrets;
use tfjob_lang::shape::Shape;
use tfjob_lang::sources::Span;
use tfjob_lang::syntax::literal::{kdl as literals, text_of};
use tfjob_lang::tree::{Entry, Tree};

/// Maximum number of specs that are read for a setting.
const MAX_SPECS: usize = 20;

/// Maximum number of lines of specs in a hover.
const MAX_LINES: usize = 8;

/// Returns the checks of the specs of an environment without one of its settings, by the path of the spec. If the project file has
/// errors outside of the setting, those of the specs in its directory. `path`: the nodes around the setting. `word`: its bytes.
#[must_use]
pub fn specs_without(
    session: &Session<'_>,
    document: &Document,
    path: &[Step],
    word: Range<usize>,
) -> Vec<(PathBuf, Vec<Checked>)> {
    let own = &document.path;
    let Some(root) = own.parent().filter(|root| root.is_absolute()) else { return Vec::new() };
    let is_below = |path: &&PathBuf| path.starts_with(root) && is_spec(&path.to_string_lossy());
    let all = || session.paths().filter(is_below);
    let environment = path.iter().find(|step| step.name == "environment");
    let environment = environment.and_then(|step| step.key.as_deref()).unwrap_or_default();
    // An incomplete setting is an error, and a project with errors has no environments.
    let mut text = document.text.clone();
    text.replace_range(word, "\"name=a\"");
    let mut unsaved = session.unsaved();
    Arc::make_mut(&mut unsaved).insert(own.clone(), text.into());
    let host = session.host;
    host.forget();
    let environments = |path: &PathBuf| host.environments(path, &unsaved);
    let is_wanted = |path: &&PathBuf| environments(path).iter().any(|name| name == environment);
    let mut specs: BTreeSet<PathBuf> = all().filter(is_wanted).take(MAX_SPECS).cloned().collect();
    if specs.is_empty() && all().all(|path| environments(path).is_empty()) {
        specs = all().take(MAX_SPECS).cloned().collect();
    }
    let check = |path: PathBuf| {
        let mut checked = session.checked_with(&path, &unsaved);
        let names = environments(&path);
        if let Some(number) = names.iter().position(|name| name == environment) {
            checked = checked.into_iter().skip(number).take(1).collect();
        }
        (path, checked)
    };
    let checks = specs.into_iter().map(check).collect();
    host.forget();
    checks
}

/// The key of a setting up to the name at the cursor; with the cursor in the value, the whole key.
struct Key {
    /// The text up to the end of the name.
    text: String,
    /// Offset of the name in the text.
    start: usize,
    /// The names, without quotes.
    names: Vec<String>,
}

impl Key {
    /// Returns the key at an offset of a document. `None` outside of a setting.
    fn at(document: &Document, root: &Shape, cursor: &Cursor, byte: usize) -> Option<Self> {
        cursor.field(root).filter(|field| field.has_settings() && cursor.quoted)?;
        let word = document.text.get(cursor.word.clone())?;
        let before = word.get(..byte - cursor.word.start)?;
        let before = match word.starts_with('#') {
            true => before.trim_start_matches('#').len().saturating_sub(1),
            // Escapes are shorter in the decoded text.
            false => text_of(&literals::units(&format!("{before}\"")).ok()?).len(),
        };
        let whole = text_of(&literals::units(word).ok()?);
        let (mut quoted, mut start, mut names, mut name) = (false, 0, Vec::new(), String::new());
        for (at, c) in whole.char_indices() {
            match c {
                '"' => quoted = !quoted,
                '.' | '=' if !quoted => {
                    names.push(std::mem::take(&mut name));
                    if c == '=' || at >= before {
                        return Some(Self { text: whole[..at].to_owned(), start, names });
                    }
                    start = at + 1;
                }
                c => name.push(c),
            }
        }
        None
    }

    /// Returns the entry that the key names in a spec with the defaults of its roles.
    fn entry<'t>(&self, tree: &'t Tree) -> Option<&'t Entry> {
        let mut names = self.names.iter();
        let find = |tree: &'t Tree, name: &str| tree.entries().iter().find(|entry| entry.key == name);
        let first = find(tree.get("job")?, names.next()?)?;
        names.try_fold(first, |entry, name| find(&entry.tree, name))
    }

    /// Returns the spans of the name of the entry in a checked spec, and of the name with its value.
    fn spans(&self, checked: &Checked, jobs: &Shape) -> Option<(Span, Span)> {
        let mut tree = checked.tree.clone()?;
        merge::give_defaults(&mut tree, jobs).ok()?;
        let Entry { key_span, tree, .. } = self.entry(&tree)?;
        let start = key_span.start.min(tree.span.start);
        Some((*key_span, Span::new(start, tree.span.end)))
    }
}

/// Returns the places in specs that a setting at an offset replaces.
#[must_use]
pub fn definitions(session: &Session<'_>, document: &Document, byte: usize) -> Vec<Location> {
    let root = session.shape(document);
    let Some(cursor) = Cursor::at(document, root, byte) else { return Vec::new() };
    let Some(key) = Key::at(document, root, &cursor, byte) else { return Vec::new() };
    let jobs = session.host.driver().registry().jobs;
    let mut found: Vec<Location> = Vec::new();
    for (_, checks) in specs_without(session, document, &cursor.path, cursor.word) {
        let places = checks.iter().filter_map(|checked| {
            let (_, location) =
                Places::new(&checked.batch, session.client.encoding).of(key.spans(checked, jobs)?.0)?;
            Some(location)
        });
        for location in places {
            found.extend((!found.contains(&location)).then_some(location));
        }
    }
    found
}

/// Returns the description of the field that the setting at the cursor names, and the lines of the specs that set it.
#[must_use]
pub fn described(place: &Place<'_>, cursor: &Cursor) -> Option<String> {
    let (session, document) = (place.session, place.document);
    let key = Key::at(document, place.root, cursor, place.byte)?;
    let jobs = session.host.driver().registry().jobs;
    let (mut about, mut accepted, mut lines) = (String::new(), String::new(), Vec::new());
    for (_, checks) in specs_without(session, document, &cursor.path, cursor.word.clone()) {
        let scrubber = secrets::scrubber(checks.iter().map(|one| &one.batch.sources));
        for checked in &checks {
            let Some(tree) = &checked.tree else { continue };
            let mut names =
                next(tree, jobs, &key.text[..key.start]).into_iter().filter_map(|next| match next {
                    Next::Name { name, about, .. } if name == key.text[key.start..] => Some(about),
                    Next::Name { .. } | Next::Value { .. } => None,
                });
            about = names.next().map_or(about, str::to_owned);
            let mut values =
                next(tree, jobs, &format!("{}=", key.text)).into_iter().filter_map(|next| match next {
                    Next::Value { shape, .. } => Some(shape.words()),
                    Next::Name { .. } => None,
                });
            accepted = values.next().unwrap_or(accepted);
            let own = Place { checked: std::slice::from_ref(checked), ..*place };
            let line = key
                .spans(checked, jobs)
                .and_then(|(_, span)| Origins::new(&own, &checked.batch, &scrubber).shown(span));
            lines.extend(line.filter(|line| !lines.contains(line)));
        }
    }
    let mut parts = format!("```kdl\n{}\n```", key.text);
    for (head, text) in [("", about), ("Accepted: ", accepted)] {
        if !text.is_empty() {
            let _ = write!(parts, "\n\n{head}{text}");
        }
    }
    lines.truncate(MAX_LINES);
    if !lines.is_empty() {
        let _ = write!(parts, "\n\nReplaces:\n\n- {}", lines.join("\n- "));
    }
    Some(parts)
}
