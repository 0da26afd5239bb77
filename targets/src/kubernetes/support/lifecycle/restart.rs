//! Restarts: the shim restarts a process, the kubelet restarts a container, and the operator recreates a lost worker.
use crate::kubernetes::Kubernetes;
use crate::kubernetes::mechanism::Mechanism;
use crate::kubernetes::operator;
use crate::kubernetes::support::Context;
use crate::kubernetes::support::Support;
use crate::pod::mechanism::Duty;
use tfjob_lang::diagnostic::{Remedy, Step};
use tfjob_lang::plan::{Plan, Role, RoleId, RoleKind};
use tfjob_lang::requirement::{Feature, Loss, Restart};
use tfjob_lang::spec::{RestartOn, Scope};
use tfjob_lang::target::Target;

/// Returns the support of one restart requirement.
///
/// The kubelet restarts a container without a limit, and the shim restarts a process within limits. If a running Pod is deleted
/// (drain, preemption, lost node), the operator recreates only a helper, or a worker with `enableDynamicWorker`. For any other
/// role, the job fails under every `restartPolicy`.
pub fn restart(context: &Context<'_>, role: RoleId, after: Loss, terms: &Restart) -> Support {
    let plan = context.plan;
    let native = operator::native_policy(plan, role, terms);
    if terms.on == RestartOn::Always && operator::decides_success(plan, role) {
        let why = match terms.limit {
            Some(_) => {
                "`restart \"always\"` is not supported for the role that decides job success: the program would run again after each success, until it reaches `limit`"
            }
            None => {
                "with `restart \"always\"`, the role that decides job success never finishes, so the job never succeeds"
            }
        };
        let help = "write `restart \"on-failure\"` for the role that decides job success";
        let refused = Support::impossible(why, help, "kubernetes#restart-policy-always");
        return on_failure(context, role, terms).into_iter().fold(refused, Support::remedy);
    }
    match (after, native) {
        (Loss::Process, Some(policy)) => Support::Native(Mechanism::Policy { role, policy }),
        (Loss::Process, None) => in_container(context, role, terms),
        (Loss::Container | Loss::Node, _) if plan.roles[role].kind == RoleKind::Helper => {
            Support::inherent("the operator recreates the pod of a helper whenever it is deleted")
        }
        (Loss::Container | Loss::Node, Some(_)) if operator::is_worker(plan, role) => {
            Support::Emulated(Mechanism::Dynamic, recreated(plan))
        }
        (Loss::Container | Loss::Node, _) => lost(context, role, terms),
    }
}

/// Returns the edit that restarts a role only after a failure, and removes the properties with which the operator would not replace its
/// tasks. `None` if the result would be refused.
fn on_failure(context: &Context<'_>, role: RoleId, terms: &Restart) -> Option<Remedy> {
    let terms = Restart { on: RestartOn::OnFailure, ..terms.clone() };
    let is_refused = |after| match restart(context, role, after, &terms) {
        Support::Unsupported(refusal) => {
            refusal.accepted(context.plan, Kubernetes::NAME, Feature::Restart).is_none()
        }
        Support::Native(_) | Support::Emulated(..) | Support::Inherent { .. } | Support::Ignored(_) => false,
    };
    let argument = Step::argument("restart \"on-failure\"");
    if ![Loss::Process, Loss::Container, Loss::Node].into_iter().any(is_refused) {
        return Some(argument.into());
    }
    let others = removable(context, role, &operator::terms_beyond_kubelet(context.plan, &terms))?;
    Some(Remedy(std::iter::once(argument).chain(others.0).collect()))
}

/// Returns the edit that removes the properties `beyond` of the `restart` of a worker, so that the operator recreates it. `None` if other
/// entries must change too.
fn removable(context: &Context<'_>, role: RoleId, beyond: &[&'static str]) -> Option<Remedy> {
    let is_shared = context.roles.restarts_like_worker.contains_key(&role);
    // `if-exists` is a property of another entry, which is not at the finding.
    let is_edit = !is_shared && operator::is_worker(context.plan, role) && !context.roles.fresh;
    (is_edit && !beyond.is_empty()).then(|| Remedy(beyond.iter().map(|name| Step::remove(*name)).collect()))
}

/// Returns a note on the limits of `enableDynamicWorker`, with which the operator recreates lost workers. Two limits were observed
/// with training-operator 1.9.4. If a worker is deleted while no other worker runs, and then exits with 0, it counts as succeeded.
/// If the chief or a parameter server has failed, the job stays `Restarting` while a worker restarts.
fn recreated(plan: &Plan) -> String {
    let exit_code = "the operator recreates a lost worker; in a container without the shim, let the program exit with 143 after SIGTERM, because exit code 0 may count as success";
    let fatal = |role: &&Role| matches!(role.kind, RoleKind::Chief | RoleKind::Ps | RoleKind::Evaluator);
    match plan.roles.iter().find(fatal) {
        None => exit_code.to_owned(),
        Some(role) => format!(
            "{exit_code}; if `{}` and a worker are lost at the same time, the job stays `Restarting` forever, so set `deadline`",
            role.name.value
        ),
    }
}

