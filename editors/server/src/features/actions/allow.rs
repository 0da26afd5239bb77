//! "Accept the loss": adds an `allow` for a feature that a target does not support.
mod data;

use super::Action;
use crate::documents::Document;
use crate::features::edit;
use crate::features::lines::{indent, line_end, line_start};
use crate::outline::Node;
use crate::session::Session;
use lsp_types::{CodeActionKind, Diagnostic, Range, TextEdit};
use std::collections::BTreeSet;
use tfjob_driver::Checked;
use tfjob_lang::codes::UNSUPPORTED_FEATURE;
use tfjob_lang::sources::Format;
use tfjob_lang::target::Verdict;

/// Placeholder for the reason, which the author of the spec replaces.
const REASON: &str = "TODO: say why the job can run without it";

/// Returns an action for each refusal that touches the range and that an `allow` can accept.
#[must_use]
pub fn actions(session: &Session<'_>, document: &Document, range: Range) -> Vec<Action> {
    let Some(results) = session.last(&document.path) else { return Vec::new() };
    let wanted = document.bytes(range);
    let mut refused = BTreeSet::new();
    for checked in &results.checked {
        refused.extend(refusals(document, checked, &wanted));
    }
    let action = |(feature, target): (&str, &str)| {
        let mut edit = added(document, feature, target)?;
        if document.text.contains("\r\n") {
            edit.new_text = edit.new_text.replace('\n', "\r\n");
        }
        let edits = vec![edit];
        Some(Action {
            title: format!("Accept that {target} does not support `{feature}` (adds `allow`)"),
            kind: CodeActionKind::QUICKFIX,
            diagnostics: reported(session, document, &wanted, target),
            edit: edit::of_document(session, document, edits)?,
            is_preferred: Some(false),
        })
    };
    refused.into_iter().filter_map(action).collect()
}

/// Returns the names of the feature and the target of each refusal.
fn refusals(
    document: &Document,
    checked: &Checked,
    wanted: &std::ops::Range<usize>,
) -> Vec<(&'static str, &'static str)> {
    let name = document.path.to_string_lossy();
    let source = checked.batch.sources.iter().find(|one| one.name == name && one.text == document.text);
    let (Some(source), Some(plan)) = (source, &checked.plan) else { return Vec::new() };
    let mut found = Vec::new();
    for (target, _) in &checked.compiled {
        for (feature, at, verdict) in target.check(plan).verdicts {
            let local = source.local(at);
            let touches =
                source.span().contains(at) && local.start <= wanted.end && wanted.start <= local.end;
            let Verdict::Unsupported(refusal) = verdict else { continue };
            let open = refusal.accepted(plan, target.name(), feature).is_none();
            if touches && open && refusal.is_allowable(feature) {
                found.push((feature.name(), target.name()));
            }
        }
    }
    found
}

/// Returns the diagnostics in a byte range that report a refusal of this target.
fn reported(
    session: &Session<'_>,
    document: &Document,
    wanted: &std::ops::Range<usize>,
    target: &str,
) -> Option<Vec<Diagnostic>> {
    let prefix = format!("{target}: ");
    session.shown(&document.path, &UNSUPPORTED_FEATURE, |one| {
        let bytes = document.bytes(one.range);
        one.message.contains(&prefix) && bytes.start <= wanted.end && wanted.start <= bytes.end
    })
}

/// Returns the edit that adds the `allow` to the job.
fn added(document: &Document, feature: &str, target: &str) -> Option<TextEdit> {
    match document.format() {
        Format::Kdl => in_kdl(document, &format!("allow \"{feature}\" on=\"{target}\" because=\"{REASON}\"")),
        format @ (Format::Json | Format::Yaml) => {
            data::added(document, format, &[("feature", feature), ("on", target), ("because", REASON)])
        }
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
