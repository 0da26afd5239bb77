//! Support of restarts. The NodeManager or the shim restarts a process in its container. The service master replaces a container.
use crate::yarn::context::{Context, Ending, never_fails};
use crate::yarn::mechanism::{Duty, Mechanism};
use crate::yarn::support::Support;
use tfjob_lang::diagnostic::Step;
use tfjob_lang::plan::{RoleId, RoleKind};
use tfjob_lang::requirement::{Lifecycle, Loss, Requirement, Restart};
use tfjob_lang::spec::{FrameworkName, RestartOn, Scope};

/// Default pause of the NodeManager before a restart, in milliseconds. It is also the shortest possible pause.
const PAUSE: u64 = 1000;

/// Returns the support of the `restart` of a role. `after`: what a task has lost: its process, its container, or its node.
pub fn restart(context: &Context<'_>, role: RoleId, after: Loss, terms: &Restart) -> Support {
    let name = &context.role(role).name.value;
    let always = terms.on == RestartOn::Always;
    if always && context.counting().is_none_or(|counting| counting.contains(&role)) {
        if terms.limit.is_some() {
            return Support::impossible(
                format!(
                    "`restart \"always\"` is not supported for `{name}`, which decides job success: the program would run again after each success, until it reaches `limit`"
                ),
                "write `restart \"on-failure\"`, or exclude this role from `success`",
                "yarn#restart-policy-always",
            )
            .remedy(Step::argument("restart \"on-failure\""));
        }
        return Support::impossible(
            format!(
                "the job would never complete: it waits until `{name}` finishes, but `restart \"always\"` restarts `{name}` even after success"
            ),
            "write `restart \"on-failure\"`, or exclude this role from `success`",
            "yarn#restart-policy-always",
        )
        .remedy(Step::argument("restart \"on-failure\""));
    }
    if terms.scope == Scope::Job && context.plan.tasks() > 1 && !peers_fail_together(context) {
        return Support::unsupported(
            "`restart` applies to all tasks of the job (`scope=\"job\"`), but the service master restarts only the failed task",
            "write `scope=\"task\"` in this `restart`, so that only the failed task restarts",
            "yarn#restart-of-one-container",
        );
    }
    // When the job completes, the shims stop the components that are still running. With the policy `ALWAYS`, the service master
    // would restart them, so the shims restart the programs of such a role instead.
    let shims = always && context.ending() == Ending::Shims;
    let by_shim = shims || !by_node_manager(context, role, terms);
    match after {
        Loss::Process => process(context, role, terms, by_shim),
        Loss::Container | Loss::Node => replaced(context, role, terms, by_shim),
    }
}

/// Returns whether restarting each task has the same effect as restarting the job. This is true in collective training with
/// TensorFlow, where all tasks fail when one task fails. Other frameworks were not tested.
fn peers_fail_together(context: &Context<'_>) -> bool {
    let framework = &context.plan.framework;
    framework.name.value == FrameworkName::Tensorflow && framework.of_contract().is_collective()
}

fn process(context: &Context<'_>, role: RoleId, terms: &Restart, by_shim: bool) -> Support {
    let job = match terms.scope {
        Scope::Job if context.plan.tasks() == 1 => "",
        Scope::Job if !context.plan.all_restart() => {
            "; if one task fails, all its peers fail too, and the job fails if the role of a peer has no `restart`"
        }
        Scope::Job => {
            "; if one task fails, all its peers fail too; each task then restarts separately, and `limit` counts per task"
        }
        Scope::Task => "",
    };
    if by_shim {
        return Support::Emulated(
            Mechanism::Duty(Duty::Restart { role, terms: terms.clone() }),
            format!("the shim restarts the process in its container{job}"),
        );
    }
    let mechanism = Mechanism::InPlace {
        role,
        tries: terms.limit,
        pause: terms.backoff.map_or(PAUSE, |seconds| (seconds * 1000).max(PAUSE)),
        window: terms.within.filter(|_| terms.limit.is_some()).map(|seconds| seconds * 1000),
    };
    match job {
        "" => Support::Native(mechanism),
        job => Support::Emulated(
            mechanism,
            format!("the NodeManager restarts the process in its container{job}"),
        ),
    }
}

/// The longest pause of the NodeManager in seconds. It reads the pause as an `Integer` of milliseconds (`ContainerRetryContext`).
const LONGEST_PAUSE: u64 = i32::MAX as u64 / 1000;

/// Returns whether the retries of the NodeManager satisfy `terms`. The NodeManager retries after any exit code, with one fixed
/// pause, in a sliding window. It does not support growing pauses, exit codes, minimum uptime, or progress limits, and does not
/// count successful runs toward `limit`. When the shim stops waiting for peers (`start timeout`), the NodeManager counts this as a
/// failure of the program. The last failure of a helper must not reach the service master, because that would end the job.
fn by_node_manager(context: &Context<'_>, role: RoleId, terms: &Restart) -> bool {
    let one_pause = terms.backoff.is_none() || terms.max_backoff == terms.backoff || terms.limit == Some(1);
    let plain = terms.codes.is_empty() && terms.min_uptime.is_none() && terms.no_progress_limit.is_none();
    let counted = terms.on == RestartOn::Always && (terms.limit.is_some() || terms.backoff.is_some());
    let helper = context.role(role).kind == RoleKind::Helper;
    let gives_up = || {
        context.requirements(|requirement| {
            matches!(requirement, Requirement::Lifecycle(Lifecycle::StartTimeout { .. }))
        })
    };
    let kept = || terms.limit.is_none() || !helper && !gives_up();
    one_pause && plain && !counted && kept() && terms.backoff.is_none_or(|seconds| seconds <= LONGEST_PAUSE)
}

/// Returns the support of replacing a lost container. A container fails when its shim has used up its restarts. Such a container
/// must not be replaced, so the failure threshold of its component is 0, and the first failure ends the service. The container of a
/// helper exits with 0 instead (`Command::settles`).
fn replaced(context: &Context<'_>, role: RoleId, terms: &Restart, by_shim: bool) -> Support {
    let helper = context.role(role).kind == RoleKind::Helper;
    let limited = terms.is_finite() && !helper;
    let mechanism = Mechanism::Replace { role, always: terms.on == RestartOn::Always && !by_shim, limited };
    let scope = match (terms.codes.as_slice(), terms.limit) {
        ([], None) => "",
        ([], Some(_)) => "`limit` counts only restarts of the program in its container; ",
        (_, None) => "`codes` applies only to the program, which the shim restarts; ",
        (_, Some(_)) => "`codes` and `limit` apply only to the program, which the shim restarts; ",
    };
    match (terms.is_finite(), helper) {
        (false, _) if never_fails(context.plan) => Support::Emulated(
            mechanism,
            "the service master replaces a failed or lost container; if the service master itself is lost, a new service master starts and also reruns finished tasks"
                .to_owned(),
        ),
        (false, _) => Support::Emulated(
            mechanism,
            "the service master replaces a failed or lost container; if the service master itself is lost, the job fails: tfjob sets `yarn.service.am-restart.max-attempts` to 1, because YARN would otherwise run the whole job again after each failure of the job"
                .to_owned(),
        ),
        (true, false) => Support::Emulated(
            mechanism,
            format!(
                "{scope}after preemption or a node failure, the service master replaces the container; if the node kills a container for its memory use or a bad disk, the job fails"
            ),
        ),
        (true, true) => Support::Emulated(
            mechanism,
            format!("{scope}the service master replaces a lost container"),
        ),
    }
}
