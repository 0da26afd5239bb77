//! Reads the name of a named node, and reports nodes without a name: `port web=8080`, `port 8080`.
use super::{Reader, hole, scalar};
use crate::codes::MISSING_VALUE;
use crate::diagnostic::{Diagnostic, Fix};
use crate::shape::{Field, Keyed, Place, Shape, judge, literal, repair, secret, suggest};
use crate::sources::{Format, Span};
use crate::syntax::{Node, NodeEntry, Scalar};
use crate::tree::Tree;
use std::borrow::Cow;

/// Common property names. A role, data, or a parameter probably does not have one of these names.
const GENERIC: &[&str] =
    &["at", "default", "dir", "file", "from", "id", "key", "number", "port", "type", "uri", "url", "value"];

/// Returns the shape of the argument after the name. `None` if the entry has no such argument.
fn behind(keyed: &Keyed) -> Option<&Shape> {
    match &keyed.item {
        Shape::Object(object) => object.at(Place::Arg).next().map(|field| &field.shape),
        scalar => Some(scalar),
    }
}

/// Reports a value in the place of the name, such as `data "/mnt/x"`, and swapped arguments, such as `data "gs://x/y" "train"`.
/// `other`: the second argument.
fn value_as_name(field: &Field, text: &str, at: Span, other: Option<&NodeEntry>) -> Option<Diagnostic> {
    let Shape::Keyed(keyed) = &field.shape else { return None };
    let Some(Shape::Text(grammar)) = behind(keyed) else { return None };
    // A grammar that accepts any word cannot distinguish a value from a name, so nothing is reported then.
    if keyed.keys.check(text).is_ok() || text.contains('`') || grammar.check("train").is_ok() {
        return None;
    }
    let name = match other.map(|other| &other.value) {
        None => "NAME",
        Some(Scalar::Text(name)) if keyed.keys.check(name).is_ok() => name,
        Some(_) => return None,
    };
    let absolute = format!("file://{text}");
    let value = [text, absolute.as_str()].into_iter().find(|value| grammar.check(value).is_ok())?;
    let form =
        format!("{} {} {}", field.name, literal::text(Format::Kdl, name), literal::text(Format::Kdl, value));
    let fact = match other {
        None => format!("missing name for `{}`", field.name),
        Some(_) => format!("the name of `{}` must be the first argument", field.name),
    };
    let told = Diagnostic::new(&MISSING_VALUE, at, fact).here("expected a name before this value");
    Some(told.help(format!("write `{form}`")))
}

