//! Command-line arguments. The doc comments are the help text, the manual pages and the completions.
mod diff;
mod help;

pub use diff::{Diff, DiffFormat, LeastEffect};
pub use help::{command, parse};

use crate::analysis::DRIVER;
use crate::render::Format;
use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use std::path::{Path, PathBuf};
use tfjob_driver::Target;
use tfjob_lang::spec::StrategyName;

/// Validate training job specs and compile them for YARN, Kubernetes, DC/OS, and Spark
///
/// Exit codes: 0 success, 1 errors in a spec, 2 usage or I/O error. `tfjob run` exits with the exit code of the job.
#[derive(Parser)]
#[command(name = "tfjob", version, max_term_width = 100)]
pub struct Line {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
    /// Write the duration of each processing stage to standard error, one JSON object per line
    #[arg(long, global = true)]
    pub timings: bool,
    /// When to use colors. `auto`: on a terminal, unless `NO_COLOR` is set
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub color: Color,
    /// Do not print warnings, progress, and next steps; print only errors and the result of the command
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// When to use colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Color {
    /// Use color on a terminal, unless `NO_COLOR` is set or the terminal is `dumb`
    #[default]
    Auto,
    /// Use color also in files and pipes
    Always,
    /// Never use color
    Never,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Check job specs and report all errors
    Check(Check),
    /// Compile job specs into platform manifests
    Compile(Compile),
    /// Show what changes between two versions of a job, and what each platform does with the change
    ///
    /// The exit code is 0 if nothing changes, 1 if something changes, and 2 for an error, also in a spec of the new version.
    Diff(Diff),
    /// Run a job locally, one process per task
    ///
    /// The exit code is 0 if the job succeeds, otherwise the exit code of the task that failed. If a signal stops the run, the exit
    /// code is 128 plus the signal number, such as 130 after Ctrl-C.
    Run(Run),
    /// Show the resolved job: task environment, start order, target support
    Show(Show),
    /// Explain an error code, keyword, feature, or target
    Explain(Explain),
    /// Format job specs
    Fmt(Fmt),
    /// Create a starter job spec
    Init(Init),
    /// Generate manifests for Kustomize, as a KRM function
    ///
    /// Kustomize starts this command and passes a `ResourceList` on standard input. Its `functionConfig` is a `TFJobSpec`, which names a
    /// spec. The output is the list with the Kubernetes objects of the job. docs/gitops.md describes the fields and the flags of
    /// Kustomize.
    Krm(Krm),
    /// Start the language server for editors, on standard input and output
    ///
    /// The server speaks the Language Server Protocol. Editors start it; editors/README.md contains the settings for each editor.
    Lsp(Lsp),
    /// Print the JSON Schema of a job, cluster, or project file
    Schema(Schema),
    /// Print shell completions, for example `tfjob completions bash`
    ///
    /// For bash, add `source <(tfjob completions bash)` to `~/.bashrc`. For zsh, write the output to a file named `_tfjob` in a
    /// directory of `$fpath`. For fish, write it to `~/.config/fish/completions/tfjob.fish`.
    Completions(Completions),
    /// Print a manual page, or write all pages to a directory
    Man(Man),
}

/// Generate manifests for Kustomize, as a KRM function
#[derive(Args)]
pub struct Krm;

/// Start the language server for editors, on standard input and output
#[derive(Args)]
pub struct Lsp {
    /// Accepted for editors that pass it; standard input and output are always used
    #[arg(long, hide = true)]
    pub stdio: bool,
}

/// Check job specs and report all errors
#[derive(Args)]
pub struct Check {
    /// Spec files, directories of specs (files that Git ignores are skipped), or `-` for standard input. Default: the specs of the
    /// project file `tfjob.kdl`, or of the current directory if there is no project file
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Check the specs for this target only. Can be repeated. Default: the targets that the spec configures
    #[arg(long = "target", value_name = "TARGET", value_parser = target_named())]
    pub targets: Vec<Target>,
    /// Check only this environment of the project file. Can be repeated. Default: all environments
    #[arg(long = "env", value_name = "NAME", conflicts_with = "cluster")]
    pub environments: Vec<String>,
    /// Validate against a cluster file (nodes, queues, limits), such as `prod.cluster.kdl`
    #[arg(long, value_name = "FILE")]
    pub cluster: Option<PathBuf>,
    /// Output format of the report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Also write the report to a SARIF file. With `-`, SARIF replaces the report on standard output
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Exit with 1 if a spec has warnings other than `allowed-feature`, which the spec accepts with `allow`
    #[arg(long)]
    pub deny_warnings: bool,
    /// Edit the files to fix errors with only one possible correction, such as misspelled keywords and missing quotes;
    /// report the remaining errors
    #[arg(long)]
    pub fix: bool,
    /// With `--fix`: print the changes as a diff instead of writing them, and exit with 1 if there are any
    #[arg(long, requires = "fix")]
    pub diff: bool,
    /// Override a spec field, such as `role.worker.count=8`. Can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", conflicts_with = "fix")]
    pub sets: Vec<String>,
}

