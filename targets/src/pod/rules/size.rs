//! Checks of the size of whole objects. The API server and etcd limit the size of any object, and a ConfigMap has its own limit.
//!
//! An object is larger than the text of the spec, because each `$` is doubled for the kubelet and text is escaped for JSON.
use crate::pod::context::Context;
use crate::pod::mechanism::Mount;
use serde_json::Value;
use tfjob_lang::codes::TEXT_TOO_LONG;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::Lowered;
use tfjob_lang::origin::{Document, pointer_step};
use tfjob_lang::requirement::{Job, Requirement};
use tfjob_lang::sources::Span;
use tfjob_lang::target::length;

/// Maximum number of bytes in a ConfigMap (`MaxSecretSize`).
const CONFIG_MAP: usize = 1 << 20;
/// Maximum size of an object in bytes: that of a request body (`MaxRequestBodyBytes`, 3 MiB), minus a reserve for the rest of the
/// body.
const REQUEST: usize = (3 << 20) - (16 << 10);
/// Maximum size of an object in etcd in bytes (`--max-request-bytes`, 1.5 MiB), minus a reserve for its key and for what the API
/// server adds.
const STORED: usize = (3 << 19) - (16 << 10);

/// Reports every object that is too large. `lowered`: returns the artifacts. It is called only if an object may be too large.
pub fn judge<'l>(context: &Context<'_>, lowered: impl FnOnce() -> &'l Lowered) -> Vec<Diagnostic> {
    // JSON escapes one byte as at most six bytes. So a job with short strings is certainly small enough, and is not rendered for
    // this check.
    if at_most(context) <= length::SAFE {
        return Vec::new();
    }
    let documents = lowered().artifacts.iter().flat_map(|artifact| &artifact.documents);
    documents
        .filter_map(|document| {
            let fact = fault(&document.value)?;
            let at = longest(document).unwrap_or(context.plan.name.span);
            let found = Diagnostic::new(&TEXT_TOO_LONG, at, format!("{}: {fact}", context.kind.target));
            Some(found.here("its longest text").help("move long text into a file of `code` or `files`"))
        })
        .collect()
}

/// Returns an upper bound of the bytes of all strings in the objects. Some strings, such as the job's environment variables, are
/// repeated in each role.
fn at_most(context: &Context<'_>) -> usize {
    let plan = context.plan;
    let patch = |requirement: &Requirement| {
        if let Requirement::Job(Job::Patch { text, .. }) = requirement { text.len() } else { 0 }
    };
    let patches: usize = plan.requirements.iter().map(|required| patch(&required.requirement)).sum();
    let stated = &context.options.annotations.0;
    let annotations: usize = stated.iter().map(|(key, value)| key.value.len() + value.value.len()).sum();
    (length::at_most(plan) + patches + annotations) * plan.roles.len().max(1)
}

/// Minimum size in bytes of a mount and its volume, as the API server stores them. The field names count twice: in the object and
/// in `managedFields`.
const MOUNT: usize = 200;

/// Reports a job that is too large because of its mounts alone, which each role repeats. Such a job is not rendered.
pub fn too_many<'m>(
    context: &Context<'_>,
    mounts: impl Iterator<Item = (Span, &'m Mount)>,
) -> Option<Diagnostic> {
    let roles = context.plan.roles.len();
    let mounts = mounts.map(|(at, mount)| (at, MOUNT + 4 * mount.name.len() + mount.at.len()));
    let (all, longest) =
        mounts.fold((0, None), |(all, longest): (usize, Option<(_, usize)>), (at, length)| {
            let longer = longest.is_none_or(|(_, most)| length > most);
            (all + length, if longer { Some((at, length)) } else { longest })
        });
    let (stored, (at, _)) = (all * roles, longest?);
    (stored > STORED).then(|| {
        let fact = format!(
            "{}: the mounts have at least {stored} bytes in the {}, because each of the {roles} roles repeats all of them, but etcd accepts at most {STORED}",
            context.kind.target, context.kind.name
        );
        Diagnostic::new(&TEXT_TOO_LONG, at, fact).here("one of these mounts").help("mount one volume that contains them; or use fewer roles with a higher `count`")
    })
}

fn fault(object: &Value) -> Option<String> {
    let kind = object["kind"].as_str().unwrap_or_default();
    let name = object["metadata"]["name"].as_str().unwrap_or_default();
    let body = written(object);
    if body > REQUEST {
        return Some(format!(
            "the {kind} `{name}` has {body} bytes as JSON; the API server accepts at most {REQUEST}"
        ));
    }
    if kind == "ConfigMap" {
        let data = object["data"].as_object().into_iter().flatten();
        let data: usize = data.filter_map(|(_, value)| value.as_str()).map(str::len).sum();
        return (data > CONFIG_MAP).then(|| {
            format!("the ConfigMap `{name}` has {data} bytes; Kubernetes accepts at most {CONFIG_MAP}")
        });
    }
    let stored = body + owned(object);
    (stored > STORED)
        .then(|| format!("the {kind} `{name}` has {stored} bytes in storage; etcd accepts at most {STORED}"))
}

/// Returns the size in bytes of a value in JSON as Go writes it. Go also escapes `<`, `>`, and `&`.
fn written(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string().len(),
        Value::String(text) => quoted(text),
        Value::Array(items) => 2 + items.iter().map(|item| written(item) + 1).sum::<usize>(),
        Value::Object(map) => {
            2 + map.iter().map(|(key, value)| quoted(key) + 2 + written(value)).sum::<usize>()
        }
    }
}

fn quoted(text: &str) -> usize {
    let escaped = |c: char| match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => 6,
        other => other.len_utf8(),
    };
    2 + text.chars().map(escaped).sum::<usize>()
}

/// Returns the size in bytes of the object's `managedFields`. There the API server lists every field, and the key of every list
/// item.
fn owned(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
        Value::Array(items) => {
            let key = |item: &Value| item["name"].as_str().map_or(0, |name| quoted(name) + 32);
            items.iter().map(|item| key(item) + owned(item)).sum()
        }
        Value::Object(map) => map.iter().map(|(key, value)| quoted(key) + 6 + owned(value)).sum(),
    }
}

/// Returns the span in the spec that sets the longest string of the document, if any.
fn longest(document: &Document) -> Option<Span> {
    let mut found = (0, String::new());
    walk(&document.value, &mut String::new(), &mut found);
    document.origins.blame(&found.1)
}

fn walk(value: &Value, pointer: &mut String, longest: &mut (usize, String)) {
    let length = pointer.len();
    let mut below = |step: &str, value: &Value| {
        pointer.push('/');
        pointer.push_str(step);
        walk(value, pointer, longest);
        pointer.truncate(length);
    };
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) => {
            if text.len() > longest.0 {
                *longest = (text.len(), pointer.clone());
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(number, item)| below(&number.to_string(), item));
        }
        Value::Object(map) => map.iter().for_each(|(key, value)| below(&pointer_step(key), value)),
    }
}

#[cfg(test)]
mod tests {
    use super::{quoted, written};
    use serde_json::json;

    #[test]
    fn lengths_equal_those_of_go() {
        for (text, length) in
            [("ab", 4), ("<", 8), ("\n", 4), ("\u{1}", 8), ("é", 4), ("\u{2028}", 8), ("\"", 4)]
        {
            assert_eq!(quoted(text), length, "{text:?}");
        }
        // `written` counts one comma too many for each list and each object.
        assert_eq!(written(&json!({ "a": ["b", 1] })), r#"{"a":["b",1]}"#.len() + 2);
    }
}
