//! Finds and reads specs: named files, files in directories, and standard input.
use crate::outcome::Failure;
use ignore::WalkBuilder;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tfjob_driver::files::{STDIN, extension, is_cluster, is_spec};
use tfjob_lang::syntax::guard::MAX_BYTES;

/// Extensions of files that are read as specs if the user names them.
const EXTENSIONS: [&str; 4] = ["kdl", "yaml", "yml", "json"];

/// Checks the extension of a regular file, so that `--fix` does not rewrite a program. Pipes and missing files pass.
///
/// # Errors
/// Returns an error if the extension is not one of [`EXTENSIONS`].
fn check_name(path: &Path) -> Result<(), Failure> {
    let extension = extension(path);
    if path == Path::new(STDIN) || EXTENSIONS.contains(&extension.as_str()) {
        return Ok(());
    }
    // A missing file passes, because reading it will report the error.
    if is_special(path) || !path.exists() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "`{}` is not a spec: the file name must end in `.kdl`, `.yaml`, `.yml`, or `.json`",
        path.display()
    )))
}

/// Returns whether a path exists.
#[must_use]
pub fn exists(path: &Path) -> bool {
    path.exists()
}

/// Returns whether a path is that of a directory.
#[must_use]
pub fn is_directory(path: &Path) -> bool {
    path.is_dir()
}

/// Returns the absolute path of an existing file without symbolic links.
#[must_use]
pub fn real(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// Returns whether both paths refer to the same existing file.
#[must_use]
pub fn same_file(a: &Path, b: &Path) -> bool {
    real(a).is_some_and(|a| real(b).is_some_and(|b| a == b))
}

/// Contents of a spec file.
#[derive(Debug, PartialEq, Eq)]
pub enum Content {
    /// UTF-8 text.
    Text(String),
    /// More than 1 MiB.
    TooLarge,
    /// Not UTF-8.
    NotUtf8 {
        /// The text, with a replacement character for each invalid sequence.
        lossy: String,
        /// Offset of the first invalid byte.
        at: usize,
    },
}

impl Content {
    fn of(bytes: Vec<u8>) -> Self {
        if bytes.len() > MAX_BYTES {
            return Self::TooLarge;
        }
        String::from_utf8(bytes).map_or_else(
            |error| Self::NotUtf8 {
                at: error.utf8_error().valid_up_to(),
                lossy: String::from_utf8_lossy(error.as_bytes()).into_owned(),
            },
            Self::Text,
        )
    }
}

/// Reads a spec, or standard input for `-`, up to the size limit.
///
/// # Errors
/// Returns an error if the file name has no extension of a spec, or the file cannot be read.
pub fn read(path: &Path) -> Result<Content, Failure> {
    check_name(path)?;
    let mut bytes = Vec::new();
    let limit = MAX_BYTES as u64 + 1;
    let done = if path == Path::new(STDIN) {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        fs::File::open(path).and_then(|file| {
            // Reserves one byte more than the size of the file, so that the end of the file is found without another allocation.
            let size = file.metadata().map_or(0, |about| about.len().min(limit));
            bytes.reserve(size as usize + 1);
            file.take(limit).read_to_end(&mut bytes)
        })
    };
    match done {
        Ok(_) => Ok(Content::of(bytes)),
        Err(error) => Err(Failure::at("cannot read", path, &error)),
    }
}

/// A spec to read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// Path of the file.
    pub path: PathBuf,
    /// Whether the user named the file, not its directory.
    pub named: bool,
}

/// Returns the job files of `paths`. Cluster files in directories are skipped.
///
/// # Errors
/// Returns the errors of [`find`], and an error if the user named a cluster file.
pub fn find_jobs(paths: &[PathBuf]) -> Result<Vec<Found>, Failure> {
    let mut found = find(paths)?;
    if let Some(cluster) = found.iter().find(|file| file.named && is_cluster(&file.path)) {
        return Err(no_job(&cluster.path));
    }
    found.retain(|file| !is_cluster(&file.path));
    if found.is_empty() {
        return Err(Failure::new("no job file (`*.tfjob.kdl`) found, only cluster files"));
    }
    Ok(found)
}

/// Returns the failure for a cluster file where a job file is required.
#[must_use]
pub fn no_job(path: &Path) -> Failure {
    let path = path.display();
    Failure::new(format!("`{path}` is a cluster file, not a job: use `--cluster {path}`"))
}

