//! Pod template, and the fields of a Pod that concern all its containers.
use super::{
    Affinity, Container, Flag, Number, SeccompProfile, Text, Toleration, Volume, Words, objects, words,
};
use serde::Serialize;
use tfjob_lang::origin::Traced;

objects! {
    /// PodTemplateSpec v1 core.
    PodTemplate {
        /// Labels and annotations. A template cannot set the name of its Pods.
        metadata: PodMetadata,
        /// Containers and their settings.
        spec: PodSpec,
    }
    /// ObjectMeta v1 meta: the fields that a template supports.
    PodMetadata {
        /// Labels.
        labels: Words,
        /// Annotations.
        annotations: Words,
    }
    /// PodSpec v1 core, without `restartPolicy`, which the kind of job sets.
    PodSpec {
        /// Deadline in seconds from the start of the Pod, after which the Pod fails.
        active_deadline_seconds: Number,
        /// Scheduling constraints.
        affinity: Affinity,
        /// Containers and their settings.
        containers: Vec<Container>,
        /// DNS policy.
        dns_policy: Option<Traced<DnsPolicy>>,
        /// Whether the Pod uses the host network.
        host_network: Flag,
        /// Secrets with registry credentials.
        image_pull_secrets: Vec<LocalReference>,
        /// Init containers.
        init_containers: Vec<Container>,
        /// Required node labels.
        node_selector: Words,
        /// Priority class.
        priority_class_name: Text,
        /// Security context.
        security_context: PodSecurityContext,
        /// Service account.
        service_account_name: Text,
        /// Whether each container gets a token for the API server.
        automount_service_account_token: Flag,
        /// Seconds between SIGTERM and SIGKILL.
        termination_grace_period_seconds: Number,
        /// Tolerations.
        tolerations: Vec<Toleration>,
        /// Volumes.
        volumes: Vec<Volume>,
    }
    /// LocalObjectReference v1 core.
    LocalReference {
        /// Name.
        name: Text,
    }
    /// PodSecurityContext v1 core.
    PodSecurityContext {
        /// Group ID that owns volumes.
        fs_group: Number,
        /// Whether the kubelet refuses to start a container as root.
        run_as_non_root: Flag,
        /// ID of the user that runs the containers.
        run_as_user: Number,
        /// Seccomp profile.
        seccomp_profile: Option<SeccompProfile>,
    }
}

words! {
    /// DNS policies.
    DnsPolicy {
        /// Cluster DNS, even on the host network.
        ClusterFirstWithHostNet,
    }
}
