//! The frameworks, the names that each gives to the roles of its rendezvous, and what follows for their tasks.
use super::keywords;
use super::{Pace, RoleKind, StrategyName, Success};
use crate::Framework;

keywords! {
    /// The frameworks whose rendezvous is known.
    FrameworkName {
        /// TensorFlow: `TF_CONFIG`.
        Tensorflow = "tensorflow",
        /// PyTorch: `MASTER_ADDR`, `RANK`, `WORLD_SIZE`.
        Pytorch = "pytorch",
        /// MXNet: `DMLC_ROLE` and the like.
        Mxnet = "mxnet",
        /// XGBoost: the rabit tracker's variables.
        Xgboost = "xgboost",
        /// Horovod, with Gloo.
        Horovod = "horovod",
        /// Caffe: no rendezvous variables.
        Caffe = "caffe",
        /// The program's own: no rendezvous variables.
        Custom = "custom",
    }
}

impl FrameworkName {
    /// Returns the roles of the framework in the order of their ranks; a role's name is its keyword. Empty: the framework
    /// has no names of its own, and takes any.
    ///
    /// TensorFlow's `master` is refused by all its strategies.
    #[must_use]
    pub const fn roles(self) -> &'static [RoleKind] {
        match self {
            Self::Tensorflow => &[RoleKind::Chief, RoleKind::Worker, RoleKind::Ps, RoleKind::Evaluator],
            Self::Pytorch | Self::Xgboost => &[RoleKind::Master, RoleKind::Worker],
            Self::Mxnet => &[RoleKind::Scheduler, RoleKind::Server, RoleKind::Worker],
            Self::Horovod => &[RoleKind::Worker],
            Self::Caffe | Self::Custom => &[],
        }
    }

    /// Whether the framework takes any name of a role, and reads nothing into it.
    #[must_use]
    pub const fn takes_any_role(self) -> bool {
        self.roles().is_empty()
    }

    /// Returns the framework's role of that name.
    #[must_use]
    pub fn role_named(self, name: &str) -> Option<RoleKind> {
        self.roles().iter().copied().find(|kind| kind.keyword() == name)
    }

    /// Returns what a role of that name is to the job; a name that the framework does not know is the program's own.
    #[must_use]
    pub fn kind_of(self, name: &str) -> RoleKind {
        self.role_named(name).unwrap_or(RoleKind::Own)
    }
}

impl Framework {
    /// Returns how the tasks depend on each other while they train.
    #[must_use]
    pub const fn pace(self) -> Pace {
        match self.name {
            FrameworkName::Tensorflow => match self.strategy {
                Some(strategy) => strategy.pace(),
                None => Pace::Alone,
            },
            FrameworkName::Pytorch
            | FrameworkName::Mxnet
            | FrameworkName::Xgboost
            | FrameworkName::Horovod => Pace::InStep,
            FrameworkName::Caffe | FrameworkName::Custom => Pace::Unknown,
        }
    }

    /// Whether tasks find each other by variables of the framework, in a job with so many tasks in its rendezvous.
    #[must_use]
    pub const fn meets(self, tasks: u64) -> bool {
        tasks > 1
            && match self.name {
                FrameworkName::Tensorflow => match self.strategy {
                    Some(strategy) => strategy.is_distributed(),
                    None => false,
                },
                FrameworkName::Pytorch
                | FrameworkName::Mxnet
                | FrameworkName::Xgboost
                | FrameworkName::Horovod => true,
                FrameworkName::Caffe | FrameworkName::Custom => false,
            }
    }

    /// Whether all tasks that train fail with the first that is lost: collectives. MXNet's workers train in step too, but
    /// by servers, which go on without one of them.
    #[must_use]
    pub const fn is_collective(self) -> bool {
        match self.name {
            FrameworkName::Tensorflow => matches!(self.strategy, Some(StrategyName::MultiWorkerMirrored)),
            FrameworkName::Pytorch | FrameworkName::Xgboost | FrameworkName::Horovod => true,
            FrameworkName::Mxnet | FrameworkName::Caffe | FrameworkName::Custom => false,
        }
    }

    /// Whether the program of such a role never exits on its own. The workers of parameter servers serve the chief
    /// (`tf.distribute.Server.join`).
    #[must_use]
    pub const fn never_exits(self, kind: RoleKind) -> bool {
        kind.never_exits() || self.serves_chief() && matches!(kind, RoleKind::Worker)
    }

    /// Whether the chief hands out the work, and its workers serve until they are stopped.
    #[must_use]
    pub const fn serves_chief(self) -> bool {
        matches!(self.strategy, Some(StrategyName::ParameterServer))
    }

    /// Returns which tasks decide the job's success where the spec does not say.
    #[must_use]
    pub const fn default_success(self) -> Success {
        match self.strategy {
            Some(StrategyName::ParameterServer | StrategyName::Estimator) => Success::Chief,
            Some(
                StrategyName::Single
                | StrategyName::Mirrored
                | StrategyName::MultiWorkerMirrored
                | StrategyName::Custom,
            )
            | None => Success::Workers,
        }
    }
}
