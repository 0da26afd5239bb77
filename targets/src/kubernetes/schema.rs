//! Kubernetes' objects as we write them, with its own field names: a TFJob, and what stands around it.
//!
//! Each struct names the page of its own in the API reference, <https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.31/>;
//! the TFJob's is <https://www.kubeflow.org/docs/components/trainer/legacy-v1/reference/training-operator/>. A `patch`
//! is checked against these very structs. What the operator or an API server would drop or overwrite is not here.
mod container;
mod place;
mod pod;
mod volume;

pub use container::{
    Capabilities, ConfigMapEnvSource, Container, ContainerPort, EnvFrom, EnvVar, EnvVarSource, ExecAction,
    HttpGet, HttpHeader, KeySelector, Lifecycle, LifecycleHandler, ObjectFieldSelector, Probe, PullPolicy,
    Resources, SeccompProfile, SecretEnvSource, SecurityContext, TcpSocket, VolumeMount,
};
pub use place::{
    Affinity, LabelRequirement, LabelSelector, NodeAffinity, NodeSelector, NodeSelectorTerm, Operator,
    PodAffinity, PodAffinityTerm, PreferredNode, Spread, TaintEffect, Toleration, TolerationOperator,
    WeightedPodTerm,
};
pub use pod::{
    DnsConfig, DnsOption, DnsPolicy, HostAlias, LocalReference, PodSecurityContext, PodSpec, PodTemplate,
    SchedulingGate, Sysctl,
};
pub use volume::{
    ClaimSource, ClaimSpec, ClaimTemplate, ConfigMapSource, CsiSource, DownwardFile, DownwardSource,
    EmptyDir, EphemeralSource, HostPath, KeyToPath, NamedProjection, NfsSource, ProjectedSource, Projection,
    SecretSource, ServiceAccountToken, Volume,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tfjob_lang::origin::Traced;

/// Text with its origin.
pub type Text = Option<Traced<String>>;
/// A number with its origin.
pub type Number = Option<Traced<i64>>;
/// A flag with its origin.
pub type Flag = Option<Traced<bool>>;
/// Words by name, each with its origin.
pub type Words = BTreeMap<String, Traced<String>>;

/// Whether a field is left out: the API takes absent and empty for the same.
pub fn absent<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Declares objects of the API: camelCase, closed, each field left out when it is empty.
macro_rules! objects {
    ($($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct $name {
            $(
                $(#[$field_meta])*
                #[serde(default, skip_serializing_if = "crate::kubernetes::schema::absent")]
                pub $field: $type,
            )*
        }
    )*};
}

/// Declares words of the API. Their case matters and nothing checks it: `running` would delete every Pod.
macro_rules! words {
    ($($(#[$meta:meta])* $name:ident { $($(#[$word_meta:meta])* $word:ident,)* })*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        pub enum $name { $($(#[$word_meta])* $word,)* }
    )*};
}

pub(crate) use {objects, words};

objects! {
    /// TFJob, kubeflow.org/v1.
    TfJob {
        /// The version of the shape.
        api_version: Text,
        /// The kind of object.
        kind: Text,
        /// Its name and labels.
        metadata: Metadata,
        /// What is wanted.
        spec: TfJobSpec,
    }
    /// ObjectMeta v1 meta.
    Metadata {
        /// The name, unique in the namespace.
        name: Text,
        /// The namespace.
        namespace: Text,
        /// What to filter by.
        labels: Words,
        /// What tools read.
        annotations: Words,
    }
    /// TFJobSpec, kubeflow.org/v1.
    TfJobSpec {
        /// How the job ends and is scheduled.
        run_policy: RunPolicy,
        /// Whose success is the job's where there is no chief; without it worker 0's.
        success_policy: Option<Traced<SuccessPolicy>>,
        /// A lost worker does not fail the job, and TF_CONFIG is sparse.
        enable_dynamic_worker: Flag,
        /// The roles. Keys are `Chief`, `Worker`, `PS`, `Evaluator`; any other is a role that nothing looks at.
        tf_replica_specs: BTreeMap<String, ReplicaSpec>,
    }
    /// RunPolicy, kubeflow.org/v1.
    RunPolicy {
        /// Which Pods are deleted at the end.
        clean_pod_policy: Option<Traced<CleanPodPolicy>>,
        /// Seconds after the end until the job and its Pods are deleted.
        ttl_seconds_after_finished: Number,
        /// Seconds from the job's start. Looked at only when something else happens to the job.
        active_deadline_seconds: Number,
        /// Restarts in place of all Pods together. Has no effect with `ExitCode`.
        backoff_limit: Number,
        /// Whether nothing runs.
        suspend: Flag,
        /// Which controller looks after the job; cannot be changed.
        managed_by: Text,
        /// For a gang scheduler that the operator knows of; else without effect.
        scheduling_policy: Option<SchedulingPolicy>,
    }
    /// SchedulingPolicy, kubeflow.org/v1.
    SchedulingPolicy {
        /// How many Pods start together.
        min_available: Number,
        /// Volcano's queue; cannot be changed.
        queue: Text,
        /// What these Pods need together.
        min_resources: Words,
        /// The priority of the group.
        priority_class: Text,
        /// Seconds until the group gives up.
        schedule_timeout_seconds: Number,
    }
    /// ReplicaSpec, kubeflow.org/v1.
    ReplicaSpec {
        /// Number of Pods.
        replicas: Number,
        /// What happens when a Pod's container ends. A policy in the template would be dead.
        restart_policy: Option<Traced<RestartPolicy>>,
        /// Each Pod.
        template: PodTemplate,
    }
    /// ConfigMap v1 core.
    ConfigMap {
        /// The version of the shape.
        api_version: Text,
        /// The kind of object.
        kind: Text,
        /// Its name.
        metadata: Metadata,
        /// Files by name.
        data: BTreeMap<String, Traced<String>>,
    }
    /// Deployment v1 apps.
    Deployment {
        /// The version of the shape.
        api_version: Text,
        /// The kind of object.
        kind: Text,
        /// Its name.
        metadata: Metadata,
        /// What is wanted.
        spec: DeploymentSpec,
    }
    /// DeploymentSpec v1 apps.
    DeploymentSpec {
        /// Number of Pods.
        replicas: Number,
        /// Its Pods.
        selector: Option<LabelSelector>,
        /// Each Pod.
        template: PodTemplate,
    }
    /// Service v1 core.
    Service {
        /// The version of the shape.
        api_version: Text,
        /// The kind of object.
        kind: Text,
        /// Its name.
        metadata: Metadata,
        /// What is wanted.
        spec: ServiceSpec,
    }
    /// ServiceSpec v1 core.
    ServiceSpec {
        /// Its Pods.
        selector: Words,
        /// Its ports.
        ports: Vec<ServicePort>,
    }
    /// ServicePort v1 core.
    ServicePort {
        /// The name.
        name: Text,
        /// The number, also at the Pod.
        port: Number,
    }
}

words! {
    /// Which Pods are deleted at the end.
    CleanPodPolicy {
        /// Those that still run.
        Running,
        /// All.
        All,
        /// None: what serves goes on for ever.
        None,
    }
    /// Whose success is the job's.
    SuccessPolicy {
        /// All workers'.
        AllWorkers,
    }
    /// What happens when a container ends.
    RestartPolicy {
        /// The job has failed.
        Never,
        /// It is started again in its Pod.
        OnFailure,
        /// It is started again in its Pod, even after success.
        Always,
        /// From 128 on a new Pod, else the job has failed.
        ExitCode,
    }
}
