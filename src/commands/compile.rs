//! `tfjob compile`: writes the artifacts of all specs for all targets, or none.
mod added;
mod commands;
mod compare;
mod json;
mod next_steps;
mod obsolete;
mod outputs;
mod scripts;
mod write;

use crate::analysis::{self, DRIVER, Request, Spec};
use crate::args::{Compile, StepFormat};
use crate::files;
use crate::outcome::{Failure, Outcome};
use crate::project::{self, Run};
use crate::render::legible::{Legible, scrubber};
use crate::render::{Format, Report, Unchecked};
use crate::terminal::{TextStyle, plain};
use obsolete::Scope;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tfjob_driver::bases::Part;
use tfjob_driver::{Batch, TargetSummary};
use tfjob_lang::lowered::{Lowered, Phase, Step, Word};
use tfjob_lang::secrets::Scrubber;

/// The artifacts of one spec for one target.
struct Made<'a> {
    /// Output directory: `JOB/TARGET`, or `ENVIRONMENT/JOB/TARGET`.
    folder: String,
    spec: &'a Path,
    /// Name of the spec in the headers of its files.
    origin: String,
    lowered: &'a Lowered,
    /// Reason why the tasks run under the shim; `None` if they run without it.
    added: Option<String>,
}

/// The specs that a command line compiles, and the output directory.
struct Selection {
    /// Findings of the project file, if there is one.
    project: Option<Batch>,
    /// Directory of the project file.
    directory: Option<PathBuf>,
    runs: Vec<Run>,
    out: PathBuf,
    scope: Scope,
}

