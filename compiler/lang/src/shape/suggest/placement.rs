//! Placement constraints and node labels of other systems, converted to `placement`.
use super::theirs::folded;
use crate::shape::literal;
use crate::sources::Format;

/// Fields of other systems that select nodes by label.
pub(super) const LABELS: &[&str] =
    &["label-expression", "node-label", "node-label-expression", "node-labels", "node-partition"];

/// Fields of other systems that contain rows of attribute, operator, and value.
const CONSTRAINTS: &[&str] = &["constraint", "constraints", "placement-constraint", "placement-constraints"];

/// Returns the equivalent entry for the value `rows` of the field `word`, or the reason why there is none. `None` for fields
/// that do not select nodes.
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

/// Splits a row that is a single string into words: `hostname:UNIQUE`, `[["hostname", "UNIQUE"]]`.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || "[]\",:".contains(c));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Returns the entry of `placement` for one row, or the reason why there is none.
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
            "the constraint `{}` is not supported; use `placement {{ spread \"host\" }}` for one task per node, or \
             `placement {{ node \"disktype\" \"ssd\" }}` for nodes with an attribute",
            row.join(" ")
        )),
    }
}

fn quoted(text: &str) -> String {
    literal::text(Format::Kdl, text)
}

/// Returns the help for `labels "gpu"`, in which the user probably meant a node label to select nodes.
pub(super) fn of_label(label: &str) -> String {
    format!(
        "`labels` are tags and do not affect placement; to select nodes, set `placement {{ partition {} }}` in the job, \
         or use a queue with these nodes",
        quoted(label)
    )
}