/// Returns the specs and cluster files of `paths`, sorted and without duplicates. Directories are searched recursively for files
/// with the name of a spec, except files that Git ignores. For a file that the user named, an extension of KDL, YAML, or JSON is
/// enough.
///
/// # Errors
/// Returns an error if a path does not exist, a file has another extension, or a directory has no spec.
pub fn find(paths: &[PathBuf]) -> Result<Vec<Found>, Failure> {
    let mut found = BTreeMap::new();
    for path in paths {
        if path != Path::new(STDIN)
            && fs::metadata(path).map_err(|e| Failure::at("cannot read", path, &e))?.is_dir()
        {
            let specs = walk(path)?;
            if specs.is_empty() {
                return Err(Failure::new(format!(
                    "no spec (`*.tfjob.kdl`, `.json`, or `.yaml`) in `{}`",
                    path.display()
                )));
            }
            for spec in specs {
                found.entry(spec).or_insert(false);
            }
        } else {
            check_name(path)?;
            found.insert(super::work_tree::without_dots(path), true);
        }
    }
    Ok(found.into_iter().map(|(path, named)| Found { path, named }).collect())
}

/// Returns the specs and cluster files below a directory that Git does not ignore.
///
/// # Errors
/// Returns an error if the directory cannot be read, or if a symbolic link leads out of its work tree.
pub(super) fn walk(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let found =
        walk_first(folder, usize::MAX, |link| super::refuse_file_outside(folder, link).map(|()| true));
    found.map(|(specs, _)| specs)
}

/// Returns the specs and cluster files among the first `most` files and directories below a directory, sorted. Omits a link that
/// leads out of the work tree. Empty if the directory cannot be read. Also returns whether there are no further files and directories.
#[must_use]
pub fn first_specs(folder: &Path, most: usize) -> (Vec<PathBuf>, bool) {
    let keeps = |link: &Path| Ok(super::refuse_file_outside(folder, link).is_ok());
    let (mut specs, is_complete) = walk_first(folder, most, keeps).unwrap_or((Vec::new(), true));
    specs.sort();
    (specs, is_complete)
}

/// Returns whether a path is that of a directory that can be read and has no specs and cluster files.
#[must_use]
pub fn has_no_spec(path: &Path) -> bool {
    path.is_dir() && walk(path).is_ok_and(|specs| specs.is_empty())
}

/// Returns the specs and cluster files of [`walk`] among the first `most` entries, and whether there are no further entries. `keeps`:
/// returns whether to keep a link.
fn walk_first(
    folder: &Path,
    most: usize,
    keeps: impl Fn(&Path) -> Result<bool, Failure>,
) -> Result<(Vec<PathBuf>, bool), Failure> {
    let mut specs = Vec::new();
    let mut entries = WalkBuilder::new(folder).build();
    for entry in entries.by_ref().take(most) {
        let entry = match entry {
            Ok(entry) => entry,
            // An unreadable directory is added like a spec: reading it reports the error, and the other specs are still checked.
            Err(error) => match unread(&error) {
                Some(path) if path != folder => {
                    specs.push(path.strip_prefix(".").unwrap_or(path).to_path_buf());
                    continue;
                }
                Some(_) | None => return Err(Failure::new(format!("cannot read a directory: {error}"))),
            },
        };
        // In a name that is not UTF-8, invalid bytes become replacement characters. The ending can still be compared.
        let named = is_spec(&entry.file_name().to_string_lossy()) || is_cluster(entry.path());
        if named && entry.file_type().is_some_and(|kind| kind.is_file() || kind.is_symlink()) {
            let path = entry.into_path();
            // A dangling link is kept and reported as an unreadable spec. A link to a pipe is skipped, because reading it would
            // block.
            if fs::metadata(&path).is_ok_and(|meta| !meta.is_file()) {
                continue;
            }
            if path.is_symlink() && !keeps(&path)? {
                continue;
            }
            specs.push(path.strip_prefix(".").map_or_else(|_| path.clone(), Path::to_path_buf));
        }
    }
    Ok((specs, entries.next().is_none()))
}

/// Returns the names of at most `most` files and directories in a directory, sorted; those of directories end with `/`. Without names
/// that begin with `.`. Empty if the directory cannot be read.
#[must_use]
pub fn names(folder: &Path, most: usize) -> Vec<String> {
    let name = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok().filter(|name| !name.starts_with('.'))?;
        Some(if entry.path().is_dir() { format!("{name}/") } else { name })
    };
    let entries = fs::read_dir(folder).into_iter().flatten().take(most);
    let mut names: Vec<String> = entries.flatten().filter_map(name).collect();
    names.sort();
    names
}

/// Returns the directory that could not be read, if the error contains one.
fn unread(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, err } if err.is_io() => Some(path),
        ignore::Error::WithDepth { err, .. } => unread(err),
        _ => None,
    }
}

/// Returns whether a path exists and is not a regular file: a pipe, a device or a directory.
#[must_use]
pub fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| !about.is_file())
}

#[cfg(test)]
mod tests {
    use super::super::WorkTree;
    use super::*;

