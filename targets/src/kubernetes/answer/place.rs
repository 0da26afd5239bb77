//! Where tasks run, and on which network.
use super::resources::selector;
use super::{Answered, Case};
use crate::kubernetes::means::Means;
use tfjob_lang::plan::RoleId;
use tfjob_lang::spec::Spread;
use tfjob_lang::target::Answer;

pub fn node(role: RoleId, key: &str, value: &str) -> Answered {
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
pub fn spread(case: &Case<'_>, role: RoleId, spread: Spread) -> Answered {
    let topology_key = match (spread, &case.options.rack_label) {
        (Spread::Host, _) => "kubernetes.io/hostname".to_owned(),
        (Spread::Rack, Some(label)) => label.value.to_string(),
        (Spread::Rack, None) => {
            return Answer::refused(
                "has no racks, and nothing says which label of nodes holds theirs",
                "`target \"kubernetes\" { rack-label \"topology.example.com/rack\" }`, or `spread \"host\"`",
                "kubernetes §2, affinity",
            );
        }
    };
    Answer::Native(Means::Apart { role, topology_key })
}

pub fn host_network(case: &Case<'_>) -> Answered {
    if case.options.restricted() {
        return Answer::refused(
            "does not give the node's network where the namespace is `restricted`",
            "leave out `network`, or `restricted`",
            "Pod Security Standards, baseline",
        );
    }
    Answer::Native(Means::HostNetwork)
}

pub fn network() -> Answered {
    Answer::refused(
        "has one network for all Pods, and their names lead there",
        "leave it out; a second network is an annotation of the cluster's own plugin: `annotations { \"k8s.v1.cni.cncf.io/networks\" \"…\" }`",
        "kubernetes §1.5",
    )
}
