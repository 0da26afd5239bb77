//! Names that end up in the domain name system: the checks that targets share.

/// The longest label, RFC 1035 §2.3.4.
pub const LABEL: usize = 63;
/// The longest name as text, RFC 1035 §2.3.4 less the length bytes.
const HOST: usize = 253;

/// What keeps a text from being a label as RFC 1123 §2.1 takes it: lower case, digits and inner `-`.
#[must_use]
pub fn label_fault(text: &str) -> Option<String> {
    if text.len() > LABEL {
        return Some(format!("has {} characters, and a DNS label has at most {LABEL}", text.len()));
    }
    (!is_framed(text)).then(|| "is no DNS label: `a` to `z`, digits and inner `-`".to_owned())
}

/// What keeps a text from being a host name: labels with dots between, at most 253 characters.
#[must_use]
pub fn host_fault(text: &str) -> Option<String> {
    if text.len() > HOST {
        return Some(format!("has {} characters, and a host name has at most {HOST}", text.len()));
    }
    text.split('.')
        .find_map(|label| label_fault(label).map(|fault| format!("holds `{label}`, which {fault}")))
}

/// The form of a label, for a help.
pub const LABEL_FORM: &str = "`a` to `z`, digits and inner `-`, at most 63, such as `2024-ml`";
/// The form of a subdomain, for a help.
pub const SUBDOMAIN_FORM: &str = "`a` to `z`, digits, `-` and `.`, at most 253";

/// Whether a text is a DNS label, RFC 1123: the name of a namespace, of a container, of a volume.
#[must_use]
pub fn is_label(text: &str) -> bool {
    label_fault(text).is_none()
}

/// Whether a text may name most objects of Kubernetes: an RFC 1123 subdomain, of which each label may be as long as the whole
/// (`IsDNS1123Subdomain` of apimachinery).
#[must_use]
pub fn is_subdomain(text: &str) -> bool {
    text.len() <= HOST && text.split('.').all(is_framed)
}

/// Plain ends, and between them plain bytes and `-`.
fn is_framed(text: &str) -> bool {
    let plain = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let bytes = text.as_bytes();
    let edges = bytes.first().is_some_and(plain) && bytes.last().is_some_and(plain);
    edges && bytes.iter().all(|b| plain(b) || *b == b'-')
}

/// What keeps `java.net.URI` from reading an address, on which Marathon and Hadoop rely.
#[must_use]
pub fn java_fault(address: &str) -> Option<String> {
    let path = address.split('?').next().unwrap_or_default();
    let odd = |c: char| c.is_control() || c == ' ' || "\"<>\\^`{|}".contains(c);
    if let Some(c) = address.chars().find(|c| odd(*c)).or_else(|| path.chars().find(|c| "[]".contains(*c))) {
        let code: String = c.to_string().bytes().map(|b| format!("%{b:02X}")).collect();
        return Some(format!("`{}` stands unescaped in it: write `{code}`", c.escape_debug()));
    }
    if decoded(address).is_none() {
        return Some(
            "`%` is not followed by two hexadecimal digits: write `%25` for the character".to_owned(),
        );
    }
    (address.matches('#').count() > 1).then(|| "a second `#` stands in it: write `%23`".to_owned())
}

/// The bytes behind percent-encoding, unless it is malformed.
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

/// Why `git fetch` does not bring a commit by this name, if it does not.
#[must_use]
pub fn reference_fault(text: &str) -> Option<&'static str> {
    let odd = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
    let step = |step: &str| step.is_empty() || step.starts_with('.') || step.ends_with(".lock");
    let strange = text.starts_with('-') || text.contains(odd) || text.contains("..") || text.contains("@{");
    if strange || text.split('/').any(step) || text.ends_with('.') {
        return Some("git takes it for no name of a branch, a tag or a commit");
    }
    let hex = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    // A day, such as `20240101`, is a tag of many.
    let dated = text.bytes().all(|b| b.is_ascii_digit());
    ((7..40).contains(&text.len()) && hex && !dated)
        .then_some("git fetches a commit by all its 40 digits only")
}

#[cfg(test)]
mod tests {
    use super::{decoded, host_fault, is_subdomain, java_fault, label_fault, reference_fault};

    #[test]
    fn addresses_are_read_as_java_reads_them() {
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
    fn a_reference_is_a_name_or_a_whole_commit() {
        for good in ["main", "v1.2", "feature/x-y_z", "HEAD", "20240101", "FACADE1", &"a1".repeat(20)] {
            assert_eq!(reference_fault(good), None, "{good}");
        }
        for bad in ["--upload-pack=x", "a b", "", "a..b", "a//b", "x.lock", "1a2b3c4", "a^"] {
            assert!(reference_fault(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn a_label_is_short_lower_case_and_has_no_outer_dash() {
        for good in ["a", "0", "worker-0", &"x".repeat(63)] {
            assert_eq!(label_fault(good), None, "{good}");
        }
        for bad in ["", "-a", "a-", "A", "a_b", "a.b", "é", &"x".repeat(64)] {
            assert!(label_fault(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn an_object_has_labels_of_any_length() {
        for good in ["2024.trainer", "0", &"x".repeat(253), &format!("{}.b", "x".repeat(200))] {
            assert!(is_subdomain(good), "{good}");
        }
        for bad in ["", "a..b", "-a", "a.-b", "A", "a_b", "a/b", &"x".repeat(254)] {
            assert!(!is_subdomain(bad), "{bad}");
        }
    }

    #[test]
    fn a_host_is_labels_and_not_too_long() {
        assert_eq!(host_fault("worker-0.mnist.example"), None);
        assert!(host_fault("a..b").is_some());
        let long = ["x".repeat(63).as_str(); 4].join(".");
        assert_eq!(long.len(), 255);
        assert!(host_fault(&long).is_some());
        assert_eq!(host_fault(&long[2..]), None);
    }
}
