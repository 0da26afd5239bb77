//! Checks of a patch against published types: keys, value types, integer widths, enums, and the rules of the target.
use super::published::{Kind, List, Object};
use super::{kind, read};
use crate::codes::{BAD_PATCH, PATCH_UNCHECKED};
use serde_json::{Map, Value};
use tfjob_lang::diagnostic::{Diagnostic, nearest};
use tfjob_lang::sources::Span;

/// One value of a patch.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// Name of the type that has the field.
    pub owner: &'static str,
    /// Name of the field that has the value.
    pub field: &'static str,
    /// Key of the value in the field, if the field is a map.
    pub key: Option<&'a str>,
    /// Path from the root of the patch, such as `template.spec.containers[0].image`.
    pub path: &'a str,
}

/// Whether a target accepts one value of a patch. The type of the value is already checked.
#[derive(Debug, Clone)]
pub enum Rule {
    /// The platform accepts the value.
    Fits,
    /// The platform refuses the value, or the job would not run as specified. The message shows this text after the path.
    Fault(String),
    /// Only the platform can validate the value.
    Unchecked,
}

/// The rules of one target.
pub struct Rules<'r> {
    /// Name of the target, with which each message begins.
    pub target: &'static str,
    /// Type of the whole patch.
    pub root: &'static Object,
    /// Returns whether the target accepts one value. `null` means that the patch removes the value.
    pub rule: &'r dyn Fn(&Place<'_>, &Value) -> Rule,
    /// Name of the component that checks all other rules of the platform, and a help with a command that makes it check the
    /// artifact.
    pub validator: (&'static str, &'static str),
}

/// Returns all faults of a patch, and a warning for values that only the platform can validate.
#[must_use]
pub fn check(rules: &Rules<'_>, text: &str, at: Span) -> Vec<Diagnostic> {
    let fault = |fact: &str| {
        Diagnostic::new(&BAD_PATCH, at, format!("{}: {fact}", rules.target)).here("in this patch")
    };
    let patch = match read(text) {
        Ok(patch) => patch,
        Err(why) => return vec![fault(&format!("the patch is not valid YAML or JSON: {why}"))],
    };
    let Value::Object(map) = &patch else {
        let found = fault("the patch is not a map");
        return vec![found.help("write `key: value` lines, as in the generated file")];
    };
    let mut walk = Walk { rules, faults: Vec::new(), unchecked: Vec::new() };
    walk.keys(rules.root, map, "");
    let Walk { faults, unchecked, .. } = walk;
    if faults.is_empty() && !unchecked.is_empty() {
        let (validator, command) = rules.validator;
        let fact = format!(
            "{}: tfjob checks only the type of {}, so {validator} may still refuse the patch",
            rules.target,
            first_few(&unchecked)
        );
        let found = Diagnostic::new(&PATCH_UNCHECKED, at, fact).here("not fully checked");
        return vec![found.help(command)];
    }
    let report = |(fact, help): (String, String)| {
        let found = fault(&fact);
        if help.is_empty() { found } else { found.help(help) }
    };
    faults.into_iter().map(report).collect()
}

/// Returns the first few paths of a list as text for a message.
fn first_few(paths: &[String]) -> String {
    let shown: Vec<String> = paths.iter().take(3).map(|path| format!("`{path}`")).collect();
    let more = paths.len().saturating_sub(shown.len());
    let shown = shown.join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}

struct Walk<'r> {
    rules: &'r Rules<'r>,
    /// Message and help of each fault. An empty help is not shown.
    faults: Vec<(String, String)>,
    unchecked: Vec<String>,
}

