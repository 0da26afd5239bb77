//! Constraints and node labels of other systems, as `placement` has them.
use super::theirs::folded;
use crate::shape::literal;
use crate::sources::Format;

/// Fields of other systems for the label that the nodes of a task have.
pub(super) const LABELS: &[&str] =
    &["label-expression", "node-label", "node-label-expression", "node-labels", "node-partition"];

/// Fields of other systems with rows of an attribute, an operator and a value.
const CONSTRAINTS: &[&str] = &["constraint", "constraints", "placement-constraint", "placement-constraints"];

/// What stands for the value of such a field; an error where nothing does.
pub(super) fn entry(word: &str, rows: &[Vec<String>]) -> Option<Result<String, String>> {
    let word = folded(word);
    if LABELS.contains(&word.as_str()) {
        let [row] = rows else { return None };
        let [label] = row.as_slice() else { return None };
        return Some(Ok(format!("placement {{ partition {} }}", quoted(label))));
    }
    if !CONSTRAINTS.contains(&word.as_str()) {
        return None;
    }
    let texts = rows.iter().map(|row| row.join(" "));
    let rows: Vec<Vec<String>> =
        texts.flat_map(|text| text.split(']').map(words).collect::<Vec<_>>()).collect();
    let rows: Vec<&Vec<String>> = rows.iter().filter(|row| !row.is_empty()).collect();
    let parts: Result<Vec<String>, String> = rows.iter().map(|row| part(row)).collect();
    (!rows.is_empty()).then(|| parts.map(|parts| format!("placement {{ {} }}", parts.join("; "))))
}

/// The words of a row, also where it is one text: `hostname:UNIQUE`, `[["hostname", "UNIQUE"]]`.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || "[]\",:".contains(c));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The part of `placement` for one row.
fn part(row: &[String]) -> Result<String, String> {
    let row: Vec<&str> = row.iter().map(String::as_str).collect();
    let (attribute, operator) = (row[0], row.get(1).map(|operator| operator.to_ascii_uppercase()));
    match (operator.as_deref().unwrap_or_default(), row.get(2..).unwrap_or_default()) {
        ("UNIQUE", []) | ("MAX_PER", ["1"]) if ["hostname", "@hostname"].contains(&attribute) => {
            Ok("spread \"host\"".to_owned())
        }
        ("UNIQUE", []) | ("MAX_PER", ["1"]) if ["rack", "rack_id", "rack-id"].contains(&attribute) => {
            Ok("spread \"rack\"".to_owned())
        }
        ("CLUSTER" | "IS", [value]) => Ok(format!("node {} {}", quoted(attribute), quoted(value))),
        ("LIKE", [value]) if value.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) => {
            Ok(format!("node {} {}", quoted(attribute), quoted(value)))
        }
        (..) => Err(format!(
            "the constraint `{}` is unsupported: `placement {{ spread \"host\" }}` starts no two tasks on one node, \
             and `placement {{ node \"disktype\" \"ssd\" }}` takes the nodes with that attribute",
            row.join(" ")
        )),
    }
}

fn quoted(text: &str) -> String {
    literal::text(Format::Kdl, text)
}

/// The help for a node label where tags are due: `labels "gpu"`.
pub(super) fn of_label(label: &str) -> String {
    format!(
        "`labels` of the job are tags and place no task: the nodes with that label are \
         `placement {{ partition {} }}` of the job, or a queue that has these nodes",
        quoted(label)
    )
}
