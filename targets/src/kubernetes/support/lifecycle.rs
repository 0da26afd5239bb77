//! Start order, readiness and completion.
mod restart;

use super::Context;
use super::Support;
use crate::contract_builder;
use crate::kubernetes::mechanism::Mechanism;
use crate::kubernetes::operator::{self, known_name};
use crate::kubernetes::schema::CleanPodPolicy;
use crate::pod::mechanism::Duty;
use crate::pod::support::lifecycle::{self, Peers};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement;
use tfjob_lang::requirement::{Lifecycle, Probe, Requirement};
use tfjob_lang::spec::{Kept, Success, When};

/// Answers one requirement: start order, restarts and completion.
pub fn support(requirement: &requirement::Lifecycle, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Lifecycle::Restart { role, after, restart } => {
            restart::restart(context, *role, *after, restart)
        }
        requirement::Lifecycle::After { role, first, when } => after(context.plan, *role, *first, *when),
        requirement::Lifecycle::Ready { role, probe } => ready(context, *role, probe),
        requirement::Lifecycle::Done { role } => lifecycle::done(*role).map(Mechanism::Pod),
        requirement::Lifecycle::StartTimeout { seconds } => {
            lifecycle::start_timeout(&context.pod, *seconds).map(Mechanism::Pod)
        }
        requirement::Lifecycle::Gang => gang(context),
        requirement::Lifecycle::StopGrace { seconds } => lifecycle::stop_grace(*seconds).map(Mechanism::Pod),
        requirement::Lifecycle::Deadline { seconds } => deadline(context, *seconds),
        requirement::Lifecycle::Success(success) => self::success(context, *success),
        requirement::Lifecycle::EndOfJob => Support::Native(Mechanism::Stop),
        requirement::Lifecycle::Keep { what, seconds } => keep(context, *what, *seconds),
    }
}

fn after(plan: &Plan, role: RoleId, first: RoleId, when: When) -> Support {
    let how = match when {
        When::Started => {
            "the operator makes all Pods at once; the shim waits until the others have an address"
        }
        When::Ready => "the operator makes all Pods at once; the shim waits until the others are ready",
        When::Done => {
            return Support::unsupported(
                "keeps nothing that a task could ask whether another has ended well",
                "`when=\"started\"` or `\"ready\"`; what must be done before is a job of its own",
                "kubernetes#created-objects",
            );
        }
    };
    if !contract_builder::stays(plan, first) {
        let name = &plan.roles[first].name.value;
        return Support::unsupported(
            format!(
                "removes the DNS name of a Pod that has succeeded: a task that starts after `{name}` has ended would wait for it forever"
            ),
            format!(
                "if `{name}` serves, `port \"web\" 8080; ready tcp=\"web\"` in it, with `when=\"ready\"`; a step before the training is a job of its own"
            ),
            "EndpointSlice v1 discovery.k8s.io",
        );
    }
    Support::Emulated(Mechanism::shim(Duty::After { role, first, when }), how.to_owned())
}

/// A Pod that is not ready has no name in DNS, and a rendezvous needs names before it is ready.
fn ready(context: &Context<'_>, role: RoleId, probe: &Probe) -> Support {
    let peers = Peers { need_name: context.needs_name(role), await_end: outlived(context, role) };
    lifecycle::ready(&context.pod, role, probe, peers).map(Mechanism::Pod)
}

/// Whether another role ends only after this one, whose end it sees by the missing name.
pub fn outlived(context: &Context<'_>, role: RoleId) -> bool {
    context.plan.requirements.iter().any(|required| {
        let Requirement::Lifecycle(Lifecycle::Success(success)) = &required.requirement else { return false };
        let support = self::success(context, *success);
        let Support::Emulated(Mechanism::Outlive { others, .. }, _) = support else { return false };
        others.contains(&role)
    })
}

fn gang(context: &Context<'_>) -> Support {
    if context.plan.tasks() == 1 {
        return Support::inherent("one Pod is all or none");
    }
    match &context.options.gang {
        Some(_) => Support::Native(Mechanism::Gang),
        None => Support::unsupported(
            "places each Pod by itself, unless the operator was started with a gang scheduler",
            "say which one it has: `target \"kubernetes\" { gang \"volcano\" }` or `\"scheduler-plugins\"`",
            "kubernetes#gang-scheduling",
        ),
    }
}

fn too_long(what: &str, evidence: &'static str) -> Support {
    Support::impossible(format!("counts {what} in seconds up to {}", i32::MAX), "a shorter time", evidence)
}

