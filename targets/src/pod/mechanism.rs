//! What a Pod does for a requirement: one variant per supported requirement, with all data that lowering needs.
use super::schema::PullPolicy;
use crate::helper_environment::Secret;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{Probe, Restart};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::When;
use tfjob_lang::spec::values::{Archive, Uri};

/// The annotation with the words about the job.
pub const DESCRIPTION: &str = "kubernetes.io/description";
/// The beginning of the labels by which we find our own objects.
pub const OURS: &str = "tfjob/";

/// The label of a TensorBoard's Pod, with the name of the job: no Pod of the job has it.
pub const TENSORBOARD: &str = "tfjob/tensorboard";

/// Istio's sidecar keeps a Pod from ending and stands between peers.
pub const ISTIO: &str = "sidecar.istio.io/inject";

/// The label with Kueue's queue.
pub const QUEUE: &str = "kueue.x-k8s.io/queue-name";

/// The label with a node's name.
pub const HOSTNAME: &str = "kubernetes.io/hostname";

/// One means. What names a role is for its Pods, else it is for all of them.
#[derive(Debug, Clone)]
pub enum Mechanism {
    /// A label of the job and its Pods.
    Label { key: String, value: String },
    /// An image.
    Image { role: RoleId, image: String },
    /// When it is pulled.
    Pull { role: RoleId, policy: PullPolicy },
    /// The registry's credentials.
    PullSecret { role: RoleId, name: String },
    /// The program, each word escaped for the kubelet.
    Run { role: RoleId, words: Vec<(String, Span)>, index: bool },
    /// Text for `sh -ec`, with the references as variables.
    Shell { role: RoleId, text: String },
    /// Where the program starts.
    Workdir { role: RoleId, path: String },
    /// A variable, escaped.
    Env { role: RoleId, name: String, value: (String, Span), index: bool },
    /// A variable from a Secret.
    SecretEnv { role: RoleId, env: String, from: String, key: String },
    /// A file from a Secret, and a variable with its path.
    SecretFile { role: RoleId, env: String, from: String, key: String, at: String },
    /// The user's number.
    User { role: RoleId, uid: u32 },
    /// An amount, reserved and ceiling at once.
    Amount { role: RoleId, resource: String, quantity: String },
    /// Scratch space: an amount, and the ceiling of `{scratch}`.
    Disk { role: RoleId, quantity: String },
    /// A device by which a task may see GPUs that `gpus` does not count.
    Device { role: RoleId, resource: String, count: u32 },
    /// The size of `/dev/shm`.
    SharedMemory { role: RoleId, quantity: String },
    /// A folder of the Pod's own.
    Scratch { role: RoleId },
    /// A label that the node has.
    NodeLabel { role: RoleId, key: String, value: String },
    /// A number that the node's label exceeds.
    NodeOver { role: RoleId, key: String, number: u64 },
    /// No two Pods of the role in one place.
    Apart { role: RoleId, topology_key: String },
    /// A port.
    Port { role: RoleId, name: String, number: u16 },
    /// A probe of the kubelet.
    Ready { role: RoleId, probe: Probe },
    /// Storage that the kubelet mounts.
    Mount(Mount),
    /// What an init container puts into each Pod.
    Fetch(Fetch),
    /// The job does not start where there are checkpoints. `waits`: other tasks begin only after the look.
    Fresh { role: RoleId, at: String, waits: bool },
    /// The node's network.
    HostNetwork,
    /// Seconds between SIGTERM and the kill.
    Grace(i64),
    /// A TensorBoard.
    Tensorboard(Box<Board>),
    /// The shim does it.
    Shim(Duty),
}

/// What the shim does, as the contract says it.
#[derive(Debug, Clone)]
pub enum Duty {
    /// It starts the program: words or variables that only it can complete, TF_CONFIG.
    Start,
    /// It sets Hadoop's environment.
    Hadoop { home: String, java: String, conf: Option<String> },
    /// It finds a free port.
    Port,
    /// It restarts the process in its container.
    Restart { role: RoleId, terms: Restart },
    /// It waits for peers.
    Wait { seconds: u64 },
    /// It starts after another role.
    After { role: RoleId, first: RoleId, when: When },
    /// It knows when a task is ready.
    Ready { role: RoleId, probe: Probe },
    /// It hears that the program's work is done.
    Done { role: RoleId },
    /// It knows how often checkpoints come.
    Checkpoints { path: String, every: Option<u64> },
}

