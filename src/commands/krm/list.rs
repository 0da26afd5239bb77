//! Reads a `ResourceList`: the position of each item in the text, so that items pass through unchanged, and the text of
//! `functionConfig`. Of other objects, only names, labels, and annotations are kept.
use super::walk::Walk;
use serde_json::{Map, Value, json};
use std::ops::Range;

/// Maximum size of a list. A spec has at most 1 MiB, but the list of `kustomize fn run` contains all objects of a directory.
pub const MAX_BYTES: usize = 8 << 20;

/// Maximum number of items.
pub const MAX_ITEMS: usize = 100_000;

/// The `kind` of the list.
pub const KIND: &str = "ResourceList";

/// The accepted values of `apiVersion`. KRM Functions Specification v1 defines both.
pub const VERSIONS: [&str; 2] = ["config.kubernetes.io/v1", "config.kubernetes.io/v1beta1"];

/// A `ResourceList`.
#[derive(Debug, Default)]
pub struct List {
    /// Value of `apiVersion`.
    pub version: String,
    /// Column of the dash of each item.
    pub indent: usize,
    /// The items.
    pub items: Vec<Item>,
    /// The text of `functionConfig`, with the columns of the list.
    pub config: String,
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Position in the text of the list. Whole lines if `is_block`.
    pub range: Range<usize>,
    /// Whether the item is an entry of a block sequence, which begins with a dash.
    pub is_block: bool,
    /// Name of the object. Empty if a part of it is missing.
    pub object: Option<Box<Object>>,
}

/// Name, labels, and annotations of an object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Object {
    /// `apiVersion`.
    pub version: String,
    /// `kind`.
    pub kind: String,
    /// `metadata.name`.
    pub name: String,
    /// `metadata.namespace`. Empty if it is not set.
    pub namespace: String,
    /// `metadata.labels`.
    pub labels: Vec<(String, String)>,
    /// `metadata.annotations`.
    pub annotations: Vec<(String, String)>,
}

/// Annotations with the file of an object, and its index in the file.
pub const FILE: [&str; 4] = [
    "config.kubernetes.io/path",
    "config.kubernetes.io/index",
    "internal.config.kubernetes.io/path",
    "internal.config.kubernetes.io/index",
];

impl Object {
    /// Returns whether both objects have the same `apiVersion`, `kind`, name, and namespace.
    pub fn is(&self, other: &Self) -> bool {
        let key = |one: &Self| [&one.version, &one.kind, &one.name, &one.namespace].map(Clone::clone);
        key(self) == key(other)
    }

    /// Returns whether the object has an annotation.
    pub fn has_annotation(&self, key: &str) -> bool {
        self.annotations.iter().any(|(own, _)| own == key)
    }

    /// Returns the annotations with the file of the object.
    pub fn file(&self) -> Vec<(String, String)> {
        self.annotations.iter().filter(|(key, _)| FILE.contains(&key.as_str())).cloned().collect()
    }

    /// Returns the object with its name and its labels only.
    pub fn value(&self) -> Value {
        let labels = self.labels.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str())));
        let mut metadata = json!({ "name": self.name, "labels": labels.collect::<Map<_, _>>() });
        if !self.namespace.is_empty() {
            metadata["namespace"] = Value::from(self.namespace.as_str());
        }
        json!({ "apiVersion": self.version, "kind": self.kind, "metadata": metadata })
    }

    /// Returns the name of the object in a YAML text with one object. `None` if a part of it is missing.
    pub fn of(text: &str) -> Option<Self> {
        let mut walk = Walk::object(text);
        walk.run().ok()?;
        walk.take_object()
    }
}

impl List {
    /// Returns whether an item has the name of an object.
    pub fn has(&self, object: &Object) -> bool {
        self.items.iter().any(|item| item.object.as_ref().is_some_and(|own| own.is(object)))
    }

    /// Reads a list.
    ///
    /// # Errors
    /// Returns a message if the text is not a list with `functionConfig`.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // YAML has three line breaks. The positions of items are those of lines, so only two of them are accepted.
        if text.split('\r').skip(1).any(|rest| !rest.starts_with('\n')) {
            return Err("the list has a carriage return without a line feed".to_owned());
        }
        let mut walk = Walk::list(text);
        walk.run()?;
        let [version, kind] = [walk.version.as_deref(), walk.kind.as_deref()];
        if kind != Some(KIND) || !version.is_some_and(|version| VERSIONS.contains(&version)) {
            return Err(format!(
                "not a {KIND}: expected an object with `apiVersion: {}` and `kind: {KIND}`; Kustomize starts this command with \
                 one",
                VERSIONS[0]
            ));
        }
        let Some(config) = walk.config.clone() else {
            return Err("`functionConfig` is missing: expected an object of kind `TFJobSpec`".to_owned());
        };
        let version = version.unwrap_or_default().to_owned();
        let config = columns(text, config);
        let is_block = walk.items.first().is_some_and(|item| item.is_block);
        let indent = if is_block { walk.indent } else { 0 };
        Ok(Self { version, indent, items: std::mem::take(&mut walk.items), config })
    }
}

/// Returns a part of the text. Its first line has spaces in front of it, so that its columns are those of the text.
fn columns(text: &str, range: Range<usize>) -> String {
    let start = line_start(text, range.start);
    let blank = text[start..range.start].chars().map(|_| ' ');
    blank.chain(text[range].chars()).collect()
}

/// Returns the start of the line that contains a position.
pub fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// Returns the start of the line with the dash before an item of a block sequence, and the column of this dash. Between the dash and
/// the item are only comments, anchors, and tags.
pub fn dash(text: &str, item: usize) -> Option<(usize, usize)> {
    let mut end = item;
    loop {
        let start = line_start(text, end);
        let line = &text[start..end];
        let column = line.len() - line.trim_start_matches(' ').len();
        if line[column..].starts_with('-') {
            return Some((start, column));
        }
        end = start.checked_sub(1)?;
    }
}

#[cfg(test)]
mod tests;
