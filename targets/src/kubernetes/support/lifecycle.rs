//! Start order, readiness and completion.
mod restart;

use super::Answer;
use super::Context;
use crate::carry;
use crate::kubernetes::means::Means;
use crate::kubernetes::operator::{self, known_name};
use crate::kubernetes::schema::CleanPodPolicy;
use crate::pod::means::Duty;
use crate::pod::support::lifecycle::{self, Peers};
use tfjob_lang::ask;
use tfjob_lang::ask::{Ask, Lifecycle, Probe};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::spec::{Kept, Success, When};

/// Answers one requirement: start order, restarts and completion.
pub fn answer(ask: &ask::Lifecycle, case: &Context<'_>) -> Answer {
    match ask {
        ask::Lifecycle::Restart { role, after, restart } => restart::restart(case, *role, *after, restart),
        ask::Lifecycle::After { role, first, when } => after(case.plan, *role, *first, *when),
        ask::Lifecycle::Ready { role, probe } => ready(case, *role, probe),
        ask::Lifecycle::Done { role } => lifecycle::done(*role).map(Means::Pod),
        ask::Lifecycle::StartTimeout { seconds } => {
            lifecycle::start_timeout(&case.pod, *seconds).map(Means::Pod)
        }
        ask::Lifecycle::Gang => gang(case),
        ask::Lifecycle::StopGrace { seconds } => lifecycle::stop_grace(*seconds).map(Means::Pod),
        ask::Lifecycle::Deadline { seconds } => deadline(case, *seconds),
        ask::Lifecycle::Success(success) => self::success(case, *success),
        ask::Lifecycle::EndOfJob => Answer::Native(Means::Stop),
        ask::Lifecycle::Keep { what, seconds } => keep(case, *what, *seconds),
    }
}

fn after(plan: &Plan, role: RoleId, first: RoleId, when: When) -> Answer {
    let how = match when {
        When::Started => {
            "the operator makes all Pods at once; the shim waits until the others have an address"
        }
        When::Ready => "the operator makes all Pods at once; the shim waits until the others are ready",
        When::Done => {
            return Answer::refused(
                "keeps nothing that a task could ask whether another has ended well",
                "`when=\"started\"` or `\"ready\"`; what must be done before is a job of its own",
                "kubernetes §1.4",
            );
        }
    };
    if !carry::stays(plan, first) {
        let name = &plan.roles[first].name.value;
        return Answer::refused(
            format!(
                "removes the DNS name of a Pod that has succeeded: a task that starts after `{name}` has ended would wait for it forever"
            ),
            format!(
                "if `{name}` serves, `port \"web\" 8080; ready tcp=\"web\"` in it, with `when=\"ready\"`; a step before the training is a job of its own"
            ),
            "EndpointSlice v1 discovery.k8s.io",
        );
    }
    Answer::Emulated(Means::shim(Duty::After { role, first, when }), how.to_owned())
}

/// A Pod that is not ready has no name in DNS, and a rendezvous needs names before it is ready.
fn ready(case: &Context<'_>, role: RoleId, probe: &Probe) -> Answer {
    let peers = Peers { need_name: case.needs_name(role), await_end: outlived(case, role) };
    lifecycle::ready(&case.pod, role, probe, peers).map(Means::Pod)
}

/// Whether another role ends only after this one, whose end it sees by the missing name.
pub fn outlived(case: &Context<'_>, role: RoleId) -> bool {
    case.plan.asks.iter().any(|asked| {
        let Ask::Lifecycle(Lifecycle::Success(success)) = &asked.ask else { return false };
        let answer = self::success(case, *success);
        let Answer::Emulated(Means::Outlive { others, .. }, _) = answer else { return false };
        others.contains(&role)
    })
}

fn gang(case: &Context<'_>) -> Answer {
    if case.plan.tasks() == 1 {
        return Answer::inherent("one Pod is all or none");
    }
    match &case.options.gang {
        Some(_) => Answer::Native(Means::Gang),
        None => Answer::refused(
            "places each Pod by itself, unless the operator was started with a gang scheduler",
            "say which one it has: `target \"kubernetes\" { gang \"volcano\" }` or `\"scheduler-plugins\"`",
            "kubernetes §1.9",
        ),
    }
}

fn too_long(what: &str, proof: &'static str) -> Answer {
    Answer::impossible(format!("counts {what} in seconds up to {}", i32::MAX), "a shorter time", proof)
}

