//! Completion: the fields, values, and names that may be written at the cursor, also in a text with errors.
//!
//! ```text
//! Cursor (path, slot, word) --Context--> fields of the block, or values of the field --Item--> edits of the word at the cursor
//! ```
//!
//! Names, descriptions, choices, and defaults are those of the shapes; declared names are those of the spec with its base files and
//! of its cluster file.
mod context;
mod described;
mod draft;
mod example;
mod fields;
mod files;
mod fit;
mod inherited;
mod insert;
mod item;
mod names;
mod references;
mod settings;
mod strings;
mod values;

use crate::documents::Document;
use crate::params::Params;
use crate::results::Results;
use crate::session::Session;
use context::Context;
use item::Item;
use lsp_types::{CompletionList, Position, Uri};
use tfjob_lang::secrets::{self, Scrubber};
use tfjob_lang::sources::{Format, Sources};

/// Characters after which an editor asks for completion without a letter: in a new string, a reference, or the value of a property.
/// A space is not among them, because most editors would then open a list after every word.
pub const TRIGGERS: [&str; 4] = ["\"", "{", ".", "="];

/// Returns the typed character that triggered the completion; `None` if the user requested it.
#[must_use]
pub fn trigger(params: &Params) -> Option<&str> {
    params.optional_text("/context/triggerCharacter")
}

/// Returns what may be written at a position. `None` if the document is not open.
pub fn completion(
    session: &mut Session<'_>,
    uri: &Uri,
    position: Position,
    trigger: Option<&str>,
) -> Option<CompletionList> {
    let (path, byte) = session.place(uri, position)?;
    if session.last(&path).is_none_or(|results| results.checked.is_empty()) {
        session.results(&path);
    }
    let document = session.documents.get(&path)?;
    let items = Context::of(session, document, byte).map(|context| items(&context, trigger));
    let (items, is_incomplete) = items.unwrap_or_default();
    let results = session.last(&path);
    let current = current_scrubber(document, results);
    let scrubber = current.as_ref().or_else(|| results.map(Results::scrubber))?;
    let items = items.into_iter().filter(|item| item.is_valid(document, scrubber));
    let items = items.map(|item| item.finished(session, document, scrubber)).collect();
    Some(CompletionList { is_incomplete, items })
}

/// Returns a scrubber for the current text and the texts of the last check. `None` if the check has read the current text.
fn current_scrubber(document: &Document, results: Option<&Results>) -> Option<Scrubber> {
    let sources =
        || results.into_iter().flat_map(|results| &results.checked).map(|checked| &checked.batch.sources);
    if sources().any(|sources| sources.iter().any(|source| source.text == document.text)) {
        return None;
    }
    let mut own = Sources::default();
    own.add(document.path.to_string_lossy(), document.format(), document.text.as_str());
    Some(secrets::scrubber(std::iter::once(&own).chain(sources())))
}

/// Returns the items, and whether the editor must ask again after the next character.
fn items(context: &Context<'_>, trigger: Option<&str>) -> (Vec<Item>, bool) {
    if let Some(list) = references::items(context, trigger.is_none()) {
        return (list, false);
    }
    if let Some(list) = references::in_script(context) {
        return (list, false);
    }
    let is_wanted = match trigger {
        None => true,
        // The opening quote of a string, not the closing one.
        Some("\"") => context.word().len() < 2 || context.byte < context.cursor.word.end,
        Some("." | "=") if settings::continues(context) => true,
        // The value of a property.
        Some("=") => {
            context.format() == Format::Kdl && context.before().ends_with('=') && !context.cursor.quoted
        }
        // A character of a reference, which `references::items` has handled.
        Some(_) => false,
    };
    if !is_wanted {
        return (Vec::new(), false);
    }
    let mut items = fields::items(context);
    let values = values::items(context);
    items.extend(values);
    // Units depend on the digits before the cursor, and the names of other systems on the typed letters, so the editor must ask again
    // after the next character.
    let is_incomplete = items.iter().any(|item| item.is_unit || item.filter.is_some());
    let is_blank = context.format() == Format::Json && context.document.text.trim().is_empty();
    let placed = |item: Item| if is_blank { item.in_object() } else { item.between_quotes(context) };
    (items.into_iter().map(placed).collect(), is_incomplete)
}
