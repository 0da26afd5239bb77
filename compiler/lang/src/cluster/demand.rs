//! What a plan wants of a site: its tasks, what each needs, and which of them run at the same time.
pub use super::limits::Largest;
pub use super::naming::{DefaultQueue, Elsewhere, Queues};
use crate::plan::{Plan, RoleId};
use crate::requirement::{Job, Lifecycle, Network, Placement, Requirement, Resources};
use crate::sources::Span;
use crate::spec::values::Cores;
use crate::spec::{Spread, When};
use std::collections::BTreeMap;

/// Something of which a node has so much.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resource {
    /// Thousandths of a core.
    Cpus,
    /// Bytes.
    Memory,
    /// Whole GPUs.
    Gpus,
    /// Bytes of scratch space.
    Disk,
    /// Another counted kind.
    Device(String),
    /// The one place that a host has for tasks of a role which stand apart.
    Apart(RoleId),
    /// The one place that a rack has for tasks of a role which stand in different racks.
    Rack(RoleId),
    /// A port of the host's own network.
    Port(u16),
}

/// Something that a node must be, whatever else runs on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// Its GPUs are of that model; the attribute, with its value, by which the platform finds such nodes.
    GpuModel(String, Option<(String, String)>),
    /// Each GPU has so many bytes.
    GpuMemory(u64),
    /// It gives a task so many bytes of `/dev/shm`.
    SharedMemory(u64),
    /// It is in that partition.
    Partition(String),
    /// It has that attribute, with that value.
    Attribute(String, String),
    /// It has no GPUs.
    NoGpus,
    /// It is in that partition of the cluster, or in none.
    OfPartition(Option<String>),
}

/// A platform that keeps nodes with GPUs for tasks with GPUs, unless it is set up otherwise.
#[derive(Debug, Clone, Copy)]
pub struct Kept {
    /// What it does.
    pub fact: &'static str,
    /// Which nodes are too small then, as in `the other nodes have no room for`.
    pub rest: &'static str,
    /// How a job is placed there all the same.
    pub help: &'static str,
}

/// A patch that sets what the platform's scheduler reads.
#[derive(Debug, Clone)]
pub struct Uncounted {
    /// The role of the patch; none where it is a patch of the job.
    pub role: Option<RoleId>,
    /// The key of the artifact that it sets.
    pub key: &'static str,
    /// The patch.
    pub at: Span,
}

/// Tasks that are alike: those of a role, or the TensorBoard.
#[derive(Debug, Clone)]
pub struct Crew {
    /// In words: `` `worker` ``.
    pub name: String,
    /// Its name or number in the spec.
    pub at: Span,
    /// Its tasks.
    pub count: u32,
    /// Those that the job starts with.
    pub min: u32,
    /// What each needs, and the words that say so.
    pub needs: Vec<(Resource, u64, Span)>,
    /// What its nodes must be, and the words that say so.
    pub terms: Vec<(Term, Span)>,
    /// Whether these tasks count against the job's queue.
    pub queued: bool,
}

/// The crews that run at the same time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shift {
    /// Those that surely run at the same time: whoever starts with the job does, and the tasks of one role.
    pub sure: Vec<Vec<usize>>,
    /// Those that run then, as far as anyone can tell.
    pub likely: Vec<usize>,
}

impl Resource {
    /// So much of it, in words.
    pub(super) fn amount(&self, amount: u128) -> String {
        let many = |one: &str, more: &str| match amount {
            1 => format!("1 {one}"),
            _ => format!("{amount} {more}"),
        };
        match self {
            Self::Cpus => {
                let tenths = u32::try_from(amount / 100).unwrap_or(u32::MAX);
                format!("{} {}", Cores::from_tenths(tenths), if tenths == 10 { "core" } else { "cores" })
            }
            Self::Memory => format!("{} of memory", bytes(amount)),
            Self::Disk => format!("{} of disk", bytes(amount)),
            Self::Gpus => many("GPU", "GPUs"),
            Self::Device(name) => format!("{amount} `{}`", name.escape_debug()),
            Self::Apart(_) | Self::Port(_) => many("host", "hosts"),
            Self::Rack(_) => many("rack", "racks"),
        }
    }
}

