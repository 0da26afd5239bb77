//! "Accept the loss": adds an `allow` for a feature that a target does not support.
mod data;

use super::Action;
use crate::diagnostics::Places;
use crate::documents::Document;
use crate::features::edit;
use crate::features::lines::{indent, line_end, line_start};
use crate::outline::Node;
use crate::results::key;
use crate::session::Session;
use lsp_types::{CodeActionKind, Range, TextEdit};
use std::borrow::Cow;
use std::collections::BTreeMap;
use tfjob_driver::Batch;
use tfjob_lang::allow::PLACEHOLDER;
use tfjob_lang::codes::UNSUPPORTED_FEATURE;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::requirement::Feature;
use tfjob_lang::secrets;
use tfjob_lang::sources::Format;

/// Returns an action for each feature and target of the refusals that touch the range and that an `allow` can accept. `batches`: the
/// checks with findings in the document.
#[must_use]
pub fn actions(
    session: &Session<'_>,
    document: &Document,
    batches: &[Cow<'_, Batch>],
    wanted: Range,
) -> Vec<Action> {
    let mut refused: BTreeMap<(&str, &str), Vec<Refused<'_>>> = BTreeMap::new();
    for batch in batches {
        for one in refusals(session, document, batch, wanted) {
            refused.entry((one.feature.name(), one.target)).or_default().push(one);
        }
    }
    let scrubber = secrets::scrubber(batches.iter().map(|batch| &batch.sources));
    let action = |((feature, target), all): ((&str, &str), Vec<Refused<'_>>)| {
        let edit = added(document, feature, target)?;
        let reported = session.shown(&document.path, &UNSUPPORTED_FEATURE, |shown| {
            all.iter()
                .any(|one| one.range == shown.range && scrubber.scrub(&one.found.message) == key(shown).3)
        });
        let part = all.iter().find_map(|one| one.found.part).unwrap_or(feature);
        let accept = match all.iter().any(|one| one.feature.is_secret()) {
            true => "Compile without the secret".to_owned(),
            false => format!("Accept incomplete support for `{part}`"),
        };
        Some(Action {
            title: format!("{accept} on {target} (adds `allow \"{feature}\"`)"),
            kind: CodeActionKind::QUICKFIX,
            diagnostics: reported,
            edit: edit::of_document(session, document, vec![edit])?,
            is_preferred: Some(false),
            disabled: None,
        })
    };
    refused.into_iter().filter_map(action).collect()
}

/// A refusal in a document that an `allow` can accept.
struct Refused<'b> {
    found: &'b Diagnostic,
    feature: Feature,
    target: &'static str,
    range: Range,
}

/// Returns the refusals of a check that touch a range of the current text of a document.
fn refusals<'b>(
    session: &Session<'_>,
    document: &Document,
    batch: &'b Batch,
    wanted: Range,
) -> Vec<Refused<'b>> {
    let name = document.path.to_string_lossy();
    let Some(source) = batch.sources.iter().find(|one| one.name == name && one.text == document.text) else {
        return Vec::new();
    };
    let places = Places::new(batch, session.client.encoding);
    let refused = |found: &'b Diagnostic| {
        let (feature, target) = (found.feature?, found.target?);
        let (_, location) = places.of(found.span()).filter(|_| source.span().contains(found.span()))?;
        let range = location.range;
        super::touches(range, wanted).then_some(Refused { found, feature, target, range })
    };
    let all = batch.diagnostics.iter().filter(|found| found.code == &UNSUPPORTED_FEATURE);
    all.filter_map(refused).collect()
}

/// Returns the edit that adds the `allow` to the job.
fn added(document: &Document, feature: &str, target: &str) -> Option<TextEdit> {
    match document.format() {
        Format::Kdl => {
            in_kdl(document, &format!("allow \"{feature}\" on=\"{target}\" because=\"{PLACEHOLDER}\""))
        }
        format @ (Format::Json | Format::Yaml) => {
            data::added(document, format, &[("feature", feature), ("on", target), ("because", PLACEHOLDER)])
        }
        Format::Set => None,
    }
}

/// Returns the edit that adds an entry with this key in the format of the document, such as `target "yarn"`, to the job.
pub fn with_entry(document: &Document, key: &str, entry: &str) -> Option<TextEdit> {
    match document.format() {
        Format::Kdl => in_kdl(document, entry),
        format @ (Format::Json | Format::Yaml) => data::with_entry(document, format, key, entry),
        Format::Set => None,
    }
}

/// Inserts an entry into the block of the job: after its last `allow`, otherwise before its first `target`, otherwise at its end.
fn in_kdl(document: &Document, entry: &str) -> Option<TextEdit> {
    let text = &document.text;
    let outline = document.outline();
    let job = outline.nodes.iter().find(|node| node.name.text == "job" && !node.disabled)?;
    let block = job.block.as_ref()?;
    let named = |name: &'static str| move |node: &&Node| node.name.text == name && !node.disabled;
    let starts_line =
        |node: &Node| text[line_start(text, node.bytes.start)..node.bytes.start].trim().is_empty();
    let after = block.nodes.iter().rfind(named("allow"));
    let before = block.nodes.iter().find(named("target")).filter(|_| after.is_none());
    let (byte, new) = match (before.filter(|node| starts_line(node)), after.or(block.nodes.last())) {
        (Some(target), _) => {
            let byte = line_start(text, target.bytes.start);
            (byte, format!("{}{entry}\n", indent(text, target.bytes.start)))
        }
        (None, Some(last)) if starts_line(last) && line_end(text, last.bytes.end) < block.bytes.end => {
            let end = line_end(text, last.bytes.end);
            let byte = text[..end].strip_suffix('\r').map_or(end, str::len);
            (byte, format!("\n{}{entry}", indent(text, last.bytes.start)))
        }
        (None, Some(last)) => (last.bytes.end, format!("; {entry}")),
        (None, None) => (block.bytes.start + 1, format!(" {entry}; ")),
    };
    Some(TextEdit { range: document.range(byte..byte), new_text: new })
}
