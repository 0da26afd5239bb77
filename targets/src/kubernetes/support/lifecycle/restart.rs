//! Restarts: of the process by the shim, of the container by the kubelet, of a lost worker by the operator.
use crate::kubernetes::mechanism::Mechanism;
use crate::kubernetes::operator;
use crate::kubernetes::support::Context;
use crate::kubernetes::support::Support;
use crate::pod::mechanism::Duty;
use tfjob_lang::plan::{Plan, Role, RoleId, RoleKind};
use tfjob_lang::requirement::{Lifecycle, Loss, Requirement, Restart, Storage};
use tfjob_lang::spec::{RestartOn, Scope};

/// The kubelet brings back a container, for ever; the shim a process, within limits. A Pod that is deleted while it
/// runs (a drain, a preemption, a node that is gone) fails the job under every policy, unless it is a worker's and
/// `enableDynamicWorker` is on.
pub fn restart(context: &Context<'_>, role: RoleId, after: Loss, terms: &Restart) -> Support {
    let plan = context.plan;
    let native = operator::native_policy(plan, role, terms);
    if terms.on == RestartOn::Always && operator::counts(plan, role) {
        return Support::unsupported(
            "never ends a job whose last task is started again after success",
            "`restart \"on-failure\"` for the role whose success is the job's",
            "kubernetes#restart-policy-always",
        );
    }
    match (after, native) {
        (Loss::Process, Some(policy)) => Support::Native(Mechanism::Policy { role, policy }),
        (Loss::Process, None) => in_container(context, role, terms),
        (Loss::Container | Loss::Node, _) if plan.roles[role].kind == RoleKind::Helper => {
            Support::inherent("the operator makes a helper's Pod anew whenever it is gone")
        }
        (Loss::Container | Loss::Node, Some(_)) if operator::is_worker(plan, role) => {
            Support::Emulated(Mechanism::Dynamic, returned(plan))
        }
        (Loss::Container | Loss::Node, _) => lost(plan, role, terms),
    }
}

/// How a lost worker comes back (`enableDynamicWorker`), and where it does not: seen on the operator (1.9.4). A worker whose
/// Pod is deleted while no other runs, and that ends with code 0, is counted as succeeded; a job with a failed chief or
/// server stays `Restarting` once a worker is.
fn returned(plan: &Plan) -> String {
    let one = "the operator makes a lost worker anew; a program that saves on SIGTERM and then exits with code 0 counts as done: let it exit with 143, as the shim does where it is in the Pod";
    let fatal = |role: &&Role| matches!(role.kind, RoleKind::Chief | RoleKind::Ps | RoleKind::Evaluator);
    match plan.roles.iter().find(fatal) {
        None => one.to_owned(),
        Some(role) => format!(
            "{one}; if `{}` is lost with a worker at the same moment, the job stays `Restarting` without end: set `deadline`",
            role.name.value
        ),
    }
}

/// The shim restarts a program in its container; since 1.28 (kubelet, `singleProcessOOMKill`, on cgroup v2) the kernel kills
/// all of a container that has used up its memory, the shim too.
const OUT_OF_MEMORY: &str = "fails the whole job when a Pod runs out of memory, or is deleted while it runs: by a drain, a preemption, a lost node";

const UNTOLD: &str = "restarts the task that ended, and nothing tells the others";

/// A Pod that does not come back. Of a worker the terms are why; of any other role nothing brings it back. Words that a
/// worker shares with such a role are right for the worker alone.
fn lost(plan: &Plan, role: RoleId, terms: &Restart) -> Support {
    let mut beyond: Vec<String> =
        operator::beyond(plan, terms).iter().map(|word| format!("`{word}`")).collect();
    let fresh = plan.requirements.iter().any(|required| {
        matches!(required.requirement, Requirement::Storage(Storage::CheckpointsFresh { .. }))
    });
    // A worker that comes back would find the job's own checkpoints, and so does a job that is submitted again.
    if fresh && !beyond.is_empty() {
        beyond.push("`if-exists`".to_owned());
    }
    let shared = shared_with_worker(plan, role);
    let (leave, stay) = match beyond.join(", ") {
        none if none.is_empty() => (String::new(), String::new()),
        words => (format!(" and leave out {words}"), format!("leave out {words}")),
    };
    let again = if fresh { "and submit again without `if-exists`" } else { "and submit again" };
    let allow = format!(
        "`allow \"restart\" on=\"kubernetes\" because=\"…\"`, {again}: what is in the checkpoints is resumed"
    );
    let help = match shared {
        Some(worker) => {
            format!("only workers come back: move it into `role \"{worker}\"`{leave}; or {allow}")
        }
        None if operator::is_worker(plan, role) && !stay.is_empty() => {
            format!("workers come back if nothing else is asked: {stay}; or {allow}")
        }
        None => format!("only workers come back; for the rest {allow}"),
    };
    let why = if beyond.iter().any(|word| word == "`scope`") {
        UNTOLD
    } else if operator::native_policy(plan, role, terms).is_none() {
        OUT_OF_MEMORY
    } else {
        "fails the whole job when a running Pod is deleted: by a drain, a preemption, a lost node"
    };
    let link = if why == UNTOLD { "kubernetes#restart-of-one-task" } else { "kubernetes#lost-pods" };
    Support::unsupported(why, help, link).move_into(shared.filter(|_| beyond.is_empty()))
}

/// The worker that has its restart by the same words as this role, where one of those that have is no worker: a default
/// of the job.
fn shared_with_worker(plan: &Plan, role: RoleId) -> Option<&str> {
    let words = |id: RoleId| {
        let own = |requirement: &Requirement| matches!(requirement, Requirement::Lifecycle(Lifecycle::Restart { role, .. }) if *role == id);
        plan.requirements.iter().find(|required| own(&required.requirement)).map(|required| required.at)
    };
    let at = words(role)?;
    let others: Vec<RoleId> = (0..plan.roles.len()).filter(|id| words(*id) == Some(at)).collect();
    let worker = others.iter().find(|id| operator::is_worker(plan, **id))?;
    let lost = |id: &RoleId| !operator::is_worker(plan, *id) && plan.roles[*id].kind.joins_rendezvous();
    others.iter().any(lost).then_some(plan.roles[*worker].name.value.as_str())
}

fn in_container(context: &Context<'_>, role: RoleId, terms: &Restart) -> Support {
    if terms.scope == Scope::Job && !operator::collective(context.plan) && context.plan.rendezvous_tasks() > 1
    {
        if context.plan.roles[role].kind.joins_rendezvous() {
            // The Pod's own loss is refused with the same words.
            return lost(context.plan, role, terms);
        }
        return Support::unsupported(UNTOLD, "write `scope=\"task\"`", "kubernetes#restart-of-one-task");
    }
    Support::Emulated(
        Mechanism::shim(Duty::Restart { role, terms: terms.clone() }),
        "the shim restarts the process in its container: the operator knows no limit of one task".to_owned(),
    )
}
