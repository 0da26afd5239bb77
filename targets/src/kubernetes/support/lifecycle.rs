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

/// Returns the support of one requirement about start order, restarts, and completion.
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
            "the operator creates all pods at the same time, so the shim delays the program until the tasks of the other role have an address"
        }
        When::Ready => {
            "the operator creates all pods at the same time, so the shim delays the program until the tasks of the other role are ready"
        }
        When::Done => {
            // The help suggests `when="started"` or `when="ready"` only if `first` runs until the end of the job. The pod of a
            // finished task has no DNS record, so a task that starts late would not find it.
            let (name, later) = (&plan.roles[first].name.value, &plan.roles[role].name.value);
            let help = match contract_builder::stays(plan, first) {
                true => format!(
                    "run `{name}` as a separate job before this one; or, if `{later}` need not wait until `{name}` succeeds, write `when=\"started\"` or `\"ready\"`"
                ),
                false => format!("run `{name}` as a separate job before this one"),
            };
            return Support::unsupported(
                "`when=\"done\"` is not supported: a task cannot find out whether another task of the TFJob has succeeded",
                help,
                "kubernetes#created-objects",
            );
        }
    };
    if !contract_builder::stays(plan, first) {
        let name = &plan.roles[first].name.value;
        return Support::unsupported(
            format!(
                "a pod that has succeeded loses its DNS record, so a task that starts after `{name}` has finished would wait for it forever"
            ),
            format!(
                "if `{name}` never exits on its own, add `port \"web\" 8080; ready tcp=\"web\"` to `{name}`, with `when=\"ready\"` here; otherwise run `{name}` as a separate job before this job"
            ),
            "EndpointSlice v1 discovery.k8s.io",
        );
    }
    Support::Emulated(Mechanism::shim(Duty::After { role, first, when }), how.to_owned())
}

/// Returns the support of a readiness probe. A Pod has no DNS record until it is ready. But a task that meets peers in a rendezvous
/// needs their records before its Pod is ready.
fn ready(context: &Context<'_>, role: RoleId, probe: &Probe) -> Support {
    let peers = Peers { need_name: context.needs_name(role), await_end: outlived(context, role) };
    lifecycle::ready(&context.pod, role, probe, peers).map(Mechanism::Pod)
}

/// Returns whether another role waits for the end of this role. The waiting shim detects the end by the missing DNS record.
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
        return Support::inherent("a single pod needs no gang scheduler");
    }
    match &context.options.gang {
        Some(_) => Support::Native(Mechanism::Gang),
        None => Support::unsupported(
            "no gang scheduler is configured, so Kubernetes schedules each pod on its own",
            "name the gang scheduler of the training operator (`--gang-scheduler-name`): `target \"kubernetes\" { gang \"volcano\" }` or `target \"kubernetes\" { gang \"scheduler-plugins\" }`",
            "kubernetes#gang-scheduling",
        ),
    }
}

fn too_long(field: &str, help: &str, evidence: &'static str) -> Support {
    Support::impossible(format!("`{field}` is at most {} seconds", i32::MAX), help, evidence)
}

/// Returns the support of `deadline`. The kubelet stops a Pod on time, but the operator checks the deadline only when another
/// event makes it reconcile the job. If the operator recreates failed Pods, the failure of a Pod is such an event.
fn deadline(context: &Context<'_>, seconds: u64) -> Support {
    let Ok(seconds) = i32::try_from(seconds).map(i64::from) else {
        return too_long(
            "activeDeadlineSeconds",
            "write a shorter time: `deadline \"7d\"`",
            "PodSpec v1 core",
        );
    };
    if operator::final_pods(context.plan) {
        return Support::Native(Mechanism::Deadline { seconds, job: false });
    }
    Support::Emulated(
        Mechanism::Deadline { seconds, job: true },
        "the kubelet stops each pod after `activeDeadlineSeconds`, and the operator then fails the job; time in Pending counts too, because the operator counts from the creation of the job".to_owned(),
    )
}

