//! TensorFlow's own rules: who stands in whose `TF_CONFIG`, and its exact text.
use crate::{Contract, Family, Role, RoleKind, Strategy};
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
        Family::Tensorflow => contract.framework.strategy.unwrap_or(Strategy::Single),
        Family::Pytorch
        | Family::Mxnet
        | Family::Xgboost
        | Family::Horovod
        | Family::Caffe
        | Family::Custom => return Vec::new(),
    };
    let all: Vec<&Role> = contract.roles.iter().filter(|role| takes_part(strategy, role)).collect();
    let alone = all.iter().map(|role| u64::from(role.count)).sum::<u64>() <= 1;
    if alone || !all.iter().any(|role| role.name == reader.name) {
        return Vec::new();
    }
    all.into_iter()
        .filter(|role| {
            role.kind == RoleKind::Member || strategy == Strategy::Custom || role.name == reader.name
        })
        .collect()
}

/// Whether a role's tasks have a `TF_CONFIG` at all.
fn takes_part(strategy: Strategy, role: &Role) -> bool {
    match role.kind {
        RoleKind::Helper => return false,
        RoleKind::Member | RoleKind::Evaluator => {}
    }
    match strategy {
        Strategy::Single | Strategy::Mirrored => false,
        Strategy::MultiWorkerMirrored => role.name != "ps",
        Strategy::ParameterServer | Strategy::Estimator | Strategy::Custom => true,
    }
}
