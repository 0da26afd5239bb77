//! `tfjob compile`: writes the artifacts of all specs for all targets, or none.
mod added;
mod next_steps;

use crate::analysis::{self, DRIVER, Request, Spec};
use crate::args::Compile;
use crate::files::{self, Output};
use crate::outcome::{Failure, Outcome};
use crate::render::legible::{Legible, masked, scrubber};
use crate::render::{Format, Report};
use crate::terminal::{TextStyle, difference, plain};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;
use tfjob_driver::{Batch, TargetSummary};
use tfjob_lang::lowered::{Lowered, Phase, Step, Word};
use tfjob_lang::secrets::{Scrubber, scrubber_of};
use tfjob_lang::sources;

/// The artifacts of one spec for one target.
struct Made<'a> {
    /// Output directory, `JOB/TARGET`.
    folder: String,
    spec: &'a Path,
    lowered: &'a Lowered,
    /// Reason why the tasks run under the shim; `None` if they do not.
    added: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the arguments are invalid, or a file cannot be read or written.
pub fn run(args: &Compile, out: &mut dyn Write, err: &mut dyn Write) -> Result<Outcome, Failure> {
    let paths = files::find_jobs(&args.paths)?;
    let request =
        Request { artifacts: true, ..Request::new(&args.targets, &args.sets, args.cluster.as_deref())? };
    let (results, parts) = analysis::all(&paths, &request);
    let mut checked = results.into_iter().collect::<Result<Vec<_>, _>>()?;
    let unchecked = analysis::unchecked(&checked, &request);
    let specs = checked.iter_mut().map(|one| std::mem::take(&mut one.checked.batch));
    let batches: Vec<Batch> = request.of_cluster().into_iter().chain(specs).collect();
    let legible = Legible::of(&batches);
    let report = Report::new(&legible);
    report.print(Format::Human, TextStyle::of(&io::stderr()), err)?;
    if report.summary.errors > 0 {
        unchecked.iter().try_for_each(|one| writeln!(err, "{}", plain(&one.to_string())))?;
        return Ok(Outcome::Faulty);
    }
    if let Some(aimless) = checked.iter().find(|one| one.checked.compiled.is_empty()) {
        return Err(without_target(aimless));
    }
    // The batches of the specs come last, in the order of the specs.
    let of_specs = &batches[batches.len() - checked.len()..];
    let made = made(&checked, of_specs)?;
    for line in parts.iter().map(ToString::to_string).chain(host_conflicts(&checked)) {
        writeln!(err, "{}", plain(&line))?;
    }
    if args.check {
        let scrubbers: Vec<Scrubber> = batches.iter().map(|batch| scrubber(&batch.sources)).collect();
        compare(&args.out, &made, &scrubbers, out)
    } else if args.stdout {
        print_artifacts(&made, out)?;
        // With `--stdout`, no artifact is on disk, so the steps that read an artifact are not printed.
        for one in &made {
            let written = |word: &Word| {
                let is = |path: &str| one.lowered.artifacts.iter().any(|artifact| artifact.path == path);
                matches!(word, Word::File { path, .. } if is(path))
            };
            let left = one.lowered.steps.iter().filter(|step| !step.argv.iter().any(written));
            next_steps::print(&args.out, one, left, &args.sets, err)?;
            let submits = |step: &&Step| step.phase == Phase::Submit && step.argv.iter().any(written);
            if let Some(step) = one.lowered.steps.iter().find(submits) {
                let file = step.argv.iter().find_map(|word| match word {
                    Word::File { path, .. } => Some(path.clone()),
                    _ => None,
                });
                let file = file.map_or_else(String::new, |file| format!(" `{file}`"));
                writeln!(
                    err,
                    "To submit the job, run this command without `--stdout`: the submit command reads the file{file}"
                )?;
            }
        }
        Ok(Outcome::Clean)
    } else {
        write(&args.out, &made, &args.sets, err)
    }
}

fn without_target(spec: &Spec) -> Failure {
    let path = spec.path.to_string_lossy();
    let target_summary = |plan| TargetSummary::of(&path, plan, DRIVER.registry()).to_string();
    let target_summary = spec.checked.plan.as_ref().map(target_summary).unwrap_or_default();
    Failure::new(format!("no target for `{path}`: set `--target`, or add a `target` block; {target_summary}"))
}

