//! Frameworks, their role names, and the rules of their tasks.
use super::keywords;
use super::{Pace, RoleKind, StrategyName, Success};
use crate::Framework;

keywords! {
    /// Frameworks with a known rendezvous.
    FrameworkName {
        /// TensorFlow, with the rendezvous variable `TF_CONFIG`.
        Tensorflow = "tensorflow",
        /// PyTorch, with rendezvous variables such as `MASTER_ADDR` and `RANK`.
        Pytorch = "pytorch",
        /// MXNet, with rendezvous variables such as `DMLC_ROLE`.
        Mxnet = "mxnet",
        /// XGBoost, with the variables of the Rabit tracker.
        Xgboost = "xgboost",
        /// Horovod, with Gloo.
        Horovod = "horovod",
        /// Caffe, without rendezvous variables.
        Caffe = "caffe",
        /// Any other program, without rendezvous variables.
        Custom = "custom",
    }
}

impl FrameworkName {
    /// Returns the roles of the framework in the order of their ranks. The name of a role is its keyword. Empty if the framework
    /// accepts any name.
    ///
    /// `master` of TensorFlow is not listed, because all strategies reject it.
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

    /// Whether the framework accepts any role name, and gives no name a special meaning.
    #[must_use]
    pub const fn takes_any_role(self) -> bool {
        self.roles().is_empty()
    }

    /// Returns the roles that a job of the framework may have besides `others`, in the order of their ranks. A strategy that is not
    /// distributed runs one task, which trains, and evaluators next to it.
    #[must_use]
    pub fn accepted_roles(self, strategy: Option<StrategyName>, others: &[RoleKind]) -> Vec<RoleKind> {
        let has_peer = others.iter().any(|kind| kind.is_peer());
        let is_accepted = |kind: &RoleKind| match strategy {
            Some(strategy) if strategy.is_distributed() => strategy.includes(*kind),
            Some(_) => !kind.is_peer() || kind.trains() && !has_peer,
            None => true,
        };
        self.roles().iter().copied().filter(is_accepted).collect()
    }

    /// Returns the role of the framework with this name.
    #[must_use]
    pub fn role_named(self, name: &str) -> Option<RoleKind> {
        self.roles().iter().copied().find(|kind| kind.keyword() == name)
    }

    /// Returns the kind of the role with this name. A name that the framework does not know is [`RoleKind::Own`].
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

    /// Whether the framework sets rendezvous variables in a job with this number of tasks, helpers excluded.
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

    /// Whether the failure of one training task fails all of them, because they use collective operations. MXNet workers train
    /// synchronously without collective operations: they exchange data through servers, which continue without a failed worker.
    #[must_use]
    pub const fn is_collective(self) -> bool {
        match self.name {
            FrameworkName::Tensorflow => matches!(self.strategy, Some(StrategyName::MultiWorkerMirrored)),
            FrameworkName::Pytorch | FrameworkName::Xgboost | FrameworkName::Horovod => true,
            FrameworkName::Mxnet | FrameworkName::Caffe | FrameworkName::Custom => false,
        }
    }

    /// Whether the program of a role of this kind never exits on its own. With ParameterServerStrategy, workers run a server for
    /// the chief (`tf.distribute.Server.join`).
    #[must_use]
    pub const fn never_exits(self, kind: RoleKind) -> bool {
        kind.never_exits() || self.serves_chief() && matches!(kind, RoleKind::Worker)
    }

    /// Whether the chief distributes the work, and its workers run until they are stopped.
    #[must_use]
    pub const fn serves_chief(self) -> bool {
        matches!(self.strategy, Some(StrategyName::ParameterServer))
    }

    /// Returns which tasks decide the success of the job by default.
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
