//! What a command line compiles: the specs, their options, and the output directory.
use super::obsolete::Scope;
use crate::args::Compile;
use crate::files;
use crate::outcome::Failure;
use crate::project::{self, Run};
use crate::selection::{self, Meaning, Wanted};
use std::path::{Path, PathBuf};
use tfjob_driver::Batch;
use tfjob_lang::at::At;
use tfjob_lang::spec::values::Text;

/// The specs that a command line compiles, and the output directory.
pub struct Selection {
    /// Findings of the project file, if there is one.
    pub project: Option<Batch>,
    /// The value of `out` in the project file, if it is used.
    pub declared_out: Option<At<Text>>,
    /// Directory of the project file.
    pub directory: Option<PathBuf>,
    /// The environments.
    pub runs: Vec<Run>,
    /// Output directory.
    pub out: PathBuf,
    /// The files that the command compares with its artifacts.
    pub scope: Scope,
}

const NO_PROJECT: &str = "`--prune` needs a project file `tfjob.kdl`";
const ALL_SPECS: &str =
    "`--prune` needs all specs of the project: run it without paths, `--env`, and `--target`";

/// Returns the specs and options of the command line: those of the given paths; without paths, those of the project or of the
/// current directory.
///
/// # Errors
/// Returns an error if the arguments are invalid, or a file cannot be read.
pub fn selection(args: &Compile) -> Result<Selection, Failure> {
    let found = selection::select(&Wanted {
        directory: Path::new("."),
        paths: &args.paths,
        meaning: Meaning::Specs,
        clusters: false,
        cluster: args.cluster.as_deref(),
        options: project::Options::artifacts(&args.environments, &args.targets, &args.sets),
    })?;
    let runs = found.runs;
    let Some(project) = found.project else {
        if args.prune {
            return Err(Failure::new(if args.paths.is_empty() { NO_PROJECT } else { ALL_SPECS }));
        }
        let out = args.out.clone().unwrap_or_else(|| "out".into());
        let (project, declared_out, directory) = (None, None, None);
        return Ok(Selection { project, declared_out, directory, runs, out, scope: Scope::Jobs });
    };
    let declared_out = project.declared_out.filter(|_| args.out.is_none() && !args.stdout);
    let out = args.out.clone().unwrap_or(project.out);
    let whole = !found.is_named && args.environments.is_empty() && args.targets.is_empty();
    let environments = runs.iter().filter_map(|run| run.environment.clone()).collect();
    let scope = if whole { Scope::Project(environments) } else { Scope::Jobs };
    if args.prune && !whole {
        return Err(Failure::new(ALL_SPECS));
    }
    let (batch, directory) = (Some(project.batch), Some(project.directory));
    Ok(Selection { project: batch, declared_out, directory, runs, out, scope })
}

/// Refuses an output directory inside `.git`, or one that a symbolic link places outside of the project. If the path is set on the
/// command line, it must be in the current directory instead. `project`: the directory of the project file.
///
/// # Errors
/// Returns an error for such a directory.
pub fn refuse_link_outside(args: &Compile, project: Option<&Path>, out: &Path) -> Result<(), Failure> {
    let home = project.filter(|_| args.out.is_none()).unwrap_or(Path::new("."));
    if args.stdout {
        return Ok(());
    }
    files::refuse_git(out)?;
    files::refuse_link_outside(home, out)
}
