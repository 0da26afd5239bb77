//! The words of the command line.
use crate::analysis::DRIVER;
use crate::render::Format;
use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use std::path::{Path, PathBuf};
use tfjob_driver::Target;
use tfjob_lang::spec::StrategyName;

/// One typed job description, checked and compiled for the clusters that train it.
///
/// Exit codes: 0 clean, 1 a spec has errors, 2 wrong use or the disk failed.
#[derive(Parser)]
#[command(name = "tfjob", version, disable_help_subcommand = true, max_term_width = 100)]
pub struct Line {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Writes how long each stage took to standard error, one JSON object a line.
    #[arg(long, global = true)]
    pub timings: bool,
}

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Shows every error of every spec, each once.
    Check(Check),
    /// Writes what the platforms take: every file of every target, or none.
    Compile(Compile),
    /// Runs a job on this machine: every task a process, restarted as the spec says.
    Run(Run),
    /// Shows what a job becomes: a task's world, the start order, a target's answers.
    Show(Show),
    /// Says what a word means: a code, a node, a feature or a target.
    Explain(Explain),
    /// Lays out specs, and changes nothing that they say.
    Fmt(Fmt),
    /// Makes a first spec.
    Init(Init),
    /// Print the JSON Schema of a job file or a cluster file
    Schema(Schema),
    /// Print shell completions, for example `tfjob completions bash`
    Completions(Completions),
    /// Prints a manual page.
    #[command(hide = true)]
    Man(Man),
}

/// Shows every error of every spec, each once.
#[derive(Args)]
pub struct Check {
    /// Specs, folders of specs (their ignore rules are kept), or `-` for standard input; without, the current folder.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Checks for this target only. Default: those that a spec configures. May be given several times.
    #[arg(long = "target", value_name = "TARGET", value_parser = target_named())]
    pub targets: Vec<Target>,
    /// Puts each job to the cluster of this file (`*.cluster.kdl`): its target, its nodes, its queues and limits.
    #[arg(long, value_name = "FILE")]
    pub cluster: Option<PathBuf>,
    /// How to write the report.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Writes the report to this file too, as SARIF. `-` and other names of standard output: only SARIF is written there.
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Fail if a spec has warnings
    #[arg(long, value_name = "SEVERITY", value_enum)]
    pub deny: Option<Deny>,
    /// Correct misspelled names, quotes and forms in the files themselves, and report what is left.
    #[arg(long)]
    pub fix: bool,
    /// Puts VALUE in the place of what the spec says at KEY. May be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE", conflicts_with = "fix")]
    pub sets: Vec<String>,
}

/// Severities that can be denied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Deny {
    /// Warnings, too, cause exit code 1
    Warnings,
}

/// Writes what the platforms take: every file of every target, or none.
#[derive(Args)]
pub struct Compile {
    /// Specs, folders of specs, or `-` for standard input.
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// Compiles for this target; without, for those that a spec configures. May be given several times.
    #[arg(long = "target", value_name = "TARGET", value_parser = target_named())]
    pub targets: Vec<Target>,
    /// Puts each job to the cluster of this file (`*.cluster.kdl`): its target, its nodes, its queues and limits.
    #[arg(long, value_name = "FILE")]
    pub cluster: Option<PathBuf>,
    /// The folder of the files, which stand in `JOB/TARGET` below it.
    #[arg(short, long, value_name = "DIR", default_value = "out", value_parser = directory())]
    pub out: PathBuf,
    /// Prints the one file, or all of YAML as one stream, instead of writing any.
    #[arg(long, conflicts_with = "check")]
    pub stdout: bool,
    /// Puts VALUE in the place of what the spec says at KEY, as `role.worker.count=8`. May be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Writes nothing, and fails with the difference if a file is missing, stale or left over. Looks only at the jobs and targets
    /// of these specs, not at directories of former ones.
    #[arg(long)]
    pub check: bool,
}

/// Runs a job on this machine. The exit code is the job's: 0, or the code of the task that failed; 130 after Ctrl-C.
#[derive(Args)]
pub struct Run {
    /// The spec.
    #[arg(value_name = "FILE")]
    pub path: PathBuf,
    /// Runs only this task, or all of this role; nobody waits for the others. May be given several times.
    #[arg(long = "task", value_name = "ROLE[:INDEX]")]
    pub tasks: Vec<String>,
    /// Lets the other tasks go on when one has failed.
    #[arg(long)]
    pub keep_going: bool,
    /// The folder of logs and scratch space; without, `.tfjob/JOB` beside the spec.
    #[arg(long, value_name = "DIR", value_parser = directory())]
    pub folder: Option<PathBuf>,
    /// Puts VALUE in the place of what the spec says at KEY. May be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
}

