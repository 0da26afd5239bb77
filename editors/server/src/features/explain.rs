//! The pages of `tfjob explain`. The request `tfjob/explain` is not part of LSP.
use crate::cursor::{Cursor, Slot};
use crate::features::hover::plain;
use crate::params::Params;
use crate::session::Session;
use serde::Serialize;

/// Result of `tfjob/explain`.
#[derive(Debug, Serialize)]
pub struct Page {
    /// The topic of the page. At a field, it begins with the block of the field: `resources.memory`.
    topic: String,
    /// The page, in Markdown.
    markdown: String,
    /// The page as plain text.
    text: String,
}

/// Returns the page about an error code, a keyword, a feature, or a target. If the parameters have a position at which the topic is a
/// field, the page begins with this field: several blocks may have a field of this name.
///
/// # Errors
/// Returns an error if the topic is unknown. The text names the most similar topic.
pub fn explain(session: &Session<'_>, params: &Params) -> Result<Page, String> {
    let topic = params.text("/topic")?;
    let at_cursor = block_at(session, params, topic).map(|block| format!("{block}.{topic}"));
    let found = at_cursor.and_then(|topic| Some((session.host.explain(&topic).ok()?, topic)));
    let (markdown, topic) = match found {
        Some(found) => found,
        None => (session.host.explain(topic)?, topic.to_owned()),
    };
    Ok(Page { topic, text: plain(&markdown), markdown })
}

/// Returns the name of the block with the field at the position of the parameters: of `target "yarn"`, `yarn`. `None` if another word is
/// there.
fn block_at(session: &Session<'_>, params: &Params, field: &str) -> Option<String> {
    let document = session.document(&params.uri_at("/uri").ok()?)?;
    let byte = document.byte(params.position().ok()?);
    let cursor = Cursor::at(document, session.shape(document), byte)?;
    let word = document.text.get(cursor.word.clone())?.trim_matches(['"', '\'']);
    let is_field = match &cursor.slot {
        Slot::Node | Slot::Entry(_) => word == field,
        Slot::Property(name) => name == field,
        Slot::Argument(_) => false,
    };
    let step = cursor.path.last().filter(|_| is_field)?;
    Some(if step.name == "target" { step.key.clone()? } else { step.name.clone() })
}