/// The checked specs of one environment.
struct Checked {
    environment: Option<String>,
    specs: Vec<Spec>,
    parts: Vec<Part>,
    unchecked: Vec<Unchecked>,
    cluster: Option<Batch>,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the arguments are invalid, or a file cannot be read or written.
pub fn run(
    args: &Compile,
    quiet: bool,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let selection = selection(args)?;
    let mut checked = selection.runs.iter().map(check).collect::<Result<Vec<_>, _>>()?;
    // The batches of the specs come last, in the order of the specs.
    let first = selection.project.into_iter().chain(checked.iter_mut().filter_map(|one| one.cluster.take()));
    let mut batches: Vec<Batch> = first.collect();
    let before = batches.len();
    let specs = checked.iter_mut().flat_map(|one| &mut one.specs);
    batches.extend(specs.map(|one| std::mem::take(&mut one.checked.batch)));
    let legible = Legible::of(&batches);
    let mut report = Report::new(&legible);
    if quiet {
        report.keep_errors();
    }
    report.print(Format::Human, TextStyle::of(&io::stderr()), err)?;
    if report.summary.errors > 0 {
        let unchecked: BTreeSet<String> =
            checked.iter().flat_map(|one| &one.unchecked).map(ToString::to_string).collect();
        unchecked.iter().try_for_each(|line| writeln!(err, "{}", plain(line)))?;
        return Ok(Outcome::Faulty);
    }
    // From here on, only progress is printed to standard error.
    let progress: &mut dyn Write = if quiet { &mut io::sink() } else { err };
    let specs = || checked.iter().flat_map(|one| &one.specs);
    if let Some(aimless) = specs().find(|one| one.checked.compiled.is_empty()) {
        return Err(without_target(aimless));
    }
    let made = made(&checked, &batches[before..], selection.directory.as_deref())?;
    let notes = checked
        .iter()
        .flat_map(|one| one.parts.iter().map(ToString::to_string).chain(host_conflicts(&one.specs)));
    for line in notes.collect::<BTreeSet<_>>() {
        writeln!(progress, "{}", plain(&line))?;
    }
    if args.check {
        let scrubbers: Vec<Scrubber> = batches.iter().map(|batch| scrubber(&batch.sources)).collect();
        return compare::compare(&selection.out, &made, &scrubbers, &selection.scope, out);
    }
    if args.stdout {
        return print(args, &selection.out, &made, out, progress);
    }
    let human = match args.steps {
        StepFormat::Human => true,
        StepFormat::Json => false,
    };
    let outcome = match &selection.scope {
        Scope::Jobs => write::jobs(&selection.out, &made, &args.sets, human, progress)?,
        Scope::Project => write::project(&selection.out, &made, args.prune, progress)?,
    };
    if !human {
        json::print(&selection.out, &made, &args.sets, out)?;
    }
    Ok(outcome)
}

/// Returns the specs and options of the command line: the given paths, or the project.
fn selection(args: &Compile) -> Result<Selection, Failure> {
    let options = project::Options {
        environments: &args.environments,
        targets: &args.targets,
        sets: &args.sets,
        artifacts: true,
    };
    let file = project::named(&args.paths);
    let named = !args.paths.is_empty() && file.is_none();
    let project = if named && args.environments.is_empty() { None } else { project::open(file, &options)? };
    let Some(mut project) = project else {
        if let Some(name) = args.environments.first() {
            return Err(Failure::new(format!("no project file `tfjob.kdl` has the environment `{name}`")));
        }
        if !named {
            return Err(Failure::new(
                "no specs: name a spec or a directory, or create a project file `tfjob.kdl` (see `tfjob explain project`)",
            ));
        }
        if args.prune {
            return Err(Failure::new("`--prune` needs a project file `tfjob.kdl`"));
        }
        let request =
            Request { artifacts: true, ..Request::new(&args.targets, &args.sets, args.cluster.as_deref())? };
        let runs = vec![Run { environment: None, specs: files::find_jobs(&args.paths)?, request }];
        let out = args.out.clone().unwrap_or_else(|| "out".into());
        return Ok(Selection { project: None, directory: None, runs, out, scope: Scope::Jobs });
    };
    if args.cluster.is_some() {
        return Err(Failure::new(project::CLUSTER));
    }
    let specs = if named { Some(files::find_jobs(&args.paths)?) } else { None };
    for run in &mut project.runs {
        match &specs {
            Some(specs) => run.specs.clone_from(specs),
            None => run.specs.retain(|spec| !files::is_cluster(&spec.path)),
        }
    }
    let out = args.out.clone().unwrap_or(project.out);
    let whole = !named && args.environments.is_empty() && args.targets.is_empty();
    let scope = if whole { Scope::Project } else { Scope::Jobs };
    if args.prune && !whole {
        return Err(Failure::new(
            "`--prune` needs all specs of the project: run it without paths, `--env`, and `--target`",
        ));
    }
    let (batch, directory) = (Some(project.batch), Some(project.directory));
    Ok(Selection { project: batch, directory, runs: project.runs, out, scope })
}

fn check(run: &Run) -> Result<Checked, Failure> {
    let (results, parts) = analysis::all(&run.specs, &run.request);
    let specs = results.into_iter().collect::<Result<Vec<_>, _>>()?;
    let unchecked = analysis::unchecked(&specs, &run.request);
    let cluster = run.request.of_cluster();
    Ok(Checked { environment: run.environment.clone(), specs, parts, unchecked, cluster })
}

fn without_target(spec: &Spec) -> Failure {
    let path = spec.path.to_string_lossy();
    let target_summary = |plan| TargetSummary::of(&path, plan, DRIVER.registry()).to_string();
    let target_summary = spec.checked.plan.as_ref().map(target_summary).unwrap_or_default();
    Failure::new(format!("no target for `{path}`: set `--target`, or add a `target` block; {target_summary}"))
}

/// Returns the artifacts of all specs. `batches`: one for each spec, in the order of the specs. `project`: the directory of the
/// project file.
fn made<'a>(
    checked: &'a [Checked],
    batches: &[Batch],
    project: Option<&Path>,
) -> Result<Vec<Made<'a>>, Failure> {
    let mut made: Vec<Made> = Vec::new();
    let mut folders: BTreeMap<String, &Path> = BTreeMap::new();
    let specs = checked.iter().flat_map(|run| run.specs.iter().map(move |one| (&run.environment, one)));
    for ((environment, one), batch) in specs.zip(batches) {
        let Some(plan) = &one.checked.plan else { continue };
        for (target, lowered) in &one.checked.compiled {
            let Some(lowered) = lowered else { continue };
            let above = environment.as_ref().map(|name| format!("{name}/")).unwrap_or_default();
            let folder = format!("{above}{}/{}", plan.name.value, target.name());
            if let Some(other) = folders.insert(folder.clone(), &one.path) {
                let (a, b) = (other.display(), one.path.display());
                return Err(Failure::new(format!(
                    "`{a}` and `{b}` would both be written to `{folder}`: rename one of the jobs"
                )));
            }
            let contract = lowered.contract.as_ref();
            let added =
                contract.map(|(it, at)| added::line(target.name(), (it, at), &batch.sources, &one.path));
            let origin = outputs::origin(project, &one.path);
            made.push(Made { folder, spec: &one.path, origin, lowered, added });
        }
    }
    Ok(made)
}

