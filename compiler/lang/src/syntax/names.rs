//! Keywords by which the parser recognizes mistakes, before the validation against the shape.

/// Names of entries. If one of these names occurs as a bare word among the values of another entry, it begins a new entry.
pub(crate) const ENTRIES: &[&str] = &[
    "after",
    "allow",
    "checkpoints",
    "code",
    "codes",
    "data",
    "deadline",
    "description",
    "device",
    "env",
    "extends",
    "files",
    "framework",
    "hadoop",
    "helper",
    "image",
    "job",
    "keep",
    "kerberos",
    "labels",
    "network",
    "node",
    "param",
    "partition",
    "placement",
    "port",
    "protocol",
    "ready",
    "resources",
    "restart",
    "role",
    "run",
    "secret",
    "secrets",
    "shell",
    "spread",
    "start",
    "stop",
    "success",
    "target",
    "tensorboard",
    "user",
    "workdir",
];

/// Entries that have only arguments and no block.
pub(crate) const ARGUMENTS: &[&str] = &["codes", "run", "secrets"];

/// Entries that have a block of names and values.
pub(crate) const PAIRS: &[&str] = &["env", "labels"];

/// Keys by which other systems write a pair: `name: LR, value: 0.1`.
pub(crate) const NAMING: &[&str] = &["key", "name", "value"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Place, Shape};
    use std::collections::BTreeSet;

    fn collect(shape: &Shape, wanted: &dyn Fn(Place) -> bool, found: &mut BTreeSet<&'static str>) {
        match shape {
            Shape::Object(object) => {
                for field in object.fields {
                    if wanted(field.place) {
                        found.insert(field.name);
                    }
                    if field.place != Place::Targets {
                        collect(&field.shape, wanted, found);
                    }
                }
            }
            Shape::Keyed(keyed) => collect(&keyed.item, wanted, found),
            Shape::List(list) => collect(&list.item, wanted, found),
            Shape::Flag
            | Shape::Words(_)
            | Shape::Number(_)
            | Shape::Text(_)
            | Shape::NumberOr(..)
            | Shape::Scalar
            | Shape::Any => {}
        }
    }

    #[test]
    fn the_names_are_those_of_the_spec() {
        let shape = Shape::job(&[]).unwrap();
        let all = |wanted: &dyn Fn(Place) -> bool| {
            let mut found = BTreeSet::new();
            collect(&shape, wanted, &mut found);
            found.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(all(&|place| place.is_node()), ENTRIES);
        assert_eq!(all(&|place| place == Place::Args), ARGUMENTS);
        assert_eq!(all(&|place| place == Place::Pairs), PAIRS);
    }
}
