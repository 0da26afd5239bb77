//! The mistake of a `secret` that holds its value, in any format.
use super::literal;
use crate::codes::SECRET_VALUE;
use crate::diagnostic::Diagnostic;
use crate::sources::{Format, Span};

/// The field whose values are kept elsewhere.
pub(super) const SECRET: &str = "secret";

/// Whether a property of a `secret` with this name holds the value itself.
pub(super) fn is_value(key: &str) -> bool {
    matches!(key, "value" | "default" | "val" | "literal")
}

/// Says that the value does not belong there. It is not repeated.
pub(super) fn told(format: Format, name: &str, at: Span) -> Diagnostic {
    let name = literal::text(format, name);
    let form = match format {
        Format::Kdl | Format::Set => format!("secret {name} from=\"…\" key=\"…\""),
        Format::Json => format!("{name}: {{\"from\": \"…\", \"key\": \"…\"}}"),
        Format::Yaml => format!("{name}: {{from: \"…\", key: \"…\"}}"),
    };
    Diagnostic::new(&SECRET_VALUE, at, "the value of a secret does not belong in the spec")
        .here("everyone who reads the file reads this")
        .help(format!(
            "name the platform's secret and its entry instead: `{form}`; if others have seen this file, replace \
             the credential"
        ))
}
