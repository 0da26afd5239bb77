//! The state of the server: open documents, and the last result of each checked file.
use crate::client::Client;
use crate::diagnostics;
use crate::documents::{Document, path_of, uri_of};
use crate::host::{Host, Options, Unsaved};
use crate::names::FileNames;
use lsp_types::{NumberOrString, Position, PublishDiagnosticsParams, TextDocumentContentChangeEvent, Uri};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::str::FromStr;
use tfjob_driver::files::{is_cluster, is_project, is_spec};
use tfjob_driver::{Checked, Target, bases};
use tfjob_lang::diagnostic::Code;
use tfjob_lang::mentions::Mention;
use tfjob_lang::shape::Shape;

/// Findings by file.
type ByFile = BTreeMap<PathBuf, Vec<lsp_types::Diagnostic>>;

/// The results of one file.
#[derive(Default)]
pub struct Results {
    /// One result per environment of the project.
    pub checked: Vec<Checked>,
    /// The findings, by the file in which they are shown.
    findings: ByFile,
    /// The files that were read: the file itself and its bases.
    reads: BTreeSet<PathBuf>,
}

impl Results {
    /// Returns whether a file was read: the checked file itself, or one of its bases.
    #[must_use]
    pub fn reads(&self, path: &Path) -> bool {
        self.reads.contains(path)
    }
}

/// The state of the server.
pub struct Session<'h> {
    /// The editor.
    pub client: Client,
    /// Files and checks.
    pub host: &'h dyn Host,
    /// The open documents, by path.
    pub documents: BTreeMap<PathBuf, Document>,
    /// The names of files that are not open, by path, as last read.
    pub closed: RefCell<BTreeMap<PathBuf, Rc<FileNames>>>,
    /// The results of each checked file, by path.
    results: BTreeMap<PathBuf, Results>,
    /// Files to check again.
    stale: BTreeSet<PathBuf>,
    /// Findings that the editor shows.
    shown: ByFile,
    /// Open documents whose findings are those of the specs that extend them.
    bases: BTreeSet<PathBuf>,
    /// Whether there are results whose findings are not published yet.
    is_unpublished: bool,
}

/// Maximum number of files that are checked before the next message is received, besides the open documents.
const SLICE: usize = 16;

/// Maximum number of specs that are checked although they are not open.
const MOST_CLOSED: usize = 1_000;

impl<'h> Session<'h> {
    /// Creates a session without documents.
    #[must_use]
    pub fn new(client: Client, host: &'h dyn Host) -> Self {
        Self {
            client,
            host,
            documents: BTreeMap::new(),
            closed: RefCell::default(),
            results: BTreeMap::new(),
            stale: BTreeSet::new(),
            shown: ByFile::new(),
            bases: BTreeSet::new(),
            is_unpublished: false,
        }
    }

    /// Returns the open document with this URI.
    #[must_use]
    pub fn document(&self, uri: &Uri) -> Option<&Document> {
        self.documents.get(&path_of(uri).unwrap_or_else(|| PathBuf::from(uri.as_str())))
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
        let specs: Vec<PathBuf> = self.folders().flat_map(|folder| self.host.specs(&folder)).collect();
        for path in specs.into_iter().take(MOST_CLOSED) {
            self.results.entry(path.clone()).or_default();
            self.stale.insert(path);
        }
    }

    /// Adds a document that the editor opened.
    pub fn open(&mut self, document: Document) {
        let path = document.path.clone();
        self.documents.insert(path.clone(), document);
        if !self.results.contains_key(&path) {
            // The file may be new, and its project is cached without it.
            self.host.forget();
        }
        self.changed(&path);
        self.changed_shared(&path);
    }

