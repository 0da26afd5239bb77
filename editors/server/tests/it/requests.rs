//! The requests that the server offers, and parameters for them.
use crate::editor::Editor;
use lsp_types::Position;
use serde_json::{Value, json};

/// Requests, by the capability that offers them. A new capability must be added here.
const REQUESTS: &[(&str, &[&str])] = &[
    ("codeActionProvider", &["textDocument/codeAction"]),
    ("completionProvider", &["textDocument/completion"]),
    ("definitionProvider", &["textDocument/definition"]),
    ("documentFormattingProvider", &["textDocument/formatting"]),
    ("documentHighlightProvider", &["textDocument/documentHighlight"]),
    ("documentLinkProvider", &["textDocument/documentLink"]),
    ("documentRangeFormattingProvider", &["textDocument/rangeFormatting"]),
    ("documentSymbolProvider", &["textDocument/documentSymbol"]),
    ("foldingRangeProvider", &["textDocument/foldingRange"]),
    ("hoverProvider", &["textDocument/hover"]),
    ("inlayHintProvider", &["textDocument/inlayHint"]),
    ("referencesProvider", &["textDocument/references"]),
    ("renameProvider", &["textDocument/prepareRename", "textDocument/rename"]),
    ("selectionRangeProvider", &["textDocument/selectionRange"]),
    ("semanticTokensProvider", &["textDocument/semanticTokens/full", "textDocument/semanticTokens/range"]),
    ("workspaceSymbolProvider", &["workspace/symbol"]),
];

/// Capabilities without requests.
const OTHER: [&str; 3] = ["positionEncoding", "textDocumentSync", "workspace"];

/// Requests that are not part of LSP.
const OWN: [&str; 5] =
    ["tfjob/compiled", "tfjob/explain", "tfjob/locate", "tfjob/strategies", "tfjob/targets"];

/// Returns the methods of all capabilities, and those that are not part of LSP.
pub fn methods(offered: &Value) -> Vec<&'static str> {
    let capabilities = offered["capabilities"].as_object().expect("capabilities");
    let own = capabilities.keys().filter(|key| !OTHER.contains(&key.as_str()));
    let of = |key: &String| {
        let found = REQUESTS.iter().find(|(name, _)| name == key);
        found.unwrap_or_else(|| panic!("`{key}` is not in REQUESTS")).1
    };
    assert_eq!(own.clone().count(), REQUESTS.len(), "each of REQUESTS is offered");
    own.flat_map(of).copied().chain(OWN).collect()
}

/// Returns parameters that fit all requests.
pub fn params(
    name: &str,
    (start, end): (Position, Position),
    new: &str,
    target: &str,
    declarations: bool,
) -> Value {
    let uri = Editor::uri(name);
    json!({
        "textDocument": {"uri": uri}, "position": start, "positions": [start, end],
        "range": {"start": start, "end": end}, "options": {"tabSize": 4, "insertSpaces": true},
        "context": {"includeDeclaration": declarations, "diagnostics": [], "triggerKind": 1},
        "newName": new, "query": new, "uri": uri, "target": target, "topic": new,
    })
}
