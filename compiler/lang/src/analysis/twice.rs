//! Drops a syntax error inside an entry that another error already rejects. This is not for the collector: it merges the
//! fixes of both errors, and knows them by their places in one text and not by premises.
use crate::codes::{
    BAD_NUMBER, BARE_KEYWORD, BARE_TEXT, BARE_URI, BARE_VARIABLE, COLON_AFTER_NAME, COMMA, EQUALS_SIGN,
    EXTRA_ARGUMENT, FLAG_PROPERTY, KDL_VERSION_1, MISPLACED_FIELD, SQUARE_BRACKETS, UNKNOWN_NODE,
    UNKNOWN_PROPERTY, WRONG_QUOTES, WRONG_TYPE,
};
use crate::diagnostic::{Diagnostic, Edit};
use crate::sources::{Source, Span};

/// What the syntax and the shape say of one text, each mistake once. A fix of the shape takes up the edits of the slips
/// that it contains; one that cannot is no fix.
pub(super) fn one_each(
    source: &Source,
    common_mistakes: Vec<Diagnostic>,
    mut found: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let mut kept = Vec::with_capacity(common_mistakes.len());
    for mistake in common_mistakes {
        match found.iter().position(|greater| contains(source, greater, &mistake)) {
            Some(greater) => take_up(&mut found, greater, &mistake),
            None if in_vain(&mistake, &found) => {}
            None => kept.push(mistake),
        }
    }
    kept.extend(found);
    kept
}

/// Bytes of a line that are looked at: bounds the time of hostile texts.
const FAR: u32 = 2048;

/// Slips in how a value is written.
fn of_value(mistake: &Diagnostic) -> bool {
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

/// Slips in how an entry is written.
fn of_entry(mistake: &Diagnostic) -> bool {
    [&COLON_AFTER_NAME, &EQUALS_SIGN, &SQUARE_BRACKETS, &COMMA].contains(&mistake.code)
}

/// Whether a slip is on the line of an entry that has no meaning or no place by its name.
fn contains(source: &Source, greater: &Diagnostic, mistake: &Diagnostic) -> bool {
    let (name, at) = (greater.span(), mistake.span());
    if at.start < name.end || at.start - name.end > FAR {
        return false;
    }
    let named = greater.code == &UNKNOWN_NODE
        || greater.code == &MISPLACED_FIELD
            && source.text[..source.local(name).start]
                .trim_end_matches([' ', '\t'])
                .ends_with(['\n', '{', ';']);
    // A value that is read as it was meant, where it stands, has its own slips.
    let mut edits = greater.fixes.iter().flat_map(|fix| &fix.edits);
    let lost = greater.fixes.is_empty() || edits.any(|edit| edit.text.is_empty() && edit.span.contains(at));
    if !named || !(of_entry(mistake) || of_value(mistake) && lost) || !source.span().contains(at) {
        return false;
    }
    !source.slice(Span::new(name.end, at.start)).contains(['\n', '{', '}', ';'])
}

/// Adds the edits of a slip to the one fix of the error that contains it.
fn take_up(found: &mut [Diagnostic], greater: usize, mistake: &Diagnostic) {
    let clash =
        |a: &Edit, b: &Edit| a.span.start < b.span.end && b.span.start < a.span.end || a.span == b.span;
    let others: Vec<Edit> = (found.iter().enumerate())
        .filter(|(number, _)| *number != greater)
        .flat_map(|(_, other)| other.fixes.iter().flat_map(|fix| fix.edits.iter().cloned()))
        .collect();
    let greater = &mut found[greater];
    let ([fix], [more]) = (greater.fixes.as_mut_slice(), mistake.fixes.as_slice()) else {
        return greater.fixes.clear();
    };
    // What is moved or replaced needs no mending, unless words of it stand on elsewhere.
    let moved = |edit: &&Edit| {
        edit.text.trim().is_empty() && fix.edits.iter().any(|own| own.span.contains(edit.span))
    };
    let new: Vec<Edit> = (more.edits.iter())
        .filter(|edit| !moved(edit) && !others.iter().any(|other| clash(edit, other)))
        .cloned()
        .collect();
    if new.iter().any(|edit| fix.edits.iter().any(|own| clash(edit, own))) {
        greater.fixes.clear();
    } else {
        fix.edits.extend(new);
        if !more.is_automatic() {
            fix.applicability = more.applicability;
        }
    }
}

/// Whether fixing the value is useless: the entry is misplaced, or another fix covers it.
fn in_vain(mistake: &Diagnostic, found: &[Diagnostic]) -> bool {
    let at = mistake.span();
    let misplaced = |d: &Diagnostic| {
        let codes = [&EXTRA_ARGUMENT, &UNKNOWN_PROPERTY, &MISPLACED_FIELD];
        codes.contains(&d.code) && d.span().contains(at)
    };
    let better = |d: &Diagnostic| d.span() == at && (!d.fixes.is_empty() || d.code == &WRONG_TYPE);
    of_value(mistake) && found.iter().any(|d| d.is_error() && (misplaced(d) || better(d)))
}
