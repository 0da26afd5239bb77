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
    /// Framework version, such as `2.15`. If unset, version-specific rules assume the oldest supported version.
    #[schemars(extend("x-kdl" = "prop"))]
    pub version: Option<At<Version>>,
    /// Distribution strategy, only for TensorFlow. Required if a TensorFlow job has more than one task.
    #[schemars(with = "Option<At<Keyword<StrategyName>>>", extend("x-kdl" = "prop"))]
    pub strategy: Option<At<StrategyName>>,
}

/// Protocol between TensorFlow servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// gRPC, part of every TensorFlow build.
    Grpc,
    /// gRPC with InfiniBand verbs, only in custom builds.
    #[serde(rename = "grpc+verbs")]
    GrpcVerbs,
    /// gRPC with GPUDirect RDMA, only in custom builds.
    #[serde(rename = "grpc+gdr")]
    GrpcGdr,
    /// gRPC with MPI, only in custom builds.
    #[serde(rename = "grpc+mpi")]
    GrpcMpi,
    /// gRPC with RDMA, only in Yahoo's fork of TensorFlow.
    #[serde(rename = "grpc_rdma")]
    GrpcRdma,
}

impl Protocol {
    /// Returns whether the protocol needs a custom TensorFlow build.
    #[must_use]
    pub const fn is_custom(self) -> bool {
        match self {
            Self::Grpc => false,
            Self::GrpcVerbs | Self::GrpcGdr | Self::GrpcMpi | Self::GrpcRdma => true,
        }
    }
}
