//! Compares a spec with the submitted job, as the platform reports it.
use super::sides::{self, Side};
use super::{Compared, Comparison};
use crate::args::Diff;
use crate::files;
use crate::outcome::Failure;
use crate::render::legible::masked_message;
use crate::selection;
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use tfjob_driver::difference::{
    JobDifference, LiveDifference, State, TargetDifference, compare_live, document,
};
use tfjob_lang::secrets;
use tfjob_lang::sources::Format;

/// Compares the only job of `side` with the objects of the file.
///
/// # Errors
/// Returns an error if the file cannot be read, if it contains no object of the job, or if the spec has several targets.
pub fn compare<'s>(file: &Path, old: &'s Side, side: &'s Side) -> Result<Comparison<'s>, Failure> {
    let [job] = side.jobs.as_slice() else {
        return Err(Failure::new(
            "`--live` compares one job: name one spec, and with a project file one `--env`",
        ));
    };
    let [(target, lowered)] = job.checked.compiled.as_slice() else {
        return Err(Failure::new("`--live` compares the job of one target: set `--target`"));
    };
    let lowered = lowered.as_ref().expect("a spec without errors has artifacts");
    let reported = read(file)?;
    let LiveDifference { changes, objects, compared, unreported } =
        compare_live(&target.updates(), (&job.name, lowered), &reported)
            .map_err(|why| masked_message(&why))
            .map_err(|why| Failure::new(format!("cannot compare with {}: {why}", name(file))))?;
    // Several other versions are not compared, but they run.
    if compared == 0 && objects.others.is_empty() && objects.deleted.is_empty() {
        let missing = &objects.missing;
        let wanted = if missing.is_empty() { "an object of the job".to_owned() } else { missing.join(", ") };
        return Err(Failure::new(format!(
            "{} does not contain {wanted}: the job is not submitted to {}, or the answer is about another job",
            name(file),
            target.name()
        )));
    }
    let difference = JobDifference {
        fields: Vec::new(),
        targets: vec![TargetDifference { target: *target, state: State::Changed(changes), objects }],
    };
    let is_equal = difference.is_empty();
    let found = Compared::new(Some(job), Some(job), difference);
    let jobs = if is_equal { Vec::new() } else { vec![found] };
    let mut scrubber = super::scrubber(old, side);
    // The credentials of the answer may be other ones than those of the spec.
    let text = serde_json::to_string_pretty(&expanded(reported)).unwrap_or_default();
    secrets::in_output(&text, Some(Format::Json)).into_iter().for_each(|at| scrubber.add(&text[at]));
    Ok(Comparison { old, new: side, jobs, scrubber, unreported })
}

/// Replaces each string that contains a JSON document, such as the job contract, by the document. In a string, the end of a credential may be
/// unknown.
fn expanded(value: Value) -> Value {
    match value {
        Value::String(text) => document(&text).map_or(Value::String(text), expanded),
        Value::Array(items) => items.into_iter().map(expanded).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, expanded(value))).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

/// Returns the spec of the command line as both versions: the old one has only a name.
///
/// # Errors
/// Returns an error if the arguments are invalid, or a file cannot be read.
pub fn sides(args: &Diff, file: &Path, err: &mut dyn Write) -> Result<(Side, Side), Failure> {
    let [spec] = args.versions.as_slice() else {
        return Err(Failure::new("`--live` compares one spec: remove the second version"));
    };
    let shown = if is_input(file) { INPUT.to_owned() } else { file.display().to_string() };
    let mut side = sides::read_spec(args, spec, err)?;
    side.ignores_environments = args.environments.is_empty()
        && args.cluster.is_none()
        && selection::is_in_environment(files::home(spec), spec);
    Ok((Side::named(shown), side))
}

/// How reports name standard input.
const INPUT: &str = "standard input";

fn is_input(file: &Path) -> bool {
    file == Path::new(files::STDIN)
}

/// Returns the name of the file in messages.
fn name(file: &Path) -> String {
    if is_input(file) { INPUT.to_owned() } else { format!("`{}`", file.display()) }
}

fn read(file: &Path) -> Result<Value, Failure> {
    let bytes = files::read_answer(file)?;
    // Windows PowerShell writes UTF-16, and other programs of Windows a byte order mark.
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    let fail = |why: String| Failure::new(format!("{} {why}", name(file)));
    if text.starts_with(&[0xFF, 0xFE]) || text.starts_with(&[0xFE, 0xFF]) {
        return Err(fail("is UTF-16: convert it to UTF-8".to_owned()));
    }
    serde_json::from_slice(text).map_err(|error| fail(not_json(text, &error)))
}

/// Returns why a text is not JSON, and what to do.
fn not_json(text: &[u8], error: &serde_json::Error) -> String {
    let text = String::from_utf8_lossy(&text[..text.len().min(4096)]);
    let is_manifest = |line: &str| ["apiVersion:", "kind:", "items:"].iter().any(|key| line.starts_with(key));
    let first = text.trim_start();
    if first.is_empty() {
        "is empty: the command that should write it reported nothing".to_owned()
    } else if error.to_string().starts_with("recursion limit exceeded") {
        "has more than 127 nested lists and objects".to_owned()
    } else if first.starts_with('<') {
        "is HTML or XML, not JSON: check the URL, and send the header `Accept: application/json`".to_owned()
    } else if text.lines().any(is_manifest) {
        "is YAML, not JSON: write it with `kubectl get --output json`".to_owned()
    } else {
        format!("is not JSON: {error}")
    }
}
