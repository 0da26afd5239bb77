//! Writes output files atomically: all of them, or none.
use super::held::held;
use super::temporary;
use crate::outcome::Failure;
use crate::terminal::plain;
use ignore::WalkBuilder;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use tempfile::NamedTempFile;

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Path below the output directory, separated by `/`.
    pub path: String,
    /// Contents.
    pub bytes: Vec<u8>,
    /// Whether the file is executable.
    pub executable: bool,
}

/// Writes all files below `folder`, or none. All files are first written to temporary files, which are renamed once all are on
/// disk. A file that exists with the same contents and mode stays unchanged.
///
/// # Errors
/// Returns an error if a file cannot be written. Files that were already replaced are restored.
pub fn write_all(folder: &Path, files: &[Output]) -> Result<(), Failure> {
    held(|| {
        let mut staged = Vec::new();
        let mut folders = Vec::new();
        let result = stage(folder, files, &mut folders, &mut staged).and_then(|()| commit(staged));
        if result.is_err() {
            // The deepest directory is removed first. A directory in which another process has created files is not empty, so it
            // stays.
            folders.iter().rev().for_each(|made| drop(fs::remove_dir(made)));
        }
        result
    })
}

fn stage(
    folder: &Path,
    files: &[Output],
    made: &mut Vec<PathBuf>,
    staged: &mut Vec<(NamedTempFile, PathBuf)>,
) -> Result<(), Failure> {
    let mut cleaned = BTreeSet::new();
    for file in files {
        let inside = Path::new(&file.path).components().all(|part| matches!(part, Component::Normal(_)));
        let path = folder.join(&file.path);
        if !inside || path.is_dir() {
            return Err(Failure::new(format!(
                "cannot write `{}`: the path is a directory or outside of the output directory",
                path.display()
            )));
        }
        // Renaming would replace a device, pipe, or link, and reading a device or pipe could block forever.
        if path.symlink_metadata().is_ok_and(|about| !about.is_file()) {
            let what = if path.is_symlink() { "a symbolic link" } else { "not a regular file" };
            return Err(Failure::new(format!("cannot write `{}`: the path is {what}", path.display())));
        }
        if let Some(link) = linked_parent(folder, &file.path) {
            return Err(Failure::new(format!("cannot write below a symbolic link: `{}`", link.display())));
        }
        if same(&path, file) {
            continue;
        }
        let parent = path.parent().unwrap_or(folder);
        make_folder(parent, made)?;
        if cleaned.insert(parent.to_path_buf()) {
            temporary::remove_stale(parent);
        }
        let temp = temporary::create(parent, file).map_err(|e| Failure::at("cannot write", &path, &e))?;
        staged.push((temp, path));
    }
    let files: Vec<&fs::File> = staged.iter().map(|(temp, _)| temp.as_file()).collect();
    temporary::sync(&files).map_err(|e| Failure::at("cannot write", folder, &e))
}

/// Returns the first parent directory of a file, below `folder`, that is a symbolic link.
fn linked_parent(folder: &Path, file: &str) -> Option<PathBuf> {
    let parents = Path::new(file).parent()?;
    let steps = parents.components().scan(folder.to_path_buf(), |at, step| {
        at.push(step);
        Some(at.clone())
    });
    steps.into_iter().find(|at| at.is_symlink())
}

/// Returns whether the file at `path` already has these contents and this mode.
#[must_use]
pub fn same(path: &Path, file: &Output) -> bool {
    #[cfg(unix)]
    let runs =
        |meta: &fs::Metadata| std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let runs = |_: &fs::Metadata| file.executable;
    fs::metadata(path).is_ok_and(|meta| {
        meta.is_file() && meta.len() == file.bytes.len() as u64 && runs(&meta) == file.executable
    }) && fs::read(path).is_ok_and(|bytes| bytes == file.bytes)
}

/// Creates a directory and its parents, and appends the created ones to `made`.
fn make_folder(folder: &Path, made: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let missing: Vec<_> =
        folder.ancestors().take_while(|dir| *dir != Path::new("") && !dir.exists()).collect();
    for dir in missing.into_iter().rev() {
        fs::create_dir(dir).map_err(|e| Failure::at("cannot create directory", dir, &e))?;
        made.push(dir.to_path_buf());
    }
    Ok(())
}

/// Renames all temporary files, or restores the old files.
fn commit(staged: Vec<(NamedTempFile, PathBuf)>) -> Result<(), Failure> {
    let mut before: Vec<(PathBuf, Option<Vec<u8>>)> = Vec::new();
    for (temp, path) in staged {
        let old = fs::read(&path).ok();
        if let Err(error) = temp.persist(&path) {
            for (path, old) in before.into_iter().rev() {
                // If restoring fails too, only the first failure is reported.
                drop(old.map_or_else(|| fs::remove_file(&path), |bytes| fs::write(&path, bytes)));
            }
            return Err(Failure::at("cannot write", &path, &error.error));
        }
        before.push((path, old));
    }
    Ok(())
}

/// Writes a new file.
///
/// # Errors
/// Returns an error if the file exists or cannot be written.
pub fn create(path: &Path, text: &str) -> Result<(), Failure> {
    let make = || -> io::Result<()> {
        let file = Output { path: String::new(), bytes: text.as_bytes().to_vec(), executable: false };
        let temp = temporary::create(path.parent().unwrap_or_else(|| Path::new("")), &file)?;
        temporary::sync(&[temp.as_file()])?;
        temp.persist_noclobber(path).map_err(|error| error.error)?;
        Ok(())
    };
    make().map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            let name = plain(&path.to_string_lossy()).into_owned();
            Failure::new(format!("`{name}` already exists: use another name, or remove the file first"))
        }
        _ => Failure::at("cannot create", path, &error),
    })
}

