//! What lowering will do for an ask that this target agreed to: plain data, decided once.
use crate::contract_builder::Location;
use tfjob_lang::lowered::Step;
use tfjob_lang::plan::{DataRef, RoleId};
use tfjob_lang::requirement;
use tfjob_lang::spec;

/// How Spark, `TensorFlowOnSpark`, the driver or the shim gives what is asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Mechanism {
    /// The application's name.
    Name(String),
    /// Settings of Spark.
    Settings(Vec<(String, String)>),
    /// A tag of the YARN application.
    Tag(String),
    /// A folder that the node's Docker shows to the container.
    Bind {
        /// What it is to the job.
        place: DataRef,
        /// Where the node has it.
        from: String,
        /// Where the program sees it.
        to: String,
        /// Whether the program writes.
        writable: bool,
    },
    /// Tasks of a role, an executor each.
    Tasks(RoleId),
    /// Something of a role that stands in its own lines: its words, a variable, its folder.
    Words,
    /// The same, where only the shim can complete it.
    ShimWords,
    /// Thousandths of a core.
    Cpus(u32),
    /// MiB of each executor's container.
    Memory(u64),
    /// GPUs that a role sees.
    Gpus(RoleId),
    /// An archive that Spark unpacks in each executor's folder, or a file that it puts there.
    Archive {
        /// What it is to the job.
        place: DataRef,
        /// The folder it is unpacked in; empty for a file, which keeps its name.
        alias: String,
        /// Where it comes from, as spark-submit reads it.
        from: String,
        /// What packs it, where it lies beside the spec as a folder or a script.
        pack: Option<Box<Step>>,
    },
    /// Something that is where it is.
    At(DataRef, Location),
    /// The same, which takes settings.
    Mounted(DataRef, Location, Vec<(String, String)>),
    /// A secret of Kubernetes in a variable of every executor, or in a file.
    Secret {
        /// Whose.
        role: RoleId,
        /// The variable.
        env: String,
        /// The file, where the secret is one.
        path: Option<String>,
        /// What makes it appear.
        settings: Vec<(String, String)>,
    },
    /// The shim hears that the program's work is done.
    Done(RoleId),
    /// The shim starts the program again.
    Restart(RoleId, requirement::Restart),
    /// The driver starts all tasks again after the failure of one of this role.
    StartAgain(RoleId, requirement::Restart),
    /// The driver starts a role after another.
    After(RoleId, RoleId, spec::When),
    /// The node looks whether its task is ready.
    Ready(RoleId, Probe),
    /// The shim sets Hadoop's environment.
    Hadoop {
        /// Hadoop's folder.
        home: String,
        /// Java's.
        java: String,
        /// The configuration's.
        conf: Option<String>,
    },
    /// Seconds until every executor must be there, and until every role that comes first is ready.
    Wait {
        /// How many.
        seconds: u64,
        /// Whether the shim looks, too: at peers for which TensorFlow waits without end.
        meets: bool,
    },
    /// Seconds until the driver ends the job.
    Deadline(u64),
    /// Whose end the driver takes for the job's.
    Success(spec::Success),
    /// The driver, or each node where the folder is mounted, looks for old state before anything starts.
    Fresh {
        /// Whether nodes see it as a folder.
        mounted: bool,
    },
    /// Spark logs in.
    Kerberos {
        /// Who.
        principal: String,
        /// The file on the host that submits.
        keytab: String,
    },
}

impl Mechanism {
    /// Whether the shim must travel with the job for it.
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

/// When a task is ready, as its node can see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probe {
    /// A port of this number accepts connections; 0 is the rendezvous port, which only the node knows.
    Tcp(u16),
    /// That port answers 2xx at that path.
    Http(u16, String),
    /// That file exists.
    File(String),
}
