//! Turns automatic fixes into suggestions where `--fix` cannot apply them, where the author may mean something else, or where they lose
//! text of the author.
use super::block_scalars::include_headers;
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::sources::{Format, Source, Sources};
use crate::syntax::lexer::{Kind, lex};

/// Turns each automatic fix into a suggestion if it edits a setting, which is not in a file that `--fix` changes; if it edits an
/// unquoted word directly before a comment: KDL reads `1//2` as a number and a comment, but the author may mean one word; if it removes
/// a comment; or if an entry disabled by `/-` is between its edits.
pub(super) fn disable_fixes(diagnostic: &mut Diagnostic, sources: &Sources) {
    let is_unsure = |edit: &Edit| is_in_setting(edit, sources) || ends_in_a_word(edit, sources);
    for fix in &mut diagnostic.fixes {
        include_headers(fix, sources);
        let is_kept = || !loses_a_comment(fix, sources) && !touches_disabled(fix, sources);
        if fix.is_automatic() && (fix.edits.iter().any(is_unsure) || !is_kept()) {
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

/// Returns whether the text that a fix replaces has a comment that the new text does not have.
fn loses_a_comment(fix: &Fix, sources: &Sources) -> bool {
    let is_kept = |comment: &str| fix.edits.iter().any(|edit| edit.text.contains(comment.trim()));
    let loses = |edit: &Edit| {
        let Some(source) = sources.find(edit.span) else { return false };
        !comments(source.format, source.slice(edit.span)).into_iter().all(is_kept)
    };
    fix.edits.iter().any(loses)
}

/// Returns the comments of a part of a text.
fn comments(format: Format, text: &str) -> Vec<&str> {
    match format {
        Format::Kdl => {
            let is_comment = |kind| matches!(kind, Kind::LineComment | Kind::BlockComment);
            let tokens = lex(text).into_iter().filter(|token| is_comment(token.kind));
            tokens.map(|token| &text[token.range()]).collect()
        }
        // A `#` in quotes may count too.
        Format::Yaml => {
            let begins = |at: &usize| text[..*at].chars().next_back().is_none_or(char::is_whitespace);
            let starts = text.match_indices('#').map(|(at, _)| at).filter(begins);
            starts.filter_map(|at| text[at..].lines().next()).collect()
        }
        Format::Json | Format::Set => Vec::new(),
    }
}

/// Returns whether `/-` is between the edits of a fix, or next to one. The fix could enable the entry, or only a part of it.
fn touches_disabled(fix: &Fix, sources: &Sources) -> bool {
    let spans = || fix.edits.iter().map(|edit| edit.span);
    let Some(all) = spans().reduce(|all, span| all.to(span)) else { return false };
    let is_kdl = |source: &&Source| source.format == Format::Kdl;
    let Some(source) = sources.find(all).filter(is_kdl) else { return false };
    let range = source.local(all);
    // Edits of two files are too far apart to compare.
    let Some(between) = source.text.get(range.clone()) else { return true };
    let before = source.text[..range.start].trim_end_matches([' ', '\t']);
    let after = source.text[range.end..].trim_start_matches([' ', '\t']);
    before.ends_with("/-") || after.starts_with("/-") || between.contains("/-")
}
