//! The fixes of findings. A fix is looked up by the place of its finding, because some editors drop the field `data` of a
//! diagnostic.
use super::Action;
use crate::diagnostics::Places;
use crate::documents::Document;
use crate::features::edit;
use crate::features::formatting::changed_lines;
use crate::position::Lines;
use crate::results::{Results, key};
use crate::session::Session;
use lsp_types::{CodeActionKind, Diagnostic, Range, TextEdit};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tfjob_driver::{Batch, fixes};
use tfjob_lang::diagnostic::Fix;
use tfjob_lang::secrets;
use tfjob_lang::sources::{Format, Source, Span};

/// Maximum number of rounds of [`fix_all`], as in `tfjob check --fix`: a fix can make another fix possible.
const ROUNDS: usize = 4;

/// Returns the fixes of the findings that touch the range. `batches`: the checks with findings in the document.
#[must_use]
pub fn fixes(
    session: &Session<'_>,
    document: &Document,
    batches: &[Cow<'_, Batch>],
    wanted: Range,
) -> Vec<Action> {
    let mut all: Vec<Action> = Vec::new();
    let scrubber = secrets::scrubber(batches.iter().map(|batch| &batch.sources));
    for batch in batches {
        let places = Places::new(batch, session.client.encoding);
        for found in batch.diagnostics.iter().filter(|found| !found.fixes.is_empty()) {
            let Some(range) = range_in(&places, document, found.span()) else { continue };
            if !super::touches(range, wanted) {
                continue;
            }
            let message = scrubber.scrub(&found.message);
            let is_own = |one: &Diagnostic| one.range == range && key(one).3 == message;
            for fix in &found.fixes {
                let edits = edits(session, batch, &places, fix);
                let Some(edit) = edits.and_then(|edits| edit::workspace(session, edits)) else { continue };
                let action = Action {
                    title: capitalized(&one_line(&scrubber.scrub(&title(batch, fix)))),
                    kind: CodeActionKind::QUICKFIX,
                    diagnostics: session.shown(&document.path, found.code, is_own),
                    edit,
                    is_preferred: Some(fix.is_automatic() && found.fixes.len() == 1),
                    disabled: None,
                };
                // Several findings may have the same fix, such as two properties that belong to one block.
                match all.iter_mut().find(|one| one.title == action.title && one.edit == action.edit) {
                    Some(same) => same.add_findings(action.diagnostics),
                    None => all.push(action),
                }
            }
        }
    }
    all
}

/// Maximum number of specs that are not open and are checked again for their fixes: a base may have the same finding in a thousand specs.
const MAX_AGAIN: usize = 16;

/// Returns the checks with findings in a range of a document, if they have read its current text: of the document, and of the specs that
/// extend it. If there are such specs, the findings of the document alone are not shown.
#[must_use]
pub fn batches<'s>(session: &'s Session<'_>, document: &Document, wanted: Range) -> Vec<Cow<'s, Batch>> {
    let name = document.path.to_string_lossy();
    let is_read = |batch: &Cow<'_, Batch>| {
        // The text of a setting has only the setting. Its edits are compared with the document.
        let is_current = |source: &Source| source.format == Format::Set || source.text == document.text;
        batch.sources.iter().any(|source| source.name == name && is_current(source))
    };
    let has_finding = |results: &Results| {
        let findings = results.findings.get(&document.path);
        findings.into_iter().flatten().any(|one| super::touches(one.range, wanted))
    };
    let is_shown = |path: &Path| !session.is_base(path);
    let all = || session.all_results().filter(|(path, results)| is_shown(path) && has_finding(results));
    let kept = all().flat_map(|(_, results)| &results.checked).map(|one| Cow::Borrowed(&one.batch));
    let closed = all().filter(|(_, results)| results.checked.is_empty()).take(MAX_AGAIN);
    let unsaved = session.unsaved();
    let again = closed.flat_map(|(path, _)| session.checked_with(path, &unsaved));
    let again: Vec<_> = again.map(|one| Cow::Owned(one.batch)).collect();
    kept.chain(again).filter(is_read).collect()
}

fn range_in(places: &Places<'_>, document: &Document, span: Span) -> Option<Range> {
    let (file, location) = places.of(span)?;
    (document.path.to_string_lossy() == file).then_some(location.range)
}

