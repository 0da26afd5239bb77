//! Paths of other files of the project, and of the program.
use super::context::Context;
use super::names::Name;
use std::path::{Component, Path, PathBuf};
use tfjob_driver::files::{is_cluster, is_spec};
use tfjob_lang::shape::Field;

/// Returns whether a field contains paths of specs or cluster files, relative to the file that contains the field. Other fields of
/// these names are blocks.
#[must_use]
pub fn is_path(field: Option<&Field>) -> bool {
    let is_named = |field: &Field| matches!(field.name, "extends" | "cluster" | "specs");
    field.is_some_and(|field| is_named(field) && field.shape.object().is_none())
}

/// Returns the paths for a field, relative to the document.
pub fn paths(context: &Context<'_>, field: &Field) -> Vec<Name> {
    let own = &context.document.path;
    let Some(directory) = own.parent() else { return Vec::new() };
    let of_cluster = field.name == "cluster";
    // The files of the directories that the user opened are known. Without a directory, the one of the document is read.
    let mut known: Vec<PathBuf> = context.session.paths().cloned().collect();
    if context.session.client.folders.is_empty() && directory.is_absolute() {
        let names = context.session.host.entries(directory, "");
        known.extend(names.iter().map(|name| directory.join(name)));
    }
    known.sort();
    known.dedup();
    let fits = |path: &PathBuf| {
        path != own && if of_cluster { is_cluster(path) } else { is_spec(&path.to_string_lossy()) }
    };
    let mut names: Vec<Name> = known
        .iter()
        .filter(|path| fits(path))
        .filter_map(|path| relative(directory, path))
        // Paths of a project file are inside its directory.
        .filter(|path| field.name == "extends" || !path.starts_with("../"))
        .map(|path| Name::new(path, ""))
        .collect();
    // A base file is usually in a near directory, so short paths come first.
    names.sort_by_key(|name| (name.text.matches('/').count(), name.text.clone()));
    names
}

/// Returns the files and directories below the directory of the document, in the directory that is typed already: `./src/a.py`.
pub fn beside(context: &Context<'_>) -> Vec<Name> {
    let typed = context.typed();
    let inner = typed.rfind('/').map_or("./", |end| &typed[..=end]);
    let is_below = inner.starts_with("./") && !inner.split('/').any(|part| part == "..");
    let Some(directory) = context.document.path.parent().filter(|path| is_below && path.is_absolute()) else {
        return Vec::new();
    };
    let names = context.session.host.entries(directory, &inner[2..]).into_iter();
    let detail = |name: &str| if name.ends_with('/') { "directory" } else { "file" };
    names.map(|name| Name::new(format!("{inner}{name}"), detail(&name))).collect()
}

/// Returns a path relative to a directory, with `/`.
fn relative(directory: &Path, path: &Path) -> Option<String> {
    if !path.is_absolute() || !directory.is_absolute() {
        return None;
    }
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (directory.components().collect(), path.components().collect());
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[same..].iter().map(|_| "..".to_owned());
    let down = to[same..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    Some(up.chain(down).collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_relative_to_the_directory_of_the_spec() {
        let of = |path: &str| relative(Path::new("/a/b"), Path::new(path)).unwrap_or_default();
        assert_eq!(of("/a/b/c.kdl"), "c.kdl");
        assert_eq!(of("/a/c/d.kdl"), "../c/d.kdl");
        assert_eq!(of("/a/d.kdl"), "../d.kdl");
    }
}
