//! `tfjob compile`: writes the artifacts of all specs for all targets, or none.
mod added;
mod attributes;
mod commands;
mod compare;
pub mod documents;
mod foreign;
mod json;
mod kept;
mod left;
mod next_steps;
mod obsolete;
mod outputs;
mod provenance;
mod reasons;
mod report;
mod scripts;
mod selection;
mod shim;
mod write;

use super::check;
use crate::analysis::{self, DRIVER, Spec};
use crate::args::{Compile, StepFormat};
use crate::outcome::{Failure, Outcome};
use crate::project::{self, Run};
use crate::render::context::Context;
use crate::render::legible::{Legible, scrubber};
use crate::render::{Format, Report, Unchecked};
use crate::terminal::{TextStyle, plain};
use obsolete::Scope;
use reasons::Unused;
pub use scripts::of_spec;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tfjob_driver::bases::Part;
use tfjob_driver::{Batch, TargetSummary};
use tfjob_lang::at::At;
use tfjob_lang::lowered::{Lowered, Phase, Step, Word};
use tfjob_lang::secrets::Scrubber;
use tfjob_lang::spec::values::Text;

/// The artifacts of one spec for one target.
struct Made<'a> {
    /// Output directory: `JOB/TARGET`, or `ENVIRONMENT/JOB/TARGET`.
    folder: String,
    spec: &'a Path,
    /// Name of the spec in the headers of its files.
    origin: String,
    /// Name of the cluster file in the headers of its files.
    cluster: Option<String>,
    lowered: &'a Lowered,
    /// Reason why the tasks run under the shim; `None` if they run without it.
    added: Option<String>,
}

/// The checked specs of one environment.
struct Checked {
    environment: Option<String>,
    specs: Vec<Spec>,
    parts: Vec<Part>,
    unchecked: Vec<Unchecked>,
    cluster: Option<(Batch, Context)>,
    cluster_path: Option<PathBuf>,
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
    let selection = selection::selection(args)?;
    let mut checked = selection.runs.iter().map(check).collect::<Result<Vec<_>, _>>()?;
    // The batches of the specs come last, in the order of the specs.
    let project = selection.project.map(|batch| of_project(batch, selection.declared_out.as_ref(), &checked));
    let first = project.into_iter().chain(checked.iter_mut().filter_map(|one| one.cluster.take()));
    let mut findings: Vec<(Batch, Context)> = first.collect();
    let before = findings.len();
    for (one, run) in checked.iter_mut().zip(&selection.runs) {
        findings.extend(one.specs.iter_mut().map(|spec| run.findings(spec)));
    }
    let (batches, contexts): (Vec<Batch>, Vec<Context>) = findings.into_iter().unzip();
    let legible = Legible::of(&batches).within(&contexts);
    let mut report = Report::new(&legible);
    project::count(&mut report.summary, &contexts);
    // With these options, warnings are omitted: `tfjob check` reports them.
    if quiet || args.check || args.list {
        report.keep_errors();
    }
    if !accepted(&mut report, &checked, args.format, out, err)? {
        return Ok(Outcome::Faulty);
    }
    // From here on, only progress is printed to standard error.
    let progress: &mut dyn Write = if quiet { &mut io::sink() } else { err };
    let specs = || checked.iter().flat_map(|one| &one.specs);
    if let Some(aimless) = specs().find(|one| one.checked.compiled.is_empty()) {
        return Err(without_target(aimless));
    }
    let made = made(&checked, &batches[before..], selection.directory.as_deref());
    let unused = Unused::of(&checked, selection.directory.as_deref());
    let notes = checked
        .iter()
        .flat_map(|one| one.parts.iter().map(ToString::to_string).chain(host_conflicts(&one.specs)));
    for line in notes.collect::<BTreeSet<_>>() {
        writeln!(progress, "{}", plain(&line))?;
    }
    selection::refuse_link_outside(args, selection.directory.as_deref(), &selection.out)?;
    if args.list {
        return list(&selection.out, &made, &selection.scope, out);
    }
    let current = (made.as_slice(), &unused);
    if args.check {
        let scrubbers: Vec<Scrubber> = batches.iter().map(|batch| scrubber(&batch.sources)).collect();
        let human = args.format == Format::Human;
        let changes: &mut dyn Write = if human { out } else { &mut io::sink() };
        let stale = compare::compare(&selection.out, current, &scrubbers, &selection.scope, changes)?;
        return report::print(&stale, args, &selection.scope, &contexts, out, progress);
    }
    if args.stdout {
        return print(args, &selection.out, &made, out, progress);
    }
    let steps = match args.steps {
        StepFormat::Human => true,
        StepFormat::Json => false,
    };
    let outcome = match &selection.scope {
        Scope::Jobs => write::jobs(&selection.out, &made, &args.sets, steps, progress)?,
        scope @ Scope::Project(_) => write::project(&selection.out, current, scope, args.prune, progress)?,
    };
    if !steps {
        json::print(&selection.out, &made, &args.sets, out)?;
    }
    Ok(outcome)
}

/// Returns the findings of the project file, with an error if a target cannot submit jobs from `out`, the output directory of the
/// file.
fn of_project(mut batch: Batch, out: Option<&At<Text>>, checked: &[Checked]) -> (Batch, Context) {
    let targets = checked.iter().flat_map(|one| one.specs.iter().flat_map(Spec::targets));
    batch.diagnostics.extend(out.and_then(|out| project::refused_out(out, targets)));
    (batch, Context::default())
}

