//! Converts KDL to a tree of the fields that a shape (the definition of an entry of the spec) declares. Validates names, places,
//! and repetitions. Omits invalid parts.
mod carried;
mod lines;
mod named;
mod pairs;
mod property;
mod repeated;
mod role;
mod secret;
mod surplus;
mod unknown;
mod within;

pub(super) use within::within;

use super::entries::{given, hole, put, scalar, value_of};
use super::suggest::{self, in_block, ours};
use super::{Field, Keyed, Object, Place, Shape, literal, misplaced};
use crate::codes::{MISPLACED_FIELD, MISSING_VALUE, UNEXPECTED_BLOCK, UNKNOWN_NODE, UNKNOWN_PROPERTY};
use crate::diagnostic::{Diagnostic, Fix};
use crate::sources::{Format, Source, Span};
use crate::syntax::{Kdl, Node, NodeEntry, Scalar, guard::limited, names::ENTRIES};
use crate::tree::{Entry, Tree, Value};
#[cfg(test)]
pub(crate) use repeated::JOINED;
use repeated::{REMOVE, repeated};

/// Converts a KDL text to a tree. Does not validate values: see [`super::judge`].
#[must_use]
pub fn read(kdl: &Kdl, source: &Source, shape: &Shape) -> (Tree, Vec<Diagnostic>) {
    let mut reader = Reader { kdl, source, root: shape, out: Vec::new(), targets: Vec::new() };
    let mut entries = Vec::new();
    if let Some(object) = shape.object() {
        let opened = reader.without_brace(object);
        let nodes = opened.as_deref().unwrap_or(&kdl.nodes);
        reader.block(None, object, nodes, &mut entries);
        reader.note_broken(source.span(), nodes, &mut entries);
    }
    // The number of diagnostics is limited, because the time to show a diagnostic grows with the length of its line.
    (Tree::map(source.span(), entries), limited(reader.out))
}

struct Reader<'a> {
    kdl: &'a Kdl,
    source: &'a Source,
    root: &'a Shape,
    out: Vec<Diagnostic>,
    /// Targets with a `target` block in the block that is being read.
    targets: Vec<&'static str>,
}

fn owner_name(owner: Option<&Node>) -> String {
    owner.map_or_else(|| "the file".to_owned(), |node| format!("`{}`", node.name))
}

impl<'a> Reader<'a> {
    /// If a line or the header of this block could not be parsed, adds a hole. Then no field of the block is reported as
    /// missing.
    fn note_broken(&self, span: Span, children: &[Node], entries: &mut Vec<Entry>) {
        if !self.kdl.broken.is_empty() && !self.kdl.is_whole(span, children) {
            put(entries, "", span, hole(span));
        }
    }

    fn block(&mut self, owner: Option<&Node>, object: &'a Object, nodes: &[Node], entries: &mut Vec<Entry>) {
        let mut command = None;
        let outer = std::mem::replace(&mut self.targets, unknown::targets_of(object, nodes));
        for (number, node) in nodes.iter().enumerate() {
            let continues = self.continues(object, &nodes[..number], node, &mut command);
            match object.field(&node.name) {
                None if continues => {}
                None if owner.is_some() && self.extends_within(node, entries) => {}
                None => self.unknown_node(owner, object, (node, nodes), entries),
                Some(field) if !field.place.is_node() => {
                    self.node_as_value(owner, object, field, node, entries)
                }
                Some(field) if self.report_job_entry(owner, field, node, entries) => {}
                Some(field) => {
                    if owner.is_none() && nodes[..number].iter().any(|other| other.name == "job") {
                        self.extends_below(node);
                    }
                    self.node(field, node, entries);
                }
            }
        }
        self.targets = outer;
    }

