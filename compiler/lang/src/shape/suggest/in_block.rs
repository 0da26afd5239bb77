//! Names with another meaning in some blocks, and the search for a name in all blocks.
use crate::diagnostic::nearest;
use crate::shape::{Field, Shape};

/// Names that mean another field, but only in some blocks: the name, the field that it means, and a field that identifies these
/// blocks. For example, `max` means `count` in a block that has `count` and `min`.
const IN_BLOCKS: &[(&str, &str, &str)] = &[
    ("max", "count", "min"),
    ("target", "on", "because"),
    ("default", "value", "value"),
    ("branch", "ref", "ref"),
    ("commit", "ref", "ref"),
    ("revision", "ref", "ref"),
    ("tag", "ref", "ref"),
];

/// Returns the field that the word of another system means, according to [`IN_BLOCKS`]. A row applies only if the block has both
/// fields of the row. `has`: returns whether the block has a field of a name.
pub fn in_block(word: &str, has: impl Fn(&str) -> bool) -> Option<&'static str> {
    let mut rows = IN_BLOCKS.iter().filter(|(name, ..)| *name == word);
    rows.find(|(_, field, other)| has(field) && has(other)).map(|(_, field, _)| *field)
}

/// Returns whether a name is similar to the field `near`, and is an entry in the block of this field: `node` in `nodes`. Then the
/// place in which the name is valid is no help.
pub(super) fn is_inside(here: &[&Field], near: &str, word: &str) -> bool {
    let field = here.iter().find(|field| field.name == near && nearest(word, [near]).is_some());
    field.and_then(|field| field.block(None)).is_some_and(|block| block.field(word).is_some())
}

/// Returns whether any field has this name, including the fields of `target` blocks and of their patches.
pub(super) fn is_any_name(shape: &Shape, word: &str) -> bool {
    match shape {
        Shape::Object(object) => {
            object.fields.iter().any(|field| field.name == word || is_any_name(&field.shape, word))
        }
        Shape::Keyed(keyed) => is_any_name(&keyed.item, word),
        Shape::List(list) => is_any_name(&list.item, word),
        Shape::Words(_)
        | Shape::Number(_)
        | Shape::Flag
        | Shape::Text(_)
        | Shape::NumberOr(..)
        | Shape::Scalar
        | Shape::Any => false,
    }
}
