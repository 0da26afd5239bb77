//! Reports jobs that never finish, and settings for restarts and job completion that have no effect.
use super::unused::Uses;
use super::{Job, path_in, repeated};
use crate::codes::{LONG_RUNNING_ROLE, UNUSED_SETTING, UNWATCHED_PROGRESS, WAITS_FOREVER};
use crate::diagnostic::{Diagnostic, Fix, Premise};
use crate::plan::{Role, RoleKind};
use crate::sources::Span;
use crate::spec::values::{Class, Uri};
use crate::spec::{self, FrameworkName, Kept, Restart, RestartOn, Success, When};

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    unreachable_success(job, out);
    long_running(job, out);
    unused_retention(job, out);
    beyond_deadline(job, out);
    for (written, role) in job.roles() {
        let Some(restart) = &written.restart else { continue };
        let r = &restart.value;
        let durations = [
            ("within", &r.within),
            ("backoff", &r.backoff),
            ("max-backoff", &r.max_backoff),
            ("min-uptime", &r.min_uptime),
        ];
        let settings = durations
            .into_iter()
            .filter_map(|(name, duration)| Some((duration.as_ref()?.span, name)))
            .chain(r.limit.as_ref().map(|l| (l.span, "limit")))
            .chain(r.no_progress_limit.as_ref().map(|s| (s.span, "no-progress-limit")))
            .chain(r.scope.as_ref().map(|s| (s.span, "scope")))
            .chain(r.codes.first().map(|c| (c.span, "codes")));
        if r.policy.value == RestartOn::Never
            && let Some((first, name)) = settings.min()
        {
            out.push(
                Diagnostic::new(
                    &UNUSED_SETTING,
                    first,
                    format!("`restart \"never\"` disables restarts, so `{name}` has no effect"),
                )
                .from_value(r.policy.span)
                .here("no effect")
                .label(r.policy.span, "disables restarts")
                .help(format!("write `restart \"on-failure\"`, or remove `{name}`")),
            );
        } else {
            dependent_settings(role, r, out);
        }
        repeated(&r.codes, "codes", |code| format!("exit code {}", code.0), out);
        out.extend(r.no_progress_limit.as_ref().and_then(|limit| unseen_progress(job, limit.span)));
        short_maximum(r, out);
    }
}

/// Reports a `max-backoff` that is shorter than `backoff`.
fn short_maximum(restart: &Restart, out: &mut Vec<Diagnostic>) {
    if let (Some(first), Some(longest)) = (&restart.backoff, &restart.max_backoff)
        && longest.value.seconds() < first.value.seconds()
    {
        out.push(
            Diagnostic::new(
                &UNUSED_SETTING,
                longest.span,
                "`max-backoff` is shorter than `backoff`, so it limits even the first delay",
            )
            .from_value(first.span)
            .here("maximum delay")
            .label(first.span, "initial delay")
            .help("write a `max-backoff` that is at least as long as `backoff`"),
        );
    }
}

/// Reports `no-progress-limit` if no checkpoint directory is mounted: new checkpoints cannot be detected then.
fn unseen_progress(job: &Job<'_>, limit: Span) -> Option<Diagnostic> {
    let state = job.plan.storage.checkpoints.as_ref();
    let path = ["job", "checkpoints"];
    let (premise, fact) = match state {
        Some(volume) if volume.at.is_some() => return None,
        Some(_) => (
            Premise::whole(&path),
            "`no-progress-limit` needs a mounted checkpoint directory, but `checkpoints` has no `at`",
        ),
        None => (
            Premise::absent(&path),
            "`no-progress-limit` needs a mounted checkpoint directory, but this job has no `checkpoints`",
        ),
    };
    // A `file:` directory has the same path in the task and on the node, so the help suggests this path for `at`. In a job without
    // checkpoints, the help suggests a shared directory, which a task can also read after a restart on another node.
    let directory = state.map(|state| &state.uri.value).filter(|uri| uri.scheme().class() == Class::Node);
    let mount = match directory.map(Uri::path) {
        Some(at) => format!("mount this directory: `checkpoints \"file://{at}\" at=\"{at}\"`"),
        None => "mount a directory that all nodes share, with `checkpoints \"file:///mnt/ckpt\" at=\"/mnt/ckpt\"` in the job and `shared \"file:///mnt/ckpt\"` in the cluster file".to_owned(),
    };
    let found = Diagnostic::new(&UNWATCHED_PROGRESS, limit, fact)
        .given(premise)
        .here("cannot detect new checkpoints")
        .help(format!("{mount}; or remove `no-progress-limit`"));
    // If all tasks run on one machine, they see its directories without a mount. So a directory of the machine is reported only if
    // tasks run on several machines.
    let visible_locally = state.is_some_and(|volume| volume.uri.value.scheme().class().is_path());
    Some(if visible_locally { found.given(Premise::SeveralMachines) } else { found })
}

