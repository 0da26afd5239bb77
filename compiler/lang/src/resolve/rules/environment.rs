//! Reports environment variables that the job must not set, or that it sets twice.
use super::Job;
use crate::at::At;
use crate::codes::{DUPLICATE_VARIABLE, RESERVED_VARIABLE};
use crate::diagnostic::{Diagnostic, nearest};
use crate::plan::Role;
use crate::resolve::variables::{Names, generated_by};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use tfjob_contract::owner;

/// Prefix of the environment variables that contain the values of references.
pub(super) const PREFIX: &str = "TFJOB_";

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    for (written, role) in job.roles() {
        let secrets = || written.secret.0.iter().map(|(name, _)| name);
        role.env.iter().map(|(name, _)| name).chain(secrets()).for_each(|name| reserved(name, job, out));
        for name in secrets() {
            if let Some((first, _)) = role.env.iter().find(|(env, _)| env.value == name.value) {
                out.push(
                    Diagnostic::new(
                        &DUPLICATE_VARIABLE,
                        name.span,
                        format!(
                            "`{}` is set in `env` and by a secret, so one of the two values would be lost",
                            name.value
                        ),
                    )
                    .here("set by this secret")
                    .label(first.span, "set in `env`")
                    .help("remove one of them"),
                );
            }
        }
    }
}

/// Returns the field that generates this environment variable at program start. References are expanded earlier, so `{env.NAME}`
/// cannot read the value.
pub(super) fn generator(variable: &str, job: &Job<'_>) -> Option<&'static str> {
    generated_by(variable, job.plan.framework.name.value, job.spec.hadoop.is_some())
}

/// The environment variables that contain the values of references in a role, and the reference for each.
pub(super) struct ReferenceVariables<'a> {
    pub job: &'a Job<'a>,
    pub role: &'a Role,
    all: OnceCell<BTreeMap<String, String>>,
}

impl<'a> ReferenceVariables<'a> {
    pub fn new(job: &'a Job<'a>, role: &'a Role) -> Self {
        Self { job, role, all: OnceCell::new() }
    }

    /// Returns the reference, with its braces, that has the same value as an environment variable.
    pub fn reference(&self, variable: &str) -> Option<String> {
        let reference = variable.starts_with(PREFIX).then(|| self.all().get(variable)).flatten()?;
        Some(format!("{{{reference}}}"))
    }

    /// Returns the reference for the environment variable that a misspelled name most likely means.
    pub fn nearest(&self, variable: &str) -> Option<String> {
        let near = nearest(variable, self.all().keys().map(String::as_str))?;
        self.reference(near)
    }

    fn all(&self) -> &BTreeMap<String, String> {
        self.all.get_or_init(|| Names::new(self.job.spec, self.job.plan, self.role).variables())
    }
}

/// Reports an environment variable that the job must not set.
fn reserved(name: &At<String>, job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let Some(owner) = owner(&name.value, job.plan.framework.name.value, job.spec.hadoop.is_some()) else {
        return;
    };
    let show = "remove it; to see the value that a task gets, run `tfjob show FILE --task ROLE:INDEX`";
    // `hadoop` sets the same environment variables to the same values in all tasks, so the help does not refer to a single task.
    let (how, help) = match owner {
        "hadoop" => (
            "set from",
            "remove it, and set the directory in `hadoop home=\"/opt/hadoop\" java=\"/opt/java\" conf=\"/etc/hadoop\"`",
        ),
        "resources gpus" => ("set by", show),
        _ => ("generated for each task from", show),
    };
    let fact = format!("`{}` is {how} `{owner}`; it cannot be set here", name.value);
    out.push(Diagnostic::new(&RESERVED_VARIABLE, name.span, fact).here("reserved").help(help));
}
