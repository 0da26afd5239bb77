//! What a Pod can mount.
use super::{Flag, Number, Text, Words, objects};
use schemars::JsonSchema;
use serde::Serialize;
use tfjob_lang::origin::Traced;

objects! {
    /// Volume v1 core: a name and exactly one source.
    Volume {
        /// The name, a DNS label.
        name: Text,
        /// A ConfigMap's files.
        config_map: Option<ConfigMapSource>,
        /// A driver's volume.
        csi: Option<CsiSource>,
        /// Fields of the Pod as files.
        #[serde(rename = "downwardAPI")]
        downward_api: Option<DownwardSource>,
        /// An empty folder that lives as long as the Pod.
        empty_dir: Option<EmptyDir>,
        /// A claim that lives as long as the Pod.
        ephemeral: Option<EphemeralSource>,
        /// A path of the node.
        host_path: Option<HostPath>,
        /// An NFS export.
        nfs: Option<NfsSource>,
        /// A claim.
        persistent_volume_claim: Option<ClaimSource>,
        /// Several of these in one folder.
        projected: Option<ProjectedSource>,
        /// A Secret's files.
        secret: Option<SecretSource>,
    }
    /// ConfigMapVolumeSource v1 core.
    ConfigMapSource {
        /// The object.
        name: Text,
        /// The mode of files, in decimal.
        default_mode: Number,
        /// Which entries; all unless given.
        items: Vec<KeyToPath>,
        /// Whether it may be missing.
        optional: Flag,
    }
    /// SecretVolumeSource v1 core.
    SecretSource {
        /// The object.
        secret_name: Text,
        /// The mode of files, in decimal.
        default_mode: Number,
        /// Which entries; all unless given.
        items: Vec<KeyToPath>,
        /// Whether it may be missing.
        optional: Flag,
    }
    /// KeyToPath v1 core.
    KeyToPath {
        /// The entry.
        key: Text,
        /// The file.
        path: Text,
        /// Its mode, in decimal.
        mode: Number,
    }
    /// EmptyDirVolumeSource v1 core.
    EmptyDir {
        /// `Memory`, or the node's disk.
        medium: Text,
        /// The most that it holds.
        size_limit: Text,
    }
    /// HostPathVolumeSource v1 core.
    HostPath {
        /// The path.
        path: Text,
        /// What it must be: `Directory`, `File`, …; unchecked unless given.
        r#type: Text,
    }
    /// NFSVolumeSource v1 core.
    NfsSource {
        /// The host.
        server: Text,
        /// The export.
        path: Text,
        /// Whether it cannot be written.
        read_only: Flag,
    }
    /// PersistentVolumeClaimVolumeSource v1 core.
    ClaimSource {
        /// The claim, in the job's namespace.
        claim_name: Text,
        /// Whether it cannot be written.
        read_only: Flag,
    }
    /// CSIVolumeSource v1 core.
    CsiSource {
        /// The driver.
        driver: Text,
        /// The kind of file system.
        fs_type: Text,
        /// Whether it cannot be written.
        read_only: Flag,
        /// The driver's own words.
        volume_attributes: Words,
        /// The driver's credentials.
        node_publish_secret_ref: Option<super::LocalReference>,
    }
    /// EphemeralVolumeSource v1 core.
    EphemeralSource {
        /// The claim.
        volume_claim_template: ClaimTemplate,
    }
    /// PersistentVolumeClaimTemplate v1 core.
    ClaimTemplate {
        /// What is claimed.
        spec: ClaimSpec,
    }
    /// PersistentVolumeClaimSpec v1 core.
    ClaimSpec {
        /// `ReadWriteOnce`, `ReadOnlyMany`, `ReadWriteMany`, `ReadWriteOncePod`.
        access_modes: Vec<Traced<String>>,
        /// How much.
        resources: super::Resources,
        /// From which class.
        storage_class_name: Text,
        /// `Filesystem`, `Block`.
        volume_mode: Text,
    }
    /// ProjectedVolumeSource v1 core.
    ProjectedSource {
        /// The mode of files, in decimal.
        default_mode: Number,
        /// What is put together.
        sources: Vec<Projection>,
    }
    /// VolumeProjection v1 core.
    Projection {
        /// A ConfigMap's files.
        config_map: Option<NamedProjection>,
        /// Fields of the Pod as files.
        #[serde(rename = "downwardAPI")]
        downward_api: Option<DownwardSource>,
        /// A Secret's files.
        secret: Option<NamedProjection>,
        /// A token of the service account.
        service_account_token: Option<ServiceAccountToken>,
    }
    /// ConfigMapProjection and SecretProjection v1 core.
    NamedProjection {
        /// The object.
        name: Text,
        /// Which entries; all unless given.
        items: Vec<KeyToPath>,
        /// Whether it may be missing.
        optional: Flag,
    }
    /// ServiceAccountTokenProjection v1 core.
    ServiceAccountToken {
        /// Who reads it.
        audience: Text,
        /// Seconds that it holds.
        expiration_seconds: Number,
        /// The file.
        path: Text,
    }
    /// DownwardAPIVolumeSource v1 core.
    DownwardSource {
        /// The files.
        items: Vec<DownwardFile>,
    }
    /// DownwardAPIVolumeFile v1 core.
    DownwardFile {
        /// The file.
        path: Text,
        /// The field.
        field_ref: Option<super::ObjectFieldSelector>,
    }
}
