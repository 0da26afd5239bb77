//! Checks of paths that must be files, such as the path of the shim: the job must not use such a path as a directory.
use tfjob_lang::codes::BAD_OPTION;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::escape::Escaped;
use tfjob_lang::plan::{Part, Plan};
use tfjob_lang::requirement::{Program, Requirement, Storage};
use tfjob_lang::sources::Span;

/// A path in the spec, with the field that sets it.
#[derive(Debug, Clone)]
pub struct Named<'a> {
    /// Name of the field, such as `hadoop home`.
    pub field: &'static str,
    /// The path.
    pub path: &'a str,
    /// Span in the spec.
    pub at: Span,
}

/// Reports each path of the parameter `files` that the job also uses as a directory, or that contains another path of the job.
#[must_use]
pub fn judge(plan: &Plan, files: &[Named<'_>]) -> Vec<Diagnostic> {
    let directories = directories(plan);
    let absolute = files.iter().filter(|file| file.path.starts_with('/'));
    let one = |file: &Named<'_>| {
        let same = |other: &&Named<'_>| below(other.path, file.path) == Some("");
        let inside = |other: &&Named<'_>| below(other.path, file.path).is_some_and(|rest| !rest.is_empty());
        let directory = directories.iter().find(same).map(|other| (other, "is a directory"));
        let mut others = directories.iter().chain(files);
        let (other, what) = directory.or_else(|| others.find(inside).map(|other| (other, "is inside it")))?;
        let fact = format!(
            "`{}` must be a file, but the path of `{}` (`{}`) {what}",
            file.path.escaped(),
            other.field,
            other.path.escaped()
        );
        let found = Diagnostic::new(&BAD_OPTION, file.at, fact).here("a file");
        Some(found.label(other.at, "conflicts with this path").help("write the path of the file"))
    };
    absolute.filter_map(one).collect()
}

/// Returns the part of a path below a directory. The part is empty for the directory itself. `None` if the path is outside the
/// directory.
fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let rest = path.trim_end_matches('/').strip_prefix(folder.trim_end_matches('/'))?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

/// Returns the paths in the spec that must be directories.
fn directories(plan: &Plan) -> Vec<Named<'_>> {
    let mut out = Vec::new();
    for required in &plan.requirements {
        let mut named = |field, path| out.push(Named { field, path, at: required.at });
        match &required.requirement {
            Requirement::Program(Program::Hadoop { home, java, conf }) => {
                named("hadoop home", home.as_str());
                named("hadoop java", java);
                conf.iter().for_each(|conf| named("hadoop conf", conf));
            }
            Requirement::Program(Program::Workdir { path, .. }) => {
                if let [Part::Text(path)] = path.parts.as_slice() {
                    named("workdir", path);
                }
            }
            Requirement::Storage(Storage::CheckpointsMount { at, .. }) => named("checkpoints", at),
            _ => {}
        }
    }
    out
}