    #[test]
    fn directories_are_searched_in_order_with_ignore_files() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir_all(at("b")).unwrap();
        for name in [
            "b/z.tfjob.kdl",
            "b/a.tfjob.yaml",
            "a.tfjob.json",
            "a.kdl",
            "hidden.tfjob.kdl",
            "b/e.cluster.kdl",
        ] {
            fs::write(at(name), "").unwrap();
        }
        fs::write(at(".ignore"), "hidden*\n").unwrap();
        let wanted = ["a.tfjob.json", "b/a.tfjob.yaml", "b/e.cluster.kdl", "b/z.tfjob.kdl"].map(at);
        let found = find(&[at("b/z.tfjob.kdl"), dir.path().to_path_buf()]).unwrap();
        assert_eq!(found.iter().map(|spec| spec.path.clone()).collect::<Vec<_>>(), wanted);
        assert_eq!(found.iter().map(|spec| spec.named).collect::<Vec<_>>(), [false, false, false, true]);
        let jobs = find_jobs(&[dir.path().to_path_buf()]).unwrap();
        assert_eq!(
            jobs.into_iter().map(|job| job.path).collect::<Vec<_>>(),
            [&wanted[..2], &wanted[3..]].concat()
        );
        assert!(find_jobs(&[at("b/e.cluster.kdl")]).is_err());
        // A link out of the work tree is an error, but hides no other spec from an editor.
        fs::create_dir(at(".git")).unwrap();
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("x.tfjob.kdl"), "").unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outside.path().join("x.tfjob.kdl"), at("link.tfjob.kdl")).unwrap();
            assert!(find(&[dir.path().to_path_buf()]).is_err());
            assert_eq!(first_specs(dir.path(), 100), (wanted.to_vec(), true));
            assert!(!first_specs(dir.path(), 2).1);
        }
        assert!(find(&[at("none")]).is_err());
        fs::create_dir(at("empty")).unwrap();
        assert!(find(&[at("empty")]).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_a_directory_is_not_a_spec() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let made = std::process::Command::new("mkfifo").arg(at("pipe.tfjob.kdl")).status().unwrap();
        assert!(made.success());
        std::os::unix::fs::symlink("pipe.tfjob.kdl", at("link.tfjob.kdl")).unwrap();
        fs::write(at("a.tfjob.kdl"), "").unwrap();
        let found = find(&[dir.path().to_path_buf()]).unwrap();
        assert_eq!(found.iter().map(|spec| spec.path.clone()).collect::<Vec<_>>(), [at("a.tfjob.kdl")]);
        let job = at("a.tfjob.kdl");
        let tree = WorkTree::around(&job).unwrap();
        assert!(tree.open(&job.to_string_lossy(), "pipe.tfjob.kdl").is_err());
    }

    #[test]
    fn only_a_text_up_to_the_size_limit_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.kdl");
        fs::write(&path, vec![b' '; MAX_BYTES]).unwrap();
        assert!(matches!(read(&path), Ok(Content::Text(text)) if text.len() == MAX_BYTES));
        fs::write(&path, vec![b' '; MAX_BYTES + 1]).unwrap();
        assert_eq!(read(&path), Ok(Content::TooLarge));
        fs::write(&path, b"ab\xffc").unwrap();
        assert_eq!(read(&path), Ok(Content::NotUtf8 { lossy: "ab\u{fffd}c".into(), at: 2 }));
    }

    #[test]
    fn a_spec_extends_only_what_lies_in_its_work_tree() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name).to_string_lossy().into_owned();
        fs::create_dir_all(at("tree/.git")).unwrap();
        fs::create_dir_all(at("tree/jobs")).unwrap();
        for name in ["secret.tfjob.kdl", "tree/base.tfjob.kdl", "tree/jobs/a.tfjob.kdl", "tree/passwords"] {
            fs::write(at(name), name).unwrap();
        }
        let job = at("tree/jobs/a.tfjob.kdl");
        let tree = WorkTree::around(Path::new(&job)).unwrap();
        let base = tree.open(&job, "../base.tfjob.kdl").unwrap();
        assert_eq!((base.name, base.text), (at("tree/base.tfjob.kdl"), "tree/base.tfjob.kdl".to_owned()));
        let secret = at("secret.tfjob.kdl");
        for outside in ["../../secret.tfjob.kdl", &secret, "../passwords", "../none.tfjob.kdl"] {
            assert!(tree.open(&job, outside).is_err(), "{outside}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../../secret.tfjob.kdl", at("tree/jobs/link.tfjob.kdl")).unwrap();
            assert!(tree.open(&job, "link.tfjob.kdl").is_err(), "a link to a file outside");
        }
    }
}
