//! Conflicts between the specs that the server knows: those that `tfjob check` reports if it checks them together.
use crate::diagnostics::{self, Places};
use crate::host::Run;
use crate::position::Encoding;
use crate::results::{ByFile, Results};
use lsp_types::{Diagnostic, DiagnosticRelatedInformation, Location};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tfjob_driver::conflicts::{self, Conflict, Output};
use tfjob_driver::{Checked, environments};
use tfjob_lang::sources::Format;

/// The job of a spec in one run.
#[derive(Debug, PartialEq)]
pub struct Job {
    run: Run,
    /// `None` if the spec has errors.
    output: Option<Placed>,
}

/// The output of a job, and the place of its name.
#[derive(Debug, PartialEq)]
struct Placed {
    output: Output,
    file: PathBuf,
    location: Location,
    /// Whether the name is in a setting of the project, which belongs to one environment.
    in_setting: bool,
}

/// Returns the jobs of a checked spec, one for each run. `path`: the spec, and the directory that the user opened: messages show the
/// path below it.
pub fn jobs(
    (path, folder): (&Path, Option<&Path>),
    runs: Vec<Run>,
    checked: &[Checked],
    encoding: Encoding,
) -> Vec<Job> {
    let shown = folder.and_then(|folder| path.strip_prefix(folder).ok()).unwrap_or(path).to_string_lossy();
    let own = path.to_string_lossy();
    let placed = |checked: &Checked| {
        let output = Output::of(&own, &shown, checked)?;
        let span = checked.plan.as_ref()?.name.span;
        let sources = &checked.batch.sources;
        let source = sources.find(span)?;
        // The message would show the name.
        if sources.credentials().first_in(source, span).is_some() {
            return None;
        }
        let (file, location) = Places::new(&checked.batch, encoding).of(span)?;
        let in_setting = source.format == Format::Set;
        Some(Placed { output, file: PathBuf::from(file), location, in_setting })
    };
    runs.into_iter().zip(checked).map(|(run, checked)| Job { run, output: placed(checked) }).collect()
}

/// A finding about two jobs with the same name, and the environments that have it.
struct Found<'r> {
    conflict: Conflict,
    first: &'r Placed,
    second: &'r Placed,
    environments: Vec<&'r str>,
}

/// Returns the conflicts among all specs, by the second spec of each. `bases`: files that other specs extend, which are not compiled.
pub fn find(results: &BTreeMap<PathBuf, Results>, bases: &BTreeSet<PathBuf>) -> BTreeMap<PathBuf, ByFile> {
    let mut runs: BTreeMap<&Run, Vec<(&PathBuf, &Placed)>> = BTreeMap::new();
    for (path, results) in results.iter().filter(|(path, _)| !bases.contains(*path)) {
        for job in &results.jobs {
            runs.entry(&job.run).or_default().extend(job.output.as_ref().map(|placed| (path, placed)));
        }
    }
    let mut all: BTreeMap<&PathBuf, Vec<Found<'_>>> = BTreeMap::new();
    for (run, specs) in runs {
        let outputs = specs.iter().enumerate().map(|(number, (_, placed))| (number, &placed.output));
        for conflict in conflicts::find(outputs) {
            let (Some((_, first)), Some((path, second))) =
                (specs.get(conflict.first), specs.get(conflict.second))
            else {
                continue;
            };
            let list = all.entry(path).or_default();
            let is_same = |one: &Found<'_>| {
                one.second.location == second.location && one.conflict.message == conflict.message
            };
            let place = list.iter().position(is_same).unwrap_or(list.len());
            if place == list.len() {
                list.push(Found { conflict, first, second, environments: Vec::new() });
            }
            if let Some(found) = list.get_mut(place) {
                found.environments.extend(run.environment.as_deref());
            }
        }
    }
    let finding = |path: &PathBuf, found: Vec<Found<'_>>| {
        let jobs = results.get(path).map_or(&[][..], |results| results.jobs.as_slice());
        let mut files = ByFile::new();
        for one in found {
            files.entry(one.second.file.clone()).or_default().push(Rc::new(published(one, jobs)));
        }
        files
    };
    all.into_iter().map(|(path, found)| (path.clone(), finding(path, found))).collect()
}

/// Returns a conflict as a finding of LSP. `jobs`: those of the second spec.
fn published(found: Found<'_>, jobs: &[Job]) -> Diagnostic {
    let Found { conflict: Conflict { mut message, mut help, other, .. }, first, second, environments: of } =
        found;
    // The environments in the order of the project file.
    let all = jobs.iter().filter_map(|job| job.run.environment.as_deref());
    let (of, others): (Vec<&str>, Vec<&str>) = all.partition(|name| of.contains(name));
    if !others.is_empty() {
        environments::name(&mut message, Some(&mut help).filter(|_| !second.in_setting), &of, &others);
    }
    let label = other.map(|text| {
        let location = first.location.clone();
        vec![DiagnosticRelatedInformation { location, message: text.to_owned() }]
    });
    diagnostics::of_code(Conflict::CODE, second.location.range, &message, Some(&help), label)
}
