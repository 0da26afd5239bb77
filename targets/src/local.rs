//! Target `local`: `tfjob run` starts each task as a process on this machine, under a shim.
//!
//! `tfjob run` reads `job.json`: the tasks, their start order, and the tasks that decide completion. The shim reads
//! `contract.json`. Code, data, and checkpoints are used in place: nothing is copied or mounted.
mod cluster;
mod lower;
mod mechanism;
mod options;
mod schema;
mod support;
mod updates;
mod view;

pub use mechanism::Mechanism;
pub use options::{Options, RoleOptions};
pub use schema::{HERE, INDEX, Job, PEERS, ROLE, RUN, Role, SCRATCH};
pub use support::BOARD;

use tfjob_lang::cluster::words::{Use, Word};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::{Lowered, TaskView, TracedContract};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::Requirement;
use tfjob_lang::target::{Accepted, Site, Support, SupportTable, Target, Updates};

/// Target `local`.
#[derive(Debug)]
pub struct Local;

impl Target for Local {
    const NAME: &'static str = "local";
    const ABOUT: &'static str = "processes on this machine, for `tfjob run`";
    const ALIASES: &'static [&'static str] =
        &["localhost", "laptop", "machine", "here", "process", "processes"];
    const ONE_MACHINE: bool = true;
    const UPDATES: Updates = updates::UPDATES;
    type Options = Options;
    type RoleOptions = RoleOptions;
    type Mechanism = Mechanism;
    type Context<'a> = &'a Plan;

    fn cluster_field(word: Word, _options: &Options) -> Use {
        cluster::cluster_field(word)
    }

    fn context<'a>(&self, plan: &'a Plan, _site: &'a Site<Self>) -> &'a Plan {
        plan
    }

    fn support(&self, requirement: &Requirement, context: &&Plan) -> Support<Mechanism> {
        <Self as SupportTable>::lookup(requirement, context)
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
        view::view(job, role, index)
    }
}
