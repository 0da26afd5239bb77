//! `tfjob check`: reports all errors of all specs on standard output, each once.
mod repair;

use crate::analysis::{self, DRIVER, Request, Spec};
use crate::args::Check;
use crate::files::{self, Destination, Found};
use crate::outcome::{Failure, Outcome};
use crate::project::{self, Run};
use crate::render::legible::Legible;
use crate::render::{Format, Report, Unchecked};
use crate::terminal::{TextStyle, plain};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tfjob_driver::bases::Part;
use tfjob_driver::{Batch, TargetSummary};

/// Runs the command.
///
/// # Errors
/// Returns an error if a spec cannot be read, or the report cannot be written. The findings of all other specs are reported.
pub fn run(args: &Check, quiet: bool, out: &mut dyn Write, err: &mut dyn Write) -> Result<Outcome, Failure> {
    let selection = selection(args)?;
    let specs: Vec<Found> = selection.runs.iter().flat_map(|run| run.specs.iter().cloned()).collect();
    let sarif = args.sarif.as_deref().map(|path| destination(path, &specs)).transpose()?;
    let mut all = Results { batches: selection.project.into_iter().collect(), ..Results::default() };
    if args.diff {
        return repair::preview(&selection.runs, out, err);
    }
    for run in &selection.runs {
        if args.fix {
            all.failures.extend(repair::write(&run.specs, &run.request, quiet, err)?);
        }
        all.add(run);
    }
    let Results { batches, lines, notes, unchecked, failures } = all;
    if args.format != Format::Human {
        notes.iter().try_for_each(|line| writeln!(err, "{}", plain(line)))?;
    }
    let legible = Legible::of(&batches);
    let mut report = Report { unchecked, ..Report::new(&legible) };
    if selection.runs.len() > 1 {
        // Each environment may check the same specs, so each file is counted only once.
        report.summary.files = specs.iter().map(|spec| &spec.path).collect::<BTreeSet<_>>().len();
    }
    let denied = args.deny_warnings && report.summary.warnings > 0;
    if quiet && !denied {
        report.keep_errors();
    }
    // If SARIF goes to standard output, the report is not printed there. Two reports in one stream could not be parsed.
    if sarif != Some(Destination::StandardOutput) {
        report.print(args.format, TextStyle::of(&io::stdout()), out)?;
        if args.format == Format::Human {
            let lines = if quiet { &[] } else { lines.as_slice() };
            lines.iter().chain(&notes).try_for_each(|line| writeln!(out, "{}", plain(line)))?;
            if denied && report.summary.errors == 0 {
                writeln!(out, "failed because of warnings: `--deny-warnings` is set")?;
            }
        }
    }
    if let Some(destination) = &sarif {
        let mut bytes = Vec::new();
        report.print(Format::Sarif, TextStyle::PLAIN, &mut bytes)?;
        destination.write(bytes, out, err)?;
    }
    match Failure::all(failures) {
        Some(failure) => {
            out.flush()?;
            Err(failure)
        }
        None => Ok(Outcome::faulty_if(report.summary.errors > 0 || denied)),
    }
}

/// The specs of a command line, and the findings of the project file, if it has one.
struct Selection {
    project: Option<Batch>,
    runs: Vec<Run>,
}

/// Returns the specs of the given paths; without paths, those of the project or of the current directory.
fn selection(args: &Check) -> Result<Selection, Failure> {
    let options = project::Options {
        environments: &args.environments,
        targets: &args.targets,
        sets: &args.sets,
        artifacts: false,
    };
    let file = project::named(&args.paths);
    let named = !args.paths.is_empty() && file.is_none();
    let wanted = !args.environments.is_empty() || !named && args.cluster.is_none() || file.is_some();
    if file.is_some() && args.cluster.is_some() {
        return Err(Failure::new(project::CLUSTER));
    }
    let project = if wanted { project::open(file, &options)? } else { None };
    let Some(mut project) = project else {
        if let Some(name) = args.environments.first() {
            return Err(Failure::new(format!("no project file `tfjob.kdl` has the environment `{name}`")));
        }
        let here = [PathBuf::from(".")];
        let specs = files::find(if named { &args.paths } else { &here })?;
        let request = Request::new(&args.targets, &args.sets, args.cluster.as_deref())?;
        return Ok(Selection { project: None, runs: vec![Run { environment: None, specs, request }] });
    };
    if named {
        let specs = files::find(&args.paths)?;
        project.runs.iter_mut().for_each(|run| run.specs.clone_from(&specs));
    }
    Ok(Selection { project: Some(project.batch), runs: project.runs })
}

