//! Compares a spec with the submitted job, as the platform reports it.
use super::sides::{self, Side};
use super::{Compared, Comparison};
use crate::args::Diff;
use crate::files;
use crate::outcome::Failure;
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use tfjob_driver::difference::{JobDifference, LiveDifference, State, TargetDifference, compare_live};

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
    let LiveDifference { changes, missing, compared } = compare_live(&target.updates(), lowered, &reported);
    let shown = file.display();
    if compared == 0 {
        let wanted = if missing.is_empty() { "an object of the job".to_owned() } else { missing.join(", ") };
        return Err(Failure::new(format!(
            "`{shown}` does not contain {wanted}: the job is not submitted to {}, or the file is about another job",
            target.name()
        )));
    }
    let difference = JobDifference {
        fields: Vec::new(),
        targets: vec![TargetDifference { target: *target, state: State::Changed(changes) }],
    };
    let jobs = if difference.is_empty() && missing.is_empty() {
        Vec::new()
    } else {
        vec![Compared { old: Some(job), new: Some(job), difference, missing }]
    };
    Ok(Comparison { old, new: side, jobs })
}

/// Returns the spec of the command line as both versions: the old one has only a name.
///
/// # Errors
/// Returns an error if the arguments are invalid, or a file cannot be read.
pub fn sides(args: &Diff, file: &Path, err: &mut dyn Write) -> Result<(Side, Side), Failure> {
    let [spec] = args.versions.as_slice() else {
        return Err(Failure::new("`--live` compares one spec: remove the second version"));
    };
    let name = if file == Path::new(files::STDIN) {
        "standard input".to_owned()
    } else {
        file.display().to_string()
    };
    Ok((Side::named(name), sides::one(args, spec, err)?))
}

fn read(file: &Path) -> Result<Value, Failure> {
    let bytes = files::answer(file)?;
    serde_json::from_slice(&bytes)
        .map_err(|error| Failure::new(format!("`{}` is not JSON: {error}", file.display())))
}
