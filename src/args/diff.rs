//! Arguments of `tfjob diff`.
use super::target_named;
use clap::Args;
use std::path::PathBuf;
use tfjob_driver::Target;

/// Show what changes between two versions of a job, and what each platform does with the change
#[derive(Args)]
pub struct Diff {
    /// The old and the new version: two specs or two directories. Or a Git revision, such as `main` (compared with the work tree), or
    /// a range, such as `main..HEAD` or `main...HEAD`, followed by the specs to compare. Default: the specs of the project file
    /// `tfjob.kdl`, or of the current directory if there is no project file
    #[arg(value_name = "VERSION", required = true)]
    pub versions: Vec<PathBuf>,
    /// Compare one spec with the submitted job, as the platform reports it in JSON: `kubectl get --output json`, the REST API of YARN
    /// services, or Marathon. `-`: standard input
    #[arg(long, value_name = "FILE")]
    pub live: Option<PathBuf>,
    /// Compare the artifacts of this target only. Can be repeated. Default: the targets that each spec configures
    #[arg(long = "target", value_name = "TARGET", value_parser = target_named())]
    pub targets: Vec<Target>,
    /// Compare only this environment of the project file. Can be repeated. Default: all environments
    #[arg(long = "env", value_name = "NAME", conflicts_with = "cluster")]
    pub environments: Vec<String>,
    /// Validate against a cluster file (nodes, queues, limits), such as `prod.cluster.kdl`
    #[arg(long, value_name = "FILE")]
    pub cluster: Option<PathBuf>,
    /// Output format. `markdown`: for a comment on a pull request
    #[arg(long, value_enum, default_value_t)]
    pub format: DiffFormat,
    /// Exit with 1 only if a change has this effect or a greater one on a submitted job, or an unknown effect, and with 0 for all other
    /// changes
    #[arg(long, value_name = "EFFECT", value_enum)]
    pub fail_on: Option<LeastEffect>,
    /// Override a spec field in both versions, such as `role.worker.count=8`. Can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
}

/// The least effect of a change with which `tfjob diff` fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LeastEffect {
    /// The platform restarts tasks to apply the change
    Restart,
    /// The platform does not apply the change to running tasks: the job must be deleted and submitted again
    Recreate,
    /// The platform rejects the change while the job exists
    Rejected,
}

/// Output formats of `tfjob diff`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum DiffFormat {
    /// Text, for a terminal
    #[default]
    Human,
    /// One JSON object
    Json,
    /// Markdown, for a comment on a pull request
    Markdown,
}