/// Returns the output directory of a job for a target, relative to the output directory of the command (`--out`).
fn folder(environment: Option<&str>, job: &str, target: &str) -> String {
    let above = environment.map(|name| format!("{name}/")).unwrap_or_default();
    format!("{above}{job}/{target}")
}

/// Prints the findings, and returns whether the specs have no errors. The human format goes to standard error. Another format goes
/// to standard output, and only if there are errors: otherwise, `report::print` prints its report there.
fn accepted(
    report: &mut Report,
    checked: &[Checked],
    format: Format,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<bool> {
    let faulty = report.summary.errors > 0;
    if faulty {
        report.unchecked = checked.iter().flat_map(|one| one.unchecked.iter().cloned()).collect();
        let unchecked: BTreeSet<String> = report.unchecked.iter().map(ToString::to_string).collect();
        report.incomplete.extend(unchecked);
    }
    if format == Format::Human {
        report.print(format, TextStyle::of(&io::stderr()), err)?;
    } else if faulty {
        report.print(format, TextStyle::PLAIN, out)?;
        check::summarize(report, format, err)?;
    }
    Ok(!faulty)
}

/// Prints the paths of the output files.
fn list(folder: &Path, made: &[Made], scope: &Scope, out: &mut dyn Write) -> Result<Outcome, Failure> {
    for output in outputs::of(folder, made, scope)? {
        writeln!(out, "{}", folder.join(&output.path).display())?;
    }
    Ok(Outcome::Clean)
}

fn check(run: &Run) -> Result<Checked, Failure> {
    let (results, parts) = analysis::all(&run.specs, &run.request);
    let specs = results.into_iter().collect::<Result<Vec<_>, _>>()?;
    let unchecked = analysis::unchecked(&specs, &run.request);
    let cluster = run.of_cluster();
    let cluster_path = run.request.cluster_path().map(Path::to_path_buf);
    Ok(Checked { environment: run.environment.clone(), specs, parts, unchecked, cluster, cluster_path })
}

fn without_target(spec: &Spec) -> Failure {
    let path = spec.path.to_string_lossy();
    let target_summary = |plan| TargetSummary::of(&path, plan, DRIVER.registry()).to_string();
    let target_summary = spec.checked.plan.as_ref().map(target_summary).unwrap_or_default();
    Failure::new(format!("no target for `{path}`: set `--target`, or add a `target` block; {target_summary}"))
}

/// Returns the artifacts of all specs. `batches`: one for each spec, in the order of the specs. `project`: the directory of the
/// project file.
fn made<'a>(checked: &'a [Checked], batches: &[Batch], project: Option<&Path>) -> Vec<Made<'a>> {
    let mut made: Vec<Made> = Vec::new();
    let specs = checked.iter().flat_map(|run| run.specs.iter().map(move |one| (run, one)));
    for ((run, one), batch) in specs.zip(batches) {
        let Some(plan) = &one.checked.plan else { continue };
        for (target, lowered) in &one.checked.compiled {
            let Some(lowered) = lowered else { continue };
            let folder = folder(run.environment.as_deref(), &plan.name.value, target.name());
            let contract = lowered.contract.as_ref();
            let added =
                contract.map(|(it, at)| added::line(target.name(), (it, at), &batch.sources, &one.path));
            let origin = outputs::origin(project, &one.path);
            let cluster = run.cluster_path.as_deref().map(|path| outputs::origin(project, path));
            made.push(Made { folder, spec: &one.path, origin, cluster, lowered, added });
        }
    }
    made
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
    use super::compare::{self, compare};
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
        [Made { folder, spec: Path::new("a.tfjob.kdl"), origin, cluster: None, lowered, added: None }]
    }

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn check_reports_missing_outdated_and_obsolete_files() {
        let dir = tempfile::tempdir().unwrap();
        let first = lowered(&[("a.json", "{}\n"), ("b.sh", "exit\n")]);
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let stale = |made: &[Made], out: &mut Vec<u8>| {
            let stale = compare(dir.path(), (made, &Unused::of(&[], None)), &[], &Scope::Jobs, out).unwrap();
            stale
                .iter()
                .map(compare::Stale::batch)
                .map(|one| one.diagnostics[0].message.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(stale(&made(&first), &mut out), ["the output file is missing"; 3]);
        // The two artifacts, and `submit.sh`.
        assert_eq!(text(out).lines().filter(|line| line.starts_with("missing: ")).count(), 3);
        assert_eq!(write::jobs(dir.path(), &made(&first), &[], true, &mut err).unwrap(), Outcome::Clean);
        let told = text(err);
        assert!(
            told.contains("mnist/yarn/b.sh\n")
                && told.contains("/mnist/yarn, which run from any directory: submit.sh\nNext steps (run in this directory):\n")
                && told.contains("\n  Submit\n    1. submit 'a b' /")
                && told.ends_with("/mnist/yarn/a.json  # sends the job\n"),
            "{told}"
        );

        let mut out = Vec::new();
        assert_eq!(stale(&made(&first), &mut out), [""; 0]);
        assert_eq!(text(out), "");
        let mut err = Vec::new();
        assert_eq!(write::jobs(dir.path(), &made(&first), &[], false, &mut err).unwrap(), Outcome::Clean);
        assert_eq!(text(err), "3 files up to date\n");

        let second = lowered(&[("a.json", "{\"a\": 1}\n")]);
        let mut out = Vec::new();
        let differs = "the output file differs from the output of the spec";
        assert_eq!(stale(&made(&second), &mut out), [differs, "the output file is no longer generated"]);
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
