//! Restarts. A process is restarted by the node manager in its container, or by the shim; a container by the master,
//! which asks for another.
use crate::yarn::context::{Context, Ending, never_fails};
use crate::yarn::mechanism::{Duty, Mechanism};
use crate::yarn::support::Support;
use tfjob_lang::plan::{RoleId, RoleKind};
use tfjob_lang::requirement::{Lifecycle, Loss, Requirement, Restart};
use tfjob_lang::spec::{FrameworkName, RestartOn, Scope};

/// Milliseconds between two starts where the job says nothing: the least that a node manager grants.
const PAUSE: u64 = 1000;

pub fn restart(context: &Context<'_>, role: RoleId, after: Loss, terms: &Restart) -> Support {
    let name = &context.role(role).name.value;
    let always = terms.on == RestartOn::Always;
    if always && context.counting().is_none_or(|counting| counting.contains(&role)) {
        return Support::impossible(
            format!("never ends a component that is always started again, and the job ends with `{name}`"),
            "write `restart \"on-failure\"`, or let another role's success be the job's",
            "yarn#restart-policy-always",
        );
    }
    if terms.scope == Scope::Job && !alone_suffices(context) {
        return Support::unsupported(
            format!("starts a task of `{name}` alone, and no other task hears of it"),
            "write `scope=\"task\"`",
            "yarn#restart-of-one-container",
        );
    }
    // The master would start a component again that a shim has ended with the job.
    let shims = always && context.ending() == Ending::Shims;
    let by_shim = shims || !by_node_manager(context, role, terms);
    match after {
        Loss::Process => process(context, role, terms, by_shim),
        Loss::Container | Loss::Node => replaced(context, role, terms, by_shim),
    }
}

/// TensorFlow's collectives heal when each task that fails is started again: all the others fail with it. Of other
/// collectives nothing was seen here.
fn alone_suffices(context: &Context<'_>) -> bool {
    let framework = &context.plan.framework;
    framework.name.value == FrameworkName::Tensorflow && framework.of_contract().is_collective()
}

fn process(context: &Context<'_>, role: RoleId, terms: &Restart, by_shim: bool) -> Support {
    let job = match terms.scope {
        Scope::Job if !context.plan.all_restart() => {
            "; all tasks fail together, and a role without `restart` then ends the job"
        }
        Scope::Job => {
            "; each task that fails is started again, and all fail together: `limit` counts for each"
        }
        Scope::Task => "",
    };
    if by_shim {
        return Support::Emulated(
            Mechanism::Duty(Duty::Restart { role, terms: terms.clone() }),
            format!("the shim starts the process again in its container{job}"),
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
            format!("the node manager starts the process again in its container{job}"),
        ),
    }
}

/// The longest pause of a node manager, in seconds: it reads an `Integer` of milliseconds (`ContainerRetryContext`).
const LONGEST_PAUSE: u64 = i32::MAX as u64 / 1000;

/// A node manager retries after any code, with one pause, in a sliding window. It knows nothing of growing pauses, of
/// codes, of how long a task lived or what it wrote; and it does not count a success. It cannot tell a shim that gives up
/// waiting from a program that fails. A helper's last failure must not reach the master, which would end the job.
fn by_node_manager(context: &Context<'_>, role: RoleId, terms: &Restart) -> bool {
    let one_pause = terms.backoff.is_none() || terms.max_backoff == terms.backoff || terms.limit == Some(1);
    let plain = terms.codes.is_empty() && terms.min_uptime.is_none() && terms.stalls.is_none();
    let counted = terms.on == RestartOn::Always && (terms.limit.is_some() || terms.backoff.is_some());
    let helper = context.role(role).kind == RoleKind::Helper;
    let gives_up = context.requirements(|requirement| {
        matches!(requirement, Requirement::Lifecycle(Lifecycle::StartTimeout { .. }))
    });
    let kept = terms.limit.is_none() || !helper && !gives_up;
    one_pause && plain && !counted && kept && terms.backoff.is_none_or(|seconds| seconds <= LONGEST_PAUSE)
}

/// A shim that does not start its program again ends its container, and the master must not ask for another: one failure
/// more than none ends the service. A helper's container ends well instead (`Command::settles`).
fn replaced(context: &Context<'_>, role: RoleId, terms: &Restart, by_shim: bool) -> Support {
    let helper = context.role(role).kind == RoleKind::Helper;
    let limited = terms.is_finite() && !helper;
    let mechanism = Mechanism::Replace { role, always: terms.on == RestartOn::Always && !by_shim, limited };
    match (terms.is_finite(), helper) {
        (false, _) if never_fails(context.plan) => Support::Emulated(
            mechanism,
            "the master asks for another container in place of one that fails or is lost; if the service master itself is lost, YARN starts another, which also reruns tasks that had ended"
                .to_owned(),
        ),
        (false, _) => Support::Emulated(
            mechanism,
            "the master asks for another container in place of one that fails or is lost; if the service master itself is lost, the job fails: a second master would also rerun a job that has failed"
                .to_owned(),
        ),
        (true, false) => Support::Emulated(
            mechanism,
            "the master asks for another container in place of one lost to preemption or with its node, and does not count it; one that its node ends for its memory or a bad disk ends the job".to_owned(),
        ),
        (true, true) => Support::Emulated(
            mechanism,
            "the master asks for another container in place of one that is lost, and does not count it".to_owned(),
        ),
    }
}
