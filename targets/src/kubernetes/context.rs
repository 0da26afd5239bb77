//! Input of the checks, and of the functions that decide how the target supports a requirement.
use super::options::Options;
use super::{Kubernetes, operator};
use crate::pod;
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::requirement::{Lifecycle, Requirement};
use tfjob_lang::spec::Success;
use tfjob_lang::target::Site;

/// A job and its options: the input of the checks, and of the functions that decide how the target supports a requirement.
#[derive(Debug)]
pub struct Context<'a> {
    /// The job.
    pub plan: &'a Plan,
    /// Options of the target block.
    pub options: &'a Options,
    /// The job and its options in the form that [`crate::pod`] takes. The functions there are not specific to TFJobs.
    pub pod: pod::context::Context<'a>,
}

impl<'a> Context<'a> {
    /// Returns the context of one job.
    pub fn new(plan: &'a Plan, site: &'a Site<Kubernetes>) -> Self {
        let leader = operator::deciding_role(plan);
        let pod = pod::context::Context::new(plan, &operator::PODS, site.job.pod(), leader);
        Self { plan, options: &site.job, pod }
    }

    /// Returns the name of a role.
    pub fn role(&self, role: RoleId) -> &str {
        &self.plan.roles[role].name.value
    }

    /// Returns whether other tasks must resolve the DNS names of a role's tasks before those tasks are ready. No task connects to
    /// an evaluator, so its name is needed only with `success "all"`, because other tasks then wait until it has finished.
    pub fn needs_name(&self, role: RoleId) -> bool {
        let all = |requirement: &Requirement| {
            matches!(requirement, Requirement::Lifecycle(Lifecycle::Success(Success::All)))
        };
        let evaluator = self.plan.roles[role].kind == RoleKind::Evaluator;
        self.meets(role)
            && (!evaluator || self.plan.requirements.iter().any(|required| all(&required.requirement)))
    }

    /// Returns whether the tasks of a role connect to peers.
    pub fn meets(&self, role: RoleId) -> bool {
        operator::replica_type(self.plan, role).is_some() && self.plan.rendezvous_tasks() > 1
    }
}
