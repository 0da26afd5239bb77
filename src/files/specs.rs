//! What comes in: specs by name, by folder, from standard input, or named by another spec.
use crate::outcome::Failure;
use ignore::WalkBuilder;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tfjob_driver::files::{STDIN, extension, is_cluster, is_spec};
use tfjob_lang::syntax::guard::MAX_BYTES;

/// What the name of a file ends with that is read as a spec when it is named itself.
const EXTENSIONS: [&str; 4] = ["kdl", "yaml", "yml", "json"];

/// Refuses a regular file whose name says that it is something else, such as a program. A pipe has no name of its own.
///
/// # Errors
/// For any other extension.
fn check_name(path: &Path) -> Result<(), Failure> {
    let extension = extension(path);
    if path == Path::new(STDIN) || EXTENSIONS.contains(&extension.as_str()) {
        return Ok(());
    }
    // That a file is not there is told by who reads it.
    if is_special(path) || !path.exists() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "`{}` is not a job description: its name must end in `.kdl`, `.yaml`, `.yml` or `.json`",
        path.display()
    )))
}

/// Whether both names lead to one file, which is there.
#[must_use]
pub fn same_file(a: &Path, b: &Path) -> bool {
    fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
}

/// What a file holds.
#[derive(Debug, PartialEq, Eq)]
pub enum Content {
    /// A text that may be a spec.
    Text(String),
    /// More than 1 MiB; no more was read.
    TooLarge,
    /// Not UTF-8: the text with a mark for each wrong byte, and where the first of them stands.
    NotUtf8 {
        /// Readable, and not what the file holds.
        lossy: String,
        /// In bytes of `lossy`.
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

/// Reads a spec, or standard input for `-`, and no more than the largest spec.
///
/// # Errors
/// For a file that is not named as a spec, and where the disk says no.
pub fn read(path: &Path) -> Result<Content, Failure> {
    check_name(path)?;
    let mut bytes = Vec::new();
    let limit = MAX_BYTES as u64 + 1;
    let done = if path == Path::new(STDIN) {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        fs::File::open(path).and_then(|file| {
            // One more than the file has, so that its end is seen in the same turn.
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
    /// Where it is.
    pub path: PathBuf,
    /// Whether it was named itself, not only the folder it is in.
    pub named: bool,
}

/// The job files of `paths`: cluster files of folders are passed by.
///
/// # Errors
/// As [`find`], and for a cluster file that was named: it is no job.
pub fn find_jobs(paths: &[PathBuf]) -> Result<Vec<Found>, Failure> {
    let mut found = find(paths)?;
    if let Some(cluster) = found.iter().find(|file| file.named && is_cluster(&file.path)) {
        return Err(no_job(&cluster.path));
    }
    found.retain(|file| !is_cluster(&file.path));
    if found.is_empty() {
        return Err(Failure::new("no spec (`*.tfjob.kdl`), only cluster files"));
    }
    Ok(found)
}

/// A cluster file stands where a job is due.
#[must_use]
pub fn no_job(path: &Path) -> Failure {
    Failure::new(format!("`{}` is a cluster file, not a job: name it by `--cluster`", path.display()))
}

/// The specs and cluster files that `paths` name, each once and in order: folders are walked and their ignore rules kept, files are
/// taken under any name that ends as a text in KDL, YAML or JSON does.
///
/// # Errors
/// For a path that is not there, for a file of another kind, and for a folder without any spec.
pub fn find(paths: &[PathBuf]) -> Result<Vec<Found>, Failure> {
    let mut found = BTreeMap::new();
    for path in paths {
        if path != Path::new(STDIN)
            && fs::metadata(path).map_err(|e| Failure::at("cannot read", path, &e))?.is_dir()
        {
            let specs = walk(path)?;
            if specs.is_empty() {
                return Err(Failure::new(format!(
                    "no spec (`*.tfjob.kdl`, `.json` or `.yaml`) in `{}`",
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

fn walk(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut specs = Vec::new();
    for entry in WalkBuilder::new(folder).build() {
        let entry = match entry {
            Ok(entry) => entry,
            // Whoever reads it as a spec says why it cannot be read, beside the report of the others.
            Err(error) => match unread(&error) {
                Some(path) if path != folder => {
                    specs.push(path.strip_prefix(".").unwrap_or(path).to_path_buf());
                    continue;
                }
                Some(_) | None => return Err(Failure::new(format!("cannot read a folder: {error}"))),
            },
        };
        let named = entry.file_name().to_str().is_some_and(is_spec) || is_cluster(entry.path());
        if named && entry.file_type().is_some_and(|kind| kind.is_file() || kind.is_symlink()) {
            let path = entry.into_path();
            // A link to nothing is a spec that cannot be read; one to a pipe would never end.
            if fs::metadata(&path).is_ok_and(|meta| !meta.is_file()) {
                continue;
            }
            specs.push(path.strip_prefix(".").map_or_else(|_| path.clone(), Path::to_path_buf));
        }
    }
    Ok(specs)
}

/// The folder that could not be read.
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
    fn folders_are_walked_in_order_and_ignore_rules_kept() {
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
        assert!(find(&[at("none")]).is_err());
        fs::create_dir(at("empty")).unwrap();
        assert!(find(&[at("empty")]).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_a_folder_is_no_spec() {
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
    fn only_a_text_of_bounded_size_is_read() {
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
            assert!(tree.open(&job, "link.tfjob.kdl").is_err(), "a link leads out");
        }
    }
}
