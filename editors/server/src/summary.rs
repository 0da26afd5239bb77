//! The information about a job without a target: which targets accept it, as `tfjob check` prints. It is no finding of the spec.
use crate::diagnostics::{self, HELP, Places};
use crate::position::Encoding;
use lsp_types::{Diagnostic, DiagnosticSeverity, NumberOrString, Range};
use std::path::Path;
use tfjob_driver::{Checked, files};
use tfjob_lang::sources::Format;

/// The topic of `tfjob explain` about the information: the block that the job lacks.
const TOPIC: &str = "target";

/// Returns the information about a checked spec, at the name of its job. `None` if the spec has a target, or errors.
pub fn of(path: &Path, checked: &Checked, encoding: Encoding) -> Option<Diagnostic> {
    let (summary, plan) = (checked.summary.as_ref()?, checked.plan.as_ref()?);
    let name = Places::new(&checked.batch, encoding).of(plan.name.span);
    // The name may be in a base, or in a setting of the project.
    let own = name.filter(|(file, _)| Path::new(file) == path);
    let message = format!("no `target`: {}", summary.counts());
    let refused = summary.first_refused();
    let help =
        |name: &str| format!("{HELP}to see the reasons of {name}, add `{}` to the job", entry(path, name));
    // Editors list information as a problem, and hints not.
    let severity = if refused.is_some() { DiagnosticSeverity::INFORMATION } else { DiagnosticSeverity::HINT };
    Some(Diagnostic {
        range: own.map_or_else(Range::default, |(_, location)| location.range),
        severity: Some(severity),
        code: Some(NumberOrString::String(TOPIC.to_owned())),
        source: Some(diagnostics::SOURCE.to_owned()),
        message: refused.map_or_else(|| message.clone(), |name| message.clone() + &help(name)),
        ..Diagnostic::default()
    })
}

/// Returns whether a published diagnostic is this information.
#[must_use]
pub fn is(one: &Diagnostic) -> bool {
    matches!(&one.code, Some(NumberOrString::String(code)) if code == TOPIC)
}

/// Returns the entry for a target in the format of a spec, such as `target "yarn"`.
#[must_use]
pub fn entry(path: &Path, target: &str) -> String {
    match files::format_of(&path.to_string_lossy()) {
        Format::Kdl | Format::Set => format!("target \"{target}\""),
        Format::Yaml => format!("target: {{ {target}: {{}} }}"),
        Format::Json => format!("\"target\": {{ \"{target}\": {{}} }}"),
    }
}
