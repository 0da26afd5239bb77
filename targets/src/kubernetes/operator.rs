//! What the operator makes of a job's life: who decides its end, which restarts it has, which TF_CONFIG it writes.
//!
//! Read in training-operator 1.9.4, and observed: kubernetes#job-success, kubernetes#lost-pods, kubernetes#tf_config.
use super::Kubernetes;
use super::schema::RestartPolicy;
use crate::patch;
use crate::pod::context::{Hosts, Kind};
use serde_json::Value;
use tfjob_lang::plan::{Plan, Role, RoleId, RoleKind};
use tfjob_lang::requirement::{self, Lifecycle, Loss, Network, Requirement, Restart};
use tfjob_lang::spec::{FrameworkName, RestartOn, Scope, StrategyName};
use tfjob_lang::target::Target;

/// How the operator names and labels Pods.
pub const PODS: Kind = Kind {
    target: Kubernetes::NAME,
    name: "TFJob",
    container: "tensorflow",
    labels: ["training.kubeflow.org/job-name", "training.kubeflow.org/replica-type"],
    index: "metadata.labels['training.kubeflow.org/replica-index']",
    rendezvous: "tfjob-port",
    added_port: Some(DEFAULT_PORT),
    hosts: |job, namespace| Hosts {
        before: format!("{job}-"),
        between: "-",
        after: format!(".{namespace}.svc"),
    },
};

/// The kubelet's own pauses between restarts: 10 s, doubled up to 5 min.
const BACKOFF: (u64, u64) = (10, 300);

/// The key of a role in `tfReplicaSpecs`: the operator's own word in its exact case, which Kueue and the webhook need;
/// a helper's name as it is, which nothing but Pods and Services is made of.
#[must_use]
pub fn key(plan: &Plan, role: RoleId) -> String {
    match replica_type(plan, role) {
        Some(word) => word.to_owned(),
        None => plan.roles[role].name.value.clone(),
    }
}

/// What patches set at a place in the `ReplicaSpec` of a role, the last of them: one of the job reaches each role, one of a role
/// that role.
#[must_use]
pub fn patched(plan: &Plan, role: RoleId, place: &str) -> Option<Value> {
    plan.requirements.iter().rev().find_map(|required| {
        let Requirement::Job(requirement::Job::Patch { target, role: of, text }) = &required.requirement
        else {
            return None;
        };
        if target != Kubernetes::NAME || of.is_some_and(|of| of != role) {
            return None;
        }
        let patch = patch::value(text);
        let own = match of {
            Some(_) => &patch,
            None => &patch["spec"]["tfReplicaSpecs"][key(plan, role)],
        };
        own.pointer(place).cloned()
    })
}

/// The operator's word for a role of the rendezvous.
#[must_use]
pub fn replica_type(plan: &Plan, role: RoleId) -> Option<&'static str> {
    let role = &plan.roles[role];
    match role.kind {
        RoleKind::Chief => Some("Chief"),
        RoleKind::Worker => Some("Worker"),
        RoleKind::Ps => Some("PS"),
        RoleKind::Evaluator => Some("Evaluator"),
        RoleKind::Own => known(&role.name.value),
        RoleKind::Master | RoleKind::Scheduler | RoleKind::Server | RoleKind::Helper => None,
    }
}

/// The operator's roles by the words that it takes for them, whatever their case.
#[must_use]
pub fn known(word: &str) -> Option<&'static str> {
    ["Chief", "Worker", "PS", "Evaluator", "Master"]
        .into_iter()
        .find(|known| known.eq_ignore_ascii_case(word))
}

/// Whether a role is the operator's `Worker`.
#[must_use]
pub fn is_worker(plan: &Plan, role: RoleId) -> bool {
    replica_type(plan, role) == Some("Worker")
}

/// Whether the tasks are a collective, so that all fail when one does. Of others than TensorFlow's nothing was seen here.
#[must_use]
pub fn collective(plan: &Plan) -> bool {
    plan.framework.name.value == FrameworkName::Tensorflow && plan.framework.of_contract().is_collective()
}

/// The role whose end the operator asks for: the chief, else the workers.
#[must_use]
pub fn decides(plan: &Plan) -> Option<RoleId> {
    let find = |word| (0..plan.roles.len()).find(|id| replica_type(plan, *id) == Some(word));
    find("Chief").or_else(|| find("Worker"))
}

/// The policy under which the platform itself restarts a role's container as the terms say, if one does.
#[must_use]
pub fn native_policy(plan: &Plan, role: RoleId, terms: &Restart) -> Option<RestartPolicy> {
    let same = beyond(plan, terms).is_empty();
    match terms.on {
        RestartOn::OnFailure if same => Some(RestartPolicy::OnFailure),
        RestartOn::Always if same && !counts(plan, role) => Some(RestartPolicy::Always),
        RestartOn::OnFailure | RestartOn::Always | RestartOn::Never => None,
    }
}

