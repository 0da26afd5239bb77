//! Turns automatic fixes into suggestions where `--fix` cannot apply them, or where the author may mean something else.
use crate::diagnostic::{Diagnostic, Edit};
use crate::sources::{Format, Sources};

/// Turns each automatic fix into a suggestion if it edits a setting, which is not in a file that `--fix` changes; or if it edits an
/// unquoted word directly before a comment: KDL reads `1//2` as a number and a comment, but the author may mean one word.
pub(super) fn disable_fixes(diagnostic: &mut Diagnostic, sources: &Sources) {
    let is_unsure = |edit: &Edit| is_in_setting(edit, sources) || ends_in_a_word(edit, sources);
    for fix in &mut diagnostic.fixes {
        if fix.is_automatic() && fix.edits.iter().any(is_unsure) {
            *fix = fix.clone().suggested();
        }
    }
}

fn is_in_setting(edit: &Edit, sources: &Sources) -> bool {
    sources.find(edit.span).is_some_and(|source| source.format == Format::Set)
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
