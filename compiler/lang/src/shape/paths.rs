//! Fields with paths of other files of the project.
use super::{Field, Shape};

/// The files that a field names, by paths relative to the file with the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paths {
    /// One spec.
    Spec,
    /// Specs, directories, and globs.
    Specs,
    /// One cluster file.
    Cluster,
}

impl Field {
    /// Returns which files of the project the strings of this field name. `None` for any other field: other fields of these names are
    /// blocks.
    #[must_use]
    pub fn paths(&self) -> Option<Paths> {
        let is_text = match &self.shape {
            Shape::List(list) => matches!(list.item, Shape::Text(_)),
            shape => matches!(shape, Shape::Text(_)),
        };
        match self.name {
            _ if !is_text => None,
            "extends" => Some(Paths::Spec),
            "specs" => Some(Paths::Specs),
            "cluster" => Some(Paths::Cluster),
            _ => None,
        }
    }

    /// Returns whether the strings of this field are settings, such as `role.worker.count=8`: see [`crate::merge::next`].
    #[must_use]
    pub fn has_settings(&self) -> bool {
        self.name == "set" && matches!(&self.shape, Shape::List(list) if matches!(list.item, Shape::Text(_)))
    }
}
