//! `tfjob show --defaults`: the default values of the fields that a spec does not set, with the keys of `--set`.
use std::io::{self, Write};
use tfjob_lang::shape::{Field, Place, Preset, Shape};
use tfjob_lang::tree::Tree;

/// Prints one `KEY=VALUE` per line: the defaults in the job and in each of its blocks that the spec contains, without those of
/// targets.
///
/// # Errors
/// Returns an error if `out` cannot be written.
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
        // `--set` has no keys for the items of a list, so these are skipped.
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

/// Appends a name to a key. A name with a dot is quoted, as in `--set`.
fn step(path: &str, name: &str) -> String {
    let name = if name.contains('.') { format!("\"{name}\"") } else { name.to_owned() };
    if path.is_empty() { name } else { format!("{path}.{name}") }
}
