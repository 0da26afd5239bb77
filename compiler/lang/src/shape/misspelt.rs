//! Decides whether an unknown entry can be read as a field with a similar name.
use super::suggest::ours;
use super::{Field, Object, Place, Shape};
use crate::diagnostic::nearest;
use crate::syntax::{Node, Scalar};

/// Returns whether the entry has the form of the field. If so, the entry is read and validated as this field.
pub fn is(field: &Field, node: &Node) -> bool {
    let arguments = node.entries.iter().filter(|entry| entry.key.is_none()).count();
    let properties = arguments < node.entries.len();
    match (field.place, &field.shape) {
        (Place::Args, Shape::List(list)) => arguments >= list.min && !properties && node.children.is_none(),
        (Place::Pairs, _) => node.entries.is_empty() && node.children.is_some(),
        (Place::Named | Place::Targets, shape) => {
            let Some(name) = node.entries.iter().find(|entry| entry.key.is_none()) else { return false };
            let Scalar::Text(name) = &name.value else { return false };
            let fine = match shape {
                Shape::Keyed(keyed) => keyed.keys.check(name).is_ok(),
                Shape::Object(targets) => targets.field(name).is_some(),
                _ => false,
            };
            fine && match field.block(Some(name)) {
                Some(object) => fits(object, node, arguments - 1),
                None => arguments == 2 && !properties && node.children.is_none(),
            }
        }
        (_, Shape::Object(object)) => fits(object, node, arguments),
        (Place::List, Shape::List(list)) => match &list.item {
            Shape::Object(object) => fits(object, node, arguments),
            _ => arguments == 1 && !properties && node.children.is_none(),
        },
        (_, _) => arguments == 1 && !properties && node.children.is_none(),
    }
}

fn fits(object: &Object, node: &Node, arguments: usize) -> bool {
    let due = object.at(Place::Arg).filter(|field| field.required).count();
    let names = || object.at(Place::Prop).map(|field| field.name);
    let translated =
        |key: &str| ours(key).is_some_and(|(field, same)| same && names().any(|name| name == field));
    let known = |key: &str| nearest(key, names()).is_some() || translated(key);
    (due..=object.at(Place::Arg).count()).contains(&arguments)
        && node.entries.iter().filter_map(|entry| entry.key.as_ref()).all(|(key, _)| known(key))
        && (node.children.is_none() || object.nodes().next().is_some())
}
