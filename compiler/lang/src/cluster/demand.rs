//! Resource demand of a plan: its groups of tasks, the requests per task, and which groups run at the same time.
pub use super::limits::Largest;
pub use super::naming::{DefaultQueue, ExplicitQueue, Queues};
use crate::escape::Escaped;
use crate::plan::{Plan, RoleId};
use crate::requirement::{Job, Lifecycle, Network, Placement, Requirement, Resources};
use crate::sources::Span;
use crate::spec::values::{Cores, Image};
use crate::spec::{Spread, When};
use std::collections::BTreeMap;

/// A countable resource of a node.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resource {
    /// CPU, in thousandths of a core.
    Cpus,
    /// Memory, in bytes.
    Memory,
    /// GPUs.
    Gpus,
    /// Local scratch space, in bytes.
    Disk,
    /// An extended resource, by name.
    Device(String),
    /// Slot for a task of a role with `spread "host"`. Each host has one slot per such role.
    Apart(RoleId),
    /// Slot for a task of a role with `spread "rack"`. Each rack has one slot per such role.
    Rack(RoleId),
    /// Port in the network namespace of the host. Only one task per host can bind it.
    Port(u16),
}

/// A property that a node must have, independent of other tasks on the node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// GPU model, and the node attribute (key, value) by which the platform selects nodes with this model.
    GpuModel(String, Option<(String, String)>),
    /// Minimum memory per GPU, in bytes.
    GpuMemory(u64),
    /// Minimum size of `/dev/shm` per task, in bytes.
    SharedMemory(u64),
    /// Partition that the job requests.
    Partition(String),
    /// Node attribute and its value.
    Attribute(String, String),
    /// The node has no GPUs.
    NoGpus,
    /// Partition of the queue of the job; `None`: nodes without a partition.
    OfPartition(Option<String>),
}

/// A scheduling policy of the platform that reserves some nodes for certain tasks, such as GPU nodes for tasks with GPUs. An
/// administrator can disable the policy.
#[derive(Debug, Clone, Copy)]
pub struct NodePolicy {
    /// Why tasks may stay pending, as a clause: the policy reserves some nodes, and all other nodes have too little capacity.
    pub fact: &'static str,
    /// The edit that avoids pending tasks.
    pub help: &'static str,
}

/// A patch that sets a value that the scheduler of the platform reads. The cluster check does not read patches, so it only warns of
/// this patch.
#[derive(Debug, Clone)]
pub struct Uncounted {
    /// Role of the patch; `None` for a patch of the job.
    pub role: Option<RoleId>,
    /// Key that the patch sets in the artifact.
    pub key: &'static str,
    /// Span of the patch.
    pub at: Span,
}

/// Tasks with identical requests: those of a role, TensorBoard, or a container that the platform adds.
#[derive(Debug, Clone)]
pub struct TaskGroup {
    /// Name in messages: a role in backticks, or another name without backticks, such as TensorBoard.
    pub name: String,
    /// Span of the name or of the count in the spec.
    pub at: Span,
    /// Number of tasks.
    pub count: u32,
    /// Minimum number of tasks with which the job can start.
    pub min: u32,
    /// Requests per task, with the span of each in the spec.
    pub needs: Vec<(Resource, u64, Span)>,
    /// Required node properties, with the span of each in the spec.
    pub terms: Vec<(Term, Span)>,
    /// Whether these tasks count against the quota of the job's queue.
    pub queued: bool,
}

/// Task groups that run at the same time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Phase {
    /// Sets of groups that certainly run at the same time. In the first phase: one set with all groups. In a later phase: one set
    /// per group.
    pub certain: Vec<Vec<usize>>,
    /// All groups that may run during this phase.
    pub possible: Vec<usize>,
}

impl Resource {
    /// Returns the amount with its unit, such as `4 cores`.
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
            Self::Device(name) => format!("{amount} `{}`", name.escaped()),
            Self::Apart(_) | Self::Port(_) => many("host", "hosts"),
            Self::Rack(_) => many("rack", "racks"),
        }
    }
}

