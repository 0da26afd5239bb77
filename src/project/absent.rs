//! Files of a project that the repository has, but the work tree does not.
use crate::files::{self, Absence, NotCheckedOut};
use std::path::Path;
use tfjob_lang::escape::Escaped;

/// Returns what to do about a path or a glob of the project file at which nothing is found, if the files may not be checked out. `folder`:
/// the directory of the project file.
pub fn help(folder: &Path, glob: &str) -> Option<String> {
    let is_literal = |step: &&str| !step.contains(['*', '?', '[', '{', '!']);
    let path = glob.split('/').take_while(is_literal).collect::<Vec<_>>().join("/");
    let index = NotCheckedOut::of(folder).ok()?;
    // The path itself may be a submodule: then each file below it is absent.
    match index.why(&path).or_else(|| index.why(&format!("{path}/-"))) {
        Some(Absence::Sparse) => {
            Some("the sparse checkout excludes the file: run `git sparse-checkout disable`".to_owned())
        }
        Some(Absence::Submodule(module)) => Some(submodule(module)),
        Some(Absence::Unreadable(module)) => Some(format!(
            "`git` cannot read the submodule `{}`: run `git submodule status` to see why",
            module.escaped()
        )),
        None => files::is_sparse(folder).then(|| {
            "if the sparse checkout excludes the files, run `git sparse-checkout disable`; otherwise, correct the path"
                .to_owned()
        }),
    }
}

/// Returns what to do about a submodule that is not checked out.
fn submodule(path: &str) -> String {
    let path = path.escaped();
    format!("the submodule `{path}` is not checked out: run `git submodule update --init --recursive`")
}