    /// Reports an entry that should be an argument or property of `owner`. The entry has the name of the field, or the name
    /// that the field has in another system.
    fn node_as_value(
        &mut self,
        owner: Option<&Node>,
        object: &'a Object,
        field: &Field,
        node: &Node,
        entries: &mut Vec<Entry>,
    ) {
        let name = field.name;
        let kind = if field.place == Place::Arg { "the argument" } else { "a property" };
        let whose = owner_name(owner);
        let mut told = if node.name == name {
            let fact = format!("`{name}` is {kind} of {whose}, not an entry");
            Diagnostic::new(&MISPLACED_FIELD, node.name_span, fact)
        } else {
            let fact = format!("unknown entry `{}` in {whose}", node.name);
            Diagnostic::new(&UNKNOWN_NODE, node.name_span, fact)
                .here(format!("`{name}` is {kind} of {whose}"))
        };
        let taken = given(entries, name).is_some();
        if let Some(owner) = owner {
            told = told.help(misplaced::form(self.source, owner, field, node));
            let fix = misplaced::node_to_value(self.source, owner, object, field, node);
            if let Some(fix) = fix.filter(|_| !taken) {
                // A similar name may be meant otherwise.
                told = told.fix(fix.if_sure(node.name == name || ours(&node.name).is_some()));
            }
        }
        if taken {
            told = told.help(format!("`{name}` is already set here; remove this line"));
        }
        if let Some(help) = suggest::block_of_that_name(object, self.source, node) {
            told = told.help(help).without_fixes();
        }
        self.out.push(told);
        let value =
            node.entries.iter().find(|entry| entry.key.is_none()).map_or_else(|| hole(node.span), scalar);
        put(entries, name, node.name_span, value);
    }

    /// Reads a node of a known field.
    fn node(&mut self, field: &'a Field, node: &Node, entries: &mut Vec<Entry>) {
        if field.place.repeats() {
            return self.repeating(field, node, entries);
        }
        if given(entries, field.name).is_some() {
            return self.again(field, node, entries);
        }
        let tree = match (field.place, &field.shape) {
            (Place::Args, _) => self.words(field, node),
            (_, Shape::Keyed(keyed)) => self.pairs(field, keyed, node),
            (_, shape) => self.value(shape, field, node, 0),
        };
        put(entries, field.name, node.name_span, tree);
    }

    /// Reads a node of a field that may occur several times.
    fn repeating(&mut self, field: &'a Field, node: &Node, entries: &mut Vec<Entry>) {
        if let Shape::List(list) = &field.shape {
            let tree = self.value(&list.item, field, node, 0);
            put(
                entries,
                field.name,
                node.name_span,
                Tree { span: node.span, value: Value::List(Vec::new()) },
            );
            if let Some(Value::List(items)) = value_of(entries, field.name) {
                items.push(tree);
            }
            return;
        }
        put(entries, field.name, node.name_span, Tree::map(node.span, Vec::new()));
        let node = &*self.unnamed(field, node);
        let Some((key, at)) = self.key(field, node) else {
            let tree = self.nameless(field, node);
            if let Some(Value::Map(things)) = value_of(entries, field.name) {
                put(things, "", node.name_span, tree);
            }
            return;
        };
        let Some(Value::Map(things)) = value_of(entries, field.name) else { return };
        if given(things, &key).is_some() {
            let mut things = std::mem::take(things);
            self.named_again(field, node, (&key, at), &mut things);
            if let Some(value) = value_of(entries, field.name) {
                *value = Value::Map(things);
            }
            return;
        }
        let tree = match (&field.shape, field.block(Some(&key))) {
            (Shape::Object(targets), None) => {
                self.unknown_target(targets, &key, at, things);
                hole(node.span)
            }
            (_, Some(object)) => self.object(object, field, node, 1),
            (Shape::Keyed(keyed), None) => self.value(&keyed.item, field, node, 1),
            (_, None) => hole(node.span),
        };
        if let Some(Value::Map(things)) = value_of(entries, field.name) {
            put(things, &key, at, tree);
        }
    }

