//! Support of placement on nodes.
use super::Support;
use super::shared::{label_fault, must_be_uniform};
use crate::spark::context::{Context, Manager};
use crate::spark::mechanism::Mechanism;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{self, Placement, Requirement};

/// Returns the support of one requirement about placement.
pub fn support(requirement: &requirement::Placement, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Placement::Node { role, key, value } => node(context, *role, key, value),
        requirement::Placement::Partition { role, name } => partition(context, *role, name),
        requirement::Placement::Spread { .. } => spread(context),
    }
}

/// Returns the node attributes that a role requests, sorted.
fn attributes<'c>(context: &'c Context<'_>, id: RoleId) -> Vec<(&'c String, &'c String)> {
    let requirements = context.plan.requirements.iter();
    let mut all: Vec<_> = requirements
        .filter_map(|required| match &required.requirement {
            Requirement::Placement(Placement::Node { role, key, value }) if *role == id => Some((key, value)),
            _ => None,
        })
        .collect();
    all.sort();
    all
}

fn node(context: &Context<'_>, id: RoleId, key: &str, value: &str) -> Support {
    let unsupported = |help| {
        Support::unsupported(
            format!("Spark on {} cannot select nodes by attributes", context.manager.word()),
            help,
            "spark#executor-placement",
        )
    };
    match context.manager {
        Manager::Kubernetes => {}
        Manager::Yarn => {
            return unsupported(
                "remove `node`, and add an entry to `job` that selects a node label for all roles: `placement { partition \"…\" }`",
            );
        }
        Manager::Standalone => {
            return unsupported(
                "remove `node`, or run on Kubernetes: `target \"spark\" { master \"k8s://…\" }`",
            );
        }
    }
    if (0..context.plan.roles.len()).any(|other| attributes(context, other) != attributes(context, id)) {
        return must_be_uniform("`node`");
    }
    if let Some(fault) = label_fault(key, value) {
        return Support::unsupported(
            format!("{fault}, so it matches no node"),
            "write the key and the value of a label that the nodes have",
            "kubernetes#label-values",
        );
    }
    let setting = |family: &str| Mechanism::Settings(vec![(format!("{family}.{key}"), value.to_owned())]);
    let since = context.options.spark.as_ref().is_some_and(|v| v.value.at_least((3, 3)));
    match (since, context.client()) {
        (true, _) => Support::Native(setting("spark.kubernetes.executor.node.selector")),
        // `spark.kubernetes.node.selector` applies to all pods of the job. In client mode, these are the pods of the executors,
        // because the driver does not run in a pod.
        (false, true) => Support::Native(setting("spark.kubernetes.node.selector")),
        (false, false) => {
            let unset =
                if context.options.spark.is_none() { " (the version is unset: 3.1 is assumed)" } else { "" };
            Support::unsupported(
                format!("before Spark 3.3, a node selector also applies to the pod of the driver{unset}"),
                format!(
                    "if the cluster runs Spark 3.3 or later, add `spark \"3.3\"` to `target \"spark\"`; or write `conf {{ \"spark.kubernetes.node.selector.{key}\" \"{value}\" }}` to select the nodes of executors and driver"
                ),
                "SPARK-36075: spark.kubernetes.{driver,executor}.node.selector came with 3.3.0",
            )
        }
    }
}

/// Returns the support of a node partition. On YARN, this is a node label.
fn partition(context: &Context<'_>, id: RoleId, name: &str) -> Support {
    let wanted = |id: RoleId| {
        context.plan.requirements.iter().find_map(|required| match &required.requirement {
            Requirement::Placement(Placement::Partition { role, name }) if *role == id => Some(name),
            _ => None,
        })
    };
    let label = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    let unsupported = |help| {
        Support::unsupported(
            format!(
                "`partition` selects a node label of YARN, but this job runs on {}",
                context.manager.word()
            ),
            help,
            "spark#executor-placement",
        )
    };
    match context.manager {
        Manager::Yarn => {}
        Manager::Kubernetes => {
            return unsupported(
                "remove `partition`, and select nodes by a label: `placement { node \"…\" \"…\" }`",
            );
        }
        Manager::Standalone => return unsupported("remove `partition`"),
    }
    if !label {
        return Support::unsupported(
            format!("`{name}` is not a valid YARN node label"),
            "use letters, digits, `-`, and `_`",
            "hadoop-yarn-common, NodeLabelUtil.checkAndThrowLabelName",
        );
    }
    if (0..context.plan.roles.len()).any(|other| wanted(other) != wanted(id)) {
        return must_be_uniform("`partition`");
    }
    let key = "spark.yarn.executor.nodeLabelExpression".to_owned();
    Support::Native(Mechanism::Settings(vec![(key, name.to_owned())]))
}

fn spread(context: &Context<'_>) -> Support {
    Support::unsupported(
        format!(
            "two executors may run on the same node, because {} chooses the nodes and no Spark setting changes this",
            context.manager.word()
        ),
        "remove `spread`",
        "spark#executor-placement",
    )
}
