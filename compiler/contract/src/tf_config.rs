//! `TF_CONFIG`: the roles that it contains for each task, and its JSON.
use crate::{Contract, FrameworkName, Role, RoleKind, StrategyName};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One task of the job.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TaskId {
    /// Name of the role in the spec.
    #[serde(rename = "type")]
    pub role: String,
    /// Index within the role, from 0.
    pub index: u32,
}

/// The value of `TF_CONFIG`. Its JSON is compact, with `cluster` first and the roles sorted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TfConfig {
    /// `host:port` of the tasks of each role.
    pub cluster: BTreeMap<String, Vec<String>>,
    /// The task that reads this `TF_CONFIG`.
    pub task: TaskId,
}

impl TfConfig {
    /// Returns the value of the variable.
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("a map with text keys is JSON")
    }
}

/// Returns the roles in the `TF_CONFIG` of the tasks of role `reader`. Empty: these tasks get no `TF_CONFIG`.
///
/// The variable is unset rather than empty: TensorFlow rejects an empty value as invalid JSON. Without the variable, it trains on
/// one task. An evaluator is only in its own `TF_CONFIG`, because the chief of ParameterServerStrategy would wait for it
/// indefinitely. With `multi-worker-mirrored`, parameter servers are in no `TF_CONFIG`, because TensorFlow 2.15 and later waits
/// for them.
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

/// Whether a role is part of a `TF_CONFIG`.
fn takes_part(strategy: StrategyName, role: &Role) -> bool {
    let outside = strategy == StrategyName::MultiWorkerMirrored && role.name == RoleKind::Ps.keyword();
    role.kind.joins_rendezvous() && strategy.is_distributed() && !outside
}