    /// Applies the changes of a notification to an open document.
    pub fn edit(&mut self, uri: &Uri, version: Option<i32>, changes: Vec<TextDocumentContentChangeEvent>) {
        let Some(path) = self.document(uri).map(|document| document.path.clone()) else { return };
        if let Some(document) = self.documents.get_mut(&path) {
            document.change(version, changes);
        }
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
            let is_known = is_spec(&path.to_string_lossy()) || is_cluster(&path);
            // A notification can name any file, also a link out of the opened directories.
            let is_own = || self.folders().any(|folder| self.host.contains(&folder, &path));
            if !existed && is_known && self.results.len() < MOST_CLOSED && is_own() {
                self.results.entry(path.clone()).or_default();
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
        let Some(path) = self.document(uri).map(|document| document.path.clone()) else { return };
        self.documents.remove(&path);
        self.changed(&path);
        self.changed_shared(&path);
        // Outside of the directories that the user opened, closed files are not checked.
        if !self.folders().any(|folder| path.starts_with(folder)) {
            self.results.remove(&path);
        }
    }

    /// Returns the directories that the user opened.
    fn folders(&self) -> impl Iterator<Item = PathBuf> {
        self.client.folders.iter().filter_map(|uri| path_of(&Uri::from_str(uri).ok()?))
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

    /// Returns whether a text is the current one of a file: of the open document, otherwise of the file on disk.
    #[must_use]
    pub fn is_current(&self, path: &Path, text: &str) -> bool {
        if let Some(open) = self.documents.get(path) {
            return open.text == text;
        }
        let checked = self.host.check(path, &Options::default(), &self.unsaved()).unwrap_or_default();
        let mut sources = checked.iter().flat_map(|one| one.batch.sources.iter());
        sources.any(|source| Path::new(&source.name) == path && source.text == text)
    }

    /// Returns whether a file must be checked, or findings must be published.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        !self.stale.is_empty() || self.is_unpublished
    }

    /// Checks the changed files. Returns the findings of all files whose findings changed.
    pub fn refresh(&mut self) -> Vec<PublishDiagnosticsParams> {
        let unsaved = self.unsaved();
        let (open, closed): (Vec<PathBuf>, Vec<PathBuf>) =
            self.stale.iter().cloned().partition(|path| self.documents.contains_key(path));
        for path in open.into_iter().chain(closed.into_iter().take(SLICE)) {
            self.stale.remove(&path);
            if self.documents.contains_key(&path) || self.results.contains_key(&path) {
                self.check(path, &unsaved);
            }
        }
        self.publish()
    }

    /// Returns the results of a document, as of its current text.
    pub fn results(&mut self, path: &Path) -> Option<&Results> {
        if self.stale.remove(path) || !self.results.contains_key(path) {
            if !self.results.contains_key(path) {
                self.documents.get(path)?;
            }
            let unsaved = self.unsaved();
            self.check(path.to_path_buf(), &unsaved);
            // The findings are published with the next refresh.
            self.is_unpublished = true;
        }
        self.results.get(path)
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
            self.is_unpublished = true;
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
        let all = self.shown.get(path)?.iter().filter(|one| has_code(one) && is_wanted(one));
        Some(all.cloned().collect::<Vec<_>>()).filter(|all| !all.is_empty())
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

    /// Compiles a document for one target.
    #[must_use]
    pub fn compile(&self, path: &Path, target: Target) -> Vec<Checked> {
        let options = Options { targets: vec![target], artifacts: true };
        self.host.check(path, &options, &self.unsaved()).unwrap_or_default()
    }

    /// Returns the texts of the open documents.
    #[must_use]
    pub fn unsaved(&self) -> Unsaved {
        self.documents.iter().map(|(path, document)| (path.clone(), document.text.clone())).collect()
    }

    fn check(&mut self, path: PathBuf, unsaved: &Unsaved) {
        let Some(checked) = self.host.check(&path, &self.options(), unsaved) else {
            self.results.remove(&path);
            return;
        };
        let sources = checked.iter().flat_map(|one| one.batch.sources.iter());
        let reads = sources.map(|source| PathBuf::from(&source.name)).collect();
        let mut findings = ByFile::new();
        let mut known = BTreeSet::new();
        for one in &checked {
            for (file, finding) in diagnostics::of(&one.batch, self.client.encoding) {
                if known.insert((file.clone(), key_of(&finding))) {
                    findings.entry(PathBuf::from(file)).or_default().push(finding);
                }
            }
        }
        self.results.insert(path, Results { checked, findings, reads });
    }

    /// Returns the files that another checked spec extends. A base may be incomplete, so its own findings are not shown: `tfjob
    /// check` does not check it alone either.
    fn read_bases(&self) -> BTreeSet<PathBuf> {
        let files = self.results.iter().map(|(path, results)| {
            let bases = results.reads.iter().filter(|read| *read != path && !is_shared(read));
            [path].into_iter().chain(bases).collect()
        });
        let files: Vec<Vec<&PathBuf>> = files.collect();
        bases::extended(&files).into_keys().map(|base| (*base).clone()).collect()
    }

    /// Returns the findings that the editor does not show yet.
    fn publish(&mut self) -> Vec<PublishDiagnosticsParams> {
        self.is_unpublished = false;
        let mut wanted = ByFile::new();
        // A document without findings is published too, so that the editor knows that it was checked.
        wanted.extend(self.documents.keys().map(|path| (path.clone(), Vec::new())));
        self.bases = self.read_bases();
        let own = self.results.iter().filter(|(path, _)| !self.bases.contains(*path));
        let mut known: BTreeMap<&Path, BTreeSet<String>> = BTreeMap::new();
        for (path, findings) in own.flat_map(|(_, results)| &results.findings) {
            let known = known.entry(path).or_default();
            let new = findings.iter().filter(|one| known.insert(key_of(one))).cloned();
            wanted.entry(path.clone()).or_default().extend(new);
        }
        let gone = self.shown.keys().filter(|path| !wanted.contains_key(*path)).cloned().collect::<Vec<_>>();
        wanted.extend(gone.into_iter().map(|path| (path, Vec::new())));
        let changed = wanted.iter().filter(|(path, findings)| self.shown.get(*path) != Some(*findings));
        let told = changed.filter_map(|(path, findings)| {
            let document = self.documents.get(path);
            let uri = document.map_or_else(|| uri_of(path), |document| Some(document.uri.clone()))?;
            let version = document.and_then(|document| document.version);
            Some(PublishDiagnosticsParams { uri, diagnostics: findings.clone(), version })
        });
        let told = told.collect();
        wanted.retain(|path, findings| self.documents.contains_key(path) || !findings.is_empty());
        self.shown = wanted;
        told
    }
}

/// Returns a text that is the same only for equal findings.
fn key_of(finding: &lsp_types::Diagnostic) -> String {
    format!("{finding:?}")
}

/// Returns whether the checks of other files depend on a file, although it is none of their bases.
fn is_shared(path: &Path) -> bool {
    is_cluster(path) || is_project(path)
}
