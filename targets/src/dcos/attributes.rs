//! Agent attributes in placement constraints. Mesos parses an attribute value as a number if possible (`values::parse`).
use super::{Dcos, network};
use tfjob_lang::escape::Escaped;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::target::{Site, Support, Target};

/// Returns whether a key is not an attribute, but a built-in property of the agent (`Constraints.readerForField`).
fn is_built_in(key: &str) -> bool {
    Dcos::is_host(key) || key.starts_with('@')
}

/// Returns the number that Mesos reads from an attribute value. `None` if the value is text, or if `key` is a built-in property of
/// the agent. A hexadecimal number counts as text, because some Mesos versions do not parse it.
pub fn number(key: &str, value: &str) -> Option<f64> {
    value.parse().ok().filter(|_| !is_built_in(key))
}

/// Returns whether Mesos rejects an attribute value. An agent with such an attribute does not start.
fn is_rejected(key: &str, value: &str) -> bool {
    number(key, value).is_some_and(|number| !number.is_finite() || number < 0.0)
}

/// Refuses an attribute that no agent can have. Also refuses to pin a role to an agent where two tasks of the job would need the
/// same port.
pub fn refused<M>(
    role: RoleId,
    (key, value): (&str, &str),
    plan: &Plan,
    site: &Site<Dcos>,
) -> Option<Support<M>> {
    // Marathon's keys for the fault domain of an agent (`Constraints.scala`).
    let domain = matches!(key, "@region" | "@zone");
    if domain && !site.job.is_since((1, 11)) {
        return Some(Support::unsupported(
            format!("Marathon supports `{key}` in constraints only in DC/OS 1.11 and later"),
            "add `version \"1.11\"` or later to `target \"dcos\"` if the cluster runs it",
            "Marathon 1.6, Constraints.scala",
        ));
    }
    let key_name = if domain { &key[1..] } else { key };
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'/' | b'.' | b'-');
    let texts = [("name", key_name), ("value", value)];
    let invalid = texts.iter().find(|(_, text)| text.is_empty() || !text.bytes().all(plain));
    if let Some((part, text)) = invalid {
        return Some(Support::impossible(
            format!("`{}` is not a valid {part} of a Mesos attribute", text.escaped()),
            "use letters, digits and `_/.-`",
            "dcos#attribute-syntax",
        ));
    }
    if is_rejected(key, value) {
        return Some(Support::impossible(
            format!(
                "Mesos parses the attribute value `{value}` as a number and rejects it, because it is negative or not finite"
            ),
            "use a finite number of 0 or more, or text that is not a number, such as `rack-1`",
            "Mesos 1.9, values::parse and validateInputScalarValue",
        ));
    }
    Dcos::is_host(key).then(|| network::pinned(role, value, plan)).flatten()
}

#[cfg(test)]
mod tests {
    use super::is_rejected;

    #[test]
    fn mesos_rejects_negative_and_infinite_numbers() {
        assert!(["nan", "inf", "-1", "1e400"].iter().all(|value| is_rejected("rack", value)));
        assert!(["r1", "0x10", "-", "1"].iter().all(|value| !is_rejected("rack", value)));
    }
}
