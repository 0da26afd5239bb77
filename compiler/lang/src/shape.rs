//! The schema of the spec as a closed set of shapes, and the validation against it.
//!
//! A [`Shape`] is constant data: a table generated from the schema that schemars derives from the types of the spec. A test
//! compares the table with that schema. [`read`] converts KDL to a tree, [`judge`] validates the values of one file, and
//! [`require`] finds missing fields after the merge. Completion, hover, and the reference use the same shapes.
mod build;
mod entries;
mod grammar;
mod judge;
pub(crate) mod keys;
pub(crate) mod literal;
mod misplaced;
mod misspelt;
mod normal;
mod nothing;
mod of_child;
mod paths;
mod read;
mod reference;
mod repair;
mod require;
mod restate;
mod schema;
mod secret;
mod suggest;
mod table;
pub(crate) mod words;

pub use build::Unsupported;
pub use grammar::Grammar;
pub use judge::judge;
pub(crate) use judge::unknown_target;
pub(crate) use keys::splits_plainly;
pub(crate) use misplaced::{block_end, header_end, removal, with_blanks_before};
pub use normal::normalize;
pub(crate) use nothing::fill;
pub use paths::Paths;
#[cfg(test)]
pub(crate) use read::JOINED;
pub use read::read;
pub use reference::reference;
pub use repair::{repair, skipped};
pub use require::require;
pub use restate::restate;
pub use schema::{
    Options, cluster_schema, job_schema, project_schema, published_cluster_schema, published_schema,
};
#[cfg(test)]
pub(crate) use suggest::EXAMPLES;
pub(crate) use suggest::ours;
pub use suggest::{example_of, foreign_keywords, foreign_names, foreign_values, keyword_of};
pub use table::table;
pub use words::one_of;

use std::fmt;

/// Schema of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// An object with named fields. Equal objects share one constant.
    Object(&'static Object),
    /// A map with user-defined names.
    Keyed(&'static Keyed),
    /// A list.
    List(&'static List),
    /// One of several keywords.
    Words(&'static [Choice]),
    /// A number.
    Number(Number),
    /// A boolean: `#true` or `#false`.
    Flag,
    /// A string with a [`Grammar`].
    Text(Grammar),
    /// An integer, or a value of the shape in the second field: a string or a keyword.
    NumberOr(Number, &'static Shape),
    /// A string, a number, or a boolean.
    Scalar,
    /// Any value, as in a document of another system.
    Any,
}

/// An object with fields.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Object {
    /// Description of the object.
    pub doc: &'static str,
    /// Fields, in order of declaration.
    pub fields: &'static [Field],
    /// Whether unknown fields are allowed. True only in documents of other systems.
    pub open: bool,
}

/// A field of an object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    /// Name of the field.
    pub name: &'static str,
    /// Description of the field.
    pub doc: &'static str,
    /// Place of the field in KDL.
    pub place: Place,
    /// Schema of the value.
    pub shape: Shape,
    /// Whether the field is required.
    pub required: bool,
    /// Default value, if the default is a single value.
    pub default: Option<Preset>,
    /// Whether roles inherit the option from the `target` block of the job.
    pub inherited: bool,
}

/// Where a field is written in KDL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// An argument of the node that has the field.
    Arg,
    /// A property of the node that has the field.
    Prop,
    /// All arguments of a child node.
    Args,
    /// A child node with a block.
    Child,
    /// A child node per item; its first argument is the name.
    Named,
    /// A child node whose children are names and values.
    Pairs,
    /// A child node per item.
    List,
    /// A child node per target; its first argument is the target, which defines the fields.
    Targets,
}

/// A map with names that the user chooses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Keyed {
    /// Grammar of the names.
    pub keys: Grammar,
    /// Schema of the items.
    pub item: Shape,
}

/// A list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct List {
    /// Schema of the items.
    pub item: Shape,
    /// Minimum length.
    pub min: usize,
}

/// A keyword of a [`Shape::Words`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The keyword.
    pub word: &'static str,
    /// Description; may be empty.
    pub doc: &'static str,
}

/// Accepted numbers; both bounds are inclusive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// Integers.
    Whole {
        /// Minimum.
        min: i128,
        /// Maximum.
        max: i128,
    },
    /// Integers and floating-point numbers.
    Real {
        /// Minimum, if any.
        min: Option<f64>,
        /// Maximum, if any.
        max: Option<f64>,
        /// Whether only multiples of 0.1 are accepted (CPU cores).
        cores: bool,
    },
}

/// Default value of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preset {
    /// A boolean.
    Flag(bool),
    /// An integer.
    Whole(i64),
    /// A string or keyword.
    Text(&'static str),
}

