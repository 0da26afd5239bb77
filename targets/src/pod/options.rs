//! Options of a target that concern Pods, as references into the options of the target. Each kind of job declares its own block
//! `target "…"`.
//!
//! The options of each kind of job do not share one struct by `serde(flatten)`, because `flatten` reads through a buffer and so
//! loses the spans.
use super::schema::TaintEffect;
use schemars::JsonSchema;
use serde::Deserialize;
use tfjob_lang::at::{At, Named};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::{AbsolutePath, Image, Text};

/// Options of a job that concern its Pods.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// Namespace. Default: `default`.
    pub namespace: Option<&'a At<Text>>,
    /// Priority class of the Pods.
    pub priority: Option<&'a At<Text>>,
    /// Service account of the Pods.
    pub service_account: Option<&'a At<Text>>,
    /// Annotations of the job, its Pods, and the Pod of TensorBoard.
    pub annotations: &'a Named<At<Text>>,
    /// Taints that the Pods tolerate.
    pub toleration: &'a [At<Toleration>],
    /// Extended resource that counts GPUs. Default: `nvidia.com/gpu`.
    pub gpu_resource: Option<&'a At<Text>>,
    /// Node label with the GPU model.
    pub gpu_model_label: Option<&'a At<Text>>,
    /// Values of the GPU model label, by the model names that the job uses.
    pub gpu_models: &'a Named<At<Text>>,
    /// Node label with the GPU memory in MiB.
    pub gpu_memory_label: Option<&'a At<Text>>,
    /// Node label with the name of the rack.
    pub rack_label: Option<&'a At<Text>>,
    /// CSI drivers, by the URI schemes that they mount.
    pub csi: &'a Named<At<Csi>>,
    /// `fsGroup`: group ID that owns volumes.
    pub fs_group: Option<&'a At<u32>>,
    /// Whether the namespace enforces the `restricted` Pod Security Standard.
    pub restricted: Option<&'a At<bool>>,
    /// Image of the init container that downloads `code` and `files`.
    pub stage_image: Option<&'a At<Image>>,
    /// Path of the shim in the image.
    pub shim: Option<&'a At<AbsolutePath>>,
    /// Image from which an init container copies the shim.
    pub shim_image: Option<&'a At<Image>>,
    /// Whether a changed job is another object, which replaces the old one: the name of the object then ends with a digest of the spec.
    /// The number is the sync wave of the object in Argo CD.
    pub replaced_in_wave: Option<i16>,
    /// Span of the option from which the values for Argo CD come.
    pub argocd: Option<Span>,
    /// Phase and sync wave in which Argo CD runs the job as a hook.
    pub hook: Option<(&'static str, i16)>,
}

/// Options of a role that concern its Pods. If the role does not set an option, the option of the job applies.
#[derive(Debug, Clone, Copy)]
pub struct RoleOptions<'a> {
    /// Priority class.
    pub priority: Option<&'a At<Text>>,
    /// Service account.
    pub service_account: Option<&'a At<Text>>,
    /// Annotations.
    pub annotations: &'a Named<At<Text>>,
    /// Taints that the Pods tolerate.
    pub toleration: &'a [At<Toleration>],
}

impl<'a> Options<'a> {
    /// Returns the namespace.
    #[must_use]
    pub fn namespace(self) -> &'a str {
        self.namespace.map_or("default", |n| n.value.as_str())
    }

    /// Returns the resource that counts GPUs.
    #[must_use]
    pub fn gpu_resource(self) -> &'a str {
        self.gpu_resource.map_or("nvidia.com/gpu", |r| r.value.as_str())
    }

    /// Returns the CSI driver that mounts the URIs of a scheme, if the options name one.
    #[must_use]
    pub fn driver(self, scheme: &str) -> Option<&'a Csi> {
        self.csi.get(scheme).map(|csi| &csi.value)
    }

    /// Returns whether the namespace enforces the `restricted` standard.
    #[must_use]
    pub fn restricted(self) -> bool {
        self.restricted.is_some_and(|r| r.value)
    }

    /// Returns the value of the GPU model label for a model name in the job.
    #[must_use]
    pub fn gpu_model<'m>(self, model: &'m str) -> &'m str
    where
        'a: 'm,
    {
        let known = self.gpu_models.0.iter().find(|(known, _)| known.value == model);
        known.map_or(model, |(_, label)| label.value.as_str())
    }
}

/// A CSI driver that creates an ephemeral volume per pod (`volumeLifecycleModes: Ephemeral`).
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Csi {
    /// Name of the driver. `gcsfuse.csi.storage.gke.io` also needs `annotations { "gke-gcsfuse/volumes" "true"; }` in the `target`
    /// block.
    #[schemars(extend("x-kdl" = "prop"))]
    pub driver: At<Text>,
    /// `volumeAttributes` of the driver, such as `bucketName "{host}"`. `{host}` and `{path}` expand to the host and the
    /// path of the URI. If no attribute contains `{path}`, each task mounts only the path of the URI (`subPath`), not the
    /// whole volume.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "pairs"))]
    pub attributes: Named<At<Text>>,
}

/// Toleration: a node taint that the pods tolerate.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Toleration {
    /// Key of the taint.
    #[schemars(extend("x-kdl" = "arg"))]
    pub key: At<Text>,
    /// Value of the taint. If unset, any value matches.
    #[schemars(extend("x-kdl" = "prop"))]
    pub value: Option<At<Text>>,
    /// Effect of the taint. If unset, all effects match.
    #[schemars(extend("x-kdl" = "prop"))]
    pub effect: Option<At<TaintEffect>>,
    /// `tolerationSeconds`, for the effect `NoExecute`: how many seconds a pod stays on a node after the node gets the taint. If
    /// unset, the pod is not evicted.
    #[schemars(extend("x-kdl" = "prop"))]
    pub seconds: Option<At<u32>>,
}
