//! The form that writes options of the package `beta-tensorflow`. The package runs workers and parameter servers of TensorFlow 1,
//! which all call the same Python module.
mod cluster;
mod lower;
pub mod mechanism;
mod merged;
mod patched;
mod rules;
mod schema;
mod slot;
mod support;
mod view;

use super::Dcos;
use super::context::Context;
use super::form::Form;
use super::mechanism::of_package;
use super::reserve;
use crate::patch::Merged;
use tfjob_lang::cluster::demand::Demand;
use tfjob_lang::cluster::words::{Use, Word};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::{Lowered, TaskView};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::Requirement;
use tfjob_lang::sources::Span;
use tfjob_lang::target::{Accepted, Site, Support, SupportTable};

/// The form that writes options of the package `beta-tensorflow`.
pub struct Package;

impl Form for Package {
    fn support(
        &self,
        requirement: &Requirement,
        context: &Context<'_>,
    ) -> Support<super::mechanism::Mechanism> {
        Self::lookup(requirement, context).map(Into::into)
    }

    fn cluster_field(&self, word: Word) -> Use {
        cluster::cluster_field(word)
    }

    fn unread(&self, plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic> {
        rules::unread(plan, site)
    }

    fn patched(&self, plan: &Plan, role: Option<RoleId>, text: &str, at: Span) -> Vec<Diagnostic> {
        patched::judge(plan, role, text, at)
    }

    fn rules(&self, plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic> {
        rules::judge(plan, site)
    }

    fn reserves(&self, plan: &Plan, _site: &Site<Dcos>, demand: Demand) -> Demand {
        reserve::of_agents(plan, |_, _| false, demand)
    }

    fn passes_checkpoints(&self) -> bool {
        true
    }

    fn has_hadoop(&self) -> bool {
        true
    }

    fn merged(&self, document: &mut Merged<'_>, _plan: &Plan, site: &Site<Dcos>, _lowered: &Lowered) {
        merged::judge(document, site);
    }

    fn lower(&self, job: &Accepted<'_, Dcos>) -> Lowered {
        lower::lower(job, of_package(job))
    }

    fn view(&self, job: &Accepted<'_, Dcos>, _role: RoleId, _index: u32) -> TaskView {
        view::view(job.site)
    }
}
