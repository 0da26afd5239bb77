//! `tfjob compile`: the artefacts of every spec for every target, all of them or none.
use crate::analysis::{self, DRIVER, Request, Spec};
use crate::args::Compile;
use crate::files::{self, Output, SHIM, Shim};
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
use tfjob_targets::shell;

/// What one spec became for one target.
struct Made<'a> {
    /// `JOB/TARGET`.
    folder: String,
    spec: &'a Path,
    lowered: &'a Lowered,
}

/// Runs the command.
///
/// # Errors
/// For wrong use, and where the disk says no.
pub fn run(args: &Compile, out: &mut dyn Write, err: &mut dyn Write) -> Result<Outcome, Failure> {
    let paths = files::find_jobs(&args.paths)?;
    let request =
        Request { artefacts: true, ..Request::new(&args.targets, &args.sets, args.cluster.as_deref())? };
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
    let made = made(&checked)?;
    for line in parts.iter().map(ToString::to_string).chain(one_host(&checked)) {
        writeln!(err, "{}", plain(&line))?;
    }
    if args.check {
        let scrubbers: Vec<Scrubber> = batches.iter().map(|batch| scrubber(&batch.sources)).collect();
        compare(&args.out, &made, &scrubbers, out)
    } else if args.stdout {
        pipe(&made, out)?;
        // Whoever pipes the text must still do what comes before it; the file itself is not there.
        for one in &made {
            let written = |word: &Word| {
                let is = |path: &str| one.lowered.artefacts.iter().any(|artefact| artefact.path == path);
                matches!(word, Word::File { path, .. } if is(path))
            };
            let left = one.lowered.steps.iter().filter(|step| !step.argv.iter().any(written));
            steps(&args.out, one, left, err)?;
        }
        Ok(Outcome::Clean)
    } else {
        write(&args.out, &made, err)
    }
}

fn without_target(spec: &Spec) -> Failure {
    let path = spec.path.to_string_lossy();
    let target_summary = |plan| TargetSummary::of(&path, plan, DRIVER.registry()).to_string();
    let target_summary = spec.checked.plan.as_ref().map(target_summary).unwrap_or_default();
    Failure::new(format!("`{path}` names no target, nor does `--target`; {target_summary}"))
}

fn made(checked: &[Spec]) -> Result<Vec<Made<'_>>, Failure> {
    let mut made: Vec<Made> = Vec::new();
    for one in checked {
        let Some(plan) = &one.checked.plan else { continue };
        for (target, lowered) in &one.checked.compiled {
            let Some(lowered) = lowered else { continue };
            let folder = format!("{}/{}", plan.name.value, target.name());
            if let Some(other) = made.iter().find(|other| other.folder == folder) {
                let (a, b) = (other.spec.display(), one.path.display());
                return Err(Failure::new(format!("`{a}` and `{b}` would both be written to `{folder}`")));
            }
            made.push(Made { folder, spec: &one.path, lowered });
        }
    }
    Ok(made)
}

