//! Values that a role inherits from its job or a base file, each with a link to its line.
use super::Place;
use super::spans::{block_of, node_at};
use crate::cursor::{Cursor, Slot};
use crate::diagnostics::Places;
use crate::features::lines::line_start;
use std::path::Path;
use tfjob_lang::merge;
use tfjob_lang::secrets;
use tfjob_lang::sources::{Format, Span};
use tfjob_lang::spec::DEFAULTS;
use tfjob_lang::tree::{Entry, Tree};

/// Maximum length of a line of a spec in a hover, in characters.
const LONG: usize = 80;

/// Blocks whose entries are inherited one by one.
const BY_ENTRY: [&str; 5] = ["env", "secret", "port", "after", "target"];

/// Returns the inherited values of a role, if the cursor is at `role` or at the name of the role.
#[must_use]
pub fn parts(place: &Place<'_>, cursor: &Cursor) -> Option<String> {
    let name = role_at(place, cursor)?;
    let (kind, name) = (name.0.as_str(), name.1.as_str());
    let entries = inherited_fields(place, &with_defaults(place)?, kind, name)?;
    let mut lines: Vec<String> = Vec::new();
    for (_, span) in entries {
        // Several variables may be in one line of the spec, which is listed only once.
        let line = source_of(place, span).map(|source| format!("- {source}"));
        lines.extend(line.filter(|line| !lines.contains(line)));
    }
    (!lines.is_empty()).then(|| format!("Inherited:\n\n{}", lines.join("\n")))
}

/// Returns the kind and the name of the role at the cursor.
fn role_at(place: &Place<'_>, cursor: &Cursor) -> Option<(String, String)> {
    let is_role = |name: &str| ["role", "helper"].contains(&name);
    match &cursor.slot {
        Slot::Argument(0) | Slot::Entry(0) => {
            let step = cursor.path.last().filter(|step| is_role(&step.name))?;
            Some((step.name.clone(), step.key.clone()?))
        }
        Slot::Node => {
            let kind = place.document.text.get(cursor.word.clone()).filter(|name| is_role(name))?;
            let node = node_at(place, &cursor.word)?;
            Some((kind.to_owned(), node.key()?.to_owned()))
        }
        Slot::Argument(_) | Slot::Entry(_) | Slot::Property(_) => None,
    }
}

/// Returns the checked spec with the defaults of the job in each role. `None` if it could not be read.
#[must_use]
pub fn with_defaults(place: &Place<'_>) -> Option<Tree> {
    let mut tree = place.checked.first()?.tree.clone()?;
    merge::give_defaults(&mut tree, place.root).ok()?;
    Some(tree)
}

/// Returns the fields of a role that another block sets, with the span of each: the default of the job, or the entry of a base
/// file. `None` for an unknown role. `tree`: the result of [`with_defaults`].
#[must_use]
pub fn inherited_fields(
    place: &Place<'_>,
    tree: &Tree,
    kind: &str,
    name: &str,
) -> Option<Vec<(String, Span)>> {
    let own = block_of(place, kind, name)?;
    let role = role(tree, kind, name)?;
    let is_own = |span: Span| place.local(span).is_some_and(|at| own.start <= at.start && at.end <= own.end);
    let mut found = Vec::new();
    for entry in role.entries().iter().filter(|entry| is_field(entry)) {
        if BY_ENTRY.contains(&entry.key.as_str()) {
            let others = entry.tree.entries().iter().filter(|entry| !is_own(entry.tree.span));
            found.extend(others.map(|other| (format!("{} {}", entry.key, other.key), other.tree.span)));
        } else if !is_own(entry.tree.span) {
            found.push((entry.key.clone(), entry.tree.span));
        }
    }
    Some(found)
}

/// Returns whether an entry of a role may be inherited: also `count` and `min`, which an overlay inherits from its base.
fn is_field(entry: &Entry) -> bool {
    let key = entry.key.replace('-', "_");
    DEFAULTS.contains(&key.as_str()) || ["count", "min"].contains(&key.as_str())
}

fn role<'t>(tree: &'t Tree, kind: &str, name: &str) -> Option<&'t Tree> {
    tree.get("job")?.get(kind)?.get(name)
}

/// Returns the first line of a span and a link to it: `` `resources cpus=1` ([base.tfjob.kdl:3](file:///…#L3)) ``. Credentials are
/// masked. A setting of the command line or a project file has no link.
#[must_use]
pub fn source_of(place: &Place<'_>, span: Span) -> Option<String> {
    let batch = place.batch()?;
    let source = batch.sources.find(span)?;
    let local = source.local(span);
    let start = line_start(&source.text, local.start);
    // Shows the whole line, because the span of a value does not contain the name of its entry. If the line is too long, shows
    // only the value.
    let first = |text: &str| text.lines().next().unwrap_or_default().trim().to_owned();
    let line = first(&source.text[start..]);
    let line = if line.chars().count() > LONG { first(source.slice(span)) } else { line };
    let scrubber = secrets::scrubber(std::iter::once(&batch.sources));
    let shown = scrubber.scrub(line.trim_end_matches('{').trim_end()).replace('`', "'");
    let short: String = shown.chars().take(LONG).collect();
    let short = if short.len() < shown.len() { format!("{short}…") } else { short };
    let number = source.position(span.start).line;
    let file = Path::new(&source.name).file_name()?.to_string_lossy();
    if source.format == Format::Set {
        return Some(format!("`{short}` ({file})"));
    }
    let (_, location) = Places::new(batch, place.session.client.encoding).of(span)?;
    let is_here = place.document.path.to_string_lossy() == source.name;
    let label = if is_here { format!("line {number}") } else { format!("{file}:{number}") };
    Some(format!("`{short}` ([{label}]({}#L{number}))", location.uri.as_str()))
}
