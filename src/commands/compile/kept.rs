//! Files of jobs that are not compiled because their spec is not checked out: in a sparse checkout, or in a clone without submodules.
use super::provenance;
use crate::files::{self, Absence, NotCheckedOut};
use crate::outcome::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tfjob_lang::lowered::SHARED;

/// Files that look obsolete, but are not, or may not be.
#[derive(Default)]
pub struct Kept {
    /// The files, as paths below the output directory.
    pub names: Vec<String>,
    /// Message of a finding about such a file.
    pub fact: &'static str,
    /// Why they are not compiled, each reason once, with what the user does about it.
    pub reasons: BTreeSet<String>,
    /// The error because of which the reasons are not known.
    pub failure: Option<Failure>,
}

/// Removes the files whose specs are not checked out from the list of obsolete files. Also those whose specs do not exist if that is not
/// known, because the index cannot be read. `project`: the directory of the project file.
pub fn split(folder: &Path, project: Option<&Path>, obsolete: &mut Vec<String>) -> Kept {
    let Some(project) = project else { return Kept::default() };
    let mut origins = missing(folder, project, obsolete);
    if origins.is_empty() {
        return Kept::default();
    }
    let mut kept = match NotCheckedOut::of(project) {
        Ok(index) => {
            origins.retain(|_, origin| index.why(origin).is_some());
            let reasons = origins.values().filter_map(|origin| Some(reason(origin, index.why(origin)?)));
            let fact = "the output file is not compared: its spec is not checked out";
            Kept { fact, reasons: reasons.collect(), ..Kept::default() }
        }
        Err(failure) => {
            let failure = Failure::new(format!(
                "cannot tell whether the specs of obsolete files exist in the repository, but are not checked out: {failure}"
            ));
            let fact = "the output file is not compared: its spec does not exist, or is not checked out";
            Kept { fact, reasons: [failure.to_string()].into(), failure: Some(failure), ..Kept::default() }
        }
    };
    let is_kept = |name: &String| {
        // The jobs of a namespace share the files in `_shim`.
        let shared = name.split_once(SHARED).filter(|(above, _)| above.is_empty() || above.ends_with('/'));
        origins.keys().any(|directory| match shared {
            Some((above, _)) => {
                directory.starts_with(above) && directory[above.len()..].matches('/').count() == 1
            }
            None => name.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/')),
        })
    };
    (kept.names, *obsolete) = std::mem::take(obsolete).into_iter().partition(is_kept);
    kept
}

/// Returns the name of each spec that does not exist, by directory `JOB/TARGET` of its obsolete files.
fn missing(folder: &Path, project: &Path, obsolete: &[String]) -> BTreeMap<String, String> {
    let mut origins = BTreeMap::new();
    for name in obsolete {
        let Some((directory, _)) = name.rsplit_once('/') else { continue };
        let origin = provenance::origin(folder, name).filter(|origin| files::is_spec(origin));
        if let Some(origin) = origin.filter(|origin| !files::exists(&project.join(origin))) {
            origins.insert(directory.to_owned(), origin);
        }
    }
    origins
}

/// Returns why a spec is not compiled, and what the user does about it.
fn reason(origin: &str, absence: Absence<'_>) -> String {
    match absence {
        Absence::Sparse => format!(
            "`{origin}` exists, but is not compiled: the sparse checkout excludes it; to compile it, run `git sparse-checkout disable`"
        ),
        Absence::Submodule(path) => format!(
            "`{origin}` may exist, but is not compiled: the submodule `{path}` is not checked out; to compile it, run `git submodule update --init --recursive`"
        ),
        Absence::Unreadable(path) => format!(
            "`{origin}` may exist, but is not compiled: `git` cannot read the submodule `{path}`; to see why, run `git submodule status`"
        ),
    }
}
