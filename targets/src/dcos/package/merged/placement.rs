//! Parser of placement constraints, by the rules of the package's scheduler (`MarathonConstraintParser` of dcos-commons).
use serde_json::Value;
use tfjob_lang::escape::Escaped;

/// Returns the error in a constraint, if any. The message shows it after the path of the option. `[]` means no constraint.
pub fn fault(text: &str) -> Option<String> {
    rows(text).iter().find_map(|row| row_fault(row))
}

fn row_fault(row: &[String]) -> Option<String> {
    let (operator, value) = match row {
        [_, operator] => (operator, None),
        [_, operator, value] => (operator, Some(value)),
        _ => return Some("must be a list of attribute, operator, and optional value".to_owned()),
    };
    let number = |value: &&String| value.parse::<i32>().is_err();
    match (operator.to_ascii_uppercase().as_str(), value) {
        ("UNIQUE", _) | ("CLUSTER" | "LIKE" | "UNLIKE", Some(_)) | ("GROUP_BY", None) => None,
        ("GROUP_BY" | "MAX_PER", Some(value)) => {
            number(&value).then(|| format!("needs an integer after `{operator}`, not `{}`", value.escaped()))
        }
        ("CLUSTER" | "LIKE" | "UNLIKE" | "MAX_PER", None) => {
            Some(format!("needs a value after `{operator}`"))
        }
        _ => Some(format!(
            "has the invalid operator `{}`; use UNIQUE, CLUSTER, GROUP_BY, LIKE, UNLIKE, or MAX_PER",
            operator.escaped()
        )),
    }
}

/// Parses a constraint: one list, a list of lists, or `a:b:c,d:e`, in which `\` escapes a separator.
fn rows(text: &str) -> Vec<Vec<String>> {
    if text.trim() == "[]" || text.is_empty() {
        return Vec::new();
    }
    let json = serde_json::from_str::<Value>(text).ok();
    let list = |value: &Value| -> Option<Vec<String>> {
        value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
    };
    let flat = json.as_ref().and_then(list).map(|row| vec![row]);
    let nested = || json.as_ref()?.as_array()?.iter().map(list).collect();
    let plain = || parts(text, ',').iter().map(|row| parts(row, ':')).collect();
    flat.or_else(nested).unwrap_or_else(plain)
}

fn parts(text: &str, split: char) -> Vec<String> {
    let (mut out, mut escaped) = (vec![String::new()], false);
    for c in text.chars() {
        let last = out.last_mut().expect("the list starts with one item");
        match c {
            c if escaped => {
                if c != split {
                    last.push('\\');
                }
                last.push(c);
                escaped = false;
            }
            '\\' => escaped = true,
            c if c == split => out.push(String::new()),
            c => last.push(c),
        }
    }
    out.into_iter().map(|part| part.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn constraints_are_read_as_the_scheduler_reads_them() {
        for good in [
            "",
            "[]",
            "hostname:UNIQUE",
            "rack:CLUSTER:r1, hostname : max_per : 2",
            "[\"rack\", \"LIKE\", \"r[1-3]\"]",
            "[[\"rack\", \"GROUP_BY\", \"3\"], [\"hostname\", \"UNIQUE\"]]",
            "rack:LIKE:a\\:b\\,c",
        ] {
            assert_eq!(fault(good), None, "{good}");
        }
        for bad in
            ["nonsense[", "rack:IS:r1", "rack:CLUSTER", "rack:MAX_PER:x", "a:b:c:d", "[[\"rack\"]]", "[{}]"]
        {
            assert!(fault(bad).is_some(), "{bad}");
        }
    }
}
