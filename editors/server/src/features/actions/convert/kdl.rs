//! Writes a tree as KDL, in the places that the shape declares.
use super::number;
use std::fmt::Write;
use tfjob_lang::shape::{Field, Object, Place, Shape};
use tfjob_lang::sources::Source;
use tfjob_lang::syntax::literal::quote;
use tfjob_lang::tree::{Entry, Tree, Value};

/// Writes a tree as KDL. `None` if it has a value that could not be read, or a field that the shape does not have.
pub fn write(source: &Source, tree: &Tree, shape: &Shape) -> Option<String> {
    let mut writer = Writer { source, out: String::new() };
    writer.fields(tree.entries(), shape.object()?, 0)?;
    Some(writer.out)
}

struct Writer<'s> {
    source: &'s Source,
    out: String,
}

impl Writer<'_> {
    /// Writes the nodes of a block. `None` if the shape does not have one of the fields.
    fn fields(&mut self, entries: &[Entry], object: &Object, depth: usize) -> Option<()> {
        for entry in entries {
            let field = object.field(&entry.key)?;
            if field.place.is_node() {
                self.field(entry, field, depth)?;
            }
        }
        Some(())
    }

    fn field(&mut self, entry: &Entry, field: &Field, depth: usize) -> Option<()> {
        let (name, tree) = (field.name, &entry.tree);
        match (field.place, &field.shape) {
            (Place::Args, _) => {
                let words: Option<Vec<String>> = list(tree)?.iter().map(|item| self.scalar(item)).collect();
                self.line(depth, &format!("{name} {}", words?.join(" ")));
            }
            (Place::Child, shape) => self.entry(name, tree, shape, depth)?,
            (Place::Named, Shape::Keyed(keyed)) => {
                for item in tree.entries() {
                    self.entry(&format!("{name} {}", quote(&item.key)), &item.tree, &keyed.item, depth)?;
                }
            }
            (Place::Pairs, _) => {
                self.line(depth, &format!("{name} {{"));
                for pair in tree.entries() {
                    let value = self.scalar(&pair.tree)?;
                    self.line(depth + 1, &format!("{} {value}", word(&pair.key)));
                }
                self.line(depth, "}");
            }
            (Place::List, Shape::List(shape)) => {
                for item in list(tree)? {
                    self.entry(name, item, &shape.item, depth)?;
                }
            }
            (Place::Targets, Shape::Object(targets)) => {
                for target in tree.entries() {
                    let object = targets.field(&target.key)?.shape.object()?;
                    self.line(depth, &format!("{name} {} {{", quote(&target.key)));
                    self.fields(target.tree.entries(), object, depth + 1)?;
                    self.line(depth, "}");
                }
            }
            (Place::Arg | Place::Prop | Place::Named | Place::List | Place::Targets, _) => return None,
        }
        Some(())
    }

    /// Writes a node with a value, or with arguments, properties, and a block. `head`: its name, and the name of the entry.
    fn entry(&mut self, head: &str, tree: &Tree, shape: &Shape, depth: usize) -> Option<()> {
        let Some(object) = shape.object() else {
            let value = self.scalar(tree)?;
            self.line(depth, &format!("{head} {value}"));
            return Some(());
        };
        let mut line = head.to_owned();
        for field in object.at(Place::Arg) {
            if let Some(value) = tree.get(field.name) {
                let _ = write!(line, " {}", self.scalar(value)?);
            }
        }
        let mut has_block = false;
        for entry in tree.entries() {
            let field = object.field(&entry.key)?;
            has_block |= field.place.is_node();
            if field.place == Place::Prop {
                let _ = write!(line, " {}={}", field.name, self.scalar(&entry.tree)?);
            }
        }
        if !has_block {
            self.line(depth, &line);
            return Some(());
        }
        self.line(depth, &format!("{line} {{"));
        self.fields(tree.entries(), object, depth + 1)?;
        self.line(depth, "}");
        Some(())
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "    ".repeat(depth));
    }

    fn scalar(&self, tree: &Tree) -> Option<String> {
        match &tree.value {
            Value::Bool(flag) => Some(format!("#{flag}")),
            Value::Int(_) | Value::Float(_) => number(self.source, tree),
            Value::Text(text) => Some(quote(text)),
            Value::Null | Value::List(_) | Value::Map(_) | Value::Hole => None,
        }
    }
}

fn list(tree: &Tree) -> Option<&[Tree]> {
    if let Value::List(items) = &tree.value { Some(items) } else { None }
}

/// Returns a name of the user as the name of a node: without quotes if that is possible.
fn word(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let keyword = ["true", "false", "null", "inf", "nan"].contains(&name);
    if starts && name.chars().all(plain) && !keyword { name.to_owned() } else { quote(name) }
}
