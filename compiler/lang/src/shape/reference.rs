//! The reference page. For each entry, it shows the KDL form, and the type, default, and description of each field.
use super::words::list;
use super::{Field, Object, Place, Shape};
use std::fmt::Write;

/// Returns the reference of these shapes in Markdown, with a heading for each entry with fields, in the order of the spec.
/// An entry that occurs in several places, such as `resources`, is described once.
#[must_use]
pub fn reference(shapes: &[&Shape]) -> String {
    let mut blocks = Vec::new();
    for object in shapes.iter().filter_map(|shape| shape.object()) {
        collect("", object, &mut blocks);
    }
    let mut out = String::new();
    // A top-level entry without fields is not in the table of any other entry, so it gets its own section.
    for field in shapes.iter().filter_map(|shape| shape.object()).flat_map(Object::nodes) {
        if field.block(None).is_none() && field.place != Place::Targets {
            let _ = write!(out, "## `{}`\n\n```\n{}\n```\n\n{}\n\n", field.name, field.form(), field.doc);
        }
    }
    for (number, block) in blocks.iter().enumerate() {
        block.write(&blocks[..number], &mut out);
    }
    out
}

/// An entry with fields.
struct Block<'s> {
    /// Name of the entry. For an option block, it includes the target.
    name: String,
    form: String,
    /// Descriptions of the entry. Each has a list of the enclosing entries to which it applies; the list is empty at the top level
    /// of the file.
    docs: Vec<(&'s str, Vec<String>)>,
    object: &'s Object,
}

/// The top-level entry of a cluster file.
const CLUSTER: &str = "`cluster`";

fn collect<'s>(place: &str, object: &'s Object, blocks: &mut Vec<Block<'s>>) {
    for field in object.nodes() {
        match (&field.shape, field.place) {
            (Shape::Object(targets), Place::Targets) => {
                for target in targets.fields {
                    let name = format!("{} \"{}\"", field.name, target.name);
                    if let Some(object) = target.shape.object() {
                        // A job and its roles have different options of the same target, so the page describes the options of a
                        // role separately.
                        let of = if ["`role`", "`helper`"].contains(&place) { " of a role" } else { "" };
                        let (form, inner) = (format!("{name} {{ … }}"), format!("`{name}`{of}"));
                        note((place, &inner), (name, form), field, object, blocks);
                    }
                }
            }
            (_, _) => {
                if let Some(object) = field.block(None) {
                    let of = if place == CLUSTER { " of a cluster file" } else { "" };
                    let inner = format!("`{}`{of}", field.name);
                    note((place, &inner), (field.name.to_owned(), field.form()), field, object, blocks);
                }
            }
        }
    }
}

/// Adds an entry of the enclosing entry `place`, and then the entries inside it, for which the enclosing entry is `inner`.
fn note<'s>(
    (place, inner): (&str, &str),
    (name, form): (String, String),
    field: &'s Field,
    object: &'s Object,
    blocks: &mut Vec<Block<'s>>,
) {
    let places: Vec<String> = Some(place.to_owned()).filter(|place| !place.is_empty()).into_iter().collect();
    if let Some(same) =
        blocks.iter_mut().find(|block| block.name == name && block.object.fields == object.fields)
    {
        match same.docs.iter_mut().find(|(doc, _)| *doc == field.doc) {
            Some((_, known)) if known.iter().any(|known| known == place) => {}
            Some((_, known)) => known.extend(places),
            None => same.docs.push((field.doc, places)),
        }
        return;
    }
    blocks.push(Block { name, form, docs: vec![(field.doc, places)], object });
    collect(inner, object, blocks);
}

impl Block<'_> {
    fn write(&self, before: &[Self], out: &mut String) {
        let _ = write!(out, "## `{}`\n\n```\n{}\n```\n\n", self.name, self.form);
        for (doc, places) in &self.docs {
            let places =
                if places.is_empty() { String::new() } else { format!("In {}. ", list(places, "and")) };
            let _ = write!(out, "{places}{doc}\n\n");
        }
        if !self.docs.iter().any(|(doc, _)| doc.starts_with(self.object.doc.trim_end_matches('.'))) {
            let _ = write!(out, "{}\n\n", self.object.doc);
        }
        if self.object.fields.is_empty() {
            return;
        }
        if let Some(same) = before.iter().find(|block| block.object.fields == self.object.fields) {
            let _ = write!(out, "Same fields as `{}`.\n\n", same.name);
            return;
        }
        out.push_str("| field | KDL | type | default | description |\n|---|---|---|---|---|\n");
        self.object.fields.iter().for_each(|field| row(field, out));
        out.push('\n');
    }
}

fn row(field: &Field, out: &mut String) {
    let default = match (&field.default, field.required) {
        (Some(preset), _) => format!("`{preset}`"),
        (None, true) => "required".to_owned(),
        (None, false) => String::new(),
    };
    let (name, doc) = (&field.name, cell(field.doc));
    let has_own_heading = field.place == Place::Targets || field.block(None).is_some();
    let (form, words) = match has_own_heading {
        true => (format!("{name} …"), format!("see `{name}`")),
        false => (cell(&field.form()), cell(&accepted(field))),
    };
    let _ = writeln!(out, "| `{name}` | `{form}` | {words} | {default} | {doc} |");
}

/// Returns the description of the accepted values, and whether the entry may occur more than once.
fn accepted(field: &Field) -> String {
    match &field.shape {
        Shape::List(list) if field.place.repeats() => {
            format!("{}; one per line, repeatable", list.item.words())
        }
        _ => field.accepted(),
    }
}

/// Escapes text for a table cell.
fn cell(text: &str) -> String {
    text.replace("\n\n", " ").replace('|', "\\|")
}
