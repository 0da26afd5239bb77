//! Error recovery: replaces invalid and missing values by valid placeholders, and records the placeholders.
//!
//! Therefore, every later stage gets a complete spec, and an error in one field does not hide errors in others.
use super::suggest::choice_meant;
use super::{Field, Grammar, Number, Object, Place, Shape};
use crate::diagnostic::{Block, Blocked};
use crate::recovery::Recovery;
use crate::sources::{Sources, Span};
use crate::spec::values::{Cores, Scheme};
use crate::spec::{FrameworkName, StrategyName};
use crate::tree::{Entry, Tree, Value};

/// Result of the repair: a tree that is valid for the shape.
pub struct Repaired {
    /// Repaired tree.
    pub tree: Tree,
    /// Replaced values and skipped parts.
    pub recovery: Recovery,
    /// Targets that are not fully checked, because their findings depend on a placeholder.
    pub open: Vec<Block>,
}

/// Fills every hole, and replaces every invalid value. The replacement is the intended value if that is unique, otherwise a
/// placeholder.
#[must_use]
pub fn repair(tree: &Tree, shape: &Shape, sources: &Sources) -> Repaired {
    let mut work = Repair { sources, recovery: skipped(tree, shape), open: Vec::new(), owners: Vec::new() };
    let repaired = work.value(tree, shape, tree.span);
    Repaired { tree: repaired, recovery: work.recovery, open: work.open }
}

/// Collects the skipped parts of a merged tree, and the fields that must be maps but have another type.
#[must_use]
pub fn skipped(tree: &Tree, shape: &Shape) -> Recovery {
    let mut recovery = Recovery::of(tree);
    misshapen(tree, shape, &mut Vec::new(), &mut recovery);
    recovery
}

/// Records fields that must be maps but have another type. No entry of such a field is reported as missing, because the invalid
/// value may stand for the entry.
fn misshapen<'t>(tree: &'t Tree, shape: &Shape, path: &mut Vec<&'t str>, recovery: &mut Recovery) {
    let Shape::Object(object) = shape else { return };
    for entry in tree.entries() {
        let Some(field) = object.field(&entry.key) else { continue };
        path.push(&entry.key);
        match (&field.shape, &entry.tree.value) {
            (Shape::Keyed(_), Value::Map(_) | Value::Hole | Value::Null) => {}
            (Shape::Keyed(_), _) => recovery.mark_missing(path),
            (inner, _) => misshapen(&entry.tree, inner, path, recovery),
        }
        path.pop();
    }
}

/// Returns an entry with another value.
fn renewed(entry: &Entry, tree: Tree) -> Entry {
    Entry { key: entry.key.clone(), key_span: entry.key_span, tree }
}

struct Repair<'a> {
    sources: &'a Sources,
    recovery: Recovery,
    open: Vec<Block>,
    /// Fields and named entries that enclose the value that is being repaired, innermost last.
    owners: Vec<Owner<'a>>,
}

