//! Rules about TensorBoard: its image, and the secrets that it gets.
use super::{Job, path_in, repeated};
use crate::at::At;
use crate::codes::UNKNOWN_SECRET;
use crate::diagnostic::{Diagnostic, Fix, nearest, only_near};
use crate::spec::values::EnvName;
use crate::unpinned::unpinned;
use std::collections::BTreeSet;

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let Some(board) = &job.spec.tensorboard else { return };
    out.extend(board.value.image.as_ref().and_then(unpinned));
    let declared: BTreeSet<&str> =
        job.roles().flat_map(|(role, _)| &role.secret.0).map(|(name, _)| name.value.as_str()).collect();
    let unknown = board.value.secrets.iter().filter(|name| !declared.contains(name.value.as_str()));
    out.extend(unknown.map(|name| unknown_secret(job, name, &declared)));
    repeated(&board.value.secrets, "secrets", |name| format!("secret `{name}`"), out);
}

/// Reports a secret that no role has.
fn unknown_secret(job: &Job<'_>, name: &At<EnvName>, declared: &BTreeSet<&str>) -> Diagnostic {
    let known = || declared.iter().copied();
    let found =
        Diagnostic::new(&UNKNOWN_SECRET, name.span, format!("this job has no secret `{}`", name.value))
            .here("not declared");
    let found = match nearest(&name.value, known()) {
        Some(near) => found
            .help(format!("did you mean `{near}`?"))
            .fix(Fix::replace(name.span, format!("\"{near}\"")).if_sure(only_near(&name.value, known()))),
        None => found.help(format!("add `secret \"{}\" from=\"…\" key=\"…\"` to the job", name.value)),
    };
    let roles = job.plan.roles.iter();
    roles.fold(found, |found, role| found.from_absent(&path_in(role, &["secret", &name.value])))
}