/// Formats the value as a KDL literal.
impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(f, "#{flag}"),
            Self::Whole(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(&crate::syntax::literal::quote(text)),
        }
    }
}

impl Shape {
    /// Returns whether the shape is a single value: in KDL, an argument or a property.
    #[must_use]
    pub const fn is_scalar(&self) -> bool {
        match self {
            Self::Words(_)
            | Self::Number(_)
            | Self::Flag
            | Self::Text(_)
            | Self::NumberOr(..)
            | Self::Scalar => true,
            Self::Object(_) | Self::Keyed(_) | Self::List(_) | Self::Any => false,
        }
    }

    /// Returns the object, if the shape is an object.
    #[must_use]
    pub const fn object(&self) -> Option<&'static Object> {
        match self {
            Self::Object(object) => Some(object),
            Self::Keyed(_)
            | Self::List(_)
            | Self::Words(_)
            | Self::Number(_)
            | Self::Flag
            | Self::Text(_)
            | Self::NumberOr(..)
            | Self::Scalar
            | Self::Any => None,
        }
    }

    /// Returns the map, if the shape is a map with user-defined names.
    #[must_use]
    pub const fn keyed(&self) -> Option<&'static Keyed> {
        match self {
            Self::Keyed(keyed) => Some(keyed),
            Self::Object(_)
            | Self::List(_)
            | Self::Words(_)
            | Self::Number(_)
            | Self::Flag
            | Self::Text(_)
            | Self::NumberOr(..)
            | Self::Scalar
            | Self::Any => None,
        }
    }

    /// Returns the field at a path of nodes. Each step is the name of a node and its first argument, if any:
    /// `[("job", None), ("target", Some("x")), ("queue", None)]`.
    #[must_use]
    pub fn find(&self, path: &[(&str, Option<&str>)]) -> Option<&Field> {
        let ((name, _), above) = path.split_last()?;
        self.block(above)?.field(name)
    }

    /// Returns the object at a path of nodes. The empty path is the file.
    #[must_use]
    pub fn block(&self, path: &[(&str, Option<&str>)]) -> Option<&Object> {
        path.iter().try_fold(self.object()?, |object, (name, key)| object.field(name)?.block(*key))
    }
}

impl Object {
    /// Returns the field with this name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Returns the fields with this place.
    pub fn at(&self, place: Place) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(move |field| field.place == place)
    }

    /// Returns the fields that a help may suggest. Some options, such as the source of the shim, have the same properties on every
    /// target, although a target accepts only some of them. Of such an option, returns the properties that its description names.
    pub fn offered(&self) -> impl Iterator<Item = &Field> {
        let is_named = |field: &Field| self.doc.contains(&format!("`{}`", field.name));
        let alternatives = self.fields.iter().all(|field| field.place == Place::Prop && !field.required);
        let some = alternatives && self.fields.iter().any(is_named);
        self.fields.iter().filter(move |field| !some || is_named(field))
    }

    /// Returns the fields that are nodes in the block.
    pub fn nodes(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.place.is_node())
    }
}

impl Field {
    /// Returns the object that defines the fields inside a node of this field, if any. `key`: the first argument of the node; in
    /// `target "X"`, it selects the target.
    #[must_use]
    pub fn block(&self, key: Option<&str>) -> Option<&Object> {
        match (self.place, &self.shape) {
            (Place::Targets, Shape::Object(targets)) => targets.field(key?)?.shape.object(),
            (_, Shape::Object(object)) => Some(object),
            (_, Shape::Keyed(keyed)) => keyed.item.object(),
            (_, Shape::List(list)) => list.item.object(),
            (_, _) => None,
        }
    }

    /// Returns the first sentence of the description.
    #[must_use]
    pub fn brief(&self) -> &str {
        let first = self.doc.split("\n\n").next().unwrap_or_default();
        first.find(". ").map_or(first, |end| &first[..=end]).trim_end_matches('.')
    }
}

impl Place {
    /// Returns whether the field is a node.
    #[must_use]
    pub const fn is_node(self) -> bool {
        match self {
            Self::Arg | Self::Prop => false,
            Self::Args | Self::Child | Self::Named | Self::Pairs | Self::List | Self::Targets => true,
        }
    }

    /// Returns whether the node may occur more than once in a block.
    #[must_use]
    pub const fn repeats(self) -> bool {
        match self {
            Self::Named | Self::List | Self::Targets => true,
            Self::Arg | Self::Prop | Self::Args | Self::Child | Self::Pairs => false,
        }
    }
}

#[cfg(test)]
mod doubled;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod random;
#[cfg(test)]
pub(crate) mod tests;
