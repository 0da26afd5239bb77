//! What the editor shows: the findings that were published last.
use crate::conflicts;
use crate::documents::{Document, is_shared, uri_of};
use crate::results::{ByFile, Results, key};
use lsp_types::{Diagnostic, DiagnosticRelatedInformation, Location, PublishDiagnosticsParams, Range, Uri};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tfjob_driver::bases;

/// Maximum number of specs that a finding in a base file names.
const MAX_SPECS: usize = 4;

/// The published findings, and what changed since then.
#[derive(Default)]
pub struct Shown {
    findings: ByFile,
    /// The URI under which the findings of a file are shown, as the editor wrote it, also after the document was closed; and the version
    /// of the document.
    places: BTreeMap<PathBuf, (Uri, Option<i32>)>,
    /// Files that other specs extend. Their own findings are not shown.
    bases: BTreeSet<PathBuf>,
    /// The conflicts between specs, by the spec and the file in which they are shown.
    conflicts: BTreeMap<PathBuf, ByFile>,
    /// Files whose findings may have changed.
    touched: BTreeSet<PathBuf>,
    /// Whether `bases` may have changed.
    has_other_bases: bool,
    /// Whether `conflicts` may have changed.
    has_other_jobs: bool,
}

impl Shown {
    /// Returns the published findings of a file.
    #[must_use]
    pub fn of(&self, path: &Path) -> &[Rc<Diagnostic>] {
        self.findings.get(path).map_or(&[], Vec::as_slice)
    }

    /// Returns whether other specs extend a file.
    #[must_use]
    pub fn is_base(&self, path: &Path) -> bool {
        self.bases.contains(path)
    }

    /// Marks a file that was opened, edited, or closed. Equal findings of another version are published too, because some editors ignore
    /// the findings of an older version. An open document without findings is published, so that the editor knows that it was checked.
    pub fn touch(&mut self, path: &Path) {
        self.touched.insert(path.to_path_buf());
    }

    /// Marks the files with findings of a check that was done again.
    pub fn change(&mut self, old: Option<&Results>, new: Option<&Results>) {
        let files = old.into_iter().chain(new).flat_map(|results| results.findings.keys());
        self.touched.extend(files.cloned());
        self.has_other_bases |= old.map(|results| &results.reads) != new.map(|results| &results.reads);
        self.has_other_jobs |= old.map(|results| &results.jobs) != new.map(|results| &results.jobs);
    }

    fn update_conflicts(&mut self, results: &BTreeMap<PathBuf, Results>) {
        let old = std::mem::replace(&mut self.conflicts, conflicts::find(results, &self.bases));
        let files = old.values().chain(self.conflicts.values()).flat_map(BTreeMap::keys);
        self.touched.extend(files.cloned());
    }

    /// Returns whether there may be findings that are not published yet.
    #[must_use]
    pub fn is_unpublished(&self) -> bool {
        self.has_other_bases || self.has_other_jobs || !self.touched.is_empty()
    }

    /// Returns the findings that the editor does not show yet.
    pub fn publish(
        &mut self,
        documents: &BTreeMap<PathBuf, Document>,
        results: &BTreeMap<PathBuf, Results>,
    ) -> Vec<PublishDiagnosticsParams> {
        if std::mem::take(&mut self.has_other_bases) {
            let bases = read_bases(results);
            let changed = self.bases.symmetric_difference(&bases).filter_map(|path| results.get(path));
            self.touched.extend(changed.flat_map(|results| results.findings.keys()).cloned());
            self.has_other_jobs |= self.bases != bases;
            self.bases = bases;
        }
        if std::mem::take(&mut self.has_other_jobs) {
            self.update_conflicts(results);
        }
        let mut all = Vec::new();
        let touched = std::mem::take(&mut self.touched);
        let mut collected = self.collected(&touched, results);
        for path in touched {
            let wanted = collected.remove(&path).unwrap_or_default();
            let document = documents.get(&path);
            let is_open = document.is_some();
            let version = document.and_then(|document| document.version);
            let (before, shown) = self.places.remove(&path).unzip();
            let is_new = match self.findings.remove(&path) {
                Some(old) => old != wanted || is_open && shown.flatten() != version,
                None => is_open || !wanted.is_empty(),
            };
            let own = document.map(|document| document.uri.clone());
            let Some(uri) = own.or_else(|| before.clone()).or_else(|| uri_of(&path)) else { continue };
            let old = before.filter(|before| before.as_str() != uri.as_str());
            if is_new || old.is_some() {
                all.push(published(uri.clone(), &wanted, document));
            }
            all.extend(old.map(|old| published(old, &[], None)));
            if is_open || !wanted.is_empty() {
                self.places.insert(path.clone(), (uri, version));
                self.findings.insert(path, wanted);
            }
        }
        all
    }

