//! The words of `target "kubernetes" { … }`, in a job and in a role.
use crate::pod;
pub use crate::pod::options::{Csi, Toleration};
use schemars::JsonSchema;
use serde::Deserialize;
use tfjob_lang::at::{At, Named};
use tfjob_lang::spec::values::{AbsolutePath, Image, Text};

/// What a job says of its cluster.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// The namespace; `default` unless given. Every address holds it, so it is always written.
    pub namespace: Option<At<Text>>,
    /// Kueue's queue in that namespace; with `gang "volcano"` Volcano's. Kueue must manage TFJobs: `kubeflow.org/tfjob` in
    /// its `integrations.frameworks`, which is off by default since Kueue 0.19.
    pub queue: Option<At<Text>>,
    /// The gang scheduler that the cluster's operator was started with.
    pub gang: Option<At<Gang>>,
    /// The priority class of the Pods, TensorBoard's among them.
    pub priority: Option<At<Text>>,
    /// The Pods' service account.
    pub service_account: Option<At<Text>>,
    /// Annotations of the job, its Pods and TensorBoard's Pod.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "pairs"))]
    pub annotations: Named<At<Text>>,
    /// A taint that the Pods bear, TensorBoard's among them.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "list"))]
    pub toleration: Vec<At<Toleration>>,
    /// The resource that counts GPUs; `nvidia.com/gpu` unless given.
    pub gpu_resource: Option<At<Text>>,
    /// The label of nodes that holds their GPUs' model, such as `nvidia.com/gpu.product`.
    pub gpu_model_label: Option<At<Text>>,
    /// The values of that label by the job's words: `a100 "NVIDIA-A100-SXM4-80GB"`. Others stand for themselves.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "pairs"))]
    pub gpu_models: Named<At<Text>>,
    /// The label of nodes that holds their GPUs' memory in MiB, such as `nvidia.com/gpu.memory`: a few percent less than the size in
    /// the product's name.
    pub gpu_memory_label: Option<At<Text>>,
    /// The label of nodes that holds their rack.
    pub rack_label: Option<At<Text>>,
    /// A driver that mounts uris of that scheme inline: `hdfs`, `viewfs`, `s3`, `s3a`, `gs`, `abfs`.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "named"))]
    pub csi: Named<At<Csi>>,
    /// The group that owns volumes, where the driver supports it.
    pub fs_group: Option<At<u32>>,
    /// Whether the namespace enforces the `restricted` Pod security standard.
    pub restricted: Option<At<bool>>,
    /// The image that fetches `code` and `stage`, but for `hdfs:` and `viewfs:`; each role's own unless given.
    pub stage_image: Option<At<Image>>,
    /// Where the image holds the shim; unless given it comes from a ConfigMap.
    pub shim: Option<At<AbsolutePath>>,
    /// YAML or JSON that is merged into the TFJob.
    #[schemars(extend("x-inherited" = false))]
    pub patch: Option<At<Text>>,
}

/// What a role says of its Pods. What the job says holds for each role that does not say it; annotations and tolerations are
/// those of both.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RoleOptions {
    /// The Pods' priority class.
    pub priority: Option<At<Text>>,
    /// The Pods' service account.
    pub service_account: Option<At<Text>>,
    /// Annotations of the Pods.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "pairs"))]
    pub annotations: Named<At<Text>>,
    /// A taint that the Pods bear.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "list"))]
    pub toleration: Vec<At<Toleration>>,
    /// YAML or JSON that is merged into the role's replica spec.
    pub patch: Option<At<Text>>,
}

/// The gang schedulers that the operator knows: `--gang-scheduler-name`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Gang {
    /// Volcano.
    Volcano,
    /// The coscheduling plugin of scheduler-plugins, under whatever name it runs.
    SchedulerPlugins,
}

impl Options {
    /// Whether Volcano schedules the job: then `queue` is Volcano's.
    #[must_use]
    pub fn volcano(&self) -> bool {
        self.gang.as_ref().is_some_and(|gang| gang.value == Gang::Volcano)
    }

    /// The options that concern Pods.
    #[must_use]
    pub fn pod(&self) -> pod::options::Options<'_> {
        pod::options::Options {
            namespace: self.namespace.as_ref(),
            priority: self.priority.as_ref(),
            service_account: self.service_account.as_ref(),
            annotations: &self.annotations,
            toleration: &self.toleration,
            gpu_resource: self.gpu_resource.as_ref(),
            gpu_model_label: self.gpu_model_label.as_ref(),
            gpu_models: &self.gpu_models,
            gpu_memory_label: self.gpu_memory_label.as_ref(),
            rack_label: self.rack_label.as_ref(),
            csi: &self.csi,
            fs_group: self.fs_group.as_ref(),
            restricted: self.restricted.as_ref(),
            stage_image: self.stage_image.as_ref(),
            shim: self.shim.as_ref(),
        }
    }
}

impl RoleOptions {
    /// The options that concern Pods.
    #[must_use]
    pub fn pod(&self) -> pod::options::RoleOptions<'_> {
        pod::options::RoleOptions {
            priority: self.priority.as_ref(),
            service_account: self.service_account.as_ref(),
            annotations: &self.annotations,
            toleration: &self.toleration,
        }
    }
}
