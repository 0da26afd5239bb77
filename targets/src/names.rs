//! Checks of DNS names and of other names, for several targets.
use tfjob_lang::escape::Escaped;

/// Maximum length of a DNS label (RFC 1035 §2.3.4).
pub const LABEL: usize = 63;
/// Maximum length of a DNS name as text (RFC 1035 §2.3.4, without the length bytes).
const HOST: usize = 253;

/// Returns why a text is not a DNS label, or `None` if it is one. A DNS label has only lowercase letters, digits, and inner `-`
/// (RFC 1123 §2.1). The message shows the reason after the name.
#[must_use]
pub fn label_fault(text: &str) -> Option<String> {
    if text.len() > LABEL {
        return Some(format!("has {} characters, but a DNS label has at most {LABEL}", text.len()));
    }
    (!is_framed(text)).then(|| "is not a DNS label (lowercase letters, digits, and inner `-`)".to_owned())
}

/// Returns why a text is not a host name, or `None` if it is one. A host name consists of DNS labels separated by dots, and has at
/// most 253 characters in total. The message shows the reason after the name.
#[must_use]
pub fn host_fault(text: &str) -> Option<String> {
    if text.len() > HOST {
        return Some(format!("has {} characters, but a host name has at most {HOST}", text.len()));
    }
    text.split('.').find_map(|label| {
        let fault = label_fault(label)?;
        Some(match label {
            "" if !text.is_empty() => "has a `.` without a name before or after it".to_owned(),
            _ if label == text => fault,
            _ => format!("contains `{label}`, which {fault}"),
        })
    })
}

/// Help that says what a DNS label may contain.
pub const LABEL_FORM: &str =
    "use lowercase letters, digits, and inner `-`, at most 63 characters, such as `2024-ml`";
/// Help that says what a DNS subdomain may contain.
pub const SUBDOMAIN_FORM: &str = "use lowercase letters, digits, `-`, and `.`, at most 253 characters";

/// Returns whether a text is a DNS label (RFC 1123), such as the name of a namespace, container, or volume.
#[must_use]
pub fn is_label(text: &str) -> bool {
    label_fault(text).is_none()
}

/// Returns whether a text is an RFC 1123 subdomain, as most names of Kubernetes objects must be. Only the length of the whole text
/// is limited, not that of each label (`IsDNS1123Subdomain` of apimachinery).
#[must_use]
pub fn is_subdomain(text: &str) -> bool {
    text.len() <= HOST && text.split('.').all(is_framed)
}

/// Returns whether a text begins and ends with a lowercase letter or a digit, and has only these characters and `-` in between.
pub fn is_framed(text: &str) -> bool {
    let plain = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let bytes = text.as_bytes();
    let edges = bytes.first().is_some_and(plain) && bytes.last().is_some_and(plain);
    edges && bytes.iter().all(|b| plain(b) || *b == b'-')
}

/// Returns why `java.net.URI` cannot parse an address, or `None` if it can. Marathon and Hadoop parse addresses with this class.
#[must_use]
pub fn java_fault(address: &str) -> Option<String> {
    let path = address.split('?').next().unwrap_or_default();
    let odd = |c: char| c.is_control() || c == ' ' || "\"<>\\^`{|}".contains(c);
    if let Some(c) = address.chars().find(|c| odd(*c)).or_else(|| path.chars().find(|c| "[]".contains(*c))) {
        let code: String = c.to_string().bytes().map(|b| format!("%{b:02X}")).collect();
        return Some(format!("the character `{}` must be percent-encoded: `{code}`", c.escaped()));
    }
    if decoded(address).is_none() {
        return Some(
            "`%` must be followed by two hexadecimal digits; write the character `%` as `%25`".to_owned(),
        );
    }
    (address.matches('#').count() > 1).then(|| "a second `#` must be percent-encoded: `%23`".to_owned())
}

/// Decodes percent-encoding, or returns `None` if it is malformed.
#[must_use]
pub fn decoded(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, more @ ..] = rest {
        rest = more;
        if *first != b'%' {
            out.push(*first);
            continue;
        }
        let code = rest.get(..2).filter(|code| code.iter().all(u8::is_ascii_hexdigit))?;
        out.push(u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok()?);
        rest = &rest[2..];
    }
    Some(out)
}

/// Returns why `git fetch` cannot fetch a commit by this branch, tag, or hash, or `None` if it can.
#[must_use]
pub fn reference_fault(text: &str) -> Option<&'static str> {
    let odd = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
    let step = |step: &str| step.is_empty() || step.starts_with('.') || step.ends_with(".lock");
    let invalid = text.starts_with('-') || text.contains(odd) || text.contains("..") || text.contains("@{");
    if invalid || text.split('/').any(step) || text.ends_with('.') {
        return Some("it is not a valid name of a branch, a tag, or a commit");
    }
    let hex = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    // A text that consists only of digits, such as `20240101`, is probably a tag with a date, and not a hash.
    let dated = text.bytes().all(|b| b.is_ascii_digit());
    ((7..40).contains(&text.len()) && hex && !dated)
        .then_some("git fetches a commit only by all 40 digits of its hash")
}

#[cfg(test)]
mod tests {
    use super::{decoded, host_fault, is_subdomain, java_fault, label_fault, reference_fault};

    #[test]
    fn addresses_are_parsed_as_java_does() {
        for good in ["https://h/a.zip?x=[1]&y=%7B1%7D#f", "hdfs://h/a+b=c,d", "https://h/é.txt"] {
            assert_eq!(java_fault(good), None, "{good}");
        }
        for bad in [
            "https://h/100%.txt",
            "https://h/a?x={y}",
            "https://h/a|b",
            "https://h/[a]",
            "https://h/a#b#c",
            "a b",
        ] {
            assert!(java_fault(bad).is_some(), "{bad}");
        }
        assert_eq!(decoded("a%2Cb").as_deref(), Some(&b"a,b"[..]));
    }

    #[test]
    fn a_reference_is_a_name_or_a_full_commit_hash() {
        for good in ["main", "v1.2", "feature/x-y_z", "HEAD", "20240101", "FACADE1", &"a1".repeat(20)] {
            assert_eq!(reference_fault(good), None, "{good}");
        }
        for bad in ["--upload-pack=x", "a b", "", "a..b", "a//b", "x.lock", "1a2b3c4", "a^"] {
            assert!(reference_fault(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn a_label_is_short_and_lowercase_without_outer_dashes() {
        for good in ["a", "0", "worker-0", &"x".repeat(63)] {
            assert_eq!(label_fault(good), None, "{good}");
        }
        for bad in ["", "-a", "a-", "A", "a_b", "a.b", "é", &"x".repeat(64)] {
            assert!(label_fault(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn a_subdomain_has_labels_of_any_length() {
        for good in ["2024.trainer", "0", &"x".repeat(253), &format!("{}.b", "x".repeat(200))] {
            assert!(is_subdomain(good), "{good}");
        }
        for bad in ["", "a..b", "-a", "a.-b", "A", "a_b", "a/b", &"x".repeat(254)] {
            assert!(!is_subdomain(bad), "{bad}");
        }
    }

    #[test]
    fn a_host_name_is_labels_with_a_length_limit() {
        assert_eq!(host_fault("worker-0.mnist.example"), None);
        assert!(host_fault("a..b").is_some());
        let long = ["x".repeat(63).as_str(); 4].join(".");
        assert_eq!(long.len(), 255);
        assert!(host_fault(&long).is_some());
        assert_eq!(host_fault(&long[2..]), None);
    }
}