    /// Reads all arguments of a node as a list.
    fn words(&mut self, field: &Field, node: &Node) -> Tree {
        let mut items = Vec::new();
        for entry in &node.entries {
            let Some((key, at)) = &entry.key else {
                items.push(scalar(entry));
                continue;
            };
            let whole = at.to(entry.span);
            let text = match &entry.value {
                Scalar::Text(text) => format!("{key}={text}"),
                _ => format!("{key}={}", self.source.slice(entry.span)),
            };
            let fact = format!("unknown property `{key}` in `{}`", field.name);
            let told = Diagnostic::new(&UNKNOWN_PROPERTY, whole, fact).here("parsed as a property");
            let told = told.help("quote it to pass it as an argument");
            // A word that is the name of an entry may begin a new entry, so the fix is then only a suggestion.
            let fix = Fix::replace(whole, literal::text(Format::Kdl, &text));
            self.out.push(told.fix(fix.if_sure(!ENTRIES.contains(&key.as_str()))));
            items.push(Tree { span: whole, value: Value::Text(text) });
        }
        self.block_where_none_is_due(field.name, node);
        if let (true, Shape::List(list)) = (node.entries.is_empty() && node.children.is_none(), &field.shape)
            && list.min == 0
        {
            let fact = format!("`{}` has no values", field.name);
            let told = Diagnostic::new(&MISSING_VALUE, node.name_span, fact).here("no values");
            self.out.push(told.help(format!("write `{}`, or remove this line", field.form())));
            return hole(node.span);
        }
        if items.is_empty() && !self.kdl.is_whole(node.span, node.children.as_deref().unwrap_or_default()) {
            return hole(node.span);
        }
        Tree { span: node.span, value: Value::List(items) }
    }

    /// Reads a node whose children are names and values.
    fn pairs(&mut self, field: &'a Field, keyed: &'a Keyed, node: &Node) -> Tree {
        let mut entries = Vec::new();
        if let Some(first) = node.entries.first() {
            self.pairs_in_a_row(field, node, first, &mut entries);
        }
        for child in node.children.iter().flatten() {
            if self.pair_as_fields(field, child, &mut entries)
                || self.secret_in_env(field, child, &mut entries)
            {
                continue;
            }
            if let Some(first) = given(&entries, &child.name) {
                self.out.push(repeated(child.name_span, first, &child.name).help(REMOVE));
                continue;
            }
            let tree = self.one((&child.name, &keyed.item), keyed.item.words(), child, 0);
            put(&mut entries, &child.name, child.name_span, tree);
        }
        self.note_broken(node.span, node.children.as_deref().unwrap_or_default(), &mut entries);
        Tree::map(node.span, entries)
    }

    /// Reads a node of this shape. The first `skip` arguments are already read.
    fn value(&mut self, shape: &'a Shape, field: &'a Field, node: &Node, skip: usize) -> Tree {
        match shape {
            Shape::Object(object) => self.object(object, field, node, skip),
            _ if *shape == field.shape => self.one((field.name, shape), field.accepted(), node, skip),
            _ => self.one((field.name, shape), shape.words(), node, skip),
        }
    }

    /// Reads the value of a node that takes one value. The `skip` arguments before the value are already read. `accepted`: a
    /// description of the accepted values.
    fn one(&mut self, (name, shape): (&str, &Shape), accepted: String, node: &Node, skip: usize) -> Tree {
        for entry in &node.entries {
            if let Some((key, at)) = &entry.key {
                let fact = format!("unknown property `{key}` in `{name}`");
                let told = Diagnostic::new(&UNKNOWN_PROPERTY, *at, fact).here("unknown property");
                self.out.push(told.help(format!("`{name}` takes one argument and no properties")));
            }
        }
        let mut arguments = node.entries.iter().filter(|entry| entry.key.is_none()).skip(skip);
        let first = arguments.next();
        self.surplus(name, &format!("{name} {}", shape.slot()), arguments);
        self.block_where_none_is_due(name, node);
        let Some(first) = first else {
            if self.kdl.is_whole(node.span, node.children.as_deref().unwrap_or_default()) {
                let fact = format!("missing value for `{name}`");
                let told = Diagnostic::new(&MISSING_VALUE, node.name_span, fact).here("no value");
                self.out.push(told.help(format!("expected {accepted}")));
            }
            return hole(node.span);
        };
        scalar(first)
    }

