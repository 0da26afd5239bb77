//! Compiled preview: the artifacts of an open spec for one target, and the places in them that come from a place in the spec.
//!
//! The requests are not part of LSP: `tfjob/compiled` and `tfjob/locate`.
mod artifact;

use crate::cursor::Cursor;
use crate::diagnostics::Places;
use crate::documents::{Document, is_shared};
use crate::features::hover;
use crate::features::lines::{line_end, line_start};
use crate::features::targets::target;
use crate::host::Options;
use crate::params::Params;
use crate::position::Lines;
use crate::session::Session;
use artifact::{Artifact, format_of};
use lsp_types::{Location, Position, Range, Uri};
use serde::Serialize;
use serde_json::Value;
use std::ops;
use std::path::Path;
use tfjob_driver::Checked;
use tfjob_lang::lowered;
use tfjob_lang::secrets::{self, Scrubber};
use tfjob_lang::sources::Span;

/// The compilation that an editor requests.
pub struct Wanted {
    /// The open spec.
    uri: Uri,
    /// Name of a target.
    target: String,
    /// Number of the environment of the project, from 0. A spec without a project has one environment.
    environment: usize,
}

impl Wanted {
    /// Reads the parameters of a request: `uri`, `target`, and optionally `environment`.
    ///
    /// # Errors
    /// Returns an error if a parameter is missing or invalid.
    pub fn of(params: &Params) -> Result<Self, String> {
        let number = |given: &Value| given.as_u64().and_then(|number| usize::try_from(number).ok());
        let environment = match params.0.get("environment").filter(|given| !given.is_null()) {
            Some(given) => {
                number(given).ok_or("`environment` must be the number of an environment, from 0")?
            }
            None => 0,
        };
        Ok(Self { uri: params.uri_at("/uri")?, target: params.text("/target")?.to_owned(), environment })
    }
}

/// Result of `tfjob/compiled`.
#[derive(Debug, Serialize)]
pub struct Preview {
    /// Output files, in reading order: artifacts, then scripts. Empty if the spec has errors, or the target refuses the job.
    files: Vec<File>,
    /// Errors that prevent the compilation, as text: `message (a.tfjob.kdl:3)`.
    errors: Vec<String>,
    /// The errors with their helps, in lines of a limited length.
    report: String,
    /// Targets that were not fully checked, and what must be fixed first.
    unchecked: Vec<String>,
    /// Names of the environments of the project. Empty without a project.
    environments: Vec<String>,
}

/// An output file. Credentials are masked.
#[derive(Debug, Serialize)]
pub struct File {
    /// Path relative to the output directory of the job and target.
    path: String,
    /// Content.
    text: String,
}

/// Result of `tfjob/locate`: places in the spec for a place in an artifact, or the reverse. The best one is first.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Located {
    /// Places in the spec and its base files.
    Spec(Vec<Location>),
    /// Places in the artifacts.
    Artifacts(Vec<Place>),
}

/// A place in an artifact.
#[derive(Debug, Serialize)]
pub struct Place {
    /// Path of the artifact.
    path: String,
    /// Range in the text of the preview.
    range: Range,
}

/// Compiles the current text of a spec for a target.
///
/// # Errors
/// Returns an error if the target is unknown, or the document is not open.
pub fn compiled(session: &Session<'_>, wanted: &Wanted) -> Result<Preview, String> {
    let (all, number) = checked(session, wanted)?;
    let one = &all[number];
    let scrubber = secrets::scrubber(all.iter().map(|one| &one.batch.sources));
    let document = session.document(&wanted.uri).ok_or("the document is not open")?;
    let environments = session.host.environments(&document.path, &session.unsaved());
    let scripts =
        session.host.scripts(&document.path, one, environments.get(number).map(String::as_str)).into_iter();
    let scripts = scripts.map(|(path, text)| File { text: masked(&path, &text, &scrubber), path });
    let files = files(one).map(|file| File { path: file.path.clone(), text: shown(file, &scrubber) });
    let files: Vec<File> = files.chain(scripts).collect();
    let line = |span: Span| {
        let source = one.batch.sources.find(span)?;
        let name = Path::new(&source.name).file_name()?.to_string_lossy();
        Some(format!(" ({name}:{})", source.position(span.start).line))
    };
    let mut errors = Vec::new();
    let mut report = String::new();
    for error in one.batch.diagnostics.iter().filter(|found| found.is_error() && files.is_empty()) {
        let text = format!("{}{}", error.message, line(error.span()).unwrap_or_default());
        let text = scrubber.scrub(&text).into_owned();
        push_wrapped(&mut report, "error: ", &text);
        if let Some(help) = &error.help {
            push_wrapped(&mut report, "  help: ", &scrubber.scrub(help));
        }
        errors.push(text);
    }
    let unchecked = one.unchecked.iter().map(|one| scrubber.scrub(&one.to_string()).into_owned());
    Ok(Preview { files, errors, report, unchecked: unchecked.collect(), environments })
}

