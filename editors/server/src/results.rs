//! The results of the last check of a file, and its findings.
use crate::conflicts::Job;
use crate::diagnostics;
use crate::documents::Document;
use crate::names::{Part, part};
use crate::position::Encoding;
use crate::summary;
use lsp_types::{Diagnostic, NumberOrString, Position};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tfjob_driver::files::{is_project, is_spec};
use tfjob_driver::{Batch, Checked};
use tfjob_lang::secrets::{self, Scrubber};
use tfjob_lang::tree::Tree;

/// Findings by file. The results of the files share them with the list of what the editor shows.
pub type ByFile = BTreeMap<PathBuf, Vec<Rc<Diagnostic>>>;

/// The results of one file.
#[derive(Default)]
pub struct Results {
    /// One result per environment of the project. Empty for a file that is not open: the texts, trees, and plans of a thousand files
    /// would take most of the memory of the server.
    pub checked: Vec<Checked>,
    /// The findings, by the file in which they are shown.
    pub findings: ByFile,
    /// The files that were read: the file itself and its bases.
    pub reads: BTreeSet<PathBuf>,
    /// The specs and settings among the texts that were read.
    pub parts: BTreeSet<Part>,
    /// The names of the frameworks: one per environment.
    pub frameworks: BTreeSet<String>,
    /// How the spec is compiled, and its job in each of these runs.
    pub jobs: Vec<Job>,
    /// The text with masked credentials.
    masked: OnceCell<String>,
    /// Masks the credentials of all texts that were read.
    scrubber: OnceCell<Scrubber>,
}

impl Results {
    /// Creates the results of a file. `folder`: the directory that the user opened.
    #[must_use]
    pub fn new((path, folder): (&Path, Option<&Path>), checked: Vec<Checked>, encoding: Encoding) -> Self {
        let sources = || checked.iter().flat_map(|one| one.batch.sources.iter());
        let trees = checked.iter().filter_map(|one| one.tree.as_ref());
        let has_findings = checked.iter().any(|one| !one.batch.diagnostics.is_empty());
        let scrubber = if has_findings { scrubber(&checked) } else { Scrubber::default() };
        let all: Vec<(PathBuf, Diagnostic)> = checked
            .iter()
            .flat_map(|one| diagnostics::of(one, (path, folder), encoding, &scrubber))
            .collect();
        let mut results = Self {
            reads: sources().map(|source| PathBuf::from(&source.name)).collect(),
            parts: sources().filter_map(part).collect(),
            frameworks: trees.filter_map(framework).map(str::to_owned).collect(),
            ..Self::default()
        };
        // Several environments may have the same finding.
        for (file, finding) in all {
            let list = results.findings.entry(file).or_default();
            list.push(Rc::new(finding));
        }
        results.findings.values_mut().for_each(remove_repeated);
        Self { checked, ..results }
    }

    /// Adds which targets accept a job without a target. Not for closed files: their specs may be many, and none of them has a fault.
    pub fn add_summary(&mut self, path: &Path, encoding: Encoding) {
        let found: Vec<_> = self.checked.iter().filter_map(|one| summary::of(path, one, encoding)).collect();
        if !found.is_empty() {
            let list = self.findings.entry(path.to_path_buf()).or_default();
            list.extend(found.into_iter().map(Rc::new));
            remove_repeated(list);
        }
    }

    /// Creates the results of a file that cannot be checked, for example because its project has no specs.
    #[must_use]
    pub fn failed(path: &Path, reason: String) -> Self {
        let path = path.to_path_buf();
        let finding = Rc::new(diagnostics::of_file(reason));
        let findings = ByFile::from([(path.clone(), vec![finding])]);
        Self { findings, reads: BTreeSet::from([path]), ..Self::default() }
    }

    /// If the project of a spec has errors, adds a warning at the start of the spec: only the errors of its text are known, so a spec
    /// without findings may have errors.
    pub fn mark_partial(&mut self, path: &Path) {
        if self.checked.iter().any(is_faulty_project) && is_spec(&path.to_string_lossy()) {
            let finding = Rc::new(diagnostics::of_partial_check());
            self.findings.entry(path.to_path_buf()).or_default().push(finding);
        }
    }

    /// Returns whether a file was read: the checked file itself, or one of its bases.
    #[must_use]
    pub fn reads(&self, path: &Path) -> bool {
        self.reads.contains(path)
    }

    /// Returns a scrubber for all texts of answers: a credential that is recognized in one file or environment is masked in all.
    #[must_use]
    pub fn scrubber(&self) -> &Scrubber {
        self.scrubber.get_or_init(|| scrubber(&self.checked))
    }

    /// Returns the text of the checked document with masked credentials. Has the length of the text in bytes, so that places stay
    /// valid. The text is searched once per check.
    #[must_use]
    pub fn masked(&self, document: &Document) -> &str {
        self.masked.get_or_init(|| masked(document, &self.checked))
    }
}

/// Returns whether a result has only the errors of a project file. It has none if the project cannot be read for another reason.
fn is_faulty_project(checked: &Checked) -> bool {
    let Batch { sources, diagnostics } = &checked.batch;
    let in_project = |at| sources.find(at).is_some_and(|source| is_project(Path::new(&source.name)));
    checked.tree.is_none() && diagnostics.iter().all(|found| in_project(found.span()))
}

fn scrubber(checked: &[Checked]) -> Scrubber {
    secrets::scrubber(checked.iter().map(|one| &one.batch.sources))
}

/// Returns the text of a document with masked credentials. `checked`: the last check of the document.
#[must_use]
pub fn masked(document: &Document, checked: &[Checked]) -> String {
    let text = &document.text;
    let known = checked.iter().find_map(|one| {
        let source = one.batch.sources.iter().find(|source| source.text == *text)?;
        Some(one.batch.sources.credentials().within(source).to_vec())
    });
    let mut hidden = known.unwrap_or_else(|| secrets::in_output(text, Some(document.format())));
    hidden.extend(scrubber(checked).find(text));
    secrets::replaced(text, hidden, secrets::stars)
}

fn framework(tree: &Tree) -> Option<&str> {
    tree.get("job")?.get("framework")?.get("name")?.text()
}

/// Removes findings with the same place, code, and message, except the first. `tfjob check` reports them once too.
pub fn remove_repeated(findings: &mut Vec<Rc<Diagnostic>>) {
    let mut known = BTreeSet::new();
    let is_first: Vec<bool> = findings.iter().map(|one| known.insert(key(one))).collect();
    let mut is_first = is_first.into_iter();
    findings.retain(|_| is_first.next() == Some(true));
}

/// Returns the place, code, and message of a finding, without its help.
pub fn key(finding: &Diagnostic) -> (Position, Position, Option<&str>, &str) {
    let code = match &finding.code {
        Some(NumberOrString::String(name)) => Some(name.as_str()),
        Some(NumberOrString::Number(_)) | None => None,
    };
    let message = finding.message.split(diagnostics::HELP).next().unwrap_or_default();
    (finding.range.start, finding.range.end, code, message)
}
