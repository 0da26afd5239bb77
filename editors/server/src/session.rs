//! The state of the server: open documents, and the last result of each checked file.
use crate::client::Client;
use crate::conflicts;
use crate::documents::{Document, is_shared, normal, parse_uri, path_in, path_of};
use crate::host::{Host, Options, Specs, Unsaved};
use crate::results::Results;
use crate::shown::Shown;
use lsp_types::{NumberOrString, Position, PublishDiagnosticsParams, TextDocumentContentChangeEvent, Uri};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use tfjob_driver::Checked;
use tfjob_driver::files::{is_cluster, is_project, is_spec};
use tfjob_lang::diagnostic::Code;
use tfjob_lang::mentions::Mention;
use tfjob_lang::shape::Shape;

/// The state of the server.
pub struct Session<'h> {
    /// The editor.
    pub client: Client,
    /// Files and checks.
    pub host: &'h dyn Host,
    /// The open documents, by path.
    pub documents: BTreeMap<PathBuf, Document>,
    /// The results of each checked file, by path.
    results: BTreeMap<PathBuf, Results>,
    /// Files to check again.
    stale: BTreeSet<PathBuf>,
    /// What the editor shows.
    shown: Shown,
    /// Why some specs of the opened directories are not checked. `None` if all are known.
    unknown: Option<&'static str>,
}

/// Maximum number of files that are checked before the next message is received, besides the open documents.
const SLICE: usize = 16;

/// Maximum number of specs that are checked although they are not open.
const MAX_CLOSED: usize = 1_000;

/// Why some specs are unknown if there are more.
const TOO_MANY: &str = "the workspace has more than 1,000 specs, so some of them are not checked: open a directory with fewer specs";

/// Why some specs are unknown if [`Host::specs`] searches only a part of a directory.
const TOO_LARGE: &str =
    "the workspace has too many files, so some specs are not checked: open a directory with fewer files";

impl<'h> Session<'h> {
    /// Creates a session without documents.
    #[must_use]
    pub fn new(client: Client, host: &'h dyn Host) -> Self {
        Self {
            client,
            host,
            documents: BTreeMap::new(),
            results: BTreeMap::new(),
            stale: BTreeSet::new(),
            shown: Shown::default(),
            unknown: None,
        }
    }

    /// Returns the open document with this URI. `None` if it is too large.
    #[must_use]
    pub fn document(&self, uri: &Uri) -> Option<&Document> {
        self.documents.get(&path_in(uri)).filter(|document| !document.is_too_large())
    }

    /// Returns the names in a document, if it is a spec.
    #[must_use]
    pub fn mentions(&self, document: &Document) -> Rc<Vec<Mention>> {
        let last = self.last(&document.path).and_then(|results| results.checked.first());
        document.mentions(self.host.driver().registry(), last)
    }

    /// Returns the path of an open document, and the byte offset of a position in it.
    #[must_use]
    pub fn place(&self, uri: &Uri, position: Position) -> Option<(PathBuf, usize)> {
        let document = self.document(uri)?;
        Some((document.path.clone(), document.byte(position)))
    }

