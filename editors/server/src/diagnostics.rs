//! Findings of the driver as diagnostics of LSP.
use crate::documents::uri_of;
use crate::position::{Encoding, Lines};
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString,
    Range, Uri,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tfjob_driver::files::PROJECT;
use tfjob_driver::{Batch, Checked};
use tfjob_lang::codes::{EXTENDS_CYCLE, UNREADABLE_BASE};
use tfjob_lang::diagnostic::{self, Code, Severity};
use tfjob_lang::secrets::Scrubber;
use tfjob_lang::sources::{Format, Source, Span};

/// Name of the server in the list of problems.
pub const SOURCE: &str = "tfjob";

/// Separates a message from its help.
pub const HELP: &str = "\nhelp: ";

/// Returns a finding about a whole file, with this message.
#[must_use]
pub fn of_file(message: String) -> Diagnostic {
    let severity = Some(DiagnosticSeverity::ERROR);
    Diagnostic { severity, source: Some(SOURCE.to_owned()), message, ..Diagnostic::default() }
}

/// Returns the warning about a spec whose project has errors.
#[must_use]
pub fn of_partial_check() -> Diagnostic {
    let message = format!(
        "this spec is only partly checked, because `{PROJECT}` has errors{HELP}correct the errors of `{PROJECT}`: \
         the settings and targets of its environments decide which other errors the spec has"
    );
    Diagnostic { severity: Some(DiagnosticSeverity::WARNING), ..of_file(message) }
}

/// Returns the findings of the check of `path`, each with the path of the file in which it is shown. A finding without a place in a
/// file is shown at the start of `path`. The first error lists the targets that were not checked. Credentials are masked by
/// `scrubber`. `folder`: the directory that the user opened; messages show paths below it.
pub fn of(
    checked: &Checked,
    (path, folder): (&Path, Option<&Path>),
    encoding: Encoding,
    scrubber: &Scrubber,
) -> Vec<(PathBuf, Diagnostic)> {
    let batch = &checked.batch;
    if batch.diagnostics.is_empty() {
        return Vec::new();
    }
    let mut unchecked = checked.unchecked.iter().map(|one| scrubber.scrub(&one.to_string()).into_owned());
    let places = Places::new(batch, encoding);
    let mut convert = |one: &diagnostic::Diagnostic| {
        let folder = folder.filter(|_| NAMING_FILES.contains(&one.code));
        let clean = |text: &str| below(folder, &scrubber.scrub(text));
        let place = places.of(one.span()).map(|(file, location)| (PathBuf::from(file), location.range));
        let (file, range) = place.unwrap_or_else(|| (path.to_path_buf(), Range::default()));
        let (message, help) = (clean(&one.message), one.help.as_deref().map(clean));
        // A label at the place of the finding would repeat its message.
        let is_more = |label: &&diagnostic::Label| !label.text.is_empty() && label.span != one.span();
        let more = one.labels.iter().filter(is_more).filter_map(|label| {
            let (_, location) = places.of(label.span)?;
            Some(DiagnosticRelatedInformation { location, message: clean(&label.text) })
        });
        let mut more: Vec<_> = more.collect();
        if let Some((_, location)) = places.of(one.span()).filter(|_| one.is_error()) {
            more.extend(unchecked.by_ref().map(|message| {
                let location = location.clone();
                DiagnosticRelatedInformation { location, message }
            }));
        }
        let more = Some(more).filter(|more| !more.is_empty());
        (file, of_code(one.code, range, &message, help.as_deref(), more))
    };
    batch.diagnostics.iter().map(&mut convert).collect()
}

/// Codes whose messages name files by absolute paths.
const NAMING_FILES: [&Code; 2] = [&EXTENDS_CYCLE, &UNREADABLE_BASE];

/// Returns a message with the paths below a directory relative to it.
fn below(folder: Option<&Path>, text: &str) -> String {
    let Some(folder) = folder.map(|folder| format!("{}/", folder.display())) else { return text.to_owned() };
    [" ", "`"]
        .into_iter()
        .fold(text.to_owned(), |text, before| text.replace(&format!("{before}{folder}"), before))
}

/// Returns a finding with this code. The texts contain no credentials.
pub fn of_code(
    code: &Code,
    range: Range,
    message: &str,
    help: Option<&str>,
    more: Option<Vec<DiagnosticRelatedInformation>>,
) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(severity(code.severity)),
        code: Some(NumberOrString::String(code.name.to_owned())),
        code_description: None,
        source: Some(SOURCE.to_owned()),
        message: help.map_or_else(|| message.to_owned(), |help| format!("{message}{HELP}{help}")),
        related_information: more,
        tags: code.unnecessary.then(|| vec![DiagnosticTag::UNNECESSARY]),
        data: None,
    }
}

const fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        // `tfjob check` does not print notes. Editors do not list hints as problems.
        Severity::Note => DiagnosticSeverity::HINT,
    }
}

/// Locations of spans.
pub struct Places<'b> {
    batch: &'b Batch,
    encoding: Encoding,
    /// The URIs and the lines of the texts that contain a span, by the offset of the text.
    texts: RefCell<BTreeMap<u32, (Option<Uri>, Lines)>>,
}

impl<'b> Places<'b> {
    /// Creates the locations in the texts of a batch.
    #[must_use]
    pub fn new(batch: &'b Batch, encoding: Encoding) -> Self {
        Self { batch, encoding, texts: RefCell::default() }
    }

    /// Returns the name of the file that contains a span, and the location of the span. A setting of a project has its place in the
    /// project file. `None` if the span is in no file.
    #[must_use]
    pub fn of(&self, span: Span) -> Option<(&'b str, Location)> {
        let source: &Source = self.batch.sources.find(span)?;
        if source.format == Format::Set && !Path::new(&source.name).is_absolute() {
            return None;
        }
        let mut texts = self.texts.borrow_mut();
        let new = || (uri_of(Path::new(&source.name)), Lines::of(&source.text));
        let (uri, lines) = texts.entry(source.base()).or_insert_with(new);
        let range = lines.range(&source.text, source.local(span), self.encoding);
        Some((&source.name, Location { uri: uri.clone()?, range }))
    }
}
