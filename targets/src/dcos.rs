//! Target `dcos`: options for the TensorFlow package of DC/OS if a job selects the package, otherwise a group of Marathon apps.
//!
//! `form` chooses between the two. The other files of this directory belong to both forms: the package also runs on Marathon and
//! Mesos, so their limits apply to both.
mod amounts;
mod attributes;
mod cluster;
mod context;
mod document;
mod form;
mod group;
mod images;
mod marathon;
mod mechanism;
mod network;
pub mod options;
mod package;
mod pasted;
mod reserve;
mod rules;
mod secrets;
mod updates;

use crate::patch::Merged;
use context::Context;
use form::Form;
use mechanism::Mechanism;
use options::{Options, RoleOptions};
use tfjob_lang::cluster::demand::Demand;
use tfjob_lang::cluster::words::{Use, Word};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::{Lowered, TaskView, TracedContract};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::Requirement;
use tfjob_lang::target::{Accepted, Pasted, Site, Support, Target, Updates};

/// The DC/OS target, for DC/OS 1.10 and later.
#[derive(Debug)]
pub struct Dcos;

/// Returns the form in which DC/OS runs a job: the package, or Marathon apps.
fn form(site: &Site<Dcos>) -> &'static dyn Form {
    form::chosen(&site.job)
}

impl Target for Dcos {
    const NAME: &'static str = "dcos";
    const ABOUT: &'static str =
        "Mesosphere DC/OS: options of its TensorFlow package, or a group of Marathon apps";
    const ALIASES: &'static [&'static str] = &["mesos", "marathon", "mesosphere", "dc/os", "dc-os"];
    const HOST: Option<&'static str> = Some("hostname");
    const HAS_HDFS: bool = true;
    const PASTED: &'static [Pasted] = pasted::PASTED;
    const UPDATES: Updates = updates::UPDATES;
    type Options = Options;
    type RoleOptions = RoleOptions;
    type Mechanism = Mechanism;
    type Context<'a> = Context<'a>;

    fn cluster_field(word: Word, options: &Options) -> Use {
        // If a cluster file does not set `as`, it applies to jobs of the package and to Marathon apps. Its fields are then checked
        // as for Marathon apps, because Marathon apps use more of the fields than the package.
        form::chosen(options).cluster_field(word)
    }

    fn context<'a>(&self, plan: &'a Plan, site: &'a Site<Self>) -> Context<'a> {
        Context { plan, site }
    }

    fn support(&self, requirement: &Requirement, context: &Context<'_>) -> Support<Mechanism> {
        form(context.site).support(requirement, context)
    }

    fn rules(&self, plan: &Plan, site: &Site<Self>) -> Vec<Diagnostic> {
        rules::judge(form(site), plan, site)
    }

    fn reserves(&self, plan: &Plan, site: &Site<Self>, demand: Demand) -> Demand {
        form(site).reserves(plan, site, demand)
    }

    fn passes_checkpoints(&self, _plan: &Plan, site: &Site<Self>) -> bool {
        form(site).passes_checkpoints()
    }

    fn has_hadoop(&self, _plan: &Plan, site: &Site<Self>) -> bool {
        form(site).has_hadoop()
    }

    fn hosts(&self, plan: &Plan, site: &Site<Self>) -> Vec<String> {
        form(site).hosts(plan, site)
    }

    fn merged(&self, plan: &Plan, site: &Site<Self>, lowered: &Lowered) -> Vec<Diagnostic> {
        let document = lowered.artifacts.first().and_then(|a| a.documents.first());
        let Some(document) = document else { return Vec::new() };
        let mut document = Merged::new(Self::NAME, plan, document);
        form(site).merged(&mut document, plan, site, lowered);
        document.done()
    }

    fn lower(&self, job: &Accepted<'_, Self>) -> Lowered {
        form(job.site).lower(job)
    }

    fn contract(&self, job: &Accepted<'_, Self>) -> Option<TracedContract> {
        form(job.site).contract(job)
    }

    fn view(&self, job: &Accepted<'_, Self>, role: RoleId, index: u32) -> TaskView {
        form(job.site).view(job, role, index)
    }
}
