//! Target `yarn`: a service of Hadoop YARN 3.1 to 3.4. The output is a service spec (Yarnfile), and the steps that submit it.
mod cluster;
mod context;
mod lower;
mod mechanism;
mod merged;
mod options;
mod pasted;
mod patched;
mod release;
mod reserve;
mod rules;
mod schema;
mod support;
mod text;
mod updates;
mod variables;
mod view;

pub use mechanism::{Duty, Mechanism};
pub use options::{Options, RoleOptions};

use crate::patch::Merged;
use context::Context;
use tfjob_lang::cluster::demand::Demand;
use tfjob_lang::cluster::words::{Use, Word};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::{Lowered, TaskView, TracedContract};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::Requirement;
use tfjob_lang::target::{Accepted, Pasted, Site, Support, SupportTable, Target, Updates};

/// The target for Hadoop YARN services.
#[derive(Debug, Clone, Copy)]
pub struct Yarn;

impl Target for Yarn {
    const NAME: &'static str = "yarn";
    const ABOUT: &'static str = "a Hadoop YARN service, 3.1 to 3.4";
    const ALIASES: &'static [&'static str] = &["hadoop", "submarine", "emr"];
    const HAS_HDFS: bool = true;
    const PASTED: &'static [Pasted] = pasted::PASTED;
    const UPDATES: Updates = updates::UPDATES;
    type Options = Options;
    type RoleOptions = RoleOptions;
    type Mechanism = Mechanism;
    type Context<'a> = Context<'a>;

    fn cluster_field(word: Word, _options: &Options) -> Use {
        cluster::cluster_field(word)
    }

    fn context<'a>(&self, plan: &'a Plan, site: &'a Site<Self>) -> Context<'a> {
        Context::new(plan, site)
    }

    fn support(&self, requirement: &Requirement, context: &Context<'_>) -> Support<Mechanism> {
        <Self as SupportTable>::lookup(requirement, context)
    }

    fn rules(&self, plan: &Plan, site: &Site<Self>) -> Vec<Diagnostic> {
        rules::judge(plan, site)
    }

    fn reserves(&self, plan: &Plan, site: &Site<Self>, demand: Demand) -> Demand {
        reserve::reserve(plan, site, demand)
    }

    fn merged(&self, plan: &Plan, site: &Site<Self>, lowered: &Lowered) -> Vec<Diagnostic> {
        let Some(document) = lowered.artifacts.first().and_then(|a| a.documents.first()) else {
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
