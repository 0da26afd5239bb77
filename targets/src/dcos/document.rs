//! The JSON document that tfjob writes for DC/OS, and the patches of the user that tfjob merges into it.
use crate::patch;
use tfjob_lang::lowered::Artifact;
use tfjob_lang::origin::Document;
use tfjob_lang::plan::RoleId;
use tfjob_lang::sources::Span;

/// Patches of the whole document or of a role, in the order of the spec.
#[derive(Debug, Clone, Default)]
pub struct Patches(Vec<(Option<RoleId>, String, Span)>);

impl Patches {
    /// Adds a patch of a role, or of the whole document if `role` is `None`.
    pub fn add(&mut self, role: Option<RoleId>, text: &str, at: Span) {
        self.0.push((role, text.to_owned(), at));
    }

    /// Merges the patches into the document. `places` returns the JSON pointers of the objects that belong to a role.
    pub fn apply(&self, document: &mut Document, places: impl Fn(RoleId) -> Vec<String>) {
        for (role, text, at) in &self.0 {
            let pointers = role.map_or_else(|| vec![String::new()], &places);
            for pointer in pointers {
                patch::apply(document, &pointer, text, *at);
            }
        }
    }
}

/// Returns a document as an indented JSON file.
pub fn json_file(path: &str, document: Document) -> Artifact {
    let text = serde_json::to_string_pretty(&document.value).unwrap_or_default() + "\n";
    Artifact { path: path.to_owned(), text, executable: false, documents: vec![document] }
}
