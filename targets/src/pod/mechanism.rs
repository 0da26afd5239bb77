//! Lowering decisions of Pods: one variant per supported requirement, with all data that lowering needs.
use super::schema::PullPolicy;
use crate::helper_environment::Secret;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{Probe, Restart};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::When;
use tfjob_lang::spec::values::{Archive, Uri};

/// Annotation with the description of the job.
pub const DESCRIPTION: &str = "kubernetes.io/description";
/// Prefix of the labels by which tfjob selects its objects.
pub const OURS: &str = "tfjob/";

/// Label of the TensorBoard Pod with the job name. Pods of the job do not have it.
pub const TENSORBOARD: &str = "tfjob/tensorboard";

/// Annotation that disables the Istio sidecar, which keeps a Pod running and intercepts the traffic between peers.
pub const ISTIO: &str = "sidecar.istio.io/inject";

/// Label with the Kueue queue.
pub const QUEUE: &str = "kueue.x-k8s.io/queue-name";

/// Node label with the host name.
pub const HOSTNAME: &str = "kubernetes.io/hostname";

/// How Pods implement a requirement. A variant with a role concerns the Pods of this role, any other variant all Pods.
#[derive(Debug, Clone)]
pub enum Mechanism {
    /// Label of the job and its Pods.
    Label { key: String, value: String },
    /// Image of the program.
    Image { role: RoleId, image: String },
    /// Image pull policy.
    Pull { role: RoleId, policy: PullPolicy },
    /// Secret with registry credentials.
    PullSecret { role: RoleId, name: String },
    /// Program and arguments, escaped for the kubelet.
    Run { role: RoleId, words: Vec<(String, Span)>, index: bool },
    /// Script for `sh -ec`, with references as variables.
    Shell { role: RoleId, text: String },
    /// Working directory.
    Workdir { role: RoleId, path: String },
    /// Variable with an escaped value.
    Env { role: RoleId, name: String, value: (String, Span), index: bool },
    /// Variable from a Secret.
    SecretEnv { role: RoleId, env: String, from: String, key: String },
    /// File from a Secret, and a variable with its path.
    SecretFile { role: RoleId, env: String, from: String, key: String, at: String },
    /// User ID.
    User { role: RoleId, uid: u32 },
    /// Resource amount, both request and limit.
    Amount { role: RoleId, resource: String, quantity: String },
    /// Ephemeral storage. The amount is also the size limit of `{scratch}`.
    Disk { role: RoleId, quantity: String },
    /// Device, which may be a GPU that `gpus` does not count.
    Device { role: RoleId, resource: String, count: u32 },
    /// Size of `/dev/shm`.
    SharedMemory { role: RoleId, quantity: String },
    /// Scratch directory of the Pod.
    Scratch { role: RoleId },
    /// Required value of a node label.
    NodeLabel { role: RoleId, key: String, value: String },
    /// Number that a node label must exceed.
    NodeOver { role: RoleId, key: String, number: u64 },
    /// Anti-affinity between the Pods of the role.
    Apart { role: RoleId, topology_key: String },
    /// Container port.
    Port { role: RoleId, name: String, number: u16 },
    /// Readiness probe.
    Ready { role: RoleId, probe: Probe },
    /// A volume that the kubelet mounts.
    Mount(Mount),
    /// Download by an init container.
    Fetch(Fetch),
    /// Check for existing checkpoints. `waits`: the other tasks start only after the check.
    Fresh { role: RoleId, at: String, waits: bool },
    /// Host network.
    HostNetwork,
    /// Seconds between SIGTERM and SIGKILL.
    Grace(i64),
    /// TensorBoard.
    Tensorboard(Box<Board>),
    /// Duty of the shim.
    Shim(Duty),
}

/// Duties of the shim.
#[derive(Debug, Clone)]
pub enum Duty {
    /// Starts the program, because arguments or variables are known only at startup, or to set TF_CONFIG.
    Start,
    /// Sets the Hadoop environment.
    Hadoop { home: String, java: String, conf: Option<String> },
    /// Picks a free port.
    Port,
    /// Restarts the process in its container.
    Restart { role: RoleId, terms: Restart },
    /// Waits for peers.
    Wait { seconds: u64 },
    /// Starts after another role.
    After { role: RoleId, first: RoleId, when: When },
    /// Probes whether a task is ready.
    Ready { role: RoleId, probe: Probe },
    /// Detects that the program has completed its work.
    Done { role: RoleId },
    /// Watches checkpoints, with their interval in seconds.
    Checkpoints { path: String, every: Option<u64> },
}

/// A volume that the kubelet mounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// Name of the volume.
    pub name: String,
    /// Source of the volume.
    pub storage: Storage,
    /// Mount path.
    pub at: String,
    /// Whether the program writes to it.
    pub writable: bool,
}

