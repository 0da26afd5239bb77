//! Scheduling constraints of a Pod.
use super::{Number, Text, Words, objects, words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tfjob_lang::origin::Traced;

objects! {
    /// Affinity v1 core.
    Affinity {
        /// Node affinity.
        node_affinity: NodeAffinity,
        /// Pod anti-affinity.
        pod_anti_affinity: PodAffinity,
    }
    /// NodeAffinity v1 core.
    NodeAffinity {
        /// Terms, one of which a node must match when the Pod is scheduled.
        required_during_scheduling_ignored_during_execution: Option<NodeSelector>,
    }
    /// NodeSelector v1 core: one of the terms must match.
    NodeSelector {
        /// Terms.
        node_selector_terms: Vec<NodeSelectorTerm>,
    }
    /// NodeSelectorTerm v1 core: all expressions must match.
    NodeSelectorTerm {
        /// Label expressions.
        match_expressions: Vec<LabelRequirement>,
    }
    /// NodeSelectorRequirement v1 core, LabelSelectorRequirement v1 meta.
    LabelRequirement {
        /// Label key.
        key: Text,
        /// Comparison operator.
        operator: Option<Traced<Operator>>,
        /// Values to compare with.
        values: Vec<Traced<String>>,
    }
    /// PodAffinity and PodAntiAffinity v1 core.
    PodAffinity {
        /// Terms that must all match when the Pod is scheduled.
        required_during_scheduling_ignored_during_execution: Vec<PodAffinityTerm>,
    }
    /// PodAffinityTerm v1 core.
    PodAffinityTerm {
        /// Selects the Pods to which the term applies, by their labels.
        label_selector: Option<LabelSelector>,
        /// Node label whose value identifies the topology domain.
        topology_key: Text,
    }
    /// LabelSelector v1 meta.
    LabelSelector {
        /// Labels that a Pod must have, all of them.
        match_labels: Words,
    }
    /// Toleration v1 core.
    Toleration {
        /// Key of the taint. Default: all taints.
        key: Text,
        /// Comparison operator.
        operator: Option<Traced<TolerationOperator>>,
        /// Value to compare with the value of the taint.
        value: Text,
        /// Effect of the taint. Default: all effects.
        effect: Option<Traced<TaintEffect>>,
        /// Seconds until the Pod is evicted. Used only with the effect `NoExecute`.
        toleration_seconds: Number,
    }
}

words! {
    /// Operators of label expressions.
    Operator {
        /// The label has one of the values.
        In,
        /// The label is an integer greater than the value.
        Gt,
    }
    /// Operators of tolerations.
    TolerationOperator {
        /// The taint exists.
        Exists,
        /// The taint has the value.
        Equal,
    }
    /// Effects of a taint.
    #[derive(Deserialize, JsonSchema)]
    TaintEffect {
        /// New pods are not scheduled on the node.
        NoSchedule,
        /// The scheduler avoids the node.
        PreferNoSchedule,
        /// Running pods are evicted.
        NoExecute,
    }
}
