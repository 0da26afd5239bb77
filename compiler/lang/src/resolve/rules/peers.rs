//! Collectives of which one role restarts, and another does not: the loss of a task is the failure of all the others.
use super::{Job, given, path_in};
use crate::codes::PEER_NOT_RESTARTED;
use crate::diagnostic::{Diagnostic, Premise};
use crate::plan::Role;
use crate::resolve::requirements::default_scope;
use crate::sources::Span;
use crate::spec::{self, RestartOn, Scope};

/// The exit code of a Python program that ends with an exception, as every survivor of a collective does
/// (tensorflow#synchronous-training-recovers).
const EXCEPTION: u8 = 1;

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    if default_scope(job.plan) == Scope::Job {
        given(&[Premise::whole(&["job", "framework"])], out, |out| collective(job, out));
    }
}

fn collective(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let members = || job.roles().filter(|(_, role)| role.kind.trains());
    let counts = || members().map(|(_, role)| u64::from(role.count.value));
    if counts().sum::<u64>() <= 1 {
        return;
    }
    let Some((written, role)) = members().find(|(written, _)| restarts(written).is_some_and(with_job)) else {
        return;
    };
    let Some(restart) = restarts(written) else { return };
    // One of them is told: the first that surely ends.
    let before = out.len();
    out.extend(members().filter_map(|(written, other)| {
        let (at, premise) = ends(written, other)?;
        Some(
            alone(role, restart, other, at)
                .given(premise)
                .from_role(role.name.span)
                .from_role(other.name.span),
        )
    }));
    if out.len() == before {
        codes(members().map(|(written, _)| written), out);
    }
}

/// The terms under which the tasks of a role are started again.
fn restarts(written: &spec::Role) -> Option<&spec::Restart> {
    written.restart.as_ref().map(|restart| &restart.value).filter(|r| r.policy.value != RestartOn::Never)
}

/// Whether all tasks are meant to restart with one.
fn with_job(restart: &spec::Restart) -> bool {
    restart.scope.as_ref().is_none_or(|scope| scope.value == Scope::Job)
}

/// Where a role says that its tasks end with their first failure, and what that is concluded from.
fn ends(written: &spec::Role, role: &Role) -> Option<(Span, Premise)> {
    match &written.restart {
        Some(restart) => {
            let policy = &restart.value.policy;
            (policy.value == RestartOn::Never).then_some((policy.span, Premise::Value(policy.span)))
        }
        None => Some((role.name.span, Premise::absent(&path_in(role, &["restart"])))),
    }
}

fn alone(role: &Role, restart: &spec::Restart, other: &Role, at: Span) -> Diagnostic {
    let (name, other) = (&role.name.value, &other.name.value);
    let fact = format!(
        "when a task of `{name}` fails, `{other}` fails too, and is not restarted: the job ends with the first failure"
    );
    let help = format!(
        "write the same `restart` in `role \"{other}\"`, or once in the block of the job; where a target then refuses it for a lost machine, `allow \"restart\" because=\"…\"` accepts that"
    );
    Diagnostic::new(&PEER_NOT_RESTARTED, restart.policy.span, fact)
        .here("of no use alone")
        .label(at, "does not restart")
        .help(help)
}

/// Only some exit codes, without the one that a lost peer leaves.
fn codes<'a>(members: impl Iterator<Item = &'a spec::Role>, out: &mut Vec<Diagnostic>) {
    let short = members
        .filter_map(restarts)
        .filter(|r| with_job(r) && !r.codes.is_empty())
        .find(|r| r.codes.iter().all(|code| code.value.0 != EXCEPTION));
    let Some((terms, at)) = short.and_then(|r| Some((r, r.codes.first()?.span))) else { return };
    let fact = "when a task fails, its peers exit with 1, and that code is not restarted: the job ends with the first failure";
    let found = Diagnostic::new(&PEER_NOT_RESTARTED, at, fact)
        .here("without 1")
        .help("add the code `1`, or remove the codes: all tasks fail together and restart together");
    out.push(terms.codes.iter().fold(found, |found, code| found.from_value(code.span)));
}
