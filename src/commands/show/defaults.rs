//! What a spec leaves to the language: each value that holds though nobody wrote it, by the path that `--set` takes.
use std::io::{self, Write};
use tfjob_lang::shape::{Field, Place, Preset, Shape};
use tfjob_lang::tree::Tree;

/// Writes one `KEY=VALUE` a line, for the nodes that are there; what a target would add is not the language's.
///
/// # Errors
/// Those of `out`.
pub fn print(tree: &Tree, shape: &Shape, out: &mut dyn Write) -> io::Result<()> {
    let Some(job) = tree.get("job") else { return Ok(()) };
    shape.find(&[("job", None)]).map_or(Ok(()), |field| below("", &field.shape, job, out))
}

fn below(path: &str, shape: &Shape, tree: &Tree, out: &mut dyn Write) -> io::Result<()> {
    match shape {
        Shape::Object(object) => object.fields.iter().try_for_each(|field| one(path, field, tree, out)),
        Shape::Keyed(keyed) => tree
            .entries()
            .iter()
            .try_for_each(|entry| below(&step(path, &entry.key), &keyed.item, &entry.tree, out)),
        // No path leads into a list, and its items have no names.
        Shape::List(_)
        | Shape::Words(_)
        | Shape::Number(_)
        | Shape::Flag
        | Shape::Text(_)
        | Shape::NumberOr(..)
        | Shape::Scalar
        | Shape::Any => Ok(()),
    }
}

fn one(path: &str, field: &Field, parent: &Tree, out: &mut dyn Write) -> io::Result<()> {
    let path = step(path, field.name);
    match (parent.get(field.name), &field.default) {
        (Some(_), _) if field.place == Place::Targets => Ok(()),
        (Some(tree), _) => below(&path, &field.shape, tree, out),
        (None, Some(Preset::Text(word))) => writeln!(out, "{path}={word}"),
        (None, Some(Preset::Flag(flag))) => writeln!(out, "{path}={flag}"),
        (None, Some(Preset::Whole(number))) => writeln!(out, "{path}={number}"),
        (None, None) => Ok(()),
    }
}

/// A name with a dot stands in quotes, as in `--set`.
fn step(path: &str, name: &str) -> String {
    let name = if name.contains('.') { format!("\"{name}\"") } else { name.to_owned() };
    if path.is_empty() { name } else { format!("{path}.{name}") }
}
