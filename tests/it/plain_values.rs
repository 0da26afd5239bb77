//! Tests of plain values in JSON and YAML (`image: x`), for all blocks with exactly one argument in KDL: the published JSON
//! Schema accepts the same documents as the parser. The blocks come from the shape.
use crate::specs;
use serde_json::{Map, Value as Json, json};
use tfjob_driver::{Loaded, Request};
use tfjob_lang::analysis::{options, shape_of};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::shape::{
    Field, Grammar, Number, Object, Shape, judge, normalize, published_cluster_schema, published_schema,
    require,
};
use tfjob_lang::sources::{Format, Sources};
use tfjob_lang::syntax::read_json;
use tfjob_lang::tree::Value;
use tfjob_targets::{ALL, CLUSTER_SHAPE};

/// Returns a valid text of a grammar.
const fn example(grammar: Grammar) -> &'static str {
    match grammar {
        Grammar::Name | Grammar::UserName | Grammar::ParamName | Grammar::PortName | Grammar::GitRef => "x",
        Grammar::Text | Grammar::Filled => "x",
        Grammar::Memory => "16GiB",
        Grammar::Duration | Grammar::PositiveDuration => "1h",
        Grammar::Image => "ml/x:1",
        Grammar::Path => "/x",
        Grammar::EnvName => "X",
        Grammar::PortPath => "x/y",
        Grammar::Uri => "s3://x/y",
        Grammar::Version => "2.15",
    }
}

/// Returns the smallest valid document of a shape: its required fields.
fn sample(shape: &Shape) -> Json {
    match shape {
        Shape::Object(object) => Json::Object(required(object)),
        Shape::Keyed(_) | Shape::Any => json!({}),
        Shape::List(list) => (0..list.min).map(|_| sample(&list.item)).collect(),
        Shape::Words(choices) => json!(choices[0].word),
        Shape::Number(Number::Whole { min, .. }) | Shape::NumberOr(Number::Whole { min, .. }, _) => {
            json!(i64::try_from(*min).unwrap_or(0).max(0))
        }
        Shape::Number(Number::Real { .. }) | Shape::NumberOr(Number::Real { .. }, _) => json!(1),
        Shape::Flag => json!(true),
        Shape::Text(grammar) => json!(example(*grammar)),
        Shape::Scalar => json!("x"),
    }
}

fn required(object: &Object) -> Map<String, Json> {
    let required = object.fields.iter().filter(|field| field.required);
    required.map(|field| (field.name.to_owned(), sample(&field.shape))).collect()
}

/// Puts a block into the smallest valid document.
type Put<'a> = &'a dyn Fn(Json) -> Json;

/// Returns all blocks with exactly one argument below a field, with their paths.
fn blocks(path: &str, field: &Field, put: Put<'_>, found: &mut dyn FnMut(&str, &Object, &Field, Put<'_>)) {
    let path = format!("{path}.{}", field.name);
    match &field.shape {
        Shape::Object(object) => within(&path, object, put, found),
        Shape::Keyed(keyed) => {
            if let Shape::Object(object) = &keyed.item {
                let key = example(keyed.keys);
                within(&path, object, &|inner| put(json!({ key: inner })), found);
            }
        }
        Shape::List(list) => {
            if let Shape::Object(object) = &list.item {
                within(&path, object, &|inner| put(json!([inner])), found);
            }
        }
        _ => {}
    }
}

fn within(path: &str, object: &Object, put: Put<'_>, found: &mut dyn FnMut(&str, &Object, &Field, Put<'_>)) {
    if let Some(argument) = object.plain() {
        found(path, object, argument, put);
    }
    for field in object.fields {
        let inner = |value: Json| {
            let mut all = required(object);
            all.insert(field.name.to_owned(), value);
            put(Json::Object(all))
        };
        blocks(path, field, &inner, found);
    }
}

/// Returns the findings of the parser for a document.
fn told(shape: &Shape, document: &Json) -> Vec<String> {
    let mut sources = Sources::default();
    let number = sources.add("a.tfjob.json", Format::Json, document.to_string());
    let (tree, found) = read_json(sources.get(number));
    assert!(found.is_empty(), "{document}");
    let mut tree = tree.expect("a JSON document");
    normalize(&mut tree, shape);
    let found = [judge(&tree, shape, &sources), require(&tree, shape, &sources)].concat();
    found.into_iter().map(|found| found.message).collect()
}