/// A line for each two jobs of one target with tasks of the same host name: peers of one would find tasks of the other.
fn one_host(checked: &[Spec]) -> Vec<String> {
    let mut met: BTreeMap<(&str, String), &Path> = BTreeMap::new();
    let (mut lines, mut told) = (Vec::new(), BTreeSet::new());
    for one in checked {
        let Some(plan) = &one.checked.plan else { continue };
        for (target, _) in &one.checked.compiled {
            for host in target.hosts(plan) {
                let other = *met.entry((target.name(), host.clone())).or_insert(&one.path);
                if other != one.path && told.insert((target.name(), other, &one.path)) {
                    lines.push(format!(
                        "note: on {}, tasks of `{}` and `{}` have the same host name, `{host}`: rename a job or its `group`, or never run both at the same time",
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
        self.lowered.artefacts.iter().map(|artefact| Output {
            path: format!("{}/{}", self.folder, artefact.path),
            bytes: artefact.text.clone().into_bytes(),
            executable: artefact.executable,
        })
    }
}

fn write(folder: &Path, made: &[Made], err: &mut dyn Write) -> Result<Outcome, Failure> {
    let outputs: Vec<_> = made.iter().flat_map(Made::outputs).collect();
    files::write_all(folder, &outputs)?;
    for one in made {
        for output in one.outputs() {
            writeln!(err, "wrote {}", plain(&folder.join(&output.path).to_string_lossy()))?;
        }
        for name in left_over(folder, one)? {
            writeln!(err, "left over: {} is no part of the job", folder.join(name).display())?;
        }
        steps(folder, one, one.lowered.steps.iter(), err)?;
    }
    Ok(Outcome::Clean)
}

/// What is left to a person or a pipeline: all of it in one folder, where the spec lies.
fn steps<'a>(
    folder: &Path,
    made: &Made,
    steps: impl Iterator<Item = &'a Step> + Clone,
    err: &mut dyn Write,
) -> io::Result<()> {
    let home = files::home(made.spec);
    let way = files::way(home, &folder.join(&made.folder));
    if steps.clone().next().is_some() {
        let place = if home == Path::new(".") { "this folder".into() } else { home.to_string_lossy() };
        writeln!(err, "next, in {}:", plain(&place))?;
    }
    if steps.clone().any(reads_shim) {
        bring_shim(home, err)?;
    }
    let spec = made.spec.file_name().unwrap_or_default().to_string_lossy();
    for step in steps {
        let when = match step.phase {
            Phase::Before => "first",
            Phase::Submit => "then",
            Phase::After => "at the end",
        };
        let words = step.words(&way.to_string_lossy(), &spec);
        let line = shell::join(words.iter().map(String::as_str));
        writeln!(err, "  {when}: {}  # {}", plain(&line), step.why)?;
    }
    Ok(())
}

/// Whether a step reads the shim from the spec's folder: a word that is its name, or a flag's value that is.
fn reads_shim(step: &Step) -> bool {
    let own = |word: &str| word == SHIM || word.starts_with("--") && word.ends_with(&format!("={SHIM}"));
    step.argv.iter().any(|word| matches!(word, Word::Plain(word) if own(word)))
}

/// Says how the shim comes into the spec's folder, where it is not there yet.
fn bring_shim(home: &Path, err: &mut dyn Write) -> io::Result<()> {
    match files::shim(home) {
        Shim::Here => Ok(()),
        Shim::At(path) => {
            let line = shell::join(["cp", &path.to_string_lossy(), SHIM]);
            writeln!(err, "  first: {}  # brings the shim, which the next steps read here", plain(&line))
        }
        Shim::Nowhere => writeln!(
            err,
            "  first: test -f {SHIM}  # it is not here yet: it comes with a release of tfjob, or from its sources by \
             `cargo build --profile shim -p {SHIM} --target x86_64-unknown-linux-musl`"
        ),
    }
}

/// Files of a target's folder that the job does not have any more.
fn left_over(folder: &Path, made: &Made) -> Result<Vec<String>, Failure> {
    let names = files::list(folder, &made.folder)?;
    let brought = |name: &str| {
        let mut words = made.lowered.steps.iter().flat_map(|step| &step.argv);
        words.any(|word| match word {
            Word::File { path, .. } => holds(path, name),
            Word::Encoded { path } => holds(path, name),
            Word::Plain(_) | Word::Spec => false,
        })
    };
    let known =
        |name: &String| made.lowered.artefacts.iter().any(|artefact| artefact.path == *name) || brought(name);
    Ok(names.into_iter().filter(|name| !known(name)).map(|name| format!("{}/{name}", made.folder)).collect())
}

/// Whether a file is the one that a step makes, or lies in the directory that it makes.
fn holds(path: &str, name: &str) -> bool {
    name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// One artefact goes out as it is, several documents of YAML as one stream; anything else has no common text.
fn pipe(made: &[Made], out: &mut dyn Write) -> Result<(), Failure> {
    let all: Vec<_> = made.iter().flat_map(|one| &one.lowered.artefacts).collect();
    if let [only] = all.as_slice() {
        out.write_all(only.text.as_bytes())?;
        return Ok(());
    }
    if !all.iter().all(|artefact| artefact.path.ends_with(".yaml")) {
        let names: Vec<_> = made.iter().flat_map(Made::outputs).map(|output| output.path).collect();
        return Err(Failure::new(format!(
            "`--stdout` takes one file or YAML alone, not {}",
            names.join(", ")
        )));
    }
    for artefact in all {
        if !artefact.text.starts_with("---") {
            writeln!(out, "---")?;
        }
        out.write_all(artefact.text.as_bytes())?;
    }
    Ok(())
}

/// Both texts of an artefact without their credentials: those of the specs, and those that an earlier spec had.
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

/// Shows what writing would change; nothing is written.
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
                    writeln!(out, "stale: {}", path.display())?;
                    let [old, new] = legible(&path, [&old, &output.bytes], scrubbers);
                    if old == new {
                        writeln!(out, "only credentials differ")?;
                    } else {
                        difference(&old, &new, out)?;
                    }
                }
            }
        }
        for name in left_over(folder, one)? {
            writeln!(out, "left over: {}", folder.join(name).display())?;
            wrong = true;
        }
    }
    Ok(Outcome::faulty_if(wrong))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tfjob_lang::lowered::{Artefact, Step};

    fn lowered(files: &[(&str, &str)]) -> Lowered {
        let artefact = |(path, text): &(&str, &str)| Artefact {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
            executable: path.ends_with(".sh"),
            documents: Vec::new(),
        };
        let step = Step::new(Phase::Submit, &["submit", "a b"], "sends the job").with([Word::file("a.json")]);
        Lowered { artefacts: files.iter().map(artefact).collect(), steps: vec![step], ..Lowered::default() }
    }

    fn made(lowered: &Lowered) -> [Made<'_>; 1] {
        [Made { folder: "mnist/yarn".to_owned(), spec: Path::new("a.tfjob.kdl"), lowered }]
    }

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn what_was_written_is_up_to_date_until_the_spec_or_the_folder_changes() {
        let dir = tempfile::tempdir().unwrap();
        let first = lowered(&[("a.json", "{}\n"), ("b.sh", "exit\n")]);
        let (mut out, mut err) = (Vec::new(), Vec::new());
        assert_eq!(compare(dir.path(), &made(&first), &[], &mut out).unwrap(), Outcome::Faulty);
        assert_eq!(text(out).lines().filter(|line| line.starts_with("missing: ")).count(), 2);
        assert_eq!(write(dir.path(), &made(&first), &mut err).unwrap(), Outcome::Clean);
        let told = text(err);
        assert!(
            told.contains("mnist/yarn/b.sh\n")
                && told.contains("next, in this folder:\n  then: submit 'a b' /")
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
        assert!(told.contains("stale: ") && told.contains("-{}\n+{\"a\": 1}\n"), "{told}");
        assert!(told.contains("left over: ") && told.contains("mnist/yarn/b.sh"), "{told}");
    }

    #[test]
    fn one_file_goes_out_as_it_is_and_yaml_as_one_stream() {
        let stream = |files: &[(&str, &str)]| {
            let (lowered, mut out) = (lowered(files), Vec::new());
            pipe(&made(&lowered), &mut out).map(|_| text(out))
        };
        assert_eq!(stream(&[("a.json", "{}")]).unwrap(), "{}");
        let both = stream(&[("a.yaml", "a: 1\n"), ("b.yaml", "---\nb: 2\n")]).unwrap();
        assert_eq!(both, "---\na: 1\n---\nb: 2\n");
        assert!(stream(&[("a.json", "{}"), ("b.sh", "exit\n")]).is_err());
    }
}
