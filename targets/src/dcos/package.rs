//! What the package `beta-tensorflow` can do with each ask. It is small: workers and parameter servers of TensorFlow 1
//! that call one module.
mod context;
mod life;
mod lower;
mod merged;
mod placement;
mod shape;
mod storage;
mod tasks;

pub(super) use lower::{lower, view};
pub(super) use merged::{is_inside, judge as judge_merged};

use super::{Dcos, marathon};
use serde_json::Value;
use tfjob_lang::ask::Ask;
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::shape::Shape;
use tfjob_lang::target::{Answer, Site};

/// The version whose options are written; older ones lack Kerberos, HDFS and regions.
pub(super) const VERSION: &str = "0.2.0-1.5.0-beta";

/// What lowering does for one ask.
#[derive(Debug, Clone)]
pub enum Means {
    /// The service's name.
    Name(String),
    /// Number of tasks.
    Count { role: RoleId, count: u32 },
    /// An image.
    Image { role: RoleId, image: String },
    /// What the module's `main` gets.
    Context(Vec<(String, Value)>),
    /// Who runs the tasks.
    User(String),
    /// Cores in thousandths.
    Cpus { role: RoleId, milli: u32 },
    /// Memory in MiB.
    Memory { role: RoleId, mebibytes: u64 },
    /// GPUs.
    Gpus { role: RoleId, count: u32 },
    /// Disk in MiB.
    Disk { role: RoleId, mebibytes: u64 },
    /// Where the tasks listen.
    Port { role: RoleId, number: u16 },
    /// Attribute, operator, value.
    Constraint { role: RoleId, words: Vec<String> },
    /// The program.
    Code(String),
    /// Where state goes.
    Shared(String),
    /// A network of containers; `None` is the host's.
    Network(Option<String>),
    /// A TensorBoard.
    Tensorboard { port: u16, milli: u32, mebibytes: u64 },
    /// The name before `@`, the realm, the secret with the keytab.
    Kerberos { primary: String, realm: String, keytab: String },
    /// Text merged into the options, or a role's part of them.
    Patch { role: Option<RoleId>, text: String },
    /// Nothing to write, and why.
    Inherent(&'static str),
}

/// The three groups of tasks that the package has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// `parameter_server`.
    Ps,
    /// `worker`.
    Worker,
    /// `gpu_worker`.
    GpuWorker,
}

impl Slot {
    /// The group of a role, if it has one.
    pub(super) fn of(plan: &Plan, role: RoleId) -> Option<Self> {
        let role = &plan.roles[role];
        match role.kind {
            RoleKind::Ps => Some(Self::Ps),
            RoleKind::Worker if role.resources.gpus > 0 => Some(Self::GpuWorker),
            RoleKind::Worker => Some(Self::Worker),
            RoleKind::Chief
            | RoleKind::Evaluator
            | RoleKind::Master
            | RoleKind::Scheduler
            | RoleKind::Server
            | RoleKind::Own
            | RoleKind::Helper => None,
        }
    }

    /// The key of its options.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Ps => "parameter_server",
            Self::Worker => "worker",
            Self::GpuWorker => "gpu_worker",
        }
    }
}

/// The schema against which a patch is checked: of the whole, or of a role's part.
pub(super) fn patch_schema(plan: &Plan, role: Option<RoleId>) -> Value {
    match role.and_then(|role| Slot::of(plan, role)) {
        None => Shape::schema_of::<shape::Options>(),
        Some(Slot::Ps | Slot::Worker) => Shape::schema_of::<shape::Tasks>(),
        Some(Slot::GpuWorker) => Shape::schema_of::<shape::GpuTasks>(),
    }
}

type Given = Answer<Means>;

/// The package's tasks and its scheduler are Marathon's and Mesos' too: what these refuse, the package cannot do.
fn unless(refused: Option<Answer<marathon::Means>>, own: impl FnOnce() -> Given) -> Given {
    match refused {
        Some(Answer::Refused(refusal)) => Answer::Refused(refusal),
        Some(Answer::Native(_) | Answer::Emulated(..) | Answer::Ignored(_)) | None => own(),
    }
}

/// What the package lacks, with the cure that always is one: the other form.
fn lacks(why: impl Into<String>, proof: &'static str) -> Given {
    Answer::impossible(why, AS_MARATHON, proof)
}

const AS_MARATHON: &str = "write `as \"marathon\"` in `target \"dcos\"`: then each task is a Marathon app";

