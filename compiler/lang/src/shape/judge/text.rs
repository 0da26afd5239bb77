//! Diagnostics for strings that violate their grammar, and for values that must be strings.
use super::kind;
use crate::codes::{BAD_VALUE, WRONG_TYPE};
use crate::diagnostic::{Diagnostic, Fix};
use crate::shape::{Grammar, literal};
use crate::sources::{Format, Span};
use crate::spec::values::Wrong;
use crate::tree::{Tree, Value};

/// Returns the diagnostic for a string that violates its grammar.
pub fn wrong_text(format: Format, at: Span, wrong: Wrong) -> Diagnostic {
    let told = Diagnostic::new(&BAD_VALUE, at, wrong.message).help(wrong.help);
    let choice = |choice: &String| Fix::replace(at, literal::text(format, choice)).in_help();
    let told = wrong.choices.iter().map(choice).fold(told, Diagnostic::suggest);
    match wrong.instead {
        Some(instead) => told.fix(Fix::replace(at, literal::text(format, &instead)).if_sure(!wrong.guess)),
        None => told,
    }
}

/// Returns the diagnostic for a value that is not a string. The fix quotes a number or boolean, if the grammar allows the
/// quoted text.
pub fn not_text(
    format: Format,
    name: &str,
    tree: &Tree,
    words: &str,
    grammar: Option<Grammar>,
) -> Diagnostic {
    let plain = match &tree.value {
        Value::Bool(flag) => flag.to_string(),
        _ => words.to_owned(),
    };
    let scalar = matches!(tree.value, Value::Bool(_) | Value::Int(_) | Value::Float(_));
    let wrong = grammar.and_then(|grammar| grammar.check(&plain).err());
    let plainly =
        matches!(tree.value, Value::Bool(_)) || matches!(grammar, Some(Grammar::Uri | Grammar::Path));
    if let (true, Some(wrong)) = (scalar && !plainly, &wrong) {
        return wrong_text(format, tree.span, wrong.clone());
    }
    let got = kind(&tree.value, format);
    let fact = format!("{name} must be a string, not {got}");
    let told = Diagnostic::new(&WRONG_TYPE, tree.span, fact).here(format!("found {got}"));
    let quoted = literal::text(format, &plain);
    match (&tree.value, scalar) {
        (Value::Float(number), _) if number.to_string() != plain => {
            let help = format!("quote it: `{quoted}`; without quotes, it is the number {number}");
            told.help(help).fix(Fix::replace(tree.span, quoted))
        }
        (_, true) if wrong.is_some() => {
            told.help(format!("expected {}", grammar.unwrap_or(Grammar::Text).words()))
        }
        (_, true) => told.help(format!("quote it: `{quoted}`")).fix(Fix::replace(tree.span, quoted)),
        (Value::Null, _) => told.help("remove the key, or write a string in quotes"),
        (Value::Map(entries), _)
            if format == Format::Yaml && entries.iter().all(|e| e.tree.value == Value::Null) =>
        {
            let help = format!("`{{` starts an object in YAML; quote a reference: `{quoted}`");
            told.help(help).fix(Fix::replace(tree.span, quoted))
        }
        (_, false) => told.help(format!("expected {}", grammar.unwrap_or(Grammar::Text).words())),
    }
}
