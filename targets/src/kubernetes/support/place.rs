//! Where tasks run, and on which network.
use super::resources::selector;
use super::{Answered, Context, board};
use crate::kubernetes::life::DEFAULT_PORT;
use crate::kubernetes::means::Means;
use std::collections::BTreeSet;
use tfjob_lang::ask::{Ask, Placement, Resources};
use tfjob_lang::plan::RoleId;
use tfjob_lang::spec::Spread;
use tfjob_lang::target::Answer;

/// The value that a role asks for as a label of its nodes.
fn asked<'c>(case: &'c Context<'_>, role: RoleId, label: &str) -> Option<&'c str> {
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

pub fn node(case: &Context<'_>, role: RoleId, key: &str, value: &str) -> Answered {
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

pub fn partition() -> Answered {
    Answer::refused(
        "has no partitions: nodes are told apart by their labels",
        "`place { node \"KEY\" \"VALUE\" }`, and a `toleration` in the `target` block where the nodes are tainted",
        "kubernetes §2, nodeSelector",
    )
}

/// A spread constraint would only even the tasks out; this keeps them apart.
pub fn spread(case: &Context<'_>, role: RoleId, spread: Spread) -> Answered {
    let topology_key = match (spread, &case.options.rack_label) {
        (Spread::Host, _) => board::HOSTNAME.to_owned(),
        (Spread::Rack, Some(label)) => label.value.to_string(),
        (Spread::Rack, None) => {
            return Answer::refused(
                "has no racks, and nothing says which label of nodes holds theirs",
                "`target \"kubernetes\" { rack-label \"topology.example.com/rack\" }`, or `spread \"host\"`",
                "kubernetes §2, affinity",
            );
        }
    };
    let count = case.plan.roles[role].count.value;
    let one = [board::HOSTNAME, &topology_key].into_iter().find_map(|label| asked(case, role, label));
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

pub fn host_network(case: &Context<'_>) -> Answered {
    if case.options.restricted() {
        return Answer::refused(
            "does not give the node's network where the namespace is `restricted`",
            "leave out `network`, or `restricted`",
            "Pod Security Standards, baseline",
        );
    }
    if let Some((node, port)) = crowded(case) {
        return Answer::impossible(
            format!(
                "gives a port of a node to one Pod, and two on `{node}` have port {port}: one would stay Pending"
            ),
            "remove `network \"host\"`; or do not put both on one node",
            "NodePorts of the scheduler",
        );
    }
    Answer::Native(Means::HostNetwork)
}

/// A port that two Pods have which are put on one node. The operator adds its own to each Pod without a `cluster`.
fn crowded<'c>(case: &'c Context<'_>) -> Option<(&'c str, u16)> {
    let mut taken = BTreeSet::new();
    for (id, role) in case.plan.roles.iter().enumerate() {
        let Some(node) = asked(case, id, board::HOSTNAME) else { continue };
        let mut ports: Vec<u16> = role.ports.iter().filter_map(|port| port.number).collect();
        if role.ports.iter().all(|port| port.name.value != "cluster") {
            ports.push(DEFAULT_PORT);
        }
        if let Some(port) = ports.iter().find(|port| role.count.value > 1 || taken.contains(&(node, **port)))
        {
            return Some((node, *port));
        }
        taken.extend(ports.into_iter().map(|port| (node, port)));
    }
    None
}

pub fn network() -> Answered {
    Answer::refused(
        "has one network for all Pods, and their names lead there",
        "leave it out; a second network is an annotation of the cluster's own plugin: `annotations { \"k8s.v1.cni.cncf.io/networks\" \"…\" }`",
        "kubernetes §1.5",
    )
}
