//! Labels of a job that its Pods have too.
use super::Support;
use crate::pod::grammar::{is_label_value, is_qualified};
use crate::pod::mechanism::{Mechanism, OURS};

pub fn label(key: &str, value: &str) -> Support {
    const PROOF: &str = "kubernetes#label-values";
    if !is_qualified(key) {
        let help = "letters, digits, `-`, `_` and `.`, at most 63, maybe after a domain and `/`";
        return Support::unsupported(format!("cannot have a label `{key}`"), help, PROOF);
    }
    if key.starts_with(OURS) {
        let help = "use a key of another domain";
        return Support::unsupported("sets the labels of `tfjob` itself", help, "kubernetes#tfjob-labels");
    }
    if !is_label_value(value) {
        let help = "letters, digits, `-`, `_` and `.`, at most 63, with a letter or digit at both ends";
        return Support::unsupported(format!("cannot have a label with the value `{value}`"), help, PROOF);
    }
    Support::Native(Mechanism::Label { key: key.to_owned(), value: value.to_owned() })
}
