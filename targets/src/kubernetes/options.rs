//! Options of `target "kubernetes" { … }`, in a job and in a role.
use crate::pod;
pub use crate::pod::options::{Csi, Toleration};
use crate::shim_source::ShimSource;
use schemars::JsonSchema;
use serde::Deserialize;
use tfjob_lang::at::{At, Named};
use tfjob_lang::spec::values::{Image, Text};

/// Options of the Kubernetes target.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// Namespace of the job. It is part of the DNS name of each pod. Default: `default`.
    pub namespace: Option<At<Text>>,
    /// Kueue `LocalQueue` in the namespace. The configuration of Kueue must contain `kubeflow.org/tfjob` in
    /// `integrations.frameworks`, so that Kueue manages TFJobs. Since Kueue 0.19, this entry is absent by default.
    pub local_queue: Option<At<Text>>,
    /// Queue of Volcano. Requires `gang "volcano"`.
    pub volcano_queue: Option<At<Text>>,
    /// Gang scheduler that the training operator uses (its flag `--gang-scheduler-name`).
    pub gang: Option<At<Gang>>,
    /// `priorityClassName` of the pods, including the TensorBoard pod.
    pub priority: Option<At<Text>>,
    /// `serviceAccountName` of the pods. The TensorBoard pod has the account of the first role, but no token for the Kubernetes
    /// API. The pod can still read cloud storage that is bound to this account (workload identity).
    pub service_account: Option<At<Text>>,
    /// Annotations of the job, its pods, and the TensorBoard pod.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "pairs"))]
    pub annotations: Named<At<Text>>,
    /// Toleration: a node taint that the pods, including the TensorBoard pod, tolerate.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "list"))]
    pub toleration: Vec<At<Toleration>>,
    /// Extended resource that counts GPUs. Default: `nvidia.com/gpu`.
    pub gpu_resource: Option<At<Text>>,
    /// Node label with the GPU model, such as `nvidia.com/gpu.product`.
    pub gpu_model_label: Option<At<Text>>,
    /// Value of the GPU model label for each model name in the job: `a100 "NVIDIA-A100-SXM4-80GB"`. If a model is not
    /// listed, its name is used as the value of the label.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "pairs"))]
    pub gpu_models: Named<At<Text>>,
    /// Node label with the GPU memory in MiB, such as `nvidia.com/gpu.memory`. Its value is a few percent below the size in
    /// the product name: an A100 with 40 GB has the value 40536.
    pub gpu_memory_label: Option<At<Text>>,
    /// Node label with the name of the rack. Required for `spread "rack"`.
    pub rack_label: Option<At<Text>>,
    /// CSI driver that mounts the URIs of one scheme as inline volumes. Schemes: `hdfs`, `viewfs`, `s3`, `s3a`, `gs`, `abfs`.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "named"))]
    pub csi: Named<At<Csi>>,
    /// `fsGroup` of the pods: the ID of the group that owns the volumes. Some volume drivers ignore `fsGroup`.
    pub fs_group: Option<At<u32>>,
    /// Whether the namespace enforces the `restricted` Pod Security Standard. If the cluster file sets `#true`, a job cannot set
    /// `#false`. Default: `#false`.
    pub restricted: Option<At<bool>>,
    /// Image of the init container that downloads `code` and `files`. Default: the image of the role. Downloads from `hdfs:` and
    /// `viewfs:` always use the image of the role, which contains the Hadoop client.
    pub stage_image: Option<At<Image>>,
    /// Source of `tfjob-shim`, the supervisor of tasks: a `path` in the image of every task, or an `image` that contains
    /// `tfjob-shim`. If unset, pods mount `tfjob-shim` from a ConfigMap.
    pub shim: Option<At<ShimSource>>,
    /// Prepares the job for Argo CD: a synchronization does not start a finished job again, and a changed job replaces the old one. The
    /// name of the TFJob then ends with a digest of the spec without `description`, `allow`, and `tensorboard`. The application must prune
    /// (`automated: { prune: true }`).
    pub argocd: Option<At<ArgoCd>>,
    /// YAML or JSON that is merged into the TFJob.
    #[schemars(extend("x-inherited" = false))]
    pub patch: Option<At<Text>>,
}

/// How Argo CD synchronizes a job.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ArgoCd {
    /// Sync wave of the TFJob. Its ConfigMap is in the wave before. Default: 0.
    #[schemars(extend("x-kdl" = "prop"))]
    pub wave: Option<At<i16>>,
    /// Runs the job as a hook, again at every synchronization of the application. The name of the TFJob then has no digest.
    #[schemars(extend("x-kdl" = "prop"))]
    pub hook: Option<At<Hook>>,
}

/// Phase of a synchronization in which Argo CD runs a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum Hook {
    /// Before the other objects of the application.
    PreSync,
    /// Together with the other objects.
    Sync,
    /// After the other objects are healthy.
    PostSync,
    /// If the synchronization fails.
    SyncFail,
}

/// Options of a role on Kubernetes. Default: the options of the job. Annotations and tolerations of the job and of the role are
/// combined.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RoleOptions {
    /// `priorityClassName` of the pods.
    pub priority: Option<At<Text>>,
    /// `serviceAccountName` of the pods.
    pub service_account: Option<At<Text>>,
    /// Annotations of the pods.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "pairs"))]
    pub annotations: Named<At<Text>>,
    /// Toleration: a node taint that the pods tolerate.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "list"))]
    pub toleration: Vec<At<Toleration>>,
    /// YAML or JSON that is merged into the replica spec of the role.
    pub patch: Option<At<Text>>,
}

/// Gang schedulers of the training operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Gang {
    /// Volcano.
    Volcano,
    /// Coscheduling plugin of scheduler-plugins.
    SchedulerPlugins,
}

impl Hook {
    /// Returns the name of the phase, as Argo CD writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PreSync => "PreSync",
            Self::Sync => "Sync",
            Self::PostSync => "PostSync",
            Self::SyncFail => "SyncFail",
        }
    }
}

impl Options {
    /// Returns whether the gang scheduler of the job is Volcano.
    #[must_use]
    pub fn volcano(&self) -> bool {
        self.gang.as_ref().is_some_and(|gang| gang.value == Gang::Volcano)
    }

    /// Returns the sync wave of the job, if a changed job gets another name, so that Argo CD replaces the old job.
    #[must_use]
    pub fn replaced_in_wave(&self) -> Option<i16> {
        let argocd = self.argocd.as_ref().filter(|argocd| argocd.value.hook.is_none())?;
        Some(argocd.value.wave.as_ref().map_or(0, |wave| wave.value))
    }

    /// Returns the phase and the sync wave in which Argo CD runs the job as a hook.
    fn hook(&self) -> Option<(&'static str, i16)> {
        let argocd = &self.argocd.as_ref()?.value;
        Some((argocd.hook.as_ref()?.value.name(), argocd.wave.as_ref().map_or(0, |wave| wave.value)))
    }

    /// Returns the options that concern Pods.
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
            shim: ShimSource::path(self.shim.as_ref()),
            shim_image: ShimSource::image(self.shim.as_ref()),
            replaced_in_wave: self.replaced_in_wave(),
            argocd: self.argocd.as_ref().map(|argocd| argocd.span),
            hook: self.hook(),
        }
    }
}

impl RoleOptions {
    /// Returns the options that concern Pods.
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
