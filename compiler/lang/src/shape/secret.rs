//! The mistake of a `secret` that holds its value, in any format.
use super::{Field, literal};
use crate::codes::SECRET_VALUE;
use crate::diagnostic::Diagnostic;
use crate::sources::{Format, Span};
use crate::syntax::Node;

/// The field whose values are kept elsewhere.
pub(super) const SECRET: &str = "secret";

/// Whether a property of a `secret` with this name holds the value itself.
pub(super) fn is_value(key: &str) -> bool {
    matches!(key, "value" | "default" | "val" | "literal")
}

/// How a secret of that name is written.
pub(super) fn form(name: &str) -> String {
    format!("secret {} from=\"…\" key=\"…\"", literal::text(Format::Kdl, name))
}

/// The name of a variable in a `secret` without an argument: `secret T="x"`, `secret { T "x" }`.
pub(super) fn name_in<'n>(field: &Field, node: &'n Node) -> Option<&'n str> {
    let property = node.entries.iter().find_map(|entry| Some(entry.key.as_ref()?.0.as_str()));
    let child = || node.children.iter().flatten().next().map(|child| child.name.as_str());
    let reserved = |name: &&str| matches!(*name, "from" | "key" | "at" | "name") || is_value(name);
    property.or_else(child).filter(|name| field.name == SECRET && !reserved(name))
}

/// Says that the value does not belong there. It is not repeated.
pub(super) fn told(name: &str, at: Span) -> Diagnostic {
    let form = form(name);
    Diagnostic::new(&SECRET_VALUE, at, "the value of a secret does not belong in the spec")
        .here("everyone who reads the file reads this")
        .help(format!(
            "name the platform's secret and its entry instead: `{form}`; if others have seen this file, replace \
             the credential"
        ))
}