/// The operator looks at a job's deadline only when something else happens; the kubelet at a Pod's whenever it is due.
/// Where a Pod that failed is made anew, its failure is what makes the operator look.
fn deadline(context: &Context<'_>, seconds: u64) -> Support {
    let Ok(seconds) = i32::try_from(seconds).map(i64::from) else {
        return too_long("a deadline", "PodSpec v1 core");
    };
    if operator::final_pods(context.plan) {
        return Support::Native(Mechanism::Deadline { seconds, job: false });
    }
    Support::Emulated(
        Mechanism::Deadline { seconds, job: true },
        "the kubelet ends each Pod in time, and the operator then the job; the operator counts from the job's creation, so waiting for a node counts too".to_owned(),
    )
}

/// The operator asks the chief alone once there is one; else worker 0, or all workers.
fn success(context: &Context<'_>, success: Success) -> Support {
    let plan = context.plan;
    let Some(decides) = operator::decides(plan) else {
        let members = || (0..plan.roles.len()).filter(|id| plan.roles[*id].kind.joins_rendezvous());
        let other = members().find(|id| !known_name(context.plan, *id));
        return Support::impossible(
            "ends a job by its chief or its workers, and there is neither",
            match other {
                Some(_) => "call the role whose success is the job's `worker`",
                None => "add `role \"worker\"`",
            },
            "kubernetes#job-success",
        );
    };
    let chief = operator::replica_type(plan, decides) == Some("Chief");
    let count = plan.roles[decides].count.value;
    if chief && success == Success::Chief && count > 1 {
        return Support::unsupported(
            format!("ends the job when all {count} tasks of `{}` have succeeded", context.role(decides)),
            "`success \"workers\"`, or one task",
            "kubernetes#job-success",
        );
    }
    // With `chief` the operator's own is the only one.
    let others: Vec<RoleId> =
        plan.deciding(success).filter(|id| *id != decides && success != Success::Chief).collect();
    let all_workers = !chief && success != Success::Chief;
    if others.is_empty() {
        return Support::Native(Mechanism::Success { all_workers });
    }
    if let Some(server) = others.iter().find(|id| plan.never_exits(**id)) {
        return Support::unsupported(
            format!("waits for ever: a `{}` of this strategy does not end by itself", context.role(*server)),
            "`success \"chief\"`",
            "tensorflow#servers-that-never-exit",
        );
    }
    if operator::collective(plan)
        && left_alone(context)
        && others.iter().all(|id| operator::is_worker(plan, *id))
    {
        return Support::Emulated(
            Mechanism::WorkersGoOn,
            "the operator takes the chief's success for the job's; its workers, which end in the same step, are left to end by themselves".to_owned(),
        );
    }
    Support::Emulated(
        Mechanism::Outlive { role: decides, others, success },
        "the shim of the deciding role ends only after the others: the operator asks nobody else; a task without an address for 6 minutes counts as ended".to_owned(),
    )
}

/// Whether nothing is stopped at the end of the job: then workers that are not quite done end by themselves.
fn left_alone(context: &Context<'_>) -> bool {
    let stops = |requirement: &Requirement| {
        matches!(
            requirement,
            Requirement::Lifecycle(Lifecycle::EndOfJob | Lifecycle::Keep { what: Kept::None, seconds: _ })
        )
    };
    !context.plan.requirements.iter().any(|required| stops(&required.requirement))
}

/// Pods that ended keep their logs; a Pod that still runs is stopped by deleting it, and its log goes with it.
fn keep(context: &Context<'_>, what: Kept, seconds: Option<u64>) -> Support {
    let ttl = match seconds.map(i32::try_from) {
        None => None,
        Some(Ok(seconds)) => Some(i64::from(seconds)),
        Some(Err(_)) => return too_long("how long Pods stay", "RunPolicy v1"),
    };
    let stops = context.plan.roles.iter().any(|r| r.kind.outlives_training());
    let policy = match what {
        Kept::Failed => CleanPodPolicy::Running,
        Kept::None => CleanPodPolicy::All,
        Kept::All if stops => {
            return Support::unsupported(
                "stops what still serves at the end by deleting its Pod, and the log goes with it",
                "`keep \"failed\"`: every Pod that ended by itself stays, well or not",
                "kubernetes#pod-cleanup",
            );
        }
        Kept::All => CleanPodPolicy::None,
    };
    Support::Native(Mechanism::Keep { policy, ttl })
}
