//! Reports unknown properties in KDL.
use super::{Reader, hole, put, scalar};
use crate::codes::UNKNOWN_PROPERTY;
use crate::diagnostic::Diagnostic;
use crate::shape::of_child::Moved;
use crate::shape::secret::{SECRET, is_value};
use crate::shape::suggest::Meant;
use crate::shape::{Field, Object, Place, of_child, repair};
use crate::sources::Span;
use crate::syntax::{Node, NodeEntry};
use crate::tree::Entry;

impl<'a> Reader<'a> {
    pub(super) fn unknown_property(
        &mut self,
        object: &'a Object,
        node: &Node,
        entry: &NodeEntry,
        (key, at): (&str, Span),
        entries: &mut Vec<Entry>,
    ) {
        if node.name == SECRET && is_value(key) {
            return self.secret_value(object, node, &[entry], entries);
        }
        if node.name == SECRET && key == "env" && self.variable_of_secret(node, entry, at, entries) {
            return;
        }
        let here: Vec<&Field> = object.offered().filter(|field| field.place == Place::Prop).collect();
        let mut meant = Meant::find(self.root, key, &here, self.out.len());
        // The property counts as set in two cases: the node has it, or an earlier misspelled name or an argument was read as this
        // property.
        let is_given =
            |near: &str| node.property(near).is_some() || entries.iter().any(|entry| entry.key == near);
        meant.taken = meant.near.is_some_and(is_given);
        let fact = format!("unknown property `{key}` in `{}`", node.name);
        let mut told = Diagnostic::new(&UNKNOWN_PROPERTY, at, fact).here("unknown property");
        if here.is_empty() {
            told = told.help(format!("`{}` has no properties", node.name));
        }
        let value = scalar(entry).value;
        let field = meant.near.and_then(|near| object.field(near));
        let fits = field.is_some_and(|field| repair::fits(&value, &field.shape));
        let told = meant.tell(told, at).if_sure(fits);
        let block = of_child::child_with(object, key).filter(|_| meant.near.is_none());
        self.out.push(match block {
            Some((block, property)) => self.of_block(told, (object, block, property), node),
            None => told,
        });
        // The block is not reported as missing.
        if let Some((block, _)) = block
            && !node.children.iter().flatten().any(|child| child.name == block.name)
        {
            put(entries, block.name, at, hole(entry.span));
        }
        if let Some(field) = meant.near.filter(|_| !meant.taken).and_then(|near| object.field(near)) {
            let value = scalar(entry);
            let read = if repair::fits(&value.value, &field.shape) { value } else { hole(entry.span) };
            put(entries, field.name, at, read);
        }
    }

    /// Adds the line of the block that has a property to a finding, and the fix that moves the property to this block.
    fn of_block(
        &self,
        told: Diagnostic,
        (object, block, property): (&Object, &Field, &Field),
        node: &Node,
    ) -> Diagnostic {
        let Some(Moved { line, fix }) = of_child::moved(self.source, object, block, node) else {
            return told;
        };
        let (property, block) = (property.name, block.name);
        let mut told = told.help(format!("`{property}` is a property of `{block}`: write `{line}`"));
        told.fixes.extend(fix);
        told
    }
}
