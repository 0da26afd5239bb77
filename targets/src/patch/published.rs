//! Published types of a platform, as constant tables against which a patch and the merged artifact are checked.
//!
//! `targets/conformance/types` generates the tables from releases of the platforms.

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
    /// Key.
    pub name: &'static str,
    /// Type of the values.
    pub kind: Kind,
    /// Whether the platform requires the field.
    pub required: bool,
}

/// A list.
#[derive(Debug)]
pub struct List {
    /// Type of the items.
    pub item: Kind,
    /// Fields that must differ between items. An empty name stands for the item itself.
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
    /// Any number.
    Number,
    /// Any value.
    Any,
}

impl Object {
    /// Returns the field with this name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}
