//! What of a patch is held to its types alone, said aloud.
use super::{each, read};
use crate::codes::PATCH_UNCHECKED;
use std::collections::BTreeSet;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::sources::Span;

/// Warns of the keys of a patch whose types alone are judged here: the platform has rules of its own for them. `ask` is
/// what asks the platform itself.
#[must_use]
pub fn unchecked(target: &str, text: &str, at: Span, keys: &[&str], requirement: &str) -> Option<Diagnostic> {
    let patch = read(text).ok()?;
    let mut met = BTreeSet::new();
    each(&patch, "", &mut |path, _| {
        met.extend(path.split('.').map(|part| part.split('[').next().unwrap_or_default().to_owned()));
    });
    let met: Vec<String> =
        keys.iter().filter(|key| met.contains(**key)).map(|key| format!("`{key}`")).collect();
    let fact = format!("{target}: of {} only the types are judged here", met.join(", "));
    let found = Diagnostic::new(&PATCH_UNCHECKED, at, fact).here("merged into the artifact");
    (!met.is_empty()).then(|| found.help(format!("the platform has rules of its own for it: {requirement}")))
}
