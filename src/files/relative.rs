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

/// Returns the path of a file relative to a directory that contains it, after following symbolic links. `None` if the directory
/// does not contain the file, or a path cannot be resolved.
#[must_use]
pub fn below(folder: &Path, file: &Path) -> Option<PathBuf> {
    let (folder, file) = (std::fs::canonicalize(folder).ok()?, std::fs::canonicalize(file).ok()?);
    file.strip_prefix(folder).ok().map(Path::to_path_buf)
}

/// Returns the relative path from one directory to another, with `/` as separator, without symbolic links. The directories need
/// not exist. `.` if they are the same.
#[must_use]
pub fn path_between(from: &Path, to: &Path) -> String {
    let (from, to) = (real(from), real(to));
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| "..".into());
    let down = to.components().skip(shared).map(|part| part.as_os_str().to_string_lossy().into_owned());
    let parts: Vec<String> = up.chain(down).collect();
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

/// Returns the absolute path of a directory without symbolic links. The end of the path need not exist.
fn real(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let found = whole.ancestors().find_map(|start| Some((start, std::fs::canonicalize(start).ok()?)));
    let Some((start, mut real)) = found else { return whole };
    for part in whole.strip_prefix(start).unwrap_or(Path::new("")).components() {
        match part {
            Component::ParentDir => drop(real.pop()),
            Component::Normal(name) => real.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    real
}

#[cfg(test)]
mod tests {
    use super::{home, path_between, relative_path};
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

    #[test]
    fn a_path_between_directories_is_relative_and_needs_no_directories() {
        for (from, to, path) in [
            ("compiler/driver", "compiler/lang", "../lang"),
            ("none/a/b", ".", "../../.."),
            (".", "none/a/b", "none/a/b"),
            ("none/../a", "a", "."),
        ] {
            assert_eq!(path_between(Path::new(from), Path::new(to)), path, "{from} {to}");
        }
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(path_between(&dir.path().join("a"), &dir.path().join("b c")), "../b c");
        #[cfg(unix)]
        {
            std::fs::create_dir_all(dir.path().join("deep/real")).unwrap();
            std::os::unix::fs::symlink("deep/real", dir.path().join("link")).unwrap();
            assert_eq!(path_between(&dir.path().join("link/out"), dir.path()), "../../..");
        }
    }
}
