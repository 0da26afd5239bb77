//! Where the two versions of a comparison are.
use crate::args::Diff;
use crate::files::{self, Revision};
use crate::outcome::Failure;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Where a version is.
pub enum Place {
    /// A spec or a directory.
    Path(PathBuf),
    /// Specs in the current directory, or all specs of its project, and the directories of the submodules.
    Here(Vec<PathBuf>, BTreeSet<PathBuf>),
    /// Specs of a Git revision, or all specs of its project.
    Revision(Revision, Vec<Named>),
}

/// A spec of the command line in a Git revision.
pub struct Named {
    /// The path as the user has written it.
    written: PathBuf,
    /// The path of the extracted file, which may not exist.
    path: PathBuf,
}

impl Named {
    fn all(revision: &Revision, specs: &[PathBuf]) -> Result<Vec<Self>, Failure> {
        let named = |spec: &PathBuf| Ok(Self { written: spec.clone(), path: revision.path(spec)? });
        specs.iter().map(named).collect()
    }
}

/// Checks that each spec of the command line exists in one of the versions.
///
/// # Errors
/// Returns an error for the first spec that exists in none of them.
pub fn known(old: &Place, new: &Place) -> Result<(), Failure> {
    let Place::Revision(_, specs) = old else { return Ok(()) };
    for (index, spec) in specs.iter().enumerate() {
        let exists = |place: &Place| place.paths().get(index).is_some_and(|path| files::exists(path));
        if !exists(old) && !exists(new) {
            let (written, old, is_here, new) =
                (spec.written.display(), old.name(), matches!(new, Place::Here(..)), new.name());
            // A revision has only specs. A word without an ending is probably another revision.
            let hint = match spec.written.extension() {
                None if files::exists(&spec.written) => {
                    return Err(Failure::new(format!("`{written}` has no specs in {old} and in {new}")));
                }
                None if is_here => {
                    format!("; to compare two revisions, write `{old}..{written}`")
                }
                None | Some(_) => String::new(),
            };
            return Err(Failure::new(format!("`{written}` exists neither in {old} nor in {new}{hint}")));
        }
    }
    Ok(())
}

impl Place {
    /// Returns how reports name the version.
    pub fn name(&self) -> String {
        match self {
            Self::Path(path) => path.display().to_string(),
            Self::Here(..) => "the work tree".to_owned(),
            Self::Revision(revision, _) => revision.name.clone(),
        }
    }

    /// Returns the specs of the command line in this version.
    pub fn paths(&self) -> Vec<PathBuf> {
        match self {
            Self::Path(path) if files::is_directory(path) => Vec::new(),
            Self::Path(path) => vec![path.clone()],
            Self::Here(specs, _) => specs.clone(),
            Self::Revision(_, specs) => specs.iter().map(|spec| spec.path.clone()).collect(),
        }
    }

    /// Returns the Git revision.
    pub const fn revision(&self) -> Option<&Revision> {
        match self {
            Self::Path(_) | Self::Here(..) => None,
            Self::Revision(revision, _) => Some(revision),
        }
    }

    /// Returns the directory of the version.
    pub fn root(&self) -> PathBuf {
        match self {
            Self::Path(path) if files::is_directory(path) => path.clone(),
            Self::Path(path) => files::home(path).to_path_buf(),
            Self::Here(..) => PathBuf::from("."),
            Self::Revision(revision, _) => revision.directory.clone(),
        }
    }

    /// Returns whether the version is a directory without specs, not a missing file or an unreadable directory. If specs or directories of a
    /// revision are named, whether they have no specs.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Path(path) => files::has_no_spec(path),
            Self::Here(..) | Self::Revision(..) => match self.paths() {
                all if all.is_empty() => files::has_no_spec(&self.root()),
                named => named.iter().all(|path| !files::exists(path) || files::has_no_spec(path)),
            },
        }
    }

    /// Returns a text with the names of files as in the version.
    pub fn renamed(&self, text: &str) -> String {
        match self {
            Self::Path(_) | Self::Here(..) => text.to_owned(),
            Self::Revision(revision, _) => revision.renamed(text),
        }
    }
}

/// Returns where the two versions of the command line are.
///
/// # Errors
/// Returns an error if the arguments are invalid, or a revision cannot be read.
pub fn places(args: &Diff) -> Result<(Place, Place), Failure> {
    let (first, rest) = args.versions.split_first().expect("clap requires a version");
    let text = first.to_string_lossy();
    if files::exists(first) {
        return match rest {
            [second] => Ok((Place::Path(first.clone()), Place::Path(second.clone()))),
            [] => Err(Failure::new(format!(
                "`tfjob diff` compares two versions: add the new version, or write a Git revision before `{text}`; for a branch with the \
                 name of a file, write `refs/heads/{}`",
                text.trim_start_matches("./")
            ))),
            [_, third, ..] => {
                Err(Failure::new(format!("`tfjob diff` compares two versions: remove `{}`", third.display())))
            }
        };
    }
    // A revision may have such a name, too, but a file is meant.
    if files::is_spec(&text) && !text.starts_with("refs/") {
        return Err(Failure::new(format!("cannot read `{text}`: no such file")));
    }
    if args.cluster.is_some() {
        return Err(Failure::new(
            "`--cluster` cannot be used with Git revisions: set `cluster` in the project file",
        ));
    }
    let version = |revision: &str, name: &str| -> Result<Place, Failure> {
        let revision = Revision::extract(revision, name)?;
        let specs = Named::all(&revision, rest)?;
        Ok(Place::Revision(revision, specs))
    };
    match files::parse_range(&text)? {
        Some([(old, old_name), (new, new_name)]) => {
            Ok((version(&old, &old_name)?, version(&new, &new_name)?))
        }
        None => {
            let old = version(&text, &text)?;
            let submodules = old.revision().map(Revision::submodule_directories).transpose()?;
            Ok((old, Place::Here(rest.to_vec(), submodules.unwrap_or_default())))
        }
    }
}
