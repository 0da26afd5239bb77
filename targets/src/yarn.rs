//! Hadoop YARN services, 3.1 to 3.4: a Yarnfile and the commands that launch it.
mod board;
mod command;
mod component;
mod context;
mod layout;
mod lower;
mod means;
mod merged;
mod options;
mod pasted;
mod patched;
mod ports;
mod release;
mod reserve;
mod rules;
mod shape;
mod steps;
mod support;
mod text;
mod variables;
mod view;

pub use means::{Duty, Means};
pub use options::{Options, RoleOptions};

use crate::containers;
use crate::patch::{self, Merged};
use context::Context;
use tfjob_lang::ask::Ask;
use tfjob_lang::cluster::demand::Demand;
use tfjob_lang::cluster::words::{Use, Word};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::{Lowered, TaskView, TracedContract};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::target::{Accepted, Answer, Pasted, Site, Support, Target};

/// What the resource manager reads of a component.
const SCHEDULED: [&str; 3] = ["number_of_containers", "placement_policy", "resource"];

/// A service of Hadoop YARN.
#[derive(Debug, Clone, Copy)]
pub struct Yarn;

impl Target for Yarn {
    const NAME: &'static str = "yarn";
    const ABOUT: &'static str = "a Hadoop YARN service, 3.1 to 3.4";
    const ALSO: &'static [&'static str] = &["hadoop", "submarine", "emr"];
    const PASTED: &'static [Pasted] = pasted::PASTED;
    type Options = Options;
    type RoleOptions = RoleOptions;
    type Means = Means;
    type Context<'a> = Context<'a>;

    fn site_word(word: Word, _options: &Options) -> Use {
        match word {
            Word::DnsDomain => Use::Option("dns-domain"),
            Word::Grace => Use::Option("kill-delay"),
            Word::GpuMemory | Word::Disk => Use::Refused,
            Word::GpuModel
            | Word::SharedMemory
            | Word::Partition
            | Word::Device
            | Word::Attribute
            | Word::Queue
            | Word::QueuePartition
            | Word::Registry
            | Word::Shared
            | Word::MemoryStep => Use::Checked,
        }
    }

    fn context<'a>(&self, plan: &'a Plan, site: &'a Site<Self>) -> Context<'a> {
        Context::new(plan, site)
    }

    fn answer(&self, ask: &Ask, case: &Context<'_>) -> Answer<Means> {
        <Self as Support>::answer(ask, case)
    }

    fn rules(&self, plan: &Plan, site: &Site<Self>) -> Vec<Diagnostic> {
        rules::judge(plan, site)
    }

    fn reserves(&self, plan: &Plan, site: &Site<Self>, mut demand: Demand) -> Demand {
        containers::schedule(&mut demand);
        if let Some(attribute) = &site.job.gpu_attribute {
            demand.mark_models(attribute.value.as_str(), str::to_owned);
        }
        demand.gpu_device = Some("yarn.io/gpu".to_owned());
        demand.crews.push(reserve::master(plan));
        demand.queue = reserve::queue(plan);
        demand.uncounted = patch::uncounted(plan, Self::NAME, &SCHEDULED);
        demand
    }

    fn merged(&self, plan: &Plan, site: &Site<Self>, lowered: &Lowered) -> Vec<Diagnostic> {
        let Some(document) = lowered.artefacts.first().and_then(|a| a.documents.first()) else {
            return Vec::new();
        };
        let mut document = Merged::new(Self::NAME, plan, document);
        merged::judge(&Context::new(plan, site), lowered, &mut document);
        document.done()
    }

    fn lower(&self, job: &Accepted<'_, Self>) -> Lowered {
        lower::lower(job)
    }

    fn contract(&self, job: &Accepted<'_, Self>) -> Option<TracedContract> {
        lower::contract(job)
    }

    fn view(&self, job: &Accepted<'_, Self>, role: RoleId, index: u32) -> TaskView {
        view::view(job, role, index)
    }
}
