//! Options of `target "dcos" { … }`, in a job and in a role.
use crate::shim_source::ShimSource;
use schemars::JsonSchema;
use serde::Deserialize;
use tfjob_lang::at::At;
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::{Port, Text, Uri, Version};

/// Options of the DC/OS target.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// Form of the output: options of the DC/OS package for TensorFlow, or a group of Marathon apps. `module` without `as` selects
    /// `package`. Default: `marathon`.
    #[schemars(extend("x-kdl" = "child"))]
    pub r#as: Option<At<FormName>>,
    /// DC/OS version, such as `2.1`. Default: `1.10`.
    #[schemars(extend("x-kdl" = "child"))]
    pub version: Option<At<Version>>,
    /// Whether the cluster runs DC/OS Enterprise, which has a secret store. Default: `#false`.
    #[schemars(extend("x-kdl" = "child"))]
    pub enterprise: Option<At<bool>>,
    /// Service group that contains the job, such as `/ml`. Default: `/`, the root group.
    #[schemars(extend("x-kdl" = "child"))]
    pub group: Option<At<Text>>,
    /// Python module of the program, without `.py`. Only with `as "package"`: each task calls `main(server, log_dir,
    /// context)` of this module.
    #[schemars(extend("x-kdl" = "child"))]
    pub module: Option<At<Text>>,
    /// Directory of the Python module `module`, relative to the unpacked code. Only with `as "package"`.
    #[schemars(extend("x-kdl" = "child"))]
    pub job_path: Option<At<Text>>,
    /// URI below which `core-site.xml` and `hdfs-site.xml` are served. Only with `as "package"`, which needs these files for
    /// `hdfs:` URIs.
    #[schemars(extend("x-kdl" = "child"))]
    pub hdfs_config: Option<At<Uri>>,
    /// Only with `as "package"`: use the secret named `gcs_key` for access to `gs:` URIs. Default: `#false`.
    #[schemars(extend("x-kdl" = "child"))]
    pub gcs_key_secret: Option<At<bool>>,
    /// Region of all tasks. Only with `as "package"`. Without `region`, tasks run in the region of the Mesos masters.
    #[schemars(extend("x-kdl" = "child"))]
    pub region: Option<At<Text>>,
    /// Service account of the scheduler. Only with `as "package"`.
    #[schemars(extend("x-kdl" = "child"))]
    pub service_account: Option<At<ServiceAccount>>,
    /// Kerberos key distribution center (KDC). Only with `as "package"`.
    #[schemars(extend("x-kdl" = "child"))]
    pub kdc: Option<At<Kdc>>,
    /// Source of `tfjob-shim`, the supervisor of tasks: a `url` from which agents download it. Only with `as "marathon"`.
    /// Required if the job uses a feature that only `tfjob-shim` provides, such as `no-progress-limit`. If `shim` is then missing,
    /// `tfjob check` reports an error.
    #[schemars(extend("x-kdl" = "child"))]
    pub shim: Option<At<ShimSource>>,
    /// Agent attribute that contains the GPU model. Only with `as "marathon"`.
    #[schemars(extend("x-kdl" = "child"))]
    pub gpu_model_attribute: Option<At<Text>>,
    /// YAML or JSON that is merged into the whole output: the group of apps, or the options of the package.
    #[schemars(extend("x-kdl" = "child", "x-inherited" = false))]
    pub patch: Option<At<Text>>,
}

/// Options of a role on DC/OS.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct RoleOptions {
    /// Disk type of the tasks: `ROOT` (part of the root disk of the agent) or `MOUNT` (a dedicated disk). Only with
    /// `as "package"`.
    #[schemars(extend("x-kdl" = "child"))]
    pub disk_type: Option<At<DiskType>>,
    /// YAML or JSON that is merged into each app of the role, or into the section of the role in the options of the
    /// package.
    #[schemars(extend("x-kdl" = "child"))]
    pub patch: Option<At<Text>>,
}

/// Form of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FormName {
    /// `options.json` of the package `beta-tensorflow`.
    Package,
    /// `marathon.json`: a group of apps.
    Marathon,
}

/// Disk types of the package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum DiskType {
    /// Part of the root disk of the agent.
    #[serde(rename = "ROOT")]
    Root,
    /// Dedicated disk, prepared by the cluster administrator.
    #[serde(rename = "MOUNT")]
    Mount,
}

/// A service account.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ServiceAccount {
    /// Name of the account.
    #[schemars(extend("x-kdl" = "arg"))]
    pub name: At<Text>,
    /// Name of the secret that contains the private key of the account. Required if the cluster authenticates services.
    #[schemars(extend("x-kdl" = "prop"))]
    pub secret: Option<At<Text>>,
}

/// A Kerberos key distribution center (KDC).
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Kdc {
    /// Host name of the KDC.
    #[schemars(extend("x-kdl" = "arg"))]
    pub host: At<Text>,
    /// Port of the KDC. Default: 88.
    #[schemars(extend("x-kdl" = "prop"))]
    pub port: Option<At<Port>>,
}

/// The options that the spec sets and that only one form uses, each with its span.
pub(super) struct Unshared {
    /// Options that only the package uses.
    pub package: Vec<(&'static str, Span)>,
    /// Options that only Marathon apps use.
    pub marathon: Vec<(&'static str, Span)>,
}

/// The oldest DC/OS version that tfjob supports.
const OLDEST: (u32, u32) = (1, 10);

impl Options {
    /// Returns the form that the options select: the one that `as` names, or the package if `module` is set. Otherwise `None`.
    pub(super) fn form(&self) -> Option<FormName> {
        match (&self.r#as, &self.module) {
            (Some(form), _) => Some(form.value),
            (None, Some(_)) => Some(FormName::Package),
            (None, None) => None,
        }
    }

    /// Returns whether the option `version` is at least this version of DC/OS. Also returns `true` if the option is below the
    /// oldest supported version. Another check reports that, and further errors about the same option would only confuse.
    pub(super) fn is_since(&self, version: (u32, u32)) -> bool {
        self.too_old().is_some() || self.version.as_ref().is_some_and(|set| set.value.at_least(version))
    }

    /// Returns the option `version` if it is older than the oldest supported version.
    pub(super) fn too_old(&self) -> Option<&At<Version>> {
        self.version.as_ref().filter(|version| !version.value.at_least(OLDEST))
    }

    /// Returns the options that only one form uses.
    pub(super) fn unshared(&self) -> Unshared {
        let Options {
            r#as: _,
            version: _,
            enterprise: _,
            group: _,
            module,
            job_path,
            hdfs_config,
            gcs_key_secret,
            region,
            service_account,
            kdc,
            shim,
            gpu_model_attribute,
            patch: _,
        } = self;
        let span = |name: &'static str, at: Option<Span>| at.map(|at| (name, at));
        let package = [
            span("module", module.as_ref().map(|o| o.span)),
            span("job-path", job_path.as_ref().map(|o| o.span)),
            span("hdfs-config", hdfs_config.as_ref().map(|o| o.span)),
            span("gcs-key-secret", gcs_key_secret.as_ref().map(|o| o.span)),
            span("region", region.as_ref().map(|o| o.span)),
            span("service-account", service_account.as_ref().map(|o| o.span)),
            span("kdc", kdc.as_ref().map(|o| o.span)),
        ];
        let marathon = [
            span("shim", shim.as_ref().map(|o| o.span)),
            span("gpu-model-attribute", gpu_model_attribute.as_ref().map(|o| o.span)),
        ];
        Unshared {
            package: package.into_iter().flatten().collect(),
            marathon: marathon.into_iter().flatten().collect(),
        }
    }
}
