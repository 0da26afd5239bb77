//! Tests the validation against the `jsonschema` crate, with mutated trees.
use super::tests::{WHOLE, job};
use super::{Grammar, Shape, judge, normalize, read, require};
use crate::analysis::{alone, analyze};
use crate::sources::{Format, Sources, Span};
use crate::syntax::read_kdl;
use crate::tree::{Entry, Tree, Value};
use proptest::test_runner::{RngAlgorithm, TestRng};
use serde_json::{Map, Value as Json, json};

/// Converts a JSON document to a tree without spans.
fn tree(json: &Json) -> Tree {
    let value = match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => match number.as_i128() {
            Some(whole) => Value::Int(whole),
            None => Value::Float(number.as_f64().unwrap()),
        },
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(items) => Value::List(items.iter().map(tree).collect()),
        Json::Object(map) => Value::Map(
            map.iter()
                .map(|(key, value)| Entry { key: key.clone(), key_span: Span::default(), tree: tree(value) })
                .collect(),
        ),
    };
    Tree { span: Span::default(), value }
}

/// Converts a tree to JSON.
pub(super) fn json(tree: &Tree) -> Json {
    match &tree.value {
        Value::Null | Value::Hole => Json::Null,
        Value::Bool(flag) => json!(flag),
        Value::Int(number) => json!(i64::try_from(*number).unwrap()),
        Value::Float(number) => json!(number),
        Value::Text(text) => json!(text),
        Value::List(items) => items.iter().map(json).collect(),
        Value::Map(entries) => {
            Json::Object(entries.iter().map(|e| (e.key.clone(), json(&e.tree))).collect::<Map<_, _>>())
        }
    }
}

/// Returns whether the validation accepts a document.
pub(super) fn accepts(shape: &Shape, document: &Json) -> bool {
    let (mut tree, mut sources) = (tree(document), Sources::default());
    sources.add("", Format::Json, "");
    normalize(&mut tree, shape);
    judge(&tree, shape, &sources).is_empty() && require(&tree, shape, &sources).is_empty()
}

fn oracle() -> jsonschema::Validator {
    let options = ("site", super::tests::job_options(), super::tests::role_options());
    let schema = super::published_schema(&[options]);
    let mut all = jsonschema::options().should_validate_formats(true);
    for grammar in Grammar::ALL {
        all = all.with_format(grammar.format(), move |text: &str| grammar.check(text).is_ok());
    }
    all.build(&schema).unwrap()
}

struct Random(TestRng);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        use proptest::prelude::Rng;
        (self.0.next_u64() % end as u64) as usize
    }

    fn value(&mut self) -> Json {
        let all = [
            json!(null),
            json!(true),
            json!(0),
            json!(1),
            json!(-1),
            json!(70_000),
            json!(10_001),
            json!(0.5),
            json!(1e300),
            json!(""),
            json!("x"),
            json!("X_y"),
            json!("auto"),
            json!("1h"),
            json!("0s"),
            json!("16GiB"),
            json!("16GB"),
            json!("/a/b"),
            json!("a/../b"),
            json!("s3://b/x"),
            json!("tensorflow"),
            json!("always"),
            json!("chief"),
            json!("2.15"),
            json!("a\u{0}b"),
            json!([]),
            json!(["x"]),
            json!([1]),
            json!({}),
            json!({"x": "y"}),
            json!({"x": {"uri": "s3://b"}}),
            json!({"value": 1}),
            json!({"name": "a"}),
            json!({"cpus": 1, "memory": "1024KiB"}),
        ];
        all[self.below(all.len())].clone()
    }

    fn key(&mut self) -> String {
        let all = [
            "x", "X-1", "name", "count", "at", "memory", "image", "site", "value", "", "é", "when", "port",
            "uri",
        ];
        all[self.below(all.len())].to_owned()
    }

    /// Changes one value or key in `json`, at any depth.
    fn mutate(&mut self, json: &mut Json) {
        let deeper = self.below(8) != 0;
        match json {
            Json::Object(map) if deeper && !map.is_empty() => {
                let key = map.keys().nth(self.below(map.len())).unwrap().clone();
                match self.below(16) {
                    0..=5 => drop(map.shift_remove(&key)),
                    14..=15 => {
                        // An object with one field is replaced by the value of this field, which is the plain form of the object.
                        let only = map[&key].as_object().filter(|inner| inner.len() == 1);
                        if let Some(plain) = only.and_then(|inner| inner.values().next().cloned()) {
                            map.insert(key, plain);
                        }
                    }
                    6 => drop(map.insert(self.key(), self.value())),
                    7 => {
                        let value = map.shift_remove(&key).unwrap();
                        map.insert(self.key(), value);
                    }
                    _ => self.mutate(map.get_mut(&key).unwrap()),
                }
            }
            Json::Array(items) if deeper && !items.is_empty() => {
                let place = self.below(items.len());
                match self.below(6) {
                    0 => drop(items.remove(place)),
                    1 => items.push(self.value()),
                    _ => self.mutate(&mut items[place]),
                }
            }
            leaf => *leaf = self.value(),
        }
    }
}

/// Returns the complete job of the tests as JSON.
fn whole() -> Json {
    let mut sources = Sources::default();
    sources.add("a", Format::Kdl, WHOLE);
    let (kdl, _) = read_kdl(sources.get(0));
    json(&read(&kdl, sources.get(0), job()).0)
}

#[test]
fn a_mutated_document_is_analyzed_to_its_end() {
    let whole = whole();
    let mut random = Random(TestRng::from_seed(RngAlgorithm::ChaCha, &[8; 32]));
    for _ in 0..400 {
        let mut document = whole.clone();
        for _ in 0..=random.below(3) {
            random.mutate(&mut document);
        }
        let text = document.to_string();
        let analysis = analyze(&alone::request("a", &text, Format::Json));
        let is_object = document.get("job").is_some_and(Json::is_object);
        assert!(!is_object || analysis.plan.is_some(), "{text}");
    }
}

#[test]
fn the_validation_and_the_schema_agree() {
    let whole = whole();
    let oracle = oracle();
    assert!(oracle.is_valid(&whole) && accepts(job(), &whole));
    let mut random = Random(TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]));
    let (mut good, mut bad) = (0, 0);
    for _ in 0..1500 {
        let mut document = whole.clone();
        for _ in 0..=random.below(2) {
            random.mutate(&mut document);
        }
        let ours = accepts(job(), &document);
        assert_eq!(
            ours,
            oracle.is_valid(&document),
            "{:?}\n{document:#}",
            oracle.iter_errors(&document).next()
        );
        if ours { good += 1 } else { bad += 1 }
    }
    assert!(good > 100 && bad > 500, "{good} good, {bad} bad: the mutations test too little");
}
