//! Turns automatic fixes of an unquoted word into suggestions if a comment follows without a space. KDL reads `1//2` as a
//! number and a comment, but the author may mean one word.
use crate::diagnostic::{Diagnostic, Edit};
use crate::sources::{Format, Sources};

/// Turns each automatic fix into a suggestion if it edits an unquoted word directly before a comment.
pub(super) fn disable_fixes(diagnostic: &mut Diagnostic, sources: &Sources) {
    for fix in &mut diagnostic.fixes {
        if fix.is_automatic() && fix.edits.iter().any(|edit| ends_in_a_word(edit, sources)) {
            *fix = fix.clone().suggested();
        }
    }
}

/// Returns whether the text that an edit replaces ends with an unquoted word, directly followed by a comment.
fn ends_in_a_word(edit: &Edit, sources: &Sources) -> bool {
    let Some(source) = sources.find(edit.span).filter(|source| source.format == Format::Kdl) else {
        return false;
    };
    let bytes = source.local(edit.span);
    let rest = &source.text[bytes.end..];
    let bare = source.text[bytes].ends_with(|c: char| !c.is_whitespace() && !"\"{}();".contains(c));
    bare && (rest.starts_with("//") || rest.starts_with("/*"))
}
