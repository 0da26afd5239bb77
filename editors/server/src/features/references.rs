//! References to a name, and its highlights in one document.
use crate::documents::is_shared;
use crate::names::{Names, Reach};
use crate::params::Params;
use crate::session::Session;
use lsp_types::{DocumentHighlight, DocumentHighlightKind, Location, Position, Uri};
use serde_json::Value;

/// Returns whether the editor wants declarations among the references.
#[must_use]
pub fn includes_declarations(params: &Params) -> bool {
    params.0.pointer("/context/includeDeclaration").and_then(Value::as_bool).unwrap_or_default()
}

/// Returns all places that use the name at a position, in all specs of the workspace that share it; and those that declare it, if
/// `declarations` is set.
pub fn references(
    session: &mut Session<'_>,
    uri: &Uri,
    position: Position,
    declarations: bool,
) -> Option<Vec<Location>> {
    let (path, byte) = session.place(uri, position)?;
    let names = Names::of(session, &path, Reach::Connected)?;
    let place = names.at(&path, byte)?;
    let all = names.same(place).into_iter().filter(|one| declarations || !one.mention.declares);
    Some(all.filter_map(|one| names.location(one)).collect())
}

/// Returns the places in the document that mean the name at a position.
pub fn highlights(
    session: &mut Session<'_>,
    uri: &Uri,
    position: Position,
) -> Option<Vec<DocumentHighlight>> {
    let (path, byte) = session.place(uri, position)?;
    // The settings of a project file belong to the specs.
    let reach = if is_shared(&path) { Reach::Connected } else { Reach::Chain };
    let names = Names::of(session, &path, reach)?;
    let place = names.at(&path, byte)?;
    let own = names.same(place).into_iter().filter(|one| one.file.path == path);
    let highlight = |one: crate::names::Place<'_>| DocumentHighlight {
        range: names.range(one),
        kind: Some(if one.mention.declares {
            DocumentHighlightKind::WRITE
        } else {
            DocumentHighlightKind::READ
        }),
    };
    Some(own.map(highlight).collect())
}
