//! The factors of the covering array: one for each property of the schema, at job level, in the role `worker`, and in the
//! blocks of one target. A URI has two factors, its prefix and its path; a named entry has one more, its name.
use super::document::tame;
use super::values::{self, Level};
use serde_json::{Value as Json, json};
use tfjob_lang::shape::{Field, Grammar, Keyed, Object, Shape};
use tfjob_targets::SHAPE;

/// The role that gets the properties of a role.
pub const ROLE: &str = "worker";
/// The default name of a named entry, if its grammar accepts lower case.
pub const NAMED: &str = "extra";
/// The key of the only element of a list of objects, until the document is written.
pub const ELEMENT: &str = "#0";

/// The part of a value that a factor decides.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The whole value.
    Whole,
    /// The prefix of a URI: scheme and host.
    Prefix,
    /// The path of a URI.
    Tail,
    /// The name of the entry in a map of named entries.
    Name,
}

/// A property with the values to combine.
pub struct Factor {
    /// The keys from the root of the document; for a name, down to the map.
    pub steps: Vec<String>,
    /// The part of the value that it decides.
    pub part: Part,
    /// The values.
    pub levels: Vec<Level>,
    /// The content of a named entry unless other factors fill it.
    pub filler: Json,
}

impl Factor {
    const fn new(steps: Vec<String>, part: Part, levels: Vec<Level>) -> Self {
        Self { steps, part, levels, filler: Json::Null }
    }

    /// The property as text.
    pub fn name(&self) -> String {
        let path = self.steps[1..].join(".");
        match self.part {
            Part::Whole => path,
            Part::Prefix => format!("{path} (prefix)"),
            Part::Tail => format!("{path} (path)"),
            Part::Name => format!("{path} (name)"),
        }
    }
}

/// Properties that are not factors: roles, which the framework decides; other files; and `allow`, which suppresses refusals.
const LEFT_OUT: &[&str] = &["role", "allow", "extends", "target", "framework", "helper"];

/// All factors of a target.
pub fn of(target: &'static str) -> Vec<Factor> {
    let mut found = Vec::new();
    let job = SHAPE.object().and_then(|file| file.field("job")).and_then(|field| field.shape.object());
    let Some(job) = job else { return found };
    let steps = vec!["job".to_owned()];
    found.push(Factor::new(below(&steps, "framework"), Part::Whole, values::frameworks()));
    found.push(Factor::new(below(&steps, "helper"), Part::Whole, values::helpers()));
    fields(&mut found, &steps, job);
    block(&mut found, &steps, job, target);
    if let Some(Shape::Keyed(Keyed { item: Shape::Object(role), .. })) = job.field("role").map(|f| &f.shape) {
        let steps = below(&below(&steps, "role"), ROLE);
        fields(&mut found, &steps, role);
        block(&mut found, &steps, role, target);
    }
    found.retain(|factor| factor.levels.len() > 1);
    found
}

/// The properties of the target's block.
fn block(found: &mut Vec<Factor>, steps: &[String], object: &'static Object, target: &str) {
    let targets = object.field("target").and_then(|field| field.shape.object());
    let Some(own) = targets.and_then(|all| all.field(target)).and_then(|field| field.shape.object()) else {
        return;
    };
    fields(found, &below(&below(steps, "target"), target), own);
}

fn fields(found: &mut Vec<Factor>, steps: &[String], object: &'static Object) {
    for field in object.fields.iter().filter(|field| !LEFT_OUT.contains(&field.name)) {
        shape(found, below(steps, field.name), field, &field.shape);
    }
}

fn shape(found: &mut Vec<Factor>, steps: Vec<String>, field: &'static Field, shape_of: &'static Shape) {
    match shape_of {
        // A block without properties is present or absent.
        Shape::Object(object) => {
            if !object.fields.iter().any(|field| field.required) {
                found.push(Factor::new(steps.clone(), Part::Whole, values::block()));
            }
            fields(found, &steps, object);
        }
        Shape::Keyed(keyed) => {
            let is_block = matches!(keyed.item, Shape::Object(_));
            let filler = if is_block { json!({}) } else { tame(field.name, &keyed.item) };
            let names = values::names(field.name, keyed.keys);
            found.push(Factor { filler, ..Factor::new(steps.clone(), Part::Name, names) });
            shape(found, below(&steps, entry(&steps)), field, &keyed.item);
        }
        Shape::List(list) => match &list.item {
            Shape::Object(object) => fields(found, &below(&steps, ELEMENT), object),
            item => found.push(Factor::new(steps, Part::Whole, values::lists(field, item))),
        },
        Shape::Text(Grammar::Uri) => {
            let tails = values::tails(&steps);
            found.push(Factor::new(steps.clone(), Part::Prefix, values::prefixes()));
            found.push(Factor::new(steps, Part::Tail, tails));
        }
        one => {
            let levels = values::of(&steps, field, one);
            found.push(Factor::new(steps, Part::Whole, levels));
        }
    }
}

/// The names of the entries of these properties, unless a factor gives them another.
const ENTRIES: &[(&str, &str)] = &[
    ("device", "rdma/hca"),
    ("after", "chief"),
    ("csi", "hdfs"),
    ("annotations", "example.com/extra"),
    ("conf", "spark.hadoop.extra"),
    ("mounted", "nfs://filer.example.com/export"),
];
const VARIABLE: &str = "EXTRA";

/// The name of the entry, unless a factor gives it another.
pub fn entry(steps: &[String]) -> &'static str {
    let last = steps.last().map_or("", String::as_str);
    let known = ENTRIES.iter().find(|(field, _)| *field == last);
    known.map_or(if ["env", "secret"].contains(&last) { VARIABLE } else { NAMED }, |(_, name)| name)
}

/// Whether a factor added an entry.
pub fn is_entry(name: &str) -> bool {
    [NAMED, VARIABLE].contains(&name) || ENTRIES.iter().any(|(_, entry)| *entry == name)
}

fn below(steps: &[String], step: &str) -> Vec<String> {
    steps.iter().map(String::as_str).chain([step]).map(str::to_owned).collect()
}
