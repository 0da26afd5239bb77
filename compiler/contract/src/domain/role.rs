//! Kinds of roles, and the rules of their tasks.
use super::keywords;

keywords! {
    /// Kind of a role.
    RoleKind {
        /// coordinates the training; at most one task
        Chief = "chief",
        /// trains the model
        Worker = "worker",
        /// a parameter server; does not exit on its own
        Ps = "ps",
        /// evaluates checkpoints; not listed in the `TF_CONFIG` of its peers; at most one task
        Evaluator = "evaluator",
        /// the task of rank 0, to which its peers connect
        Master = "master",
        /// distributes the addresses of the tasks; does not exit on its own
        Scheduler = "scheduler",
        /// stores a part of the parameters; does not exit on its own
        Server = "server",
        /// a role with a custom name
        Own = "own",
        /// runs next to the roles, outside the rendezvous
        Helper = "helper",
    }
}

keywords! {
    /// Membership of a role in the rendezvous.
    Membership {
        /// Part of the cluster of every task.
        Member = "member",
        /// TensorFlow evaluator: part of its own cluster only.
        Evaluator = "evaluator",
        /// Outside the rendezvous.
        Helper = "helper",
    }
}

impl RoleKind {
    /// Returns the membership of the role in the rendezvous.
    #[must_use]
    pub const fn membership(self) -> Membership {
        match self {
            Self::Evaluator => Membership::Evaluator,
            Self::Helper => Membership::Helper,
            Self::Chief
            | Self::Worker
            | Self::Ps
            | Self::Master
            | Self::Scheduler
            | Self::Server
            | Self::Own => Membership::Member,
        }
    }

    /// Whether the role is part of the rendezvous. Roles outside the rendezvous are helpers.
    #[must_use]
    pub const fn joins_rendezvous(self) -> bool {
        self.membership().joins_rendezvous()
    }

    /// Whether tasks of the role are peers of other tasks. All tasks in the rendezvous are peers, except an evaluator.
    #[must_use]
    pub const fn is_peer(self) -> bool {
        self.membership().is_peer()
    }

    /// Whether the programs of the role never exit on their own, and run until they are stopped.
    #[must_use]
    pub const fn never_exits(self) -> bool {
        match self {
            Self::Ps | Self::Server | Self::Scheduler | Self::Helper => true,
            Self::Chief | Self::Worker | Self::Evaluator | Self::Master | Self::Own => false,
        }
    }

    /// Whether tasks of the role still run when the training has finished, so that they must be stopped.
    #[must_use]
    pub const fn outlives_training(self) -> bool {
        self.never_exits() || matches!(self, Self::Evaluator)
    }

    /// Whether tasks of the role train and exit on their own. These tasks decide job success with `success "workers"`.
    #[must_use]
    pub const fn trains(self) -> bool {
        self.is_peer() && !self.never_exits()
    }

    /// Whether the first task of the role has rank 0 in the framework.
    #[must_use]
    pub const fn leads(self) -> bool {
        matches!(self, Self::Chief | Self::Master)
    }

    /// Whether a role of this kind has at most one task.
    #[must_use]
    pub const fn is_single(self) -> bool {
        self.leads() || matches!(self, Self::Scheduler | Self::Evaluator)
    }
}

impl Membership {
    /// Whether the role is part of the rendezvous.
    #[must_use]
    pub const fn joins_rendezvous(self) -> bool {
        match self {
            Self::Member | Self::Evaluator => true,
            Self::Helper => false,
        }
    }

    /// Whether tasks of the role are peers of other tasks. All tasks in the rendezvous are peers, except an evaluator.
    #[must_use]
    pub const fn is_peer(self) -> bool {
        match self {
            Self::Member => true,
            Self::Evaluator | Self::Helper => false,
        }
    }
}

/// Returns the position in `roles` of the role whose first task is the leader: the chief or master of the framework. Without such a
/// role, it is the first of these that exists: the role named `chief`, the role named `worker`, any role that trains.
#[must_use]
pub fn leader<'n>(roles: impl Iterator<Item = (RoleKind, &'n str)> + Clone) -> Option<usize> {
    let find = |wanted: &dyn Fn(RoleKind, &str) -> bool| {
        roles.clone().position(|(kind, name)| kind.trains() && wanted(kind, name))
    };
    find(&|kind, _| kind.leads())
        .or_else(|| find(&|_, name| name == "chief"))
        .or_else(|| find(&|_, name| name == "worker"))
        .or_else(|| find(&|_, _| true))
}
