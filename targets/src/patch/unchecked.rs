//! Warnings of patched keys for which tfjob checks only the type of the value.
use super::{each, read};
use crate::codes::PATCH_UNCHECKED;
use std::collections::BTreeSet;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::sources::Span;

/// Warns of `keys` in a patch, for which the platform has rules that tfjob cannot check. `help`: how to let the platform check
/// them.
#[must_use]
pub fn unchecked(target: &str, text: &str, at: Span, keys: &[&str], help: &str) -> Option<Diagnostic> {
    let patch = read(text).ok()?;
    let mut met = BTreeSet::new();
    each(&patch, "", &mut |path, _| {
        met.extend(path.split('.').map(|part| part.split('[').next().unwrap_or_default().to_owned()));
    });
    let met: Vec<String> =
        keys.iter().filter(|key| met.contains(**key)).map(|key| format!("`{key}`")).collect();
    let fact = format!(
        "{target}: tfjob checks only the type of {}, so the platform may still refuse the patch",
        met.join(", ")
    );
    let found = Diagnostic::new(&PATCH_UNCHECKED, at, fact).here("in this patch");
    (!met.is_empty()).then(|| found.help(help))
}
