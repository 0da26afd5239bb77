//! Lowering decisions of the Spark target: one variant per supported requirement, with all data that lowering needs.
use crate::contract_builder::Location;
use tfjob_lang::lowered::Step;
use tfjob_lang::plan::{DataRef, RoleId};
use tfjob_lang::requirement;
use tfjob_lang::spec;

/// How Spark implements a supported requirement.
#[derive(Debug, Clone, PartialEq)]
pub enum Mechanism {
    /// Name of the application.
    Name(String),
    /// Spark settings.
    Settings(Vec<(String, String)>),
    /// A tag of the YARN application.
    Tag(String),
    /// A directory of the node that is mounted into the Docker containers of YARN.
    Bind {
        /// The entry of the spec that is mounted.
        place: DataRef,
        /// Path on the node.
        from: String,
        /// Path in the container.
        to: String,
        /// Whether the mount is writable.
        writable: bool,
    },
    /// The tasks of a role, one executor each.
    Tasks(RoleId),
    /// A part of the role in `job.json` or in the job contract: an argument, an environment variable, or the working directory.
    Words,
    /// Like `Words`: a part of the role, but with values that only the shim can insert.
    ShimWords,
    /// CPU in thousandths of a core.
    Cpus(u32),
    /// Memory of each executor's container in MiB.
    Memory(u64),
    /// GPUs that the tasks of a role see.
    Gpus(RoleId),
    /// An archive that Spark unpacks into the working directory of each executor, or a file that it copies there.
    Archive {
        /// The `code` or `files` entry of the spec.
        place: DataRef,
        /// Directory into which the archive is unpacked. Empty for a file, which keeps its name.
        alias: String,
        /// URI or path of the archive or file, as spark-submit reads it.
        from: String,
        /// Step that packs `code` into an archive, if `code` is a directory or a script next to the spec.
        pack: Option<Box<Step>>,
    },
    /// An entry that needs no Spark settings, with its path or URI.
    At(DataRef, Location),
    /// An entry that Spark settings mount.
    Mounted(DataRef, Location, Vec<(String, String)>),
    /// A Kubernetes Secret that every executor gets, as an environment variable or as a file.
    Secret {
        /// The role that uses the Secret.
        role: RoleId,
        /// Environment variable that contains the secret, or the path of its file.
        env: String,
        /// Path of the file, if the secret is a file.
        path: Option<String>,
        /// Spark settings that deliver the Secret.
        settings: Vec<(String, String)>,
    },
    /// The program reports to the shim, by the `{done}` file, that its work is complete.
    Done(RoleId),
    /// The shim restarts the program.
    Restart(RoleId, requirement::Restart),
    /// The driver restarts all tasks after a task of this role has failed.
    StartAgain(RoleId, requirement::Restart),
    /// The driver starts the first role only after the second role has reached the state `When`.
    After(RoleId, RoleId, spec::When),
    /// The program of tfjob in each executor (`tfjob_node.py`) probes whether its task is ready.
    Ready(RoleId, Probe),
    /// The shim sets the environment variables of the Hadoop client.
    Hadoop {
        /// Hadoop home directory.
        home: String,
        /// Java home directory.
        java: String,
        /// Hadoop configuration directory.
        conf: Option<String>,
    },
    /// Maximum time for executors to register, and for a role to wait for roles that start before it.
    Wait {
        /// The limit in seconds.
        seconds: u64,
        /// Whether the shim stops waiting for peers after this time. TensorFlow itself waits for peers without a limit.
        meets: bool,
    },
    /// Seconds after which the driver stops the job.
    Deadline(u64),
    /// Which tasks decide job success.
    Success(spec::Success),
    /// Check that there are no checkpoints, before any program starts. If the directory is mounted, each executor does this check,
    /// otherwise the driver.
    Fresh {
        /// Whether the directory is mounted.
        mounted: bool,
    },
    /// Kerberos identity of the application.
    Kerberos {
        /// Principal.
        principal: String,
        /// Path of the keytab on the submitting host.
        keytab: String,
    },
}

impl Mechanism {
    /// Returns whether this mechanism needs the shim.
    pub const fn is_shims(&self) -> bool {
        match self {
            Self::ShimWords
            | Self::Done(_)
            | Self::Restart(..)
            | Self::Hadoop { .. }
            | Self::Wait { meets: true, .. } => true,
            Self::Name(_)
            | Self::Settings(_)
            | Self::Tag(_)
            | Self::Bind { .. }
            | Self::Tasks(_)
            | Self::Words
            | Self::Cpus(_)
            | Self::Memory(_)
            | Self::Gpus(_)
            | Self::Archive { .. }
            | Self::At(..)
            | Self::Mounted(..)
            | Self::Secret { .. }
            | Self::StartAgain(..)
            | Self::After(..)
            | Self::Ready(..)
            | Self::Wait { meets: false, .. }
            | Self::Deadline(_)
            | Self::Success(_)
            | Self::Fresh { .. }
            | Self::Kerberos { .. } => false,
        }
    }
}

/// A readiness probe that runs in the executor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probe {
    /// The port accepts connections. Port 0 stands for the rendezvous port, which is known only at run time.
    Tcp(u16),
    /// The port answers a GET request for the path with status 2xx.
    Http(u16, String),
    /// The file exists.
    File(String),
}
