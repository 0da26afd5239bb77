//! Validates the targets of a job.
use super::{Judge, kind, unknown_target};
use crate::codes::WRONG_TYPE;
use crate::diagnostic::{Diagnostic, Fix, nearest, only_near};
use crate::shape::words::one_of;
use crate::shape::{Object, Shape, keys};
use crate::sources::Span;
use crate::tree::{Entry, Tree, Value};
use std::collections::BTreeSet;

impl Judge<'_> {
    /// Validates the targets of a job, and their options.
    pub(super) fn targets(&mut self, targets: &'static Object, tree: &Tree) {
        let known: Vec<&str> = targets.fields.iter().map(|target| target.name).collect();
        let given = tree.entries();
        for (number, target) in given.iter().enumerate() {
            if !known.contains(&target.key.as_str()) && target.tree.value != Value::Hole {
                let format = self.format(target.key_span);
                let is_known = |other: &&Entry| known.contains(&other.key.as_str());
                let beside = given[..number].iter().chain(given[number..].iter().filter(is_known));
                let beside = beside.map(|other| other.key.as_str());
                self.out.push(unknown_target(format, &known, &target.key, target.key_span, beside));
            }
        }
        for target in given {
            if let Some(field) = targets.field(&target.key) {
                self.value(&field.shape, &target.tree, &target.key, target.key_span);
            }
        }
        if !matches!(tree.value, Value::Map(_) | Value::Hole) {
            let told = self.names_only(targets, &known, tree);
            self.out.push(told);
        }
    }

    /// Reports targets that are written as a name or a list of names.
    fn names_only(&self, targets: &'static Object, known: &[&str], tree: &Tree) -> Diagnostic {
        let format = self.format(tree.span);
        let got = kind(&tree.value, format);
        let told = Diagnostic::new(&WRONG_TYPE, tree.span, format!("`target` must be an object, not {got}"))
            .here(format!("found {got}"));
        let names: Option<Vec<&str>> = match &tree.value {
            Value::Text(text) => Some(vec![text]),
            Value::List(items) => items.iter().map(Tree::text).collect(),
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Map(_) | Value::Hole => {
                None
            }
        };
        let names = names.unwrap_or_default();
        let near = |name: &&str| nearest(name, known.iter().copied());
        let meant: Option<Vec<&str>> = names.iter().map(near).collect();
        let Some(mut meant) = meant.filter(|meant| !meant.is_empty()) else {
            let available = one_of(known.iter().copied(), "and");
            let form = format!("{{ {}: {{}} }}", keys::key("NAME", format));
            return told.help(format!("write it as `{form}`; available targets: {available}"));
        };
        let wrong = names.iter().zip(&meant).find(|(name, meant)| name != meant).map(|(_, meant)| *meant);
        let mut seen = BTreeSet::new();
        meant.retain(|name| seen.insert(*name));
        let value = |name: &&str| Tree { span: tree.span, value: Value::Text((*name).to_owned()) };
        let all = Value::List(meant.iter().map(value).collect());
        let form = keys::due_for(&Shape::Object(targets), &all, format);
        let told = told.help(match wrong {
            Some(meant) => format!("did you mean `{meant}`? write it as `{form}`"),
            None => format!("write it as `{form}`"),
        });
        let is_sure = names.iter().all(|name| known.contains(name) || only_near(name, known.iter().copied()));
        // Options that the user must write have a placeholder.
        let place = self.value_place(tree.span).filter(|_| meant.len() == names.len() && !form.contains('…'));
        match place {
            Some((span, before)) => {
                let fix = Fix::edit(format!("replace with `{form}`"), span, format!("{before}{form}"));
                told.fix(fix.in_help().if_sure(is_sure))
            }
            None => told,
        }
    }

    /// Returns the place of a value that a fix replaces, and the space before it. A value on its own lines is replaced from the colon of
    /// its key, because the first item of a YAML list may have the indentation of the key. `None` if a comment follows the colon.
    fn value_place(&self, at: Span) -> Option<(Span, &'static str)> {
        let source = self.sources.find(at)?;
        let above = source.text[..source.local(at).start].trim_end_matches([' ', '-']);
        if !above.ends_with(['\n', '\r']) {
            return Some((at, ""));
        }
        let key = above.trim_end();
        let end = source.base() + u32::try_from(key.len()).unwrap_or(u32::MAX);
        key.ends_with(':').then(|| (Span::new(end, at.end), " "))
    }
}
