//! `tfjob check`: reports all errors of all specs on standard output, each once.
mod repair;

use crate::analysis::{self, DRIVER, Request, Spec, Unsaved};
use crate::args::Check;
use crate::files::{self, Destination, Found, JobSummary};
use crate::outcome::{Failure, Outcome};
use crate::project::{self, Run};
use crate::render::context::Context;
use crate::render::human;
use crate::render::legible::Legible;
use crate::render::{Format, Report, Unchecked};
use crate::selection::{self, Meaning, Selection, Wanted};
use crate::terminal::{TextStyle, plain};
use std::io::{self, Write};
use std::path::Path;
use tfjob_driver::bases::Part;
use tfjob_driver::files::PROJECT;
use tfjob_driver::{Batch, Target};

/// Runs the command.
///
/// # Errors
/// Returns an error if a spec cannot be read, or the report cannot be written. The findings of all other specs are reported.
pub fn run(args: &Check, quiet: bool, out: &mut dyn Write, err: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut selection = selection(args)?;
    let is_of_project = selection.project.is_some() && !selection.is_named;
    let declared_out = selection.project.as_mut().and_then(|project| project.declared_out.take());
    let specs: Vec<Found> = selection.runs.iter().flat_map(|run| run.specs.iter().cloned()).collect();
    let sarif = args.sarif.as_deref().map(|path| destination(path, &specs)).transpose()?;
    let mut all = Results::default();
    if let Some(project) = selection.project {
        if args.fix {
            repair::report_unfixed_project(&project.batch, err)?;
        }
        all.batches.push((project.batch, Context::default()));
    }
    // After a preview, the checks below use the fixed texts, so the report contains only the remaining findings.
    let would_fix = args.diff && repair::preview(&mut selection.runs, out, err)?;
    for run in &selection.runs {
        if args.fix && !args.diff {
            all.failures.extend(repair::write(&run.specs, &run.request, quiet, err)?);
        }
        all.add(run);
    }
    let refused = declared_out.and_then(|out| project::refused_out(&out, all.targets.iter().copied()));
    // The batch of the project file is the first one.
    all.batches.iter_mut().take(1).for_each(|(batch, _)| batch.diagnostics.extend(refused.clone()));
    let Results { batches, targets: _, lines, notes, unchecked, failures } = all;
    if args.format != Format::Human {
        notes.iter().try_for_each(|line| writeln!(err, "{}", plain(line)))?;
    }
    let (batches, contexts): (Vec<Batch>, Vec<Context>) = batches.into_iter().unzip();
    let legible = Legible::of(&batches).within(&contexts);
    let mut report = Report::new(&legible);
    report.unchecked = unchecked;
    report.incomplete = notes;
    project::count(&mut report.summary, &contexts);
    let denied = args.deny_warnings && report.has_unaccepted_warnings();
    if quiet && !denied {
        report.keep_errors();
    }
    let lines = if quiet { &[] } else { lines.as_slice() };
    // If SARIF goes to standard output, the report is not printed there. Two reports in one stream could not be parsed.
    if args.diff {
        print(&report, args.format, TextStyle::of(&io::stderr()), (lines, denied), err)?;
    } else if sarif != Some(Destination::StandardOutput) {
        print(&report, args.format, TextStyle::of(&io::stdout()), (lines, denied), out)?;
    }
    if let Some(destination) = &sarif {
        write_sarif(&report, destination, out, err)?;
    }
    summarize(&report, args.format, err)?;
    if is_of_project && !quiet {
        print_count(&report, args.format, err)?;
    }
    match Failure::all(failures) {
        Some(failure) => {
            out.flush()?;
            Err(failure)
        }
        None => Ok(Outcome::faulty_if(would_fix || report.summary.errors > 0 || denied)),
    }
}

/// Prints the report. `lines`: lines about specs, only for the human format. `denied`: whether `--deny-warnings` makes a warning an
/// error.
fn print(
    report: &Report,
    format: Format,
    style: TextStyle,
    (lines, denied): (&[String], bool),
    out: &mut dyn Write,
) -> io::Result<()> {
    report.print(format, style, out)?;
    if format == Format::Human {
        lines.iter().try_for_each(|line| writeln!(out, "{}", plain(line)))?;
        if denied && report.summary.errors == 0 {
            writeln!(out, "failed because of warnings: `--deny-warnings` is set")?;
        }
    }
    Ok(())
}

/// Writes the SARIF report.
fn write_sarif(
    report: &Report,
    destination: &Destination,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    report.print(Format::Sarif, TextStyle::PLAIN, &mut bytes)?;
    destination.write(bytes, out, err)
}

/// Prints the number of checked specs of a project, which a short report does not contain.
fn print_count(report: &Report, format: Format, err: &mut dyn Write) -> io::Result<()> {
    if format == Format::Short {
        writeln!(err, "{PROJECT}: {}", human::checked(&report.summary))?;
    }
    Ok(())
}

/// Writes the job summary of GitHub Actions.
///
/// # Errors
/// Returns an error if standard error cannot be written.
pub fn summarize(report: &Report, format: Format, err: &mut dyn Write) -> io::Result<()> {
    if let (Format::Github, Some(file)) = (format, JobSummary::of_environment()) {
        // All findings are in the report, so a summary that cannot be written does not change the exit code.
        let written = report.job_summary(file.room()).map_or(Ok(()), |text| file.append(&text));
        if let Err(failure) = written {
            writeln!(err, "warning: {}; the report has all findings", plain(&failure.to_string()))?;
        }
    }
    Ok(())
}

/// Returns the specs of the given paths; without paths, those of the project or of the current directory.
fn selection(args: &Check) -> Result<Selection, Failure> {
    selection::select(&Wanted {
        directory: Path::new("."),
        paths: &args.paths,
        meaning: Meaning::Specs,
        clusters: true,
        cluster: args.cluster.as_deref(),
        options: project::Options {
            environments: &args.environments,
            targets: &args.targets,
            sets: &args.sets,
            artifacts: false,
            unsaved: Unsaved::default(),
        },
    })
}

/// The results of all environments.
#[derive(Default)]
struct Results {
    batches: Vec<(Batch, Context)>,
    targets: Vec<Target>,
    /// Lines about specs, only for the human format. Without repetitions.
    lines: Vec<String>,
    /// Lines about what was not checked, for all formats. Without repetitions.
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
        for line in summaries.into_iter().chain(parts) {
            push_once(&mut self.lines, line);
        }
        self.unchecked.extend(unchecked);
        self.targets.extend(checked.iter().flat_map(Spec::targets));
        self.batches.extend(run.of_cluster());
        self.batches.extend(checked.iter_mut().map(|one| run.findings(one)));
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

/// Returns one line for each spec without a target: the targets that accept the spec. If no target accepts it, adds an error.
fn target_summaries(checked: &mut [Spec]) -> Vec<String> {
    let many = checked.len() > 1;
    let mut lines = Vec::new();
    for one in checked.iter_mut() {
        let path = one.path.to_string_lossy();
        DRIVER.summarize(&path, &mut one.checked);
        let Some(target_summary) = one.checked.summary.as_ref().filter(|summary| summary.is_accepted())
        else {
            continue;
        };
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
