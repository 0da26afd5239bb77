//! What may stand where: the schema of the spec as a closed set of shapes, and the walk that finds every fault.
//!
//! A [`Shape`] is constant data: a table made from the schema that schemars derives from the spec's types, which a test
//! compares with it. [`read`] turns KDL into a tree by it, [`judge`] finds what is wrong with a tree's values, one text at a time, and [`require`] what is missing
//! after all texts are merged. Completion, hover and the reference read the same shapes.
mod build;
mod entries;
mod grammar;
mod judge;
mod keys;
pub(crate) mod literal;
mod misplaced;
mod misspelt;
mod normal;
mod nothing;
mod read;
mod reference;
mod repair;
mod require;
mod restate;
mod secret;
mod suggest;
mod table;
mod words;

pub use build::{
    Options, Unsupported, cluster_schema, job_schema, published_cluster_schema, published_schema,
};
pub use grammar::Grammar;
pub use judge::judge;
pub(crate) use judge::unknown_target;
pub(crate) use keys::splits_plainly;
pub(crate) use misplaced::whole_line;
pub use normal::normalize;
pub(crate) use nothing::fill;
pub use read::read;
pub use reference::reference;
pub use repair::repair;
pub use require::require;
pub use restate::restate;
#[cfg(test)]
pub(crate) use suggest::EXAMPLES;
pub(crate) use suggest::ours;
pub use table::table;

use std::fmt;

/// What may stand at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// Fields of its own, each with a name. The same fields in several places are shared.
    Object(&'static Object),
    /// Things by a name that the user gives.
    Keyed(&'static Keyed),
    /// Values in order.
    List(&'static List),
    /// One of a few words.
    Words(&'static [Choice]),
    /// A number.
    Number(Number),
    /// `#true` or `#false`.
    Flag,
    /// Text with a grammar.
    Text(Grammar),
    /// A whole number, or text or a word.
    NumberOr(Number, &'static Shape),
    /// Text, a number or a flag.
    Scalar,
    /// Anything: a part of a document that is not ours.
    Any,
}

/// A place with fields.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Object {
    /// What it is.
    pub doc: &'static str,
    /// The fields, in the order of their declaration.
    pub fields: &'static [Field],
    /// Whether other fields may stand there too: only in documents that are not ours.
    pub open: bool,
}

/// A field of an object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// How it stands in KDL.
    pub place: Place,
    /// What may stand there.
    pub shape: Shape,
    /// Whether it must be given.
    pub required: bool,
    /// What holds where it is not given, where that is one value.
    pub default: Option<Preset>,
    /// Whether a `target` block of the job passes it on to those of the roles.
    pub inherited: bool,
}

/// How a field stands in KDL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// An argument of its node.
    Arg,
    /// A property of its node.
    Prop,
    /// All arguments of a child node.
    Args,
    /// A child node.
    Child,
    /// A child node for each, whose first argument is the name.
    Named,
    /// A child node whose children are names and values.
    Pairs,
    /// A child node for each.
    List,
    /// A child node for each, whose first argument is the name of one of a fixed set, each with fields of its own.
    Targets,
}

/// Things by name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Keyed {
    /// The grammar of the names.
    pub keys: Grammar,
    /// Each thing.
    pub item: Shape,
}

/// Values in order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct List {
    /// Each value.
    pub item: Shape,
    /// At least so many.
    pub min: usize,
}

/// One of the words of a [`Shape::Words`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The word.
    pub word: &'static str,
    /// What it means; may be empty.
    pub doc: &'static str,
}

/// The numbers that are accepted; both ends are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// Whole numbers.
    Whole {
        /// The least.
        min: i128,
        /// The greatest.
        max: i128,
    },
    /// All numbers.
    Real {
        /// The least, if there is one.
        min: Option<f64>,
        /// The greatest, if there is one.
        max: Option<f64>,
        /// Whether only cores are: steps of 0.1.
        cores: bool,
    },
}

/// The value of a field that is not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preset {
    /// A flag.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// Text or a word.
    Text(&'static str),
}

/// As KDL writes it.
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
    /// Whether it is one value: in KDL an argument or a property.
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

    /// The fields, if it has some of its own.
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

    /// The field that a path of nodes leads to. A step is a node's name, and its first argument where it has one:
    /// `[("job", None), ("target", Some("x")), ("queue", None)]`.
    #[must_use]
    pub fn find(&self, path: &[(&str, Option<&str>)]) -> Option<&Field> {
        let ((name, _), above) = path.split_last()?;
        self.block(above)?.field(name)
    }

    /// The fields that may stand in the block that a path of nodes leads to; the empty path is the file.
    #[must_use]
    pub fn block(&self, path: &[(&str, Option<&str>)]) -> Option<&Object> {
        path.iter().try_fold(self.object()?, |object, (name, key)| object.field(name)?.block(*key))
    }
}

impl Object {
    /// The field of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The fields in that place of its node.
    pub fn at(&self, place: Place) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(move |field| field.place == place)
    }

    /// The fields that are nodes in its block.
    pub fn nodes(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.place.is_node())
    }
}

impl Field {
    /// The fields of one such node: of the thing of that name, where the name decides.
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

    /// The first sentence of its documentation.
    #[must_use]
    pub fn brief(&self) -> &str {
        let first = self.doc.split("\n\n").next().unwrap_or_default();
        first.find(". ").map_or(first, |end| &first[..=end]).trim_end_matches('.')
    }
}

impl Place {
    /// Whether the field is a node of its own.
    #[must_use]
    pub const fn is_node(self) -> bool {
        match self {
            Self::Arg | Self::Prop => false,
            Self::Args | Self::Child | Self::Named | Self::Pairs | Self::List | Self::Targets => true,
        }
    }

    /// Whether the field's node may stand more than once in a block.
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
