//! JSON is judged in its own words; names, types and keys each have their place.
use super::*;
use crate::shape::tests::job;
use std::fmt::Write;

/// What a JSON text can hold, with the keys and values in the order written.
enum Json {
    Text(&'static str),
    Bare(&'static str),
    List(Vec<Json>),
    Map(Vec<(&'static str, Json)>),
}

use Json::{Bare, List as Many, Map, Text};

/// Writes the text and its tree together, so that every span is right.
fn write(json: &Json, text: &mut String) -> Tree {
    let start = text.len() as u32;
    let value = match json {
        Text(words) => {
            write!(text, "{words:?}").unwrap();
            Value::Text((*words).to_owned())
        }
        Bare(words) => {
            text.push_str(words);
            match *words {
                "null" => Value::Null,
                "true" | "false" => Value::Bool(*words == "true"),
                number => number.parse().map_or_else(|_| Value::Float(number.parse().unwrap()), Value::Int),
            }
        }
        Many(items) => {
            text.push('[');
            Value::List(items.iter().map(|item| write(item, text)).collect())
        }
        Map(entries) => {
            text.push('{');
            let entries = entries.iter().map(|(key, value)| {
                let at = text.len() as u32;
                write!(text, "{key:?}").unwrap();
                let key_span = Span::new(at, text.len() as u32);
                text.push(':');
                Entry { key: (*key).to_owned(), key_span, tree: write(value, text) }
            });
            Value::Map(entries.collect())
        }
    };
    Tree { span: Span::new(start, text.len() as u32), value }
}

/// A job with these keys: what is told, and what the fixes put in.
fn told(keys: Vec<(&'static str, Json)>) -> Vec<String> {
    let mut text = String::new();
    let tree = write(&Map(vec![("job", Map(keys))]), &mut text);
    let mut sources = Sources::default();
    sources.add("a.json", Format::Json, text);
    judge(&tree, job(), &sources)
        .iter()
        .map(|d| {
            let fix = d.fixes.first().map_or_else(String::new, |fix| format!(" -> {}", fix.edits[0].text));
            format!("{} | {}: {}{fix}", sources.slice(d.span()), d.code.name, d.message)
        })
        .collect()
}

#[test]
fn unknown_and_repeated_keys_of_json_are_told() {
    assert_eq!(
        told(vec![("iamge", Map(vec![])), ("name", Text("a")), ("name", Text("b")), ("gpus", Bare("1"))]),
        [
            "\"name\" | repeated-key: `name` is given twice",
            "\"iamge\" | unknown-key: `iamge` is not a key that is known here -> \"image\"",
            "\"gpus\" | unknown-key: `gpus` is not a key that is known here",
        ]
    );
    let targets = Map(vec![("sit", Map(vec![])), ("site", Map(vec![("queu", Text("a"))]))]);
    assert_eq!(
        told(vec![("target", targets)]),
        [
            "\"sit\" | unknown-target: there is no target `sit` -> \"site\"",
            "\"queu\" | unknown-key: `queu` is not a key that is known here -> \"queue\"",
        ]
    );
}

#[test]
fn types_of_json_are_told_in_its_own_words() {
    assert_eq!(
        told(vec![
            ("image", Text("ml/x:1")),
            ("labels", Many(vec![])),
            ("deadline", Bare("null")),
            ("run", Many(vec![Text("a"), Bare("2.10")])),
            ("start", Map(vec![("gang", Text("true"))])),
            ("success", Bare("1")),
            ("target", Bare("1")),
            ("role", Map(vec![("w", Map(vec![("count", Bare("4.0"))]))])),
        ]),
        [
            "\"ml/x:1\" | wrong-type: `image` takes an object, not text -> { \"name\": \"ml/x:1\" }",
            "[ | wrong-type: `labels` takes an object, not a list",
            "null | wrong-type: `deadline` takes text, not nothing",
            "2.10 | wrong-type: `run` takes text, not a number -> \"2.10\"",
            "\"true\" | wrong-type: `gang` takes `true` or `false`, not text -> true",
            "1 | wrong-type: `success` takes `chief`, `workers` or `all`, not a number",
            "1 | wrong-type: `target` takes an object, not a number",
            "4.0 | wrong-type: `count` takes a whole number, 1 to 10000, not a number -> 4",
        ]
    );
}

#[test]
fn names_of_json_keep_their_quotes_in_a_fix() {
    let roles = Map(vec![("My_Worker", Map(vec![]))]);
    assert_eq!(
        told(vec![("role", roles)]),
        ["\"My_Worker\" | bad-value: `My_Worker` is not a name -> \"my-worker\""]
    );
}

#[test]
fn a_document_that_is_not_ours_may_hold_anything_but_a_key_twice() {
    let shape =
        Shape::from_schema(&serde_json::json!({ "type": "object", "additionalProperties": true })).unwrap();
    let mut text = String::new();
    let inner = Map(vec![("x", Bare("1")), ("x", Bare("2"))]);
    let tree = write(&Map(vec![("a", Many(vec![inner])), ("b", Bare("null"))]), &mut text);
    let mut sources = Sources::default();
    sources.add("a.json", Format::Json, text);
    let all = judge(&tree, &shape, &sources);
    assert_eq!(all.iter().map(|d| d.code.name).collect::<Vec<_>>(), ["repeated-key"]);
}

#[test]
fn a_key_given_twice_is_read_once() {
    let framework = || Map(vec![("name", Text("mxnet")), ("name", Text("caffe"))]);
    let env = Map(vec![("A", Text("1")), ("A", Text("2"))]);
    let job_text =
        Map(vec![("name", Text("a")), ("framework", framework()), ("framework", framework()), ("env", env)]);
    let tree = write(&Map(vec![("job", job_text)]), &mut String::new());
    let whole = crate::shape::mend(&tree, job(), &std::collections::BTreeSet::new()).0;
    let file: crate::spec::File = crate::tree::decode(&whole, &Sources::default()).unwrap();
    assert_eq!(file.job.env.get("A").unwrap().as_str(), "1");
    assert_eq!(file.job.framework.name.value, crate::spec::FrameworkName::Mxnet);
}
