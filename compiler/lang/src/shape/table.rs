//! Writes a shape as Rust constants, so that the program does not build it at run time.
use super::{Choice, Field, Number, Object, Preset, Shape};
use std::fmt::Write;

/// Returns the constants of all objects of a shape. Each constant follows those that it refers to. `FILE` is the root.
#[must_use]
pub fn table(shape: &Shape) -> String {
    let mut tables = Tables { known: Vec::new(), out: String::new() };
    let _ = tables.shape(shape, "FILE");
    tables.out
}

struct Tables {
    /// The objects that are already written, each with the name of its constant.
    known: Vec<(&'static Object, String)>,
    out: String,
}

impl Tables {
    /// Returns the name of the constant of an object. Writes the constant if the object is new. `name`: the preferred name.
    fn object(&mut self, object: &'static Object, name: &str) -> String {
        if let Some((_, known)) = self.known.iter().find(|(known, _)| *known == object) {
            return known.clone();
        }
        let above = if name == "FILE" { String::new() } else { format!("{name}_") };
        let fields: Vec<String> = object.fields.iter().map(|field| self.field(field, &above)).collect();
        let Object { doc, open, fields: _ } = object;
        let _ = write!(self.out, "static {name}: Object = Object {{\n    doc: {doc:?},\n    open: {open},\n");
        let _ = writeln!(self.out, "    fields: &[{}\n    ],\n}};", fields.concat());
        self.known.push((object, name.to_owned()));
        name.to_owned()
    }

    fn field(&mut self, field: &Field, above: &str) -> String {
        let Field { name, doc, place, shape, required, default, inherited } = field;
        let shape = self.shape(shape, &format!("{above}{}", name.to_uppercase().replace(['-', '.'], "_")));
        let default = match default {
            None => "None".to_owned(),
            Some(Preset::Flag(flag)) => format!("Some(Preset::Flag({flag}))"),
            Some(Preset::Whole(number)) => format!("Some(Preset::Whole({number}))"),
            Some(Preset::Text(text)) => format!("Some(Preset::Text({text:?}))"),
        };
        format!(
            "\n        Field {{\n            name: {name:?}, place: Place::{place:?}, required: {required}, inherited: \
             {inherited}, default: {default},\n            shape: {shape},\n            doc: {doc:?},\n        }},"
        )
    }

    /// Returns a Rust expression for a shape. `name`: the preferred name for the constant of an object in the shape.
    fn shape(&mut self, shape: &Shape, name: &str) -> String {
        match shape {
            Shape::Object(object) => format!("Shape::Object(&{})", self.object(object, name)),
            Shape::Keyed(keyed) => {
                let item = self.shape(&keyed.item, name);
                format!("Shape::Keyed(&Keyed {{ keys: Grammar::{:?}, item: {item} }})", keyed.keys)
            }
            Shape::List(list) => {
                let item = self.shape(&list.item, name);
                format!("Shape::List(&List {{ min: {}, item: {item} }})", list.min)
            }
            Shape::Words(choices) => {
                let choice = |Choice { word, doc }: &Choice| {
                    format!("\n                Choice {{ word: {word:?}, doc: {doc:?} }},")
                };
                format!("Shape::Words(&[{}\n            ])", choices.iter().map(choice).collect::<String>())
            }
            Shape::Number(number) => format!("Shape::Number({})", self::number(*number)),
            Shape::NumberOr(number, other) => {
                let other = self.shape(other, name);
                format!("Shape::NumberOr({}, &{other})", self::number(*number))
            }
            Shape::Flag => "Shape::Flag".to_owned(),
            Shape::Text(grammar) => format!("Shape::Text(Grammar::{grammar:?})"),
            Shape::Scalar => "Shape::Scalar".to_owned(),
            Shape::Any => "Shape::Any".to_owned(),
        }
    }
}

fn number(number: Number) -> String {
    // The Debug output of `Number` is valid Rust.
    format!("Number::{number:?}")
}