/// Storage that the kubelet mounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// The volume's name.
    pub name: String,
    /// What it is.
    pub storage: Storage,
    /// Where it appears.
    pub at: String,
    /// Whether it is written.
    pub writable: bool,
}

/// What the kubelet can mount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Storage {
    /// A claim, and a folder in it.
    Claim {
        /// The claim.
        claim: String,
        /// The folder; empty: the whole claim.
        folder: String,
    },
    /// An NFS export.
    Nfs {
        /// The host.
        server: String,
        /// The export.
        path: String,
        /// The file in it; empty: the whole export. A file alone cannot be mounted.
        file: String,
    },
    /// A path of the node.
    Host {
        /// The path.
        path: String,
    },
    /// A driver's volume.
    Driver {
        /// The driver.
        driver: (String, Span),
        /// Its words.
        attributes: Vec<(String, (String, Span))>,
        /// The folder in the volume; empty: the whole of it.
        folder: String,
    },
}

/// What an init container puts into each Pod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetch {
    /// The name: `code`, or that of the `files`.
    pub name: String,
    /// The folder or file in the volume that holds all of them.
    pub to: String,
    /// Where the task sees it.
    pub at: String,
    /// Where it comes from.
    pub from: From,
    /// What is done with it.
    pub pack: Pack,
    /// The image, where it is not the role's own.
    pub image: Option<String>,
}

/// Where something is fetched from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum From {
    /// Hadoop's client of the image.
    Hadoop {
        /// The uri for it.
        uri: String,
        /// Its folder.
        home: String,
        /// Java's folder.
        java: String,
        /// The folder of its configuration.
        conf: Option<String>,
    },
    /// A web server.
    Http {
        /// The uri.
        uri: String,
    },
    /// A git repository.
    Git {
        /// Its uri.
        uri: String,
        /// The tag, commit or branch.
        reference: String,
    },
    /// Storage that the kubelet mounts; the file is its last step.
    Mounted(Storage),
}

/// How something is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pack {
    /// A zip archive.
    Zip,
    /// A tar archive, compressed or not.
    Tar,
    /// Not at all.
    Plain,
    /// Not at all, and a single file is put into a folder.
    Folder,
}

impl Pack {
    /// The word for the script.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Zip => "zip",
            Self::Tar => "tar",
            Self::Plain => "plain",
            Self::Folder => "folder",
        }
    }

    /// How `stage.sh` unpacks an archive: `tar` finds the compression itself.
    #[must_use]
    pub fn of(uri: &Uri) -> Option<Self> {
        match Archive::of(uri)? {
            Archive::Zip => Some(Self::Zip),
            Archive::Tar | Archive::TarGz | Archive::TarBz2 | Archive::TarXz => Some(Self::Tar),
        }
    }
}

/// A TensorBoard in a Deployment of its own.
#[derive(Debug, Clone)]
pub struct Board {
    /// The image.
    pub image: String,
    /// The words, escaped.
    pub command: Vec<String>,
    /// Variables, escaped, and the words behind them where these are not its own.
    pub env: Vec<(String, String, Option<Span>)>,
    /// Secrets, each with its entry and the words behind it.
    pub secrets: Vec<(Secret, String, Span)>,
    /// Where it listens.
    pub port: u16,
    /// Its cores.
    pub cpu: String,
    /// Its memory.
    pub memory: String,
    /// What it reads.
    pub mounts: Vec<Mount>,
    /// The label of the node whose directory it reads.
    pub node: Option<(String, String, Span)>,
}

impl Mechanism {
    /// Whether this one is the shim's.
    #[must_use]
    pub const fn is_shims(&self) -> bool {
        matches!(self, Self::Shim(_) | Self::Fresh { waits: true, .. })
    }

    /// The Secret that it names.
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
    fn an_archive_is_known_by_its_end() {
        let of = |uri| Pack::of(&Uri::parse(uri).expect("a uri"));
        assert_eq!(of("https://h/a/cifar10.zip"), Some(Pack::Zip));
        assert_eq!(of("https://h/a/venv.TAR.GZ?x=1"), Some(Pack::Tar));
        assert_eq!(of("pvc://c/a/venv.tar.xz"), Some(Pack::Tar));
        assert_eq!([of("https://h/a/lib.jar"), of("https://h/a/tar"), of("git+https://h/a.zip")], [None; 3]);
    }
}