impl Walk<'_> {
    fn keys(&mut self, object: &'static Object, map: &Map<String, Value>, at: &str) {
        for (key, value) in map {
            let below = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
            let Some(field) = object.field(key) else {
                self.unknown(object, key, &below);
                continue;
            };
            if value.is_null() && field.required {
                self.faults.push((format!("`{below}` is required and cannot be removed"), String::new()));
                continue;
            }
            let place = Place { owner: object.name, field: field.name, key: None, path: &below };
            self.value(field.kind, value, &place);
        }
    }

    fn unknown(&mut self, object: &'static Object, key: &str, at: &str) {
        let known = || object.fields.iter().map(|field| field.name);
        let help = nearest(key, known()).map_or_else(
            || format!("use one of the keys of {}: {}", object.name, known().collect::<Vec<_>>().join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        self.faults.push((format!("unknown key `{at}`"), help));
    }

    fn value(&mut self, kind: Kind, value: &Value, place: &Place<'_>) {
        if !value.is_null() && !self.typed(kind, value, place.path) {
            return;
        }
        match (self.rules.rule)(place, value) {
            Rule::Fits => {}
            Rule::Fault(fact) => {
                return self.faults.push((format!("`{}` {fact}", place.path), String::new()));
            }
            Rule::Unchecked => self.unchecked.push(place.path.to_owned()),
        }
        match (kind, value) {
            (Kind::Object(object), Value::Object(map)) => self.keys(object, map, place.path),
            (Kind::Map(item), Value::Object(map)) => {
                for (key, value) in map {
                    let path = format!("{}.{key}", place.path);
                    self.value(*item, value, &Place { key: Some(key), path: &path, ..*place });
                }
            }
            (Kind::List(list), Value::Array(items)) => {
                self.distinct(list, items, place.path);
                for (number, item) in items.iter().enumerate() {
                    let path = format!("{}[{number}]", place.path);
                    if item.is_null() {
                        self.faults.push((
                            format!("`{path}` is null, but a list item needs a value"),
                            String::new(),
                        ));
                    } else {
                        self.value(list.item, item, &Place { path: &path, ..*place });
                    }
                }
            }
            _ => {}
        }
    }

    /// Reports list items with the same key, because the platform would merge them into one item.
    fn distinct(&mut self, list: &List, items: &[Value], at: &str) {
        let [key] = list.keys else { return };
        let mut met = std::collections::BTreeSet::new();
        for name in items.iter().filter_map(|item| item.get(*key)?.as_str()) {
            if !met.insert(name) {
                self.faults.push((format!("`{at}` has two items with `{key}: {name}`"), String::new()));
            }
        }
    }

    /// Returns whether a value has the type `wanted`. If not, reports a fault.
    fn typed(&mut self, wanted: Kind, value: &Value, path: &str) -> bool {
        let whole = value.is_i64() || value.is_u64();
        let fits = match wanted {
            Kind::Object(_) | Kind::Map(_) => value.is_object(),
            Kind::List(_) => value.is_array(),
            Kind::Words(_) | Kind::Text => value.is_string(),
            Kind::Boolean => value.is_boolean(),
            Kind::Int32 | Kind::Int64 => whole,
            Kind::Quantity | Kind::IntOrText => whole || value.is_string(),
            Kind::Number => value.is_number(),
            Kind::Any => true,
        };
        if !fits {
            let fact = format!("`{path}` takes {}, not {}", takes(wanted), self::kind(value));
            self.faults.push((fact, String::new()));
            return false;
        }
        let most = match wanted {
            Kind::Int32 => Some(i64::from(i32::MAX)),
            Kind::Int64 | Kind::IntOrText | Kind::Quantity if whole => Some(i64::MAX),
            _ => None,
        };
        if most.is_some_and(|most| value.as_i64().is_none_or(|number| number > most || number < -most - 1)) {
            let width = if matches!(wanted, Kind::Int32) { 32 } else { 64 };
            self.faults.push((
                format!("`{path}` is {value}, which does not fit in a {width}-bit integer"),
                String::new(),
            ));
            return false;
        }
        if let (Kind::Words(words), Some(word)) = (wanted, value.as_str())
            && !words.0.contains(&word)
        {
            let known: Vec<String> = words.0.iter().take(12).map(|word| format!("`{word}`")).collect();
            let help = nearest(word, words.0.iter().copied()).map_or_else(
                || format!("use one of {}", known.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            self.faults.push((format!("`{path}` cannot be {value}"), help));
            return false;
        }
        true
    }
}

const fn takes(kind: Kind) -> &'static str {
    match kind {
        Kind::Object(_) | Kind::Map(_) => "a map",
        Kind::List(_) => "a list",
        Kind::Words(_) | Kind::Text => "a string",
        Kind::Boolean => "a boolean",
        Kind::Int32 | Kind::Int64 => "an integer",
        Kind::Quantity => "a quantity, such as 2 or \"16Gi\"",
        Kind::IntOrText => "an integer or a string",
        Kind::Number => "a number",
        Kind::Any => "any value",
    }
}