/// Maximum length of the lines of a report, in bytes: a preview is shown next to its spec.
const MAX_LINE: usize = 76;

/// Adds a text to a report: wrapped between words, but not in a quoted edit, which users copy.
fn push_wrapped(report: &mut String, label: &str, text: &str) {
    let mut length = label.len();
    report.push_str(label);
    let mut is_quoted = false;
    for (number, word) in text.split(' ').enumerate() {
        if number > 0 && !is_quoted && length + 1 + word.len() > MAX_LINE {
            report.push_str("\n    ");
            length = 4;
        } else if number > 0 {
            report.push(' ');
            length += 1;
        }
        report.push_str(word);
        length += word.len();
        is_quoted ^= word.matches('`').count() % 2 == 1;
    }
    report.push('\n');
}

/// Returns the places in the artifacts for a position in the spec. With the path of an artifact, returns the places in the spec for
/// a position in the artifact.
///
/// # Errors
/// Returns an error if the target is unknown, or the document is not open.
pub fn locate(
    session: &Session<'_>,
    wanted: &Wanted,
    path: Option<&str>,
    position: Position,
) -> Result<Located, String> {
    let (all, number) = checked(session, wanted)?;
    let one = &all[number];
    Ok(match path {
        Some(path) => Located::Spec(in_spec(session, one, path, position).unwrap_or_default()),
        None => Located::Artifacts(in_artifacts(session, one, &wanted.uri, position).unwrap_or_default()),
    })
}

/// Compiles a document. Returns the results of all environments, and the number of the requested one.
fn checked(session: &Session<'_>, wanted: &Wanted) -> Result<(Vec<Checked>, usize), String> {
    let document = session.document(&wanted.uri).ok_or("the document is not open")?;
    if is_shared(&document.path) {
        return Err("the document is not a job spec".to_owned());
    }
    let options = Options { targets: vec![target(session, &wanted.target)?], artifacts: true };
    let unsaved = session.unsaved();
    let all = session.host.check(&document.path, &options, &unsaved).and_then(Result::ok).unwrap_or_default();
    if all.is_empty() {
        return Err("the document is not a job spec".to_owned());
    }
    let environments = session.host.environments(&document.path, &unsaved);
    match (wanted.environment, environments.len()) {
        // Without a project, or with errors in the project file, there is one result.
        (_, 0) => Ok((all, 0)),
        (number, count) if number < count.min(all.len()) => Ok((all, number)),
        (number, count) => {
            Err(format!("there is no environment {number}: the spec has {count}, which are numbered from 0"))
        }
    }
}

/// Returns the output files of the compiled target.
fn files(checked: &Checked) -> impl Iterator<Item = &lowered::Artifact> {
    lowered(checked).flat_map(files_of)
}

fn lowered(checked: &Checked) -> impl Iterator<Item = &lowered::Lowered> {
    checked.compiled.iter().filter_map(|(_, lowered)| lowered.as_ref())
}

fn files_of(lowered: &lowered::Lowered) -> impl Iterator<Item = &lowered::Artifact> {
    lowered.artifacts.iter().chain(&lowered.companions)
}

/// Returns the output files of the compiled target, with the places of their values.
fn artifacts(checked: &Checked) -> impl Iterator<Item = (&lowered::Artifact, Artifact<'_>)> {
    let of = |one| files_of(one).map(move |file| (file, Artifact::of(file, one.contract.as_ref())));
    lowered(checked).flat_map(of)
}

/// Returns the text of a file with masked credentials. The masks keep the length in bytes, so that places stay valid.
fn shown(file: &lowered::Artifact, scrubber: &Scrubber) -> String {
    masked(&file.path, &file.text, scrubber)
}

fn masked(path: &str, text: &str, scrubber: &Scrubber) -> String {
    let mut hidden = secrets::in_output(text, format_of(path));
    hidden.extend(scrubber.find(text));
    secrets::replaced(text, hidden, secrets::stars)
}

