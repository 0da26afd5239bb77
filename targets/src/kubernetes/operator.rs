//! Behavior of the training operator: how it decides job success, restarts tasks, and writes TF_CONFIG.
//!
//! Sources: the code of training-operator 1.9.4, and the tests in `docs/evidence`: kubernetes#job-success, kubernetes#lost-pods,
//! kubernetes#tf_config.
use super::Kubernetes;
use super::schema::RestartPolicy;
use crate::patch;
use crate::pod::context::{Hosts, Kind};
use serde_json::Value;
use tfjob_lang::plan::{Plan, Role, RoleId, RoleKind};
use tfjob_lang::requirement::{self, Lifecycle, Loss, Network, Requirement, Restart};
use tfjob_lang::spec::{FrameworkName, RestartOn, Scope, StrategyName};
use tfjob_lang::target::Target;

/// Names and labels that the operator gives to the Pods of a TFJob.
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

/// Minimum and maximum backoff of the kubelet before it restarts a container, in seconds. The backoff doubles after each restart.
const BACKOFF: (u64, u64) = (10, 300);

/// Returns the key of a role in `tfReplicaSpecs`. For a rendezvous role, this is its replica type, such as `Worker`. Kueue and the
/// webhook of the operator accept the key only with this capitalization. For a helper, the key is the role name.
#[must_use]
pub fn key(plan: &Plan, role: RoleId) -> String {
    match replica_type(plan, role) {
        Some(word) => word.to_owned(),
        None => plan.roles[role].name.value.clone(),
    }
}

/// Returns the value at a JSON pointer in the `ReplicaSpec` of a role, from the last patch that sets this value. `None` if no patch
/// sets it. A patch of the job can set values for all roles.
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
        let replica_spec = match of {
            Some(_) => &patch,
            None => &patch["spec"]["tfReplicaSpecs"][key(plan, role)],
        };
        replica_spec.pointer(place).cloned()
    })
}

/// Returns the replica type of a rendezvous role, or `None` for other roles.
#[must_use]
pub fn replica_type(plan: &Plan, role: RoleId) -> Option<&'static str> {
    let role = &plan.roles[role];
    match role.kind {
        RoleKind::Chief => Some("Chief"),
        RoleKind::Worker => Some("Worker"),
        RoleKind::Ps => Some("PS"),
        RoleKind::Evaluator => Some("Evaluator"),
        RoleKind::Own => known_type(&role.name.value),
        RoleKind::Master | RoleKind::Scheduler | RoleKind::Server | RoleKind::Helper => None,
    }
}

/// Returns the replica type that the operator recognizes in a key of `tfReplicaSpecs`, or `None`. The operator ignores case.
#[must_use]
pub fn known_type(key: &str) -> Option<&'static str> {
    ["Chief", "Worker", "PS", "Evaluator", "Master"].into_iter().find(|known| known.eq_ignore_ascii_case(key))
}

/// Returns whether a role has the replica type `Worker`.
#[must_use]
pub fn is_worker(plan: &Plan, role: RoleId) -> bool {
    replica_type(plan, role) == Some("Worker")
}

/// Returns whether all tasks fail when one task fails, as in synchronous training. Only for TensorFlow can the result be `true`,
/// because other frameworks were not tested.
#[must_use]
pub fn collective(plan: &Plan) -> bool {
    plan.framework.name.value == FrameworkName::Tensorflow && plan.framework.of_contract().is_collective()
}

/// Returns the role that decides job success: the chief, or the workers if there is no chief.
#[must_use]
pub fn deciding_role(plan: &Plan) -> Option<RoleId> {
    let find = |kind| (0..plan.roles.len()).find(|id| replica_type(plan, *id) == Some(kind));
    find("Chief").or_else(|| find("Worker"))
}

/// Returns the `restartPolicy` that restarts tasks as the spec requests, without the shim. `None` if there is no such policy.
#[must_use]
pub fn native_policy(plan: &Plan, role: RoleId, terms: &Restart) -> Option<RestartPolicy> {
    let native = terms_beyond_kubelet(plan, terms).is_empty();
    match terms.on {
        RestartOn::OnFailure if native => Some(RestartPolicy::OnFailure),
        RestartOn::Always if native && !decides_success(plan, role) => Some(RestartPolicy::Always),
        RestartOn::OnFailure | RestartOn::Always | RestartOn::Never => None,
    }
}

