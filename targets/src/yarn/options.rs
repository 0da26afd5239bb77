//! Options of the YARN target: `target "yarn" { … }`.
use crate::shim_source::ShimSource;
use schemars::JsonSchema;
use serde::Deserialize;
use tfjob_lang::at::{At, Named};
use tfjob_lang::spec::values::{AbsolutePath, Duration, Text, Uri, Version};

/// Options of the YARN target. If an option is unset, checks assume the most restrictive cluster.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Options {
    /// Hadoop version of the cluster, such as `3.3.6` or `3.3`. Default: `3.1.2`, the oldest supported version.
    pub hadoop: Option<At<Version>>,
    /// Queue of the job. Default: the default queue of the cluster.
    pub queue: Option<At<Text>>,
    /// DNS domain of the YARN registry (`hadoop.registry.dns.domain-name`). The host names of all tasks end with it.
    pub dns_domain: Option<At<Text>>,
    /// Name of the user who submits the job. It is a part of the host names of the tasks, so write it as in DNS: lower case, with
    /// `-` instead of `_`. If set, the output works only for this user. If unset, YARN inserts the name of the submitting user.
    pub user: Option<At<Text>>,
    /// Default file system of the cluster (`fs.defaultFS`), such as `hdfs://nn1`. The setup steps do not upload files
    /// that are already on it.
    pub default_fs: Option<At<Text>>,
    /// Source of `tfjob-shim`, the supervisor of tasks: a `url` on the default file system. If unset, a setup step
    /// uploads the `tfjob-shim` that is installed with tfjob.
    pub shim: Option<At<ShimSource>>,
    /// Docker `config.json` on the default file system, with the registry credentials for all images of the job.
    pub docker_config: Option<At<Uri>>,
    /// Mount points of shared file systems on each node: `mounted { "nfs://filer/export" "/mnt/filer" }`.
    #[schemars(extend("x-kdl" = "pairs"))]
    pub mounted: Named<At<AbsolutePath>>,
    /// Whether the cluster supports placement constraints: `yarn.resourcemanager.placement-constraints.handler` is
    /// `scheduler` or `placement-processor`. Default: `#false`.
    pub placement_constraints: Option<At<bool>>,
    /// Node attribute with the GPU model, such as `nm.yarn.io/gpu-model`.
    pub gpu_attribute: Option<At<Text>>,
    /// Web address of the ResourceManager, such as `http://rm:8088`. Jobs with placement constraints are submitted to it
    /// over HTTP.
    pub resource_manager: Option<At<Text>>,
    /// Time between SIGTERM and SIGKILL that the cluster has configured (`yarn.nodemanager.sleep-delay-before-sigkill.ms`). This
    /// option does not configure the cluster: tfjob only checks that `stop grace` is not longer. Default: 250 ms.
    pub kill_delay: Option<At<Duration>>,
    /// Time that a node keeps the files of finished containers, as configured in the cluster
    /// (`yarn.nodemanager.delete.debug-delay-sec`). This option does not configure the cluster: tfjob only checks that
    /// `for` of `keep` is not longer. Default: 0 s (files are deleted immediately). Docker containers are kept for the same time
    /// only if `yarn.nodemanager.runtime.linux.docker.delayed-removal.allowed` is `true`.
    pub keep_delay: Option<At<Duration>>,
    /// JSON or YAML that is merged into the service (RFC 7386).
    #[schemars(extend("x-inherited" = false))]
    pub patch: Option<At<Text>>,
}

/// Options of a role on YARN.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct RoleOptions {
    /// JSON or YAML that is merged into the component of the role (RFC 7386).
    pub patch: Option<At<Text>>,
}
