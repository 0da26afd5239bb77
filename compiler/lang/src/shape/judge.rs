//! Validates the values of one file or `--set` argument: types, ranges, keywords, grammars, and the names that the KDL reader
//! does not check. Missing fields are checked after the merge: see [`super::require`].
mod field;
mod meant;
mod pairs;
mod ports;
mod targets;
mod text;
mod unknown;

pub(super) use text::not_text;
pub use unknown::unknown_target;

use super::secret::{self, SECRET};
use super::suggest::{choice_meant, instead_of_block, only_choice, switch_and_option};
use super::{Choice, Field, Grammar, Keyed, List, Number, Object, Place, Shape};
use super::{keys, literal, nothing};
use crate::codes::{BAD_VALUE, MISSING_VALUE, OUT_OF_RANGE, UNKNOWN_VALUE, WRONG_TYPE};
use crate::diagnostic::{Diagnostic, Fix};
use crate::escape::Escaped;
use crate::sources::{Format, Sources, Span};
use crate::spec::values::Cores;
use crate::syntax::guard::limited;
use crate::tree::{Entry, Tree, Value};
use ports::Ports;
use text::wrong_text;

/// Reports all invalid values of one file or `--set` argument. Holes are skipped, because they are already reported.
#[must_use]
pub fn judge(tree: &Tree, shape: &Shape, sources: &Sources) -> Vec<Diagnostic> {
    let mut judge = Judge { sources, root: shape, ports: Ports::default(), out: Vec::new() };
    judge.value(shape, tree, "the file", tree.span);
    if tree.get("extends").is_some() {
        judge.out.iter_mut().for_each(explain_null);
    }
    limited(judge.out)
}

/// Adds a help to the error for null in a file with a base. Users may expect that null removes the value of the base.
fn explain_null(told: &mut Diagnostic) {
    let of_null = told.code == &WRONG_TYPE && told.labels[0].text == "found null";
    if of_null && told.fixes.is_empty() {
        told.help = Some(
            "null cannot remove a value of the base; set another value, or move the field from the base to the files that \
             need it"
                .to_owned(),
        );
    }
}

struct Judge<'a> {
    sources: &'a Sources,
    root: &'a Shape,
    ports: Ports,
    out: Vec<Diagnostic>,
}

/// Returns the type of a value as a noun phrase.
const fn kind(value: &Value, format: Format) -> &'static str {
    match (value, format) {
        (Value::Null, _) => "null",
        (Value::Bool(_), _) => "a boolean",
        (Value::Int(_) | Value::Float(_), _) => "a number",
        (Value::Text(_), _) => "a string",
        (Value::List(_), _) => "a list",
        (Value::Map(_), Format::Kdl) => "a block",
        (Value::Map(_), _) => "an object",
        (Value::Hole, _) => "an invalid value",
    }
}

