//! Renaming of roles, data, files, parameters, ports, environment variables, and the job: in all files that share the name.
use super::edit;
use crate::names::{Names, Place, Reach, unreadable};
use crate::session::Session;
use lsp_types::{Position, PrepareRenameResponse, TextEdit, Uri};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tfjob_lang::mentions::{Kind, Written};
use tfjob_lang::shape::Shape;
use tfjob_lang::sources::Format;
use tfjob_lang::spec::{FrameworkName, RENDEZVOUS};

/// Returns the range and the text of the name at a position.
///
/// # Errors
/// Returns an error if there is no name, or if it cannot be changed.
pub fn prepare(
    session: &mut Session<'_>,
    uri: &Uri,
    position: Position,
) -> Result<PrepareRenameResponse, String> {
    all_known(session)?;
    let (path, names, byte) = read(session, uri, position)?;
    let place = names.at(&path, byte).ok_or(NO_NAME)?;
    let name = names.name_of(place);
    refused(session, &names, place, &name)?;
    readable(session, &names, &name)?;
    Ok(PrepareRenameResponse::RangeWithPlaceholder { range: names.range(place), placeholder: name })
}

/// Returns the edits that give a new name to what is at a position.
///
/// # Errors
/// Returns an error if there is no name, if it cannot be changed, or if the new name is invalid or already exists.
pub fn rename(session: &mut Session<'_>, uri: &Uri, position: Position, new: &str) -> Result<Value, String> {
    all_known(session)?;
    // The editor cannot check the positions of edits in files that are not open, so these files are read again.
    session.read_again();
    let (path, names, byte) = read(session, uri, position)?;
    let place = names.at(&path, byte).ok_or(NO_NAME)?;
    let (old, new) = (names.name_of(place), new.trim());
    refused(session, &names, place, &old)?;
    if old == new {
        return Ok(json!({}));
    }
    readable(session, &names, &old)?;
    let kind = place.mention.kind;
    valid(session, kind, new)?;
    let all = names.same(place);
    if kind == Kind::Port && new == RENDEZVOUS {
        return Err(format!("`{RENDEZVOUS}` is the port at which tasks connect to each other"));
    }
    if let Some(other) = names.declared(place, new) {
        let noun = kind.noun();
        return Err(match other == new {
            true => format!("this job already has the {noun} `{new}`"),
            false => {
                format!(
                    "this job already has the {noun} `{other}`, and `{new}` would have the same environment variable"
                )
            }
        });
    }
    let mut edits: BTreeMap<PathBuf, Vec<TextEdit>> = BTreeMap::new();
    for one in all.into_iter().filter(|one| one.mention.written != Written::Implied) {
        let edit = TextEdit { range: names.range(one), new_text: replacement(one, new)? };
        edits.entry(one.file.path.clone()).or_default().push(edit);
    }
    edit::workspace(session, edits).ok_or_else(|| NO_NAME.to_owned())
}

/// Returns an error if some specs are not known, which could use the old name.
fn all_known(session: &Session<'_>) -> Result<(), String> {
    session.unknown_specs().map_or(Ok(()), |why| Err(format!("cannot rename in all specs: {why}")))
}

/// Returns an error if a project file has errors, because its settings could keep the old name.
fn readable(session: &Session<'_>, names: &Names, name: &str) -> Result<(), String> {
    let Some(path) = unreadable(session, names, name) else { return Ok(()) };
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    Err(format!(
        "cannot rename in the settings of `{folder}/{file}`, because the file has errors: fix them first"
    ))
}

const NO_NAME: &str = "there is no name here that can be changed";

fn read(session: &mut Session<'_>, uri: &Uri, position: Position) -> Result<(PathBuf, Names, usize), String> {
    let (path, byte) = session.place(uri, position).ok_or(NO_NAME)?;
    let names = Names::of(session, &path, Reach::Connected).ok_or(NO_NAME)?;
    Ok((path, names, byte))
}

/// Returns an error if a name is a part of the language, or is declared nowhere.
fn refused(session: &Session<'_>, names: &Names, place: Place<'_>, name: &str) -> Result<(), String> {
    match place.mention.kind {
        Kind::Target => return Err(format!("`{name}` is the name of a target, which cannot be changed")),
        Kind::Code | Kind::Checkpoints => {
            return Err(format!("`{name}` is a keyword, which cannot be changed"));
        }
        Kind::Port if name == RENDEZVOUS => {
            return Err(format!(
                "`{RENDEZVOUS}` is the port at which tasks connect to each other: its name cannot be changed"
            ));
        }
        Kind::Role => of_framework(session, &place.file.path, name)?,
        Kind::Data | Kind::Files | Kind::Param | Kind::Port | Kind::Variable | Kind::Job => {}
    }
    if names.same(place).iter().any(|one| one.mention.declares) {
        return Ok(());
    }
    Err(format!("no {} `{name}` is declared in this spec", place.mention.kind.noun()))
}

/// Returns an error if a name is that of a role of the framework.
fn of_framework(session: &Session<'_>, path: &Path, name: &str) -> Result<(), String> {
    let chains = session.all_results().filter(|(own, results)| *own == path || results.reads(path));
    for written in chains.flat_map(|(_, results)| &results.frameworks) {
        let framework = FrameworkName::ALL.iter().find(|framework| framework.keyword() == *written);
        if framework.is_some_and(|framework| framework.role_named(name).is_some()) {
            return Err(format!(
                "`{name}` is a role of the framework `{written}`: its name decides what its tasks do"
            ));
        }
    }
    Ok(())
}

/// Checks a new name with the grammar of the field that declares such names.
fn valid(session: &Session<'_>, kind: Kind, name: &str) -> Result<(), String> {
    let root = session.host.driver().registry().jobs;
    let field = root.find(&[("job", None), (kind.field().unwrap_or("name"), None)]);
    let shape = field.map(|field| &field.shape);
    let grammar = if let Some(Shape::Keyed(keyed)) = shape {
        keyed.keys
    } else if let Some(Shape::Text(grammar)) = shape {
        *grammar
    } else {
        return Ok(());
    };
    grammar.check(name).map_err(|wrong| format!("{}: {}", wrong.message, wrong.help))
}

/// Returns the text that replaces the name at a place.
fn replacement(one: Place<'_>, new: &str) -> Result<String, String> {
    let (mention, text) = (one.mention, &one.file.text);
    let bytes = one.bytes();
    let found = text.get(bytes.clone()).unwrap_or_default();
    // The place of a name in a setting is exact, also with escapes.
    let is_exact = mention.written == Written::Alone || one.file.format == Format::Set;
    let is_other = !is_exact && found != mention.written_text();
    if mention.word.is_none() || found.is_empty() || is_other {
        let line = text[..bytes.start].matches('\n').count() + 1;
        let file = one.file.path.file_name().unwrap_or_default().to_string_lossy();
        return Err(format!("cannot change the name at {file}:{line}, because it is written with escapes"));
    }
    let quoted = text[..bytes.start].ends_with(['"', '\'']);
    Ok(mention.renamed(new, one.file.format, quoted))
}
