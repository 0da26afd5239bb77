//! Explanations of keywords: entries, properties, and values of the language.
use std::collections::BTreeSet;
use std::fmt::Write;
use tfjob_lang::shape::{Field, Object, Place, Shape};

/// A field and the blocks that contain it.
struct Keyword<'s> {
    field: &'s Field,
    places: Vec<String>,
}

/// Explains all fields with this name; `None` if there is none. `told`: fields of a block that the page has already listed, and
/// that are not repeated. `block`: the block whose field comes first; then the page is `None` if this block has no such field.
pub fn page(name: &str, shapes: &[&Shape], told: Option<&[Field]>, block: Option<&str>) -> Option<String> {
    let mut keywords: Vec<Keyword> = Vec::new();
    walk_all(shapes, &mut |place, field| {
        if field.name != name {
            return;
        }
        match keywords.iter_mut().find(|keyword| keyword.field == field) {
            Some(same) if same.places.iter().any(|known| known == place) => {}
            Some(same) => same.places.push(place.to_owned()),
            None => keywords.push(Keyword { field, places: vec![place.to_owned()] }),
        }
    });
    // Fields of jobs, roles, and some of their blocks come first, then options of targets with the same name, and then fields of
    // other blocks, such as those of a cluster file.
    keywords.sort_by_key(|keyword| keyword.places.iter().map(|place| rank(place)).min());
    if let Some(block) = block {
        let is_own = |keyword: &Keyword| keyword.places.iter().any(|place| is_block(place, block));
        keywords.sort_by_key(|keyword| !is_own(keyword));
        keywords.first().filter(|first| is_own(first))?;
    }
    let listed = |number: usize, keyword: &Keyword| {
        let own = fields(keyword.field);
        own.is_some_and(|own| !own.is_empty()) && own == told
            || keywords[..number].iter().any(|other| fields(other.field) == own)
    };
    let pages: Vec<_> =
        keywords.iter().enumerate().map(|(i, keyword)| keyword.page(listed(i, keyword))).collect();
    (!pages.is_empty()).then(|| pages.join("\n"))
}

/// Returns whether a place is a block with this name, or the block of the target with this name.
fn is_block(place: &str, block: &str) -> bool {
    let name = place.split(" of ").next().unwrap_or_default();
    name == block || name.strip_prefix("target ").is_some_and(|target| target.trim_matches('"') == block)
}

fn rank(place: &str) -> u8 {
    match place {
        "job" | "role" | "framework" | "hadoop" | "start" | "" => 0,
        "tensorboard" | "kdc" | "service-account" => 3,
        place if place.contains(" of `") => 3,
        place if place.starts_with("target ") => 1,
        _ => 2,
    }
}

/// Returns the names of all fields.
pub fn all(shapes: &[&Shape]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    walk_all(shapes, &mut |_, field| {
        names.insert(field.name.to_owned());
    });
    names
}

/// Returns all values of enumerated fields, as pairs of field and value.
pub fn values<'s>(shapes: &[&'s Shape]) -> BTreeSet<(&'s str, &'s str)> {
    let mut all = BTreeSet::new();
    walk_all(shapes, &mut |_, field| {
        let choices = if let Shape::Words(choices) = field.shape { choices } else { &[] };
        all.extend(choices.iter().map(|choice| (field.name, choice.word)));
    });
    all
}

/// Returns the explanation of a value in each field that accepts it.
pub fn value(word: &str, shapes: &[&Shape]) -> Option<String> {
    let mut lines = BTreeSet::new();
    walk_all(shapes, &mut |place, field| {
        let choices = if let Shape::Words(choices) = field.shape { choices } else { &[] };
        for choice in choices.iter().filter(|choice| choice.word == word) {
            let about = if choice.doc.is_empty() { field.brief() } else { choice.doc };
            let of = if place == field.name || place.is_empty() {
                String::new()
            } else {
                format!(" in {}", shown(place))
            };
            lines.insert(format!("- value of `{}`{of}: {about}\n", field.name));
        }
    });
    (!lines.is_empty()).then(|| lines.into_iter().collect())
}

/// Suffix of the name of a `target` block in a role.
const OF_A_ROLE: &str = " of a role";
/// Suffix of the name of a block in a cluster file.
const OF_A_CLUSTER: &str = " of a cluster file";

