//! The pages of `tfjob explain`. The request `tfjob/explain` is not part of LSP.
use crate::features::hover::plain;
use crate::session::Session;
use serde::Serialize;

/// Result of `tfjob/explain`.
#[derive(Debug, Serialize)]
pub struct Page {
    /// The page, in Markdown.
    markdown: String,
    /// The page as plain text.
    text: String,
}

/// Returns the page about an error code, a keyword, a feature, or a target.
///
/// # Errors
/// Returns an error if the topic is unknown. The text names the most similar topic.
pub fn explain(session: &Session<'_>, topic: &str) -> Result<Page, String> {
    let markdown = session.host.explain(topic)?;
    Ok(Page { text: plain(&markdown), markdown })
}
