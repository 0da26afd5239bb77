//! Errors for a value inside a `secret`, in any format.
use super::{Field, literal};
use crate::codes::SECRET_VALUE;
use crate::diagnostic::Diagnostic;
use crate::sources::{Format, Span};
use crate::syntax::Node;
use crate::tree::Entry;

/// Name of the field that contains references to secrets.
pub(super) const SECRET: &str = "secret";

/// Returns whether a property of `secret` with this name contains the value of the secret.
pub(super) fn is_value(key: &str) -> bool {
    matches!(key, "value" | "default" | "val" | "literal")
}

/// Returns the form of a `secret` with this name.
pub(super) fn form(name: &str) -> String {
    format!("secret {} from=\"…\" key=\"…\"", literal::text(Format::Kdl, name))
}

/// Returns the name of the environment variable in a `secret` without an argument: `secret T="x"`, `secret { T "x" }`.
pub(super) fn name_in<'n>(field: &Field, node: &'n Node) -> Option<&'n str> {
    let property = node.entries.iter().find_map(|entry| Some(entry.key.as_ref()?.0.as_str()));
    let child = || node.children.iter().flatten().next().map(|child| child.name.as_str());
    let reserved = |name: &&str| matches!(*name, "from" | "key" | "at" | "name") || is_value(name);
    property.or_else(child).filter(|name| field.name == SECRET && !reserved(name))
}

/// Sets the help for `env: NAME` in a `secret` of JSON or YAML. The key must be the variable, and `from` must be the secret.
pub(super) fn explain_variable(field: &str, name: &str, entries: &[Entry], out: &mut [Diagnostic]) {
    let Some(env) = entries.iter().find(|entry| entry.key == "env") else { return };
    let is_given = entries.iter().any(|entry| entry.key == "from");
    let is_meant = field == SECRET && !is_given;
    if let Some(told) = out.iter_mut().find(|told| is_meant && told.span() == env.key_span) {
        // In reports, a value that may be a credential is masked. So the help shows `NAME` instead.
        let plain = |text: &&str| text.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
        let variable = env.tree.text().filter(plain).unwrap_or("NAME");
        told.help = Some(format!("write the variable as the key: `{variable}: {{ from: {name} }}`"));
    }
}

/// Returns the error for a value inside a `secret`. Its message does not contain the value.
pub(super) fn told(name: &str, at: Span) -> Diagnostic {
    let form = form(name);
    Diagnostic::new(&SECRET_VALUE, at, "the spec contains the value of a secret")
        .here("readable by everyone with access to the file")
        .help(format!(
            "reference a secret of the platform instead: `{form}`; if the file was shared, rotate the credential"
        ))
}
