//! What a Pod can mount.
use super::{Flag, Number, Text, Words, objects};
use serde::Serialize;

objects! {
    /// Volume v1 core: a name and exactly one source.
    Volume {
        /// The name, a DNS label.
        name: Text,
        /// A ConfigMap's files.
        config_map: Option<ConfigMapSource>,
        /// A driver's volume.
        csi: Option<CsiSource>,
        /// An empty folder that lives as long as the Pod.
        empty_dir: Option<EmptyDir>,
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
    }
    /// SecretVolumeSource v1 core.
    SecretSource {
        /// The object.
        secret_name: Text,
        /// Which entries; all unless given.
        items: Vec<KeyToPath>,
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
    }
    /// NFSVolumeSource v1 core.
    NfsSource {
        /// The host.
        server: Text,
        /// The export.
        path: Text,
    }
    /// PersistentVolumeClaimVolumeSource v1 core.
    ClaimSource {
        /// The claim, in the job's namespace.
        claim_name: Text,
    }
    /// CSIVolumeSource v1 core.
    CsiSource {
        /// The driver.
        driver: Text,
        /// Whether it cannot be written.
        read_only: Flag,
        /// The driver's own words.
        volume_attributes: Words,
    }
    /// ProjectedVolumeSource v1 core.
    ProjectedSource {
        /// What is put together.
        sources: Vec<Projection>,
    }
    /// VolumeProjection v1 core.
    Projection {
        /// A ConfigMap's files.
        config_map: Option<NamedProjection>,
    }
    /// ConfigMapProjection and SecretProjection v1 core.
    NamedProjection {
        /// The object.
        name: Text,
        /// Which entries; all unless given.
        items: Vec<KeyToPath>,
    }
}
