//! Drops syntax errors inside an entry that another error already rejects. The collector cannot drop them, because it does
//! not merge fixes, and because only the positions of the two errors show that they belong together.
use crate::codes::{
    BAD_NUMBER, BARE_KEYWORD, BARE_TEXT, BARE_URI, BARE_VARIABLE, COLON_AFTER_NAME, COMMA, EQUALS_SIGN,
    EXTRA_ARGUMENT, FLAG_PROPERTY, KDL_VERSION_1, MISPLACED_FIELD, SQUARE_BRACKETS, UNKNOWN_NODE,
    UNKNOWN_PROPERTY, WRONG_QUOTES, WRONG_TYPE,
};
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::sources::{Source, Span};

/// Merges the syntax errors (`common_mistakes`) and the invalid fields (`found`) of one text, so that each mistake is reported
/// once. The fix of an invalid field also gets the edits that fix the syntax errors inside this field. If the edits cannot be
/// combined, the fix is dropped.
pub(super) fn deduplicate(
    source: &Source,
    common_mistakes: Vec<Diagnostic>,
    mut found: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let mut kept = Vec::with_capacity(common_mistakes.len());
    for mistake in common_mistakes {
        match found.iter().position(|outer| contains(source, outer, &mistake)) {
            Some(outer) => merge_fixes(&mut found, outer, &mistake),
            None if is_useless(&mistake, &found) => {}
            None => kept.push(mistake),
        }
    }
    kept.extend(found);
    kept
}

/// Errors on one line are compared only within this distance in bytes. This limits the running time for malicious texts.
const MAX_DISTANCE: u32 = 2048;

/// Returns whether this is a syntax error in a value.
fn is_in_value(mistake: &Diagnostic) -> bool {
    let codes = [
        &BARE_TEXT,
        &BARE_KEYWORD,
        &BARE_URI,
        &BARE_VARIABLE,
        &BAD_NUMBER,
        &FLAG_PROPERTY,
        &WRONG_QUOTES,
        &KDL_VERSION_1,
    ];
    codes.contains(&mistake.code)
}

/// Returns whether this is a syntax error in the form of an entry, such as `name: value`.
fn is_in_entry(mistake: &Diagnostic) -> bool {
    [&COLON_AFTER_NAME, &EQUALS_SIGN, &SQUARE_BRACKETS, &COMMA].contains(&mistake.code)
}

/// Returns whether `outer` reports the unknown or misplaced name of an entry, and `mistake` is a syntax error on the line of this
/// entry that need not be reported separately.
fn contains(source: &Source, outer: &Diagnostic, mistake: &Diagnostic) -> bool {
    let (name, at) = (outer.span(), mistake.span());
    if at.start < name.end || at.start - name.end > MAX_DISTANCE {
        return false;
    }
    let named = outer.code == &UNKNOWN_NODE
        || outer.code == &MISPLACED_FIELD
            && source.text[..source.local(name).start]
                .trim_end_matches([' ', '\t'])
                .ends_with(['\n', '{', ';']);
    // If the fix of `outer` keeps the value in its place, the syntax errors of the value are still reported.
    let mut edits = outer.fixes.iter().flat_map(|fix| &fix.edits);
    let lost = outer.fixes.is_empty() || edits.any(|edit| edit.text.is_empty() && edit.span.contains(at));
    if !named || !(is_in_entry(mistake) || is_in_value(mistake) && lost) || !source.span().contains(at) {
        return false;
    }
    !source.slice(Span::new(name.end, at.start)).contains(['\n', '{', '}', ';'])
}

/// Adds the edits of the syntax error `mistake` to the fix of the error `outer`, which contains it. If either error does not
/// have exactly one fix, all fixes of `outer` are removed.
fn merge_fixes(found: &mut [Diagnostic], outer: usize, mistake: &Diagnostic) {
    let clash =
        |a: &Edit, b: &Edit| a.span.start < b.span.end && b.span.start < a.span.end || a.span == b.span;
    let others: Vec<Edit> = (found.iter().enumerate())
        .filter(|(number, _)| *number != outer)
        .flat_map(|(_, other)| other.fixes.iter().flat_map(|fix| fix.edits.iter().cloned()))
        .collect();
    let outer = &mut found[outer];
    let ([fix], [more]) = (outer.fixes.as_mut_slice(), mistake.fixes.as_slice()) else {
        return outer.fixes.clear();
    };
    // An edit that removes text is not needed if the fix of `outer` already replaces this text.
    let moved = |edit: &&Edit| {
        edit.text.trim().is_empty() && fix.edits.iter().any(|other| other.span.contains(edit.span))
    };
    let new: Vec<Edit> = (more.edits.iter())
        .filter(|edit| !moved(edit) && !others.iter().any(|other| clash(edit, other)))
        .map(|edit| without_separator(fix, edit))
        .collect();
    if new.iter().any(|edit| fix.edits.iter().any(|other| clash(edit, other))) {
        outer.fixes.clear();
    } else {
        fix.edits.extend(new);
        if !more.is_automatic() {
            fix.applicability = more.applicability;
        }
    }
}

/// Returns an edit that writes a `;` after an entry, but without the `;` if the fix moves this entry to another place.
fn without_separator(fix: &Fix, edit: &Edit) -> Edit {
    let is_moved = |other: &Edit| other.text.is_empty() && other.span.end == edit.span.start;
    let text = if edit.text == ";" && fix.edits.iter().any(is_moved) { "" } else { &edit.text };
    Edit { span: edit.span, text: text.to_owned() }
}

/// Returns whether the syntax error `mistake` need not be reported. This is so if its entry is misplaced, or if another error at
/// the same span has a fix or reports the wrong type.
fn is_useless(mistake: &Diagnostic, found: &[Diagnostic]) -> bool {
    let at = mistake.span();
    let misplaced = |d: &Diagnostic| {
        let codes = [&EXTRA_ARGUMENT, &UNKNOWN_PROPERTY, &MISPLACED_FIELD];
        codes.contains(&d.code) && d.span().contains(at)
    };
    let better = |d: &Diagnostic| d.span() == at && (!d.fixes.is_empty() || d.code == &WRONG_TYPE);
    is_in_value(mistake) && found.iter().any(|d| d.is_error() && (misplaced(d) || better(d)))
}