fn compare(shape: &Shape, schema: &Json) -> usize {
    let mut options = jsonschema::options().should_validate_formats(true);
    for grammar in Grammar::ALL {
        options = options.with_format(grammar.format(), move |text: &str| grammar.check(text).is_ok());
    }
    let schema = options.build(schema).expect("a schema");
    let Shape::Object(file) = shape else { panic!("a file has fields") };
    let (mut plain, mut wrong) = (0, Vec::new());
    let mut check = |path: &str, object: &Object, argument: &Field, put: Put<'_>| {
        let value = sample(&argument.shape);
        let alone = object.is_plain();
        plain += usize::from(alone);
        let mut whole = required(object);
        whole.insert(argument.name.to_owned(), value.clone());
        // The variant for a file without a base, which has all required fields.
        for (form, accepted) in [
            (value, Some(alone)),
            (Json::Object(whole), Some(true)),
            (json!(null), Some(false)),
            (json!([]), Some(false)),
            (json!(true), None),
            (json!(-1), None),
            (json!(0.5), None),
            (json!(""), None),
        ] {
            let document = put(form);
            let (told, valid) = (told(shape, &document), schema.is_valid(&document));
            if told.is_empty() != valid || accepted.is_some_and(|accepted| accepted != valid) {
                wrong.push(format!("{path}: schema {valid}, reader {told:?}: {document}"));
            }
        }
    };
    within("", file, &|whole| whole, &mut check);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    plain
}

#[test]
fn the_published_schema_of_jobs_accepts_the_plain_values_that_are_read() {
    let plain = compare(&shape_of(ALL), &published_schema(&options(ALL)));
    assert!(plain > 20, "{plain}");
}

#[test]
fn the_published_schema_of_clusters_accepts_the_plain_values_that_are_read() {
    let plain = compare(&CLUSTER_SHAPE, &published_cluster_schema(&options(ALL)));
    assert!(plain > 3, "{plain}");
}

#[test]
fn base_files_and_settings_accept_both_forms() {
    let base =
        "job:\n  image: { name: ml/x:1, pull: always }\n  param: { lr: 0.1 }\n  checkpoints: s3://b/c\n";
    let near = "extends: base.tfjob.yaml\njob:\n  param: { lr: { value: 0.2 }, steps: 5 }\n  data: { train: s3://b/x }\n  checkpoints: { uri: s3://b/d, every: 1h }\n  restart: never\n";
    let load = |_: &str, _: &str| {
        Ok(Loaded { name: "base.tfjob.yaml".to_owned(), text: base.to_owned(), format: Format::Yaml })
    };
    let settings = ["restart=always", "param.steps=6", "data.train.uri=s3://b/y"].map(str::to_owned);
    let analysis = specs::DRIVER.analyze(&Request::new("a.tfjob.yaml", near).load(&load).settings(&settings));
    let value = |path: &str| {
        let tree = path.split('.').try_fold(&analysis.tree, |tree, key| tree.get(key));
        tree.unwrap_or_else(|| panic!("{path}")).value.clone()
    };
    let text = |text: &str| Value::Text(text.to_owned());
    assert_eq!(value("job.image.pull"), text("always"));
    assert_eq!(value("job.param.lr.value"), Value::Float(0.2));
    assert_eq!(value("job.param.steps.value"), Value::Int(6));
    assert_eq!(value("job.data.train.uri"), text("s3://b/y"));
    assert_eq!(value("job.checkpoints.uri"), text("s3://b/d"));
    assert_eq!(value("job.restart.policy"), text("always"));
}

/// The key was renamed from `on`, which YAML 1.1 parses as a boolean.
#[test]
fn the_old_key_of_restart_gets_a_fix() {
    for (key, name) in [("on", "a.tfjob.yaml"), ("\"on\"", "a.tfjob.yaml"), ("\"on\"", "a.tfjob.json")] {
        let text = format!("{{ \"job\": {{ \"restart\": {{ {key}: \"never\" }} }} }}\n");
        let analysis = specs::DRIVER.analyze(&Request::new(name, &text));
        let about = |found: &&Diagnostic| analysis.sources.slice(found.span()) == key;
        let found: Vec<&Diagnostic> = analysis.diagnostics.iter().filter(about).collect();
        let [found] = found.as_slice() else { panic!("{key}: {found:?}") };
        assert_eq!(found.code.name, "unknown-key");
        assert_eq!(found.help.as_deref(), Some("did you mean `policy`?"));
        let [fix] = found.fixes.as_slice() else { panic!("{found:?}") };
        assert!(fix.is_automatic());
        assert_eq!(fix.edits[0].text, key.replace("on", "policy"));
        let missing = analysis.diagnostics.iter().any(|found| found.message.contains("`restart` has no"));
        assert!(!missing, "{:?}", analysis.diagnostics);
    }
}
