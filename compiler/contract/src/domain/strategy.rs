//! TensorFlow's strategies, and how tasks depend on each other under each.
use super::keywords;

keywords! {
    /// TensorFlow's strategies.
    StrategyName {
        /// One process, one device.
        Single = "single",
        /// One process, all its GPUs.
        Mirrored = "mirrored",
        /// Workers in step: `MultiWorkerMirroredStrategy`.
        MultiWorkerMirrored = "multi-worker-mirrored",
        /// A chief, workers and parameter servers: `ParameterServerStrategy`.
        ParameterServer = "parameter-server",
        /// `tf.estimator`, up to TensorFlow 2.15.
        Estimator = "estimator",
        /// The program's own: every role stands in every `TF_CONFIG`.
        Custom = "custom",
    }
}

/// How the tasks of a job depend on each other while they train.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// No task knows of another one.
    Alone,
    /// Synchronous training: each step needs all, and all end with the last one.
    InStep,
    /// One task hands out the work; the others serve it until it ends.
    Led,
    /// Each task trains at its own pace and exits on its own; all need the servers.
    Served,
    /// Only the program knows.
    Unknown,
}

impl Pace {
    /// Whether the tasks of the rendezvous surely need each other at the same time.
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

    /// Whether its tasks find each other by `TF_CONFIG`.
    #[must_use]
    pub const fn is_distributed(self) -> bool {
        match self {
            Self::Single | Self::Mirrored => false,
            Self::MultiWorkerMirrored | Self::ParameterServer | Self::Estimator | Self::Custom => true,
        }
    }
}
