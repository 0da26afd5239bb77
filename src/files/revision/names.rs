//! Which files of a revision are read: specs, base files, cluster files, and project files.
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use tfjob_driver::files::{extension, is_cluster, is_spec};

/// Files of a revision, each with its object.
#[derive(Debug, Default)]
pub struct Listed {
    /// The files to read.
    pub wanted: BTreeMap<PathBuf, String>,
    /// The other files.
    pub others: BTreeMap<PathBuf, String>,
    /// The symbolic links.
    pub links: BTreeMap<PathBuf, String>,
    /// The submodules, each with its commit.
    pub submodules: BTreeMap<PathBuf, String>,
}

/// Returns the files of a revision, without those of its submodules. `listed`: the output of `git ls-tree -r -z`.
pub fn listed(listed: &[u8]) -> Listed {
    let mut found = Listed::default();
    for line in listed.split(|byte| *byte == 0) {
        let Some((mode, object, path)) = entry(line) else { continue };
        if !path.components().all(|part| matches!(part, Component::Normal(_))) {
            continue;
        }
        let kind = match mode {
            "120000" => &mut found.links,
            mode if mode.starts_with("100") && is_wanted(&path) => &mut found.wanted,
            mode if mode.starts_with("100") => &mut found.others,
            "160000" => &mut found.submodules,
            _ => continue,
        };
        kind.insert(path, object.to_owned());
    }
    found
}

/// Returns the mode, the object, and the path of a line.
fn entry(line: &[u8]) -> Option<(&str, &str, PathBuf)> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let mut about = std::str::from_utf8(&line[..tab]).ok()?.split(' ');
    Some((about.next()?, about.nth(1)?, path(&line[tab + 1..])))
}

/// Returns the path to which a symbolic link leads. `None` if it may lead out of the revision: only the first parts may be `..`,
/// because links in the other parts may lead to any directory of the revision.
pub fn end(link: &Path, target: &Path) -> Option<PathBuf> {
    let mut end = link.parent()?.to_path_buf();
    let mut is_below = false;
    for part in target.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if !is_below && end.pop() => {}
            Component::Normal(name) => {
                is_below = true;
                end.push(name);
            }
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(end)
}

/// Files that exclude specs from the search of a directory.
const IGNORE: [&str; 2] = [".gitignore", ".ignore"];

/// Returns whether a file may be a spec, a file that specs or projects name, or an ignore file.
pub fn is_wanted(path: &Path) -> bool {
    if path.file_name().is_some_and(|name| IGNORE.iter().any(|other| name == *other)) {
        return true;
    }
    is_spec(&path.to_string_lossy()) || is_cluster(path) || extension(path) == "kdl"
}

#[cfg(unix)]
pub fn path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
pub fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_specs_and_cluster_files_are_read() {
        let listed = b"100644 blob 1\ta.tfjob.kdl\x00100644 blob 2\tb/b.tfjob.yaml\x00100644 blob 3\tdata/big.json\x00\
            120000 blob 5\tlink.kdl\x00160000 commit 6\tmodule.kdl\x00100755 blob 7\ttfjob.kdl\x00\
            100644 blob 8\t../out.kdl\x00100644 blob 9\tx.cluster.yml\x00100644 blob 10\ta/.gitignore\x00";
        let found = super::listed(listed);
        let names: BTreeMap<_, _> =
            found.wanted.iter().map(|(path, object)| (path.to_str().unwrap(), object.as_str())).collect();
        let expected = [
            ("a.tfjob.kdl", "1"),
            ("b/b.tfjob.yaml", "2"),
            ("tfjob.kdl", "7"),
            ("x.cluster.yml", "9"),
            ("a/.gitignore", "10"),
        ];
        assert_eq!(names, BTreeMap::from(expected));
        assert_eq!((found.others.len(), found.links.len(), found.submodules.len()), (1, 1, 1));
    }

    #[test]
    fn a_link_stays_in_the_revision() {
        for (link, target, expected) in [
            ("a", "b/c", Some("b/c")),
            ("d/a", "../b", Some("b")),
            ("d/a", "./b", Some("d/b")),
            ("d/a", "../../b", None),
            ("d/a", "b/../../c", None),
            ("a", "/etc/passwd", None),
        ] {
            assert_eq!(end(Path::new(link), Path::new(target)), expected.map(PathBuf::from), "{target}");
        }
    }
}
