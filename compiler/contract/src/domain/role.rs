//! What a role is to the job, and what follows for its tasks.
use super::keywords;

keywords! {
    /// What a role is to the job.
    RoleKind {
        /// coordinates the training; at most one task
        Chief = "chief",
        /// does the training
        Worker = "worker",
        /// a parameter server; does not exit on its own
        Ps = "ps",
        /// evaluates checkpoints, outside the cluster of the others; at most one task
        Evaluator = "evaluator",
        /// the task of rank 0, where the others meet
        Master = "master",
        /// gives the tasks each other's addresses; does not exit on its own
        Scheduler = "scheduler",
        /// keeps a part of the parameters; does not exit on its own
        Server = "server",
        /// a role with a name of the job's own
        Own = "own",
        /// runs next to the roles, outside the rendezvous
        Helper = "helper",
    }
}

keywords! {
    /// What a role is to the rendezvous.
    Membership {
        /// Stands in the cluster of every task.
        Member = "member",
        /// TensorFlow's evaluator: stands only in its own cluster.
        Evaluator = "evaluator",
        /// Outside the rendezvous.
        Helper = "helper",
    }
}

impl RoleKind {
    /// Returns what the role is to the rendezvous.
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

    /// Whether the role is a part of the rendezvous; all others are helpers.
    #[must_use]
    pub const fn joins_rendezvous(self) -> bool {
        self.membership().joins_rendezvous()
    }

    /// Whether its tasks and those of other roles are peers: those of the rendezvous without an evaluator, which works alone.
    #[must_use]
    pub const fn is_peer(self) -> bool {
        self.membership().is_peer()
    }

    /// Whether its programs never exit on their own: they serve until they are stopped.
    #[must_use]
    pub const fn never_exits(self) -> bool {
        match self {
            Self::Ps | Self::Server | Self::Scheduler | Self::Helper => true,
            Self::Chief | Self::Worker | Self::Evaluator | Self::Master | Self::Own => false,
        }
    }

    /// Whether its tasks still run when the training is over, and are stopped then.
    #[must_use]
    pub const fn outlives_training(self) -> bool {
        self.never_exits() || matches!(self, Self::Evaluator)
    }

    /// Whether its tasks train and exit on their own: those of `success "workers"`.
    #[must_use]
    pub const fn trains(self) -> bool {
        self.is_peer() && !self.never_exits()
    }

    /// Whether it is the framework's own task of rank 0 that leads the others.
    #[must_use]
    pub const fn leads(self) -> bool {
        matches!(self, Self::Chief | Self::Master)
    }

    /// Whether such a role has one task only.
    #[must_use]
    pub const fn is_single(self) -> bool {
        self.leads() || matches!(self, Self::Scheduler | Self::Evaluator)
    }
}

impl Membership {
    /// Whether the role is a part of the rendezvous.
    #[must_use]
    pub const fn joins_rendezvous(self) -> bool {
        match self {
            Self::Member | Self::Evaluator => true,
            Self::Helper => false,
        }
    }

    /// Whether the role stands in the cluster of the others.
    #[must_use]
    pub const fn is_peer(self) -> bool {
        match self {
            Self::Member => true,
            Self::Evaluator | Self::Helper => false,
        }
    }
}

/// Returns the number of the role of which the first task leads the job: the framework's own chief or master, else the role
/// called `chief`, else the one called `worker`, else the first that trains.
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
