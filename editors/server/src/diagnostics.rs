//! Findings of the driver as diagnostics of LSP.
use crate::documents::uri_of;
use crate::position::{Encoding, Lines};
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString,
};
use std::collections::BTreeMap;
use std::path::Path;
use tfjob_driver::Batch;
use tfjob_lang::diagnostic::{self, Severity};
use tfjob_lang::secrets;
use tfjob_lang::sources::{Format, Source, Span};

/// Name of the server in the list of problems.
pub const SOURCE: &str = "tfjob";

/// Returns the findings of a batch, each with the name of the file in which it is shown. Credentials are masked.
pub fn of(batch: &Batch, encoding: Encoding) -> Vec<(String, Diagnostic)> {
    if batch.diagnostics.is_empty() {
        return Vec::new();
    }
    let scrubber = secrets::scrubber(std::iter::once(&batch.sources));
    let places = Places::new(batch, encoding);
    let convert = |one: &diagnostic::Diagnostic| {
        let clean = |text: &str| scrubber.scrub(text).into_owned();
        let (file, location) = places.of(one.span())?;
        let mut message = clean(&one.message);
        if let Some(help) = &one.help {
            message.push_str("\nhelp: ");
            message.push_str(&clean(help));
        }
        // A label at the place of the finding would repeat its message.
        let is_more = |label: &&diagnostic::Label| !label.text.is_empty() && label.span != one.span();
        let more = one.labels.iter().filter(is_more).filter_map(|label| {
            let (_, location) = places.of(label.span)?;
            Some(DiagnosticRelatedInformation { location, message: clean(&label.text) })
        });
        let more: Vec<_> = more.collect();
        let finding = Diagnostic {
            range: location.range,
            severity: Some(severity(one.code.severity)),
            code: Some(NumberOrString::String(one.code.name.to_owned())),
            code_description: None,
            source: Some(SOURCE.to_owned()),
            message,
            related_information: Some(more).filter(|more| !more.is_empty()),
            tags: one.code.name.starts_with("unused-").then(|| vec![DiagnosticTag::UNNECESSARY]),
            data: None,
        };
        Some((file.to_owned(), finding))
    };
    batch.diagnostics.iter().filter_map(convert).collect()
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
    lines: BTreeMap<u32, Lines>,
}

impl<'b> Places<'b> {
    /// Prepares the texts of a batch.
    #[must_use]
    pub fn new(batch: &'b Batch, encoding: Encoding) -> Self {
        let lines = batch.sources.iter().map(|source| (source.base(), Lines::of(&source.text)));
        Self { batch, encoding, lines: lines.collect() }
    }

    /// Returns the name of the file that contains a span, and the location of the span. A setting of a project has its place in the
    /// project file. `None` if the span is in no file.
    #[must_use]
    pub fn of(&self, span: Span) -> Option<(&'b str, Location)> {
        let source: &Source = self.batch.sources.find(span)?;
        let range = self.lines.get(&source.base())?.range(&source.text, source.local(span), self.encoding);
        if source.format == Format::Set && !Path::new(&source.name).is_absolute() {
            return None;
        }
        Some((&source.name, Location { uri: uri_of(Path::new(&source.name))?, range }))
    }
}