    fn block_where_none_is_due(&mut self, name: &str, node: &Node) {
        let Some(children) = &node.children else { return };
        let at = match (children.first(), children.last()) {
            (Some(first), Some(last)) => first.name_span.to(last.span),
            _ => node.name_span,
        };
        let mut told = Diagnostic::new(&UNEXPECTED_BLOCK, at, format!("`{name}` cannot have a block"));
        told = told.here("unexpected block").help("remove the block and its braces");
        told.fixes.extend(misplaced::without_braces(self.source, node));
        self.out.push(told);
    }

    /// Reads a node with fields. The first `skip` arguments are already read.
    fn object(&mut self, object: &'a Object, field: &'a Field, node: &Node, skip: usize) -> Tree {
        let mut entries = Vec::new();
        let mut slots = object.at(Place::Arg);
        let mut surplus = Vec::new();
        for entry in node.entries.iter().filter(|entry| entry.key.is_none()).skip(skip) {
            match slots.next() {
                Some(slot) => put(&mut entries, slot.name, entry.span, scalar(entry)),
                None => surplus.push(entry),
            }
        }
        if !surplus.is_empty() {
            self.surplus_of((field, object), node, surplus, &mut entries);
        }
        for entry in &node.entries {
            if let Some((key, at)) = &entry.key {
                self.property(object, node, entry, (key, *at), &mut entries);
            }
        }
        let children = node.children.as_deref().unwrap_or_default();
        if node.children.is_some() && object.nodes().next().is_none() && children.is_empty() {
            self.block_where_none_is_due(field.name, node);
        }
        self.block(Some(node), object, children, &mut entries);
        self.note_broken(node.span, children, &mut entries);
        Tree::map(node.span, entries)
    }

    fn property(
        &mut self,
        object: &'a Object,
        node: &Node,
        entry: &NodeEntry,
        (key, at): (&str, Span),
        entries: &mut Vec<Entry>,
    ) {
        let argument = || {
            let theirs = ours(key).filter(|(_, same)| *same).map(|(name, _)| name);
            object.field(theirs.or_else(|| in_block(key, |name| object.field(name).is_some()))?)
        };
        let Some(field) = object.field(key).or_else(|| argument().filter(|field| field.place == Place::Arg))
        else {
            return self.unknown_property(object, node, entry, (key, at), entries);
        };
        if field.place != Place::Prop {
            let kind = if field.place == Place::Arg { "the argument" } else { "an entry" };
            let fact = format!("`{key}` is {kind} of `{}`, not a property", node.name);
            let help = self
                .as_last_argument(field, node, entry)
                .or_else(|| misplaced::into_block(self.source, node, field, entry, at))
                .unwrap_or_else(|| misplaced::moved(node, field));
            let mut told = Diagnostic::new(&MISPLACED_FIELD, at, fact).help(help);
            if let Some(fix) = misplaced::property_to(self.source, object, field, node, entry, at) {
                told = told.fix(fix);
            }
            self.out.push(told);
        }
        let tree = if field.shape.is_scalar() { scalar(entry) } else { hole(entry.span) };
        put(entries, field.name, at, tree);
    }

    /// Returns the help for a property that should be the last argument of its node: ``write `param "lr" 0.1` ``. `None` if the
    /// field is no argument, or the node has no arguments, or other properties.
    fn as_last_argument(&self, field: &Field, node: &Node, entry: &NodeEntry) -> Option<String> {
        let others: Vec<&NodeEntry> = node.entries.iter().filter(|other| other.span != entry.span).collect();
        let is_last =
            field.place == Place::Arg && !others.is_empty() && others.iter().all(|other| other.key.is_none());
        let words = others.into_iter().chain([entry]).map(|entry| self.source.slice(entry.span));
        is_last.then(|| format!("write `{} {}`", node.name, words.collect::<Vec<_>>().join(" ")))
    }
}

#[cfg(test)]
mod tests;
