//! Edits of several files: the `WorkspaceEdit` of LSP, in the form that the editor supports.
use crate::documents::{Document, uri_of};
use crate::session::Session;
use lsp_types::{Position, Range, TextEdit, Uri};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tfjob_driver::fixes::{ends_with_crlf, with_crlf};

/// Returns the edits of files by path. New lines end as those of the file do. An open document is edited in the version that the server knows. `None` if a path has no
/// URI.
#[must_use]
pub fn workspace(session: &Session<'_>, mut edits: BTreeMap<PathBuf, Vec<TextEdit>>) -> Option<Value> {
    for (path, edits) in &mut edits {
        let mut with_lines = edits.iter_mut().filter(|edit| edit.new_text.contains('\n')).peekable();
        if with_lines.peek().is_some() && session.text(path).is_some_and(|text| ends_with_crlf(&text)) {
            with_lines.for_each(|edit| edit.new_text = with_crlf(&edit.new_text));
        }
    }
    if session.client.versioned_edits {
        let changes = edits.iter().map(|(path, edits)| {
            let version = session.documents.get(path).and_then(|document| document.version);
            Some(changed(&uri(session, path)?, version, edits))
        });
        return Some(json!({"documentChanges": changes.collect::<Option<Vec<_>>>()?}));
    }
    let changes = edits.iter().map(|(path, edits)| {
        let uri = uri(session, path)?;
        Some((uri.as_str().to_owned(), json!(edits)))
    });
    Some(json!({"changes": changes.collect::<Option<Map<_, _>>>()?}))
}

/// Returns the edits of one open document.
#[must_use]
pub fn of_document(session: &Session<'_>, document: &Document, edits: Vec<TextEdit>) -> Option<Value> {
    workspace(session, BTreeMap::from([(document.path.clone(), edits)]))
}

/// Returns the creation of a file. It fails if the file exists. `None` if the editor cannot create files.
#[must_use]
pub fn new_file(session: &Session<'_>, path: &Path, text: String) -> Option<Value> {
    let uri = uri_of(path).filter(|_| session.client.creates_files)?;
    let start = Position::default();
    let content = TextEdit { range: Range::new(start, start), new_text: text };
    Some(json!({"documentChanges": [{"kind": "create", "uri": uri}, changed(&uri, None, &[content])]}))
}

fn changed(uri: &Uri, version: Option<i32>, edits: &[TextEdit]) -> Value {
    json!({"textDocument": {"uri": uri, "version": version}, "edits": edits})
}

/// Returns the URI of a file; for an open document, the URI as the editor writes it.
fn uri(session: &Session<'_>, path: &Path) -> Option<Uri> {
    session.documents.get(path).map_or_else(|| uri_of(path), |document| Some(document.uri.clone()))
}
