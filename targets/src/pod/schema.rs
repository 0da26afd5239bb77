//! Kubernetes objects that tfjob writes, with the fields that it writes: Pods, and the objects that a job needs.
//!
//! Each struct cites its type in the API reference, <https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.31/>. The
//! published types of each kind of job contain the fields that a patch may set.
mod container;
mod place;
mod pod;
mod volume;

pub use container::{
    Capabilities, Container, ContainerPort, EnvVar, EnvVarSource, ExecAction, HttpGet, KeySelector,
    ObjectFieldSelector, Probe, PullPolicy, Resources, SeccompProfile, SecurityContext, TcpSocket,
    VolumeMount,
};
pub use place::{
    Affinity, LabelRequirement, LabelSelector, NodeSelector, NodeSelectorTerm, Operator, PodAffinityTerm,
    TaintEffect, Toleration, TolerationOperator,
};
pub use pod::{DnsPolicy, LocalReference, PodSpec, PodTemplate};
pub use volume::{
    ClaimSource, ConfigMapSource, CsiSource, EmptyDir, HostPath, KeyToPath, NamedProjection, NfsSource,
    ProjectedSource, Projection, SecretSource, Volume,
};

use serde::Serialize;
use std::collections::BTreeMap;
use tfjob_lang::origin::Traced;

/// String with the span in the spec that sets it.
pub type Text = Option<Traced<String>>;

/// Integer with the span in the spec that sets it.
pub type Number = Option<Traced<i64>>;

/// Boolean with the span in the spec that sets it.
pub type Flag = Option<Traced<bool>>;

/// Map of strings, each with the span in the spec that sets it.
pub type Words = BTreeMap<String, Traced<String>>;

/// Returns whether a field is omitted because its value is empty. For the API, an absent value and an empty one are the same.
pub fn absent<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Declares objects of the API. Their field names are written in camelCase, and empty fields are omitted.
macro_rules! objects {
    ($($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            $(
                $(#[$field_meta])*
                #[serde(skip_serializing_if = "crate::pod::schema::absent")]
                pub $field: $type,
            )*
        }
    )*};
}

/// Declares enums of the API, so that no value is misspelled. Values are case-sensitive, but the API server does not check them:
/// with `running` as `cleanPodPolicy`, the operator would delete every Pod.
macro_rules! words {
    ($($(#[$meta:meta])* $name:ident { $($(#[$word_meta:meta])* $word:ident,)* })*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
        pub enum $name { $($(#[$word_meta])* $word,)* }
    )*};
}

pub(crate) use {objects, words};

objects! {
    /// ObjectMeta v1 meta: metadata of an object.
    Metadata {
        /// Name, unique in the namespace.
        name: Text,
        /// Namespace.
        namespace: Text,
        /// Labels.
        labels: Words,
        /// Annotations.
        annotations: Words,
    }
    /// ConfigMap v1 core.
    ConfigMap {
        /// API version.
        api_version: Text,
        /// Kind of object.
        kind: Text,
        /// Name, namespace, and labels.
        metadata: Metadata,
        /// File contents by name.
        data: BTreeMap<String, Traced<String>>,
    }
    /// Deployment v1 apps.
    Deployment {
        /// API version.
        api_version: Text,
        /// Kind of object.
        kind: Text,
        /// Name, namespace, and labels.
        metadata: Metadata,
        /// Specification.
        spec: DeploymentSpec,
    }
    /// DeploymentSpec v1 apps.
    DeploymentSpec {
        /// Number of Pods.
        replicas: Number,
        /// Label selector of the Pods.
        selector: Option<LabelSelector>,
        /// Pod template.
        template: PodTemplate,
    }
    /// Service v1 core.
    Service {
        /// API version.
        api_version: Text,
        /// Kind of object.
        kind: Text,
        /// Name, namespace, and labels.
        metadata: Metadata,
        /// Specification.
        spec: ServiceSpec,
    }
    /// ServiceSpec v1 core.
    ServiceSpec {
        /// Label selector of the Pods.
        selector: Words,
        /// Ports.
        ports: Vec<ServicePort>,
    }
    /// ServicePort v1 core.
    ServicePort {
        /// Name.
        name: Text,
        /// Port number of the Service and of the Pod.
        port: Number,
    }
}
