//! The YAML documents of one job, in memory: for `tfjob krm`.
use super::outputs;
use super::{Checked, accepted, check, made};
use crate::analysis::Spec;
use crate::outcome::Failure;
use crate::project::{self, Run};
use crate::render::context::Context;
use crate::render::legible::Legible;
use crate::render::{Finding, Format, Report, short};
use crate::terminal::TextStyle;
use std::io::Write;
use std::path::Path;
use tfjob_driver::{Batch, Target};
use tfjob_lang::diagnostic::Severity;
use tfjob_lang::lowered::Lowered;
use tfjob_lang::sources::Format as SourceFormat;

/// A finding of a report, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// Severity.
    pub severity: Severity,
    /// `file:line:column: severity[code]: message`, without credentials.
    pub line: String,
    /// Name of the file. Empty for a setting.
    pub file: String,
}

/// The documents of a job.
#[derive(Debug, Default)]
pub struct Documents {
    /// All findings except notes.
    pub findings: Vec<Told>,
    /// The documents of the artifacts, and then those that the jobs of a namespace share. `None` if there are errors.
    pub texts: Option<Vec<String>>,
    /// The job. `None` if there are errors.
    pub job: Option<Job>,
}

/// A compiled job.
#[derive(Debug)]
pub struct Job {
    /// Name of the job.
    pub name: String,
    /// Its target.
    pub target: Target,
    /// Its artifacts.
    pub lowered: Lowered,
}

/// File of Kustomize next to the artifacts. It is no object of the job.
const KUSTOMIZATION: &str = "kustomization.yaml";

/// Compiles the specs of an environment, and prints the report to standard error. `directory`: that of the project file. `before`:
/// findings of other files. `shim`: whether to return the objects that contain the shim. `quiet`: whether to print only errors.
///
/// # Errors
/// Returns an error if a file cannot be read, or if the shim is needed and not found.
pub fn of(
    run: &Run,
    (directory, before): (Option<&Path>, Vec<Batch>),
    (shim, quiet): (bool, bool),
    err: &mut dyn Write,
) -> Result<Documents, Failure> {
    let mut checked = [check(run)?];
    let [one] = &mut checked;
    let mut findings: Vec<(Batch, Context)> =
        before.into_iter().map(|batch| (batch, Context::default())).chain(one.cluster.take()).collect();
    let count = findings.len();
    findings.extend(one.specs.iter_mut().map(|spec| run.findings(spec)));
    let (batches, contexts): (Vec<Batch>, Vec<Context>) = findings.into_iter().unzip();
    let legible = Legible::of(&batches).within(&contexts);
    let mut report = Report::new(&legible);
    project::count(&mut report.summary, &contexts);
    let findings = told(&report);
    if quiet {
        report.keep_errors();
    }
    if !accepted(&mut report, &checked, Format::Human, &mut std::io::sink(), err)? {
        return Ok(Documents { findings, texts: None, job: None });
    }
    let texts = texts(&checked, &batches[count..], directory, shim)?;
    let [one] = checked;
    let job = one.specs.into_iter().next().and_then(job);
    Ok(Documents { findings, texts: Some(texts), job })
}

/// Prints the report of findings without a job.
///
/// # Errors
/// Returns an error if standard error cannot be written.
pub fn refused(batches: &[Batch], err: &mut dyn Write) -> Result<Documents, Failure> {
    let legible = Legible::of(batches);
    let mut report = Report::new(&legible);
    // No spec was checked.
    report.summary.files = 0;
    report.print(Format::Human, TextStyle::of(&std::io::stderr()), err)?;
    Ok(Documents { findings: told(&report), texts: None, job: None })
}

fn job(spec: Spec) -> Option<Job> {
    let name = spec.checked.plan?.name.value.to_string();
    let (target, lowered) = spec.checked.compiled.into_iter().next()?;
    Some(Job { name, target, lowered: lowered? })
}

/// Returns all findings except notes.
fn told(report: &Report) -> Vec<Told> {
    let loud = report.findings.iter().filter(|finding| finding.severity() != Severity::Note);
    let told = loud.map(|finding| Told {
        severity: finding.severity(),
        line: short::line(finding).trim_end().to_owned(),
        file: file(finding),
    });
    told.collect()
}

fn file(finding: &Finding) -> String {
    let source = finding.sources.find(finding.diagnostic.span());
    let file = source.filter(|source| source.format != SourceFormat::Set);
    file.map(|source| source.name.clone()).unwrap_or_default()
}

fn texts(
    checked: &[Checked],
    batches: &[Batch],
    directory: Option<&Path>,
    shim: bool,
) -> Result<Vec<String>, Failure> {
    let made = made(checked, batches, directory);
    let artifacts = made.iter().flat_map(|one| &one.lowered.artifacts);
    let mut files: Vec<String> = artifacts.map(|artifact| artifact.text.clone()).collect();
    if shim {
        let shared = outputs::shared(&made)?;
        let objects = shared.into_iter().filter(|file| !file.path.ends_with(KUSTOMIZATION));
        files.extend(objects.map(|file| String::from_utf8_lossy(&file.bytes).into_owned()));
    }
    Ok(files.iter().flat_map(|text| documents(text)).collect())
}

/// Returns the documents of a YAML file.
pub fn documents(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    for line in text.split_inclusive('\n') {
        match all.last_mut() {
            Some(last) if line.trim_end() != "---" => last.push_str(line),
            Some(_) | None => all.push(String::new()),
        }
    }
    all.retain(|document| !document.trim().is_empty());
    all
}

#[cfg(test)]
mod tests {
    use super::documents;

    #[test]
    fn a_file_is_split_at_its_separators_only() {
        let (first, second) = ("# one\na: |\n  ---\n\n", "b: ---\n");
        assert_eq!(documents(&format!("---\n{first}---\n{second}")), [first, second]);
        assert!(documents("---\n").is_empty());
    }
}
