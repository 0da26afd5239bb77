//! The words of `target "dcos" { … }`, in a job and in a role.
use schemars::JsonSchema;
use serde::Deserialize;
use tfjob_lang::at::At;
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::{Port, Text, Uri, Version};

/// What a job says of DC/OS.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// What is written: the options of the TensorFlow package, or Marathon apps. The package where `module` is given,
    /// else Marathon.
    #[schemars(extend("x-kdl" = "child"))]
    pub r#as: Option<At<FormName>>,
    /// The version of DC/OS, such as `2.1`; unstated it counts as 1.10.
    #[schemars(extend("x-kdl" = "child"))]
    pub version: Option<At<Version>>,
    /// Whether it is the Enterprise edition, which has a secret store.
    #[schemars(extend("x-kdl" = "child"))]
    pub enterprise: Option<At<bool>>,
    /// The folder of services in which the job is installed, such as `/ml`; the root unless given.
    #[schemars(extend("x-kdl" = "child"))]
    pub group: Option<At<Text>>,
    /// Package: the module whose `main(server, log_dir, context)` each task calls, without `.py`.
    #[schemars(extend("x-kdl" = "child"))]
    pub module: Option<At<Text>>,
    /// Package: the folder of the module inside the unpacked code.
    #[schemars(extend("x-kdl" = "child"))]
    pub job_path: Option<At<Text>>,
    /// Package: where `core-site.xml` and `hdfs-site.xml` are served, for `hdfs:` uris.
    #[schemars(extend("x-kdl" = "child"))]
    pub hdfs_config: Option<At<Uri>>,
    /// Package: whether the secret `gcs_key`, which cannot have another name, opens `gs:` uris.
    #[schemars(extend("x-kdl" = "child"))]
    pub gcs_key_secret: Option<At<bool>>,
    /// Package: the region in which all tasks run; the masters' own unless given.
    #[schemars(extend("x-kdl" = "child"))]
    pub region: Option<At<Text>>,
    /// Package: the account that the scheduler uses.
    #[schemars(extend("x-kdl" = "child"))]
    pub service_account: Option<At<ServiceAccount>>,
    /// Package: the Kerberos key distribution centre.
    #[schemars(extend("x-kdl" = "child"))]
    pub kdc: Option<At<Kdc>>,
    /// Marathon: where agents fetch the shim, if a task needs it.
    #[schemars(extend("x-kdl" = "child"))]
    pub shim: Option<At<Uri>>,
    /// Marathon: the agents' attribute that holds the model of their GPUs.
    #[schemars(extend("x-kdl" = "child"))]
    pub gpu_model_attribute: Option<At<Text>>,
    /// YAML or JSON merged into the whole: the group of apps, or the package's options.
    #[schemars(extend("x-kdl" = "child", "x-inherited" = false))]
    pub patch: Option<At<Text>>,
}

/// What a role says of DC/OS.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct RoleOptions {
    /// Package: `ROOT`, a share of the agent's disk, or `MOUNT`, a disk of its own.
    #[schemars(extend("x-kdl" = "child"))]
    pub disk_type: Option<At<DiskType>>,
    /// YAML or JSON merged into each app of the role, or into the role's part of the package's options.
    #[schemars(extend("x-kdl" = "child"))]
    pub patch: Option<At<Text>>,
}

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FormName {
    /// `options.json` for the package `beta-tensorflow`.
    Package,
    /// `marathon.json`: a group of apps.
    Marathon,
}

/// The disks of the package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum DiskType {
    /// A share of the agent's disk.
    #[serde(rename = "ROOT")]
    Root,
    /// A disk of its own, prepared by the operator.
    #[serde(rename = "MOUNT")]
    Mount,
}

/// An account of the scheduler.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ServiceAccount {
    /// Its name.
    #[schemars(extend("x-kdl" = "arg"))]
    pub name: At<Text>,
    /// The secret with its key; needed where the cluster authenticates services.
    #[schemars(extend("x-kdl" = "prop"))]
    pub secret: Option<At<Text>>,
}

/// A Kerberos key distribution centre.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Kdc {
    /// Its host.
    #[schemars(extend("x-kdl" = "arg"))]
    pub host: At<Text>,
    /// Its port; 88 unless given.
    #[schemars(extend("x-kdl" = "prop"))]
    pub port: Option<At<Port>>,
}

/// Options that one form alone reads, as far as they are set, each with its place.
pub(super) struct Unshared {
    /// The package.
    pub package: Vec<(&'static str, Span)>,
    /// Marathon.
    pub marathon: Vec<(&'static str, Span)>,
}

/// The oldest version of DC/OS that is supported.
const OLDEST: (u32, u32) = (1, 10);

impl Options {
    /// The form that the options name: the package where they name a module. `None` where they leave it open.
    pub(super) fn form(&self) -> Option<FormName> {
        match (&self.r#as, &self.module) {
            (Some(form), _) => Some(form.value),
            (None, Some(_)) => Some(FormName::Package),
            (None, None) => None,
        }
    }

    /// Whether the cluster is said to be of that version of DC/OS or a newer one. A rule refuses a version that is too old:
    /// it counts as new, so that nothing follows from it.
    pub(super) fn is_since(&self, version: (u32, u32)) -> bool {
        self.too_old().is_some() || self.version.as_ref().is_some_and(|said| said.value.at_least(version))
    }

    /// The version, where it is older than any that is supported.
    pub(super) fn too_old(&self) -> Option<&At<Version>> {
        self.version.as_ref().filter(|version| !version.value.at_least(OLDEST))
    }

    /// The options that only one form reads.
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
