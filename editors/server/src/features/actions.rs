//! Code actions: fixes of findings, exceptions by `allow`, and rewrites that do not change what the job does.
mod allow;
pub mod convert;
mod fixes;
mod moves;
mod targets;

use crate::params::Params;
use crate::session::Session;
use lsp_types::{CodeActionKind, Diagnostic, Range, Uri};
use serde::Serialize;
use serde_json::Value;

/// Kind of the actions that write a spec in another format. They are source actions, so that editors do not show them at every
/// line.
const CONVERT: CodeActionKind = CodeActionKind::new("source.convert");

/// The kinds of actions that the server offers.
pub const KINDS: [CodeActionKind; 4] =
    [CodeActionKind::QUICKFIX, CodeActionKind::REFACTOR_REWRITE, CodeActionKind::SOURCE_FIX_ALL, CONVERT];

/// A `CodeAction` of LSP.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    /// Text for the user.
    title: String,
    /// Kind of the action.
    kind: CodeActionKind,
    /// The findings that the action fixes.
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnostics: Option<Vec<Diagnostic>>,
    /// The edits of all files. Null for an action that cannot be applied.
    #[serde(skip_serializing_if = "Value::is_null")]
    edit: Value,
    /// Whether an editor may apply the action without a choice of the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_preferred: Option<bool>,
    /// Why the action cannot be applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    disabled: Option<Disabled>,
}

/// Why an action cannot be applied.
#[derive(Debug, PartialEq, Serialize)]
struct Disabled {
    /// Text for the user.
    reason: String,
}

impl Action {
    /// Creates an action that fixes no finding.
    fn new(title: String, kind: CodeActionKind, edit: Value) -> Self {
        Self { title, kind, diagnostics: None, edit, is_preferred: None, disabled: None }
    }

    /// Creates an action that cannot be applied.
    fn disabled(title: String, kind: CodeActionKind, reason: String) -> Self {
        Self { disabled: Some(Disabled { reason }), ..Self::new(title, kind, Value::Null) }
    }

    /// Adds findings that the action fixes, each once.
    fn add_findings(&mut self, more: Option<Vec<Diagnostic>>) {
        for one in more.into_iter().flatten() {
            let own = self.diagnostics.get_or_insert_default();
            if !own.contains(&one) {
                own.push(one);
            }
        }
    }
}

/// The code actions that an editor requests.
pub struct Wanted {
    /// The document.
    uri: Uri,
    /// The selected range.
    range: Range,
    /// Kinds of actions: `source` includes `source.fixAll`. `None`: all kinds.
    only: Option<Vec<String>>,
}

impl Wanted {
    /// Reads the parameters of a request.
    ///
    /// # Errors
    /// Returns an error if a parameter is missing or invalid.
    pub fn of(params: &Params) -> Result<Self, String> {
        let only = params.0.pointer("/context/only").and_then(Value::as_array);
        let only = only.map(|all| all.iter().filter_map(|kind| Some(kind.as_str()?.to_owned())).collect());
        Ok(Self { uri: params.uri()?, range: params.range()?, only })
    }

    fn includes(&self, kind: &CodeActionKind) -> bool {
        self.only.as_ref().is_none_or(|only| {
            only.iter().any(|wanted| {
                let rest = kind.as_str().strip_prefix(wanted.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || wanted.is_empty())
            })
        })
    }
}

/// Answers `textDocument/codeAction`.
pub fn actions(session: &mut Session<'_>, wanted: &Wanted) -> Option<Vec<Action>> {
    let path = session.document(&wanted.uri)?.path.clone();
    session.results(&path);
    let session = &*session;
    let document = session.documents.get(&path)?;
    let mut all: Vec<Action> = Vec::new();
    if wanted.includes(&CodeActionKind::QUICKFIX) {
        let batches = fixes::batches(session, document, wanted.range);
        all.extend(fixes::fixes(session, document, &batches, wanted.range));
        all.extend(allow::actions(session, document, &batches, wanted.range));
        all.extend(targets::actions(session, document, wanted.range));
    }
    if wanted.includes(&CodeActionKind::REFACTOR_REWRITE) {
        all.extend(moves::actions(session, document, wanted.range.start));
    }
    if wanted.includes(&CodeActionKind::SOURCE_FIX_ALL) {
        all.extend(fixes::fix_all(session, document));
    }
    // If the editor does not request kinds of actions, conversions are offered only at the first line of the job.
    let asked = wanted.only.is_some();
    if wanted.includes(&CONVERT) && (asked || convert::is_at_root(document, wanted.range)) {
        all.extend(convert::actions(session, document));
    }
    Some(all)
}

/// Returns whether two ranges touch.
fn touches(one: Range, other: Range) -> bool {
    one.start <= other.end && other.start <= one.end
}
