//! Example keys for the help of blocks that `--set` cannot set as a whole: `resources.cpus=…` for `resources`.
use crate::shape::{Keyed, Object, Place, Shape};
use crate::tree::Tree;

/// Returns an example for the fields of an object, such as `cpus=…`: the first field with a single value.
pub fn object(object: &Object) -> Option<String> {
    let scalar = |place: fn(Place) -> bool| {
        object.fields.iter().find(|field| place(field.place) && field.shape.is_scalar())
    };
    let field = scalar(|place| place == Place::Prop).or_else(|| scalar(|_| true))?;
    Some(format!("{}=…", field.name))
}

/// Returns an example with a named entry of the spec, such as `worker.count=…`, or with a placeholder, such as `NAME=…`.
pub fn keyed(keyed: &Keyed, there: Option<&Tree>) -> Option<String> {
    let name = first(there);
    match &keyed.item {
        Shape::Object(inner) => {
            let name = name?;
            let argument = inner.at(Place::Arg).next().map(|_| format!("{name}=…"));
            argument.or_else(|| Some(format!("{name}.{}", object(inner)?)))
        }
        _ => Some(format!("{}=…", name.unwrap_or("NAME"))),
    }
}

/// Returns an example with an option of the first target that the spec configures. If the spec configures no target, the example
/// is for the first target of tfjob.
pub fn targets(targets: &Object, there: Option<&Tree>) -> Option<String> {
    let target = first(there).and_then(|name| targets.field(name)).or(targets.fields.first())?;
    Some(format!("{}.{}", target.name, object(target.shape.object()?)?))
}

/// Of the names in a map, returns the first one that needs no quotes in a key of `--set`.
fn first(there: Option<&Tree>) -> Option<&str> {
    let mut names = there.map_or(&[][..], Tree::entries).iter().map(|entry| entry.key.as_str());
    names.find(|name| !name.is_empty() && !name.contains(['.', '=', '"']))
}
