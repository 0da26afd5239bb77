//! Which files of a revision are read: specs, base files, cluster files, and project files.
use std::path::{Component, Path, PathBuf};
use tfjob_driver::files::{extension, is_cluster, is_spec};

/// Returns the paths and objects of the files to read. `listed`: the output of `git ls-tree -r -z`. Symbolic links and submodules are
/// omitted.
pub fn wanted(listed: &[u8]) -> Vec<(PathBuf, String)> {
    let entry = |line: &[u8]| {
        let tab = line.iter().position(|byte| *byte == b'\t')?;
        let about = std::str::from_utf8(&line[..tab]).ok()?;
        let mut about = about.split(' ');
        let is_file = about.next().is_some_and(|mode| mode.starts_with("100"));
        let object = about.nth(1)?;
        let path = path(&line[tab + 1..]);
        let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
        (is_file && is_below && is_wanted(&path)).then(|| (path, object.to_owned()))
    };
    listed.split(|byte| *byte == 0).filter_map(entry).collect()
}

/// Files that exclude specs from the search of a directory.
const IGNORE: [&str; 2] = [".gitignore", ".ignore"];

/// Returns whether a file may be a spec, a file that specs or projects name, or an ignore file.
fn is_wanted(path: &Path) -> bool {
    if path.file_name().is_some_and(|name| IGNORE.iter().any(|other| name == *other)) {
        return true;
    }
    is_spec(&path.to_string_lossy()) || is_cluster(path) || extension(path) == "kdl"
}

#[cfg(unix)]
fn path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path(bytes: &[u8]) -> PathBuf {
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
        let found = wanted(listed);
        let names: Vec<_> =
            found.iter().map(|(path, object)| (path.to_str().unwrap(), object.as_str())).collect();
        let expected = [
            ("a.tfjob.kdl", "1"),
            ("b/b.tfjob.yaml", "2"),
            ("tfjob.kdl", "7"),
            ("x.cluster.yml", "9"),
            ("a/.gitignore", "10"),
        ];
        assert_eq!(names, expected);
    }
}
