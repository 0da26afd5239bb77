//! Task groups of the package. Each role of a job becomes one of them.
use tfjob_lang::plan::{Plan, RoleId, RoleKind};

/// A task group of the package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// `parameter_server`.
    Ps,
    /// `worker`.
    Worker,
    /// `gpu_worker`.
    GpuWorker,
}

impl Slot {
    /// Returns the task group of a role, or `None` if the package has no such task group.
    pub fn of(plan: &Plan, role: RoleId) -> Option<Self> {
        let role = &plan.roles[role];
        match role.kind {
            RoleKind::Ps => Some(Self::Ps),
            RoleKind::Worker if role.resources.gpus > 0 => Some(Self::GpuWorker),
            RoleKind::Worker => Some(Self::Worker),
            RoleKind::Chief
            | RoleKind::Evaluator
            | RoleKind::Master
            | RoleKind::Scheduler
            | RoleKind::Server
            | RoleKind::Own
            | RoleKind::Helper => None,
        }
    }

    /// Returns the key of this task group in the options.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Ps => "parameter_server",
            Self::Worker => "worker",
            Self::GpuWorker => "gpu_worker",
        }
    }
}
