//! Placement on nodes.
use super::Support;
use super::shared::{alike, label_fault};
use crate::spark::context::{Context, Manager};
use crate::spark::mechanism::Mechanism;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{self, Placement, Requirement};

/// Answers one requirement: placement on nodes.
pub fn support(requirement: &requirement::Placement, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Placement::Node { role, key, value } => node(context, *role, key, value),
        requirement::Placement::Partition { role, name } => partition(context, *role, name),
        requirement::Placement::Spread { .. } => spread(context),
    }
}

/// A node's attribute.
fn node(context: &Context<'_>, id: RoleId, key: &str, value: &str) -> Support {
    let wanted = |id: RoleId| {
        let mut all: Vec<_> = context
            .plan
            .requirements
            .iter()
            .filter_map(|required| match &required.requirement {
                Requirement::Placement(Placement::Node { role, key, value }) if *role == id => {
                    Some((key, value))
                }
                _ => None,
            })
            .collect();
        all.sort();
        all
    };
    if context.manager != Manager::Kubernetes {
        return Support::unsupported(
            format!("knows no attributes of nodes on {}", context.manager.word()),
            "a node label of YARN is `placement { partition \"…\" }`; attributes are those of `target \"spark\" { master \"k8s://…\" }`",
            "spark#executor-placement",
        );
    }
    if (0..context.plan.roles.len()).any(|other| wanted(other) != wanted(id)) {
        return alike("the nodes");
    }
    if let Some(fault) = label_fault(key, value) {
        return Support::unsupported(
            format!("passes it to Kubernetes, where {fault}"),
            "write a label of the nodes",
            "kubernetes#label-values",
        );
    }
    let setting = |family: &str| Mechanism::Settings(vec![(format!("{family}.{key}"), value.to_owned())]);
    let since = context.options.spark.as_ref().is_some_and(|v| v.value.at_least((3, 3)));
    match (since, context.client()) {
        (true, _) => Support::Native(setting("spark.kubernetes.executor.node.selector")),
        // The driver is no pod.
        (false, true) => Support::Native(setting("spark.kubernetes.node.selector")),
        (false, false) => Support::unsupported(
            "places the driver on these nodes too before version 3.3, and an unset version counts as 3.1",
            format!(
                "add `spark \"3.3\"` to `target \"spark\"` if the cluster is that new; or write `conf {{ \"spark.kubernetes.node.selector.{key}\" \"{value}\" }}`, which places both"
            ),
            "SPARK-36075: spark.kubernetes.{driver,executor}.node.selector came with 3.3.0",
        ),
    }
}

/// A partition of the cluster: a node label of YARN.
fn partition(context: &Context<'_>, id: RoleId, name: &str) -> Support {
    let wanted = |id: RoleId| {
        context.plan.requirements.iter().find_map(|required| match &required.requirement {
            Requirement::Placement(Placement::Partition { role, name }) if *role == id => Some(name),
            _ => None,
        })
    };
    let label = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    if context.manager != Manager::Yarn || !label {
        return Support::unsupported(
            format!("knows no partition `{name}` on {}", context.manager.word()),
            "a partition is a node label of YARN: letters, digits, `-` and `_`",
            "spark#executor-placement",
        );
    }
    if (0..context.plan.roles.len()).any(|other| wanted(other) != wanted(id)) {
        return alike("the partition");
    }
    let key = "spark.yarn.executor.nodeLabelExpression".to_owned();
    Support::Native(Mechanism::Settings(vec![(key, name.to_owned())]))
}

/// Tasks apart.
fn spread(context: &Context<'_>) -> Support {
    Support::unsupported(
        format!("lets {} choose the hosts, and cannot keep executors apart", context.manager.word()),
        "remove `spread`",
        "spark#executor-placement",
    )
}
