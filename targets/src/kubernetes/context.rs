//! What support and rules look at, made once for a job.
use super::options::Options;
use super::places::places;
use super::support::storage::{self, Form};
use super::{Kubernetes, operator};
use crate::carry::Places;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use tfjob_lang::ask::{Ask, Lifecycle, Program};
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::spec::Success;
use tfjob_lang::target::Site;

/// What every answer may look at.
#[derive(Debug)]
pub struct Context<'a> {
    /// The job.
    pub plan: &'a Plan,
    /// What it says of the cluster.
    pub options: &'a Options,
    /// Where everything is put.
    pub places: Places,
    forms: OnceCell<BTreeMap<&'a str, Form>>,
}

impl<'a> Context<'a> {
    /// The case of one job.
    pub fn new(plan: &'a Plan, site: &'a Site<Kubernetes>) -> Self {
        Self { plan, options: &site.job, places: places(plan), forms: OnceCell::new() }
    }

    /// What a container finds at each path that the spec names.
    pub fn forms(&self) -> &BTreeMap<&'a str, Form> {
        self.forms.get_or_init(|| storage::forms(self))
    }

    /// The name of a role.
    pub fn role(&self, role: RoleId) -> &str {
        &self.plan.roles[role].name.value
    }

    /// Hadoop's folder, Java's, and that of the configuration, where the image has them.
    pub fn hadoop(&self) -> Option<(String, String, Option<String>)> {
        self.plan.asks.iter().find_map(|asked| {
            let Ask::Program(Program::Hadoop { home, java, conf }) = &asked.ask else { return None };
            Some((home.clone(), java.clone(), conf.clone()))
        })
    }

    /// Whether others look for a role's tasks by name before these are ready. Nobody looks for an evaluator, unless its
    /// success is a part of the job's.
    pub fn needs_name(&self, role: RoleId) -> bool {
        let all = |ask: &Ask| matches!(ask, Ask::Lifecycle(Lifecycle::Success(Success::All)));
        let evaluator = self.plan.roles[role].kind == RoleKind::Evaluator;
        self.meets(role) && (!evaluator || self.plan.asks.iter().any(|asked| all(&asked.ask)))
    }

    /// Whether a role's tasks meet others.
    pub fn meets(&self, role: RoleId) -> bool {
        operator::replica_type(self.plan, role).is_some() && self.plan.rendezvous_tasks() > 1
    }
}
