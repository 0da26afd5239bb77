//! Variables: who owns which.
use super::Job;
use crate::at::At;
use crate::codes::{DUPLICATE_VARIABLE, RESERVED_VARIABLE};
use crate::diagnostic::{Diagnostic, nearest};
use crate::plan::Role;
use crate::resolve::variables::{Names, generated_by};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use tfjob_contract::owner;

/// What every variable of a reference begins with.
pub(super) const OURS: &str = "TFJOB_";

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    for (written, role) in job.roles() {
        let secrets = || written.secret.0.iter().map(|(name, _)| name);
        role.env.iter().map(|(name, _)| name).chain(secrets()).for_each(|name| owned(name, job, out));
        for name in secrets() {
            if let Some((first, _)) = role.env.iter().find(|(env, _)| env.value == name.value) {
                out.push(
                    Diagnostic::new(&DUPLICATE_VARIABLE, name.span, format!("`{}` is set twice", name.value))
                        .here("as a secret")
                        .label(first.span, "as plain text")
                        .help("remove one of the two"),
                );
            }
        }
    }
}

/// What sets a variable when the program of a task starts, to a value that the container does not have before.
pub(super) fn owner_of(variable: &str, job: &Job<'_>) -> Option<&'static str> {
    generated_by(variable, job.plan.framework.name.value, job.spec.hadoop.is_some())
}

/// The variables of ours in a role, with the references that have the same values.
pub(super) struct Ours<'a> {
    pub job: &'a Job<'a>,
    pub role: &'a Role,
    all: OnceCell<BTreeMap<String, String>>,
}

impl<'a> Ours<'a> {
    pub fn of(job: &'a Job<'a>, role: &'a Role) -> Self {
        Self { job, role, all: OnceCell::new() }
    }

    /// The reference of a variable, with its braces.
    pub fn reference(&self, variable: &str) -> Option<String> {
        let reference = variable.starts_with(OURS).then(|| self.all().get(variable)).flatten()?;
        Some(format!("{{{reference}}}"))
    }

    /// The reference of the variable that is nearest to a misspelt one.
    pub fn nearest(&self, variable: &str) -> Option<String> {
        let near = nearest(variable, self.all().keys().map(String::as_str))?;
        self.reference(near)
    }

    fn all(&self) -> &BTreeMap<String, String> {
        self.all.get_or_init(|| Names::of(self.job.spec, self.job.plan, self.role).variables())
    }
}

fn owned(name: &At<String>, job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let Some(owner) = owner(&name.value, job.plan.framework.name.value, job.spec.hadoop.is_some()) else {
        return;
    };
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
        Diagnostic::new(&RESERVED_VARIABLE, name.span, format!("`{}` is set by `{owner}`", name.value))
            .here(here)
            .help(help),
    );
}
