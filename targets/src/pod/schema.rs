//! Objects of Kubernetes as we write them, with its own field names: Pods, and what stands beside a job.
//!
//! Each struct names the page of its own in the API reference, <https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.31/>.
//! They hold the fields that we write; what a patch may set is in the published types of each kind.
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

/// Declares objects of the API: camelCase, each field left out when it is empty.
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

/// Declares words of the API. Their case matters and nothing checks it: `running` would delete every Pod.
macro_rules! words {
    ($($(#[$meta:meta])* $name:ident { $($(#[$word_meta:meta])* $word:ident,)* })*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
        pub enum $name { $($(#[$word_meta])* $word,)* }
    )*};
}

pub(crate) use {objects, words};

objects! {
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
