//! Constraints of the package's tasks, as its scheduler reads them (`MarathonConstraintParser` of dcos-commons).
use serde_json::Value;

/// What is wrong with the text of a constraint. `[]` is the package's own for none.
pub fn fault(text: &str) -> Option<String> {
    rows(text).iter().find_map(|row| of_row(row))
}

fn of_row(row: &[String]) -> Option<String> {
    let (operator, value) = match row {
        [_, operator] => (operator, None),
        [_, operator, value] => (operator, Some(value)),
        _ => return Some("is a list of an attribute, an operator and maybe a value".to_owned()),
    };
    let number = |value: &&String| value.parse::<i32>().is_err();
    match (operator.to_ascii_uppercase().as_str(), value) {
        ("UNIQUE", _) | ("CLUSTER" | "LIKE" | "UNLIKE", Some(_)) | ("GROUP_BY", None) => None,
        ("GROUP_BY" | "MAX_PER", Some(value)) => number(&value)
            .then(|| format!("has a whole number after `{operator}`, and not `{}`", value.escape_debug())),
        ("CLUSTER" | "LIKE" | "UNLIKE" | "MAX_PER", None) => Some(format!("has a value after `{operator}`")),
        _ => Some(format!(
            "has one of the operators UNIQUE, CLUSTER, GROUP_BY, LIKE, UNLIKE and MAX_PER, and not `{}`",
            operator.escape_debug()
        )),
    }
}

/// One list, a list of lists, or `a:b:c,d:e`, where `\` keeps a sign from ending a part.
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
        let last = out.last_mut().expect("there is always one");
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