/// Bytes in the largest unit that shows them whole.
pub(super) fn bytes(amount: u128) -> String {
    let units = [("TiB", 1_u128 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    let whole = units.into_iter().find(|(_, factor)| amount > 0 && amount.is_multiple_of(*factor));
    whole.map_or_else(|| format!("{amount}B"), |(unit, factor)| format!("{}{unit}", amount / factor))
}

/// What a job reserves of a cluster.
#[derive(Debug, Clone)]
pub struct Demand {
    /// The roles by their number, then the TensorBoard, then what the platform itself starts.
    pub crews: Vec<Crew>,
    /// Whether all of them are held from the start, also those that wait for the end of others.
    pub together: bool,
    /// Why the platform reserves more than the job asks for, where it does.
    pub because: Option<&'static str>,
    /// Why it reserves more memory than that, where it does.
    because_of_steps: Option<&'static str>,
    /// Whether nodes with GPUs are for tasks with GPUs.
    pub keeps_gpus: Option<Kept>,
    /// Whether nodes of a partition are for the queues of that partition.
    pub keeps_partitions: Option<Kept>,
    /// The name by which the platform counts GPUs among its devices.
    pub gpu_device: Option<String>,
    /// How the platform finds the queue of a job by its name; unless given, the platform has no queues.
    pub queues: Option<Queues>,
    /// The queue of the job, where the option of the target does not name it.
    pub queue: Option<Elsewhere>,
    /// Patches that set more or less than the crews need.
    pub uncounted: Vec<Uncounted>,
    /// The attribute of nodes that holds the name of their rack. Unless given, racks are unknown, and tasks in different
    /// racks count as tasks on different hosts.
    pub rack: Option<String>,
    /// The platform gives each container memory in multiples of so many bytes, unless the cluster file says otherwise.
    pub memory_step: Option<u64>,
    /// The most that the platform gives one container, unless the cluster file says otherwise.
    pub largest: Vec<Largest>,
}

impl Crew {
    /// The amount of a resource that one of them needs, and where it is requested.
    #[must_use]
    pub fn need(&self, resource: &Resource) -> Option<(u64, Span)> {
        self.needs.iter().find(|(other, ..)| other == resource).map(|(_, need, at)| (*need, *at))
    }
}

impl Demand {
    /// Each task holds what its role asks for.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        Self {
            crews: crews(plan),
            together: false,
            because: None,
            because_of_steps: None,
            keeps_gpus: None,
            keeps_partitions: None,
            gpu_device: None,
            queues: None,
            queue: None,
            uncounted: Vec::new(),
            rack: None,
            memory_step: None,
            largest: Vec::new(),
        }
    }

    /// The platform finds the nodes of a GPU model by this attribute, whose value `value` gives.
    pub fn mark_models(&mut self, key: &str, value: impl Fn(&str) -> String) {
        for (term, _) in self.crews.iter_mut().flat_map(|crew| &mut crew.terms) {
            if let Term::GpuModel(model, by) = term {
                *by = Some((key.to_owned(), value(model)));
            }
        }
    }

    /// Rounds up to whole cores, for platforms that do not divide a core.
    pub fn round_cores(&mut self) {
        let needs = self.crews.iter_mut().flat_map(|crew| &mut crew.needs);
        for (_, amount, _) in needs.filter(|need| need.0 == Resource::Cpus) {
            *amount = amount.next_multiple_of(1000);
        }
    }

    /// Rounds memory up to what the platform gives, where it gives memory in steps. `stated`: the step of the cluster file.
    pub(super) fn round_memory(&mut self, stated: Option<u64>) {
        let Some(step) = self.memory_step.map(|usual| stated.unwrap_or(usual)).filter(|step| *step > 0)
        else {
            return;
        };
        let needs = self.crews.iter_mut().flat_map(|crew| &mut crew.needs);
        for (_, amount, _) in needs.filter(|need| need.0 == Resource::Memory && !need.1.is_multiple_of(step))
        {
            *amount = amount.checked_next_multiple_of(step).unwrap_or(u64::MAX);
            self.because_of_steps = Some(match stated {
                Some(_) => "the cluster gives each container a multiple of its `memory-step`",
                None => {
                    "the platform gives each container a multiple of 1 GiB of memory, unless the cluster file has a `memory-step`"
                }
            });
        }
    }

    /// A help, with the reasons why more is reserved than is asked for; `memory`: whether it is about memory.
    pub(super) fn help(&self, help: &str, memory: bool) -> String {
        let reasons = self.because.into_iter().chain(self.because_of_steps.filter(|_| memory));
        reasons.fold(help.to_owned(), |help, because| format!("{help}; {because}"))
    }

    /// The crews that run at the same time.
    pub(super) fn shifts(&self, plan: &Plan) -> Vec<Shift> {
        if self.together {
            let all: Vec<usize> = (0..self.crews.len()).collect();
            return vec![Shift { sure: vec![all.clone()], likely: all }];
        }
        shifts(plan, self.crews.len())
    }
}

/// The crews of a plan: its roles by their number, then the TensorBoard.
fn crews(plan: &Plan) -> Vec<Crew> {
    let role = |role: &crate::plan::Role| Crew {
        name: format!("`{}`", role.name.value),
        at: role.name.span,
        count: role.count.value,
        min: role.count.value,
        needs: Vec::new(),
        terms: Vec::new(),
        queued: true,
    };
    let mut crews: Vec<Crew> = plan.roles.iter().map(role).collect();
    let host = plan
        .requirements
        .iter()
        .any(|required| matches!(required.requirement, Requirement::Network(Network::Host)));
    for required in &plan.requirements {
        match want(&required.requirement) {
            Want::Nothing => {}
            Want::Min(role, min) => crews[role].min = min,
            Want::Amount(role, resource, amount) => crews[role].needs.push((resource, amount, required.at)),
            Want::Term(role, term) => crews[role].terms.push((term, required.at)),
            Want::Board(milli, memory) => crews.push(Crew {
                name: "TensorBoard".to_owned(),
                at: required.at,
                count: 1,
                min: 1,
                needs: vec![
                    (Resource::Cpus, u64::from(milli), required.at),
                    (Resource::Memory, memory, required.at),
                ],
                terms: Vec::new(),
                queued: true,
            }),
        }
    }
    for (crew, role) in crews.iter_mut().zip(&plan.roles).filter(|_| host) {
        let fixed = role.ports.iter().filter_map(|port| port.number.map(|n| (n, port.name.span)));
        crew.needs.extend(fixed.map(|(number, at)| (Resource::Port(number), 1, at)));
    }
    crews
}

