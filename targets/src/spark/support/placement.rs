//! Placement on nodes.
use super::Answer;
use super::shared::{alike, label_fault};
use crate::spark::context::{Context, Manager};
use crate::spark::means::Means;
use tfjob_lang::ask::{self, Ask, Placement};
use tfjob_lang::plan::RoleId;

/// Answers one requirement: placement on nodes.
pub fn answer(ask: &ask::Placement, case: &Context<'_>) -> Answer {
    match ask {
        ask::Placement::Node { role, key, value } => node(case, *role, key, value),
        ask::Placement::Partition { role, name } => partition(case, *role, name),
        ask::Placement::Spread { .. } => spread(case),
    }
}

/// A node's attribute.
fn node(case: &Context<'_>, id: RoleId, key: &str, value: &str) -> Answer {
    let wanted = |id: RoleId| {
        let mut all: Vec<_> = case
            .plan
            .asks
            .iter()
            .filter_map(|asked| match &asked.ask {
                Ask::Placement(Placement::Node { role, key, value }) if *role == id => Some((key, value)),
                _ => None,
            })
            .collect();
        all.sort();
        all
    };
    if case.manager != Manager::Kubernetes {
        return Answer::refused(
            format!("knows no attributes of nodes on {}", case.manager.word()),
            "a node label of YARN is `place { partition \"…\" }`; attributes are those of `target \"spark\" { master \"k8s://…\" }`",
            "spark-dcos §2.3",
        );
    }
    if (0..case.plan.roles.len()).any(|other| wanted(other) != wanted(id)) {
        return alike("the nodes");
    }
    if let Some(fault) = label_fault(key, value) {
        return Answer::refused(
            format!("passes it to Kubernetes, where {fault}"),
            "write a label of the nodes",
            "spark-dcos §2.3",
        );
    }
    let setting = |family: &str| Means::Settings(vec![(format!("{family}.{key}"), value.to_owned())]);
    let since = case.options.spark.as_ref().is_some_and(|v| v.value.at_least((3, 3)));
    match (since, case.client()) {
        (true, _) => Answer::Native(setting("spark.kubernetes.executor.node.selector")),
        // The driver is no pod.
        (false, true) => Answer::Native(setting("spark.kubernetes.node.selector")),
        (false, false) => Answer::refused(
            "places the driver on these nodes too before version 3.3, and an unset version counts as 3.1",
            format!(
                "add `spark \"3.3\"` to `target \"spark\"` if the cluster is that new; or write `conf {{ \"spark.kubernetes.node.selector.{key}\" \"{value}\" }}`, which places both"
            ),
            "SPARK-36075: spark.kubernetes.{driver,executor}.node.selector came with 3.3.0",
        ),
    }
}

/// A partition of the cluster: a node label of YARN.
fn partition(case: &Context<'_>, id: RoleId, name: &str) -> Answer {
    let wanted = |id: RoleId| {
        case.plan.asks.iter().find_map(|asked| match &asked.ask {
            Ask::Placement(Placement::Partition { role, name }) if *role == id => Some(name),
            _ => None,
        })
    };
    let label = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    if case.manager != Manager::Yarn || !label {
        return Answer::refused(
            format!("knows no partition `{name}` on {}", case.manager.word()),
            "a partition is a node label of YARN: letters, digits, `-` and `_`",
            "spark-dcos §2.3",
        );
    }
    if (0..case.plan.roles.len()).any(|other| wanted(other) != wanted(id)) {
        return alike("the partition");
    }
    let key = "spark.yarn.executor.nodeLabelExpression".to_owned();
    Answer::Native(Means::Settings(vec![(key, name.to_owned())]))
}

/// Tasks apart.
fn spread(case: &Context<'_>) -> Answer {
    Answer::refused(
        format!("lets {} choose the hosts, and cannot keep executors apart", case.manager.word()),
        "remove `spread`",
        "spark-dcos §2.3",
    )
}
