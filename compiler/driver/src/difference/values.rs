//! Compares two JSON values. Items of lists are matched by their names, so that an inserted item does not change the ones after it.
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use tfjob_lang::origin::pointer_step;

/// Fields that identify an item of a list. The first one that all items of both lists have, with different values, is used.
const NAMES: [&str; 7] = ["name", "id", "mountPath", "containerPath", "destPath", "dest_file", "port"];

/// Separates the pointer of a string from a pointer in the JSON document that the string contains.
pub const IN_TEXT: char = '#';

/// A part of the path to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A key of an object.
    Key(String),
    /// An item of a list, by the value of a field that identifies it, such as its name.
    Named(String),
    /// An item of a list, by its index from 0.
    Index(usize),
}

/// A value that differs.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Path of the value.
    pub path: Vec<Step>,
    /// JSON pointer of the value in the old document. If the value is new, the pointer that it would have. For a value of a JSON
    /// document in a string: the pointer of the string, [`IN_TEXT`], and the pointer in that document.
    pub old_pointer: String,
    /// The same for the new document.
    pub new_pointer: String,
    /// The old value; `None` if the value is new.
    pub old: Option<Value>,
    /// The new value; `None` if the value was removed.
    pub new: Option<Value>,
}

/// Returns the values that differ, in the order of the new value.
pub fn compare(old: &Value, new: &Value) -> Vec<Difference> {
    let mut walk = Walk::default();
    walk.both(old, new);
    walk.found
}

#[derive(Default)]
struct Walk {
    path: Vec<Step>,
    old_pointer: String,
    new_pointer: String,
    found: Vec<Difference>,
}

impl Walk {
    fn both(&mut self, old: &Value, new: &Value) {
        if old == new {
            return;
        }
        match (old, new) {
            (Value::Object(olds), Value::Object(news)) => {
                for (key, new) in news {
                    self.at_key(key, olds.get(key), Some(new));
                }
                for (key, old) in olds.iter().filter(|(key, _)| !news.contains_key(*key)) {
                    self.at_key(key, Some(old), None);
                }
            }
            (Value::Array(olds), Value::Array(news)) => self.lists(olds, news),
            (Value::String(olds), Value::String(news)) => match (document(olds), document(news)) {
                (Some(old), Some(new)) if old != new => {
                    let mark = IN_TEXT.to_string();
                    self.below(None, (&mark, &mark), |walk| walk.both(&old, &new));
                }
                (_, _) => self.add(Some(old), Some(new)),
            },
            (_, _) => self.add(Some(old), Some(new)),
        }
    }

    fn at_key(&mut self, key: &str, old: Option<&Value>, new: Option<&Value>) {
        let pointer = format!("/{}", pointer_step(key));
        self.below(Some(Step::Key(key.to_owned())), (&pointer, &pointer), |walk| walk.maybe(old, new));
    }

    fn maybe(&mut self, old: Option<&Value>, new: Option<&Value>) {
        match (old, new) {
            (Some(old), Some(new)) => self.both(old, new),
            (old, new) => self.add(old, new),
        }
    }

    fn lists(&mut self, olds: &[Value], news: &[Value]) {
        let Some(field) = name_field(olds, news) else {
            // Lists of strings, such as arguments, are compared as a whole: their order has a meaning.
            if olds.len() == news.len() && olds.iter().chain(news).all(Value::is_object) {
                for (index, (old, new)) in olds.iter().zip(news).enumerate() {
                    let pointer = format!("/{index}");
                    self.below(Some(Step::Index(index)), (&pointer, &pointer), |walk| walk.both(old, new));
                }
            } else {
                self.add(Some(&Value::from(olds)), Some(&Value::from(news)));
            }
            return;
        };
        let names = |list: &[Value]| list.iter().map(|item| name_of(item, field)).collect::<Vec<_>>();
        let (old_names, new_names) = (names(olds), names(news));
        let indexes: BTreeMap<&str, usize> = old_names.iter().map(String::as_str).zip(0..).collect();
        for (index, new) in news.iter().enumerate() {
            let name = new_names[index].clone();
            let before = indexes.get(name.as_str()).copied();
            let pointers = (format!("/{}", before.unwrap_or(olds.len())), format!("/{index}"));
            let old = before.map(|at| &olds[at]);
            self.below(Some(Step::Named(name)), (&pointers.0, &pointers.1), |walk| {
                walk.maybe(old, Some(new))
            });
        }
        let kept: BTreeSet<&str> = new_names.iter().map(String::as_str).collect();
        for (index, old) in
            olds.iter().enumerate().filter(|(index, _)| !kept.contains(old_names[*index].as_str()))
        {
            let pointers = (format!("/{index}"), format!("/{}", news.len()));
            let step = Some(Step::Named(old_names[index].clone()));
            self.below(step, (&pointers.0, &pointers.1), |walk| walk.add(Some(old), None));
        }
        // The items of both lists, if they have another order.
        let before: Vec<&str> =
            old_names.iter().map(String::as_str).filter(|name| kept.contains(name)).collect();
        let after: Vec<&str> =
            new_names.iter().map(String::as_str).filter(|name| indexes.contains_key(name)).collect();
        if before != after {
            self.add(Some(&Value::from(before)), Some(&Value::from(after)));
        }
    }