/// Maximum length of a text that a title quotes, in bytes.
const MAX_QUOTED: usize = 60;

/// Returns the title of a fix. For a replacement, it also names the replaced text, because the list of fixes in an editor contains
/// those of several findings.
fn title<'f>(batch: &Batch, fix: &'f Fix) -> Cow<'f, str> {
    let [edit] = fix.edits.as_slice() else { return Cow::Borrowed(&fix.title) };
    let old = batch.sources.find(edit.span).map_or("", |source| &source.text[source.local(edit.span)]);
    let is_short = |text: &str| !text.is_empty() && text.len() <= MAX_QUOTED && !text.contains(['\n', '`']);
    if fix.is_replacement && is_short(old) && is_short(&edit.text) {
        return Cow::Owned(format!("replace `{old}` with `{}`", edit.text));
    }
    Cow::Borrowed(&fix.title)
}

/// Returns the edits of a fix by file. `None` if a part cannot be edited: an argument of the command line, a setting of a project
/// whose text in the file has escapes, or a file whose text has changed since the check.
fn edits(
    session: &Session<'_>,
    batch: &Batch,
    places: &Places<'_>,
    fix: &Fix,
) -> Option<BTreeMap<PathBuf, Vec<TextEdit>>> {
    let mut all: BTreeMap<PathBuf, Vec<TextEdit>> = BTreeMap::new();
    for one in &fix.edits {
        let source = batch.sources.find(one.span)?;
        let path = PathBuf::from(&source.name);
        let (_, location) = places.of(one.span)?;
        let is_current = match source.format {
            // A setting has the place that it has in the project file.
            Format::Set => has_text(session, &path, location.range, batch.sources.slice(one.span)),
            Format::Kdl | Format::Json | Format::Yaml => session.is_current(&path, &source.text),
        };
        if !is_current {
            return None;
        }
        all.entry(path).or_default().push(TextEdit { range: location.range, new_text: one.text.clone() });
    }
    (!all.is_empty()).then_some(all)
}

/// Returns whether a file has this text at a place.
fn has_text(session: &Session<'_>, path: &Path, range: Range, text: &str) -> bool {
    if let Some(open) = session.documents.get(path) {
        return open.text.get(open.bytes(range)) == Some(text);
    }
    session.host.text(path).is_some_and(|current| {
        let lines = Lines::of(&current);
        let byte = |position| lines.byte(&current, position, session.client.encoding);
        current.get(byte(range.start)..byte(range.end)) == Some(text)
    })
}

/// Returns the action that applies all automatic fixes of a document, as `tfjob check --fix` does. `None` if there are none.
#[must_use]
pub fn fix_all(session: &Session<'_>, document: &Document) -> Option<Action> {
    let results = session.last(&document.path)?;
    let found = results.checked.iter().flat_map(|checked| &checked.batch.diagnostics);
    if !found.flat_map(|found| &found.fixes).any(Fix::is_automatic) {
        return None;
    }
    let options = session.options();
    let name = document.path.to_string_lossy();
    let mut unsaved = session.unsaved();
    for _ in 0..ROUNDS {
        let checked = session.host.check(&document.path, &options, &unsaved)?.ok()?;
        let batches: Vec<Batch> = checked.into_iter().map(|checked| checked.batch).collect();
        let (mut changed, _) = fixes::apply(&batches, &|file| file == name);
        let Some((_, new)) = changed.remove(&*name) else { break };
        Arc::make_mut(&mut unsaved).insert(document.path.clone(), new.into());
    }
    let edits = changed_lines(document, unsaved.get(&document.path)?);
    if edits.is_empty() {
        return None;
    }
    let edit = edit::of_document(session, document, edits)?;
    Some(Action::new("Apply all automatic fixes".to_owned(), CodeActionKind::SOURCE_FIX_ALL, edit))
}

/// Returns a title in one line. A title may quote a text of several lines.
fn one_line(title: &str) -> Cow<'_, str> {
    match title.find(['\n', '\r']) {
        Some(end) => Cow::Owned(format!("{} …", title[..end].trim_end())),
        None => Cow::Borrowed(title),
    }
}

/// Returns a title that begins with a capital letter, as editors show it.
fn capitalized(title: &str) -> String {
    let mut chars = title.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
