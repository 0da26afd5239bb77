//! Grammars of names in Kubernetes.
//!
//! Source: `k8s.io/apimachinery/pkg/util/validation`. tfjob checks these names, because the API server validates a Pod only when
//! the operator creates it. A job with refused Pods hangs, and no condition of the job reports the cause.

pub use crate::names::{LABEL, is_label, is_subdomain};

/// Maximum length of a key of a Secret or a ConfigMap.
const LONGEST_KEY: usize = 253;

const fn alphanumeric(b: u8) -> bool {
    b.is_ascii_alphanumeric()
}

const fn lower(b: u8) -> bool {
    b.is_ascii_lowercase() || b.is_ascii_digit()
}

/// Returns whether `plain` accepts the first and the last character of a text, and every other character is in `inner` or accepted
/// by `plain`.
fn framed(text: &str, plain: fn(u8) -> bool, inner: &[u8]) -> bool {
    let bytes = text.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else { return false };
    plain(*first) && plain(*last) && bytes.iter().all(|b| plain(*b) || inner.contains(b))
}

/// Returns whether a text is a label value: empty, or at most 63 letters, digits, `-`, `_`, and `.`, with a letter or digit
/// at both ends.
#[must_use]
pub fn is_label_value(text: &str) -> bool {
    text.is_empty() || text.len() <= LABEL && framed(text, alphanumeric, b"-_.")
}

/// Returns whether a text is a qualified name (label key, annotation key, resource name): `name` or `dns.name/name`.
#[must_use]
pub fn is_qualified(text: &str) -> bool {
    let name = |name: &str| name.len() <= LABEL && framed(name, alphanumeric, b"-_.");
    match text.split_once('/') {
        Some((prefix, rest)) => is_subdomain(prefix) && name(rest),
        None => name(text),
    }
}

/// Returns whether a text is a port name: at most 15 lowercase letters, digits, and `-`, with at least one letter and without
/// `--`.
#[must_use]
pub fn is_port_name(text: &str) -> bool {
    let letter = text.bytes().any(|b| b.is_ascii_lowercase());
    text.len() <= 15 && letter && framed(text, lower, b"-") && !text.contains("--")
}

/// Returns whether a text is a key of a Secret or a ConfigMap.
#[must_use]
pub fn is_key(text: &str) -> bool {
    let plain = |b: u8| alphanumeric(b) || matches!(b, b'-' | b'_' | b'.');
    !text.is_empty()
        && text.len() <= LONGEST_KEY
        && text.bytes().all(plain)
        && !text.starts_with("..")
        && text != "."
}

/// Returns whether a text is the name of an extended resource: a qualified name with a domain other than `kubernetes.io`.
#[must_use]
pub fn is_extended_resource(text: &str) -> bool {
    let own = |prefix: &str| prefix == "kubernetes.io" || prefix.ends_with(".kubernetes.io");
    let quota = is_qualified(&format!("requests.{text}"));
    text.split_once('/').is_some_and(|(prefix, _)| !own(prefix) && !text.starts_with("requests."))
        && is_qualified(text)
        && quota
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_value_has_plain_ends() {
        for good in ["", "a", "A100-SXM4.80GB_x", &"a".repeat(63)] {
            assert!(is_label_value(good), "{good}");
        }
        for bad in ["a 100", "-a", "a-", "ä", &"a".repeat(64), "a/b"] {
            assert!(!is_label_value(bad), "{bad}");
        }
    }

    #[test]
    fn a_key_may_have_a_domain() {
        for good in ["team", "nvidia.com/gpu.product", "a/B_c"] {
            assert!(is_qualified(good), "{good}");
        }
        for bad in ["", "/a", "a/", "a/b/c", "A.com/x", "a b"] {
            assert!(!is_qualified(bad), "{bad}");
        }
    }

    #[test]
    fn a_device_has_a_domain_that_is_not_kubernetes_own() {
        for good in ["nvidia.com/gpu", "rdma/hca", "amd.com/gpu"] {
            assert!(is_extended_resource(good), "{good}");
        }
        for bad in ["gpu", "hugepages-2Mi", "kubernetes.io/x", "a.kubernetes.io/x", "requests.x/y", "x/"] {
            assert!(!is_extended_resource(bad), "{bad}");
        }
    }

    #[test]
    fn a_port_has_a_short_name() {
        for good in ["grpc", "tfjob-port", "a1", "123456789012abc"] {
            assert!(is_port_name(good), "{good}");
        }
        for bad in ["Grpc", "1234", "a--b", "-a", "1234567890123abc", "a_b", ""] {
            assert!(!is_port_name(bad), "{bad}");
        }
    }
}
