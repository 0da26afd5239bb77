//! The user's own words merged into what is written.
use crate::patch;
use tfjob_lang::origin::Document;
use tfjob_lang::plan::RoleId;
use tfjob_lang::sources::Span;

/// Texts for the whole or for a role, in the order of the job.
#[derive(Debug, Clone, Default)]
pub(super) struct Patches(Vec<(Option<RoleId>, String, Span)>);

impl Patches {
    /// One more.
    pub(super) fn add(&mut self, role: Option<RoleId>, text: &str, at: Span) {
        self.0.push((role, text.to_owned(), at));
    }

    /// Merges them; `places` are the pointers of what a role has in the document.
    pub(super) fn apply(&self, document: &mut Document, places: impl Fn(RoleId) -> Vec<String>) {
        for (role, text, at) in &self.0 {
            let pointers = role.map_or_else(|| vec![String::new()], &places);
            for pointer in pointers {
                patch::apply(document, &pointer, text, *at);
            }
        }
    }
}
