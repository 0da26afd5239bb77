//! Paths relative to the directory of a spec, for commands that the user runs there.
use super::STDIN;
use std::path::{Component, Path, PathBuf};

/// Returns the directory of a spec; the current directory for standard input.
#[must_use]
pub fn home(spec: &Path) -> &Path {
    match spec.parent() {
        Some(parent) if spec != Path::new(STDIN) && parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Returns the path of `to` relative to `from`. Both must be existing directories. Returns `to` unchanged if it is absolute, if
/// `from` is the current directory, or if a path cannot be resolved.
#[must_use]
pub fn relative_path(from: &Path, to: &Path) -> PathBuf {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let (Some(from), Some(end)) = (real(from), real(to)) else { return to.to_path_buf() };
    // `to` stays as the user wrote it if it is absolute, or if `from` is the current directory.
    if to.is_absolute() || real(Path::new(".")).is_some_and(|here| here == from) {
        return to.to_path_buf();
    }
    let shared = from.components().zip(end.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(end.components().skip(shared)).collect()
}

/// Returns the path of a file relative to a directory that contains it, after following symbolic links. `None` if the directory does
/// not contain the file, or a path cannot be resolved.
#[must_use]
pub fn below(folder: &Path, file: &Path) -> Option<PathBuf> {
    let (folder, file) = (std::fs::canonicalize(folder).ok()?, std::fs::canonicalize(file).ok()?);
    file.strip_prefix(folder).ok().map(Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::{home, relative_path};
    use std::path::Path;

    #[test]
    fn the_home_of_standard_input_is_the_current_directory() {
        for (spec, folder) in
            [("a.tfjob.kdl", "."), ("-", "."), ("jobs/a.tfjob.kdl", "jobs"), ("/a.kdl", "/")]
        {
            assert_eq!(home(Path::new(spec)), Path::new(folder), "{spec}");
        }
    }

    #[test]
    fn a_path_is_relative_to_the_other_directory() {
        // Tests run in the directory of the package.
        let between = relative_path(Path::new("compiler/driver"), Path::new("compiler/lang"));
        assert_eq!(between, Path::new("../lang"));
        assert_eq!(relative_path(Path::new("."), Path::new("./compiler")), Path::new("./compiler"));
        let whole = std::env::temp_dir();
        assert_eq!(relative_path(Path::new("compiler"), &whole), whole);
    }
}
