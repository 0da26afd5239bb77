//! Files that the index of a repository has, and the work tree does not.
use super::git::git;
use std::collections::BTreeSet;
use std::path::Path;

/// The files and submodules of a directory that are not checked out, as paths relative to this directory.
#[derive(Debug, Default)]
pub struct NotCheckedOut {
    files: BTreeSet<String>,
    submodules: Vec<String>,
}

/// Why a file is not in the work tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence<'a> {
    /// The sparse checkout excludes the file.
    Sparse,
    /// The submodule at this path is not checked out.
    Submodule(&'a str),
}

impl NotCheckedOut {
    /// Reads the index: nothing without a repository, or without `git`.
    pub fn of(directory: &Path) -> Self {
        let listed = git(["-C", &directory.to_string_lossy(), "ls-files", "-z", "-t", "--stage"]);
        let mut found = Self::read(&String::from_utf8_lossy(&listed.unwrap_or_default()));
        found.submodules.retain(|path| directory.join(path).join(".git").symlink_metadata().is_err());
        found
    }

    /// Reads lines of the form `TAG MODE OBJECT STAGE`, a tab, and a path.
    fn read(listed: &str) -> Self {
        let mut found = Self::default();
        for (fields, path) in listed.split_terminator('\0').filter_map(|line| line.split_once('\t')) {
            let mut fields = fields.split(' ');
            match (fields.next(), fields.next()) {
                (_, Some("160000")) => found.submodules.push(path.to_owned()),
                // Lower case: also "assume unchanged".
                (Some("S" | "s"), _) => drop(found.files.insert(path.to_owned())),
                (_, _) => {}
            }
        }
        found
    }

    /// Returns why a file is not in the work tree. `None` if the repository does not have it, or if it is checked out.
    pub fn why(&self, path: &str) -> Option<Absence<'_>> {
        let is_above =
            |module: &&String| path.strip_prefix(*module).is_some_and(|rest| rest.starts_with('/'));
        let module = self.submodules.iter().find(is_above);
        let sparse = || self.files.contains(path).then_some(Absence::Sparse);
        module.map(|module| Absence::Submodule(module)).or_else(sparse)
    }
}

#[cfg(test)]
mod tests {
    use super::{Absence, NotCheckedOut};

    #[test]
    fn the_index_tells_what_is_not_checked_out() {
        let listed = "H 160000 cf1c 0\tp/sm\0S 100644 7898 0\tx y/a.kdl\0H 100644 7898 0\tb.kdl\0s 100644 78 0\tc.kdl\0";
        let found = NotCheckedOut::read(listed);
        for (path, why) in [
            ("x y/a.kdl", Some(Absence::Sparse)),
            ("c.kdl", Some(Absence::Sparse)),
            ("p/sm/a.kdl", Some(Absence::Submodule("p/sm"))),
            ("p/smaller/a.kdl", None),
            ("b.kdl", None),
            ("d.kdl", None),
        ] {
            assert_eq!(found.why(path), why, "{path}");
        }
    }
}
