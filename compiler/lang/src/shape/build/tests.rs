//! Tests of the published schema, and of the shape built from a schema.
use crate::shape::oracle::accepts;
use crate::shape::tests::job;
use crate::shape::{Place, Preset, Shape, reference};

#[test]
fn the_shape_has_places_for_completion() {
    let shape = job();
    let block = shape.block(&[("job", None), ("role", Some("w")), ("resources", None)]).unwrap();
    assert!(block.at(Place::Prop).any(|field| field.name == "gpu-model"));
    let queue = shape.find(&[("job", None), ("target", Some("site")), ("queue", None)]).unwrap();
    assert_eq!((queue.brief(), queue.form().as_str()), ("The queue", "queue STRING"));
    let after = shape.find(&[("job", None), ("role", Some("w")), ("after", None)]).unwrap();
    assert_eq!(after.form(), "after NAME [when=\"started\"|\"ready\"|\"done\"]");
    let env = shape.find(&[("job", None), ("env", None)]).unwrap();
    assert_eq!(env.form(), "env { ENV-NAME STRING; … }");
    assert_eq!(shape.find(&[("job", None), ("no", None)]), None);
}

fn value(preset: &Preset) -> serde_json::Value {
    match *preset {
        Preset::Flag(flag) => flag.into(),
        Preset::Whole(number) => number.into(),
        Preset::Text(text) => text.into(),
    }
}

#[test]
fn every_field_has_a_description() {
    fn walk(path: &str, shape: &Shape) {
        match shape {
            Shape::Object(object) => {
                for field in object.fields {
                    let path = format!("{path}.{}", field.name);
                    assert!(field.doc.ends_with(['.', '`']) || !field.doc.is_empty(), "{path} has no words");
                    assert!(!field.required || field.default.is_none(), "{path}");
                    if let Some(default) = &field.default {
                        assert!(accepts(&field.shape, &value(default)), "{path}: its default is wrong");
                    }
                    walk(&path, &field.shape);
                }
            }
            Shape::Keyed(keyed) => walk(path, &keyed.item),
            Shape::List(list) => walk(path, &list.item),
            Shape::Words(choices) => assert!(choices.iter().all(|choice| !choice.word.is_empty()), "{path}"),
            Shape::NumberOr(_, other) => walk(path, other),
            Shape::Number(_) | Shape::Flag | Shape::Text(_) | Shape::Scalar | Shape::Any => {}
        }
    }
    walk("", job());
}

#[test]
fn a_keyword_outside_the_closed_set_is_refused() {
    use serde_json::json;
    for schema in [
        json!({"type": "string", "pattern": "x"}),
        json!({"type": "string", "format": "date"}),
        json!({"$ref": "#/$defs/X"}),
        json!({"oneOf": [{"type": "object"}]}),
        json!({"anyOf": [{"type": "string"}, {"type": "object"}]}),
        json!({"type": "object", "additionalProperties": false, "properties": {"a": {"type": "array", "x-kdl": "prop"}}}),
        json!({"type": "object", "additionalProperties": false, "properties": {"a": {"type": "string", "x-kdl": "x"}}}),
        json!(false),
    ] {
        assert!(Shape::from_schema(&schema).is_err(), "{schema}");
    }
}

#[test]
fn the_reference_describes_every_entry_once() {
    let page = reference(&[job()]);
    for heading in ["job", "role", "helper", "resources", "device", "target \"site\""] {
        // Job and role have different target options, and tasks and TensorBoard have different resources. So the headings `target`
        // and `resources` occur twice.
        let count = if heading.starts_with("target") || heading == "resources" { 2 } else { 1 };
        assert_eq!(page.matches(&format!("## `{heading}`\n")).count(), count, "{heading}");
    }
    assert!(page.contains("In `role`, `helper`, and `job`. Re"), "{page}");
    assert!(page.contains("Same fields as `role`."), "{page}");
    assert!(
        page.contains(
            "| `every` | `every=DURATION` | a duration in `s`, `m`, `h`, or `d`, such as `\"1h30m\"` |"
        ),
        "{page}"
    );
}
