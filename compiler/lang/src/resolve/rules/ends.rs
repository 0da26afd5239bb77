//! Ends that never come, and terms of an end that can never be used.
use super::unused::Uses;
use super::{Job, path_in};
use crate::codes::{LONG_RUNNING_ROLE, UNUSED_SETTING, UNWATCHED_PROGRESS, WAITS_FOREVER};
use crate::diagnostic::{Diagnostic, Fix, Premise};
use crate::plan::{Role, RoleKind};
use crate::sources::Span;
use crate::spec::values::{Class, Uri};
use crate::spec::{self, FrameworkName, Kept, Restart, RestartOn, Success, When};

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    success(job, out);
    awaited(job, out);
    kept(job, out);
    late(job, out);
    for (written, role) in job.roles() {
        let Some(restart) = &written.restart else { continue };
        let r = &restart.value;
        let durations = [&r.within, &r.backoff, &r.max_backoff, &r.min_uptime];
        let terms = durations
            .into_iter()
            .flatten()
            .map(|d| d.span)
            .chain(r.limit.as_ref().map(|l| l.span))
            .chain(r.no_progress_limit.as_ref().map(|s| s.span))
            .chain(r.scope.as_ref().map(|s| s.span))
            .chain(r.codes.first().map(|c| c.span));
        if r.policy.value == RestartOn::Never
            && let Some(first) = terms.min()
        {
            out.push(
                Diagnostic::new(&UNUSED_SETTING, first, "nothing is restarted, so this is never used")
                    .from_value(r.policy.span)
                    .here("no meaning with `never`")
                    .label(r.policy.span, "never")
                    .help("write `restart \"on-failure\"`, or remove it"),
            );
        } else {
            lonely(role, r, out);
        }
        out.extend(r.no_progress_limit.as_ref().and_then(|stalls| unwatched(job, stalls.span)));
        if let (Some(first), Some(longest)) = (&r.backoff, &r.max_backoff)
            && longest.value.seconds() < first.value.seconds()
        {
            out.push(
                Diagnostic::new(&UNUSED_SETTING, longest.span, "the longest pause is shorter than the first")
                    .from_value(first.span)
                    .here("shorter")
                    .label(first.span, "the first")
                    .help("`max-backoff` is at least `backoff`"),
            );
        }
    }
}

/// A limit on restarts without progress, where no task can see progress.
fn unwatched(job: &Job<'_>, stalls: Span) -> Option<Diagnostic> {
    let state = job.plan.storage.checkpoints.as_ref();
    let path = ["job", "checkpoints"];
    let without = match state {
        Some(volume) if volume.at.is_some() => return None,
        Some(_) => Premise::whole(&path),
        None => Premise::absent(&path),
    };
    // Where a folder of the node is whatever the task runs in: at its own path.
    let folder = state.map(|state| &state.uri.value).filter(|uri| uri.scheme().class() == Class::Node);
    let at = folder.map_or("/ckpt", Uri::path);
    let found = Diagnostic::new(&UNWATCHED_PROGRESS, stalls, "no task can see whether a checkpoint is newer")
        .given(without)
        .here("needs checkpoints at a path")
        .help(format!(
            "remove `no-progress-limit`; or, where the platform mounts them, write `checkpoints \"…\" at=\"{at}\"`"
        ));
    // Tasks of one machine see its folders where they are.
    let seen_there = state.is_some_and(|volume| volume.uri.value.scheme().class().is_path());
    Some(if seen_there { found.given(Premise::SeveralMachines) } else { found })
}

/// What would come only when the deadline has ended the job.
fn late(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let spec = job.spec;
    let Some(deadline) = &spec.deadline else { return };
    let start = spec.start.as_ref().and_then(|start| start.value.timeout.as_ref());
    let every = spec.checkpoints.as_ref().and_then(|checkpoints| checkpoints.value.every.as_ref());
    let fact = "the deadline ends the job before this";
    for time in [start, every].into_iter().flatten() {
        if time.value.seconds() >= deadline.value.seconds() {
            let told = Diagnostic::new(&UNUSED_SETTING, time.span, fact).here("never comes");
            let told = told.from_value(deadline.span).given(Premise::Correct(deadline.span));
            out.push(
                told.label(deadline.span, "the deadline").help("write a shorter time, or a later deadline"),
            );
        }
    }
}

