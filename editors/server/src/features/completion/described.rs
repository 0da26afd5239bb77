//! Descriptions of the names and keywords in the placeholders of a new entry: a list of choices in a snippet shows none.
use super::context::Context;
use super::names;
use tfjob_lang::shape::{Field, Place, Shape};

/// Returns a list of the names and keywords that a new entry of a field may have, in Markdown. Empty if none has a description.
pub fn choices(context: &Context<'_>, field: &Field) -> String {
    let mut text = match field.place {
        Place::Named | Place::Targets => of_names(context, field),
        Place::Arg | Place::Prop | Place::Args | Place::Child | Place::Pairs | Place::List => {
            of_shape(&field.shape)
        }
    };
    if !text.is_empty() {
        text.insert(0, '\n');
    }
    let inner = field.block(None).filter(|_| field.place.is_node()).map_or(&[][..], |block| block.fields);
    for field in inner.iter().filter(|field| !field.place.is_node()) {
        let list = of_shape(&field.shape);
        if !list.is_empty() {
            text.push_str(&format!("\n\n`{}`:\n{list}", field.name));
        }
    }
    text
}

fn of_names(context: &Context<'_>, field: &Field) -> String {
    let new = names::of(context, field);
    let known = names::entries(context, field).into_iter().filter(|name| new.contains(&name.text));
    known.map(|name| line(&name.text, &name.about, &name.detail)).collect()
}

fn of_shape(shape: &Shape) -> String {
    let choices = if let Shape::Words(choices) = shape { choices } else { &[][..] };
    choices.iter().map(|choice| line(choice.word, choice.doc, "")).collect()
}

/// Returns a list item with the first description that is not empty. Empty without one.
fn line(name: &str, about: &str, detail: &str) -> String {
    let about = if about.is_empty() { detail } else { about };
    if about.is_empty() { String::new() } else { format!("\n- `{name}`: {about}") }
}
