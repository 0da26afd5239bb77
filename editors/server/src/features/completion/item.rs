//! An item of the list, and its conversion to LSP.
use super::context::Context;
use super::insert::Draft;
use crate::documents::Document;
use crate::features::hover::plain;
use crate::session::Session;
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, InsertTextFormat, InsertTextMode,
    MarkupContent, MarkupKind, TextEdit,
};
use std::ops::Range;
use tfjob_lang::secrets::Scrubber;
use tfjob_lang::sources::Format;
use tfjob_lang::syntax::yaml::is_plain_text;

/// An item of the list.
#[derive(Debug, Clone)]
pub struct Item {
    /// Text in the list.
    pub label: String,
    /// Icon.
    pub kind: CompletionItemKind,
    /// Text next to the label, such as the form of a field.
    pub detail: Option<String>,
    /// Description in Markdown.
    pub documentation: String,
    /// Order in the list.
    pub rank: Rank,
    /// Text with which the editor compares the typed text, if it is not the label.
    pub filter: Option<String>,
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// The new text.
    pub draft: Draft,
    /// Offset at which a comma is inserted as well.
    pub comma: Option<usize>,
    /// Whether the item adds a unit to the typed number.
    pub is_unit: bool,
    /// Whether the next part of the value is to be chosen after this item.
    pub continues: bool,
}

/// Order of an item in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// A required field that is missing.
    Missing(usize),
    /// Any other item, in order of declaration.
    Usual(usize),
    /// A value that is used elsewhere, or an example.
    Guess(usize),
}

impl Rank {
    /// Returns the rank before all fields that are not required.
    #[must_use]
    pub const fn first(self) -> Self {
        match self {
            Self::Missing(number) | Self::Usual(number) | Self::Guess(number) => Self::Missing(number),
        }
    }
}

impl Item {
    /// Creates an item that replaces bytes of the text.
    #[must_use]
    pub fn new(
        label: impl Into<String>,
        kind: CompletionItemKind,
        range: Range<usize>,
        draft: Draft,
    ) -> Self {
        Self {
            label: label.into(),
            kind,
            detail: None,
            documentation: String::new(),
            rank: Rank::Usual(0),
            filter: None,
            range,
            draft,
            comma: None,
            is_unit: false,
            continues: false,
        }
    }

    /// Lets the item replace only the text between the quotes of a closed string. An item that replaces the quotes of a placeholder
    /// ends the session of its snippet in VS Code, so that Tab does not reach the next placeholder.
    #[must_use]
    pub fn between_quotes(mut self, context: &Context<'_>) -> Self {
        let (Some(quote), true) = (context.closed_quote(), self.range == context.cursor.word) else {
            return self;
        };
        let own = self.draft.plain.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let inner = match (own, context.format()) {
            (Some(inner), _) if quote == '"' => inner,
            (None, Format::Yaml) if is_plain_text(&self.draft.plain) => self.draft.plain.as_str(),
            (Some(_) | None, _) => return self,
        };
        if self.draft.has_holes() {
            return self;
        }
        self.draft = Draft::of(inner);
        self.range = self.range.start + 1..self.range.end - 1;
        self.filter = self.filter.map(|filter| filter.trim_start_matches(quote).to_owned());
        self
    }

    /// Puts the item into an object, for a JSON file that is empty.
    #[must_use]
    pub fn in_object(mut self) -> Self {
        self.draft.snippet = format!("{{ {} }}", self.draft.snippet);
        self.draft.plain = format!("{{ {} }}", self.draft.plain);
        self
    }

    /// Returns whether the item may be sent: LSP allows only edits within one line, and an item must not show a credential of
    /// another place.
    #[must_use]
    pub fn is_valid(&self, document: &Document, scrubber: &Scrubber) -> bool {
        let replaced = document.text.get(self.range.clone()).unwrap_or_default();
        let is_hidden = |text: &str| !scrubber.find(text).is_empty();
        let new = [&self.label, &self.draft.plain, &self.draft.snippet];
        let shows = || new.into_iter().any(|text| is_hidden(text)) && !is_hidden(replaced);
        !replaced.contains(['\n', '\r']) && !shows()
    }

    /// Converts the item to LSP. Credentials in its descriptions are masked by `scrubber`.
    #[must_use]
    pub fn finished(self, session: &Session<'_>, document: &Document, scrubber: &Scrubber) -> CompletionItem {
        let masked = |text: String| scrubber.scrub(&text).into_owned();
        let snippets = session.client.snippets && self.draft.has_holes();
        let new_text = if snippets { self.draft.snippet } else { self.draft.plain };
        let sort = match self.rank {
            Rank::Missing(number) => format!("0{number:03}"),
            Rank::Usual(number) => format!("1{number:03}"),
            Rank::Guess(number) => format!("2{number:03}"),
        };
        let documentation = Some(masked(self.documentation)).filter(|text| !text.is_empty());
        let documentation = documentation.map(|value| match session.client.markdown_in_completions {
            true => Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value }),
            // A string is valid for each client, also for one that names no format.
            false => Documentation::String(plain(&value)),
        });
        let comma =
            self.comma.map(|at| vec![TextEdit { range: document.range(at..at), new_text: ",".to_owned() }]);
        let is_long = new_text.contains('\n');
        // LSP has no such property: the extension for VS Code reads it.
        let continues = new_text.contains("$1") && snippets || self.continues;
        CompletionItem {
            filter_text: self.filter.filter(|filter| *filter != self.label),
            label: self.label,
            kind: Some(self.kind),
            detail: self.detail.map(masked),
            documentation,
            sort_text: Some(sort),
            insert_text_format: snippets.then_some(InsertTextFormat::SNIPPET),
            insert_text_mode: is_long.then_some(InsertTextMode::ADJUST_INDENTATION),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit {
                range: document.range(self.range),
                new_text,
            })),
            additional_text_edits: comma,
            data: continues.then(|| serde_json::json!({ "continues": true })),
            ..CompletionItem::default()
        }
    }
}
