//! Where a Pod may run.
use super::{Number, Text, Words, objects, words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tfjob_lang::origin::Traced;

objects! {
    /// Affinity v1 core.
    Affinity {
        /// Nodes.
        node_affinity: NodeAffinity,
        /// Away from these Pods.
        pod_anti_affinity: PodAffinity,
    }
    /// NodeAffinity v1 core.
    NodeAffinity {
        /// Must hold when it is placed.
        required_during_scheduling_ignored_during_execution: Option<NodeSelector>,
    }
    /// NodeSelector v1 core: one of the terms holds.
    NodeSelector {
        /// The terms.
        node_selector_terms: Vec<NodeSelectorTerm>,
    }
    /// NodeSelectorTerm v1 core: all of it holds.
    NodeSelectorTerm {
        /// About labels.
        match_expressions: Vec<LabelRequirement>,
    }
    /// NodeSelectorRequirement v1 core, LabelSelectorRequirement v1 meta.
    LabelRequirement {
        /// The label.
        key: Text,
        /// How its value is compared.
        operator: Option<Traced<Operator>>,
        /// With what.
        values: Vec<Traced<String>>,
    }
    /// PodAffinity and PodAntiAffinity v1 core.
    PodAffinity {
        /// Must hold when it is placed.
        required_during_scheduling_ignored_during_execution: Vec<PodAffinityTerm>,
    }
    /// PodAffinityTerm v1 core.
    PodAffinityTerm {
        /// Which Pods.
        label_selector: Option<LabelSelector>,
        /// The label of nodes that counts as one place.
        topology_key: Text,
    }
    /// LabelSelector v1 meta.
    LabelSelector {
        /// Labels that all hold.
        match_labels: Words,
    }
    /// Toleration v1 core.
    Toleration {
        /// The taint; every taint unless given.
        key: Text,
        /// How its value is compared.
        operator: Option<Traced<TolerationOperator>>,
        /// With what.
        value: Text,
        /// Which effect; every effect unless given.
        effect: Option<Traced<TaintEffect>>,
        /// For how many seconds, with `NoExecute`.
        toleration_seconds: Number,
    }
}

words! {
    /// How a label is compared.
    Operator {
        /// One of the values.
        In,
        /// A greater number.
        Gt,
    }
    /// How a taint is compared.
    TolerationOperator {
        /// It is there.
        Exists,
        /// It has the value.
        Equal,
    }
    /// What a taint does.
    #[derive(Deserialize, JsonSchema)]
    TaintEffect {
        /// Nothing new is placed.
        NoSchedule,
        /// Rather not.
        PreferNoSchedule,
        /// What runs is evicted.
        NoExecute,
    }
}
