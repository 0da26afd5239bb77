//! What answers and rules look at: the master, the mode, and what every executor must be to hold any task.
use super::options::{DeployMode, Input, Options};
use super::settings::host;
use super::support::storage::sent::{self, Sent};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use tfjob_lang::plan::{Plan, Role, RoleKind};
use tfjob_lang::requirement::{Requirement, Storage};

/// Who hands out the executors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manager {
    /// Hadoop YARN.
    Yarn,
    /// Spark's own master.
    Standalone,
    /// Kubernetes.
    Kubernetes,
}

impl Manager {
    /// Its name in a sentence.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Yarn => "YARN",
            Self::Standalone => "a standalone master",
            Self::Kubernetes => "Kubernetes",
        }
    }

    /// The manager of a master, if it has one of the three forms.
    pub fn of(master: &str) -> Option<Self> {
        let server = |rest: &str, port: &str, plain: fn(&str) -> bool| {
            let (name, port) = rest.rsplit_once(':').unwrap_or((rest, port));
            plain(name) && port.parse::<u16>().is_ok_and(|p| p > 0)
        };
        if master == "yarn" {
            return Some(Self::Yarn);
        }
        if let Some(hosts) = master.strip_prefix("spark://") {
            // `Utils.extractHostPortFromSparkUrl` takes the host that `java.net.URI` finds.
            let all = hosts.split(',').all(|one| server(one, "", host));
            return all.then_some(Self::Standalone);
        }
        let rest = master.strip_prefix("k8s://")?;
        let rest = rest.strip_prefix("https://").or_else(|| rest.strip_prefix("http://")).unwrap_or(rest);
        let (address, path) = rest.split_once('/').unwrap_or((rest, ""));
        let path = path.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b'/'));
        let named = |name: &str| host(&name.replace('_', "a"));
        (server(address, "6443", named) && path).then_some(Self::Kubernetes)
    }
}

/// The job and where it goes.
pub struct Context<'a> {
    /// The job.
    pub plan: &'a Plan,
    /// The words of the target.
    pub options: &'a Options,
    /// Who hands out the executors; YARN where the master is wrong, which a rule says.
    pub manager: Manager,
    sent: OnceCell<BTreeMap<String, Vec<Sent>>>,
}

impl<'a> Context<'a> {
    /// The job at this target.
    pub fn new(plan: &'a Plan, options: &'a Options) -> Self {
        let manager = options.master.as_ref().and_then(|m| Manager::of(m.value.as_str()));
        Self { plan, options, manager: manager.unwrap_or(Manager::Yarn), sent: OnceCell::new() }
    }

    /// The master's own words.
    pub fn master(&self) -> &'a str {
        self.options.master.as_ref().map_or("yarn", |m| m.value.as_str())
    }

    /// Whether the driver runs on the host that submits.
    pub fn client(&self) -> bool {
        match self.options.deploy_mode.as_ref().map(|m| m.value) {
            Some(DeployMode::Client) => true,
            Some(DeployMode::Cluster) => false,
            None => self.manager == Manager::Standalone,
        }
    }

    /// Everything that spark-submit sends under a file name, in the order in which the spec has it.
    pub fn sent(&self, name: &str) -> &[Sent] {
        self.sent.get_or_init(|| sent::by_name(self)).get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether the program runs in a container with a file system of its own.
    pub fn contained(&self) -> bool {
        match self.manager {
            Manager::Kubernetes => true,
            Manager::Yarn => self.plan.roles.iter().any(|r| r.image.is_some()),
            Manager::Standalone => false,
        }
    }

    /// Whether Spark feeds the rows.
    pub fn feeds(&self) -> bool {
        self.options.input.as_ref().is_some_and(|i| i.value == Input::Spark)
    }

    /// Whether the driver opens an address of the job: the rows that it feeds, or the checkpoints that must be new.
    pub fn opens(&self) -> bool {
        let looks = |requirement: &Requirement| {
            matches!(requirement, Requirement::Storage(Storage::CheckpointsFresh { mounted: false }))
        };
        self.feeds() || self.plan.requirements.iter().any(|required| looks(&required.requirement))
    }

    /// What every executor holds: of each kind the most that a role asks.
    pub fn executor(&self) -> Executor {
        let roles = &self.plan.roles;
        Executor {
            milli: roles.iter().map(|r| r.resources.cpus.value).max().unwrap_or(1000),
            mebibytes: roles.iter().map(|r| mebibytes(r.resources.memory.value)).max().unwrap_or(1024),
            gpus: roles.iter().map(|r| r.resources.gpus).max().unwrap_or(0),
        }
    }

    /// The heap of an executor in MiB: a standalone worker counts `spark.executor.memory` alone against what it has.
    pub fn heap(&self) -> u64 {
        let all = self.executor().mebibytes;
        match self.manager {
            Manager::Standalone => all,
            Manager::Yarn | Manager::Kubernetes => heap(all, self.feeds()),
        }
    }

    /// The first role that has another value than this one, for what all executors share.
    pub fn differs<T: PartialEq>(&self, role: usize, of: impl Fn(&'a Role) -> T) -> Option<&'a Role> {
        let own = of(&self.plan.roles[role]);
        self.plan.roles.iter().find(|other| of(other) != own)
    }

    /// Whether a role gets rows where Spark feeds: those that train.
    pub const fn is_fed(kind: RoleKind) -> bool {
        kind.trains()
    }
}

/// What every executor holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Executor {
    /// Thousandths of a core.
    pub milli: u32,
    /// Memory of the container, the Java machine included.
    pub mebibytes: u64,
    /// GPUs.
    pub gpus: u32,
}

impl Executor {
    /// Whole cores: Spark counts no parts.
    pub const fn cores(self) -> u32 {
        self.milli.div_ceil(1000)
    }
}

/// Whole MiB, rounded up: Spark counts no parts.
pub const fn mebibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// What the Java machine of an executor takes of its container; the rest is left to Python and the program.
///
/// Tensors live outside the Java heap, so it is small: 512 MiB where it only waits for the program, a quarter (1 GiB to
/// 8 GiB) where rows go through it. Spark refuses less than 450 MiB (spark#executor-memory).
pub fn heap(mebibytes: u64, feeds: bool) -> u64 {
    if feeds { (mebibytes / 4).clamp(1024, 8192) } else { 512 }
}

/// The least that must be left beside the heap: the Java machine's own memory, the Python that imports TensorFlow, and
/// the program. Below, the container is killed before anything trains.
pub const BESIDE_HEAP: u64 = 512;
