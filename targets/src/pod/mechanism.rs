//! Lowering decisions of Pods: one variant per supported requirement, with all data that lowering needs.
use super::schema::PullPolicy;
use crate::helper_environment::Secret;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{Probe, Restart};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::When;
use tfjob_lang::spec::values::{Archive, Uri};

/// Annotation that contains the description of the job.
pub const DESCRIPTION: &str = "kubernetes.io/description";
/// Prefix of the labels and annotations that tfjob reserves. tfjob selects its objects by these labels.
pub const OURS: &str = "tfjob/";
/// Name of the init container that copies the shim from its image, and of the volume with the copy.
pub const BIN: &str = "tfjob-bin";
/// Annotation of the job with the digest of its resolved spec.
pub const SPEC_DIGEST: &str = "tfjob/spec-digest";
/// Annotation of the job with the digest of its spec without `description`, `allow`, and `tensorboard`.
pub const TASK_DIGEST: &str = "tfjob/task-digest";

/// Label that contains the job name, on the Pod of TensorBoard. Pods of the job do not have this label.
pub const TENSORBOARD: &str = "tfjob/tensorboard";

/// Label that contains the name of the Kueue queue.
pub const QUEUE: &str = "kueue.x-k8s.io/queue-name";

/// Node label that contains the host name.
pub const HOSTNAME: &str = "kubernetes.io/hostname";

/// How Pods implement a requirement. A variant with a role applies to the Pods of this role, any other variant to the whole job.
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
    /// Program and arguments, escaped for the kubelet. `index`: whether they refer to the index of the task.
    Run { role: RoleId, words: Vec<(String, Span)>, index: bool },
    /// Script for `sh -ec`. It uses an environment variable for each reference.
    Shell { role: RoleId, text: String },
    /// Working directory.
    Workdir { role: RoleId, path: String },
    /// Environment variable, with a value escaped for the kubelet. `index`: whether the value refers to the index of the task.
    Env { role: RoleId, name: String, value: (String, Span), index: bool },
    /// Environment variable that contains an entry of a Secret.
    SecretEnv { role: RoleId, env: String, from: String, key: String },
    /// File that contains an entry of a Secret, and an environment variable that contains the path of the file.
    SecretFile { role: RoleId, env: String, from: String, key: String, at: String },
    /// User ID.
    User { role: RoleId, uid: u32 },
    /// Amount of a resource, as both the request and the limit.
    Amount { role: RoleId, resource: String, quantity: String },
    /// Ephemeral storage. The amount is also the size limit of `{scratch}`.
    Disk { role: RoleId, quantity: String },
    /// Device that `device` requests, such as a network card. It may also be a GPU.
    Device { role: RoleId, resource: String, count: u32 },
    /// Size of `/dev/shm`.
    SharedMemory { role: RoleId, quantity: String },
    /// Scratch directory of the Pod.
    Scratch { role: RoleId },
    /// Required value of a node label.
    NodeLabel { role: RoleId, key: String, value: String },
    /// Number that a node label must exceed.
    NodeOver { role: RoleId, key: String, number: u64 },
    /// Anti-affinity, so that Pods of the role do not share a topology domain.
    Apart { role: RoleId, topology_key: String },
    /// Container port.
    Port { role: RoleId, name: String, number: u16 },
    /// Readiness probe.
    Ready { role: RoleId, probe: Probe },
    /// A volume that the kubelet mounts.
    Mount(Mount),
    /// An init container that downloads `code` or a `files` entry.
    Fetch(Fetch),
    /// Check that runs before the program starts: the directory `at` must contain no checkpoints. `waits`: whether the other tasks
    /// start only after the check.
    Fresh { role: RoleId, at: String, waits: bool },
    /// Host network.
    HostNetwork,
    /// Seconds between SIGTERM and SIGKILL.
    Grace(i64),
    /// TensorBoard in its own Deployment.
    Tensorboard(Box<Board>),
    /// A duty of the shim.
    Shim(Duty),
}

