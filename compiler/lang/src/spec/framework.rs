//! The framework, its distribution strategy, and its communication protocol.
use super::keyword::Keyword;
use super::values::Version;
use crate::at::At;
use schemars::JsonSchema;
use serde::Deserialize;
use tfjob_contract::{FrameworkName, StrategyName};

/// The training framework of the program.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Framework {
    /// Framework name.
    #[schemars(with = "At<Keyword<FrameworkName>>", extend("x-kdl" = "arg"))]
    pub name: At<FrameworkName>,
    /// Framework version, such as `2.15`. Version-specific rules assume the oldest supported version if unset.
    #[schemars(extend("x-kdl" = "prop"))]
    pub version: Option<At<Version>>,
    /// Distribution strategy of TensorFlow. Required with more than one task.
    #[schemars(with = "Option<At<Keyword<StrategyName>>>", extend("x-kdl" = "prop"))]
    pub strategy: Option<At<StrategyName>>,
}

/// TensorFlow server protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// gRPC, part of every TensorFlow build.
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
    /// Custom builds only: RDMA of an older fork.
    #[serde(rename = "grpc_rdma")]
    GrpcRdma,
}

impl Protocol {
    /// Returns whether it needs a custom TensorFlow build.
    #[must_use]
    pub const fn is_custom(self) -> bool {
        match self {
            Self::Grpc => false,
            Self::GrpcVerbs | Self::GrpcGdr | Self::GrpcMpi | Self::GrpcRdma => true,
        }
    }
}
