//! The plain form of an object in JSON and YAML: `image: x` for `image: { name: x }`. This form is allowed where KDL takes
//! exactly one argument.
use super::{Field, Object, Place, Shape};
use crate::sources::Span;
use crate::tree::{Entry, Tree, Value};

impl Object {
    /// Returns the field that a plain value sets: the only argument of the KDL form. `None` if the KDL form has no argument
    /// or several.
    #[must_use]
    pub fn plain(&self) -> Option<&Field> {
        let mut arguments = self.at(Place::Arg);
        let first = arguments.next()?;
        arguments.next().is_none().then_some(first)
    }

    /// Returns whether a plain value can replace the whole object, because only the field of the plain value is required.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let plain = self.plain().map(|field| field.name);
        plain.is_some() && self.fields.iter().all(|field| !field.required || plain == Some(field.name))
    }
}

/// Replaces each plain value by its object, so that `extends`, merging, and `--set` handle only one form. Null is kept.
pub fn normalize(tree: &mut Tree, shape: &Shape) {
    match (shape, &mut tree.value) {
        (Shape::Object(object), Value::Map(entries)) => {
            for entry in entries {
                if let Some(field) = object.field(&entry.key) {
                    normalize(&mut entry.tree, &field.shape);
                }
            }
        }
        (Shape::Keyed(keyed), Value::Map(entries)) => {
            entries.iter_mut().for_each(|entry| normalize(&mut entry.tree, &keyed.item));
        }
        (Shape::List(list), Value::List(items)) => {
            items.iter_mut().for_each(|item| normalize(item, &list.item));
        }
        (
            Shape::Object(object),
            value @ (Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_)),
        ) => {
            if let Some(field) = object.plain() {
                *value = within(field.name, tree.span, std::mem::replace(value, Value::Hole));
            }
        }
        (_, _) => {}
    }
}

/// Returns an object with this field. The span of its key is that of the value, as for KDL arguments.
fn within(name: &str, span: Span, value: Value) -> Value {
    Value::Map(vec![Entry { key: name.to_owned(), key_span: span, tree: Tree { span, value } }])
}