/// Reports `start timeout` and the checkpoint interval if they are not shorter than the deadline.
fn beyond_deadline(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let spec = job.spec;
    let Some(deadline) = &spec.deadline else { return };
    let start = spec.start.as_ref().and_then(|start| start.value.timeout.as_ref());
    let every = spec.checkpoints.as_ref().and_then(|checkpoints| checkpoints.value.every.as_ref());
    let times = [
        (start, "start timeout", "`start timeout` is not shorter than `deadline`, so it has no effect"),
        (
            every,
            "every",
            "`every` is not shorter than `deadline`, so the job ends before the first checkpoint is due",
        ),
    ];
    for (time, name, fact) in times.into_iter().filter_map(|(time, name, fact)| Some((time?, name, fact))) {
        if time.value.seconds() >= deadline.value.seconds() {
            let diagnostic =
                Diagnostic::new(&UNUSED_SETTING, time.span, fact).here("not shorter than `deadline`");
            let diagnostic = diagnostic.from_value(deadline.span).given(Premise::Correct(deadline.span));
            out.push(
                diagnostic
                    .label(deadline.span, "deadline")
                    .help(format!("write a shorter `{name}`, or a longer `deadline`")),
            );
        }
    }
}

/// Reports a setting that has an effect only together with another setting, if that other setting is unset: `within` without
/// `limit`, and `max-backoff` without `backoff`.
fn dependent_settings(role: &Role, restart: &Restart, out: &mut Vec<Diagnostic>) {
    let mut report = |at: Span, name: &str, fact: &str, needs: &str| {
        let help = format!("add `{needs}`, or remove `{name}`");
        let found = Diagnostic::new(&UNUSED_SETTING, at, fact).from_whole(&path_in(role, &["restart"]));
        out.push(found.here("no effect").help(help));
    };
    if let (Some(within), None) = (&restart.within, &restart.limit) {
        report(
            within.span,
            "within",
            "`within` sets the time window of `limit`, but `limit` is not set",
            "limit=3",
        );
    }
    if let (Some(longest), None) = (&restart.max_backoff, &restart.backoff) {
        report(
            longest.span,
            "max-backoff",
            "`max-backoff` limits the growth of `backoff`, but `backoff` is not set",
            "backoff=\"10s\"",
        );
    }
}

/// Reports `keep "none"` with `for=`: if no containers are kept, the retention time has no effect.
fn unused_retention(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let Some(keep) = job.spec.keep.as_ref().map(|keep| &keep.value) else { return };
    if let (Kept::None, Some(time)) = (keep.what.value, &keep.r#for) {
        out.push(
            Diagnostic::new(
                &UNUSED_SETTING,
                time.span,
                "`keep \"none\"` keeps nothing, so `for` has no effect",
            )
            .from_value(keep.what.span)
            .here("no effect")
            .label(keep.what.span, "keeps nothing")
            .help("write `keep \"failed\"`, or remove `for`"),
        );
    }
}

