//! Paths of other files of the project, and of the program.
use super::context::Context;
use super::names::Name;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use tfjob_driver::files::{is_cluster, is_project, is_spec};
use tfjob_lang::shape::{Field, Paths};

/// Returns the paths for a field, relative to the document.
pub fn paths(context: &Context<'_>, field: &Field) -> Vec<Name> {
    let own = &context.document.path;
    let (Some(directory), Some(kind)) = (own.parent(), field.paths()) else { return Vec::new() };
    // The files of the directories that the user opened are known. Without a directory, the one of the document is read.
    let mut known: Vec<PathBuf> = context.session.paths().cloned().collect();
    if context.session.client.folders.is_empty() && directory.is_absolute() {
        let names = context.session.host.entries(directory, "");
        known.extend(names.iter().map(|name| directory.join(name)));
    }
    known.sort();
    known.dedup();
    let is_blank = |path: &PathBuf| {
        context.session.documents.get(path).is_some_and(|document| document.text.trim().is_empty())
    };
    let fits = |path: &PathBuf| match kind {
        Paths::Cluster => path != own && is_cluster(path),
        Paths::Spec => path != own && is_spec(&path.to_string_lossy()) && !is_blank(path),
        Paths::Specs => path != own && is_spec(&path.to_string_lossy()),
    };
    let readers = readers(context);
    let near = known.iter().filter(|path| fits(path)).filter_map(|path| {
        let relative = relative(directory, path)?;
        // Paths of a project file are inside its directory.
        let count = readers.get(path.as_path()).copied().unwrap_or_default();
        (kind == Paths::Spec || !relative.starts_with("../")).then_some((count, relative))
    });
    let mut files: Vec<(usize, String)> = near.collect();
    // A base file is usually in a near directory, so short paths come first. A base may be incomplete on its own, so it comes first
    // only where a base is needed.
    let is_first = |readers: usize| (readers > 0) == (kind == Paths::Spec);
    files.sort_by_key(|(readers, path)| (!is_first(*readers), path.matches('/').count(), path.clone()));
    let mut names = match kind {
        Paths::Specs => directories(files.iter().map(|(_, path)| path.as_str())),
        Paths::Spec | Paths::Cluster => Vec::new(),
    };
    let detail = |readers: usize| match (kind, readers) {
        (Paths::Cluster, _) | (_, 0) => String::new(),
        (_, 1) => "base of 1 spec".to_owned(),
        (_, readers) => format!("base of {readers} specs"),
    };
    names.extend(files.into_iter().map(|(readers, path)| Name::new(path, detail(readers))));
    // `!` excludes specs.
    if kind == Paths::Specs && context.typed().starts_with('!') {
        names.iter_mut().for_each(|name| name.text.insert(0, '!'));
    }
    let present = others(context);
    names.retain(|name| !present.contains(&name.text));
    names
}

/// Returns the number of specs that extend each file.
fn readers<'s>(context: &'s Context<'_>) -> BTreeMap<&'s Path, usize> {
    let specs = context.session.all_results().filter(|(path, _)| is_spec(&path.to_string_lossy()));
    let mut counts = BTreeMap::new();
    for base in specs.flat_map(|(path, results)| results.reads.iter().filter(move |base| *base != path)) {
        *counts.entry(base.as_path()).or_default() += 1;
    }
    counts
}

/// Returns the directories that contain specs, each with their number.
fn directories<'p>(specs: impl Iterator<Item = &'p str>) -> Vec<Name> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for spec in specs {
        for (end, _) in spec.match_indices('/') {
            *counts.entry(&spec[..end]).or_default() += 1;
        }
    }
    let about = |count: usize| if count == 1 { "1 spec".to_owned() } else { format!("{count} specs") };
    counts
        .into_iter()
        .map(|(name, count)| Name::new(name, format!("directory with {}", about(count))))
        .collect()
}

/// Returns the other values of a field with several values.
fn others(context: &Context<'_>) -> Vec<String> {
    let own = &context.cursor.word;
    let chain = context.chain();
    let values = chain.last().into_iter().flat_map(|node| node.arguments());
    values.filter(|word| word.bytes != *own).map(|word| word.text.clone()).collect()
}

/// Returns the files and directories below the directory of the document, in the directory that is typed already: `./src/a.py`. Without
/// the files of tfjob, which no task reads.
pub fn beside(context: &Context<'_>) -> Vec<Name> {
    let typed = context.typed();
    let inner = typed.rfind('/').map_or("./", |end| &typed[..=end]);
    let is_below = inner.starts_with("./") && !inner.split('/').any(|part| part == "..");
    let Some(directory) = context.document.path.parent().filter(|path| is_below && path.is_absolute()) else {
        return Vec::new();
    };
    let is_ours = |name: &String| {
        let path = Path::new(name);
        is_spec(name) || is_cluster(path) || is_project(path)
    };
    let mut names = context.session.host.entries(directory, &inner[2..]);
    names.retain(|name| !is_ours(name));
    names.sort_by_key(|name| !name.ends_with('/'));
    let names = names.into_iter();
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