/// Compile job specs into platform manifests
#[derive(Args)]
pub struct Compile {
    /// Spec files, directories of specs, or `-` for standard input. Default: the specs of the project file `tfjob.kdl`, or of the
    /// current directory if there is no project file
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Compile for this target only. Can be repeated. Default: the targets that the spec configures
    #[arg(long = "target", value_name = "TARGET", value_parser = target_named())]
    pub targets: Vec<Target>,
    /// Compile only this environment of the project file. Can be repeated. Default: all environments
    #[arg(long = "env", value_name = "NAME")]
    pub environments: Vec<String>,
    /// Validate against a cluster file (nodes, queues, limits), such as `prod.cluster.kdl`
    #[arg(long, value_name = "FILE")]
    pub cluster: Option<PathBuf>,
    /// Output directory. Files are written to `JOB/TARGET` below it; if the project has environments, to `ENVIRONMENT/JOB/TARGET`.
    /// Default: `out`, or the directory that the project file sets
    #[arg(short, long, value_name = "DIR", value_parser = directory())]
    pub out: Option<PathBuf>,
    /// Print to standard output instead of writing files (several YAML files become one multi-document stream)
    #[arg(long, conflicts_with_all = ["check", "prune"])]
    pub stdout: bool,
    /// Override a spec field, such as `role.worker.count=8`. Can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Write nothing; print a diff, and exit with 1 if any output file is missing, outdated, or no longer generated. If
    /// a spec, `--env`, or `--target` is given, or if there is no project file, the command compares only the directories of the
    /// compiled jobs and targets, not the whole output directory
    #[arg(long, conflicts_with = "prune")]
    pub check: bool,
    /// With `--check`: output format of the report. Only `human` prints the differences
    #[arg(long, value_enum, default_value_t = Format::Human, requires = "check")]
    pub format: Format,
    /// Write nothing; print the paths of the output files, one per line
    #[arg(long, conflicts_with_all = ["check", "prune", "stdout", "steps"])]
    pub list: bool,
    /// Delete output files of the project that are no longer generated
    #[arg(long)]
    pub prune: bool,
    /// Format of the next steps (the commands that set up, submit, and delete the job). `human`: printed to standard error, but not
    /// if the whole project is compiled. `json`: printed to standard output; also contains the commands in the generated scripts
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, conflicts_with_all = ["stdout", "check"])]
    pub steps: StepFormat,
}

/// Format of the next steps of `tfjob compile`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum StepFormat {
    /// Numbered commands
    #[default]
    Human,
    /// One JSON document
    Json,
}

/// Run a job locally, one process per task
#[derive(Args)]
pub struct Run {
    /// Spec file
    #[arg(value_name = "FILE")]
    pub path: PathBuf,
    /// Run only this task, or all tasks of this role. The selected tasks do not wait for tasks that are not selected. Can be
    /// repeated
    #[arg(long = "task", value_name = "ROLE[:INDEX]")]
    pub tasks: Vec<String>,
    /// Not an option of this command. The error says why
    #[arg(long, hide = true, value_name = "TARGET", value_parser = only_local())]
    pub target: Option<String>,
    /// Keep the other tasks running after a task has failed
    #[arg(long)]
    pub keep_going: bool,
    /// Directory for logs and temporary files. Default: `.tfjob/JOB` in the directory of the spec
    #[arg(long, alias = "folder", value_name = "DIR", value_parser = directory())]
    pub directory: Option<PathBuf>,
    /// Override a spec field, such as `role.worker.count=8`. Can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
}

/// Show the resolved job: task environment, start order, target support
#[derive(Args)]
pub struct Show {
    /// Spec file, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub path: PathBuf,
    /// Show the environment, `TF_CONFIG`, and arguments of one task. Without INDEX, show task 0 of the role
    #[arg(long, value_name = "ROLE[:INDEX]")]
    pub task: Option<String>,
    /// Show feature support and task environment for this target only. Default: the targets that the spec configures; if
    /// it configures none, all targets
    #[arg(long, value_name = "TARGET", value_parser = target_named())]
    pub target: Option<Target>,
    /// Use the cluster file and the settings of this environment of the project file
    #[arg(long = "env", value_name = "NAME", conflicts_with = "cluster")]
    pub environment: Option<String>,
    /// Validate against a cluster file (nodes, queues, limits), such as `prod.cluster.kdl`
    #[arg(long, value_name = "FILE")]
    pub cluster: Option<PathBuf>,
    /// Show the start order of the roles
    #[arg(long, conflicts_with = "task")]
    pub graph: bool,
    /// Show the default values of the fields that the spec does not set
    #[arg(long, conflicts_with_all = ["task", "graph"])]
    pub defaults: bool,
    /// Override a spec field, such as `role.worker.count=8`. Can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
}

