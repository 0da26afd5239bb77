//! What a job says of its YARN cluster: `target "yarn" { … }`.
use schemars::JsonSchema;
use serde::Deserialize;
use tfjob_lang::at::{At, Named};
use tfjob_lang::spec::values::{AbsolutePath, Duration, Text, Uri, Version};

/// What a job says of the cluster. Whatever is not said is taken as it would be worst.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Options {
    /// The release of Hadoop, such as `3.3.6` or `3.3`; 3.1.2, the oldest that is supported, unless given.
    pub hadoop: Option<At<Version>>,
    /// The queue; the cluster's default unless given.
    pub queue: Option<At<Text>>,
    /// The domain of the registry's DNS, as `hadoop.registry.dns.domain-name` has it. Tasks find each other by it.
    pub dns_domain: Option<At<Text>>,
    /// The user who submits the job, as DNS writes it; whoever it is unless given.
    pub user: Option<At<Text>>,
    /// The cluster's default file system, such as `hdfs://nn1`: what lies there is not copied before it is used.
    pub default_fs: Option<At<Text>>,
    /// Where the shim lies on the default file system; a step puts it there unless given.
    pub shim: Option<At<Uri>>,
    /// A `config.json` of Docker on the default file system, with the registry's credentials for every image of the job.
    pub docker_config: Option<At<Uri>>,
    /// Where each node has a shared file system mounted: `mounted { "nfs://filer/export" "/mnt/filer" }`.
    #[schemars(extend("x-kdl" = "pairs"))]
    pub mounted: Named<At<AbsolutePath>>,
    /// The cluster handles placement constraints: `yarn.resourcemanager.placement-constraints.handler` is `scheduler` or
    /// `placement-processor`.
    pub placement_constraints: Option<At<bool>>,
    /// The attribute in which nodes name the model of their GPUs, such as `nm.yarn.io/gpu-model`.
    pub gpu_attribute: Option<At<Text>>,
    /// The web address of the resource manager, such as `http://rm:8088`: a job with constraints is posted to it.
    pub resource_manager: Option<At<Text>>,
    /// How long a node waits between SIGTERM and the kill:
    /// `yarn.nodemanager.sleep-delay-before-sigkill.ms`, a quarter of a second unless given.
    pub kill_delay: Option<At<Duration>>,
    /// How long a node keeps what containers leave: `yarn.nodemanager.delete.debug-delay-sec`. Docker's own stay as long
    /// where the node grants it: `yarn.nodemanager.runtime.linux.docker.delayed-removal.allowed`. Neither unless given.
    pub keep_delay: Option<At<Duration>>,
    /// JSON or YAML merged into the service, after RFC 7386.
    #[schemars(extend("x-inherited" = false))]
    pub patch: Option<At<Text>>,
}

/// What a role says of its component.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct RoleOptions {
    /// JSON or YAML merged into the role's component, after RFC 7386.
    pub patch: Option<At<Text>>,
}
