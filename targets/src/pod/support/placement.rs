//! Placement on nodes.
use super::Context;
use super::Support;
use crate::pod::grammar::{is_label_value, is_qualified};
use crate::pod::mechanism::{HOSTNAME, Mechanism};
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement;
use tfjob_lang::requirement::{Placement, Requirement, Resources};
use tfjob_lang::spec::Spread;

/// Returns the support of one requirement about placement.
pub fn support(requirement: &requirement::Placement, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Placement::Node { role, key, value } => node(context, *role, key, value),
        requirement::Placement::Partition { role: _, name: _ } => partition(),
        requirement::Placement::Spread { role, spread } => self::spread(context, *role, *spread),
    }
}

/// Returns the value that a role requires for a node label, if any.
pub fn required<'c>(context: &'c Context<'_>, role: RoleId, label: &str) -> Option<&'c str> {
    context.plan.requirements.iter().find_map(|required| match &required.requirement {
        Requirement::Placement(Placement::Node { role: of, key, value }) if *of == role && key == label => {
            Some(value.as_str())
        }
        _ => None,
    })
}

/// Returns the value that a role requires for the GPU model label, if any.
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
                "no node has both `{value}` (from `node`) and `{model}` (from `gpu-model`) as label `{key}`: the pods of `{}` would stay Pending",
                context.role(role)
            ),
            "remove `gpu-model`, or remove this `node` entry",
            "kubernetes#node-labels",
        );
    }
    const EVIDENCE: &str = "kubernetes#label-values";
    if !is_qualified(key) {
        let help = "use letters, digits, `-`, `_`, and `.`, at most 63 characters, optionally after a DNS domain and `/`";
        return Support::unsupported(
            format!("`{key}` is not a valid label key, so no node has it"),
            help,
            EVIDENCE,
        );
    }
    if !is_label_value(value) {
        let help = "use letters, digits, `-`, `_`, and `.`, at most 63 characters, with a letter or digit at both ends";
        return Support::unsupported(format!("`{value}` is not a valid label value"), help, EVIDENCE);
    }
    Support::Native(Mechanism::NodeLabel { role, key: key.to_owned(), value: value.to_owned() })
}

fn partition() -> Support {
    Support::unsupported(
        "`partition` is not supported: pods select nodes by labels (`nodeSelector`)",
        "select a node label: `placement { node \"KEY\" \"VALUE\" }`; if the nodes are tainted, add `toleration` to the `target` block",
        "kubernetes#node-labels",
    )
}

/// Returns the support of `spread`, which becomes a `podAntiAffinity`. A topology spread constraint would only balance the tasks,
/// and could still place two of them together.
fn spread(context: &Context<'_>, role: RoleId, spread: Spread) -> Support {
    let topology_key = match (spread, context.options.rack_label) {
        (Spread::Host, _) => HOSTNAME.to_owned(),
        (Spread::Rack, Some(label)) => label.value.to_string(),
        (Spread::Rack, None) => {
            return Support::unsupported(
                "`spread \"rack\"` distinguishes racks by a node label, but the key of this label (`rack-label`) is not set",
                format!(
                    "set `target \"{}\" {{ rack-label \"topology.example.com/rack\" }}`, or write `spread \"host\"`",
                    context.kind.target,
                ),
                "kubernetes#pod-anti-affinity",
            );
        }
    };
    let count = context.plan.roles[role].count.value;
    let bound = [HOSTNAME, &topology_key].into_iter().find_map(|label| required(context, role, label));
    if let Some(node) = bound.filter(|_| count > 1) {
        return Support::impossible(
            format!(
                "`spread` keeps the {count} pods of `{}` apart, but `placement` binds all of them to `{node}`: all but one would stay Pending",
                context.role(role)
            ),
            "remove `spread`, or remove the `node` entry of `placement`",
            "kubernetes#pod-anti-affinity",
        );
    }
    Support::Native(Mechanism::Apart { role, topology_key })
}
