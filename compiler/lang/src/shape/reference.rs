//! The reference page: every entry with its KDL form and its fields: type, default, and description.
use super::words::one_of;
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
    field: &'s Field,
    object: &'s Object,
    /// Entries that contain this entry. Empty for an entry at the top level of the file.
    places: Vec<&'s str>,
}

fn collect<'s>(place: &'s str, object: &'s Object, blocks: &mut Vec<Block<'s>>) {
    for field in object.nodes() {
        match (&field.shape, field.place) {
            (Shape::Object(targets), Place::Targets) => {
                for target in targets.fields {
                    let name = format!("{} \"{}\"", field.name, target.name);
                    if let Some(object) = target.shape.object() {
                        note(place, name.clone(), format!("{name} {{ … }}"), field, object, blocks);
                    }
                }
            }
            (_, _) => {
                if let Some(object) = field.block(None) {
                    note(place, field.name.to_owned(), field.form(), field, object, blocks);
                }
            }
        }
    }
}

fn note<'s>(
    place: &'s str,
    name: String,
    form: String,
    field: &'s Field,
    object: &'s Object,
    blocks: &mut Vec<Block<'s>>,
) {
    if let Some(same) =
        blocks.iter_mut().find(|block| block.name == name && block.object.fields == object.fields)
    {
        if !same.places.contains(&place) {
            same.places.push(place);
        }
        return;
    }
    blocks.push(Block { name, form, field, object, places: vec![place] });
    collect(field.name, object, blocks);
}

impl Block<'_> {
    fn write(&self, before: &[Self], out: &mut String) {
        let places: Vec<&str> = self.places.iter().copied().filter(|place| !place.is_empty()).collect();
        let places =
            if places.is_empty() { String::new() } else { format!("In {}. ", one_of(places, "and")) };
        let _ =
            write!(out, "## `{}`\n\n```\n{}\n```\n\n{places}{}\n\n", self.name, self.form, self.field.doc);
        if !self.field.doc.starts_with(self.object.doc.trim_end_matches('.')) {
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
        shape => shape.words(),
    }
}

/// Escapes text for a table cell.
fn cell(text: &str) -> String {
    text.replace("\n\n", " ").replace('|', "\\|")
}