/// Formats a number of bytes in the largest unit that divides it, such as `16GiB`.
pub(super) fn bytes(amount: u128) -> String {
    let units = [("TiB", 1_u128 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    let whole = units.into_iter().find(|(_, factor)| amount > 0 && amount.is_multiple_of(*factor));
    whole.map_or_else(|| format!("{amount}B"), |(unit, factor)| format!("{}{unit}", amount / factor))
}

/// The resources that a job reserves on a cluster.
#[derive(Debug, Clone)]
pub struct Demand {
    /// Roles in order of their ID, then TensorBoard, then containers that the platform adds.
    pub groups: Vec<TaskGroup>,
    /// Whether the platform reserves the resources of all groups from the start, including those of roles that start later.
    pub together: bool,
    /// Why the platform reserves more than the job requests; `None` if it reserves exactly the requests.
    pub because: Option<&'static str>,
    /// Why the memory requests were rounded up; `None` if they were not.
    because_of_steps: Option<&'static str>,
    /// Policy of the platform that reserves nodes with GPUs for tasks with GPUs.
    pub keeps_gpus: Option<NodePolicy>,
    /// Policy of the platform that reserves the nodes of a partition for the queues of this partition.
    pub keeps_partitions: Option<NodePolicy>,
    /// Name of the extended resource by which the platform counts GPUs.
    pub gpu_device: Option<String>,
    /// Queue naming of the platform; `None` if the platform has no queues.
    pub queues: Option<Queues>,
    /// Queue of the job, if a label or a patch sets it; `None` if the option of the target decides.
    pub queue: Option<ExplicitQueue>,
    /// Patches that change values which the scheduler reads. `groups` does not include these changes.
    pub uncounted: Vec<Uncounted>,
    /// Images that options and patches of the target set, each with its place in the spec.
    pub images: Vec<(Span, Image)>,
    /// Node attribute with the name of the rack. `None`: each node counts as a separate rack.
    pub rack: Option<String>,
    /// Allocation increment of container memory in bytes, unless the cluster file sets `memory-step`.
    pub memory_step: Option<u64>,
    /// Default limits of the platform per container. Each applies if the cluster file does not set this limit.
    pub largest: Vec<Largest>,
}

impl TaskGroup {
    /// Returns the request per task for a resource, and its place in the spec; `None` if the task does not request it.
    #[must_use]
    pub fn need(&self, resource: &Resource) -> Option<(u64, Span)> {
        self.needs.iter().find(|(other, ..)| other == resource).map(|(_, need, at)| (*need, *at))
    }
}

impl Demand {
    /// Returns the demand of a plan in which each task reserves exactly its requests.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        Self {
            groups: groups(plan),
            together: false,
            because: None,
            because_of_steps: None,
            keeps_gpus: None,
            keeps_partitions: None,
            gpu_device: None,
            queues: None,
            queue: None,
            uncounted: Vec::new(),
            images: Vec::new(),
            rack: None,
            memory_step: None,
            largest: Vec::new(),
        }
    }

    /// Sets the node attribute by which the platform selects nodes with a GPU model: its `key`, and its `value` for each model.
    pub fn mark_models(&mut self, key: &str, value: impl Fn(&str) -> String) {
        for (term, _) in self.groups.iter_mut().flat_map(|group| &mut group.terms) {
            if let Term::GpuModel(model, by) = term {
                *by = Some((key.to_owned(), value(model)));
            }
        }
    }

    /// Rounds CPU requests up to whole cores, for platforms without fractional cores.
    pub fn round_cores(&mut self) {
        let needs = self.groups.iter_mut().flat_map(|group| &mut group.needs);
        for (_, amount, _) in needs.filter(|need| need.0 == Resource::Cpus) {
            *amount = amount.next_multiple_of(1000);
        }
    }

    /// Rounds memory requests up to the allocation increment, on platforms that have one. `stated`: the increment from the
    /// cluster file (`memory-step`), which replaces the default of the platform.
    pub(super) fn round_memory(&mut self, stated: Option<u64>) {
        let Some(step) = self.memory_step.map(|usual| stated.unwrap_or(usual)).filter(|step| *step > 0)
        else {
            return;
        };
        let needs = self.groups.iter_mut().flat_map(|group| &mut group.needs);
        for (_, amount, _) in needs.filter(|need| need.0 == Resource::Memory && !need.1.is_multiple_of(step))
        {
            *amount = amount.checked_next_multiple_of(step).unwrap_or(u64::MAX);
            self.because_of_steps = Some(match stated {
                Some(_) => "memory per container is rounded up to a multiple of the cluster's `memory-step`",
                None => {
                    "memory per container is rounded up to a multiple of the default increment, 1GiB; if the cluster uses another increment, set `memory-step` in the cluster file"
                }
            });
        }
    }

    /// Appends to a help the reasons why the platform reserves more than requested. `memory`: whether the help is about memory;
    /// only such a help gets the reason why memory was rounded up.
    pub(super) fn help(&self, help: &str, memory: bool) -> String {
        let reasons = self.because.into_iter().chain(self.because_of_steps.filter(|_| memory));
        let reasons: Vec<&str> = reasons.collect();
        if reasons.is_empty() { help.to_owned() } else { format!("{help} ({})", reasons.join("; ")) }
    }

    /// Returns the phases of the job in order of their start, each with the groups that run at the same time.
    pub(super) fn phases(&self, plan: &Plan) -> Vec<Phase> {
        if self.together {
            let all: Vec<usize> = (0..self.groups.len()).collect();
            return vec![Phase { certain: vec![all.clone()], possible: all }];
        }
        phases(plan, self.groups.len())
    }
}