impl<'a> Reader<'a> {
    /// Reads `param name="lr" 0.1` as `param "lr" 0.1`. Returns `None` for other nodes.
    fn named_by_property<'n>(&mut self, field: &Field, node: &'n Node) -> Option<Cow<'n, Node>> {
        let key = |entry: &NodeEntry| entry.key.as_ref().map(|(key, at)| (key == "name", *at));
        let (number, at) = (node.entries.iter().enumerate())
            .find_map(|(number, entry)| Some((number, key(entry).filter(|(name, _)| *name)?.1)))?;
        let known = match &field.shape {
            Shape::Keyed(keyed) => keyed.item.object().is_some_and(|object| object.field("name").is_some()),
            _ => false,
        };
        if known {
            return None;
        }
        let entry = &node.entries[number];
        let text = match (&entry.value, &field.shape) {
            (Scalar::Text(text), Shape::Keyed(keyed)) if keyed.keys.check(text).is_ok() => Some(text),
            (Scalar::Text(text), Shape::Object(targets)) if targets.field(text).is_some() => Some(text),
            _ => None,
        };
        // If there is another argument or the name is invalid, the meaning is ambiguous, so the node stays unchanged.
        let argument = node.entries.iter().any(|entry| entry.key.is_none());
        let Some(text) = text.filter(|_| !argument) else { return Some(Cow::Borrowed(node)) };
        let (whole, name) = (at.to(entry.span), literal::text(Format::Kdl, text));
        let told = Diagnostic::new(&MISSING_VALUE, whole, format!("missing name for `{}`", field.name));
        let told = told.here("parsed as a property");
        let told = told.help(format!("write the name as the first argument: `{} {name}`", field.name));
        // A single property `name=` may be meant as an entry with the name `name`: `param "name" "resnet50"`.
        let fits =
            |keyed: &Keyed| behind(keyed).is_some_and(|shape| repair::fits(&scalar(entry).value, shape));
        let either = matches!(&field.shape, Shape::Keyed(keyed) if fits(keyed)) && node.entries.len() == 1;
        self.out.push(told.fix(Fix::replace(whole, name).if_sure(number == 0 && !either)));
        let first = NodeEntry { key: None, ..entry.clone() };
        let rest = node.entries.iter().enumerate().filter(|(other, _)| *other != number);
        let entries = [first].into_iter().chain(rest.map(|(_, entry)| entry.clone())).collect();
        Some(Cow::Owned(Node { entries, ..node.clone() }))
    }

    /// Reads `param lr=0.1` as `param "lr" 0.1`. Returns other nodes unchanged.
    pub(super) fn unnamed<'n>(&mut self, field: &Field, node: &'n Node) -> Cow<'n, Node> {
        if let Some(named) = self.named_by_property(field, node) {
            return named;
        }
        let Shape::Keyed(keyed) = &field.shape else { return Cow::Borrowed(node) };
        let [NodeEntry { key: Some((name, at)), value, span, bare }, rest @ ..] = node.entries.as_slice()
        else {
            return Cow::Borrowed(node);
        };
        let known = keyed.item.object().is_some_and(|object| object.field(name).is_some());
        let argument = rest.iter().any(|entry| entry.key.is_none());
        if known || argument || behind(keyed).is_none() || keyed.keys.check(name).is_err() {
            return Cow::Borrowed(node);
        }
        let words = match value {
            Scalar::Text(text) => literal::text(Format::Kdl, text),
            _ => self.source.slice(*span).to_owned(),
        };
        let words = format!("{} {words}", literal::text(Format::Kdl, name));
        let whole = at.to(*span);
        let told = Diagnostic::new(&MISSING_VALUE, whole, format!("missing name for `{}`", field.name));
        let told = told.here("parsed as a property").help(format!("did you mean `{} {words}`?", field.name));
        // A property name from other systems, such as `path=`, is probably not the name of the entry. The fix is then only a
        // suggestion.
        let sure = !GENERIC.contains(&name.as_str()) && suggest::ours(name).is_none();
        self.out.push(told.fix(Fix::replace(whole, words).if_sure(sure)));
        let name = NodeEntry { key: None, value: Scalar::Text(name.clone()), span: *at, bare: false };
        let value = NodeEntry { key: None, value: value.clone(), span: *span, bare: *bare };
        let entries = [name, value].into_iter().chain(rest.iter().cloned()).collect();
        Cow::Owned(Node { entries, ..node.clone() })
    }

    /// Reads the block of a node without a name, so that errors in the block are reported. Skips the block if an argument
    /// may be the name.
    pub(super) fn nameless(&mut self, field: &'a Field, node: &Node) -> Tree {
        let children = node.children.as_deref();
        let whole = children.is_some_and(|children| self.kdl.is_whole(node.span, children));
        let argument = node.entries.iter().any(|entry| entry.key.is_none());
        let lines = self.lines(field, node).is_some();
        match field.block(Some("")).filter(|_| whole && !argument && !lines) {
            Some(object) => self.object(object, field, node, 0),
            None => hole(node.span),
        }
    }

    /// Returns the lines that should replace a block of names and values: `data "train" "gs://x/y"` for
    /// `data { train "gs://x/y" }`. `None` if the block has other entries.
    fn lines(&self, field: &Field, node: &Node) -> Option<String> {
        let Shape::Keyed(keyed) = &field.shape else { return None };
        let line = |child: &Node| {
            let [only] = child.entries.as_slice() else { return None };
            let fits = repair::fits(&scalar(only).value, behind(keyed)?);
            let value = self.source.slice(only.span);
            let plain = only.key.is_none() && child.children.is_none() && !value.contains('`');
            let known = keyed.keys.check(&child.name).is_ok();
            (fits && plain && known).then(|| format!("`{} \"{}\" {value}`", field.name, child.name))
        };
        let children = node.children.as_deref().filter(|children| !children.is_empty())?;
        let lines = children.iter().map(line).collect::<Option<Vec<_>>>()?;
        Some(lines.join(" and "))
    }

    /// Returns the name of a named node, which is its first argument. Reports a missing name, and returns `None` in this case.
    pub(super) fn key(&mut self, field: &Field, node: &Node) -> Option<(String, Span)> {
        let mut arguments = node.entries.iter().filter(|entry| entry.key.is_none());
        let Some(entry) = arguments.next() else {
            // The name may be in an unparsable part, so it is not reported as missing.
            if !self.kdl.is_whole(node.span, node.children.as_deref().unwrap_or_default()) {
                return None;
            }
            let fact = format!("missing name for `{}`", field.name);
            let told = Diagnostic::new(&MISSING_VALUE, node.name_span, fact).here("no name");
            // The missing name may be that of any role or volume, so no target is checked.
            let told = told.blocks_targets(field.name);
            self.out.push(told.help(match (secret::name_in(field, node), self.lines(field, node)) {
                (Some(name), _) => format!("write `{}`", secret::form(name)),
                (None, Some(lines)) => format!("write the name as the first argument: {lines}"),
                (None, None) => format!("write `{}`", field.form()),
            }));
            return None;
        };
        if let Scalar::Text(text) = &entry.value {
            if let Some(told) = value_as_name(field, text, entry.span, arguments.next()) {
                self.out.push(told);
                return None;
            }
            return Some((text.clone(), entry.span));
        }
        let words = self.source.slice(entry.span);
        let Shape::Keyed(keyed) = &field.shape else { return Some((words.to_owned(), entry.span)) };
        let value = scalar(entry);
        let alone = arguments.next().is_none();
        if alone && behind(keyed).is_some_and(|shape| repair::fits(&value.value, shape)) {
            let fact = format!("missing name for `{}`", field.name);
            let told =
                Diagnostic::new(&MISSING_VALUE, entry.span, fact).here("expected a name before this value");
            self.out.push(told.help(format!("write `{} \"NAME\" {words}`", field.name)));
            return None;
        }
        // If the value is invalid as a name even in quotes, the check of the grammar reports it.
        let null = matches!(entry.value, Scalar::Null);
        if null || keyed.keys.check(words).is_ok() {
            let name = format!("the name of `{}`", field.name);
            self.out.push(judge::not_text(Format::Kdl, &name, &value, words, None));
        }
        // Null is not a name, so the entry is read as one without a name.
        if null {
            return None;
        }
        Some((words.to_owned(), entry.span))
    }
}
