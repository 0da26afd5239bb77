//! Input of support, checks, and lowering: the plan, the options, the cluster manager, and the size of executors.
use super::options::{DeployMode, Input, Options};
use super::settings::host;
use super::support::storage::sent::{self, Sent};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use tfjob_lang::plan::{Plan, Role, RoleKind};
use tfjob_lang::requirement::{Requirement, Storage};

/// Cluster manager of Spark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manager {
    /// Hadoop YARN.
    Yarn,
    /// A standalone master.
    Standalone,
    /// Kubernetes.
    Kubernetes,
}

impl Manager {
    /// Returns the name of the cluster manager for messages.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Yarn => "YARN",
            Self::Standalone => "a standalone master",
            Self::Kubernetes => "Kubernetes",
        }
    }

    /// Returns the cluster manager that a master URL selects, or `None` if the URL is invalid.
    pub fn of(master: &str) -> Option<Self> {
        let server = |rest: &str, port: &str, plain: fn(&str) -> bool| {
            let (name, port) = rest.rsplit_once(':').unwrap_or((rest, port));
            plain(name) && port.parse::<u16>().is_ok_and(|p| p > 0)
        };
        if master == "yarn" {
            return Some(Self::Yarn);
        }
        if let Some(hosts) = master.strip_prefix("spark://") {
            // Spark parses each server with `java.net.URI` to find its host (`Utils.extractHostPortFromSparkUrl`).
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

/// A job and its options.
pub struct Context<'a> {
    /// The job.
    pub plan: &'a Plan,
    /// The options of the target.
    pub options: &'a Options,
    /// The cluster manager that the option `master` selects. If the option is invalid, this is YARN, and a check reports the
    /// option.
    pub manager: Manager,
    sent: OnceCell<BTreeMap<String, Vec<Sent>>>,
}

impl<'a> Context<'a> {
    /// Creates the context of a job.
    pub fn new(plan: &'a Plan, options: &'a Options) -> Self {
        let manager = options.master.as_ref().and_then(|m| Manager::of(m.value.as_str()));
        Self { plan, options, manager: manager.unwrap_or(Manager::Yarn), sent: OnceCell::new() }
    }

    /// Returns the master URL.
    pub fn master(&self) -> &'a str {
        self.options.master.as_ref().map_or("yarn", |m| m.value.as_str())
    }

    /// Returns whether the driver runs on the submitting host (client mode).
    pub fn client(&self) -> bool {
        match self.options.deploy_mode.as_ref().map(|m| m.value) {
            Some(DeployMode::Client) => true,
            Some(DeployMode::Cluster) => false,
            None => self.manager == Manager::Standalone,
        }
    }

    /// Returns the files of the job that spark-submit sends to the working directories of executors under the name `name`. `code`
    /// and `files` come last, in the order of the spec.
    pub fn sent(&self, name: &str) -> &[Sent] {
        self.sent.get_or_init(|| sent::by_name(self)).get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns whether programs run in containers, and so do not see the file system of the node.
    pub fn contained(&self) -> bool {
        match self.manager {
            Manager::Kubernetes => true,
            Manager::Yarn => self.plan.roles.iter().any(|r| r.image.is_some()),
            Manager::Standalone => false,
        }
    }

    /// Returns whether the job sets `input "spark"`, so that Spark feeds rows to the programs.
    pub fn feeds(&self) -> bool {
        self.options.input.as_ref().is_some_and(|i| i.value == Input::Spark)
    }

    /// Returns whether the driver opens data or checkpoints: data that it feeds, or a checkpoint directory that must be empty and
    /// is not mounted.
    pub fn opens(&self) -> bool {
        let checks = |requirement: &Requirement| {
            matches!(requirement, Requirement::Storage(Storage::CheckpointsFresh { mounted: false }))
        };
        self.feeds() || self.plan.requirements.iter().any(|required| checks(&required.requirement))
    }

    /// Returns the resources of every executor. Each amount is the maximum of all roles, because all executors are identical.
    pub fn executor(&self) -> Executor {
        let roles = &self.plan.roles;
        Executor {
            milli: roles.iter().map(|r| r.resources.cpus.value).max().unwrap_or(1000),
            mebibytes: roles.iter().map(|r| mebibytes(r.resources.memory.value)).max().unwrap_or(1024),
            gpus: roles.iter().map(|r| r.resources.gpus).max().unwrap_or(0),
        }
    }

    /// Returns the heap of an executor in MiB. A standalone worker reserves only `spark.executor.memory`. So on a standalone
    /// master, the heap is the whole memory.
    pub fn heap(&self) -> u64 {
        let all = self.executor().mebibytes;
        match self.manager {
            Manager::Standalone => all,
            Manager::Yarn | Manager::Kubernetes => heap(all, self.feeds()),
        }
    }

    /// Returns the first role for which `value` returns a different result than for `role`, if any.
    pub fn differs<T: PartialEq>(&self, role: usize, value: impl Fn(&'a Role) -> T) -> Option<&'a Role> {
        let expected = value(&self.plan.roles[role]);
        self.plan.roles.iter().find(|other| value(other) != expected)
    }

    /// Returns whether roles of this kind get rows if Spark feeds data. Only roles that train get rows.
    pub const fn is_fed(kind: RoleKind) -> bool {
        kind.trains()
    }
}

/// Resources of every executor, which runs one task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Executor {
    /// CPU in thousandths of a core.
    pub milli: u32,
    /// Memory of the container in MiB, including the Java process.
    pub mebibytes: u64,
    /// Number of GPUs.
    pub gpus: u32,
}

impl Executor {
    /// Returns the number of whole cores, rounded up.
    pub const fn cores(self) -> u32 {
        self.milli.div_ceil(1000)
    }
}

/// Converts bytes to whole MiB, rounded up.
pub const fn mebibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// Returns the Java heap of an executor in MiB. `mebibytes`: the memory of the whole container. The rest of this memory is for
/// Python and the program. `feeds`: whether the executor feeds rows to the program.
///
/// The heap is small, because tensors are outside the Java heap. If the executor only waits for the program, the heap is 512 MiB.
/// If the executor feeds rows, the heap is a quarter of the memory, from 1 GiB to 8 GiB. Spark refuses a heap below 450 MiB
/// (spark#executor-memory).
pub fn heap(mebibytes: u64, feeds: bool) -> u64 {
    if feeds { (mebibytes / 4).clamp(1024, 8192) } else { 512 }
}

/// Minimum memory outside the heap in MiB: for the Java process, the Python process that imports TensorFlow, and the program. With
/// less memory, the container is killed before training starts.
pub const BESIDE_HEAP: u64 = 512;
