//! Leaves a word to its writer that a comment touches: `1//2` is one word to people, and to KDL a number and a comment.
use crate::diagnostic::{Diagnostic, Edit};
use crate::sources::{Format, Sources};

/// Makes each change a suggestion that ends in such a word.
pub(super) fn leave(told: &mut Diagnostic, sources: &Sources) {
    for fix in &mut told.fixes {
        if fix.is_automatic() && fix.edits.iter().any(|edit| ends_in_a_word(edit, sources)) {
            *fix = fix.clone().suggested();
        }
    }
}

/// Whether a change ends with a word without quotes, and a comment follows without a blank.
fn ends_in_a_word(edit: &Edit, sources: &Sources) -> bool {
    let Some(source) = sources.find(edit.span).filter(|source| source.format == Format::Kdl) else {
        return false;
    };
    let bytes = source.local(edit.span);
    let rest = &source.text[bytes.end..];
    let bare = source.text[bytes].ends_with(|c: char| !c.is_whitespace() && !"\"{}();".contains(c));
    bare && (rest.starts_with("//") || rest.starts_with("/*"))
}