/// Parses an output directory. Rejects a leading `~`: a shell expands it only at the start of an argument, not after
/// `--directory=`.
fn directory() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.strip_prefix("~") {
        Err(_) => Ok(path),
        Ok(below) => {
            let home = Path::new("$HOME").join(below);
            let home = home.display().to_string();
            let home = home.trim_end_matches('/');
            Err(format!(
                "the shell did not replace `~`: write \"{home}\", or `./~` for a directory of that name"
            ))
        }
    })
}

/// Rejects `--target`, because a local run has only one target.
fn only_local() -> impl TypedValueParser<Value = String> {
    clap::builder::StringValueParser::new().try_map(|_| -> Result<String, &str> {
        Err("`tfjob run` always uses the target `local`: remove `--target`")
    })
}

/// Parses the name of a target. The help and the completions list all names.
fn target_named() -> impl TypedValueParser<Value = Target> {
    // Aliases such as `k8s` are accepted here, and rejected later with an error that suggests the name of the target.
    let all = tfjob_targets::ALL
        .iter()
        .map(|target| PossibleValue::new(target.name()).aliases(target.aliases()).help(target.about()));
    PossibleValuesParser::new(all)
        .try_map(|name| DRIVER.registry().target(&name).ok_or_else(|| aliases(&name)))
}

/// Returns the error for an unknown name of a target, such as `k8s`.
fn aliases(name: &str) -> String {
    let meant = tfjob_targets::ALL.iter().find(|target| target.aliases().contains(&name));
    let name = meant.map_or("one of the possible values", |target| target.name());
    format!("did you mean `{name}`?")
}

/// Explain an error code, keyword, feature, or target
#[derive(Debug, Args)]
pub struct Explain {
    /// Error code, keyword of the language, feature, or target. The topics `codes`, `features`, `references`, and `targets`
    /// print lists
    #[arg(value_name = "TOPIC", allow_hyphen_values = true)]
    pub word: String,

    /// Property of the keyword `word`
    #[arg(hide = true)]
    pub property: Option<String>,
}

/// Print the JSON Schema of a job, cluster, or project file
#[derive(Debug, Args)]
pub struct Schema {
    /// Kind of file
    #[arg(value_name = "KIND", value_enum, default_value_t = SchemaOf::Job)]
    pub of: SchemaOf,
}

/// Kinds of files that have a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum SchemaOf {
    /// Job file, `*.tfjob.{kdl,json,yaml}`
    Job,
    /// Cluster file, `*.cluster.{kdl,json,yaml}`
    Cluster,
    /// Project file, `tfjob.kdl`
    Project,
}

/// Format job specs
#[derive(Debug, Args)]
pub struct Fmt {
    /// Spec files, directories of specs, or `-` to format standard input to standard output. Default: the current directory
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Write nothing; print a diff, and exit with 1 if any spec is not formatted
    #[arg(long)]
    pub check: bool,
}

/// Create a starter job spec
#[derive(Debug, Args)]
pub struct Init {
    /// Spec file to create; `.tfjob.kdl` is appended if missing. The file name without this suffix is also the name of the job
    #[arg(value_name = "FILE", default_value = "job")]
    pub name: PathBuf,
    /// Distribution strategy of the program
    #[arg(long, value_name = "STRATEGY", value_parser = strategy_named(), default_value = StrategyName::Single.keyword())]
    pub strategy: StrategyName,
}

fn strategy_named() -> impl TypedValueParser<Value = StrategyName> {
    let named = |word: String| StrategyName::ALL.into_iter().find(|strategy| strategy.keyword() == word);
    PossibleValuesParser::new(StrategyName::ALL.map(StrategyName::keyword))
        .map(move |word| named(word).expect("one of the values above"))
}

/// Print shell completions, for example `tfjob completions bash`
#[derive(Debug, Args)]
pub struct Completions {
    /// Shell to print completions for
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Print a manual page
#[derive(Debug, Args)]
pub struct Man {
    /// Command that the page describes. Default: `tfjob` as a whole
    #[arg(conflicts_with = "out")]
    pub command: Option<String>,
    /// Write the pages of `tfjob` and of all commands to this directory
    #[arg(long, value_name = "DIR", value_parser = directory())]
    pub out: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_do_not_contradict_each_other() {
        Line::command().debug_assert();
    }
}
