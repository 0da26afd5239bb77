//! Disables automatic fixes for a word that is followed by a comment without a space. In `1//2`, KDL reads a number and a
//! comment, but the author may mean one word.
use crate::diagnostic::{Diagnostic, Edit};
use crate::sources::{Format, Sources};

/// Turns each fix that ends with such a word into a suggestion.
pub(super) fn disable_fixes(diagnostic: &mut Diagnostic, sources: &Sources) {
    for fix in &mut diagnostic.fixes {
        if fix.is_automatic() && fix.edits.iter().any(|edit| ends_in_a_word(edit, sources)) {
            *fix = fix.clone().suggested();
        }
    }
}

/// Returns whether an edit ends with an unquoted word that a comment follows without a space.
fn ends_in_a_word(edit: &Edit, sources: &Sources) -> bool {
    let Some(source) = sources.find(edit.span).filter(|source| source.format == Format::Kdl) else {
        return false;
    };
    let bytes = source.local(edit.span);
    let rest = &source.text[bytes.end..];
    let bare = source.text[bytes].ends_with(|c: char| !c.is_whitespace() && !"\"{}();".contains(c));
    bare && (rest.starts_with("//") || rest.starts_with("/*"))
}
