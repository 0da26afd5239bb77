//! Local: processes on this machine, each under the shim, started by `tfjob run`.
//!
//! `job.json` says whom to start, in which order and when the job is over; `contract.json` is the shim's. What all
//! platforms spread over nodes is here in one place: the program, its data and its state are where they are.
mod end;
mod job;
mod lower;
mod means;
mod options;
mod support;

pub use job::{Job, Role};
pub use lower::{HERE, INDEX, PEERS, ROLE, RUN, SCRATCH};
pub use means::Means;
pub use options::{Options, RoleOptions};
pub use support::BOARD;

use tfjob_lang::ask::Ask;
use tfjob_lang::cluster::words::{Use, Word};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::{Lowered, TaskView, TracedContract};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::target::{Accepted, Answer, Site, Support, Target};

/// The target.
#[derive(Debug)]
pub struct Local;

impl Target for Local {
    const NAME: &'static str = "local";
    const ABOUT: &'static str = "processes on this machine, for `tfjob run`";
    const ALSO: &'static [&'static str] = &["localhost", "laptop", "machine", "here", "process", "processes"];
    const ONE_MACHINE: bool = true;
    type Options = Options;
    type RoleOptions = RoleOptions;
    type Means = Means;
    type Context<'a> = &'a Plan;

    fn site_word(word: Word, _options: &Options) -> Use {
        match word {
            Word::DnsDomain => Use::Idle("has no use for `dns-domain`"),
            Word::MemoryStep => Use::Idle("sets no memory aside, so it has no steps of memory"),
            Word::Queue | Word::QueuePartition => Use::Idle("has no queues that a job could name"),
            Word::GpuModel | Word::GpuMemory | Word::Device => Use::Refused,
            Word::Disk
            | Word::SharedMemory
            | Word::Partition
            | Word::Attribute
            | Word::Registry
            | Word::Shared
            | Word::Grace => Use::Checked,
        }
    }

    fn context<'a>(&self, plan: &'a Plan, _site: &'a Site<Self>) -> &'a Plan {
        plan
    }

    fn answer(&self, ask: &Ask, case: &&Plan) -> Answer<Means> {
        <Self as Support>::answer(ask, case)
    }

    fn rules(&self, plan: &Plan, site: &Site<Self>) -> Vec<Diagnostic> {
        crate::rendezvous::judge(self, plan, site)
    }

    fn finds_port(&self, _plan: &Plan, _site: &Site<Self>, _role: RoleId) -> bool {
        true
    }

    fn lower(&self, job: &Accepted<'_, Self>) -> Lowered {
        lower::lower(job)
    }

    fn contract(&self, job: &Accepted<'_, Self>) -> Option<TracedContract> {
        Some(lower::contract(job))
    }

    fn view(&self, job: &Accepted<'_, Self>, role: RoleId, index: u32) -> TaskView {
        lower::view(job, role, index)
    }
}
