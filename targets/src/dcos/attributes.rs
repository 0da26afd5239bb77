//! Attributes of agents, which a job may name. A value that Mesos can read as a number is one (`values::parse`).
use super::{Dcos, network};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::target::{Site, Support, Target};

/// Whether a key names no attribute, but something that Mesos itself says of the agent (`Constraints.readerForField`).
fn is_of_agent(key: &str) -> bool {
    Dcos::is_host(key) || key.starts_with('@')
}

/// The number that Mesos reads; it reads no hexadecimal one everywhere.
pub fn number(key: &str, value: &str) -> Option<f64> {
    value.parse().ok().filter(|_| !is_of_agent(key))
}

/// Whether no agent starts with such a value.
fn is_no_value(key: &str, value: &str) -> bool {
    number(key, value).is_some_and(|number| !number.is_finite() || number < 0.0)
}

/// The refusal of an attribute that no agent can have, or of an agent whose ports are taken.
pub fn refused<M>(
    role: RoleId,
    (key, value): (&str, &str),
    plan: &Plan,
    site: &Site<Dcos>,
) -> Option<Support<M>> {
    // Marathon's own names of the fault domain of an agent (`Constraints.scala`).
    let domain = matches!(key, "@region" | "@zone");
    if domain && !site.job.is_since((1, 11)) {
        return Some(Support::unsupported(
            format!("knows `{key}` only since version 1.11"),
            "add `version \"1.11\"` or newer to `target \"dcos\"` if the cluster is",
            "Marathon 1.6, Constraints.scala",
        ));
    }
    let key_name = if domain { &key[1..] } else { key };
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'/' | b'.' | b'-');
    let words = [("attribute called", key_name), ("attribute with the value", value)];
    let odd = words.iter().find(|(_, word)| word.is_empty() || !word.bytes().all(plain));
    if let Some((what, word)) = odd {
        return Some(Support::impossible(
            format!("has no {what} `{}`", word.escape_debug()),
            "letters, digits and `_/.-`: what Mesos takes as the text of an attribute",
            "dcos#agent-attributes",
        ));
    }
    if is_no_value(key, value) {
        return Some(Support::impossible(
            format!(
                "has no agent with the attribute value `{value}`: Mesos parses it as a number and rejects it"
            ),
            "a finite number of 0 or more, or text that is not a number, such as `rack-1`",
            "Mesos 1.9, values::parse and validateInputScalarValue",
        ));
    }
    Dcos::is_host(key).then(|| network::pinned(role, value, plan)).flatten()
}

#[cfg(test)]
mod tests {
    use super::is_no_value;

    #[test]
    fn mesos_takes_no_negative_number_and_no_infinite_one() {
        assert!(["nan", "inf", "-1", "1e400"].iter().all(|value| is_no_value("rack", value)));
        assert!(["r1", "0x10", "-", "1"].iter().all(|value| !is_no_value("rack", value)));
    }
}
