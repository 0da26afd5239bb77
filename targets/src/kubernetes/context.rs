//! Input of the checks, and of the functions that decide how the target supports a requirement.
use super::options::Options;
use super::{Kubernetes, operator};
use crate::pod;
use std::collections::{BTreeMap, BTreeSet};
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::requirement::{Lifecycle, Requirement, Storage};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::{Success, When};
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
    /// Facts about all roles. The support of many requirements depends on them.
    pub roles: Roles,
}

/// Facts about all roles, computed once per job: a job may have thousands of roles.
#[derive(Debug, Default)]
pub struct Roles {
    /// The role that decides job success ([`operator::deciding_role`]).
    pub deciding: Option<RoleId>,
    /// Names of the roles in lower case.
    pub names: BTreeSet<String>,
    /// The roles with tasks that must finish before another role starts.
    pub awaited: BTreeSet<RoleId>,
    /// The first role that is not in `awaited` and whose name the operator does not know.
    pub first_unknown: Option<RoleId>,
    /// Maps a role to the worker role with the same `restart` block, if this block applies to a worker role and to another
    /// rendezvous role. Roles share a block only if the block is a default of the job.
    pub restarts_like_worker: BTreeMap<RoleId, RoleId>,
    /// Whether the job fails if the checkpoint directory already contains checkpoints.
    pub fresh: bool,
}

impl Roles {
    fn of_plan(plan: &Plan) -> Self {
        let names = plan.roles.iter().map(|role| role.name.value.to_ascii_lowercase()).collect();
        let mut roles = Self { deciding: operator::deciding_role(plan), names, ..Self::default() };
        let mut own: BTreeMap<RoleId, Span> = BTreeMap::new();
        let mut blocks: BTreeMap<Span, BTreeSet<RoleId>> = BTreeMap::new();
        for required in &plan.requirements {
            if let Requirement::Lifecycle(Lifecycle::After { first, when: When::Done, .. }) =
                &required.requirement
            {
                roles.awaited.insert(*first);
            }
            if let Requirement::Lifecycle(Lifecycle::Restart { role, .. }) = &required.requirement {
                own.entry(*role).or_insert(required.at);
                blocks.entry(required.at).or_default().insert(*role);
            }
            roles.fresh |=
                matches!(required.requirement, Requirement::Storage(Storage::CheckpointsFresh { .. }));
        }
        roles.first_unknown =
            (0..plan.roles.len()).find(|id| operator::is_unknown(plan, *id) && !roles.awaited.contains(id));
        let lost = |id: &RoleId| !operator::is_worker(plan, *id) && plan.roles[*id].kind.joins_rendezvous();
        let worker = |block: &BTreeSet<RoleId>| {
            let worker = block.iter().find(|id| operator::is_worker(plan, **id)).copied();
            worker.filter(|_| block.iter().any(lost))
        };
        let workers: BTreeMap<Span, RoleId> =
            blocks.iter().filter_map(|(at, block)| Some((*at, worker(block)?))).collect();
        // In collective training, all peers must restart, so the block cannot be given only to the worker.
        if !operator::collective(plan) {
            roles.restarts_like_worker =
                own.into_iter().filter_map(|(role, at)| Some((role, *workers.get(&at)?))).collect();
        }
        roles
    }
}

impl<'a> Context<'a> {
    /// Returns the context of one job.
    pub fn new(plan: &'a Plan, site: &'a Site<Kubernetes>) -> Self {
        let roles = Roles::of_plan(plan);
        let pod = pod::context::Context::new(plan, &operator::PODS, site.job.pod(), roles.deciding);
        Self { plan, options: &site.job, pod, roles }
    }

    /// Returns the name of a role.
    pub fn role(&self, role: RoleId) -> &str {
        &self.plan.roles[role].name.value
    }

    /// Returns whether other tasks must resolve the DNS names of a role's tasks before the tasks of this role are ready. No task
    /// connects to an evaluator. So the DNS name of an evaluator is needed only with `success "all"`, because the deciding task
    /// then waits until the evaluator has finished.
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