/// The results of all environments.
#[derive(Default)]
struct Results {
    batches: Vec<Batch>,
    /// Lines about specs, for people only. Without repetitions.
    lines: Vec<String>,
    /// Lines about what was not checked, for people and machines. Without repetitions.
    notes: Vec<String>,
    unchecked: Vec<Unchecked>,
    failures: Vec<Failure>,
}

impl Results {
    /// Checks the specs of an environment.
    fn add(&mut self, run: &Run) {
        let request = &run.request;
        let (mut checked, parts, failures) = analyzed(&run.specs, request);
        self.failures.extend(failures);
        let summaries = if request.cluster.is_none() { target_summaries(&mut checked) } else { Vec::new() };
        let unchecked = analysis::unchecked(&checked, request);
        let faulty = request
            .faulty_cluster()
            .map(|path| format!("targets not checked: the cluster file `{}` has errors", path.display()));
        for line in unchecked.iter().map(Unchecked::to_string).chain(faulty) {
            push_once(&mut self.notes, line);
        }
        let parts = parts.iter().map(Part::to_string);
        for line in summaries.into_iter().chain(parts).chain(output_conflicts(&checked)) {
            push_once(&mut self.lines, line);
        }
        self.unchecked.extend(unchecked);
        self.batches.extend(request.of_cluster().into_iter().chain(batches(&mut checked)));
    }
}

fn push_once(lines: &mut Vec<String>, line: String) {
    if !lines.contains(&line) {
        lines.push(line);
    }
}

fn analyzed(specs: &[Found], request: &Request) -> (Vec<Spec>, Vec<Part>, Vec<Failure>) {
    let (mut checked, mut failures) = (Vec::new(), Vec::new());
    let (results, parts) = analysis::all(specs, request);
    for result in results {
        match result {
            Ok(one) => checked.push(one),
            Err(failure) => failures.push(failure),
        }
    }
    (checked, parts, failures)
}

fn batches(checked: &mut [Spec]) -> Vec<Batch> {
    checked.iter_mut().map(|one| std::mem::take(&mut one.checked.batch)).collect()
}

/// Returns one line for each pair of specs whose artifacts `compile` would write to the same directory.
fn output_conflicts(checked: &[Spec]) -> Vec<String> {
    let mut met: BTreeMap<String, &Path> = BTreeMap::new();
    let mut lines = Vec::new();
    for one in checked {
        let folders = one.checked.plan.iter().flat_map(|plan| {
            one.checked.compiled.iter().map(|(target, _)| format!("{}/{}", plan.name.value, target.name()))
        });
        for folder in folders {
            let other = *met.entry(folder.clone()).or_insert(&one.path);
            if other != one.path {
                let (a, b) = (other.display(), one.path.display());
                lines.push(format!(
                    "`tfjob compile` would write `{a}` and `{b}` to the same directory `{folder}`: rename one of the jobs"
                ));
            }
        }
    }
    lines
}

/// Returns one line for each spec without a target: the targets that accept the spec. If no target accepts it, adds an error.
fn target_summaries(checked: &mut [Spec]) -> Vec<String> {
    let many = checked.len() > 1;
    let mut lines = Vec::new();
    for one in checked.iter_mut().filter(|one| one.checked.compiled.is_empty()) {
        let Some(plan) = &one.checked.plan else { continue };
        let path = one.path.to_string_lossy();
        let target_summary = TargetSummary::of(&path, plan, DRIVER.registry());
        if let Some(refusal) = target_summary.refusal(plan) {
            one.checked.batch.diagnostics.push(refusal);
            continue;
        }
        let name = if many { format!("{}: ", one.path.display()) } else { String::new() };
        lines.push(format!("{name}{target_summary}"));
    }
    lines
}

/// Returns the destination of the SARIF report.
///
/// # Errors
/// Returns an error if the path is the path of a spec or a cluster file.
fn destination(path: &Path, specs: &[Found]) -> Result<Destination, Failure> {
    let destination = Destination::of(path);
    let Some(file) = destination.file() else { return Ok(destination) };
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let input = specs.iter().any(|spec| files::same_file(file, &spec.path));
    if input || files::is_spec(&name) || files::is_cluster(file) {
        let fact = format!("`--sarif` would overwrite a spec: `{}`", plain(&file.to_string_lossy()));
        return Err(Failure::new(fact));
    }
    Ok(destination)
}