/// What one ask wants of a node.
enum Want {
    Nothing,
    Min(RoleId, u32),
    Amount(RoleId, Resource, u64),
    Term(RoleId, Term),
    Board(u32, u64),
}

fn want(requirement: &Requirement) -> Want {
    match requirement {
        Requirement::Job(Job::Min { role, min }) => Want::Min(*role, *min),
        Requirement::Job(Job::Tensorboard(board)) => Want::Board(board.milli, board.bytes),
        Requirement::Job(
            Job::Name(_)
            | Job::Description(_)
            | Job::Label { .. }
            | Job::Framework { .. }
            | Job::Role { .. }
            | Job::Evaluator { .. }
            | Job::Helper { .. }
            | Job::Patch { .. },
        )
        | Requirement::Program(_)
        | Requirement::Identity(_)
        | Requirement::Network(_)
        | Requirement::Lifecycle(_)
        | Requirement::Storage(_) => Want::Nothing,
        Requirement::Resources(requirement) => resource(requirement),
        Requirement::Placement(requirement) => placement(requirement),
    }
}

fn resource(requirement: &Resources) -> Want {
    match requirement {
        Resources::Cpus { role, milli } => Want::Amount(*role, Resource::Cpus, u64::from(*milli)),
        Resources::Memory { role, bytes } => Want::Amount(*role, Resource::Memory, *bytes),
        Resources::Gpus { role, count } => Want::Amount(*role, Resource::Gpus, u64::from(*count)),
        Resources::Disk { role, bytes } => Want::Amount(*role, Resource::Disk, *bytes),
        Resources::Device { role, name, count } => {
            Want::Amount(*role, Resource::Device(name.clone()), u64::from(*count))
        }
        Resources::GpuModel { role, model } => Want::Term(*role, Term::GpuModel(model.clone(), None)),
        Resources::GpuMemory { role, bytes } => Want::Term(*role, Term::GpuMemory(*bytes)),
        Resources::SharedMemory { role, bytes } => Want::Term(*role, Term::SharedMemory(*bytes)),
    }
}

fn placement(requirement: &Placement) -> Want {
    match requirement {
        Placement::Spread { role, spread: Spread::Host } => Want::Amount(*role, Resource::Apart(*role), 1),
        Placement::Spread { role, spread: Spread::Rack } => Want::Amount(*role, Resource::Rack(*role), 1),
        Placement::Partition { role, name } => Want::Term(*role, Term::Partition(name.clone())),
        Placement::Node { role, key, value } => {
            Want::Term(*role, Term::Attribute(key.clone(), value.clone()))
        }
    }
}

/// The crews that run at the same time. Where no role waits for another's end, that is all of them: the tasks of a
/// rendezvous wait for each other, and what stands beside it lives as long.
fn shifts(plan: &Plan, crews: usize) -> Vec<Shift> {
    let edges: Vec<(RoleId, RoleId)> = plan
        .requirements
        .iter()
        .filter_map(|required| match &required.requirement {
            Requirement::Lifecycle(Lifecycle::After { role, first, when: When::Done }) => {
                Some((*role, *first))
            }
            _ => None,
        })
        .collect();
    let mut waves = vec![0_usize; crews];
    // A cycle is an error that is told elsewhere; so many rounds settle the rest.
    for _ in 0..plan.roles.len() {
        for (role, first) in &edges {
            waves[*role] = waves[*role].max(waves[*first] + 1).min(crews);
        }
    }
    let mut by_wave: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (crew, wave) in waves.iter().enumerate() {
        by_wave.entry(*wave).or_default().push(crew);
    }
    let shift = |(wave, now): (&usize, &Vec<usize>)| {
        let mut over = vec![false; crews];
        for _ in 0..plan.roles.len() {
            for (role, first) in &edges {
                over[*first] |= now.contains(role) || over[*role];
            }
        }
        let likely = (0..crews).filter(|crew| waves[*crew] <= *wave && !over[*crew]).collect();
        // Those that wait for different ends may miss each other.
        let alone = || now.iter().map(|crew| vec![*crew]).collect();
        Shift { sure: if *wave == 0 { vec![now.clone()] } else { alone() }, likely }
    };
    by_wave.iter().map(shift).collect()
}
