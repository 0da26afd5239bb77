//! Variables: who owns which.
use super::Job;
use crate::at::At;
use crate::codes::{OWNED_VARIABLE, REPEATED_VARIABLE};
use crate::diagnostic::Diagnostic;
use tfjob_contract::{Family, owner};

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    for (written, role) in job.roles() {
        let secrets = || written.secret.0.iter().map(|(name, _)| name);
        role.env.iter().map(|(name, _)| name).chain(secrets()).for_each(|name| owned(name, job, out));
        for name in secrets() {
            if let Some((first, _)) = role.env.iter().find(|(env, _)| env.value == name.value) {
                out.push(
                    Diagnostic::new(&REPEATED_VARIABLE, name.span, format!("`{}` is set twice", name.value))
                        .here("as a secret")
                        .label(first.span, "as plain text")
                        .help("remove one of the two"),
                );
            }
        }
    }
}

fn family(job: &Job<'_>) -> Family {
    Family::named(job.plan.framework.name.value.word()).unwrap_or(Family::Custom)
}

/// What sets a variable when the program of a task starts, to a value that the container does not have before. What GPUs a
/// task sees, image and platform set too.
pub(super) fn owner_of(variable: &str, job: &Job<'_>) -> Option<&'static str> {
    let hadoop = job.spec.hadoop.is_some();
    let classes = hadoop && ["CLASSPATH", "LD_LIBRARY_PATH"].contains(&variable);
    let owner = owner(variable, family(job), hadoop).filter(|owner| *owner != "resources gpus");
    owner.or(classes.then_some("hadoop"))
}

fn owned(name: &At<String>, job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let Some(owner) = owner(&name.value, family(job), job.spec.hadoop.is_some()) else { return };
    // What `hadoop` sets is the same for all tasks, and its own words say it.
    let (here, help) = match owner {
        "hadoop" => (
            "its words say where Hadoop, its configuration and Java are",
            "remove it, and write the folder in `hadoop home= java= conf=`",
        ),
        _ => (
            "its value differs from task to task",
            "remove it; `tfjob show --task` prints what each task gets",
        ),
    };
    out.push(
        Diagnostic::new(&OWNED_VARIABLE, name.span, format!("`{}` is set by `{owner}`", name.value))
            .here(here)
            .help(help),
    );
}