/// The terms of a restart that the kubelet does not keep: it never gives up, waits as it likes and asks for no exit code.
///
/// Restarts of the whole job it cannot do, but under multi-worker-mirrored they come about: the peers of a lost task
/// fail by themselves and are restarted too (tensorflow#synchronous-training-recovers).
#[must_use]
pub fn beyond(plan: &Plan, terms: &Restart) -> Vec<&'static str> {
    let Restart { on: _, limit, within, backoff, max_backoff, min_uptime, stalls, scope, codes, mounted: _ } =
        terms;
    let other = |said: Option<u64>, kept| said.is_some_and(|seconds| seconds != kept);
    let words = [
        ("limit", limit.is_some()),
        ("within", within.is_some() && limit.is_some()),
        ("backoff", other(*backoff, BACKOFF.0)),
        ("max-backoff", other(*max_backoff, BACKOFF.1)),
        ("min-uptime", min_uptime.is_some()),
        ("no-progress-limit", stalls.is_some()),
        ("codes", !codes.is_empty()),
        ("scope", *scope == Scope::Job && !collective(plan) && plan.rendezvous_tasks() > 1),
    ];
    words.into_iter().filter(|(_, said)| *said).map(|(word, _)| word).collect()
}

/// Whether the success of a role's tasks is asked for at the end of the job.
#[must_use]
pub fn counts(plan: &Plan, role: RoleId) -> bool {
    decides(plan) == Some(role)
}

/// The restarts that are asked of the container itself, by role.
fn restarts(plan: &Plan) -> impl Iterator<Item = (RoleId, &Restart)> {
    plan.requirements.iter().filter_map(|required| {
        let Requirement::Lifecycle(Lifecycle::Restart { role, after: Loss::Process, restart }) =
            &required.requirement
        else {
            return None;
        };
        Some((*role, restart))
    })
}

/// Whether workers that are lost come back: `enableDynamicWorker`. Only where they never fail for good, since a worker
/// that does would not end the job any more.
#[must_use]
pub fn dynamic(plan: &Plan) -> bool {
    restarts(plan).any(|(role, terms)| is_worker(plan, role) && native_policy(plan, role, terms).is_some())
}

/// Whether no Pod of the rendezvous is ever started again by the platform.
#[must_use]
pub fn final_pods(plan: &Plan) -> bool {
    let members = |role: RoleId| plan.roles[role].kind.joins_rendezvous();
    !restarts(plan).any(|(role, terms)| members(role) && native_policy(plan, role, terms).is_some())
}

/// Whether the operator writes TF_CONFIG at all: with more than one Pod in its five roles.
#[must_use]
pub fn distributed(plan: &Plan) -> bool {
    let known = (0..plan.roles.len()).filter(|id| replica_type(plan, *id).is_some());
    known.map(|id| u64::from(plan.roles[id].count.value)).sum::<u64>() != 1
}

/// Whether the TF_CONFIG that the operator writes is the one that each task needs.
///
/// It puts every Pod of the job into it, evaluators and helpers too, and with `enableDynamicWorker` only a part.
#[must_use]
pub fn operator_config_fits(plan: &Plan) -> bool {
    if plan.framework.name.value != FrameworkName::Tensorflow {
        return true;
    }
    if !distributed(plan) {
        // Nothing is written, and a task that is alone needs nothing.
        return plan.rendezvous_tasks() <= 1;
    }
    let whole = plan.roles.iter().all(|r| r.kind.joins_rendezvous()) && !dynamic(plan);
    let evaluator = plan.role_of(RoleKind::Evaluator).is_some();
    whole
        && match plan.framework.strategy {
            Some(StrategyName::Custom) => true,
            Some(StrategyName::MultiWorkerMirrored) => !evaluator && plan.role_of(RoleKind::Ps).is_none(),
            Some(StrategyName::ParameterServer | StrategyName::Estimator) => !evaluator,
            Some(StrategyName::Single | StrategyName::Mirrored) | None => false,
        }
}

/// The port of the rendezvous, which the operator adds to every Pod where no port is named `tfjob-port`.
pub const DEFAULT_PORT: u16 = 2222;

/// The port that a helper has in place of the operator's own on the network of the host, where each port of a container is one
/// of the host: else no host has room for a helper and a task, which share nothing. `None`: its first port has the name.
#[must_use]
pub fn idle_port(plan: &Plan, role: RoleId) -> Option<u16> {
    let host = plan
        .requirements
        .iter()
        .any(|required| matches!(required.requirement, Requirement::Network(Network::Host)));
    let fixed = |role: &Role| role.ports.iter().any(|port| port.number.is_some());
    let idle = |role: &Role| role.kind == RoleKind::Helper && !fixed(role);
    if !host || !idle(&plan.roles[role]) {
        return None;
    }
    let taken: Vec<u16> =
        plan.roles.iter().flat_map(|role| &role.ports).filter_map(|port| port.number).collect();
    let free = (DEFAULT_PORT + 1..=u16::MAX).filter(|port| !taken.contains(port));
    let before = plan.roles[..role].iter().filter(|role| idle(role)).count();
    free.into_iter().nth(before)
}

/// A program's own roles are named as they are; `master` would be the chief under a name that TensorFlow refuses.
pub fn known_name(plan: &Plan, role: RoleId) -> bool {
    let role = &plan.roles[role];
    role.kind != RoleKind::Own || ["chief", "worker", "ps", "evaluator"].contains(&role.name.value.as_str())
}
