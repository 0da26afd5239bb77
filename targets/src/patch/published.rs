//! Types that a platform has published, as constant tables. A patch and the merged artifact are checked against them.
//!
//! The tests in `targets/conformance/types` generate the tables from releases of the platforms.

/// A type with fields.
#[derive(Debug)]
pub struct Object {
    /// Name of the type on the platform.
    pub name: &'static str,
    /// Fields, sorted by name.
    pub fields: &'static [Field],
}

/// A field of an object.
#[derive(Debug)]
pub struct Field {
    /// Key of the field.
    pub name: &'static str,
    /// Type of the value.
    pub kind: Kind,
    /// Whether the platform requires the field.
    pub required: bool,
}

/// A list.
#[derive(Debug)]
pub struct List {
    /// Type of the items.
    pub item: Kind,
    /// Fields that together identify an item: no two items may have the same values in all of them. An empty name stands for the
    /// item itself.
    pub keys: &'static [&'static str],
}

/// The values of an enum.
#[derive(Debug)]
pub struct Words(pub &'static [&'static str]);

/// Types of values.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// An object.
    Object(&'static Object),
    /// A map with keys that the user chooses.
    Map(&'static Kind),
    /// A list.
    List(&'static List),
    /// An enum of strings.
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
    /// An integer or a fraction.
    Number,
    /// Any value.
    Any,
}

impl Object {
    /// Returns the field with this name, if the type has one.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}
