//! A Pod as a template: everything that concerns all its containers.
use super::{
    Affinity, Container, Flag, Number, SeccompProfile, Text, Toleration, Volume, Words, objects, words,
};
use serde::Serialize;
use tfjob_lang::origin::Traced;

objects! {
    /// PodTemplateSpec v1 core.
    PodTemplate {
        /// Labels and annotations; a name would be ignored.
        metadata: PodMetadata,
        /// What runs.
        spec: PodSpec,
    }
    /// What of ObjectMeta v1 meta a template keeps.
    PodMetadata {
        /// What to filter by.
        labels: Words,
        /// What tools read.
        annotations: Words,
    }
    /// PodSpec v1 core. `restartPolicy` is not here: it depends on what makes the Pods.
    PodSpec {
        /// Seconds from the Pod's start until it is failed.
        active_deadline_seconds: Number,
        /// Where it may run.
        affinity: Affinity,
        /// What runs.
        containers: Vec<Container>,
        /// Who resolves names.
        dns_policy: Option<Traced<DnsPolicy>>,
        /// The node's network.
        host_network: Flag,
        /// The registry's credentials.
        image_pull_secrets: Vec<LocalReference>,
        /// What runs before.
        init_containers: Vec<Container>,
        /// Labels that the node must have.
        node_selector: Words,
        /// How important it is.
        priority_class_name: Text,
        /// Who it runs as.
        security_context: PodSecurityContext,
        /// Who it is to the API server.
        service_account_name: Text,
        /// Seconds between SIGTERM and the kill.
        termination_grace_period_seconds: Number,
        /// Taints that it bears.
        tolerations: Vec<Toleration>,
        /// What can be mounted.
        volumes: Vec<Volume>,
    }
    /// LocalObjectReference v1 core.
    LocalReference {
        /// The name.
        name: Text,
    }
    /// PodSecurityContext v1 core.
    PodSecurityContext {
        /// The group that owns volumes.
        fs_group: Number,
        /// Whether root is refused.
        run_as_non_root: Flag,
        /// The user.
        run_as_user: Number,
        /// Which system calls are let through.
        seccomp_profile: Option<SeccompProfile>,
    }
}

words! {
    /// Who resolves names.
    DnsPolicy {
        /// The cluster, also on the node's network.
        ClusterFirstWithHostNet,
    }
}
