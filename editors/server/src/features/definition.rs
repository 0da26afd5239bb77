//! Go to definition: where a name is declared.
use crate::documents::{normal, uri_of};
use crate::names::{Names, Reach};
use crate::session::Session;
use lsp_types::{Location, Position, Range, Uri};
use std::path::Path;
use tfjob_lang::sources::Format;

/// Returns the declarations of the name at a position. At `extends`, the base file.
pub fn definition(session: &mut Session<'_>, uri: &Uri, position: Position) -> Vec<Location> {
    let Some((path, byte)) = session.place(uri, position) else { return Vec::new() };
    base(session, &path, byte).map_or_else(|| declarations(session, &path, byte), |base| vec![base])
}

fn declarations(session: &mut Session<'_>, path: &Path, byte: usize) -> Vec<Location> {
    let Some(names) = Names::of(session, path, Reach::Connected) else { return Vec::new() };
    let Some(place) = names.at(path, byte) else { return Vec::new() };
    names.declarations(place).into_iter().filter_map(|one| names.location(one)).collect()
}

/// Returns the start of the base file, if the position is in the value of `extends`.
fn base(session: &mut Session<'_>, path: &Path, byte: usize) -> Option<Location> {
    let document = session.documents.get(path)?;
    if document.format() != Format::Kdl {
        return None;
    }
    let node = document.outline().nodes.iter().find(|node| node.name.text == "extends" && !node.disabled)?;
    let word = node.arguments().next().filter(|word| word.bytes.start <= byte && byte <= word.bytes.end)?;
    let wanted = normal(&path.parent()?.join(&word.text));
    // Only a file that the check has read is returned, so that the editor does not open a missing file.
    let results = session.results(path)?;
    let found = results.reads.iter().find(|read| normal(read) == wanted)?;
    Some(Location { uri: uri_of(found)?, range: Range::default() })
}