/// Returns the support of `success`. The operator derives job success from the chief. Without a chief, it derives job success from
/// worker 0 or from all workers.
fn success(context: &Context<'_>, success: Success) -> Support {
    let plan = context.plan;
    let Some(decides) = context.roles.deciding else {
        let members = || (0..plan.roles.len()).filter(|id| plan.roles[*id].kind.joins_rendezvous());
        let renamable = members().find(|id| !known_name(context.plan, *id));
        return Support::impossible(
            "the operator derives job success from the chief or the workers, but this job has neither",
            match renamable {
                Some(_) => "rename the role that decides job success to `worker`",
                None => "add `role \"worker\"`",
            },
            "kubernetes#job-success",
        );
    };
    let chief = operator::replica_type(plan, decides) == Some("Chief");
    let count = plan.roles[decides].count.value;
    if chief && success == Success::Chief && count > 1 {
        return Support::unsupported(
            format!(
                "the operator waits until all {count} tasks of `{}` have succeeded, not only the first one",
                context.role(decides)
            ),
            "write `success \"workers\"`, or reduce the role to one task: `count=1`",
            "kubernetes#job-success",
        );
    }
    // With `success "chief"`, no other role decides job success, so there is no other role to wait for.
    let others: Vec<RoleId> =
        plan.deciding(success).filter(|id| *id != decides && success != Success::Chief).collect();
    let all_workers = !chief && success != Success::Chief;
    if others.is_empty() {
        return Support::Native(Mechanism::Success { all_workers });
    }
    if let Some(server) = others.iter().find(|id| plan.never_exits(**id)) {
        return Support::unsupported(
            format!(
                "the job would never succeed: `success` also waits for `{}`, which does not exit on its own",
                context.role(*server)
            ),
            "write `success \"chief\"`",
            "tensorflow#servers-that-never-exit",
        );
    }
    if operator::collective(plan)
        && keeps_running_pods(context)
        && others.iter().all(|id| operator::is_worker(plan, *id))
    {
        return Support::Emulated(
            Mechanism::WorkersGoOn,
            "the job succeeds when the chief succeeds; the workers are not stopped, because they finish at the same training step and exit on their own".to_owned(),
        );
    }
    Support::Emulated(
        Mechanism::Outlive { role: decides, others, success },
        "the operator derives job success from one role only, so the shim keeps the tasks of that role running until the other tasks have finished; a task without a DNS record for 6 minutes counts as finished".to_owned(),
    )
}

/// Returns whether no running Pod is deleted when the job ends, so that workers that have almost finished can exit on their own.
fn keeps_running_pods(context: &Context<'_>) -> bool {
    let stops = |requirement: &Requirement| {
        matches!(
            requirement,
            Requirement::Lifecycle(Lifecycle::EndOfJob | Lifecycle::Keep { what: Kept::None, seconds: _ })
        )
    };
    !context.plan.requirements.iter().any(|required| stops(&required.requirement))
}

/// Returns the support of `keep`. Finished Pods keep their logs. The operator stops a running Pod by deleting it, so its log is
/// lost.
fn keep(context: &Context<'_>, what: Kept, seconds: Option<u64>) -> Support {
    let ttl = match seconds.map(i32::try_from) {
        None => None,
        Some(Ok(seconds)) => Some(i64::from(seconds)),
        Some(Err(_)) => {
            return too_long("ttlSecondsAfterFinished", "write a shorter time: `for=\"7d\"`", "RunPolicy v1");
        }
    };
    if ttl.is_some() && context.options.replaced_in_wave().is_some() {
        return Support::impossible(
            "after this time, the operator deletes the finished TFJob, and with `argocd`, Argo CD then creates it again: the training starts again",
            "remove `for`: Argo CD deletes the job when its spec is removed from Git",
            "kubernetes#gitops",
        );
    }
    let stops = context.plan.roles.iter().any(|role| role.kind.outlives_training());
    let policy = match what {
        Kept::Failed => CleanPodPolicy::Running,
        Kept::None => CleanPodPolicy::All,
        Kept::All if stops => {
            return Support::unsupported(
                "`keep \"all\"` is not supported: when the job completes, the operator deletes the pods of tasks that are still running, such as a `ps`, and their logs are lost",
                "write `keep \"failed\"`, which on Kubernetes keeps every pod that exited on its own, including those that succeeded",
                "kubernetes#pod-cleanup",
            );
        }
        Kept::All => CleanPodPolicy::None,
    };
    Support::Native(Mechanism::Keep { policy, ttl })
}