/// Returns a line for each pair of jobs whose tasks have the same host name on a target. If both jobs run, a task may connect to
/// the other job.
fn host_conflicts(checked: &[Spec]) -> Vec<String> {
    let mut met: BTreeMap<(&str, String), &Path> = BTreeMap::new();
    let (mut lines, mut told) = (Vec::new(), BTreeSet::new());
    for one in checked {
        let Some(plan) = &one.checked.plan else { continue };
        for (target, _) in &one.checked.compiled {
            for host in target.hosts(plan) {
                let other = *met.entry((target.name(), host.clone())).or_insert(&one.path);
                if other != one.path && told.insert((target.name(), other, &one.path)) {
                    lines.push(format!(
                        "note: on {}, tasks of `{}` and `{}` have the same host name, `{host}`, so they may connect to the wrong job: rename a job or its `group`, or do not run both at the same time",
                        target.name(), other.display(), one.path.display()
                    ));
                }
            }
        }
    }
    lines
}

/// Prints the artifacts to standard output. Prints the next steps to standard error, except steps that read an artifact file.
fn print(
    args: &Compile,
    folder: &Path,
    made: &[Made],
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Outcome, Failure> {
    print_artifacts(made, out)?;
    for one in made {
        let written = |word: &Word| {
            let is = |path: &str| one.lowered.artifacts.iter().any(|artifact| artifact.path == path);
            matches!(word, Word::File { path, .. } if is(path)) || matches!(word, Word::Shared { .. })
        };
        let left = one.lowered.steps.iter().filter(|step| !step.argv.iter().any(written));
        next_steps::print(folder, one, left, &[], &args.sets, err)?;
        let submits = |step: &&Step| step.phase == Phase::Submit && step.argv.iter().any(written);
        if let Some(step) = one.lowered.steps.iter().find(submits) {
            let file = step.argv.iter().find_map(|word| match word {
                Word::File { path, .. } => Some(path.clone()),
                Word::Plain(_) | Word::Shared { .. } | Word::Encoded { .. } | Word::Spec => None,
            });
            let file = file.map_or_else(String::new, |file| format!(" `{file}`"));
            writeln!(
                err,
                "To submit the job, run this command without `--stdout`: the submit command reads the file{file}"
            )?;
        }
    }
    Ok(Outcome::Clean)
}

/// Prints one artifact unchanged, or several YAML files as one multi-document stream.
///
/// # Errors
/// Returns an error if there are several artifacts that are not all YAML.
fn print_artifacts(made: &[Made], out: &mut dyn Write) -> Result<(), Failure> {
    let all: Vec<_> = made.iter().flat_map(|one| &one.lowered.artifacts).collect();
    if let [only] = all.as_slice() {
        out.write_all(only.text.as_bytes())?;
        return Ok(());
    }
    if !all.iter().all(|artifact| artifact.path.ends_with(".yaml")) {
        let names: Vec<_> = all.iter().map(|artifact| artifact.path.as_str()).collect();
        return Err(Failure::new(format!(
            "`--stdout` prints one file or several YAML files, not {}: use `--out`",
            names.join(", ")
        )));
    }
    for artifact in all {
        if !artifact.text.starts_with("---") {
            writeln!(out, "---")?;
        }
        out.write_all(artifact.text.as_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::compare::compare;
    use super::*;
    use tfjob_lang::lowered::{Artifact, Phase, Step};

    fn lowered(files: &[(&str, &str)]) -> Lowered {
        let artifact = |(path, text): &(&str, &str)| Artifact {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
            executable: path.ends_with(".sh"),
            documents: Vec::new(),
        };
        let step = Step::new(Phase::Submit, &["submit", "a b"], "sends the job").with([Word::file("a.json")]);
        Lowered { artifacts: files.iter().map(artifact).collect(), steps: vec![step], ..Lowered::default() }
    }

    fn made(lowered: &Lowered) -> [Made<'_>; 1] {
        let (folder, origin) = ("mnist/yarn".to_owned(), "a.tfjob.kdl".to_owned());
        [Made { folder, spec: Path::new("a.tfjob.kdl"), origin, lowered, added: None }]
    }

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn check_reports_missing_outdated_and_obsolete_files() {
        let dir = tempfile::tempdir().unwrap();
        let first = lowered(&[("a.json", "{}\n"), ("b.sh", "exit\n")]);
        let (mut out, mut err) = (Vec::new(), Vec::new());
        assert_eq!(compare(dir.path(), &made(&first), &[], &Scope::Jobs, &mut out).unwrap(), Outcome::Faulty);
        // The two artifacts, and `submit.sh`.
        assert_eq!(text(out).lines().filter(|line| line.starts_with("missing: ")).count(), 3);
        assert_eq!(write::jobs(dir.path(), &made(&first), &[], true, &mut err).unwrap(), Outcome::Clean);
        let told = text(err);
        assert!(
            told.contains("mnist/yarn/b.sh\n")
                && told.contains("Next steps (run in this directory):\n  Submit\n    1. submit 'a b' /")
                && told.contains("/mnist/yarn/a.json  # sends the job\n  Scripts in ")
                && told.ends_with("/mnist/yarn: submit.sh\n"),
            "{told}"
        );

        let mut out = Vec::new();
        assert_eq!(compare(dir.path(), &made(&first), &[], &Scope::Jobs, &mut out).unwrap(), Outcome::Clean);
        assert_eq!(text(out), "");

        let second = lowered(&[("a.json", "{\"a\": 1}\n")]);
        let mut out = Vec::new();
        assert_eq!(
            compare(dir.path(), &made(&second), &[], &Scope::Jobs, &mut out).unwrap(),
            Outcome::Faulty
        );
        let told = text(out);
        assert!(told.contains("outdated: ") && told.contains("-{}\n+{\"a\": 1}\n"), "{told}");
        assert!(told.contains("obsolete: ") && told.contains("mnist/yarn/b.sh"), "{told}");
    }

    #[test]
    fn stdout_prints_one_file_or_a_yaml_stream() {
        let stream = |files: &[(&str, &str)]| {
            let (lowered, mut out) = (lowered(files), Vec::new());
            print_artifacts(&made(&lowered), &mut out).map(|_| text(out))
        };
        assert_eq!(stream(&[("a.json", "{}")]).unwrap(), "{}");
        let both = stream(&[("a.yaml", "a: 1\n"), ("b.yaml", "---\nb: 2\n")]).unwrap();
        assert_eq!(both, "---\na: 1\n---\nb: 2\n");
        assert!(stream(&[("a.json", "{}"), ("b.sh", "exit\n")]).is_err());
    }
}
