//! TensorFlow's own rules: who stands in whose `TF_CONFIG`, and its exact text.
use crate::{Contract, FrameworkName, Role, RoleKind, StrategyName};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One task of the job.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TaskId {
    /// The role's name in the spec.
    #[serde(rename = "type")]
    pub role: String,
    /// Its index within the role, from 0.
    pub index: u32,
}

/// The value of `TF_CONFIG`. As JSON, it is compact, the cluster first and its roles sorted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TfConfig {
    /// `host:port` of the tasks of each role.
    pub cluster: BTreeMap<String, Vec<String>>,
    /// Who reads it.
    pub task: TaskId,
}

impl TfConfig {
    /// The text of the variable.
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("a map with text keys is JSON")
    }
}

/// The roles that stand in the `TF_CONFIG` of a role's tasks; none: the variable is unset there.
///
/// Unset, not empty: TensorFlow reads an empty one as broken JSON, and without one it trains by itself. The evaluator
/// stands only in its own, since a chief of the parameter-server strategy waits for it for ever; parameter servers
/// stand in none of `multi-worker-mirrored`, where TensorFlow from 2.15 on waits for them.
pub(crate) fn cluster<'c>(contract: &'c Contract, reader: &Role) -> Vec<&'c Role> {
    let strategy = match contract.framework.name {
        FrameworkName::Tensorflow => contract.framework.strategy.unwrap_or(StrategyName::Single),
        FrameworkName::Pytorch
        | FrameworkName::Mxnet
        | FrameworkName::Xgboost
        | FrameworkName::Horovod
        | FrameworkName::Caffe
        | FrameworkName::Custom => return Vec::new(),
    };
    let all: Vec<&Role> = contract.roles.iter().filter(|role| takes_part(strategy, role)).collect();
    let alone = all.iter().map(|role| u64::from(role.count)).sum::<u64>() <= 1;
    if alone || !all.iter().any(|role| role.name == reader.name) {
        return Vec::new();
    }
    all.into_iter()
        .filter(|role| role.kind.is_peer() || strategy == StrategyName::Custom || role.name == reader.name)
        .collect()
}

/// Whether a role's tasks have a `TF_CONFIG` at all.
fn takes_part(strategy: StrategyName, role: &Role) -> bool {
    let outside = strategy == StrategyName::MultiWorkerMirrored && role.name == RoleKind::Ps.keyword();
    role.kind.joins_rendezvous() && strategy.is_distributed() && !outside
}
