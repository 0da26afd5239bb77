//! Values of affinities, tolerations and spread constraints.
use super::{Place, Rule, between, label, qualified, text};
use crate::pod::grammar::{is_label_value, is_qualified};
use serde_json::Value;

/// The verdict, or `None` where another area has the field.
pub fn rule(place: &Place<'_>, value: &Value) -> Option<Rule> {
    Some(match (place.owner, place.field) {
        ("Toleration", "key") => text(
            value,
            |key| key.is_empty() || is_qualified(key),
            "the key of a taint, such as `example.com/name`",
        ),
        ("Toleration", "value") => text(value, is_label_value, "the value of a taint"),
        // `Gt` and `Lt` are behind a feature gate of the cluster.
        ("Toleration", "operator") if value == "Gt" || value == "Lt" => Rule::Unchecked,
        ("Toleration", _) => Rule::Fits,
        ("TopologySpreadConstraint", "maxSkew" | "minDomains") => between(value, 1, i64::MAX),
        ("TopologySpreadConstraint" | "PodAffinityTerm", "topologyKey") => qualified(value),
        ("TopologySpreadConstraint", "whenUnsatisfiable" | "nodeAffinityPolicy" | "nodeTaintsPolicy") => {
            Rule::Fits
        }
        ("TopologySpreadConstraint" | "PodAffinityTerm", "matchLabelKeys" | "mismatchLabelKeys") => {
            Rule::Unchecked
        }
        ("PodAffinityTerm", "namespaces") => label(value),
        ("PreferredSchedulingTerm" | "WeightedPodAffinityTerm", "weight") => between(value, 1, 100),
        // Only names of nodes can be matched by a field.
        ("NodeSelectorRequirement", _) if place.path.contains("matchFields") => Rule::Unchecked,
        ("NodeSelectorRequirement", "key") => qualified(value),
        ("NodeSelectorRequirement", "operator") => Rule::Fits,
        ("NodeSelectorRequirement", "values") => text(value, is_label_value, "the value of a label"),
        _ => return None,
    })
}
