//! Labels of a job, which tfjob also writes into its Pods.
use super::Support;
use crate::pod::grammar::{is_label_value, is_qualified};
use crate::pod::mechanism::{Mechanism, OURS};

/// Returns the support of one label.
pub fn label(key: &str, value: &str) -> Support {
    const EVIDENCE: &str = "kubernetes#label-values";
    if !is_qualified(key) {
        let help = "use letters, digits, `-`, `_`, and `.`, at most 63 characters, optionally after a DNS domain and `/`";
        return Support::unsupported(
            format!("`{key}` is not a valid label key, so no object can have it"),
            help,
            EVIDENCE,
        );
    }
    if key.starts_with(OURS) {
        let help = "use another prefix: `labels { \"example.com/team\" \"vision\"; }`";
        let why = "labels with the prefix `tfjob/` are reserved: tfjob selects pods by them";
        return Support::unsupported(why, help, "kubernetes#tfjob-labels");
    }
    if !is_label_value(value) {
        let help = "use letters, digits, `-`, `_`, and `.`, at most 63 characters, with a letter or digit at both ends";
        return Support::unsupported(format!("`{value}` is not a valid label value"), help, EVIDENCE);
    }
    Support::Native(Mechanism::Label { key: key.to_owned(), value: value.to_owned() })
}