/// Every ask, each by its subject.
#[expect(clippy::too_many_lines, reason = "a line for each ask, so that none is forgotten")]
pub(super) fn answer(ask: &Ask, plan: &Plan, site: &Site<Dcos>) -> Given {
    match ask {
        Ask::JobName(name) => unless(marathon::reserved(name), || tasks::service(plan, site)),
        Ask::Description(_) => {
            Answer::Ignored("has no place for a description in the package's options".into())
        }
        Ask::Label { .. } => Answer::Ignored("has no place for labels in the package's options".into()),
        Ask::Framework { name, version, strategy } => {
            tasks::framework(*name, version.as_ref(), *strategy, plan)
        }
        Ask::Role { role, count } => tasks::role(*role, *count, plan),
        Ask::Evaluator { .. } => lacks("has no evaluator in the package", "spark-dcos §3.2"),
        Ask::Helper { .. } => lacks("has no role outside the rendezvous in the package", "spark-dcos §3.2"),
        Ask::Min { .. } => lacks("always starts the full number of the package's tasks", "spark-dcos §3.2"),
        Ask::Image { role, image } => tasks::image(*role, image, plan, site),
        Ask::NoImage { .. } => Answer::Native(Means::Inherent("the package has an image of its own")),
        Ask::Pull { pull, .. } => tasks::pull(*pull),
        Ask::PullSecret { .. } => {
            lacks("cannot give the package's tasks a registry's credentials", "spark-dcos §3.2")
        }
        Ask::Run { role, argv } => tasks::run(*role, argv, plan, site),
        Ask::Shell { .. } => {
            lacks("calls a module's `main` and starts no shell for the package's tasks", "spark-dcos §3.5")
        }
        Ask::Workdir { .. } => lacks("chooses the folder of the package's tasks itself", "spark-dcos §3.5"),
        Ask::Env { .. } => {
            lacks("accepts variables in the package's options and never reads them", "spark-dcos §3.3")
        }
        Ask::SecretEnv { env, from, key, .. } => life::secret(env, from, key.as_deref(), None, plan),
        Ask::SecretFile { env, from, key, at, .. } => life::secret(env, from, key.as_deref(), Some(at), plan),
        Ask::User { role, user } => tasks::user(*role, user, plan),
        Ask::Cpus { role, milli } => Answer::Native(Means::Cpus { role: *role, milli: *milli }),
        Ask::Memory { role, bytes } => {
            super::whole_mebibytes(*bytes, |mebibytes| Means::Memory { role: *role, mebibytes })
        }
        Ask::Gpus { role, count } => tasks::gpus(*role, *count, plan),
        Ask::GpuModel { .. } => {
            lacks("cannot choose among GPUs: `gpu_worker` has no placement", "spark-dcos-observed §4")
        }
        Ask::GpuMemory { .. } => lacks("cannot choose GPUs by their memory", "spark-dcos §3.2"),
        Ask::Disk { role, bytes } => {
            super::whole_mebibytes(*bytes, |mebibytes| Means::Disk { role: *role, mebibytes })
        }
        Ask::SharedMemory { .. } => lacks("cannot size `/dev/shm` of the package's tasks", "spark-dcos §3.2"),
        Ask::Device { .. } => lacks("knows no counted kind but GPUs", "spark-dcos §3.2"),
        Ask::Port { role, name, number } => life::port(*role, name, *number, plan),
        Ask::PortLink { .. } => Answer::Ignored("shows no link to the package's tasks".into()),
        Ask::Restart { .. } => {
            lacks("restarts the package's tasks by rules that cannot be set", "spark-dcos §3.5")
        }
        Ask::After { .. } => lacks("starts the package's tasks in an order of its own", "spark-dcos §3.5"),
        Ask::Ready { .. } => lacks("has no health checks in the package", "spark-dcos §3.2"),
        Ask::PlaceNode { role, key, value } => {
            let words = vec![key.clone(), "IS".to_owned(), value.clone()];
            unless(Some(marathon::node(*role, (key, value), plan, site)), || {
                tasks::constraint(*role, words, plan)
            })
        }
        Ask::PlacePartition { .. } => lacks("has no partitions that tasks could name", "spark-dcos §3.4"),
        Ask::PlaceSpread { role, spread } => tasks::spread(*role, *spread, plan),
        Ask::Code { uri, reference: _, at } => storage::code(uri, at.as_deref(), site),
        Ask::Stage { .. } => {
            lacks("fetches the code and nothing else for the package's tasks", "spark-dcos §3.2")
        }
        Ask::DataUri { uri, .. } => storage::data(uri, plan, site),
        Ask::DataMount { .. } | Ask::CheckpointsMount { .. } => {
            lacks("mounts nothing into the package's tasks", "spark-dcos §3.2")
        }
        Ask::CheckpointsUri { uri } => storage::checkpoints(uri, plan, site),
        Ask::CheckpointsEvery { .. } => Answer::Native(Means::Inherent("the program keeps this promise")),
        Ask::CheckpointsFresh { .. } => lacks("looks at no checkpoint before the start", "spark-dcos §3.5"),
        Ask::Scratch { .. } => {
            lacks("tells the package's tasks of no folder of their own", "spark-dcos §3.5")
        }
        Ask::Done { .. } => {
            lacks("starts the program itself, and hears nothing of it but its end", "spark-dcos §3.5")
        }
        Ask::Hadoop { .. } => storage::hadoop(plan),
        Ask::Protocol(protocol) => life::protocol(*protocol),
        Ask::StartTimeout { .. } => {
            lacks("lets the package's tasks wait for each other without end", "spark-dcos §3.5")
        }
        Ask::Gang => lacks("places the package's tasks one by one", "spark-dcos §3.5"),
        Ask::StopGrace { .. } => lacks("has no grace period in the package's options", "spark-dcos §3.2"),
        Ask::Deadline { .. } => lacks("has no deadline in the package's options", "spark-dcos §3.2"),
        Ask::Success(_) => life::success(),
        Ask::EndOfJob => life::end(),
        Ask::Keep { .. } => {
            lacks("keeps or drops the package's sandboxes by the agents' own rules", "spark-dcos §3.5")
        }
        Ask::Tensorboard(board) => storage::tensorboard(board, plan),
        Ask::HostNetwork => Answer::Native(Means::Network(None)),
        Ask::Network(name) => {
            let own = || Answer::Native(Means::Network(Some(name.clone())));
            unless(Some(marathon::named(name, site)), own)
        }
        Ask::Kerberos { principal, keytab } => life::kerberos(principal, keytab, plan, site),
        Ask::Patch { target: _, role, text } => {
            Answer::Native(Means::Patch { role: *role, text: text.clone() })
        }
    }
}