    fn below(&mut self, step: Option<Step>, (old, new): (&str, &str), run: impl FnOnce(&mut Self)) {
        let lengths = (self.path.len(), self.old_pointer.len(), self.new_pointer.len());
        self.path.extend(step);
        self.old_pointer.push_str(old);
        self.new_pointer.push_str(new);
        run(self);
        self.path.truncate(lengths.0);
        self.old_pointer.truncate(lengths.1);
        self.new_pointer.truncate(lengths.2);
    }

    fn add(&mut self, old: Option<&Value>, new: Option<&Value>) {
        self.found.push(Difference {
            path: self.path.clone(),
            old_pointer: self.old_pointer.clone(),
            new_pointer: self.new_pointer.clone(),
            old: old.cloned(),
            new: new.cloned(),
        });
    }
}

/// Returns the JSON object or list that a string contains.
#[must_use]
pub fn document(text: &str) -> Option<Value> {
    let is_document = text.trim_start().starts_with(['{', '[']);
    is_document.then(|| serde_json::from_str(text).ok()).flatten()
}

/// Returns the field whose values identify the items of both lists.
fn name_field(olds: &[Value], news: &[Value]) -> Option<&'static str> {
    let identifies = |list: &[Value], field: &str| {
        let mut names = BTreeSet::new();
        list.iter().all(|item| item.get(field).is_some_and(is_name) && names.insert(name_of(item, field)))
    };
    NAMES.into_iter().find(|field| identifies(olds, field) && identifies(news, field))
}

const fn is_name(value: &Value) -> bool {
    matches!(value, Value::String(_) | Value::Number(_))
}

fn name_of(item: &Value, field: &str) -> String {
    match item.get(field) {
        Some(Value::String(name)) => name.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Returns each difference as `PATH: OLD -> NEW`, with `-` for a missing value.
    fn told(old: &Value, new: &Value) -> Vec<String> {
        let shown = |value: &Option<Value>| value.as_ref().map_or("-".to_owned(), Value::to_string);
        let step = |step: &Step| match step {
            Step::Key(name) | Step::Named(name) => name.clone(),
            Step::Index(index) => index.to_string(),
        };
        let line = |one: &Difference| {
            let path: Vec<_> = one.path.iter().map(step).collect();
            format!("{}: {} -> {}", path.join("."), shown(&one.old), shown(&one.new))
        };
        compare(old, new).iter().map(line).collect()
    }

    #[test]
    fn items_are_matched_by_their_names() {
        let old = json!({"containers": [{"name": "a", "image": "1"}, {"name": "b", "image": "1"}]});
        let new =
            json!({"containers": [{"name": "c"}, {"name": "a", "image": "2"}, {"name": "b", "image": "1"}]});
        assert_eq!(
            told(&old, &new),
            ["containers.c: - -> {\"name\":\"c\"}", "containers.a.image: \"1\" -> \"2\""]
        );
        let found = compare(&old, &new);
        assert_eq!(
            (found[1].old_pointer.as_str(), found[1].new_pointer.as_str()),
            ("/containers/0/image", "/containers/1/image")
        );
    }

    #[test]
    fn another_order_is_a_difference_of_the_list() {
        let old = json!([{"name": "a"}, {"name": "b"}]);
        let new = json!([{"name": "b"}, {"name": "a"}]);
        assert_eq!(told(&old, &new), [": [\"a\",\"b\"] -> [\"b\",\"a\"]"]);
    }

    #[test]
    fn lists_of_strings_are_one_value() {
        assert_eq!(told(&json!({"a": ["x"]}), &json!({"a": ["y", "x"]})), ["a: [\"x\"] -> [\"y\",\"x\"]"]);
    }

    #[test]
    fn documents_in_strings_are_compared() {
        let (old, new) = (json!({"c": "{\"a/b\": 1, \"b\": [1]}"}), json!({"c": "{\"a/b\":2,\"b\":[1]}"}));
        assert_eq!(told(&old, &new), ["c.a/b: 1 -> 2"]);
        assert_eq!(compare(&old, &new)[0].new_pointer, "/c#/a~1b");
        // Another layout of the same document is a difference of the string.
        assert_eq!(told(&json!("{}"), &json!("{ }")).len(), 1);
    }

    #[test]
    fn kinds_of_values_may_differ() {
        assert_eq!(told(&json!({"a": 1}), &json!({"a": [1]})), ["a: 1 -> [1]"]);
        assert_eq!(told(&json!({"a": 1}), &json!({})), ["a: 1 -> -"]);
        assert_eq!(told(&json!(1), &json!(1)), [""; 0]);
    }
}
