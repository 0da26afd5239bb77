//! The artifact that is written, with the user's patches in it.
use crate::patch;
use tfjob_lang::lowered::Artifact;
use tfjob_lang::origin::Document;
use tfjob_lang::plan::RoleId;
use tfjob_lang::sources::Span;

/// Texts for the whole or for a role, in the order of the job.
#[derive(Debug, Clone, Default)]
pub struct Patches(Vec<(Option<RoleId>, String, Span)>);

impl Patches {
    /// One more.
    pub fn add(&mut self, role: Option<RoleId>, text: &str, at: Span) {
        self.0.push((role, text.to_owned(), at));
    }

    /// Merges them; `places` are the pointers of what a role has in the document.
    pub fn apply(&self, document: &mut Document, places: impl Fn(RoleId) -> Vec<String>) {
        for (role, text, at) in &self.0 {
            let pointers = role.map_or_else(|| vec![String::new()], &places);
            for pointer in pointers {
                patch::apply(document, &pointer, text, *at);
            }
        }
    }
}

/// A document as a file that people read too.
pub fn json_file(path: &str, document: Document) -> Artifact {
    let text = serde_json::to_string_pretty(&document.value).unwrap_or_default() + "\n";
    Artifact { path: path.to_owned(), text, executable: false, documents: vec![document] }
}