fn made<'a>(checked: &'a [Spec], batches: &[Batch]) -> Result<Vec<Made<'a>>, Failure> {
    let mut made: Vec<Made> = Vec::new();
    for (one, batch) in checked.iter().zip(batches) {
        let Some(plan) = &one.checked.plan else { continue };
        for (target, lowered) in &one.checked.compiled {
            let Some(lowered) = lowered else { continue };
            let folder = format!("{}/{}", plan.name.value, target.name());
            if let Some(other) = made.iter().find(|other| other.folder == folder) {
                let (a, b) = (other.spec.display(), one.path.display());
                return Err(Failure::new(format!(
                    "`{a}` and `{b}` would both be written to `{folder}`: rename one of the jobs"
                )));
            }
            let contract = lowered.contract.as_ref();
            let added =
                contract.map(|(it, at)| added::line(target.name(), (it, at), &batch.sources, &one.path));
            made.push(Made { folder, spec: &one.path, lowered, added });
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

impl Made<'_> {
    fn outputs(&self) -> impl Iterator<Item = Output> {
        self.lowered.artifacts.iter().map(|artifact| Output {
            path: format!("{}/{}", self.folder, artifact.path),
            bytes: artifact.text.clone().into_bytes(),
            executable: artifact.executable,
        })
    }
}

fn write(folder: &Path, made: &[Made], sets: &[String], err: &mut dyn Write) -> Result<Outcome, Failure> {
    let outputs: Vec<_> = made.iter().flat_map(Made::outputs).collect();
    files::write_all(folder, &outputs)?;
    for one in made {
        for output in one.outputs() {
            writeln!(err, "wrote {}", plain(&folder.join(&output.path).to_string_lossy()))?;
        }
        for name in obsolete(folder, one)? {
            writeln!(err, "obsolete: {} (no longer part of the job)", folder.join(name).display())?;
        }
        if let Some(added) = &one.added {
            writeln!(err, "{}", plain(added))?;
        }
        next_steps::print(folder, one, one.lowered.steps.iter(), sets, err)?;
    }
    Ok(Outcome::Clean)
}

/// Returns the files in the output directory of a target that are no longer part of the job.
fn obsolete(folder: &Path, made: &Made) -> Result<Vec<String>, Failure> {
    let names = files::list(folder, &made.folder)?;
    let created_by_step = |name: &str| {
        let mut words = made.lowered.steps.iter().flat_map(|step| &step.argv);
        words.any(|word| match word {
            Word::File { path, .. } => contains(path, name),
            Word::Encoded { path } => contains(path, name),
            Word::Plain(_) | Word::Spec => false,
        })
    };
    let known = |name: &String| {
        made.lowered.artifacts.iter().any(|artifact| artifact.path == *name) || created_by_step(name)
    };
    Ok(names.into_iter().filter(|name| !known(name)).map(|name| format!("{}/{name}", made.folder)).collect())
}

/// Returns whether `name` is `path`, or a file below `path`.
fn contains(path: &str, name: &str) -> bool {
    name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
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
        let names: Vec<_> = made.iter().flat_map(Made::outputs).map(|output| output.path).collect();
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

/// Masks credentials in the old and the new text of an artifact: those of the specs, and those found in the two texts.
fn legible(path: &Path, texts: [&[u8]; 2], scrubbers: &[Scrubber]) -> [String; 2] {
    let format = match path.extension().and_then(|ending| ending.to_str()) {
        Some("json") => Some(sources::Format::Json),
        Some("yaml" | "yml") => Some(sources::Format::Yaml),
        Some(_) | None => None,
    };
    let texts = texts.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let own: Vec<Scrubber> = texts.iter().map(|text| scrubber_of(text, format)).collect();
    texts.map(|text| {
        let all = own.iter().chain(scrubbers);
        masked(&all.fold(text, |text, scrubber| scrubber.scrub(&text).into_owned()), format)
    })
}

/// Prints the changes that `write` would make.
fn compare(
    folder: &Path,
    made: &[Made],
    scrubbers: &[Scrubber],
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let mut wrong = false;
    for one in made {
        for output in one.outputs() {
            let path = folder.join(&output.path);
            if files::same(&path, &output) {
                continue;
            }
            wrong = true;
            match files::bytes(&path) {
                None => writeln!(out, "missing: {}", path.display())?,
                Some(old) => {
                    writeln!(out, "outdated: {}", path.display())?;
                    let [old, new] = legible(&path, [&old, &output.bytes], scrubbers);
                    if old == new {
                        writeln!(out, "only credentials differ; they are not shown")?;
                    } else {
                        difference(&old, &new, out)?;
                    }
                }
            }
        }
        for name in obsolete(folder, one)? {
            writeln!(out, "obsolete: {}", folder.join(name).display())?;
            wrong = true;
        }
    }
    Ok(Outcome::faulty_if(wrong))
}

#[cfg(test)]
mod tests {
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
        [Made { folder: "mnist/yarn".to_owned(), spec: Path::new("a.tfjob.kdl"), lowered, added: None }]
    }

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn check_reports_missing_outdated_and_obsolete_files() {
        let dir = tempfile::tempdir().unwrap();
        let first = lowered(&[("a.json", "{}\n"), ("b.sh", "exit\n")]);
        let (mut out, mut err) = (Vec::new(), Vec::new());
        assert_eq!(compare(dir.path(), &made(&first), &[], &mut out).unwrap(), Outcome::Faulty);
        assert_eq!(text(out).lines().filter(|line| line.starts_with("missing: ")).count(), 2);
        assert_eq!(write(dir.path(), &made(&first), &[], &mut err).unwrap(), Outcome::Clean);
        let told = text(err);
        assert!(
            told.contains("mnist/yarn/b.sh\n")
                && told.contains("Next steps (run in this directory):\n  Submit\n    1. submit 'a b' /")
                && told.ends_with("/mnist/yarn/a.json  # sends the job\n"),
            "{told}"
        );

        let mut out = Vec::new();
        assert_eq!(compare(dir.path(), &made(&first), &[], &mut out).unwrap(), Outcome::Clean);
        assert_eq!(text(out), "");

        let second = lowered(&[("a.json", "{\"a\": 1}\n")]);
        let mut out = Vec::new();
        assert_eq!(compare(dir.path(), &made(&second), &[], &mut out).unwrap(), Outcome::Faulty);
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
