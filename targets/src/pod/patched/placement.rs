//! Checks of patched values in affinities, tolerations, and topology spread constraints.
use super::{Place, Rule, between, label, qualified, text};
use crate::pod::grammar::{is_label_value, is_qualified};
use serde_json::Value;

/// Returns whether a patch may set a value. `None` if another module checks the field.
pub fn rule(place: &Place<'_>, value: &Value) -> Option<Rule> {
    Some(match (place.owner, place.field) {
        ("Toleration", "key") => text(
            value,
            |key| key.is_empty() || is_qualified(key),
            "a valid taint key, such as `example.com/name`",
        ),
        ("Toleration", "value") => text(value, is_label_value, "a valid taint value"),
        // The operators `Gt` and `Lt` need a feature gate of the cluster.
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
        // `matchFields` accepts only node names, which tfjob cannot check.
        ("NodeSelectorRequirement", _) if place.path.contains("matchFields") => Rule::Unchecked,
        ("NodeSelectorRequirement", "key") => qualified(value),
        ("NodeSelectorRequirement", "operator") => Rule::Fits,
        ("NodeSelectorRequirement", "values") => text(value, is_label_value, "a valid label value"),
        _ => return None,
    })
}