/// A duty of the shim: something that it does for a requirement.
#[derive(Debug, Clone)]
pub enum Duty {
    /// Starts the program, because the kubelet cannot start it as required. Examples: an argument is known only at startup, or a
    /// shell would not forward SIGTERM.
    Start,
    /// Sets the environment variables of the Hadoop client.
    Hadoop { home: String, java: String, conf: Option<String> },
    /// Picks a free port.
    Port,
    /// Restarts the program inside the container.
    Restart { role: RoleId, terms: Restart },
    /// Waits for peers.
    Wait { seconds: u64 },
    /// Starts the program of a role only after another role has reached the state `when`.
    After { role: RoleId, first: RoleId, when: When },
    /// Probes whether a task is ready.
    Ready { role: RoleId, probe: Probe },
    /// Detects that the program has completed its work.
    Done { role: RoleId },
    /// Watches the checkpoint directory. `every`: checkpoint interval in seconds.
    Checkpoints { path: String, every: Option<u64> },
}

/// A volume that the kubelet mounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// Name of the volume.
    pub name: String,
    /// What is mounted.
    pub storage: Storage,
    /// Mount path.
    pub at: String,
    /// Whether the program writes to the volume.
    pub writable: bool,
}

/// Sources of a volume.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Storage {
    /// A directory in the volume of a PersistentVolumeClaim.
    Claim {
        /// Name of the claim.
        claim: String,
        /// Path of the directory in the volume. Empty for the root of the volume.
        folder: String,
    },
    /// NFS export.
    Nfs {
        /// Host name.
        server: String,
        /// Path of the export.
        path: String,
        /// Path of the file in the export. Empty for the whole export. The kubelet mounts the export, because NFS cannot mount a
        /// single file.
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
        /// `volumeAttributes` of the driver, each with its span.
        attributes: Vec<(String, (String, Span))>,
        /// Path of a directory in the volume. Empty for the root of the volume.
        folder: String,
    },
}

/// A download by an init container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetch {
    /// Name of the init container: `code`, or `files-NAME`.
    pub name: String,
    /// Path of the downloaded directory or file in the volume that all downloads share.
    pub to: String,
    /// Mount path in the task.
    pub at: String,
    /// Source of the download.
    pub from: From,
    /// Archive type.
    pub pack: Pack,
    /// Image of the init container. `None` for the image of the role.
    pub image: Option<String>,
}

/// Sources of a download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum From {
    /// A Hadoop file system. The Hadoop client of the image reads it.
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
    /// A file in a volume that the kubelet mounts.
    Mounted(Storage),
}

/// Archive types of a download.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pack {
    /// Zip archive.
    Zip,
    /// Tar archive, compressed or not.
    Tar,
    /// No archive: the file or directory is used as it is.
    Plain,
    /// No archive: a single file is copied into a directory.
    Folder,
}

impl Pack {
    /// Returns the name of this archive type as an argument of the script `stage.sh`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Zip => "zip",
            Self::Tar => "tar",
            Self::Plain => "plain",
            Self::Folder => "folder",
        }
    }

    /// Returns the archive type of a URI, by its suffix. `None` if the URI has no suffix of an archive. All compressions of tar are
    /// one type, because `tar` detects them itself.
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
    /// Command and arguments, escaped for the kubelet.
    pub command: Vec<String>,
    /// Environment variables, with values escaped for the kubelet. The span is `None` if TensorBoard itself needs the variable.
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
    /// Label that selects the node with the logs, if they are on a node: key, value, and span.
    pub node: Option<(String, String, Span)>,
}

impl Mechanism {
    /// Returns whether this mechanism needs the shim.
    #[must_use]
    pub const fn is_shims(&self) -> bool {
        matches!(self, Self::Shim(_) | Self::Fresh { waits: true, .. })
    }

    /// Returns the Secret that this mechanism refers to, if any.
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
