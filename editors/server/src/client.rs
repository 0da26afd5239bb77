//! What the editor supports, and what the server offers to it.
use crate::features;
use crate::position::Encoding;
use lsp_types::{PositionEncodingKind, TextDocumentSyncKind};
use serde_json::{Value, json};

/// The editor: what it supports, and its settings. Only the fields that the server uses are read, as JSON: deserializing all client
/// capabilities would make up half of the program code of the server.
#[derive(Debug, Clone, Default)]
pub struct Client {
    /// Unit of the columns in positions.
    pub encoding: Encoding,
    /// Directories that the user opened, as URIs.
    pub folders: Vec<String>,
    /// Whether completions may contain placeholders (`$1`).
    pub snippets: bool,
    /// Whether edits may name the version of their document.
    pub versioned_edits: bool,
    /// Whether hovers may contain Markdown.
    pub markdown: bool,
    /// Whether the documentation of completions may contain Markdown.
    pub markdown_in_completions: bool,
    /// Whether edits may create files.
    pub creates_files: bool,
    /// Whether code actions may say why they cannot be applied.
    pub disabled_actions: bool,
    /// Whether the server may request notifications about changed files.
    pub watches_files: bool,
    /// Names of the targets to check for. Empty: the targets that each spec configures.
    pub targets: Vec<String>,
}

impl Client {
    /// Reads the parameters of the request `initialize`.
    #[must_use]
    pub fn of(params: &Value) -> Self {
        let at = |pointer: &str| params.pointer(pointer);
        let folders = at("/workspaceFolders").and_then(Value::as_array).map(|all| {
            all.iter().filter_map(|one| Some(one.get("uri")?.as_str()?.to_owned())).collect::<Vec<_>>()
        });
        let root = at("/rootUri").and_then(Value::as_str).map(|root| vec![root.to_owned()]);
        let accepts = |pointer: &str, word: &str| {
            let all = at(pointer).and_then(Value::as_array);
            all.is_some_and(|all| all.iter().any(|one| one == word))
        };
        let flag = |pointer: &str| at(pointer).and_then(Value::as_bool).unwrap_or_default();
        let mut client = Self {
            encoding: if accepts("/capabilities/general/positionEncodings", "utf-8") {
                Encoding::Utf8
            } else {
                Encoding::Utf16
            },
            folders: folders.filter(|all| !all.is_empty()).or(root).unwrap_or_default(),
            snippets: flag("/capabilities/textDocument/completion/completionItem/snippetSupport"),
            versioned_edits: flag("/capabilities/workspace/workspaceEdit/documentChanges"),
            markdown: accepts("/capabilities/textDocument/hover/contentFormat", "markdown"),
            markdown_in_completions: accepts(
                "/capabilities/textDocument/completion/completionItem/documentationFormat",
                "markdown",
            ),
            disabled_actions: flag("/capabilities/textDocument/codeAction/disabledSupport"),
            creates_files: accepts("/capabilities/workspace/workspaceEdit/resourceOperations", "create"),
            watches_files: flag("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
            targets: Vec::new(),
        };
        client.configure(at("/initializationOptions").unwrap_or(&Value::Null));
        client
    }

    /// Sets the settings: `{"targets": ["yarn"]}`, possibly inside `{"tfjob": …}`. A section `tfjob` without targets removes them.
    /// Settings without this section do not change them: some editors send `{}` at the start.
    pub fn configure(&mut self, settings: &Value) {
        let section = settings.get("tfjob");
        let Some(targets) = section.unwrap_or(settings).get("targets").or(section.map(|_| &Value::Null))
        else {
            return;
        };
        let targets = match targets {
            Value::Array(all) => all.as_slice(),
            Value::Null => &[],
            // It is reported as an unknown target.
            one => std::slice::from_ref(one),
        };
        let name = |one: &Value| one.as_str().map_or_else(|| one.to_string(), str::to_owned);
        self.targets = targets.iter().map(name).collect();
    }

    /// Changes the directories that the user opened.
    pub fn change_folders(&mut self, added: &[Value], removed: &[Value]) {
        let uris =
            |all: &[Value]| all.iter().filter_map(|one| Some(one.get("uri")?.as_str()?.to_owned())).collect();
        let (added, removed): (Vec<String>, Vec<String>) = (uris(added), uris(removed));
        self.folders.retain(|folder| !removed.contains(folder) && !added.contains(folder));
        self.folders.extend(added);
    }

    /// Returns the capabilities that the server offers. A method that is offered here has an answer in [`features::answer`].
    #[must_use]
    pub fn offered(&self) -> Value {
        json!({
            "positionEncoding": match self.encoding {
                Encoding::Utf8 => PositionEncodingKind::UTF8,
                Encoding::Utf16 => PositionEncodingKind::UTF16,
            },
            "textDocumentSync": {"openClose": true, "change": TextDocumentSyncKind::INCREMENTAL, "save": {}},
            "completionProvider": {"triggerCharacters": features::completion::TRIGGERS},
            "documentFormattingProvider": true,
            "documentRangeFormattingProvider": true,
            "hoverProvider": true,
            "codeActionProvider": {"codeActionKinds": features::actions::KINDS},
            "inlayHintProvider": true,
            "documentLinkProvider": {},
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "renameProvider": {"prepareProvider": true},
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
            "foldingRangeProvider": true,
            "selectionRangeProvider": true,
            "semanticTokensProvider": {
                "legend": {
                    "tokenTypes": features::tokens::types(),
                    "tokenModifiers": features::tokens::MODIFIERS,
                },
                "range": true,
                "full": true,
            },
        })
    }
}
