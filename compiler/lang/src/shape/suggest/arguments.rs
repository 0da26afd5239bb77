//! Fields such as `args` in other systems. In a spec, their values are part of `run`.
use super::theirs::folded;
use crate::shape::literal;
use crate::sources::{Format, Sources, Span};
use crate::syntax::{Node, Scalar};
use crate::tree::{Tree, Value};

/// Names of fields that contain arguments without the program.
const ARGUMENTS: &[&str] = &["arg", "args", "argument", "arguments"];

/// Returns whether a field with this name contains the arguments of a program in other systems.
pub fn is_arguments(word: &str) -> bool {
    ARGUMENTS.contains(&folded(word).as_str())
}

/// Help for a field with arguments, if the arguments cannot be shown.
pub(super) const ADD: &str = "append the arguments to `run`";

/// Returns the help that shows the arguments.
fn add(format: Format, arguments: &[String]) -> String {
    let quoted: Vec<String> = arguments.iter().map(|text| literal::text(format, text)).collect();
    match (format, quoted.as_slice()) {
        (_, []) => ADD.to_owned(),
        (Format::Kdl, all) => format!("{ADD}: `{}`", all.join(" ")),
        (Format::Json | Format::Yaml | Format::Set, all) => format!("{ADD}: `{}`", all.join(", ")),
    }
}

/// Returns the help for `args "--lr" 0.1`. `slice` returns the text of a number as the user wrote it.
pub fn of_node<'a>(node: &Node, slice: impl Fn(Span) -> &'a str) -> String {
    let text = |value: &Scalar, span| match value {
        Scalar::Text(text) => text.clone(),
        Scalar::Int(_) | Scalar::Float(_) | Scalar::Null | Scalar::Bool(_) => slice(span).to_owned(),
    };
    let entries = node.entries.iter().map(|entry| match &entry.key {
        Some((key, _)) => format!("{key}={}", text(&entry.value, entry.span)),
        None => text(&entry.value, entry.span),
    });
    add(Format::Kdl, &entries.collect::<Vec<_>>())
}

/// Returns the help for `args: ["--lr", 0.1]`. Omits values other than scalars and lists of scalars.
pub fn of_tree(tree: &Tree, format: Format, sources: &Sources) -> String {
    let one = |tree: &Tree| match &tree.value {
        Value::Text(text) => Some(text.clone()),
        Value::Int(_) | Value::Float(_) | Value::Bool(_) => Some(sources.slice(tree.span).to_owned()),
        Value::Null | Value::List(_) | Value::Map(_) | Value::Hole => None,
    };
    let all: Option<Vec<String>> = match &tree.value {
        Value::List(items) => items.iter().map(one).collect(),
        Value::Text(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Bool(_)
        | Value::Null
        | Value::Map(_)
        | Value::Hole => one(tree).map(|only| vec![only]),
    };
    add(format, &all.unwrap_or_default())
}
