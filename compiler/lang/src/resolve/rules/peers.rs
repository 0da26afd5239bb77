//! Reports roles that do not restart together in collective training. If one task fails, all its peers fail too.
use super::{Job, path_in, with_premises};
use crate::codes::PEER_NOT_RESTARTED;
use crate::diagnostic::{Diagnostic, Premise};
use crate::plan::Role;
use crate::resolve::requirements::default_scope;
use crate::sources::Span;
use crate::spec::{self, RestartOn, Scope};

/// The exit code of a Python program after an uncaught exception. Every peer of a failed task exits with this code
/// (`docs/evidence`, tensorflow#synchronous-training-recovers).
const EXCEPTION: u8 = 1;

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    if default_scope(job.plan) == Scope::Job {
        with_premises(&[Premise::whole(&["job", "framework"])], out, |out| collective(job, out));
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
    // Reports each role that does not restart, although its peers do.
    let before = out.len();
    out.extend(members().filter_map(|(written, other)| {
        let (at, premise) = not_restarted(written, other)?;
        Some(
            report(role, restart, other, at)
                .given(premise)
                .from_role(role.name.span)
                .from_role(other.name.span),
        )
    }));
    if out.len() == before {
        codes(members().map(|(written, _)| written), out);
    }
}

/// Returns the `restart` of a role, unless it is `never`.
fn restarts(written: &spec::Role) -> Option<&spec::Restart> {
    written.restart.as_ref().map(|restart| &restart.value).filter(|r| r.policy.value != RestartOn::Never)
}

/// Returns whether the failure of one task restarts all tasks.
fn with_job(restart: &spec::Restart) -> bool {
    restart.scope.as_ref().is_none_or(|scope| scope.value == Scope::Job)
}

/// Returns a span and a premise for the error, if the tasks of a role do not restart.
fn not_restarted(written: &spec::Role, role: &Role) -> Option<(Span, Premise)> {
    match &written.restart {
        Some(restart) => {
            let policy = &restart.value.policy;
            (policy.value == RestartOn::Never).then_some((policy.span, Premise::Value(policy.span)))
        }
        None => Some((role.name.span, Premise::absent(&path_in(role, &["restart"])))),
    }
}

fn report(role: &Role, restart: &spec::Restart, other: &Role, at: Span) -> Diagnostic {
    let (name, other) = (&role.name.value, &other.name.value);
    let fact = format!(
        "if a `{name}` task fails, `{other}` fails too but is not restarted, so the job ends at the first failure"
    );
    let help = format!(
        "write the same `restart` in `role \"{other}\"`, or write it only once, in the job; if a target does not \
         support `restart` there, accept that with `allow \"restart\" because=\"…\"`"
    );
    Diagnostic::new(&PEER_NOT_RESTARTED, restart.policy.span, fact)
        .here("not set for all peers")
        .label(at, "not restarted")
        .help(help)
}

/// Reports `codes` that lack the exit code with which the peers of a failed task exit.
fn codes<'a>(members: impl Iterator<Item = &'a spec::Role>, out: &mut Vec<Diagnostic>) {
    let incomplete = members
        .filter_map(restarts)
        .filter(|r| with_job(r) && !r.codes.is_empty())
        .find(|r| r.codes.iter().all(|code| code.value.0 != EXCEPTION));
    let Some((restart, at)) = incomplete.and_then(|r| Some((r, r.codes.first()?.span))) else { return };
    let fact = "if a task fails, its peers exit with code 1, which is not in `codes`, so the job ends at the first failure";
    let found = Diagnostic::new(&PEER_NOT_RESTARTED, at, fact)
        .here("does not include 1")
        .help("add `1` to `codes`, or remove `codes`");
    out.push(restart.codes.iter().fold(found, |found, code| found.from_value(code.span)));
}