fn in_spec(
    session: &Session<'_>,
    checked: &Checked,
    path: &str,
    position: Position,
) -> Option<Vec<Location>> {
    let (file, artifact) = artifacts(checked).find(|(file, _)| file.path == path)?;
    let encoding = session.client.encoding;
    let text = shown(file, &secrets::scrubber(std::iter::once(&checked.batch.sources)));
    let byte = Lines::of(&text).byte(&text, position, encoding);
    let span = artifact.origin(byte)?;
    let (_, location) = Places::new(&checked.batch, encoding).of(span)?;
    Some(vec![location])
}

fn in_artifacts(
    session: &Session<'_>,
    checked: &Checked,
    uri: &Uri,
    position: Position,
) -> Option<Vec<Place>> {
    let document = session.document(uri)?;
    let name = document.path.to_string_lossy();
    let source = checked.batch.sources.iter().find(|source| source.name == name)?;
    let byte = document.byte(position);
    let line = line_start(&document.text, byte)..line_end(&document.text, byte);
    let scrubber = secrets::scrubber(std::iter::once(&checked.batch.sources));
    let artifacts: Vec<(&lowered::Artifact, Artifact<'_>)> = artifacts(checked).collect();
    let own = |span: Span| source.span().contains(span).then(|| source.local(span));
    let spans = || artifacts.iter().flat_map(|(_, artifact)| artifact.spans());
    let settings = replaced(session, document, checked, byte);
    let wanted: Vec<Span> = match spans().any(|span| settings.contains(&span)) {
        true => settings,
        false => {
            let best = best(spans().filter_map(own), &document.text, byte, &line)?;
            spans().filter(|span| own(*span).is_some_and(|span| best.contains(&span))).collect()
        }
    };
    let places = artifacts.iter().flat_map(|(file, artifact)| {
        let text = shown(file, &scrubber);
        let lines = Lines::of(&text);
        let ranges = artifact.places(|span| wanted.contains(&span));
        let place = |range: ops::Range<usize>| Place {
            path: file.path.clone(),
            range: lines.range(&text, range, session.client.encoding),
        };
        ranges.into_iter().map(place).collect::<Vec<_>>()
    });
    Some(places.collect())
}

/// Returns the values of settings of the environment that replace the value at an offset.
fn replaced(session: &Session<'_>, document: &Document, checked: &Checked, byte: usize) -> Vec<Span> {
    let root = session.shape(document);
    let Some(cursor) = Cursor::at(document, root, byte) else { return Vec::new() };
    let word = document.text.get(cursor.word.clone()).unwrap_or_default();
    hover::settings(checked, &cursor, word, root)
}

/// Returns the origins for a position: the shortest origin that contains the position. If none does, an origin in the line, such as that
/// of the value if the position is in the name of a property, or that of the name if the position is in the value of a variable.
fn best(
    spans: impl Iterator<Item = ops::Range<usize>>,
    text: &str,
    byte: usize,
    line: &ops::Range<usize>,
) -> Option<Vec<ops::Range<usize>>> {
    let all: Vec<ops::Range<usize>> = spans.collect();
    let around = all.iter().filter(|span| span.start <= byte && byte <= span.end);
    if let Some(shortest) = around.min_by_key(|span| span.len()).filter(|span| span.len() <= line.len()) {
        return Some(vec![shortest.clone()]);
    }
    let of_line: Vec<_> =
        all.iter().filter(|span| line.start <= span.start && span.start < line.end).cloned().collect();
    // A value directly after an origin belongs to the same entry. No other entry begins between them.
    let before = of_line.iter().filter(|span| span.end <= byte).max_by_key(|span| span.end).cloned();
    let is_own = |span: &ops::Range<usize>| {
        let between = text.get(span.end..byte).unwrap_or_default().trim_start();
        between.starts_with([':', '"', '\'']) && !between.contains([';', ',', '{', '}', '='])
    };
    let own = before.filter(is_own);
    // If the position is in the name of a property, the next value in the line is that of this property.
    let next = of_line.iter().filter(|span| byte <= span.start).min_by_key(|span| span.start).cloned();
    let long = all.iter().filter(|span| span.start <= byte && byte <= span.end).min_by_key(|span| span.len());
    // Otherwise, the last value before the position is that of the same entry.
    let last = || of_line.iter().max_by_key(|span| span.start).cloned();
    own.or(next).or_else(last).or_else(|| long.cloned()).map(|span| vec![span])
}