#[derive(Clone, Copy)]
enum Owner<'a> {
    /// A field.
    Field(&'static str),
    /// The name of a named entry.
    Named(&'a str),
}

/// Returns the innermost field in source notation: `strategy`, `data "train"`.
fn as_written(owners: &[Owner<'_>]) -> String {
    match owners {
        [.., Owner::Field(node), Owner::Named(name)] => format!("{node} {name:?}"),
        [.., Owner::Field(name)] => (*name).to_owned(),
        [.., Owner::Named(name)] => (*name).to_owned(),
        [] => String::new(),
    }
}

/// Returns the fields of a path in source notation, such as `shim url`.
fn path_written(owners: &[Owner<'_>]) -> String {
    let step = |owner: &Owner<'_>| match owner {
        Owner::Field(name) => (*name).to_owned(),
        Owner::Named(name) => format!("{name:?}"),
    };
    owners.iter().map(step).collect::<Vec<_>>().join(" ")
}

/// Returns the targets that are not fully checked because of a placeholder: in a `target` block, only this target; otherwise,
/// all targets.
fn block(owners: &[Owner<'_>]) -> Block {
    let own = owners.windows(2).enumerate().find_map(|(at, pair)| match pair {
        [Owner::Field("target"), Owner::Field(name) | Owner::Named(name)] => Some((*name, &owners[at + 2..])),
        _ => None,
    });
    match own {
        Some((name, rest)) => Block {
            what: format!("target {name:?} {{ {} }}", path_written(rest)),
            whom: Blocked::One(name.to_owned()),
        },
        None => Block { what: as_written(owners), whom: Blocked::All },
    }
}

impl<'a> Repair<'a> {
    fn value(&mut self, tree: &'a Tree, shape: &Shape, near: Span) -> Tree {
        match (&tree.value, shape) {
            (Value::Map(entries), Shape::Object(object)) => {
                // Nothing of the block could be parsed, so it only seems to be empty.
                if matches!(entries.as_slice(), [only] if only.key.is_empty() && only.tree.value == Value::Hole)
                {
                    self.recovery.place(tree.span);
                }
                Tree::map(tree.span, self.object(entries, object, tree.span))
            }
            (Value::Map(entries), Shape::Keyed(keyed)) => {
                let mut repaired = Vec::with_capacity(entries.len());
                for entry in entries.iter().filter(|entry| !entry.key.is_empty()) {
                    // An entry with an invalid name is kept, so that references to it resolve.
                    if keyed.keys.check(&entry.key).is_err() {
                        self.recovery.place(entry.key_span);
                    }
                    let tree = self.within(Owner::Named(&entry.key), |work| {
                        work.value(&entry.tree, &keyed.item, entry.key_span)
                    });
                    repaired.push(renewed(entry, tree));
                }
                Tree::map(tree.span, repaired)
            }
            (Value::List(items), Shape::List(list)) => {
                let whole = items.iter().filter(|item| item.value != Value::Hole);
                let mut repaired: Vec<Tree> = whole.map(|item| self.value(item, &list.item, near)).collect();
                while repaired.len() < list.min {
                    repaired.push(self.guess(&list.item, Span::new(near.end, near.end), None));
                }
                Tree { span: tree.span, value: Value::List(repaired) }
            }
            (_, Shape::Any) => tree.clone(),
            (written, _) if fits(written, shape) => tree.clone(),
            (written, _) => match meant(written, shape, self.sources.slice(tree.span)) {
                Some(value) if is_another_version(written, shape, self.sources.slice(tree.span)) => {
                    self.note_guess(shape, tree.span, Some(written));
                    Tree { span: tree.span, value }
                }
                Some(value) => {
                    self.recovery.place(tree.span);
                    Tree { span: tree.span, value }
                }
                None => self.guess(shape, tree.span, Some(written)),
            },
        }
    }

    fn object(&mut self, entries: &'a [Entry], object: &Object, at: Span) -> Vec<Entry> {
        let mut repaired = Vec::with_capacity(entries.len());
        for entry in entries {
            let Some(field) = object.field(&entry.key) else { continue };
            if entry.tree.value == Value::Hole && holds_many(field) {
                continue;
            }
            let tree = self.of(field, |work| work.value(&entry.tree, &field.shape, entry.key_span));
            repaired.push(renewed(entry, tree));
        }
        for field in object.fields.iter().filter(|f| f.required) {
            if !repaired.iter().any(|e| e.key == field.name) {
                let mut tree =
                    self.of(field, |work| work.guess(&field.shape, Span::new(at.end, at.end), None));
                // On some platforms, a Kerberos principal without a host has a different meaning, so the placeholder contains a
                // host.
                if field.name == "principal" {
                    tree.value = Value::Text("x/host@X".to_owned());
                }
                repaired.push(Entry { key: field.name.to_owned(), key_span: tree.span, tree });
            }
        }
        repaired
    }

    /// Calls `go_on` for the value of a field, with the field as the owner of the value. The owner of an argument is the node
    /// of the argument.
    fn of<T>(&mut self, field: &Field, go_on: impl FnOnce(&mut Self) -> T) -> T {
        match field.place {
            Place::Arg | Place::Args => go_on(self),
            Place::Prop | Place::Child | Place::List | Place::Named | Place::Pairs | Place::Targets => {
                self.within(Owner::Field(field.name), go_on)
            }
        }
    }

    fn within<T>(&mut self, owner: Owner<'a>, go_on: impl FnOnce(&mut Self) -> T) -> T {
        self.owners.push(owner);
        let done = go_on(self);
        self.owners.pop();
        done
    }

    /// Records a placeholder. If findings of targets depend on the value, records that these targets are not fully checked.
    fn note_guess(&mut self, shape: &Shape, span: Span, written: Option<&Value>) {
        self.recovery.guess(span);
        if is_open(shape, written) {
            self.open.push(block(&self.owners));
        }
    }

    /// Returns a valid placeholder for the value.
    fn guess(&mut self, shape: &Shape, span: Span, written: Option<&Value>) -> Tree {
        self.note_guess(shape, span, written);
        let value = match shape {
            Shape::Object(object) => Value::Map(self.object(&[], object, span)),
            Shape::Keyed(_) => Value::Map(Vec::new()),
            Shape::List(list) => {
                Value::List((0..list.min).map(|_| self.guess(&list.item, span, None)).collect())
            }
            Shape::Words(choices) => {
                // No rule applies to a custom framework or strategy, so this placeholder causes no further errors.
                let custom = [FrameworkName::Custom.keyword(), StrategyName::Custom.keyword()];
                let own = choices.iter().find(|choice| custom.contains(&choice.word));
                Value::Text(own.or(choices.first()).map_or("", |choice| choice.word).to_owned())
            }
            Shape::Number(number) => least(*number),
            Shape::NumberOr(_, other) => return self.guess(other, span, written),
            Shape::Flag => Value::Bool(false),
            Shape::Text(Grammar::Uri) => Value::Text(guessed_uri(written)),
            Shape::Text(grammar) => Value::Text(example(*grammar).to_owned()),
            Shape::Scalar => Value::Text("x".to_owned()),
            Shape::Any => Value::Null,
        };
        Tree { span, value }
    }
}

/// Returns whether findings of a target depend on the value that a placeholder replaces.
fn is_open(shape: &Shape, written: Option<&Value>) -> bool {
    match shape {
        Shape::Words(_) | Shape::Text(Grammar::Version) => true,
        Shape::Text(Grammar::Uri) => scheme_of(written).is_none(),
        Shape::NumberOr(_, other) => is_open(other, written),
        Shape::Object(_)
        | Shape::Keyed(_)
        | Shape::List(_)
        | Shape::Number(_)
        | Shape::Flag
        | Shape::Text(_)
        | Shape::Scalar
        | Shape::Any => false,
    }
}

/// Returns whether the suggested version differs from the written one in more than the spelling. `2` for `2.x` differs, `2`
/// for `v2` does not.
fn is_another_version(written: &Value, shape: &Shape, words: &str) -> bool {
    let Shape::Text(grammar @ Grammar::Version) = shape else { return false };
    as_text(written, words).is_some_and(|text| grammar.check(text).is_err_and(|wrong| wrong.guess))
}

/// Returns a placeholder URI. It has the scheme that the user wrote, if this is a supported scheme.
fn guessed_uri(written: Option<&Value>) -> String {
    scheme_of(written).map_or(example(Grammar::Uri), |scheme| scheme.example()).to_owned()
}

fn scheme_of(written: Option<&Value>) -> Option<Scheme> {
    let Some(Value::Text(text)) = written else { return None };
    // The `//` of the URI may be missing, so only the text before `:` is used.
    let (word, _) = text.split_once(':')?;
    Scheme::ALL.iter().copied().find(|scheme| scheme.word() == word)
}

/// Returns whether the field is a map or list that may be empty, so that no placeholder is needed.
const fn holds_many(field: &Field) -> bool {
    match field.place {
        Place::Named | Place::Pairs | Place::List | Place::Targets => true,
        Place::Arg | Place::Prop | Place::Args | Place::Child => false,
    }
}

/// Returns whether the shape accepts the value.
pub(super) fn fits(value: &Value, shape: &Shape) -> bool {
    match (value, shape) {
        (Value::Text(text), Shape::Words(choices)) => choices.iter().any(|c| c.word == *text),
        (Value::Text(text), Shape::Text(grammar)) => grammar.check(text).is_ok(),
        (Value::Text(_), Shape::NumberOr(_, other)) => fits(value, other),
        (Value::Int(n), Shape::Number(number) | Shape::NumberOr(number, _)) => whole_within(*number, *n),
        (Value::Float(n), Shape::Number(number @ Number::Real { .. })) => within(*number, *n),
        (Value::Bool(_), Shape::Flag)
        | (Value::Text(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_), Shape::Scalar) => true,
        (
            Value::Null
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Text(_)
            | Value::List(_)
            | Value::Map(_)
            | Value::Hole,
            _,
        ) => false,
    }
}

fn within(number: Number, n: f64) -> bool {
    match number {
        Number::Whole { .. } => false,
        Number::Real { min, max, cores } => {
            min.is_none_or(|min| n >= min)
                && max.is_none_or(|max| n <= max)
                && (!cores || Cores::from_number(n).is_ok())
        }
    }
}

fn whole_within(number: Number, n: i128) -> bool {
    match number {
        Number::Whole { min, max } => (min..=max).contains(&n),
        Number::Real { .. } => within(number, n as f64),
    }
}

/// Returns the value that an invalid value most likely means, if unique. `words`: the invalid value as the user wrote it.
fn meant(written: &Value, shape: &Shape, words: &str) -> Option<Value> {
    let text = as_text(written, words)?;
    let value = match shape {
        Shape::Words(choices) => choice_meant(text, choices).map(|word| Value::Text(word.to_owned())),
        Shape::Text(grammar) => match grammar.check(text) {
            Ok(()) => Some(Value::Text(text.to_owned())),
            Err(wrong) => wrong.instead.map(Value::Text),
        },
        Shape::Number(_) => text.parse().map(Value::Int).or_else(|_| text.parse().map(Value::Float)).ok(),
        Shape::NumberOr(_, other) => {
            text.parse().map(Value::Int).ok().or_else(|| meant(written, other, words))
        }
        Shape::Flag => text.parse().map(Value::Bool).ok(),
        Shape::Object(_) | Shape::Keyed(_) | Shape::List(_) | Shape::Scalar | Shape::Any => None,
    };
    value.filter(|value| fits(value, shape))
}

/// Returns a scalar as a string; `None` for any other value. `words`: the scalar as the user wrote it.
fn as_text<'v>(written: &'v Value, words: &'v str) -> Option<&'v str> {
    match written {
        Value::Text(text) => Some(text),
        Value::Int(_) | Value::Float(_) => Some(words),
        Value::Bool(true) => Some("true"),
        Value::Bool(false) => Some("false"),
        Value::Null | Value::List(_) | Value::Map(_) | Value::Hole => None,
    }
}

/// Returns a placeholder number that causes no further findings.
fn least(number: Number) -> Value {
    match number {
        Number::Whole { min, .. } => Value::Int(min.max(1)),
        Number::Real { .. } => Value::Int(1),
    }
}

const fn example(grammar: Grammar) -> &'static str {
    match grammar {
        Grammar::Name | Grammar::UserName | Grammar::ParamName | Grammar::PortName | Grammar::PortPath => "x",
        Grammar::Text | Grammar::Filled | Grammar::GitRef => "x",
        Grammar::Memory => "1GiB",
        Grammar::Duration | Grammar::PositiveDuration => "1m",
        Grammar::Image => "x:1",
        Grammar::Path => "/x",
        Grammar::EnvName => "X",
        Grammar::Uri => "hdfs://x/x",
        Grammar::Version => "2.15",
    }
}