    /// Returns the findings in each of these files: those of the file itself, and of the specs that extend it. All results are read
    /// once, because the files may be many. Files without findings are left out.
    fn collected(&self, files: &BTreeSet<PathBuf>, results: &BTreeMap<PathBuf, Results>) -> ByFile {
        let mut collected: BTreeMap<&PathBuf, Vec<(&Rc<Diagnostic>, &Path)>> = BTreeMap::new();
        let own = results.iter().filter(|(checked, _)| !self.bases.contains(*checked));
        let own = own.map(|(checked, results)| (checked, &results.findings));
        for (checked, by_file) in own.chain(&self.conflicts) {
            for (file, findings) in by_file.iter().filter(|(file, _)| files.contains(*file)) {
                let all = collected.entry(file).or_default();
                all.extend(findings.iter().map(|one| (one, checked.as_path())));
            }
        }
        collected.into_iter().map(|(file, all)| (file.clone(), with_specs(file, &all))).collect()
    }
}

/// Returns the findings in a file, each once. A finding in a base file names the specs that have it, because the base alone may be
/// correct. `all`: the findings, and the checked spec of each.
fn with_specs(file: &Path, all: &[(&Rc<Diagnostic>, &Path)]) -> Vec<Rc<Diagnostic>> {
    let mut places = BTreeMap::new();
    let mut found: Vec<(&Rc<Diagnostic>, Vec<&Path>)> = Vec::new();
    for (one, spec) in all {
        let place = *places.entry(key(one)).or_insert(found.len());
        match found.get_mut(place) {
            Some((_, specs)) => specs.push(spec),
            None => found.push((one, vec![spec])),
        }
    }
    let named = |(one, specs): (&Rc<Diagnostic>, Vec<&Path>)| {
        if specs.contains(&file) || is_shared(file) {
            return Rc::clone(one);
        }
        let mut finding = Diagnostic::clone(one);
        let specs = specs.into_iter().take(MAX_SPECS).filter_map(|spec| {
            let location = Location { uri: uri_of(spec)?, range: Range::default() };
            // Editors show the name of the file.
            Some(DiagnosticRelatedInformation { location, message: "this spec has the finding".to_owned() })
        });
        finding.related_information.get_or_insert_default().extend(specs);
        Rc::new(finding)
    };
    found.into_iter().map(named).collect()
}

fn published(uri: Uri, findings: &[Rc<Diagnostic>], document: Option<&Document>) -> PublishDiagnosticsParams {
    let diagnostics = findings.iter().map(|one| Diagnostic::clone(one)).collect();
    PublishDiagnosticsParams { uri, diagnostics, version: document.and_then(|document| document.version) }
}

/// Returns the files that another checked spec extends. A base may be incomplete, so its own findings are not shown: `tfjob check`
/// does not check it alone either.
fn read_bases(results: &BTreeMap<PathBuf, Results>) -> BTreeSet<PathBuf> {
    let files = results.iter().map(|(path, results)| {
        let bases = results.reads.iter().filter(|read| *read != path && !is_shared(read));
        [path].into_iter().chain(bases).collect()
    });
    let files: Vec<Vec<&PathBuf>> = files.collect();
    bases::extended(&files).into_keys().map(|base| (*base).clone()).collect()
}