/// Returns the name of a block in backticks: `` `target "yarn"` of a role ``.
fn shown(place: &str) -> String {
    let (name, of) = place.split_at(place.find(" of ").unwrap_or(place.len()));
    format!("`{name}`{of}")
}

fn walk_all<'s>(shapes: &[&'s Shape], meet: &mut dyn FnMut(&str, &'s Field)) {
    let job = shapes.first().and_then(|shape| shape.block(&[("job", None)]));
    shapes.iter().for_each(|shape| walk("", shape, job, meet));
}

/// Calls `meet` with each field and the name of its block. The name is empty for the fields of the file itself.
/// A block inside another block has the name of the other block too, if the job has a different field of its name. `job`: the fields of
/// a job.
fn walk<'s>(place: &str, shape: &'s Shape, job: Option<&Object>, meet: &mut dyn FnMut(&str, &'s Field)) {
    let Some(object) = block(shape) else { return };
    for field in object.fields {
        meet(place, field);
        match (field.place, &field.shape) {
            (Place::Targets, Shape::Object(targets)) => {
                // A job and its roles have different options of the same target.
                let whose = if ["role", "helper"].contains(&place) { OF_A_ROLE } else { "" };
                for target in targets.fields {
                    walk(&format!("{} \"{}\"{whose}", field.name, target.name), &target.shape, job, meet);
                }
            }
            (_, inner) => {
                let same = job.and_then(|job| job.field(field.name)).map(|field| &field.shape);
                let is_other = !place.contains(' ') && same.is_some_and(|same| same != inner);
                let of = match place {
                    "" | "job" | "role" | "helper" | "project" => String::new(),
                    "cluster" => OF_A_CLUSTER.to_owned(),
                    other if is_other => format!(" of `{other}`"),
                    _ => String::new(),
                };
                walk(&format!("{}{of}", field.name), inner, job, meet);
            }
        }
    }
}

fn block(shape: &Shape) -> Option<&Object> {
    match shape {
        Shape::Object(object) => Some(object),
        Shape::Keyed(keyed) => block(&keyed.item),
        Shape::List(list) => block(&list.item),
        Shape::Words(_)
        | Shape::Number(_)
        | Shape::Flag
        | Shape::Text(_)
        | Shape::NumberOr(..)
        | Shape::Scalar
        | Shape::Any => None,
    }
}

/// Returns the fields of a block; `None` if `field` is not a block.
fn fields(field: &Field) -> Option<&[Field]> {
    block(&field.shape).map(|object| object.fields)
}

impl Keyword<'_> {
    /// Returns the explanation of a field. `again`: whether the field is a block, and the page has already listed its fields.
    fn page(&self, again: bool) -> String {
        let field = self.field;
        let places: Vec<_> =
            self.places.iter().filter(|place| !place.is_empty()).map(|place| shown(place)).collect();
        let places = if places.is_empty() { String::new() } else { format!("In {}. ", places.join(", ")) };
        let mut out = format!("```\n{}\n```\n\n{places}{}\n", field.form(), field.doc);
        if field.place == Place::Targets {
            return out;
        }
        match fields(field) {
            Some(_) if again => out.push_str("\nFields: as above.\n"),
            Some(fields) => {
                out.push('\n');
                fields.iter().for_each(|field| item(field, &mut out));
            }
            None => {
                let _ = write!(out, "\nAccepted: {}{}.\n", field.accepted(), default(field));
                choices(&field.shape, &mut out);
            }
        }
        out
    }
}

fn item(field: &Field, out: &mut String) {
    let _ = writeln!(out, "- `{}`{}: {}", field.form(), default(field), field.brief());
}

fn default(field: &Field) -> String {
    match (&field.default, field.required) {
        (Some(value), _) => format!(", default `{value}`"),
        (None, true) => " (required)".to_owned(),
        (None, false) => String::new(),
    }
}

fn choices(shape: &Shape, out: &mut String) {
    if let Shape::Words(choices) = shape {
        let told = choices.iter().filter(|choice| !choice.doc.is_empty());
        told.for_each(|choice| {
            let _ = writeln!(out, "- `\"{}\"`: {}", choice.word, choice.doc);
        });
    }
}
