//! What goes out: every file whole, and of several all or none.
use super::held::held;
use crate::outcome::Failure;
use crate::terminal::plain;
use ignore::WalkBuilder;
use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use tempfile::NamedTempFile;

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Below the folder that all are written to, with `/` between names.
    pub path: String,
    /// All of it.
    pub bytes: Vec<u8>,
    /// Whether it can be run.
    pub executable: bool,
}

/// Writes all files below `folder`, or none: each goes to a temporary file first, and only when all of them are on
/// the disk do they take their names. A file that already says the same is left as it is.
///
/// # Errors
/// Where the disk says no; what had been written is then taken back.
pub fn write_all(folder: &Path, files: &[Output]) -> Result<(), Failure> {
    held(|| {
        let mut staged = Vec::new();
        let mut folders = Vec::new();
        let result = stage(folder, files, &mut folders, &mut staged).and_then(|()| commit(staged));
        if result.is_err() {
            // The deepest was made last. One that holds a file by now is not ours alone, and stays.
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
    for file in files {
        let inside = Path::new(&file.path).components().all(|part| matches!(part, Component::Normal(_)));
        let path = folder.join(&file.path);
        if !inside || path.is_dir() {
            return Err(Failure::new(format!("cannot write a file named `{}`", path.display())));
        }
        // Taking the name of a device, a pipe or a link would remove it; reading one could wait forever.
        if path.symlink_metadata().is_ok_and(|about| !about.is_file()) {
            let what = if path.is_symlink() { "a link" } else { "no regular file" };
            return Err(Failure::new(format!("cannot write `{}`: it is {what}", path.display())));
        }
        if let Some(link) = link_on_the_way(folder, &file.path) {
            return Err(Failure::new(format!("cannot write through a link: `{}`", link.display())));
        }
        if same(&path, file) {
            continue;
        }
        let parent = path.parent().unwrap_or(folder);
        make_folder(parent, made)?;
        let temp = temporary(parent, file).map_err(|e| Failure::at("cannot write", &path, &e))?;
        staged.push((temp, path));
    }
    Ok(())
}

/// The first folder below `folder` on the way to a file that is a link: it may lead anywhere.
fn link_on_the_way(folder: &Path, file: &str) -> Option<PathBuf> {
    let parents = Path::new(file).parent()?;
    let steps = parents.components().scan(folder.to_path_buf(), |at, step| {
        at.push(step);
        Some(at.clone())
    });
    steps.into_iter().find(|at| at.is_symlink())
}

/// Whether the file at `path` is this one already.
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

/// Makes a folder and those above it, and notes each that was not there.
fn make_folder(folder: &Path, made: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let missing: Vec<_> =
        folder.ancestors().take_while(|dir| *dir != Path::new("") && !dir.exists()).collect();
    for dir in missing.into_iter().rev() {
        fs::create_dir(dir).map_err(|e| Failure::at("cannot make the folder", dir, &e))?;
        made.push(dir.to_path_buf());
    }
    Ok(())
}

/// A file beside the one it will become, so that taking its name is one step. It is gone if nobody keeps it.
pub(super) fn temporary(folder: &Path, file: &Output) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tfjob-").suffix(".tmp");
    #[cfg(unix)]
    let mode = std::os::unix::fs::PermissionsExt::from_mode(if file.executable { 0o777 } else { 0o666 });
    #[cfg(unix)]
    builder.permissions(mode);
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    // The name of a file that nobody asked for helps nobody: the kind of the error says what is wrong.
    let mut temp = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
    temp.write_all(&file.bytes)?;
    temp.as_file().sync_all()?;
    Ok(temp)
}

/// Gives every file its name, or gives the names back.
fn commit(staged: Vec<(NamedTempFile, PathBuf)>) -> Result<(), Failure> {
    let mut before: Vec<(PathBuf, Option<Vec<u8>>)> = Vec::new();
    for (temp, path) in staged {
        let old = fs::read(&path).ok();
        if let Err(error) = temp.persist(&path) {
            for (path, old) in before.into_iter().rev() {
                // A second failure of the disk leaves nothing better to do; the first is reported.
                drop(old.map_or_else(|| fs::remove_file(&path), |bytes| fs::write(&path, bytes)));
            }
            return Err(Failure::at("cannot write", &path, &error.error));
        }
        before.push((path, old));
    }
    Ok(())
}

/// Writes a file that must not be there yet.
///
/// # Errors
/// Where it is there, or the disk says no.
pub fn create(path: &Path, text: &str) -> Result<(), Failure> {
    let make = || -> io::Result<()> {
        let file = Output { path: String::new(), bytes: text.as_bytes().to_vec(), executable: false };
        let temp = temporary(path.parent().unwrap_or_else(|| Path::new("")), &file)?;
        temp.persist_noclobber(path).map_err(|error| error.error)?;
        Ok(())
    };
    make().map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            let name = plain(&path.to_string_lossy()).into_owned();
            Failure::new(format!(
                "`{name}` exists, and was not changed: choose another name, or remove it first"
            ))
        }
        _ => Failure::at("cannot make", path, &error),
    })
}

/// Every file of the folder `below` in `folder`, as names with `/` between them, in order; none where there is no such
/// folder, or a link leads there.
///
/// # Errors
/// Where a folder cannot be read.
pub fn list(folder: &Path, below: &str) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    let elsewhere = link_on_the_way(folder, &format!("{below}/x")).is_some();
    let folder = &folder.join(below);
    if elsewhere || !folder.exists() {
        return Ok(names);
    }
    for entry in WalkBuilder::new(folder).standard_filters(false).build() {
        let entry = entry.map_err(|error| Failure::new(format!("cannot read a folder: {error}")))?;
        if entry.file_type().is_some_and(|kind| kind.is_file()) {
            let path = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
            names.push(parts.join("/"));
        }
    }
    names.sort();
    Ok(names)
}

/// All bytes of a file of ours, to compare; `None` where there is none.
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
    fn where_one_file_cannot_be_written_none_is() {
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
    fn what_is_no_regular_file_keeps_its_place_and_is_not_waited_for() {
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
            assert!(said.contains(&format!("{name}`: it is ")), "{said}");
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
    fn a_commit_that_fails_gives_the_names_back() {
        let dir = tempfile::tempdir().unwrap();
        let old = dir.path().join("old");
        fs::write(&old, "before").unwrap();
        let temp = |text| temporary(dir.path(), &output("x", text)).unwrap();
        let gone = dir.path().join("no such folder/x");
        let staged = vec![(temp("1"), old.clone()), (temp("2"), dir.path().join("new")), (temp("3"), gone)];
        assert!(commit(staged).is_err());
        assert_eq!(names(dir.path()), ["old"]);
        assert_eq!(fs::read_to_string(old).unwrap(), "before");
    }
}