    /// Returns the shape of a document: of a spec, a cluster file, or a project file, by its name.
    #[must_use]
    pub fn shape(&self, document: &Document) -> &'static Shape {
        let registry = *self.host.driver().registry();
        if is_project(&document.path) {
            (registry.projects)()
        } else if is_cluster(&document.path) {
            (registry.clusters)()
        } else {
            registry.jobs
        }
    }

    /// Finds the specs of the directories that the user opened. They are checked too, because an edit of a base or of a cluster
    /// file may cause errors in them.
    pub fn find_specs(&mut self) {
        let found: Vec<Specs> = self.folders().map(|folder| self.host.specs(&folder)).collect();
        let is_complete = found.iter().all(|one| one.is_complete);
        let mut paths: Vec<PathBuf> = found.into_iter().flat_map(|one| one.paths).collect();
        let mut known = BTreeSet::new();
        paths.retain(|path| known.insert(path.clone()));
        self.unknown = match paths.len() > MAX_CLOSED {
            true => Some(TOO_MANY),
            false => Some(TOO_LARGE).filter(|_| !is_complete),
        };
        for path in paths.into_iter().take(MAX_CLOSED) {
            self.results.entry(path.clone()).or_default();
            self.stale.insert(path);
        }
    }

    /// Returns why some specs of the opened directories are not checked, and what to do. `None` if all are known.
    #[must_use]
    pub const fn unknown_specs(&self) -> Option<&'static str> {
        self.unknown
    }

    /// Finds the specs again after the user opened or closed directories. Closed documents outside of the directories are forgotten.
    pub fn changed_folders(&mut self) {
        self.host.forget();
        let is_outside = |path: &&PathBuf| {
            !self.documents.contains_key(*path) && !self.folders().any(|folder| path.starts_with(folder))
        };
        let outside: Vec<PathBuf> = self.results.keys().filter(is_outside).cloned().collect();
        outside.iter().for_each(|path| self.forget(path));
        self.changed_all();
        self.find_specs();
    }

    /// Adds a document that the editor opened.
    pub fn open(&mut self, document: Document) {
        let path = document.path.clone();
        self.documents.insert(path.clone(), document);
        self.shown.touch(&path);
        if !self.results.contains_key(&path) {
            // The file may be new, and its project is cached without it.
            self.host.forget();
        }
        self.changed(&path);
        self.changed_shared(&path);
    }

    /// Applies the changes of a notification to an open document.
    pub fn edit(&mut self, uri: &Uri, version: Option<i32>, changes: Vec<TextDocumentContentChangeEvent>) {
        let path = path_in(uri);
        let Some(document) = self.documents.get_mut(&path) else { return };
        document.change(version, changes);
        self.shown.touch(&path);
        self.changed(&path);
        self.changed_shared(&path);
    }

    fn changed_shared(&mut self, path: &Path) {
        if is_shared(path) {
            self.host.forget();
            self.changed_all();
        }
    }

    /// Marks files that changed on disk. `existed`: whether the file existed before, and still does. If a file was created or
    /// deleted, all files are checked again, because any spec may extend it.
    pub fn changed_on_disk(&mut self, files: Vec<(PathBuf, bool)>) {
        if files.is_empty() {
            return;
        }
        // The first save of a document creates its file, so a project may contain it now.
        self.host.forget();
        let affects_all = files.iter().any(|(path, existed)| !existed || is_shared(path));
        for (path, existed) in files {
            let is_known = is_spec(&path.to_string_lossy()) || is_shared(&path);
            // A notification can name any file, also a link out of the opened directories.
            let is_inside =
                |folder: PathBuf| normal(&path).starts_with(&folder) && self.host.contains(&folder, &path);
            let is_own = || self.folders().any(is_inside);
            if !existed && is_known && !self.results.contains_key(&path) && is_own() {
                if self.results.len() < MAX_CLOSED {
                    self.results.insert(path.clone(), Results::default());
                } else {
                    self.unknown = Some(TOO_MANY);
                }
            }
            if affects_all {
                self.stale.insert(path);
            } else {
                self.changed(&path);
            }
        }
        if affects_all {
            self.changed_all();
        }
    }

    /// Removes a document that the editor closed. Other files may still read it from disk; edits that were not saved are lost.
    pub fn close(&mut self, uri: &Uri) {
        let path = path_in(uri);
        if self.documents.remove(&path).is_none() {
            return;
        }
        self.shown.touch(&path);
        self.changed(&path);
        self.changed_shared(&path);
        // Outside of the directories that the user opened, closed files are not checked.
        if !self.folders().any(|folder| path.starts_with(folder)) {
            self.forget(&path);
        }
    }

    /// Returns the directories that the user opened.
    fn folders(&self) -> impl Iterator<Item = PathBuf> {
        self.client.folders.iter().filter_map(|uri| path_of(&parse_uri(uri).ok()?))
    }

    /// Marks a file, and all files that were checked with it, as changed.
    pub fn changed(&mut self, path: &Path) {
        self.stale.insert(path.to_path_buf());
        let readers = self.results.iter().filter(|(_, results)| results.reads.contains(path));
        self.stale.extend(readers.map(|(path, _)| path.clone()));
    }

    /// Marks all open documents and all checked files as changed, because a change may affect any of them.
    pub fn changed_all(&mut self) {
        self.stale.extend(self.documents.keys().chain(self.results.keys()).cloned());
    }

    /// Marks all files as changed, because the editor may not report each change on disk.
    pub fn read_again(&mut self) {
        self.host.forget();
        self.changed_all();
    }

    /// Returns the current text of a file: of the open document, otherwise of the file on disk.
    #[must_use]
    pub fn text(&self, path: &Path) -> Option<String> {
        self.documents.get(path).map(|open| open.text.clone()).or_else(|| self.host.text(path))
    }

    /// Returns whether a text is the current one of a file: of the open document, otherwise of the file on disk.
    #[must_use]
    pub fn is_current(&self, path: &Path, text: &str) -> bool {
        match self.documents.get(path) {
            Some(open) => open.text == text,
            None => self.host.text(path).is_some_and(|current| current == text),
        }
    }

    /// Returns whether a file must be checked, or findings must be published.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        !self.stale.is_empty() || self.shown.is_unpublished()
    }

    /// Returns whether all open documents were checked since their last change.
    #[must_use]
    pub fn is_checked(&self) -> bool {
        !self.stale.iter().any(|path| self.documents.contains_key(path))
    }

    /// Checks the changed files. Returns the findings of all files whose findings changed.
    pub fn refresh(&mut self) -> Vec<PublishDiagnosticsParams> {
        let unsaved = self.unsaved();
        let (open, closed): (Vec<PathBuf>, Vec<PathBuf>) =
            self.stale.iter().cloned().partition(|path| self.documents.contains_key(path));
        let has_open = !open.is_empty();
        for path in open.into_iter().chain(closed.into_iter().take(SLICE)) {
            self.stale.remove(&path);
            if self.documents.contains_key(&path) || self.results.contains_key(&path) {
                self.check(path, &unsaved);
            }
        }
        // The findings in a base are those of all specs that extend it, so they are not collected again after each slice.
        if has_open || self.stale.is_empty() {
            return self.shown.publish(&self.documents, &self.results);
        }
        Vec::new()
    }

    /// Returns the results of a document, as of its current text.
    pub fn results(&mut self, path: &Path) -> Option<&Results> {
        if self.stale.remove(path) || !self.results.contains_key(path) {
            if !self.results.contains_key(path) {
                self.documents.get(path)?;
            }
            let unsaved = self.unsaved();
            // The findings are published with the next refresh.
            self.check(path.to_path_buf(), &unsaved);
        }
        self.results.get(path)
    }

    /// Returns the names of the environments of a document, in the order of its last results. Empty if there is only one result, and its
    /// environment changes no value.
    #[must_use]
    pub fn environments(&self, path: &Path) -> Vec<String> {
        let changes = |results: &Results| results.reads.iter().any(|read| is_shared(read) && read != path);
        if self.last(path).is_none_or(|results| results.checked.len() < 2 && !changes(results)) {
            return Vec::new();
        }
        self.host.environments(path, &self.unsaved())
    }

    /// Returns the results of all checked files, by path.
    pub fn all_results(&self) -> impl Iterator<Item = (&PathBuf, &Results)> {
        self.results.iter()
    }

    /// Checks all changed files, for a request about several files. The findings are published with the next refresh.
    pub fn check_all(&mut self) {
        let is_known =
            |path: &&PathBuf| self.results.contains_key(*path) || self.documents.contains_key(*path);
        let all: Vec<PathBuf> = self.stale.iter().filter(is_known).cloned().collect();
        let unsaved = self.unsaved();
        for path in all {
            self.stale.remove(&path);
            self.check(path, &unsaved);
        }
    }

    /// Returns the last results of a document, which may be those of an older text.
    #[must_use]
    pub fn last(&self, path: &Path) -> Option<&Results> {
        self.results.get(path)
    }

    /// Returns the findings of a file with this code that the editor shows, and that a test accepts. `None` if there are none.
    #[must_use]
    pub fn shown(
        &self,
        path: &Path,
        code: &Code,
        is_wanted: impl Fn(&lsp_types::Diagnostic) -> bool,
    ) -> Option<Vec<lsp_types::Diagnostic>> {
        let has_code = |one: &lsp_types::Diagnostic| matches!(&one.code, Some(NumberOrString::String(name)) if name == code.name);
        let all = self.shown.of(path).iter().filter(|one| has_code(one) && is_wanted(one));
        Some(all.map(|one| lsp_types::Diagnostic::clone(one)).collect::<Vec<_>>())
            .filter(|all| !all.is_empty())
    }

    /// Returns whether other specs extend a file, so that its own findings are not shown.
    #[must_use]
    pub fn is_base(&self, path: &Path) -> bool {
        self.shown.is_base(path)
    }

    /// Returns the paths of all known files: those in the directories that the user opened, and the open documents.
    pub fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.results.keys().chain(self.documents.keys())
    }

    /// Returns the options of a check: the targets of the settings of the editor.
    #[must_use]
    pub fn options(&self) -> Options {
        let registry = *self.host.driver().registry();
        let targets = self.client.targets.iter().filter_map(|name| registry.target(name));
        Options { targets: targets.collect(), artifacts: false }
    }

    /// Checks a file with other texts of the open documents. Returns the results, which are not published.
    #[must_use]
    pub fn checked_with(&self, path: &Path, unsaved: &Unsaved) -> Vec<Checked> {
        self.host.check(path, &self.options(), unsaved).and_then(Result::ok).unwrap_or_default()
    }

    /// Returns the texts of the open documents.
    #[must_use]
    pub fn unsaved(&self) -> Unsaved {
        Arc::new(self.documents.iter().map(|(path, document)| (path.clone(), document.shared())).collect())
    }

    fn check(&mut self, path: PathBuf, unsaved: &Unsaved) {
        let folder = self.folders().find(|folder| path.starts_with(folder));
        let place = (path.as_path(), folder.as_deref());
        let mut results = match self.host.check(&path, &self.options(), unsaved) {
            None => return self.forget(&path),
            Some(Err(reason)) => Results::failed(&path, reason),
            Some(Ok(checked)) => Results::new(place, checked, self.client.encoding),
        };
        if results.checked.iter().any(|one| one.plan.is_some()) {
            let runs = self.host.runs(&path, unsaved);
            results.jobs = conflicts::jobs(place, runs, &results.checked, self.client.encoding);
        }
        if self.documents.contains_key(&path) {
            results.mark_partial(&path);
            results.add_summary(&path, self.client.encoding);
        } else {
            results.checked.clear();
        }
        let old = self.results.get(&path);
        self.shown.change(old, Some(&results));
        self.results.insert(path, results);
    }

    /// Removes the results of a file.
    fn forget(&mut self, path: &Path) {
        self.shown.change(self.results.remove(path).as_ref(), None);
    }
}
