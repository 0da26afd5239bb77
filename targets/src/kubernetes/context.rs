//! What support and rules look at, made once for a job.
use super::options::Options;
use super::{Kubernetes, operator};
use crate::pod;
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::requirement::{Lifecycle, Requirement};
use tfjob_lang::spec::Success;
use tfjob_lang::target::Site;

/// What every answer may look at.
#[derive(Debug)]
pub struct Context<'a> {
    /// The job.
    pub plan: &'a Plan,
    /// What it says of the cluster.
    pub options: &'a Options,
    /// The same for its Pods.
    pub pod: pod::context::Context<'a>,
}

impl<'a> Context<'a> {
    /// The context of one job.
    pub fn new(plan: &'a Plan, site: &'a Site<Kubernetes>) -> Self {
        let leader = operator::decides(plan);
        let pod = pod::context::Context::new(plan, &operator::PODS, site.job.pod(), leader);
        Self { plan, options: &site.job, pod }
    }

    /// The name of a role.
    pub fn role(&self, role: RoleId) -> &str {
        &self.plan.roles[role].name.value
    }

    /// Whether others look for a role's tasks by name before these are ready. Nobody looks for an evaluator, unless its
    /// success is a part of the job's.
    pub fn needs_name(&self, role: RoleId) -> bool {
        let all = |requirement: &Requirement| {
            matches!(requirement, Requirement::Lifecycle(Lifecycle::Success(Success::All)))
        };
        let evaluator = self.plan.roles[role].kind == RoleKind::Evaluator;
        self.meets(role)
            && (!evaluator || self.plan.requirements.iter().any(|required| all(&required.requirement)))
    }

    /// Whether a role's tasks meet others.
    pub fn meets(&self, role: RoleId) -> bool {
        operator::replica_type(self.plan, role).is_some() && self.plan.rendezvous_tasks() > 1
    }
}
