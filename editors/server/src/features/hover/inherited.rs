//! Values that a role inherits from its job or a base file, each with a link to its line.
use super::Place;
use super::spans::{block_of, node_at};
use crate::cursor::{Cursor, Slot};
use crate::documents::uri_of;
use crate::features::environments::shortened;
use crate::features::lines::line_start;
use std::ops::Range;
use std::path::Path;
use tfjob_driver::Batch;
use tfjob_lang::merge;
use tfjob_lang::secrets::Scrubber;
use tfjob_lang::shape::{self, Object};
use tfjob_lang::sources::{Format, Source, Span};
use tfjob_lang::tree::Tree;

/// Maximum length of a line of a spec in a hover, in characters.
const MAX_LINE: usize = 80;

/// Returns the inherited values of a role, if the cursor is at `role` or at the name of the role.
#[must_use]
pub fn parts(place: &Place<'_>, cursor: &Cursor) -> Option<String> {
    let name = role_at(place, cursor)?;
    let (kind, name) = (name.0.as_str(), name.1.as_str());
    let of_place = |place: &Place<'_>| {
        let tree = with_defaults(place)?;
        let role = tree.get("job")?.get(kind)?.get(name)?;
        let block = place.root.block(&[("job", None), (kind, None)]);
        let entries = inherited_fields(block, place.source()?, role, &block_of(place, kind, name)?);
        let origins = Origins::of(place)?;
        Some(entries.into_iter().filter_map(|(_, span)| origins.shown(span)).collect::<Vec<_>>())
    };
    let all = place.each().filter_map(|(name, place)| Some((name, of_place(&place)?)));
    let all: Vec<(&str, Vec<String>)> = all.collect();
    // Several variables may be in one line of the spec, which is listed only once.
    let mut lines: Vec<&String> = Vec::new();
    for line in all.iter().flat_map(|(_, lines)| lines) {
        lines.extend((!lines.contains(&line)).then_some(line));
    }
    let shown = lines.iter().map(|line| {
        let own = all.iter().filter(|(_, lines)| lines.contains(line)).map(|(name, _)| *name);
        let own: Vec<&str> = own.collect();
        if own.len() == all.len() { format!("- {line}") } else { format!("- {}: {line}", shortened(&own)) }
    });
    let shown: Vec<String> = shown.collect();
    (!shown.is_empty()).then(|| format!("Inherited:\n\n{}", shown.join("\n")))
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
/// file. `object`: the fields of a role. `source`: the text of the document. `role`: the role in the result of [`with_defaults`].
/// `own`: the bytes of its block.
#[must_use]
pub fn inherited_fields(
    object: Option<&Object>,
    source: &Source,
    role: &Tree,
    own: &Range<usize>,
) -> Vec<(String, Span)> {
    let is_in = |at: Range<usize>| own.start <= at.start && at.end <= own.end;
    let is_own = |span: Span| source.span().contains(span) && is_in(source.local(span));
    let mut found = Vec::new();
    for entry in role.entries() {
        let Some(field) = object.and_then(|object| object.field(&entry.key)) else { continue };
        // The entries of a field such as `env` are inherited one by one.
        if !merge::is_replaced(field) && field.place != shape::Place::List {
            let others = entry.tree.entries().iter().filter(|entry| !is_own(entry.tree.span));
            found.extend(others.map(|other| (format!("{} {}", entry.key, other.key), other.tree.span)));
        } else if !is_own(entry.tree.span) {
            found.push((entry.key.clone(), entry.tree.span));
        }
    }
    found
}

/// The lines of the spec, its base files, and its settings that set a value.
pub struct Origins<'p> {
    /// The document.
    pub place: &'p Place<'p>,
    batch: &'p Batch,
    scrubber: &'p Scrubber,
}

impl<'p> Origins<'p> {
    /// Creates the lines of the texts that the check of a document has read. `None` without a check.
    #[must_use]
    pub fn of(place: &'p Place<'p>) -> Option<Self> {
        Some(Self::new(place, place.batch()?, place.session.last(&place.document.path)?.scrubber()))
    }

    /// Creates the lines of the texts of a batch.
    #[must_use]
    pub const fn new(place: &'p Place<'p>, batch: &'p Batch, scrubber: &'p Scrubber) -> Self {
        Self { place, batch, scrubber }
    }

    /// Returns the first line of a span and a link to it: `` `resources cpus=1` ([base.tfjob.kdl:3](file:///…#L3)) ``. Credentials are
    /// masked. A setting of the command line has no link.
    #[must_use]
    pub fn shown(&self, span: Span) -> Option<String> {
        let source = self.batch.sources.find(span)?;
        let local = source.local(span);
        let start = line_start(&source.text, local.start);
        // Shows the whole line, because the span of a value does not contain the name of its entry. If the line is too long, shows
        // only the value.
        let first = |text: &str| text.lines().next().unwrap_or_default().trim().to_owned();
        let line = first(&source.text[start..]);
        let line = if line.chars().count() > MAX_LINE { first(source.slice(span)) } else { line };
        // Before the line is shortened: a part of a credential may not be recognized.
        let shown = self.scrubber.scrub(line.trim_end_matches('{').trim_end()).replace('`', "'");
        let short: String = shown.chars().take(MAX_LINE).collect();
        let short = if short.len() < shown.len() { format!("{short}…") } else { short };
        let number = source.position(span.start).line;
        let path = Path::new(&source.name);
        let file = path.file_name()?.to_string_lossy();
        if source.format == Format::Set && !path.is_absolute() {
            return Some(format!("`{short}` ({file})"));
        }
        let uri = uri_of(path)?;
        let is_here = self.place.document.path == path;
        let label = if is_here { format!("line {number}") } else { format!("{file}:{number}") };
        Some(format!("`{short}` ([{label}]({}#L{number}))", uri.as_str()))
    }
}
