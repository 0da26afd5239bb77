//! Types as a platform publishes them: constant tables that a patch and the merged artifact are checked against.
//!
//! `targets/conformance/types` writes the tables from the platforms' releases.

/// A type with fields.
#[derive(Debug)]
pub struct Object {
    /// The platform's own name of it.
    pub name: &'static str,
    /// The fields, sorted by name.
    pub fields: &'static [Field],
}

/// A field of an object.
#[derive(Debug)]
pub struct Field {
    /// The key.
    pub name: &'static str,
    /// The values it takes.
    pub kind: Kind,
    /// Whether the platform refuses an object without it.
    pub required: bool,
}

/// A list.
#[derive(Debug)]
pub struct List {
    /// Each item.
    pub item: Kind,
    /// The fields that no two items may share; one empty name stands for the item itself.
    pub keys: &'static [&'static str],
}

/// The values of an enum.
#[derive(Debug)]
pub struct Words(pub &'static [&'static str]);

/// The values that a field takes.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// An object.
    Object(&'static Object),
    /// Values by keys that the user chooses.
    Map(&'static Kind),
    /// A list.
    List(&'static List),
    /// One of a few strings.
    Words(&'static Words),
    /// A string.
    Text,
    /// A boolean.
    Boolean,
    /// A 32-bit integer.
    Int32,
    /// A 64-bit integer.
    Int64,
    /// A quantity such as `500m` or `16Gi`: a string or an integer.
    Quantity,
    /// An integer or a string.
    IntOrText,
    /// Any number.
    Number,
    /// Any value.
    Any,
}

impl Object {
    /// Returns the field of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}