/// Returns the groups of a plan: roles in order of their ID, then TensorBoard.
fn groups(plan: &Plan) -> Vec<TaskGroup> {
    let role = |role: &crate::plan::Role| TaskGroup {
        name: format!("`{}`", role.name.value),
        at: role.name.span,
        count: role.count.value,
        min: role.count.value,
        needs: Vec::new(),
        terms: Vec::new(),
        queued: true,
    };
    let mut groups: Vec<TaskGroup> = plan.roles.iter().map(role).collect();
    let host = plan
        .requirements
        .iter()
        .any(|required| matches!(required.requirement, Requirement::Network(Network::Host)));
    for required in &plan.requirements {
        match want(&required.requirement) {
            Want::Nothing => {}
            Want::Min(role, min) => groups[role].min = min,
            Want::Amount(role, resource, amount) => groups[role].needs.push((resource, amount, required.at)),
            Want::Term(role, term) => groups[role].terms.push((term, required.at)),
            Want::Board(milli, memory) => groups.push(TaskGroup {
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
    for (group, role) in groups.iter_mut().zip(&plan.roles).filter(|_| host) {
        let fixed = role.ports.iter().filter_map(|port| port.number.map(|n| (n, port.name.span)));
        group.needs.extend(fixed.map(|(number, at)| (Resource::Port(number), 1, at)));
    }
    groups
}

/// Contribution of one requirement to the demand: nothing, a minimum number of tasks, an amount of a resource, a node property, or
/// a TensorBoard.
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

/// Returns the phases of the job. Only `after … when="done"` separates phases. Without it, groups run at the same time, because
/// tasks of a rendezvous wait for each other, and helpers run as long as the job.
fn phases(plan: &Plan, groups: usize) -> Vec<Phase> {
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
    let mut waves = vec![0_usize; groups];
    // Each round moves roles to a later phase than the roles that they wait for. Without a cycle, one round per role is enough.
    // With a cycle, the result does not matter, because `resolve` reports the cycle.
    for _ in 0..plan.roles.len() {
        for (role, first) in &edges {
            waves[*role] = waves[*role].max(waves[*first] + 1).min(groups);
        }
    }
    let mut by_wave: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (group, wave) in waves.iter().enumerate() {
        by_wave.entry(*wave).or_default().push(group);
    }
    let phase = |(wave, now): (&usize, &Vec<usize>)| {
        let mut over = vec![false; groups];
        for _ in 0..plan.roles.len() {
            for (role, first) in &edges {
                over[*first] |= now.contains(role) || over[*role];
            }
        }
        let likely = (0..groups).filter(|group| waves[*group] <= *wave && !over[*group]).collect();
        // Roles of a later phase may wait for different roles, so only tasks of the same role certainly run at the same time.
        let alone = || now.iter().map(|group| vec![*group]).collect();
        Phase { certain: if *wave == 0 { vec![now.clone()] } else { alone() }, possible: likely }
    };
    by_wave.iter().map(phase).collect()
}