/// Sources of a volume.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Storage {
    /// PersistentVolumeClaim, and a directory in its volume.
    Claim {
        /// Name of the claim.
        claim: String,
        /// Directory; empty for the root of the volume.
        folder: String,
    },
    /// NFS export.
    Nfs {
        /// Host name.
        server: String,
        /// Path of the export.
        path: String,
        /// File in the export; empty for the whole export. NFS cannot mount a single file.
        file: String,
    },
    /// Directory or file of the node (`hostPath`).
    Host {
        /// Path.
        path: String,
    },
    /// Inline CSI volume.
    Driver {
        /// Name of the driver.
        driver: (String, Span),
        /// `volumeAttributes`.
        attributes: Vec<(String, (String, Span))>,
        /// Directory in the volume; empty for the root of the volume.
        folder: String,
    },
}

/// A download by an init container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetch {
    /// Name of the init container: `code`, or `files-NAME`.
    pub name: String,
    /// Directory or file in the volume for all downloads.
    pub to: String,
    /// Mount path in the task.
    pub at: String,
    /// Source of the download.
    pub from: From,
    /// Archive type.
    pub pack: Pack,
    /// Image of the init container. `None`: the image of the role.
    pub image: Option<String>,
}

/// Sources of a download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum From {
    /// Hadoop file system, with the Hadoop client of the image.
    Hadoop {
        /// URI.
        uri: String,
        /// Hadoop directory.
        home: String,
        /// Java directory.
        java: String,
        /// Configuration directory.
        conf: Option<String>,
    },
    /// Web server.
    Http {
        /// URI.
        uri: String,
    },
    /// Git repository.
    Git {
        /// URI.
        uri: String,
        /// Tag, commit, or branch.
        reference: String,
    },
    /// A file of a volume that the kubelet mounts.
    Mounted(Storage),
}

/// Archive types of a download.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pack {
    /// Zip archive.
    Zip,
    /// Tar archive, compressed or not.
    Tar,
    /// No archive.
    Plain,
    /// No archive; a single file is copied into a directory.
    Folder,
}

impl Pack {
    /// Returns the argument for `stage.sh`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Zip => "zip",
            Self::Tar => "tar",
            Self::Plain => "plain",
            Self::Folder => "folder",
        }
    }

    /// Returns the archive type of a URI. `tar` detects the compression itself.
    #[must_use]
    pub fn of(uri: &Uri) -> Option<Self> {
        match Archive::of(uri)? {
            Archive::Zip => Some(Self::Zip),
            Archive::Tar | Archive::TarGz | Archive::TarBz2 | Archive::TarXz => Some(Self::Tar),
        }
    }
}

/// TensorBoard in a separate Deployment.
#[derive(Debug, Clone)]
pub struct Board {
    /// Image.
    pub image: String,
    /// Command and arguments, escaped.
    pub command: Vec<String>,
    /// Variables with escaped values. The span is `None` if TensorBoard itself needs the variable.
    pub env: Vec<(String, String, Option<Span>)>,
    /// Secrets, each with the key of its entry and its span in the spec.
    pub secrets: Vec<(Secret, String, Span)>,
    /// Port.
    pub port: u16,
    /// CPUs as a quantity.
    pub cpu: String,
    /// Memory as a quantity.
    pub memory: String,
    /// Volumes with the logs.
    pub mounts: Vec<Mount>,
    /// Node label of the node that has the logs.
    pub node: Option<(String, String, Span)>,
}

impl Mechanism {
    /// Returns whether this mechanism needs the shim.
    #[must_use]
    pub const fn is_shims(&self) -> bool {
        matches!(self, Self::Shim(_) | Self::Fresh { waits: true, .. })
    }

    /// Returns the Secret that this mechanism refers to.
    #[must_use]
    pub fn secret(&self) -> Option<&str> {
        if let Self::PullSecret { name, .. }
        | Self::SecretEnv { from: name, .. }
        | Self::SecretFile { from: name, .. } = self
        {
            return Some(name);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Pack;
    use tfjob_lang::spec::values::Uri;

    #[test]
    fn the_suffix_decides_the_archive_type() {
        let of = |uri| Pack::of(&Uri::parse(uri).expect("a uri"));
        assert_eq!(of("https://h/a/cifar10.zip"), Some(Pack::Zip));
        assert_eq!(of("https://h/a/venv.TAR.GZ?x=1"), Some(Pack::Tar));
        assert_eq!(of("pvc://c/a/venv.tar.xz"), Some(Pack::Tar));
        assert_eq!([of("https://h/a/lib.jar"), of("https://h/a/tar"), of("git+https://h/a.zip")], [None; 3]);
    }
}