/// Returns the properties of `restart` that the kubelet cannot implement. The kubelet restarts without a limit, with a backoff that
/// a Pod cannot change, and after every nonzero exit code.
///
/// The kubelet cannot restart all tasks together (`scope="job"`). With `multi-worker-mirrored`, this is not needed: when a task
/// fails, its peers fail as well, and the kubelet restarts each of them (tensorflow#synchronous-training-recovers).
#[must_use]
pub fn terms_beyond_kubelet(plan: &Plan, terms: &Restart) -> Vec<&'static str> {
    let Restart {
        on: _,
        limit,
        within,
        backoff,
        max_backoff,
        min_uptime,
        no_progress_limit,
        scope,
        codes,
        mounted: _,
    } = terms;
    let differs = |set: Option<u64>, kubelet| set.is_some_and(|seconds| seconds != kubelet);
    let properties = [
        ("limit", limit.is_some()),
        ("within", within.is_some() && limit.is_some()),
        ("backoff", differs(*backoff, BACKOFF.0)),
        ("max-backoff", differs(*max_backoff, BACKOFF.1)),
        ("min-uptime", min_uptime.is_some()),
        ("no-progress-limit", no_progress_limit.is_some()),
        ("codes", !codes.is_empty()),
        ("scope", *scope == Scope::Job && !collective(plan) && plan.rendezvous_tasks() > 1),
    ];
    properties.into_iter().filter(|(_, set)| *set).map(|(name, _)| name).collect()
}

/// Returns whether the tasks of a role decide job success.
#[must_use]
pub fn decides_success(plan: &Plan, role: RoleId) -> bool {
    deciding_role(plan) == Some(role)
}

/// Returns each role with a `restart` that restarts the process of a task, and the properties of this `restart`.
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

/// Returns whether the job sets `enableDynamicWorker`, so that the operator recreates lost workers. The job sets it only if
/// workers restart without a limit. With this field, a worker that fails permanently does not end the job.
#[must_use]
pub fn dynamic(plan: &Plan) -> bool {
    restarts(plan).any(|(role, terms)| is_worker(plan, role) && native_policy(plan, role, terms).is_some())
}

/// Returns whether no task of a rendezvous role is restarted: neither by the kubelet nor by the operator.
#[must_use]
pub fn final_pods(plan: &Plan) -> bool {
    let members = |role: RoleId| plan.roles[role].kind.joins_rendezvous();
    !restarts(plan).any(|(role, terms)| members(role) && native_policy(plan, role, terms).is_some())
}

/// Returns whether the operator writes TF_CONFIG. It writes none if the roles with a replica type have one replica in total.
#[must_use]
pub fn distributed(plan: &Plan) -> bool {
    let known = (0..plan.roles.len()).filter(|id| replica_type(plan, *id).is_some());
    known.map(|id| u64::from(plan.roles[id].count.value)).sum::<u64>() != 1
}

/// Returns whether each task can use the TF_CONFIG that the operator writes.
///
/// This TF_CONFIG does not fit every job: it lists all Pods of the job, even evaluators and helpers. With `enableDynamicWorker`, it
/// lists only some Pods.
#[must_use]
pub fn operator_config_fits(plan: &Plan) -> bool {
    if plan.framework.name.value != FrameworkName::Tensorflow {
        return true;
    }
    if !distributed(plan) {
        // The operator writes no TF_CONFIG for this job. A single task needs none, but several tasks need one.
        return plan.rendezvous_tasks() <= 1;
    }
    let complete = plan.roles.iter().all(|r| r.kind.joins_rendezvous()) && !dynamic(plan);
    let evaluator = plan.role_of(RoleKind::Evaluator).is_some();
    complete
        && match plan.framework.strategy {
            Some(StrategyName::Custom) => true,
            Some(StrategyName::MultiWorkerMirrored) => !evaluator && plan.role_of(RoleKind::Ps).is_none(),
            Some(StrategyName::ParameterServer | StrategyName::Estimator) => !evaluator,
            Some(StrategyName::Single | StrategyName::Mirrored) | None => false,
        }
}

/// Rendezvous port that the operator adds to every Pod without a port named `tfjob-port`.
pub const DEFAULT_PORT: u16 = 2222;

/// Returns an unused port for a helper on the host network. Otherwise, the operator would add port 2222 to the helper. On the host
/// network, a container port is a port of the node, so a helper and a task could not share a node. `None` if the helper needs no
/// unused port, for example because it has a fixed port, which then gets the name `tfjob-port`.
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

/// Returns whether both the operator and TensorFlow accept the name of a role. TensorFlow does not accept `master`.
pub fn known_name(plan: &Plan, role: RoleId) -> bool {
    let role = &plan.roles[role];
    role.kind != RoleKind::Own || ["chief", "worker", "ps", "evaluator"].contains(&role.name.value.as_str())
}

/// Returns whether the operator ignores the results of a rendezvous role, because it does not know the name of the role.
pub fn is_unknown(plan: &Plan, role: RoleId) -> bool {
    plan.roles[role].kind != RoleKind::Helper
        && !(replica_type(plan, role).is_some() && known_name(plan, role))
}