/// The operator looks at a job's deadline only when something else happens; the kubelet at a Pod's whenever it is due.
/// Where a Pod that failed is made anew, its failure is what makes the operator look.
fn deadline(case: &Context<'_>, seconds: u64) -> Answer {
    let Ok(seconds) = i32::try_from(seconds).map(i64::from) else {
        return too_long("a deadline", "PodSpec v1 core");
    };
    if operator::final_pods(case.plan) {
        return Answer::Native(Means::Deadline { seconds, job: false });
    }
    Answer::Emulated(
        Means::Deadline { seconds, job: true },
        "the kubelet ends each Pod in time, and the operator then the job; the operator counts from the job's creation, so waiting for a node counts too".to_owned(),
    )
}

/// The operator asks the chief alone once there is one; else worker 0, or all workers.
fn success(case: &Context<'_>, success: Success) -> Answer {
    let plan = case.plan;
    let Some(decides) = operator::decides(plan) else {
        let members = || (0..plan.roles.len()).filter(|id| plan.roles[*id].kind.joins_rendezvous());
        let other = members().find(|id| !known_name(case.plan, *id));
        return Answer::impossible(
            "ends a job by its chief or its workers, and there is neither",
            match other {
                Some(_) => "call the role whose success is the job's `worker`",
                None => "add `role \"worker\"`",
            },
            "kubernetes-observed §6, PS only",
        );
    };
    let chief = operator::replica_type(plan, decides) == Some("Chief");
    let count = plan.roles[decides].count.value;
    if chief && success == Success::Chief && count > 1 {
        return Answer::refused(
            format!("ends the job when all {count} tasks of `{}` have succeeded", case.role(decides)),
            "`success \"workers\"`, or one task",
            "kubernetes-observed §6",
        );
    }
    // With `chief` the operator's own is the only one.
    let others: Vec<RoleId> =
        plan.deciding(success).filter(|id| *id != decides && success != Success::Chief).collect();
    let all_workers = !chief && success != Success::Chief;
    if others.is_empty() {
        return Answer::Native(Means::Success { all_workers });
    }
    if let Some(server) = others.iter().find(|id| plan.never_exits(**id)) {
        return Answer::refused(
            format!("waits for ever: a `{}` of this strategy does not end by itself", case.role(*server)),
            "`success \"chief\"`",
            "tensorflow-observed §5",
        );
    }
    if operator::collective(plan)
        && left_alone(case)
        && others.iter().all(|id| operator::is_worker(plan, *id))
    {
        return Answer::Emulated(
            Means::WorkersGoOn,
            "the operator takes the chief's success for the job's; its workers, which end in the same step, are left to end by themselves".to_owned(),
        );
    }
    Answer::Emulated(
        Means::Outlive { role: decides, others, success },
        "the shim of the deciding role ends only after the others: the operator asks nobody else; a task without an address for 6 minutes counts as ended".to_owned(),
    )
}

/// Whether nothing is stopped at the end of the job: then workers that are not quite done end by themselves.
fn left_alone(case: &Context<'_>) -> bool {
    let stops = |ask: &Ask| {
        matches!(ask, Ask::Lifecycle(Lifecycle::EndOfJob | Lifecycle::Keep { what: Kept::None, seconds: _ }))
    };
    !case.plan.asks.iter().any(|asked| stops(&asked.ask))
}

/// Pods that ended keep their logs; a Pod that still runs is stopped by deleting it, and its log goes with it.
fn keep(case: &Context<'_>, what: Kept, seconds: Option<u64>) -> Answer {
    let ttl = match seconds.map(i32::try_from) {
        None => None,
        Some(Ok(seconds)) => Some(i64::from(seconds)),
        Some(Err(_)) => return too_long("how long Pods stay", "RunPolicy v1"),
    };
    let stops = case.plan.roles.iter().any(|r| r.kind.outlives_training());
    let policy = match what {
        Kept::Failed => CleanPodPolicy::Running,
        Kept::None => CleanPodPolicy::All,
        Kept::All if stops => {
            return Answer::refused(
                "stops what still serves at the end by deleting its Pod, and the log goes with it",
                "`keep \"failed\"`: every Pod that ended by itself stays, well or not",
                "kubernetes §1.7",
            );
        }
        Kept::All => CleanPodPolicy::None,
    };
    Answer::Native(Means::Keep { policy, ttl })
}
