//! Placement on nodes.
use super::Answer;
use super::Context;
use crate::pod::grammar::{is_label_value, is_qualified};
use crate::pod::means::{HOSTNAME, Means};
use tfjob_lang::ask;
use tfjob_lang::ask::{Ask, Placement, Resources};
use tfjob_lang::plan::RoleId;
use tfjob_lang::spec::Spread;

/// Answers one requirement: placement on nodes.
pub fn answer(ask: &ask::Placement, case: &Context<'_>) -> Answer {
    match ask {
        ask::Placement::Node { role, key, value } => node(case, *role, key, value),
        ask::Placement::Partition { role: _, name: _ } => partition(),
        ask::Placement::Spread { role, spread } => self::spread(case, *role, *spread),
    }
}

/// The value that a role asks for as a label of its nodes.
pub fn asked<'c>(case: &'c Context<'_>, role: RoleId, label: &str) -> Option<&'c str> {
    case.plan.asks.iter().find_map(|asked| match &asked.ask {
        Ask::Placement(Placement::Node { role: of, key, value }) if *of == role && key == label => {
            Some(value.as_str())
        }
        _ => None,
    })
}

/// The model that a role asks for by the label of GPU models.
fn model<'c>(case: &'c Context<'_>, role: RoleId) -> Option<&'c str> {
    case.plan.asks.iter().find_map(|asked| match &asked.ask {
        Ask::Resources(Resources::GpuModel { role: of, model }) if *of == role => {
            Some(case.options.gpu_model(model))
        }
        _ => None,
    })
}

fn node(case: &Context<'_>, role: RoleId, key: &str, value: &str) -> Answer {
    let of_gpus = case.options.gpu_model_label.as_ref().is_some_and(|label| label.value.as_str() == key);
    if let Some(model) = model(case, role).filter(|model| of_gpus && *model != value) {
        return Answer::impossible(
            format!(
                "has no node whose label `{key}` is both `{value}` and, by `gpu-model`, `{model}`: Pods of `{}` would stay Pending",
                case.role(role)
            ),
            "remove one of the two: `gpu-model`, or this `node`",
            "kubernetes §2, nodeSelector",
        );
    }
    match selector(key, value) {
        Some(why) => Answer::refused(
            why,
            "a key of letters, digits, `-`, `_` and `.`, maybe after a domain and `/`; a value of the same, at most 63",
            "kubernetes-observed §4, node-selector-blank",
        ),
        None => Answer::Native(Means::NodeLabel { role, key: key.to_owned(), value: value.to_owned() }),
    }
}

/// Whether a label can select nodes.
fn selector(key: &str, value: &str) -> Option<String> {
    if !is_qualified(key) {
        return Some(format!("has no label `{key}`"));
    }
    (!is_label_value(value)).then(|| format!("has no label with the value `{value}`"))
}

fn partition() -> Answer {
    Answer::refused(
        "has no partitions: nodes are told apart by their labels",
        "`place { node \"KEY\" \"VALUE\" }`, and a `toleration` in the `target` block where the nodes are tainted",
        "kubernetes §2, nodeSelector",
    )
}

/// A spread constraint would only even the tasks out; this keeps them apart.
fn spread(case: &Context<'_>, role: RoleId, spread: Spread) -> Answer {
    let topology_key = match (spread, case.options.rack_label) {
        (Spread::Host, _) => HOSTNAME.to_owned(),
        (Spread::Rack, Some(label)) => label.value.to_string(),
        (Spread::Rack, None) => {
            return Answer::refused(
                "has no racks, and nothing says which label of nodes holds theirs",
                format!(
                    "`target \"{}\" {{ rack-label \"topology.example.com/rack\" }}`, or `spread \"host\"`",
                    case.kind.target,
                ),
                "kubernetes §2, affinity",
            );
        }
    };
    let count = case.plan.roles[role].count.value;
    let one = [HOSTNAME, &topology_key].into_iter().find_map(|label| asked(case, role, label));
    if let Some(node) = one.filter(|_| count > 1) {
        return Answer::impossible(
            format!(
                "keeps the {count} Pods of `{}` apart, and `place` puts all of them on `{node}`: all but one would stay Pending",
                case.role(role)
            ),
            "remove `spread`, or the `node` with that name",
            "kubernetes §2, affinity",
        );
    }
    Answer::Native(Means::Apart { role, topology_key })
}
