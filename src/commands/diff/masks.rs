//! Masks the credentials in the old and the new value of a difference, and nothing else: a value next to a credential, or in its place,
//! may be what a reviewer must see.
use super::Comparison;
use serde_json::Value;
use tfjob_driver::difference::{FieldChange, Step, ValueChange};
use tfjob_lang::secrets::{self, replaced};
use tfjob_lang::sources::{Format, Span};

const MASK: &str = "***";

/// An old and a new value as text. `None`: the version does not have the value.
pub type Texts = (Option<String>, Option<String>);

/// Returns the old and the new value of a field without credentials.
pub fn field(all: &Comparison<'_>, change: &FieldChange) -> Texts {
    let text = |side: &Option<(String, Span)>| side.as_ref().map(|(text, _)| text.clone());
    let path = change.path.strip_suffix('"').unwrap_or(&change.path);
    let name = path.rsplit(if path.len() < change.path.len() { '"' } else { '.' }).next().unwrap_or_default();
    masked(all, name, text(&change.old), text(&change.new))
}

/// Returns the old and the new value of an artifact as JSON in one line, without credentials.
pub fn value(all: &Comparison<'_>, change: &ValueChange) -> Texts {
    let text = |value: &Option<Value>| value.as_ref().map(Value::to_string);
    masked(all, name(&change.path), text(&change.old), text(&change.new))
}

/// Returns the name of a value, such as that of an environment variable.
fn name(path: &[Step]) -> &str {
    match path {
        [.., Step::Named(name), Step::Key(key)] if key == "value" => name,
        [.., Step::Key(name) | Step::Named(name)] => name,
        [.., Step::Index(_)] | [] => "",
    }
}

fn masked(all: &Comparison<'_>, name: &str, old: Option<String>, new: Option<String>) -> Texts {
    let one = |text: &Option<String>| text.as_deref().map(|text| without_credentials(all, name, text));
    let (before, after) = (one(&old), one(&new));
    let is_hidden =
        |text: &Option<String>| text.as_deref().is_some_and(|text| text.trim_matches('"') == MASK);
    let any_is_hidden = is_hidden(&before) || is_hidden(&after);
    let hide = |shown: Option<String>, own: Option<String>| {
        let is_likely = any_is_hidden && own.is_some_and(|own| is_likely(&own));
        if is_likely { Some(MASK.to_owned()) } else { shown }
    };
    (hide(before, old), hide(after, new))
}

/// Returns a text without the credentials that occur in a spec, and without those that its own names or the name of the value tell.
fn without_credentials(all: &Comparison<'_>, name: &str, text: &str) -> String {
    if scalar(text).is_some_and(|own| secrets::is_named(name, &own)) {
        return MASK.to_owned();
    }
    let found = secrets::in_output(text, Some(Format::Json));
    all.text(&replaced(text, found, |_| MASK.to_owned()))
}

/// Returns whether a value in the place of a credential is probably another credential, such as an older one that no name tells: one
/// word, and no reference or address.
fn is_likely(text: &str) -> bool {
    scalar(text).is_some_and(|own| {
        let is_word = !own.contains(|c: char| c.is_whitespace() || c == '$') && !own.contains("://");
        is_word && secrets::is_named("password", &own)
    })
}

/// Returns the content of a string, or a number. `None` for lists and objects.
fn scalar(text: &str) -> Option<String> {
    match serde_json::from_str(text) {
        Ok(Value::String(own)) => Some(own),
        Ok(Value::Array(_) | Value::Object(_)) => None,
        Ok(Value::Null | Value::Bool(_) | Value::Number(_)) | Err(_) => {
            (!text.starts_with(['{', '['])).then(|| text.to_owned())
        }
    }
}