impl Judge<'_> {
    fn format(&self, span: Span) -> Format {
        self.sources.find(span).map_or(Format::Kdl, |source| source.format)
    }

    fn value(&mut self, shape: &Shape, tree: &Tree, name: &str, key: Span) {
        match (shape, &tree.value) {
            (_, Value::Hole) => {}
            (Shape::Any, Value::Map(entries)) => {
                entries.iter().for_each(|entry| self.value(shape, &entry.tree, &entry.key, entry.key_span));
            }
            (Shape::Any, Value::List(items)) => {
                items.iter().for_each(|item| self.value(shape, item, name, item.span))
            }
            (Shape::Any, _) => {}
            (Shape::Object(object), Value::Map(entries)) => self.object(object, entries, name),
            (Shape::Keyed(keyed), Value::Map(entries)) => self.keyed(keyed, entries, name),
            (Shape::List(list), Value::List(items)) => self.list(list, items, name, key),
            (Shape::Number(number), Value::Int(_) | Value::Float(_)) => {
                self.number(shape, *number, tree, name)
            }
            (Shape::NumberOr(number, _), Value::Int(_)) => self.number(shape, *number, tree, name),
            (Shape::NumberOr(_, Shape::Words(choices)), Value::Text(text))
                if text.parse::<i128>().is_err() =>
            {
                self.word(choices, text, tree.span, name, &shape.words());
            }
            (Shape::NumberOr(_, other), Value::Text(text)) if text.parse::<i128>().is_err() => {
                self.value(other, tree, name, key);
            }
            (Shape::Flag, Value::Bool(_)) => {}
            (Shape::Words(choices), Value::Text(text)) => {
                self.word(choices, text, tree.span, name, &shape.words());
            }
            (Shape::Text(grammar), Value::Text(text)) if text.is_empty() && grammar.check(text).is_err() => {
                let of = if *grammar == Grammar::Name { "the name of " } else { "" };
                let told = Diagnostic::new(&BAD_VALUE, tree.span, format!("{of}`{name}` is empty"));
                self.out.push(told.here("empty").help(format!("expected {}", grammar.words())));
            }
            (Shape::Text(grammar), Value::Text(text)) => {
                if let Err(wrong) = grammar.check(text) {
                    self.out.push(wrong_text(self.format(tree.span), tree.span, wrong));
                }
            }
            (Shape::Text(grammar), _) => {
                let words = self.sources.slice(tree.span);
                let format = self.format(tree.span);
                let told = not_text(format, &format!("`{name}`"), tree, words, Some(*grammar));
                self.out.push(if name == "priority" && matches!(tree.value, Value::Int(_)) {
                    let help = "write the name of a priority class, such as `\"high\"`, instead of its value";
                    told.help(help).without_fixes()
                } else {
                    told
                });
            }
            (Shape::Scalar, Value::Text(text)) => {
                if let Err(wrong) = Grammar::Text.check(text) {
                    self.out.push(wrong_text(self.format(tree.span), tree.span, wrong));
                }
            }
            (Shape::Scalar, Value::Bool(_) | Value::Int(_) | Value::Float(_)) => {}
            (_, _) => self.wrong_type(shape, tree, name),
        }
    }

    fn wrong_type(&mut self, shape: &Shape, tree: &Tree, name: &str) {
        let format = self.format(tree.span);
        let foreign = matches!(format, Format::Json | Format::Yaml);
        let got = match (shape, &tree.value) {
            (Shape::Number(Number::Whole { .. }), Value::Float(_)) => "a decimal number",
            _ => kind(&tree.value, format),
        };
        let due = match shape {
            Shape::Object(object) if format != Format::Kdl && object.plain().is_some() => {
                "a single value or an object".to_owned()
            }
            Shape::Object(_) | Shape::Keyed(_) if format != Format::Kdl => "an object".to_owned(),
            Shape::List(list) if list.item.object().is_some() => "a list of objects".to_owned(),
            Shape::Flag if format != Format::Kdl => "`true` or `false`".to_owned(),
            shape => shape.words(),
        };
        let fact = format!("`{name}` must be {due}, not {got}");
        let scalar = matches!(shape, Shape::Flag | Shape::Words(_));
        let mut told = Diagnostic::new(&WRONG_TYPE, tree.span, fact).here(format!("found {got}"));
        let meant = meant::meant(shape, &tree.value, self.sources.slice(tree.span), format);
        if tree.value == Value::Null {
            told = match self.sources.find(tree.span).filter(|_| foreign && nothing::may_be_empty(shape)) {
                Some(source) => nothing::tell(told, source, tree.span),
                None => told.help("remove the key to leave it unset"),
            };
        }
        if let Some(meant) = meant.filter(|_| format != Format::Set) {
            // If an object is expected, the fix guesses which field the value sets. A target may not support this field; only
            // `count` is supported by every target. If the object has no field `count`, the fix is only a suggestion.
            let sure = shape.object().is_none_or(|object| object.field("count").is_some());
            // A number with leading zeros may be octal, so the fix is then only a suggestion.
            let sure = sure && !matches!(&tree.value, Value::Text(text) if text != without_zeros(text));
            told = told.help(format!("write `{meant}`")).fix(Fix::replace(tree.span, meant).if_sure(sure));
        } else if let Some(option) = instead_of_block(self.root, (name, shape), &tree.value, format) {
            told = told.help(option);
        } else if foreign && !shape.is_scalar() && tree.value != Value::Null {
            told = told.help(format!("write it as `{}`", keys::due_for(shape, &tree.value, format)));
            let object = keys::object_of(shape, &tree.value, format);
            told.fixes.extend(object.and_then(|object| self.as_object(tree.span, object)));
        } else if let (Format::Set, Shape::Flag) = (format, shape) {
            told = told.help("write `true` or `false`");
        } else if let Some(both) =
            scalar.then(|| switch_and_option(self.root, name, Some(&tree.value))).flatten()
        {
            told = told.help(both);
        } else if let Some(cores) = fraction(shape, &tree.value) {
            told = told
                .help(format!("write cores instead of millicores: `{cores}`"))
                .fix(Fix::replace(tree.span, cores));
        } else if let ("restart", Value::Int(limit)) = (name, &tree.value) {
            told = told.help(format!("write `restart \"on-failure\" limit={limit}`"));
        } else if let ("gpus", Value::Text(_)) = (name, &tree.value) {
            told = told.help("write the number of GPUs per task, such as `gpus=1`");
        } else if let ("restart", Value::Bool(true)) = (name, &tree.value) {
            told = told.help("write `restart \"on-failure\"`");
        }
        self.out.push(told);
    }

    /// Returns the fix that writes a list as an object. `None` if the list may have comments.
    fn as_object(&self, list: Span, object: String) -> Option<Fix> {
        let is_bare = !self.sources.slice(list).contains('#');
        is_bare.then(|| Fix::edit("write it as an object", list, object).suggested())
    }

    fn number(&mut self, shape: &Shape, number: Number, tree: &Tree, name: &str) {
        let inside = match (number, &tree.value) {
            (Number::Whole { min, max }, Value::Int(n)) => (min..=max).contains(n),
            (Number::Real { min, max, .. }, value) => {
                let n = as_f64(value);
                min.is_none_or(|min| n >= min) && max.is_none_or(|max| n <= max)
            }
            (Number::Whole { .. }, _) => return self.wrong_type(shape, tree, name),
        };
        let words = self.sources.slice(tree.span);
        if !inside {
            let told =
                Diagnostic::new(&OUT_OF_RANGE, tree.span, format!("`{name}` is out of range: {words}"));
            self.out.push(told.help(format!("expected {}", number.range())));
        } else if let Number::Real { cores: true, .. } = number
            && let Err(wrong) = Cores::from_number(as_f64(&tree.value))
        {
            self.out.push(Diagnostic::new(&BAD_VALUE, tree.span, wrong.message).help(wrong.help));
        }
    }

    /// Reports a value that is not one of the keywords `choices`. `accepted`: description of all accepted values.
    fn word(&mut self, choices: &[Choice], text: &str, at: Span, name: &str, accepted: &str) {
        if choices.iter().any(|choice| choice.word == text) {
            return;
        }
        let told =
            Diagnostic::new(&UNKNOWN_VALUE, at, format!("invalid value `{}` for `{name}`", text.escaped()));
        self.out.push(match choice_meant(text, choices) {
            Some(near) => {
                told.here(format!("did you mean `{near}`?")).help(format!("expected {accepted}")).fix(
                    Fix::replace(at, literal::text(self.format(at), near))
                        .if_sure(only_choice(text, near, choices)),
                )
            }
            None => told.help(format!("expected {accepted}")),
        });
    }

    fn list(&mut self, list: &List, items: &[Tree], name: &str, key: Span) {
        if items.len() < list.min {
            let told = Diagnostic::new(&MISSING_VALUE, key, format!("`{name}` is empty")).here("no values");
            self.out.push(told.help(format!("add at least {} value: {}", list.min, list.item.words())));
        }
        items.iter().for_each(|item| self.value(&list.item, item, name, item.span));
    }

    /// Returns whether the spec has an empty string at this span, such as `""`. An empty key in the tree does not show this,
    /// because the KDL reader sets an empty key for each name that it could not read.
    fn is_empty_name(&self, at: Span) -> bool {
        let text = self.sources.slice(at);
        text.contains('"') && text.trim_matches(['"', '#']).is_empty()
    }

    fn keyed(&mut self, keyed: &Keyed, entries: &[Entry], name: &str) {
        let is_hole = |entry: &&Entry| {
            entry.key.is_empty() && entry.tree.value == Value::Hole && !self.is_empty_name(entry.key_span)
        };
        let entries: Vec<&Entry> = entries.iter().filter(|entry| !is_hole(entry)).collect();
        self.out.extend(pairs::name_and_value(keyed, &entries, name));
        for entry in entries {
            let at = entry.key_span;
            // If the name is missing or written twice, the KDL reader has already reported it.
            let told = entry.key.is_empty() && !self.is_empty_name(at);
            if let (Err(wrong), false) = (keyed.keys.check(&entry.key), told) {
                let quoted = self.sources.slice(at).starts_with(['"', '#']);
                let fact =
                    if entry.key.is_empty() { format!("a name in `{name}` is empty") } else { wrong.message };
                let told = Diagnostic::new(&BAD_VALUE, at, fact).help(wrong.help);
                self.out.push(match wrong.instead {
                    Some(meant) if quoted => {
                        told.suggest(Fix::replace(at, literal::text(self.format(at), &meant)))
                    }
                    Some(meant) => told.suggest(Fix::replace(at, meant)),
                    None => told,
                });
            }
            match (&keyed.item, &entry.tree.value) {
                (Shape::Object(object), Value::Map(entries)) => {
                    let values =
                        entries.iter().filter(|entry| name == SECRET && secret::is_value(&entry.key));
                    values.for_each(|value| self.out.push(secret::told(&entry.key, value.key_span)));
                    let before = self.out.len();
                    self.object(object, entries, name);
                    secret::explain_variable(name, &entry.key, entries, &mut self.out[before..]);
                }
                (_, Value::Text(_)) if name == SECRET => {
                    self.out.push(secret::told(&entry.key, entry.tree.span));
                }
                (item, _) => self.value(item, &entry.tree, &entry.key, entry.key_span),
            }
            if entry.tree.value == Value::Null && nothing::entry_may_be_empty(&keyed.item) {
                self.say_empty(entry.tree.span);
            }
        }
    }

    /// Adds the help and the fix of an empty block to the finding about a null at this span.
    fn say_empty(&mut self, at: Span) {
        let Some(source) = self.sources.find(at) else { return };
        if let Some(told) = self.out.pop_if(|told| told.span() == at && told.code == &WRONG_TYPE) {
            self.out.push(nothing::tell(told.without_fixes(), source, at));
        }
    }

    /// Validates the fields of an object. `owner`: the entry or key that contains the fields.
    fn object(&mut self, object: &Object, entries: &[Entry], owner: &str) {
        let mut meant = Vec::new();
        let ports = self.ports.enter(entries);
        for entry in entries {
            match object.field(&entry.key) {
                Some(field) => self.field(field, entry, owner),
                None if object.open || entry.tree.value == Value::Hole => {}
                None if owner == SECRET && secret::is_value(&entry.key) => {}
                None => {
                    let is_given = |name: &str| entries.iter().any(|entry| entry.key == name);
                    let taken = |name: &str| is_given(name) || meant.contains(&name);
                    meant.extend(self.unknown_key(object, (entry, entries), taken));
                }
            }
        }
        self.ports.leave(ports);
    }

    fn field(&mut self, field: &Field, entry: &Entry, owner: &str) {
        if let (Place::Targets, Shape::Object(targets)) = (field.place, &field.shape) {
            self.targets(targets, &entry.tree);
            return;
        }
        // An argument or plain value has no key, so the message names the owner of the field.
        let kdl = self.format(entry.tree.span) == Format::Kdl;
        let argument = field.place == Place::Arg && (kdl || entry.is_plain());
        let name = if argument { owner } else { field.name };
        let before = self.out.len();
        self.value(&field.shape, &entry.tree, name, entry.key_span);
        self.for_the_field(field, &entry.tree, before);
    }
}

/// Returns a number without leading zeros.
fn without_zeros(number: &str) -> &str {
    let rest = number.trim_start_matches('0');
    if rest.is_empty() { &number[number.len().saturating_sub(1)..] } else { rest }
}

fn as_f64(value: &Value) -> f64 {
    match value {
        Value::Int(n) => *n as f64,
        Value::Float(n) => *n,
        Value::Null | Value::Bool(_) | Value::Text(_) | Value::List(_) | Value::Map(_) | Value::Hole => {
            f64::NAN
        }
    }
}

/// Converts millicores, such as `16000m` in other systems, to cores. `None` for any other value or shape.
fn fraction(shape: &Shape, value: &Value) -> Option<String> {
    let (Shape::Number(Number::Real { cores: true, .. }), Value::Text(text)) = (shape, value) else {
        return None;
    };
    let milli: f64 = text.strip_suffix('m')?.parse().ok()?;
    (milli % 100.0 == 0.0 && milli > 0.0).then(|| (milli / 1000.0).to_string())
}

#[cfg(test)]
mod tests;
