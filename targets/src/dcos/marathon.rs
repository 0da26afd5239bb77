//! A group of Marathon apps, one app per task, so that each task has its own name, placement, and start.
//!
//! The index, addresses, and TF_CONFIG of a task are known when the group is written, so they are part of the task's app. Marathon
//! restarts an app after every exit, so the command of each app keeps running after its program has exited.
mod hosts;
mod lower;
pub mod mechanism;
mod merged;
mod order;
mod patched;
mod reserve;
mod rules;
mod schema;
mod support;
mod view;

use super::Dcos;
use super::context::Context;
use super::form::Form;
use super::mechanism::of_marathon;
use crate::patch::Merged;
use tfjob_lang::cluster::demand::Demand;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::{Lowered, TaskView, TracedContract};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::Requirement;
use tfjob_lang::sources::Span;
use tfjob_lang::target::{Accepted, Site, Support, SupportTable};

/// The form that writes a group of Marathon apps.
pub struct Marathon;

impl Form for Marathon {
    fn support(
        &self,
        requirement: &Requirement,
        context: &Context<'_>,
    ) -> Support<super::mechanism::Mechanism> {
        Self::lookup(requirement, context).map(Into::into)
    }

    fn unread(&self, _plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic> {
        rules::unread(site)
    }

    fn patched(&self, _plan: &Plan, role: Option<RoleId>, text: &str, at: Span) -> Vec<Diagnostic> {
        patched::judge(role.is_some(), text, at)
    }

    fn rules(&self, plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic> {
        rules::judge(plan, site)
    }

    fn reserves(&self, plan: &Plan, site: &Site<Dcos>, demand: Demand) -> Demand {
        reserve::reserves(plan, site, demand)
    }

    fn hosts(&self, plan: &Plan, site: &Site<Dcos>) -> Vec<String> {
        hosts::hosts(plan, site)
    }

    fn merged(&self, document: &mut Merged<'_>, plan: &Plan, site: &Site<Dcos>, lowered: &Lowered) {
        merged::judge(document, plan, site, lowered);
    }

    fn lower(&self, job: &Accepted<'_, Dcos>) -> Lowered {
        lower::lower(job, of_marathon(job))
    }

    fn contract(&self, job: &Accepted<'_, Dcos>) -> Option<TracedContract> {
        lower::contract(job, of_marathon(job))
    }

    fn view(&self, job: &Accepted<'_, Dcos>, role: RoleId, index: u32) -> TaskView {
        view::view(job, of_marathon(job), role, index)
    }
}
