//! The library that a program is written for, how it distributes the work, and how its tasks talk.
use super::values::Version;
use crate::at::At;
use schemars::JsonSchema;
use serde::Deserialize;

/// The library that the program is written for.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Framework {
    /// Which one.
    #[schemars(extend("x-kdl" = "arg"))]
    pub name: At<FrameworkName>,
    /// Its version, such as `2.15`. It decides rules; unstated counts as the oldest.
    #[schemars(extend("x-kdl" = "prop"))]
    pub version: Option<At<Version>>,
    /// How TensorFlow distributes the work. Required with more than one task.
    #[schemars(extend("x-kdl" = "prop"))]
    pub strategy: Option<At<StrategyName>>,
}

/// The frameworks whose rendezvous is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FrameworkName {
    /// TensorFlow: `TF_CONFIG`.
    Tensorflow,
    /// PyTorch: `MASTER_ADDR`, `RANK`, `WORLD_SIZE`.
    Pytorch,
    /// MXNet: `DMLC_ROLE` and the like.
    Mxnet,
    /// XGBoost: the rabit tracker's variables.
    Xgboost,
    /// Horovod, with Gloo.
    Horovod,
    /// Caffe: no rendezvous variables.
    Caffe,
    /// The program's own: no rendezvous variables.
    Custom,
}

impl FrameworkName {
    /// Every framework.
    pub const ALL: [Self; 7] = [
        Self::Tensorflow,
        Self::Pytorch,
        Self::Mxnet,
        Self::Xgboost,
        Self::Horovod,
        Self::Caffe,
        Self::Custom,
    ];

    /// The word in a spec.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Tensorflow => "tensorflow",
            Self::Pytorch => "pytorch",
            Self::Mxnet => "mxnet",
            Self::Xgboost => "xgboost",
            Self::Horovod => "horovod",
            Self::Caffe => "caffe",
            Self::Custom => "custom",
        }
    }
}

/// TensorFlow's strategies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StrategyName {
    /// One process, one device.
    Single,
    /// One process, all its GPUs.
    Mirrored,
    /// Workers in step: `MultiWorkerMirroredStrategy`.
    MultiWorkerMirrored,
    /// A chief, workers and parameter servers: `ParameterServerStrategy`.
    ParameterServer,
    /// `tf.estimator`, up to TensorFlow 2.15.
    Estimator,
    /// The program's own: every role stands in every `TF_CONFIG`.
    Custom,
}

impl StrategyName {
    /// Every strategy.
    pub const ALL: [Self; 6] = [
        Self::Single,
        Self::Mirrored,
        Self::MultiWorkerMirrored,
        Self::ParameterServer,
        Self::Estimator,
        Self::Custom,
    ];

    /// The word in a spec.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Mirrored => "mirrored",
            Self::MultiWorkerMirrored => "multi-worker-mirrored",
            Self::ParameterServer => "parameter-server",
            Self::Estimator => "estimator",
            Self::Custom => "custom",
        }
    }
}

/// How TensorFlow's tasks talk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// What every TensorFlow has.
    Grpc,
    /// Custom builds only: InfiniBand verbs.
    #[serde(rename = "grpc+verbs")]
    GrpcVerbs,
    /// Custom builds only: GPU direct.
    #[serde(rename = "grpc+gdr")]
    GrpcGdr,
    /// Custom builds only: MPI.
    #[serde(rename = "grpc+mpi")]
    GrpcMpi,
    /// Custom builds only: the older fork's RDMA.
    #[serde(rename = "grpc_rdma")]
    GrpcRdma,
}

impl Protocol {
    /// Whether stock TensorFlow lacks it.
    #[must_use]
    pub const fn is_custom(self) -> bool {
        match self {
            Self::Grpc => false,
            Self::GrpcVerbs | Self::GrpcGdr | Self::GrpcMpi | Self::GrpcRdma => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_those_that_a_spec_may_hold() {
        for strategy in StrategyName::ALL {
            let word = serde_json::Value::from(strategy.word());
            assert_eq!(serde_json::from_value::<StrategyName>(word).unwrap(), strategy);
        }
        for framework in FrameworkName::ALL {
            let word = serde_json::Value::from(framework.word());
            assert_eq!(serde_json::from_value::<FrameworkName>(word).unwrap(), framework);
        }
    }
}
