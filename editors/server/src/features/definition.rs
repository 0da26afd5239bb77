//! Go to definition: where a name is declared.
use crate::cursor::Cursor;
use crate::documents::{normal, uri_of};
use crate::features::setting;
use crate::names::{Names, Reach};
use crate::session::Session;
use lsp_types::{Location, Position, Range, Uri};
use std::path::{Path, PathBuf};
use tfjob_driver::files::is_project;

/// Returns the declarations of the name at a position. At the path of another file of the project, such
/// as that of `extends`, the file. At a setting of a project file, the field that it sets.
pub fn definition(session: &mut Session<'_>, uri: &Uri, position: Position) -> Vec<Location> {
    let Some((path, byte)) = session.place(uri, position) else { return Vec::new() };
    if let Some(file) = named(session, &path, byte) {
        return vec![file];
    }
    let declared = declarations(session, &path, byte);
    match session.documents.get(&path).filter(|_| declared.is_empty() && is_project(&path)) {
        Some(document) => setting::definitions(session, document, byte),
        None => declared,
    }
}

fn declarations(session: &mut Session<'_>, path: &Path, byte: usize) -> Vec<Location> {
    let Some(names) = Names::of(session, path, Reach::Connected) else { return Vec::new() };
    let Some(place) = names.at(path, byte) else { return Vec::new() };
    names.declarations(place).into_iter().filter_map(|one| names.location(one)).collect()
}

/// Returns the start of the file that a path names, if the position is in a path of another file of the project.
fn named(session: &mut Session<'_>, path: &Path, byte: usize) -> Option<Location> {
    let document = session.documents.get(path)?;
    let root = session.shape(document);
    let cursor = Cursor::at(document, root, byte)?;
    cursor.field(root)?.paths()?;
    let text = document.text.get(cursor.word.clone())?;
    let wanted = normal(&path.parent()?.join(text.trim_matches(['"', '\''])));
    // Only a file that is known is returned, so that the editor does not open a missing file.
    let is_wanted = |known: &&PathBuf| normal(known) == wanted;
    let read = session.results(path).and_then(|results| results.reads.iter().find(is_wanted).cloned());
    let found = read.or_else(|| session.paths().find(is_wanted).cloned())?;
    Some(Location { uri: uri_of(&found)?, range: Range::default() })
}
