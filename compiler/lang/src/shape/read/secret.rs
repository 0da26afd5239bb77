//! Reports values inside a `secret`, because a `secret` may contain only a reference to a secret of the platform.
use super::{Reader, given, hole, put};
use crate::codes::UNKNOWN_PROPERTY;
use crate::diagnostic::Diagnostic;
use crate::shape::{Object, literal, secret};
use crate::sources::{Format, Span};
use crate::spec::values::EnvName;
use crate::syntax::{Node, NodeEntry, Scalar};
use crate::tree::Entry;

impl Reader<'_> {
    /// Reports `secret "SECRET" env="NAME"`. The argument must be the variable, and `from` must be the secret. Returns `false`
    /// for other values of `env`.
    pub(super) fn variable_of_secret(
        &mut self,
        node: &Node,
        entry: &NodeEntry,
        key: Span,
        entries: &mut Vec<Entry>,
    ) -> bool {
        let first = node.entries.iter().find(|entry| entry.key.is_none()).map(|entry| &entry.value);
        let (Some(Scalar::Text(secret)), Scalar::Text(name)) = (first, &entry.value) else { return false };
        if EnvName::parse(name).is_err() || node.property("from").is_some() {
            return false;
        }
        let quoted = |text: &str| literal::text(Format::Kdl, text);
        // In reports, a value that does not look like a variable name is masked. So the help shows `NAME` instead.
        let plain = name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
        let name = if plain { name } else { "NAME" };
        let others =
            ["key", "at"].into_iter().filter_map(|field| match node.property(field).map(|p| &p.value) {
                Some(Scalar::Text(value)) => Some(format!(" {field}={}", quoted(value))),
                _ => None,
            });
        let help = format!(
            "write the variable as the argument: `secret {} from={}{}`",
            quoted(name),
            quoted(secret),
            others.collect::<String>()
        );
        let told = Diagnostic::new(&UNKNOWN_PROPERTY, key, "unknown property `env` in `secret`");
        self.out.push(told.here("unknown property").help(help));
        put(entries, "from", key, hole(key));
        true
    }

    /// Reports `secret "NAME" "value"` and `secret "NAME" value="value"`.
    pub(super) fn secret_value(
        &mut self,
        object: &Object,
        node: &Node,
        values: &[&NodeEntry],
        entries: &mut Vec<Entry>,
    ) {
        let Some(first) = values.first() else { return };
        let start = first.key.as_ref().map_or(first.span, |(_, at)| *at);
        let at = values.iter().fold(start, |at: Span, value| at.to(value.span));
        let name = node.entries.iter().find(|entry| entry.key.is_none()).map(|entry| &entry.value);
        let name = if let Some(Scalar::Text(name)) = name { name.as_str() } else { "NAME" };
        self.out.push(secret::told(name, at));
        // The missing reference is part of the same mistake, so it is not reported separately.
        let referred = object.fields.iter().any(|field| node.property(field.name).is_some());
        for field in object.fields.iter().filter(|field| field.required && !referred) {
            if given(entries, field.name).is_none() {
                put(entries, field.name, at, hole(at));
            }
        }
    }
}