const PEERS_NOT_TOLD: &str = "`scope=\"job\"` is not supported: only the failed task restarts, because its peers are not notified of the failure";

/// Refuses a restart after the loss of a Pod of a rendezvous role. For a worker, the reason is a property of its `restart`. The
/// Pods of other rendezvous roles are never recreated. If a worker and another rendezvous role share one `restart` block, the help
/// says to give the block only to the worker.
fn lost(context: &Context<'_>, role: RoleId, terms: &Restart) -> Support {
    let plan = context.plan;
    let beyond = operator::terms_beyond_kubelet(plan, terms);
    let mut removed = beyond.clone();
    let fresh = context.roles.fresh;
    // A recreated worker, or a job that is submitted again, would find checkpoints that the job itself has written, and fail. So
    // `if-exists` must be removed too.
    if fresh && !beyond.is_empty() {
        removed.push("if-exists");
    }
    let shared = context.roles.restarts_like_worker.get(&role).map(|worker| context.role(*worker));
    let remedy = removable(context, role, &beyond);
    let removed = quoted(&removed);
    let remove = if removed.is_empty() { String::new() } else { format!("remove {removed}") };
    let again = if fresh { "and resubmit without `if-exists`" } else { "and resubmit" };
    let resumed = match plan.storage.checkpoints {
        Some(_) => "training resumes from the last checkpoint",
        None => "the job has no `checkpoints`, so training starts from the beginning",
    };
    let allow = format!(
        "accept failures of the job with `allow \"restart\" on=\"kubernetes\" because=\"…\"` {again} after each of them ({resumed})"
    );
    let help = match shared {
        Some(worker) if remove.is_empty() => {
            format!(
                "either move `restart` into `role \"{worker}\"`, because only workers are recreated; or {allow}"
            )
        }
        Some(worker) => format!("either move `restart` into `role \"{worker}\"` and {remove}; or {allow}"),
        None if operator::is_worker(plan, role) && !remove.is_empty() => {
            format!(
                "either {remove}, so that the operator recreates lost workers (`enableDynamicWorker`); or {allow}"
            )
        }
        None => allow,
    };
    let refused = |why: String, evidence| {
        let refused = Support::unsupported(why, help, evidence).of_part(beyond.first().copied());
        remedy.into_iter().fold(refused, Support::remedy)
    };
    if beyond.contains(&"scope") {
        return refused(PEERS_NOT_TOLD.to_owned(), "kubernetes#restart-of-one-task");
    }
    let why = if operator::native_policy(plan, role, terms).is_none() {
        // The text mentions memory, because the shim cannot restart a program that exceeds its memory limit. With cgroup v2, a
        // kubelet since 1.28 makes the kernel kill all processes of the container, including the shim.
        format!(
            "with `{}`, `tfjob-shim` restarts the program inside the pod; if the pod is deleted (drain, preemption, lost node) or runs out of memory, the operator fails the job",
            first(&beyond)
        )
    } else {
        "the operator recreates only lost workers: if a running pod of another role is deleted (drain, preemption, lost node), the job fails".to_owned()
    };
    refused(why, "kubernetes#lost-pods").move_into(shared.filter(|_| beyond.is_empty()))
}

/// Returns the first property in `beyond`, the properties that the kubelet cannot implement. The message names no others, because
/// in a spec with an error, their values may be placeholders.
fn first(beyond: &[&'static str]) -> &'static str {
    beyond.first().copied().unwrap_or("restart")
}

/// Returns names in backquotes, with `and` before the last one.
fn quoted(names: &[&str]) -> String {
    let all: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match all.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, [first])) => format!("{first} and {last}"),
        Some((last, rest)) => format!("{}, and {last}", rest.join(", ")),
        None => String::new(),
    }
}

fn in_container(context: &Context<'_>, role: RoleId, terms: &Restart) -> Support {
    if terms.scope == Scope::Job && !operator::collective(context.plan) && context.plan.rendezvous_tasks() > 1
    {
        if context.plan.roles[role].kind.joins_rendezvous() {
            // For a lost process, the refusal is the same as for a lost Pod, so that the user sees one error for one cause.
            return lost(context, role, terms);
        }
        return Support::unsupported(
            PEERS_NOT_TOLD,
            "write `scope=\"task\"` in this `restart`, so that only the failed task restarts",
            "kubernetes#restart-of-one-task",
        );
    }
    Support::Emulated(
        Mechanism::shim(Duty::Restart { role, terms: terms.clone() }),
        format!(
            "`restartPolicy` has no equivalent of `{}`, so the shim restarts the program inside its container",
            first(&operator::terms_beyond_kubelet(context.plan, terms))
        ),
    )
}