/// Returns all files in the directory `below` of `folder`, as sorted paths separated by `/`. Empty if the directory does not
/// exist or is reached through a symbolic link.
///
/// # Errors
/// Returns an error if a directory cannot be read.
pub fn list(folder: &Path, below: &str) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    let elsewhere = linked_parent(folder, &format!("{below}/x")).is_some();
    let folder = &folder.join(below);
    if elsewhere || !folder.exists() {
        return Ok(names);
    }
    for entry in WalkBuilder::new(folder).standard_filters(false).build() {
        let entry = entry.map_err(|error| Failure::new(format!("cannot read a directory: {error}")))?;
        if entry.file_type().is_some_and(|kind| kind.is_file()) {
            let path = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
            names.push(parts.join("/"));
        }
    }
    names.sort();
    Ok(names)
}

/// Deletes a file below `folder`, and its parent directories that are empty then, up to `folder`.
///
/// # Errors
/// Returns an error if the file cannot be deleted, or is reached through a symbolic link.
pub fn remove(folder: &Path, name: &str) -> Result<(), Failure> {
    let path = folder.join(name);
    if let Some(link) = linked_parent(folder, name) {
        return Err(Failure::new(format!("cannot delete below a symbolic link: `{}`", link.display())));
    }
    fs::remove_file(&path).map_err(|error| Failure::at("cannot delete", &path, &error))?;
    for above in path.ancestors().skip(1).take_while(|above| *above != folder) {
        // A directory with other files stays.
        if fs::remove_dir(above).is_err() {
            break;
        }
    }
    Ok(())
}

/// Returns the contents of a regular file; `None` if there is none.
#[must_use]
pub fn bytes(path: &Path) -> Option<Vec<u8>> {
    if path.is_file() { fs::read(path).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(path: &str, text: &str) -> Output {
        Output { path: path.into(), bytes: text.into(), executable: path.ends_with(".sh") }
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = WalkBuilder::new(folder).standard_filters(false).build().map(Result::unwrap);
        let mut names: Vec<_> = entries
            .skip(1)
            .map(|e| e.path().strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/"))
            .collect();
        names.sort();
        names
    }

    #[test]
    fn all_files_are_written_and_can_be_written_again() {
        let dir = tempfile::tempdir().unwrap();
        let files = [output("a/b.json", "{}"), output("a/c.sh", "exit")];
        for _ in 0..2 {
            write_all(&dir.path().join("new"), &files).unwrap();
            assert_eq!(names(dir.path()), ["new", "new/a", "new/a/b.json", "new/a/c.sh"]);
        }
        #[cfg(unix)]
        {
            let mode = |name| {
                let meta = fs::metadata(dir.path().join(name)).unwrap();
                std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o111
            };
            assert_eq!(mode("new/a/b.json"), 0);
            assert_ne!(mode("new/a/c.sh"), 0);
        }
    }

    #[test]
    fn if_one_file_cannot_be_written_none_is() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("out/taken")).unwrap();
        let files = [output("deep/first", "1"), output("taken", "2")];
        assert!(write_all(&dir.path().join("out"), &files).is_err());
        assert_eq!(names(dir.path()), ["out", "out/taken"]);
    }

    #[test]
    fn a_name_cannot_leave_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        for path in ["../x", "/x", "a/../../x", "./x"] {
            assert!(write_all(&dir.path().join("out"), &[output(path, "")]).is_err(), "{path}");
        }
        assert_eq!(names(dir.path()), [""; 0]);
    }

    #[cfg(unix)]
    #[test]
    fn special_files_are_neither_replaced_nor_read() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("target"), "precious").unwrap();
        std::os::unix::fs::symlink("target", dir.path().join("link")).unwrap();
        std::os::unix::fs::symlink("nowhere", dir.path().join("dangling")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("socket")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(dir.path().join("fifo")).status().unwrap();
        assert!(made.success());
        let before = names(dir.path());
        for name in ["link", "dangling", "socket", "fifo"] {
            let files = [output("first", "1"), output(name, "2")];
            let said = write_all(dir.path(), &files).unwrap_err().to_string();
            assert!(said.contains(&format!("{name}`: the path is ")), "{said}");
            assert_eq!(names(dir.path()), before, "{name}");
        }
        assert_eq!(fs::read_to_string(dir.path().join("target")).unwrap(), "precious");
        assert_eq!(bytes(&dir.path().join("fifo")), None);
        assert!(!same(&dir.path().join("fifo"), &output("fifo", "")));
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("out")).unwrap();
        fs::create_dir_all(dir.path().join("elsewhere/yarn")).unwrap();
        std::os::unix::fs::symlink("../elsewhere", dir.path().join("out/job")).unwrap();
        let before = names(dir.path());
        assert!(write_all(&dir.path().join("out"), &[output("job/yarn/a.json", "{}")]).is_err());
        assert_eq!(names(dir.path()), before);
        assert_eq!(list(&dir.path().join("out"), "job").unwrap(), [""; 0]);
    }

    #[test]
    fn a_failed_commit_restores_the_old_files() {
        let dir = tempfile::tempdir().unwrap();
        let old = dir.path().join("old");
        fs::write(&old, "before").unwrap();
        let temp = |text| temporary::create(dir.path(), &output("x", text)).unwrap();
        let gone = dir.path().join("no such folder/x");
        let staged = vec![(temp("1"), old.clone()), (temp("2"), dir.path().join("new")), (temp("3"), gone)];
        assert!(commit(staged).is_err());
        assert_eq!(names(dir.path()), ["old"]);
        assert_eq!(fs::read_to_string(old).unwrap(), "before");
    }
}
