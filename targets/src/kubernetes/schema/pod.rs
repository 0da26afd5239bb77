//! A Pod as a template: everything that concerns all its containers.
use super::{
    Affinity, Container, Flag, Number, SeccompProfile, Spread, Text, Toleration, Volume, Words, objects,
    words,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
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
    /// PodSpec v1 core. `restartPolicy` is not here: the operator overwrites it.
    PodSpec {
        /// Seconds from the Pod's start until it is failed.
        active_deadline_seconds: Number,
        /// Where it may run.
        affinity: Affinity,
        /// Whether containers see the service account's token.
        automount_service_account_token: Flag,
        /// What runs; one is named `tensorflow`.
        containers: Vec<Container>,
        /// How names are resolved.
        dns_config: DnsConfig,
        /// Who resolves names.
        dns_policy: Option<Traced<DnsPolicy>>,
        /// Whether other services of the namespace stand in the environment.
        enable_service_links: Flag,
        /// Lines of `/etc/hosts`.
        host_aliases: Vec<HostAlias>,
        /// The node's processes' shared memory.
        #[serde(rename = "hostIPC")]
        host_ipc: Flag,
        /// The node's network.
        host_network: Flag,
        /// The node's processes.
        #[serde(rename = "hostPID")]
        host_pid: Flag,
        /// The registry's credentials.
        image_pull_secrets: Vec<LocalReference>,
        /// What runs before.
        init_containers: Vec<Container>,
        /// The node.
        node_name: Text,
        /// Labels that the node must have.
        node_selector: Words,
        /// Whether others may be evicted for it: `Never`, `PreemptLowerPriority`.
        preemption_policy: Text,
        /// How important it is.
        priority_class_name: Text,
        /// The container runtime.
        runtime_class_name: Text,
        /// Who places it.
        scheduler_name: Text,
        /// What must be removed before it is placed.
        scheduling_gates: Vec<SchedulingGate>,
        /// Who it runs as.
        security_context: PodSecurityContext,
        /// Who it is to the API server.
        service_account_name: Text,
        /// Whether its containers see each other's processes.
        share_process_namespace: Flag,
        /// Seconds between SIGTERM and the kill.
        termination_grace_period_seconds: Number,
        /// Taints that it bears.
        tolerations: Vec<Toleration>,
        /// How Pods are spread.
        topology_spread_constraints: Vec<Spread>,
        /// What can be mounted.
        volumes: Vec<Volume>,
    }
    /// LocalObjectReference v1 core.
    LocalReference {
        /// The name.
        name: Text,
    }
    /// PodSchedulingGate v1 core.
    SchedulingGate {
        /// The name.
        name: Text,
    }
    /// HostAlias v1 core.
    HostAlias {
        /// The address.
        ip: Text,
        /// Its names.
        hostnames: Vec<Traced<String>>,
    }
    /// PodDNSConfig v1 core.
    DnsConfig {
        /// Servers.
        nameservers: Vec<Traced<String>>,
        /// Domains that are tried.
        searches: Vec<Traced<String>>,
        /// Options of the resolver.
        options: Vec<DnsOption>,
    }
    /// PodDNSConfigOption v1 core.
    DnsOption {
        /// The name.
        name: Text,
        /// The value.
        value: Text,
    }
    /// PodSecurityContext v1 core.
    PodSecurityContext {
        /// The group that owns volumes.
        fs_group: Number,
        /// When that is brought about: `OnRootMismatch`, `Always`.
        fs_group_change_policy: Text,
        /// The group.
        run_as_group: Number,
        /// Whether root is refused.
        run_as_non_root: Flag,
        /// The user.
        run_as_user: Number,
        /// Which system calls are let through.
        seccomp_profile: Option<SeccompProfile>,
        /// Further groups.
        supplemental_groups: Vec<Traced<i64>>,
        /// Kernel settings.
        sysctls: Vec<Sysctl>,
    }
    /// Sysctl v1 core.
    Sysctl {
        /// The name.
        name: Text,
        /// The value.
        value: Text,
    }
}

words! {
    /// Who resolves names.
    DnsPolicy {
        /// The cluster, also on the node's network.
        ClusterFirstWithHostNet,
        /// The cluster; on the node's network the node.
        ClusterFirst,
        /// The node.
        Default,
        /// What `dnsConfig` says alone.
        None,
    }
}
