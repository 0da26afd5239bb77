//! Options of a target that concern Pods: a view, since each kind declares its own `target "…"` block.
//!
//! `serde(flatten)` would lose the places of values: it reads them through a buffer that knows no spans.
use super::schema::TaintEffect;
use schemars::JsonSchema;
use serde::Deserialize;
use tfjob_lang::at::{At, Named};
use tfjob_lang::spec::values::{AbsolutePath, Image, Text};

/// What a job sets of its cluster that concerns its Pods.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// The namespace; `default` unless given.
    pub namespace: Option<&'a At<Text>>,
    /// The priority class of the Pods.
    pub priority: Option<&'a At<Text>>,
    /// The service account of the Pods.
    pub service_account: Option<&'a At<Text>>,
    /// Annotations of the job, its Pods and the Pod of TensorBoard.
    pub annotations: &'a Named<At<Text>>,
    /// Taints that the Pods tolerate.
    pub toleration: &'a [At<Toleration>],
    /// The resource that counts GPUs; `nvidia.com/gpu` unless given.
    pub gpu_resource: Option<&'a At<Text>>,
    /// The label of nodes that holds the model of their GPUs.
    pub gpu_model_label: Option<&'a At<Text>>,
    /// The values of that label by the model that a job names.
    pub gpu_models: &'a Named<At<Text>>,
    /// The label of nodes that holds the memory of their GPUs in MiB.
    pub gpu_memory_label: Option<&'a At<Text>>,
    /// The label of nodes that holds their rack.
    pub rack_label: Option<&'a At<Text>>,
    /// Drivers that mount the URIs of a scheme.
    pub csi: &'a Named<At<Csi>>,
    /// The group that owns volumes.
    pub fs_group: Option<&'a At<u32>>,
    /// Whether the namespace enforces the `restricted` Pod security standard.
    pub restricted: Option<&'a At<bool>>,
    /// The image that fetches `code` and `files`.
    pub stage_image: Option<&'a At<Image>>,
    /// Where the image holds the shim.
    pub shim: Option<&'a At<AbsolutePath>>,
}

/// What a role sets of its Pods, with what the job sets for all of them.
#[derive(Debug, Clone, Copy)]
pub struct RoleOptions<'a> {
    /// The priority class.
    pub priority: Option<&'a At<Text>>,
    /// The service account.
    pub service_account: Option<&'a At<Text>>,
    /// Annotations.
    pub annotations: &'a Named<At<Text>>,
    /// Taints that the Pods tolerate.
    pub toleration: &'a [At<Toleration>],
}

impl<'a> Options<'a> {
    /// The namespace.
    #[must_use]
    pub fn namespace(self) -> &'a str {
        self.namespace.map_or("default", |n| n.value.as_str())
    }

    /// The resource that counts GPUs.
    #[must_use]
    pub fn gpu_resource(self) -> &'a str {
        self.gpu_resource.map_or("nvidia.com/gpu", |r| r.value.as_str())
    }

    /// The driver that mounts the URIs of a scheme.
    #[must_use]
    pub fn driver(self, scheme: &str) -> Option<&'a Csi> {
        self.csi.get(scheme).map(|csi| &csi.value)
    }

    /// Whether the namespace enforces the `restricted` standard.
    #[must_use]
    pub fn restricted(self) -> bool {
        self.restricted.is_some_and(|r| r.value)
    }

    /// The value of the label of GPU models for the model that the job names.
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
    /// Name of the driver, such as `gcsfuse.csi.storage.gke.io`, which also needs `annotations { "gke-gcsfuse/volumes"
    /// "true"; }`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub driver: At<Text>,
    /// `volumeAttributes` of the driver, such as `bucketName "{host}"`. `{host}` and `{path}` expand to the parts of the
    /// URI. If no attribute contains `{path}`, that directory of the volume is mounted.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "pairs"))]
    pub attributes: Named<At<Text>>,
}

/// A node taint that the pods tolerate (toleration).
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Toleration {
    /// Key of the taint.
    #[schemars(extend("x-kdl" = "arg"))]
    pub key: At<Text>,
    /// Value of the taint. Default: any.
    #[schemars(extend("x-kdl" = "prop"))]
    pub value: Option<At<Text>>,
    /// Effect of the taint. Default: all.
    #[schemars(extend("x-kdl" = "prop"))]
    pub effect: Option<At<TaintEffect>>,
    /// `tolerationSeconds`, for effect `NoExecute`. Default: indefinitely.
    #[schemars(extend("x-kdl" = "prop"))]
    pub seconds: Option<At<u32>>,
}
