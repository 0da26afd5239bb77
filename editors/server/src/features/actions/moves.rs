//! "Move to role" and "move to job": moves the field at the cursor, which roles inherit. Offered only if the job stays the same: its
//! findings, and the artifacts of its targets; and not in a spec with errors, or in a base of another spec.
use super::Action;
use crate::documents::Document;
use crate::features::edit;
use crate::features::formatting::changed_lines;
use crate::features::lines::{indent, line_end, line_start};
use crate::host::Options;
use crate::outline::Node;
use crate::results::Results;
use crate::session::Session;
use lsp_types::{CodeActionKind, Position};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use tfjob_driver::Checked;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::shape::{Object, Place};
use tfjob_lang::sources::Format;
use tfjob_lang::spec;

/// Indentation of one block, as `tfjob fmt` writes it.
const INDENT: &str = "    ";

/// Replacements of byte ranges of a text.
type Changes = Vec<(Range<usize>, String)>;

/// Returns the action that moves the field at a position. `None` if the field cannot be moved, or the job would change.
#[must_use]
pub fn actions(session: &Session<'_>, document: &Document, at: Position) -> Option<Action> {
    let text = &document.text;
    if document.format() != Format::Kdl {
        return None;
    }
    let byte = document.byte(at);
    let outline = document.outline();
    let job = outline.nodes.iter().find(|node| node.name.text == "job" && !node.disabled)?;
    let field = job.nodes().iter().find(|node| contains(node, byte))?;
    let (title, changes) = if is_role(field) {
        let own = field.nodes().iter().find(|node| is_at(node, byte) && is_default(node, field))?;
        to_job(text, job, own)?
    } else {
        let shape = session.shape(document).object().and_then(|top| top.field("job")?.shape.object());
        let has_value = |field: &&Node| is_at(field, byte) && !is_empty(field, shape);
        to_roles(text, job, Some(field).filter(has_value)?)?
    };
    let new = applied(text, changes);
    if !is_same(session, document, &new)? {
        return None;
    }
    let edit = edit::of_document(session, document, changed_lines(document, &new))?;
    Some(Action::new(title, CodeActionKind::REFACTOR_REWRITE, edit))
}

const fn contains(node: &Node, byte: usize) -> bool {
    node.bytes.start <= byte && byte <= node.bytes.end && !node.disabled
}

/// Returns whether an offset is in a node, and not in its block, so that a user there means the whole node.
fn is_at(node: &Node, byte: usize) -> bool {
    contains(node, byte)
        && node.block.as_ref().is_none_or(|block| byte <= block.bytes.start || byte == block.bytes.end)
}

fn is_role(node: &Node) -> bool {
    ["role", "helper"].contains(&node.name.text.as_str()) && !node.disabled
}

/// Returns whether a field of the job is a default for this role or helper.
fn is_default(field: &Node, role: &Node) -> bool {
    spec::is_default(&field.name.text, &role.name.text)
}

/// Returns whether a field has no value to move, such as `target "kubernetes" {}`. `job`: the shape of the job.
fn is_empty(field: &Node, job: Option<&Object>) -> bool {
    let is_target =
        job.and_then(|job| job.field(&field.name.text)).is_some_and(|it| it.place == Place::Targets);
    // The name of a target is no value.
    field.entries.len() <= usize::from(is_target) && field.nodes().iter().all(|node| node.disabled)
}

/// Returns the title and the changes that move a default of the job into each role that does not set the field. `None` if all
/// roles set it.
fn to_roles(text: &str, job: &Node, field: &Node) -> Option<(String, Changes)> {
    let name = &field.name.text;
    let takes = |role: &&Node| {
        is_role(role) && is_default(field, role) && !role.nodes().iter().any(|node| node.name.text == *name)
    };
    let roles: Vec<&Node> = job.nodes().iter().filter(takes).collect();
    let title = match roles.as_slice() {
        [] => return None,
        [only] => format!("Move `{name}` to {} `{}`", only.name.text, only.key()?),
        [_, _, ..] => format!("Move `{name}` to each role"),
    };
    let mut changes = vec![(whole(text, &field.bytes), String::new())];
    changes.extend(roles.into_iter().map(|role| inserted(text, role, field)));
    Some((title, changes))
}

/// Returns the title and the changes that move a field of all roles to the job. `None` if the first role does not begin its line.
fn to_job(text: &str, job: &Node, field: &Node) -> Option<(String, Changes)> {
    let words = normal(text, field);
    let same = |role: &&Node| is_role(role);
    let mut changes = Changes::new();
    for role in job.nodes().iter().filter(same) {
        let own = role.nodes().iter().find(|node| !node.disabled && normal(text, node) == words);
        changes.extend(own.map(|node| (removed(text, role, node), String::new())));
    }
    let first = job.nodes().iter().find(same)?;
    let start = line_start(text, first.bytes.start);
    if !text[start..first.bytes.start].trim().is_empty() {
        return None;
    }
    let outer = indent(text, first.bytes.start);
    let moved = reindented(text, field, outer);
    changes.push((start..start, format!("{outer}{moved}\n")));
    Some((format!("Move `{}` to the job, as default of all roles", field.name.text), changes))
}

