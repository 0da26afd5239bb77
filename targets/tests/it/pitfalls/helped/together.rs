//! Edits that a help names together: typed in turn into one spec, they end the finding and cause no new error.
use super::Judged;
use super::snippet::{conditions, filled, is_literal, typed, without};
use tfjob_lang::diagnostic::Diagnostic;

/// An edit of a help.
#[derive(Debug)]
enum Edit<'h> {
    /// A snippet, and the block in which the help places it.
    Write(&'h str, Option<&'h str>),
    /// A property or an entry.
    Remove(&'h str),
}

/// Returns the part of a help that lists edits which are all needed.
fn list(help: &str) -> Option<&str> {
    let numbered = help.find(" changes: (1) ").filter(|_| help.contains("make these "));
    let numbered = numbered.map(|at| help[at..].split("; put this").next().unwrap_or_default());
    let written = help.find(" of these edits: ").map(|at| &help[at..]);
    let both = || {
        let at = help.find("` and `").filter(|_| help.starts_with("write `"))?;
        let end = help[at..].find([':', ';']).map_or(help.len(), |end| at + end);
        Some(&help[..end])
    };
    numbered.or(written).or_else(both)
}

fn edits(list: &str) -> Vec<Edit<'_>> {
    let pieces: Vec<&str> = list.split('`').collect();
    let is_block = |text: &str| {
        ["role \"", "helper \"", "target \""].iter().any(|start| text.starts_with(start))
            && !text.contains('{')
    };
    let mut found = Vec::new();
    for (number, snippet) in pieces.iter().enumerate().skip(1).step_by(2) {
        let (before, after) = (pieces[number - 1], pieces.get(number + 1).copied().unwrap_or_default());
        let next = pieces.get(number + 2).copied();
        if ["without ", "remove "].iter().any(|word| before.ends_with(word)) {
            found.push(Edit::Remove(snippet));
        } else if !before.contains(" in ") && !before.ends_with(" block for ") {
            let of_place = after == " in the " && next == Some("placement");
            let block = next.filter(|next| after == " in " && is_block(next) || of_place);
            found.push(Edit::Write(snippet, block));
        }
    }
    found
}

/// Returns the spec with an edit.
fn with(text: &str, at: usize, edit: &Edit<'_>, finding: &Diagnostic) -> Option<String> {
    match edit {
        Edit::Remove(word) => without(text, at, word),
        Edit::Write(snippet, block) => {
            let found = block.map_or(Some(at), |block| text.find(block));
            match (found, block) {
                (Some(at), _) => typed(text, at, snippet, finding),
                // The job has no block of the target yet.
                (None, Some(block)) => typed(text, at, &format!("{block} {{ {snippet} }}"), finding),
                (None, None) => None,
            }
        }
    }
}

/// Returns the fault of the edits that a help names together, if any.
pub fn fault(judged: &Judged, finding: &Diagnostic, target: &str) -> Option<String> {
    let (Some(help), Some(place)) = (&finding.help, judged.place(finding)) else { return None };
    let help = filled(help);
    let list = list(&help)?;
    if conditions(finding).next().is_some() {
        return None;
    }
    let (mut text, mut at) = (judged.text.clone(), place.start);
    for edit in edits(list) {
        let (Edit::Write(snippet, _) | Edit::Remove(snippet)) = edit;
        if !is_literal(snippet) || !snippet.starts_with(|c: char| c.is_ascii_lowercase()) {
            return None;
        }
        let Some(edited) = with(&text, at, &edit, finding) else {
            return Some(format!("{target}: {}: cannot type {edit:?}: {help}", finding.message));
        };
        let same = text.bytes().zip(edited.bytes()).take_while(|(old, new)| old == new).count();
        if same < at {
            at = (at + edited.len()).saturating_sub(text.len());
        }
        text = edited;
    }
    let again = Judged::of(&text, target);
    let known = |d: &&Diagnostic| judged.findings.iter().any(|old| old.message == d.message);
    if let Some(stays) = again.findings.iter().find(|d| d.message == finding.message) {
        return Some(format!("{target}: all edits leave {}: {help}", stays.message));
    }
    let new = again.findings.iter().filter(|d| d.is_error()).find(|d| !known(d))?;
    Some(format!("{target}: {}: all edits bring {}: {help}", finding.message, new.message))
}