/// Reports a success condition that needs workers of `ParameterServerStrategy` to exit. They run
/// `tf.distribute.Server.join`, which never returns.
fn unreachable_success(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let (Some(success), Some(strategy)) = (&job.spec.success, &job.spec.framework.value.strategy) else {
        return;
    };
    let never_exits = job.plan.framework.of_contract().never_exits(RoleKind::Worker);
    let waits = never_exits && success.value.is_decided_by(RoleKind::Worker, false);
    let Some(worker) = job.plan.role_of(RoleKind::Worker).filter(|_| waits) else { return };
    let fact = "the job never succeeds: `success` waits for the workers, but workers of ParameterServerStrategy never exit on their own";
    out.push(
        Diagnostic::new(&WAITS_FOREVER, success.span, fact)
            .from_value(strategy.span)
            .here("never reached")
            .label(job.plan.roles[worker].name.span, "never exits on its own")
            .help("write `success \"chief\"` (the default)")
            .suggest(Fix::replace(success.span, "\"chief\"")),
    );
}

/// Reports a role that decides job success but has the name of a role of TensorFlow or MXNet that never exits. Jobs of frameworks
/// in which role names have a meaning are not checked.
fn long_running(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let framework = &job.plan.framework.name;
    let success = job.spec.success.as_ref();
    let all_count = success.is_none_or(|success| success.value == Success::Workers);
    let premise =
        success.map_or_else(|| Premise::absent(&["job", "success"]), |success| Premise::Value(success.span));
    let members = || job.roles().filter(|(_, role)| role.kind.joins_rendezvous());
    if !framework.value.takes_any_role()
        || !all_count
        || members().all(|(_, role)| long_running_in(role).is_some())
    {
        return;
    }
    let awaited = |role: &Role| {
        let mut after = job.roles().flat_map(|(written, _)| &written.after.0);
        after.any(|(name, after)| {
            name.value == role.name.value
                && after.value.when.as_ref().is_some_and(|when| when.value == When::Done)
        })
    };
    for (written, role) in members().filter(|(_, role)| !awaited(role)) {
        let Some(framework_name) = long_running_in(role) else { continue };
        let name = &role.name.value;
        let fact = format!(
            "the job succeeds only when `{name}` exits too, but a role of this name usually does not exit on its own (`{name}` is a server in {})",
            framework_name.keyword()
        );
        let diagnostic = Diagnostic::new(&LONG_RUNNING_ROLE, role.name.span, fact)
            .here("must exit for the job to succeed");
        let diagnostic = diagnostic.from_value(framework.span).given(premise.clone());
        out.push(diagnostic.help(alternatives(job, written, role)));
    }
}

/// Returns a framework in which tasks with this role name never exit on their own.
fn long_running_in(role: &Role) -> Option<FrameworkName> {
    FrameworkName::ALL.into_iter().find(|framework| framework.kind_of(&role.name.value).never_exits())
}

/// Returns the help: changes that let the job finish and are valid in this job.
fn alternatives(job: &Job<'_>, written: &spec::Role, role: &Role) -> String {
    let name = &role.name.value;
    let probed = written.ready.as_ref().and_then(|ready| ready.value.tcp.as_ref());
    // Only roles have addresses and a port `rendezvous`. A role that needs them cannot become a helper.
    let in_rendezvous = Uses::new(job).has_addresses(name)
        || Uses::has_use(written, "port.rendezvous", &[])
        || probed.is_some_and(|port| port.value.as_str() == "rendezvous");
    let leader =
        job.plan.leader().map(|id| &job.plan.roles[id]).filter(|leader| long_running_in(leader).is_none());
    let mut options = Vec::new();
    if !in_rendezvous {
        // The helper needs another name: a target may treat a helper of this name as a server of the framework.
        options.push(format!(
            "declare `{name}` as a helper with another name, such as `helper \"{name}-helper\"`, which is stopped when the job ends"
        ));
    }
    if let Some(leader) = leader {
        options.push(format!(
            "write `success \"chief\"`, so that the job ends when task 0 of `{}` exits",
            leader.name.value
        ));
    }
    options.push(format!("if `{name}` exits on its own, confirm this with `success \"all\"`"));
    options.join("; or ")
}
