//! Volumes of a Pod.
use super::{Flag, Number, Text, Words, objects};
use serde::Serialize;

objects! {
    /// Volume v1 core: a name, and exactly one of the sources below.
    Volume {
        /// Name, a DNS label.
        name: Text,
        /// Files of a ConfigMap.
        config_map: Option<ConfigMapSource>,
        /// Inline CSI volume.
        csi: Option<CsiSource>,
        /// Empty directory that is deleted with the Pod.
        empty_dir: Option<EmptyDir>,
        /// Directory or file of the node.
        host_path: Option<HostPath>,
        /// NFS export.
        nfs: Option<NfsSource>,
        /// PersistentVolumeClaim.
        persistent_volume_claim: Option<ClaimSource>,
        /// Files from several sources, in one directory.
        projected: Option<ProjectedSource>,
        /// Files of a Secret.
        secret: Option<SecretSource>,
    }
    /// ConfigMapVolumeSource v1 core.
    ConfigMapSource {
        /// Name of the ConfigMap.
        name: Text,
    }
    /// SecretVolumeSource v1 core.
    SecretSource {
        /// Name of the Secret.
        secret_name: Text,
        /// Entries to mount. Default: all.
        items: Vec<KeyToPath>,
    }
    /// KeyToPath v1 core.
    KeyToPath {
        /// Key of the entry.
        key: Text,
        /// Path of the file in the volume.
        path: Text,
        /// File mode as a decimal number: 365 for `0o555`.
        mode: Number,
    }
    /// EmptyDirVolumeSource v1 core.
    EmptyDir {
        /// `Memory` for a volume in memory. Default: the disk of the node.
        medium: Text,
        /// Maximum size.
        size_limit: Text,
    }
    /// HostPathVolumeSource v1 core.
    HostPath {
        /// Path on the node.
        path: Text,
    }
    /// NFSVolumeSource v1 core.
    NfsSource {
        /// Host name.
        server: Text,
        /// Path of the export.
        path: Text,
    }
    /// PersistentVolumeClaimVolumeSource v1 core.
    ClaimSource {
        /// Name of the claim, in the namespace of the job.
        claim_name: Text,
    }
    /// CSIVolumeSource v1 core.
    CsiSource {
        /// Name of the driver.
        driver: Text,
        /// Whether the volume is read-only.
        read_only: Flag,
        /// Attributes that the driver defines.
        volume_attributes: Words,
    }
    /// ProjectedVolumeSource v1 core.
    ProjectedSource {
        /// Sources of the files.
        sources: Vec<Projection>,
    }
    /// VolumeProjection v1 core.
    Projection {
        /// Files of a ConfigMap.
        config_map: Option<NamedProjection>,
    }
    /// ConfigMapProjection and SecretProjection v1 core.
    NamedProjection {
        /// Name of the ConfigMap or Secret.
        name: Text,
        /// Entries to mount. Default: all.
        items: Vec<KeyToPath>,
    }
}
