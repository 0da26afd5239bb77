//! TensorFlow strategies, and how tasks depend on each other.
use super::{RoleKind, keywords};

keywords! {
    /// TensorFlow strategies.
    StrategyName {
        /// One process on one device.
        Single = "single",
        /// One process that uses all GPUs of its task.
        Mirrored = "mirrored",
        /// Synchronous training on several workers: `MultiWorkerMirroredStrategy`.
        MultiWorkerMirrored = "multi-worker-mirrored",
        /// A chief, workers and parameter servers: `ParameterServerStrategy`.
        ParameterServer = "parameter-server",
        /// `tf.estimator`, up to TensorFlow 2.15.
        Estimator = "estimator",
        /// Any other strategy: every `TF_CONFIG` contains every role.
        Custom = "custom",
    }
}

/// How the tasks of a job depend on each other while they train.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Tasks are independent.
    Alone,
    /// Synchronous training: each step needs all tasks, and all finish together.
    InStep,
    /// The leader distributes the work; the other tasks run until the leader finishes.
    Led,
    /// Asynchronous training: each training task exits on its own; all of them need the parameter servers.
    Served,
    /// Only the program determines how its tasks depend on each other: custom strategies, and frameworks without a known
    /// rendezvous.
    Unknown,
}

impl Pace {
    /// Whether the tasks of the rendezvous need each other at the same time; `false` if this is unknown.
    #[must_use]
    pub const fn is_together(self) -> bool {
        match self {
            Self::InStep | Self::Led | Self::Served => true,
            Self::Alone | Self::Unknown => false,
        }
    }
}

impl StrategyName {
    /// Returns how the tasks depend on each other while they train.
    #[must_use]
    pub const fn pace(self) -> Pace {
        match self {
            Self::Single | Self::Mirrored => Pace::Alone,
            Self::MultiWorkerMirrored => Pace::InStep,
            Self::ParameterServer => Pace::Led,
            Self::Estimator => Pace::Served,
            Self::Custom => Pace::Unknown,
        }
    }

    /// Whether `TF_CONFIG` may contain tasks of a role of this kind. MultiWorkerMirroredStrategy hangs if it contains a `ps`.
    #[must_use]
    pub const fn includes(self, kind: RoleKind) -> bool {
        match self {
            Self::MultiWorkerMirrored => !matches!(kind, RoleKind::Ps),
            Self::Single | Self::Mirrored | Self::ParameterServer | Self::Estimator | Self::Custom => true,
        }
    }

    /// Whether the tasks of a job with this strategy use `TF_CONFIG`.
    #[must_use]
    pub const fn is_distributed(self) -> bool {
        match self {
            Self::Single | Self::Mirrored => false,
            Self::MultiWorkerMirrored | Self::ParameterServer | Self::Estimator | Self::Custom => true,
        }
    }
}