/// Shows what a job becomes.
#[derive(Args)]
pub struct Show {
    /// The spec, or `-` for standard input.
    #[arg(value_name = "FILE")]
    pub path: PathBuf,
    /// Shows one task: its variables, its TF_CONFIG and its words, as they are sent. Without INDEX: the first task of the role.
    #[arg(long, value_name = "ROLE[:INDEX]")]
    pub task: Option<String>,
    /// The target; without, those that the spec configures.
    #[arg(long, value_name = "TARGET", value_parser = target_named())]
    pub target: Option<Target>,
    /// Puts the job to the cluster of this file (`*.cluster.kdl`): its target, its nodes, its queues and limits.
    #[arg(long, value_name = "FILE")]
    pub cluster: Option<PathBuf>,
    /// Shows the start order of the roles.
    #[arg(long, conflicts_with = "task")]
    pub graph: bool,
    /// Shows what holds though the spec does not say it.
    #[arg(long, conflicts_with_all = ["task", "graph"])]
    pub defaults: bool,
    /// Puts VALUE in the place of what the spec says at KEY. May be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
}

/// Reads a directory that is created. A shell replaces `~` only at the start of an argument, so not after `--folder=`.
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

/// Reads the name of a target, and lists all of them in help and completions.
fn target_named() -> impl TypedValueParser<Value = Target> {
    // What else people call a target is let through here, so that the error can name what they mean.
    let all = tfjob_targets::ALL
        .iter()
        .map(|target| PossibleValue::new(target.name()).aliases(target.also()).help(target.about()));
    PossibleValuesParser::new(all)
        .try_map(|name| DRIVER.registry().target(&name).ok_or_else(|| aliases(&name)))
}

/// The complaint about a name that is not the target's own.
fn aliases(name: &str) -> String {
    let meant = tfjob_targets::ALL.iter().find(|target| target.also().contains(&name));
    let name = meant.map_or("one of the possible values", |target| target.name());
    format!("did you mean `{name}`?")
}

/// Says what a word means.
#[derive(Debug, Args)]
pub struct Explain {
    /// A code as it stands in the brackets of a report, or a word of the language, of `allow` or of `--target`; `codes`,
    /// `features` and `targets` list them.
    pub word: String,
}

/// Prints the JSON Schema of a job file or a cluster file.
#[derive(Debug, Args)]
pub struct Schema {
    /// Of which.
    #[arg(value_enum, default_value_t = SchemaOf::Job)]
    pub of: SchemaOf,
}

/// The kinds of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum SchemaOf {
    /// `*.tfjob.kdl`.
    Job,
    /// `*.cluster.kdl`.
    Cluster,
}

/// Lays out specs, and changes nothing that they say.
#[derive(Debug, Args)]
pub struct Fmt {
    /// Specs, folders of specs, or `-` from standard input to standard output; without, the current folder.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Writes nothing, and fails with the difference if a spec is not laid out.
    #[arg(long)]
    pub check: bool,
}

/// Makes a first spec.
#[derive(Debug, Args)]
pub struct Init {
    /// The file, with or without `.tfjob.kdl`; the job gets its name.
    #[arg(default_value = "job")]
    pub name: PathBuf,
    /// How the program distributes its work.
    #[arg(long, value_name = "STRATEGY", value_parser = strategy_named(), default_value = StrategyName::Single.keyword())]
    pub strategy: StrategyName,
}

fn strategy_named() -> impl TypedValueParser<Value = StrategyName> {
    let named = |word: String| StrategyName::ALL.into_iter().find(|strategy| strategy.keyword() == word);
    PossibleValuesParser::new(StrategyName::ALL.map(StrategyName::keyword))
        .map(move |word| named(word).expect("one of the values above"))
}

/// Print shell completions.
///
/// For bash, add `source <(tfjob completions bash)` to `~/.bashrc`. For zsh, write the output to a file named `_tfjob` in a
/// directory of `$fpath`. For fish, write it to `~/.config/fish/completions/tfjob.fish`.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Prints a manual page.
#[derive(Debug, Args)]
pub struct Man {
    /// The command it is about; without, the whole.
    pub command: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_words_do_not_contradict_each_other() {
        Line::command().debug_assert();
    }
}