/// Returns the bytes to remove when a field leaves a role: the field, or the whole block if nothing else is in it.
fn removed(text: &str, role: &Node, field: &Node) -> Range<usize> {
    let block = role.block.as_ref().filter(|block| {
        let inside = block.bytes.start + 1..block.bytes.end.saturating_sub(1);
        let rest = [text.get(inside.start..field.bytes.start), text.get(field.bytes.end..inside.end)];
        block.closed
            && rest.iter().all(|rest| {
                rest.is_some_and(|rest| rest.trim_matches([' ', '\t', '\r', '\n', ';']).is_empty())
            })
    });
    let Some(block) = block else { return whole(text, &field.bytes) };
    let before = text[..block.bytes.start].trim_end_matches([' ', '\t']).len();
    before..block.bytes.end
}

/// Returns the text of a node with single spaces, to compare nodes.
fn normal(text: &str, node: &Node) -> String {
    text[node.bytes.clone()].split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the bytes to remove for a node: its whole lines; only the node with its `;` if its lines contain something else.
fn whole(text: &str, node: &Range<usize>) -> Range<usize> {
    let (start, end) = (line_start(text, node.start), line_end(text, node.end));
    let rest = text[node.end..end].trim_start_matches([' ', '\t', ';']).trim();
    if text[start..node.start].trim().is_empty() && rest.is_empty() {
        return start..(end + 1).min(text.len());
    }
    let after = &text[node.end..];
    let separator = after.len() - after.trim_start_matches([' ', '\t', ';']).len();
    node.start..node.end + separator
}

/// Returns the change that adds a field to the start of the block of a role.
fn inserted(text: &str, role: &Node, field: &Node) -> (Range<usize>, String) {
    let outer = indent(text, role.bytes.start);
    let inner = format!("{outer}{INDENT}");
    let moved = reindented(text, field, &inner);
    match &role.block {
        None => (role.bytes.end..role.bytes.end, format!(" {{\n{inner}{moved}\n{outer}}}")),
        Some(block) => {
            let at = block.bytes.start + 1;
            let is_line = text[at..].trim_start_matches([' ', '\t']).starts_with('\n');
            let new = if is_line { format!("\n{inner}{moved}") } else { format!(" {moved};") };
            (at..at, new)
        }
    }
}

/// Returns the text of a node with this indentation for all lines but the first.
fn reindented(text: &str, node: &Node, indentation: &str) -> String {
    let old = indent(text, node.bytes.start);
    let mut lines = text[node.bytes.clone()].split('\n');
    let mut out = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        out.push('\n');
        out.push_str(
            &line.strip_prefix(old).map_or_else(|| line.to_owned(), |rest| format!("{indentation}{rest}")),
        );
    }
    out
}

fn applied(text: &str, mut changes: Changes) -> String {
    changes.sort_by_key(|(range, _)| range.start);
    let mut new = text.to_owned();
    for (range, with) in changes.into_iter().rev() {
        new.replace_range(range, &with);
    }
    new
}

/// Returns whether another text of a document has the same findings and the same artifacts. `None` if it cannot be checked, or if
/// another spec extends the document, because that spec may have more roles.
fn is_same(session: &Session<'_>, document: &Document, new: &str) -> Option<bool> {
    let known = session.last(&document.path)?;
    // A file that was not checked yet may extend the document too.
    let may_extend = |(path, results): (&PathBuf, &Results)| {
        *path != document.path && (results.reads(&document.path) || !results.reads(path))
    };
    if session.all_results().any(may_extend) {
        return None;
    }
    // A spec with errors has no artifacts to compare, or not those of all targets.
    let has_error = |checked: &Checked| checked.batch.diagnostics.iter().any(Diagnostic::is_error);
    if known.checked.iter().any(|checked| checked.plan.is_none() || has_error(checked)) {
        return None;
    }
    let configured = known.checked.iter().any(|checked| !checked.compiled.is_empty());
    let registry = *session.host.driver().registry();
    let targets = if configured { Vec::new() } else { registry.targets.to_vec() };
    let options = Options { targets, artifacts: true };
    let mut unsaved = session.unsaved();
    let old = outcome(session, document, &options, &unsaved)?;
    if old.iter().any(|(_, files)| files.is_empty()) {
        return None;
    }
    Arc::make_mut(&mut unsaved).insert(document.path.clone(), new.into());
    Some(outcome(session, document, &options, &unsaved)? == old)
}

/// Returns the findings and the artifacts of a document, without places. `None` if the document cannot be checked.
fn outcome(
    session: &Session<'_>,
    document: &Document,
    options: &Options,
    unsaved: &crate::host::Unsaved,
) -> Option<Vec<(Vec<String>, Vec<String>)>> {
    let all = session.host.check(&document.path, options, unsaved)?.ok()?;
    let outcomes = all.into_iter().map(|checked| {
        let told = checked.batch.diagnostics.iter().map(|one| format!("{} {}", one.code.name, one.message));
        let mut told: Vec<String> = told.collect();
        told.sort();
        let lowered =
            checked.compiled.iter().filter_map(|(target, lowered)| Some((target, lowered.as_ref()?)));
        let files = lowered.flat_map(|(target, lowered)| {
            // A move changes the digest of the spec in the artifacts, although the job stays the same.
            let digest =
                checked.plan.as_ref().map(|plan| plan.spec_digest(target.name())).unwrap_or_default();
            lowered.artifacts.iter().map(move |file| file.text.replace(&digest, "digest")).collect::<Vec<_>>()
        });
        (told, files.collect())
    });
    Some(outcomes.collect())
}
