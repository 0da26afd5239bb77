//! Placement on nodes.
use super::Context;
use super::Support;
use crate::pod::grammar::{is_label_value, is_qualified};
use crate::pod::mechanism::{HOSTNAME, Mechanism};
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement;
use tfjob_lang::requirement::{Placement, Requirement, Resources};
use tfjob_lang::spec::Spread;

/// Answers one requirement: placement on nodes.
pub fn support(requirement: &requirement::Placement, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Placement::Node { role, key, value } => node(context, *role, key, value),
        requirement::Placement::Partition { role: _, name: _ } => partition(),
        requirement::Placement::Spread { role, spread } => self::spread(context, *role, *spread),
    }
}

/// The value that a role asks for as a label of its nodes.
pub fn required<'c>(context: &'c Context<'_>, role: RoleId, label: &str) -> Option<&'c str> {
    context.plan.requirements.iter().find_map(|required| match &required.requirement {
        Requirement::Placement(Placement::Node { role: of, key, value }) if *of == role && key == label => {
            Some(value.as_str())
        }
        _ => None,
    })
}

/// The model that a role asks for by the label of GPU models.
fn model<'c>(context: &'c Context<'_>, role: RoleId) -> Option<&'c str> {
    context.plan.requirements.iter().find_map(|required| match &required.requirement {
        Requirement::Resources(Resources::GpuModel { role: of, model }) if *of == role => {
            Some(context.options.gpu_model(model))
        }
        _ => None,
    })
}

fn node(context: &Context<'_>, role: RoleId, key: &str, value: &str) -> Support {
    let of_gpus = context.options.gpu_model_label.as_ref().is_some_and(|label| label.value.as_str() == key);
    if let Some(model) = model(context, role).filter(|model| of_gpus && *model != value) {
        return Support::impossible(
            format!(
                "has no node whose label `{key}` is both `{value}` and, by `gpu-model`, `{model}`: Pods of `{}` would stay Pending",
                context.role(role)
            ),
            "remove one of the two: `gpu-model`, or this `node`",
            "kubernetes#node-labels",
        );
    }
    match selector(key, value) {
        Some(why) => Support::unsupported(
            why,
            "a key of letters, digits, `-`, `_` and `.`, maybe after a domain and `/`; a value of the same, at most 63",
            "kubernetes#label-values",
        ),
        None => Support::Native(Mechanism::NodeLabel { role, key: key.to_owned(), value: value.to_owned() }),
    }
}

/// Whether a label can select nodes.
fn selector(key: &str, value: &str) -> Option<String> {
    if !is_qualified(key) {
        return Some(format!("has no label `{key}`"));
    }
    (!is_label_value(value)).then(|| format!("has no label with the value `{value}`"))
}

fn partition() -> Support {
    Support::unsupported(
        "has no partitions: nodes are told apart by their labels",
        "`placement { node \"KEY\" \"VALUE\" }`, and a `toleration` in the `target` block where the nodes are tainted",
        "kubernetes#node-labels",
    )
}

/// A spread constraint would only even the tasks out; this keeps them apart.
fn spread(context: &Context<'_>, role: RoleId, spread: Spread) -> Support {
    let topology_key = match (spread, context.options.rack_label) {
        (Spread::Host, _) => HOSTNAME.to_owned(),
        (Spread::Rack, Some(label)) => label.value.to_string(),
        (Spread::Rack, None) => {
            return Support::unsupported(
                "has no racks, and nothing says which label of nodes holds theirs",
                format!(
                    "`target \"{}\" {{ rack-label \"topology.example.com/rack\" }}`, or `spread \"host\"`",
                    context.kind.target,
                ),
                "kubernetes#pod-anti-affinity",
            );
        }
    };
    let count = context.plan.roles[role].count.value;
    let one = [HOSTNAME, &topology_key].into_iter().find_map(|label| required(context, role, label));
    if let Some(node) = one.filter(|_| count > 1) {
        return Support::impossible(
            format!(
                "keeps the {count} Pods of `{}` apart, and `placement` puts all of them on `{node}`: all but one would stay Pending",
                context.role(role)
            ),
            "remove `spread`, or the `node` with that name",
            "kubernetes#pod-anti-affinity",
        );
    }
    Support::Native(Mechanism::Apart { role, topology_key })
}
