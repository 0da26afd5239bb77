//! Goes on in spite of faults: what is wrong or missing is replaced by something that fits, and remembered.
//!
//! So every stage after it runs on a whole spec, and a fault in a field hides no fault of the job.
use super::{Field, Grammar, Number, Object, Place, Shape};
use crate::diagnostic::nearest;
use crate::sources::Span;
use crate::tree::{Entry, Tree, Value};
use std::collections::BTreeSet;

/// The tree with every hole filled and every faulty value replaced, and the places of what was put in. What a later
/// stage says about such a place is no news.
#[must_use]
pub fn mend(tree: &Tree, shape: &Shape, faults: &BTreeSet<Span>) -> (Tree, BTreeSet<Span>) {
    let mut work = Mender { faults, placed: BTreeSet::new() };
    let mended = work.value(tree, shape, tree.span);
    (mended, work.placed)
}

struct Mender<'a> {
    faults: &'a BTreeSet<Span>,
    placed: BTreeSet<Span>,
}

impl Mender<'_> {
    fn value(&mut self, tree: &Tree, shape: &Shape, near: Span) -> Tree {
        match (&tree.value, shape) {
            (Value::Map(entries), Shape::Object(object)) => {
                Tree::map(tree.span, self.object(entries, object, tree.span))
            }
            (Value::Map(entries), Shape::Keyed(keyed)) => {
                let kept = entries.iter().filter(|e| !e.key.is_empty() && keyed.keys.check(&e.key).is_ok());
                let mended =
                    kept.map(|e| Entry { tree: self.value(&e.tree, &keyed.item, e.key_span), ..e.clone() });
                Tree::map(tree.span, mended.collect())
            }
            (Value::List(items), Shape::List(list)) => {
                let whole = items.iter().filter(|item| item.value != Value::Hole);
                let mut mended: Vec<Tree> = whole.map(|item| self.value(item, &list.item, near)).collect();
                while mended.len() < list.min {
                    mended.push(self.filler(&list.item, near, None));
                }
                Tree { span: tree.span, value: Value::List(mended) }
            }
            (_, Shape::Any) => tree.clone(),
            (written, _) if fits(written, shape) && !self.faults.contains(&tree.span) => tree.clone(),
            (written, _) => self.filler(shape, near, Some((tree.span, written))),
        }
    }

    fn object(&mut self, entries: &[Entry], object: &Object, at: Span) -> Vec<Entry> {
        let mut mended = Vec::with_capacity(entries.len());
        for entry in entries {
            let Some(field) = object.field(&entry.key) else { continue };
            if entry.tree.value == Value::Hole && !field.required && !stands_alone(field) {
                continue;
            }
            mended
                .push(Entry { tree: self.value(&entry.tree, &field.shape, entry.key_span), ..entry.clone() });
        }
        for field in object.fields.iter().filter(|f| f.required) {
            if !mended.iter().any(|e| e.key == field.name) {
                let tree = self.filler(&field.shape, at, None);
                mended.push(Entry { key: field.name.clone(), key_span: tree.span, tree });
            }
        }
        mended
    }

    /// Something that fits, at the written words or at the empty place behind `near`.
    fn filler(&mut self, shape: &Shape, near: Span, written: Option<(Span, &Value)>) -> Tree {
        let span = written.map_or(Span::new(near.end, near.end), |(span, _)| span);
        self.placed.insert(span);
        let value = match shape {
            Shape::Object(object) => Value::Map(self.object(&[], object, span)),
            Shape::Keyed(_) => Value::Map(Vec::new()),
            Shape::List(list) => {
                Value::List((0..list.min).map(|_| self.filler(&list.item, near, None)).collect())
            }
            Shape::Words(choices) => {
                let words = || choices.iter().map(|c| c.word.as_str());
                let meant = written.and_then(|(_, v)| match v {
                    Value::Text(text) => nearest(text, words()),
                    Value::Null
                    | Value::Bool(_)
                    | Value::Int(_)
                    | Value::Float(_)
                    | Value::List(_)
                    | Value::Map(_)
                    | Value::Hole => None,
                });
                Value::Text(meant.or_else(|| words().next()).unwrap_or_default().to_owned())
            }
            Shape::Number(number) | Shape::NumberOr(number, _) => least(*number),
            Shape::Flag => Value::Bool(false),
            Shape::Text(grammar) => Value::Text(text(*grammar, written.map(|(_, v)| v))),
            Shape::Scalar => Value::Text("x".to_owned()),
            Shape::Any => Value::Null,
        };
        Tree { span, value }
    }
}

/// A node whose presence alone says something, even when its words are broken.
const fn stands_alone(field: &Field) -> bool {
    match field.place {
        Place::Args | Place::Child => true,
        Place::Arg | Place::Prop | Place::Named | Place::Pairs | Place::List | Place::Targets => false,
    }
}

fn fits(value: &Value, shape: &Shape) -> bool {
    match (value, shape) {
        (Value::Text(text), Shape::Words(choices)) => choices.iter().any(|c| c.word == *text),
        (Value::Text(text), Shape::Text(grammar)) => grammar.check(text).is_ok(),
        (Value::Int(n), Shape::Number(number) | Shape::NumberOr(number, _)) => within(*number, *n),
        (Value::Float(_), Shape::Number(Number::Real { .. })) | (Value::Bool(_), Shape::Flag) => true,
        (Value::Text(text), Shape::NumberOr(_, other)) => fits(&Value::Text(text.clone()), other),
        (Value::Text(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_), Shape::Scalar) => true,
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

fn within(number: Number, n: i128) -> bool {
    match number {
        Number::Whole { min, max } => (min..=max).contains(&n),
        Number::Real { .. } => true,
    }
}

fn least(number: Number) -> Value {
    match number {
        Number::Whole { min, .. } => Value::Int(min),
        Number::Real { .. } => Value::Int(1),
    }
}

fn text(grammar: Grammar, written: Option<&Value>) -> String {
    if let Some(Value::Text(words)) = written
        && let Err(wrong) = grammar.check(words)
        && let Some(meant) = wrong.instead
    {
        return meant;
    }
    let example = match grammar {
        Grammar::Name | Grammar::UserName | Grammar::ParamName | Grammar::Text => "x",
        Grammar::Memory => "1GiB",
        Grammar::Duration | Grammar::PositiveDuration => "1m",
        Grammar::Image => "x:1",
        Grammar::Path => "/x",
        Grammar::EnvName => "X",
        Grammar::Uri => "hdfs://x/x",
        Grammar::Version => "2.15",
    };
    example.to_owned()
}