/// A term that changes another one, which is not there.
fn lonely(role: &Role, restart: &Restart, out: &mut Vec<Diagnostic>) {
    let mut told = |at: Span, fact: &str, needs: &str| {
        let help = format!("add `{needs}`, or remove it");
        let found = Diagnostic::new(&UNUSED_SETTING, at, fact).from_whole(&path_in(role, &["restart"]));
        out.push(found.here("no meaning alone").help(help));
    };
    if let (Some(within), None) = (&restart.within, &restart.limit) {
        told(within.span, "`within` is the window of `limit`, and there is none", "limit=3");
    }
    if let (Some(longest), None) = (&restart.max_backoff, &restart.backoff) {
        told(
            longest.span,
            "`max-backoff` ends the growth of `backoff`, and there is none",
            "backoff=\"10s\"",
        );
    }
}

fn kept(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let Some(keep) = job.spec.keep.as_ref().map(|keep| &keep.value) else { return };
    if let (Kept::None, Some(time)) = (keep.what.value, &keep.r#for) {
        out.push(
            Diagnostic::new(&UNUSED_SETTING, time.span, "nothing is kept, so this is never used")
                .from_value(keep.what.span)
                .here("no meaning with `none`")
                .label(keep.what.span, "none")
                .help("write `keep \"failed\"`, or remove it"),
        );
    }
}

/// `tf.distribute.Server.join`, which workers and servers of that strategy run, never returns.
fn success(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let (Some(success), Some(strategy)) = (&job.spec.success, &job.spec.framework.value.strategy) else {
        return;
    };
    let serves = job.plan.framework.of_contract().never_exits(RoleKind::Worker);
    let waits = serves && success.value.is_decided_by(RoleKind::Worker, false);
    let Some(worker) = job.plan.role_of(RoleKind::Worker).filter(|_| waits) else { return };
    let fact =
        "the workers of ParameterServerStrategy serve until they are stopped, so the job never succeeds";
    out.push(
        Diagnostic::new(&WAITS_FOREVER, success.span, fact)
            .from_value(strategy.span)
            .here("never")
            .label(job.plan.roles[worker].name.span, "these serve the chief")
            .help("write `success \"chief\"`, which is the default")
            .suggest(Fix::replace(success.span, "\"chief\"")),
    );
}

/// A role that is called as those of TensorFlow and MXNet that never end, where the name means nothing and every role
/// counts for the success of the job.
fn awaited(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let framework = &job.plan.framework.name;
    let success = job.spec.success.as_ref();
    let every = success.is_none_or(|success| success.value == Success::Workers);
    let counted =
        success.map_or_else(|| Premise::absent(&["job", "success"]), |success| Premise::Value(success.span));
    let members = || job.roles().filter(|(_, role)| role.kind.joins_rendezvous());
    if !framework.value.takes_any_role()
        || !every
        || members().all(|(_, role)| serves_elsewhere(role).is_some())
    {
        return;
    }
    let done = |role: &Role| {
        let mut after = job.roles().flat_map(|(written, _)| &written.after.0);
        after.any(|(name, after)| {
            name.value == role.name.value
                && after.value.when.as_ref().is_some_and(|when| when.value == When::Done)
        })
    };
    for (written, role) in members().filter(|(_, role)| !done(role)) {
        let Some(theirs) = serves_elsewhere(role) else { continue };
        let name = &role.name.value;
        let fact = format!(
            "the job succeeds only when `{name}` has ended too, and a `{name}` of {} never ends on its own",
            theirs.keyword()
        );
        let told = Diagnostic::new(&LONG_RUNNING_ROLE, role.name.span, fact).here("counts for the success");
        let told = told.from_value(framework.span).given(counted.clone());
        out.push(told.help(instead(job, written, role)));
    }
}

/// The framework that has tasks of this name, which run until they are stopped.
fn serves_elsewhere(role: &Role) -> Option<FrameworkName> {
    FrameworkName::ALL.into_iter().find(|framework| framework.kind_of(&role.name.value).never_exits())
}

/// How such a role does not keep the job from its end: only what the rest of the job lets it be.
fn instead(job: &Job<'_>, written: &spec::Role, role: &Role) -> String {
    let name = &role.name.value;
    let probed = written.ready.as_ref().and_then(|ready| ready.value.tcp.as_ref());
    // Only roles have a port `rendezvous`, and addresses.
    let meets = Uses::of(job).names_addresses(name)
        || Uses::are_of(written, "port.rendezvous", &[])
        || probed.is_some_and(|port| port.value.as_str() == "rendezvous");
    let leader =
        job.plan.leader().map(|id| &job.plan.roles[id]).filter(|one| serves_elsewhere(one).is_none());
    let mut ways = Vec::new();
    if !meets {
        ways.push(format!("make it a helper, which is stopped at the end: `helper \"{name}\"`"));
    }
    if let Some(leader) = leader {
        ways.push(format!("end the job with the first task of `{}`: `success \"chief\"`", leader.name.value));
    }
    ways.push("if it does end on its own, say so: `success \"all\"`".to_owned());
    ways.join("; or ")
}
