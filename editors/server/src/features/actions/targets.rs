//! "Compile for …": adds the block of a target to a job without one.
use super::Action;
use super::allow::with_entry;
use crate::documents::Document;
use crate::features::edit;
use crate::session::Session;
use crate::summary;
use lsp_types::{CodeActionKind, Range};

/// Returns an action for each target, if the information about targets of the job touches the range.
#[must_use]
pub fn actions(session: &Session<'_>, document: &Document, wanted: Range) -> Vec<Action> {
    let found = session.last(&document.path).and_then(|results| results.findings.get(&document.path));
    let is_own = |one: &&lsp_types::Diagnostic| summary::is(one) && super::touches(one.range, wanted);
    let Some(found) = found.and_then(|all| all.iter().map(AsRef::as_ref).find(is_own)) else {
        return Vec::new();
    };
    let action = |name: &str| {
        let entry = summary::entry(&document.path, name);
        let edit = edit::of_document(session, document, vec![with_entry(document, "target", &entry)?])?;
        Some(Action {
            title: format!("Compile for {name} (adds `{entry}`)"),
            kind: CodeActionKind::QUICKFIX,
            diagnostics: Some(vec![found.clone()]),
            edit,
            is_preferred: Some(false),
            disabled: None,
        })
    };
    let registry = *session.host.driver().registry();
    registry.targets.iter().filter_map(|target| action(target.name())).collect()
}
