//! Tests of the validation of JSON and YAML: names, types, and keys, with messages in the terms of the format.
use super::*;
use crate::shape::tests::job;
use crate::syntax::{read_json, read_yaml};

/// Returns the diagnostics of a text, and the replacements of their fixes.
fn told_of(format: Format, text: &str, shape: &Shape) -> Vec<String> {
    let mut sources = Sources::default();
    let number = sources.add("a", format, text);
    let source = sources.get(number);
    let (tree, found) = if format == Format::Json { read_json(source) } else { read_yaml(source) };
    assert!(found.is_empty(), "{found:?}");
    let mut tree = tree.unwrap();
    crate::shape::normalize(&mut tree, shape);
    judge(&tree, shape, &sources)
        .iter()
        .map(|d| {
            let fix = d.fixes.first().map_or_else(String::new, |fix| format!(" -> {}", fix.edits[0].text));
            format!("{} | {}: {}{fix}", sources.slice(d.span()), d.code.name, d.message)
        })
        .collect()
}

/// Returns the diagnostics of a job with these keys.
fn told(keys: &str) -> Vec<String> {
    told_of(Format::Json, &format!("{{ \"job\": {{ {keys} }} }}"), job())
}

#[test]
fn unknown_keys_of_json_are_told() {
    assert_eq!(
        told(r#""iamge": {}, "name": "a", "gpus": 1"#),
        [
            "\"iamge\" | unknown-key: unknown key `iamge` -> \"image\"",
            "\"gpus\" | unknown-key: unknown key `gpus`",
        ]
    );
    assert_eq!(
        told(r#""target": { "sit": {}, "site": { "queu": "a" } }"#),
        [
            "\"sit\" | unknown-target: unknown target `sit`",
            "\"queu\" | unknown-key: unknown key `queu` -> \"queue\"",
        ]
    );
    assert_eq!(
        told(r#""target": { "sit": {} }"#),
        ["\"sit\" | unknown-target: unknown target `sit` -> \"site\""]
    );
}

#[test]
fn names_of_targets_without_an_object_are_told_with_the_object() {
    let told = |format, text: &str| {
        let mut sources = Sources::default();
        let number = sources.add("a", format, text);
        let source = sources.get(number);
        let (tree, _) = if format == Format::Json { read_json(source) } else { read_yaml(source) };
        let [told] = judge(&tree.unwrap(), job(), &sources).try_into().unwrap();
        let told: Diagnostic = told;
        let fixed = told.fixes.first().map(|fix| {
            let mut text = text.to_owned();
            text.replace_range(source.local(fix.edits[0].span), &fix.edits[0].text);
            (text, fix.is_automatic())
        });
        (told.help.unwrap_or_default(), fixed)
    };
    let fixed = |text: &str| Some((text.to_owned(), true));
    let yaml = "job:\n  target: { site: {} }\n";
    for text in ["job:\n  target: site\n", "job:\n  target: [site]\n"] {
        assert_eq!(told(Format::Yaml, text), ("write it as `{ site: {} }`".to_owned(), fixed(yaml)));
    }
    // The items of a list may have the indentation of its key, or a deeper one.
    for list in ["  - site\n", "    - site\n", "    -   site\n", "    site\n"] {
        let lines = told(Format::Yaml, &format!("job:\n  target:\n{list}  name: a\n"));
        assert_eq!(lines.1, fixed("job:\n  target: { site: {} }\n  name: a\n"), "{list}");
    }
    assert_eq!(told(Format::Yaml, "job:\n  target: # why\n  - site\n").1, None);
    let misspelt = ("did you mean `site`? write it as `{ site: {} }`".to_owned(), fixed(yaml));
    assert_eq!(told(Format::Yaml, "job:\n  target: sit\n"), misspelt);
    let json = told(Format::Json, r#"{ "job": { "target": "site" } }"#);
    let object = fixed(r#"{ "job": { "target": { "site": {} } } }"#);
    assert_eq!(json, ("write it as `{ \"site\": {} }`".to_owned(), object));
    let unknown = "write it as `{ NAME: {} }`; available targets: `site`";
    for (other, wanted) in [
        ("[site, sit]", "did you mean `site`? write it as `{ site: {} }`"),
        ("[site, site]", "write it as `{ site: {} }`"),
        ("[site, 3]", unknown),
        ("elsewhere", unknown),
        ("3", unknown),
    ] {
        let (help, fix) = told(Format::Yaml, &format!("job:\n  target: {other}\n"));
        assert_eq!((help.as_str(), fix), (wanted, None), "{other}");
    }
}

#[test]
fn the_help_for_arguments_in_a_key_of_their_own_keeps_them() {
    for (format, text) in [
        (Format::Yaml, "job:\n  command: [python, t.py]\n  args:\n    - --lr\n    - 0.1\n"),
        (Format::Json, r#"{ "job": { "command": ["python", "t.py"], "args": ["--lr", 0.1] } }"#),
    ] {
        let mut sources = Sources::default();
        let number = sources.add("a", format, text);
        let source = sources.get(number);
        let (tree, _) = if format == Format::Json { read_json(source) } else { read_yaml(source) };
        let told = judge(&tree.unwrap(), job(), &sources);
        let helps: Vec<_> = told.iter().filter_map(|told| told.help.as_deref()).collect();
        assert_eq!(helps, ["did you mean `run`?", r#"append the arguments to `run`: `"--lr", "0.1"`"#]);
    }
}

#[test]
fn wrong_types_are_reported_in_the_terms_of_json() {
    for (keys, expected) in [
        (
            r#""image": ["ml/x:1"]"#,
            "[\"ml/x:1\"] | wrong-type: `image` must be a single value or an object, not a list",
        ),
        (r#""image": 5"#, "5 | wrong-type: `image` must be a string, not a number -> \"5\""),
        (r#""restart": "nevr""#, "\"nevr\" | unknown-value: invalid value `nevr` for `restart` -> \"never\""),
        (r#""restart": { "on": "never" }"#, "\"on\" | unknown-key: unknown key `on` -> \"policy\""),
        (r#""labels": []"#, "[] | wrong-type: `labels` must be an object, not a list"),
        (r#""deadline": null"#, "null | wrong-type: `deadline` must be a string, not null"),
        (r#""run": ["a", 2.10]"#, "2.10 | wrong-type: `run` must be a string, not a number -> \"2.10\""),
        (r#""run": []"#, "\"run\" | missing-value: `run` is empty"),
        (
            r#""start": { "gang": "true" }"#,
            "\"true\" | wrong-type: `gang` must be `true` or `false`, not a string -> true",
        ),
        (r#""success": 1"#, "1 | wrong-type: `success` must be `chief`, `workers`, or `all`, not a number"),
        (r#""target": 1"#, "1 | wrong-type: `target` must be an object, not a number"),
        (
            r#""role": { "w": { "count": 4.0 } }"#,
            "4.0 | wrong-type: `count` must be an integer from 1 to 10000, not a decimal number -> 4",
        ),
    ] {
        assert_eq!(told(keys), [expected]);
    }
}

#[test]
fn names_of_json_keep_their_quotes_in_a_fix() {
    let expected = "\"My_Worker\" | bad-value: invalid name `My_Worker` -> \"my-worker\"";
    assert_eq!(told(r#""role": { "My_Worker": {} }"#), [expected]);
}

#[test]
fn yaml_is_judged_by_the_same_shape() {
    let text = "job:\n  name: a\n  role:\n    my_worker:\n      count: 0\n      env:\n        A: 1\n";
    assert_eq!(
        told_of(Format::Yaml, text, job()),
        [
            "my_worker | bad-value: invalid name `my_worker` -> my-worker",
            "0 | out-of-range: `count` is out of range: 0",
            "1 | wrong-type: `A` must be a string, not a number -> \"1\"",
        ]
    );
}

#[test]
fn a_document_that_is_not_ours_may_hold_anything() {
    let open = serde_json::json!({ "type": "object", "additionalProperties": true });
    let shape = Shape::from_schema(&open).unwrap();
    assert_eq!(told_of(Format::Json, r#"{ "a": [{ "x": null }], "b": 1.5 }"#, &shape), [""; 0]);
}

#[test]
fn one_value_in_the_place_of_an_object_or_a_list_is_put_into_it() {
    let fixes = |format: Format, text: &str| -> Vec<String> {
        let put = |line: String| line.split_once(" -> ").map(|(_, text)| text.to_owned()).unwrap_or(line);
        told_of(format, text, job()).into_iter().map(put).collect()
    };
    let yaml = "job:\n  run: python train.py\n  role: { worker: 4 }\n";
    assert_eq!(fixes(Format::Yaml, yaml), ["[\"python\", \"train.py\"]", "{ count: 4 }"]);
}

#[test]
fn a_plain_value_is_the_argument_of_its_object() {
    let yaml = "job:\n  image: ml/x:1\n  param: { lr: 0.1 }\n  restart: never\n  data: { x: s3a://b/x }\n  port: { web: auto }\n";
    assert_eq!(told_of(Format::Yaml, yaml, job()), [""; 0]);
    assert_eq!(told_of(Format::Json, r#"{ "job": { "restart": "never" } }"#, job()), [""; 0]);
}

#[test]
fn help_is_written_as_the_text_is() {
    let help = |format: Format, text: &str| {
        let mut sources = Sources::default();
        let number = sources.add("a", format, text);
        let source = sources.get(number);
        let (tree, _) = if format == Format::Json { read_json(source) } else { read_yaml(source) };
        let mut tree = tree.unwrap();
        crate::shape::normalize(&mut tree, job());
        let told =
            judge(&tree, job(), &sources).into_iter().chain(crate::shape::require(&tree, job(), &sources));
        told.filter_map(|d| d.help).collect::<Vec<_>>().join("\n")
    };
    let yaml = help(
        Format::Yaml,
        "job:\n  name: a\n  framework: { name: tensorflow }\n  allow: { feature: x }\n  resources: { cpus: 1 }\n  role: { w: {} }\n",
    );
    assert!(
        yaml.contains("write it as `[{ feature: STRING, because: STRING }, …]`")
            && yaml.contains("add `memory: MEMORY` ("),
        "{yaml}"
    );
    let plain =
        help(Format::Yaml, "job: { name: a, framework: tensorflow, allow: [gang], role: { w: {} } }\n");
    assert!(plain.starts_with("add `{ feature: STRING, because: STRING }` ("), "{plain}");
    let json = help(Format::Json, r#"{ "job": { "name": "a", "restart": {}, "labels": [] } }"#);
    assert!(
        json.contains("`\"policy\": \"never\"|") && json.contains("write it as `{ \"NAME\": STRING }`"),
        "{json}"
    );
}

#[test]
fn null_does_not_remove_a_field_of_the_base() {
    let help = |text: &str| {
        let mut sources = Sources::default();
        let number = sources.add("a", Format::Yaml, text);
        let (tree, _) = read_yaml(sources.get(number));
        let found = judge(&tree.unwrap(), job(), &sources);
        found.into_iter().map(|d| d.help.unwrap_or_default()).collect::<Vec<_>>()
    };
    let job = "job:\n  deadline: null\n  image: ~\n  role: { worker: { restart: null } }\n";
    let helps = help(&format!("extends: base.yaml\n{job}"));
    assert!(helps.len() >= 2, "{helps:?}");
    assert!(helps.iter().all(|help| help.starts_with("null cannot remove")), "{helps:?}");
    assert!(help(job).iter().all(|help| !help.contains("base")), "{:?}", help(job));
}

/// Returns the fields of a job and of a role.
fn fields() -> Vec<(&'static str, &'static Field)> {
    let job = job().block(&[("job", None)]).unwrap();
    let role = job.field("role").unwrap().block(Some("w")).unwrap();
    let of_job = job.fields.iter().map(|field| ("\"FIELD\": VALUE", field));
    let of_role = role.fields.iter().map(|field| ("\"role\": { \"w\": { \"FIELD\": VALUE } }", field));
    of_job.chain(of_role).collect()
}

fn helps(keys: &str) -> Vec<String> {
    let mut sources = Sources::default();
    let number = sources.add("a", Format::Json, format!("{{ \"job\": {{ {keys} }} }}"));
    let mut tree = read_json(sources.get(number)).0.unwrap();
    crate::shape::normalize(&mut tree, job());
    judge(&tree, job(), &sources).into_iter().filter_map(|told| told.help).collect()
}

#[test]
fn a_name_without_properties_is_kept() {
    let mut tried = 0;
    for (form, field) in fields() {
        let Shape::Keyed(keyed) = &field.shape else { continue };
        let Some(object) = keyed.item.object().filter(|object| object.fields.iter().all(|f| !f.required))
        else {
            continue;
        };
        let keys = form.replace("FIELD", field.name).replace("VALUE", "{ \"x\": null }");
        assert!(told(&keys).iter().any(|told| told.ends_with(" -> {}")), "{keys}: {:?}", told(&keys));
        tried += usize::from(object.fields.iter().all(|field| field.place == Place::Prop));
    }
    assert!(tried > 0, "no such entry has only properties");
}

#[test]
fn the_name_of_a_property_in_place_of_its_object_is_kept() {
    let mut tried = 0;
    for (form, field) in fields() {
        let Shape::Object(object) = &field.shape else { continue };
        for property in object.fields.iter().filter(|property| property.shape.is_scalar()) {
            let name = format!("\"{}\"", property.name);
            let keys = form.replace("FIELD", field.name).replace("VALUE", &name);
            let told = helps(&keys);
            let Some(help) = told.iter().find(|help| help.starts_with("write it as")) else { continue };
            assert!(help.contains(&format!("{name}: ")), "{keys}: {help}");
            tried += 1;
        }
    }
    assert!(tried > 3, "{tried}");
}

/// Without a space, the value is a part of the key. The field is then not reported as missing.
#[test]
fn a_key_that_contains_its_value_is_divided() {
    for mistake in ["cpus:4", "cpus=4"] {
        let text = format!(
            "job: {{ name: a, framework: custom, run: [a], image: x, role: {{ w: {{}} }}, resources: {{ {mistake}, memory: 16GiB }} }}\n"
        );
        let told = told_of(Format::Yaml, &text, job());
        assert_eq!(told, [format!("{mistake} | unknown-key: unknown key `{mistake}` -> cpus: 4")]);
    }
}
