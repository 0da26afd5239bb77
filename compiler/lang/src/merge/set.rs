//! `--set KEY=VALUE`: the key is a path to a field of the job, and the value is parsed as the type of the field.
mod meant;
mod next;
mod within;

pub use next::{Next, next};

use crate::codes::{BAD_SETTING, DUPLICATE_PROPERTY, UNKNOWN_KEY};
use crate::diagnostic::{Diagnostic, Edit, Fix, nearest};
use crate::escape::Escaped;
use crate::shape::{Field, Keyed, Number, Object, Place, Shape, judge, unknown_target};
use crate::sources::{Format, Source, Sources, Span};
use crate::tree::{Entry, Tree, Value};

/// One name in the key of a setting, such as `worker` in `role.worker.count`, with its span.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    name: String,
    at: Span,
}

/// Applies one `--set` to a merged spec: `role.worker.count=8`, `image=…`, `param.lr=0.1`, `env.MODE=fast`. `source`: the
/// text of the setting, in which errors have their spans.
///
/// A key is a path from the job to a field. If it ends at an entry with an argument, such as `image`, it sets the argument. A
/// name with a dot must be quoted. Named entries must exist in the spec, except in `env` and `labels`.
///
/// `once`: offset of the first of the settings that must not set the same field as this one, if there are such settings.
#[must_use]
pub fn set(
    tree: &mut Tree,
    shape: &Shape,
    source: &Source,
    sources: &Sources,
    once: Option<u32>,
) -> Vec<Diagnostic> {
    let (steps, value) = match split(source) {
        Ok(parts) => parts,
        Err(told) => return vec![*told],
    };
    let Some(job) = shape.find(&[("job", None)]) else { return Vec::new() };
    let Some(object) = job.shape.object() else { return Vec::new() };
    let existing = tree.get("job");
    if let Some(told) = meant::of_roles(object, existing, &steps) {
        return vec![told];
    }
    let mut walk = Walk {
        root: object,
        source,
        value,
        path: vec![Step { name: "job".to_owned(), at: whole(source) }],
        asked: None,
    };
    let leaf = match walk.object(object, existing, &steps) {
        Ok(leaf) => leaf,
        Err(told) => return vec![*told],
    };
    let patch = walk.path.iter().rev().fold(leaf, |inner, step| {
        let entry = Entry { key: step.name.clone(), key_span: step.at, tree: inner };
        Tree::map(whole(source), vec![entry])
    });
    let mut told = judge(&patch, shape, sources);
    if told.is_empty() {
        let first = earlier(tree, &patch).filter(|span| once.is_some_and(|once| span.start >= once));
        told.extend(first.map(|first| {
            let fact = format!("`{}` is set twice", walk.key());
            Diagnostic::new(&DUPLICATE_PROPERTY, whole(source), fact)
                .here("set again here")
                .label(first, "first set here")
                .help("remove one of the two settings")
        }));
        put(tree, patch);
    }
    told
}

/// Returns the span of the value that `patch` replaces. `patch` has a single value.
fn earlier(tree: &Tree, patch: &Tree) -> Option<Span> {
    match patch.entries().first() {
        Some(entry) => earlier(tree.get(&entry.key)?, &entry.tree),
        None => Some(tree.span),
    }
}

/// Returns the span of a setting, without the white space before it.
fn whole(source: &Source) -> Span {
    let lead = source.text.len() - source.text.trim_start().len();
    Span::new(source.base() + u32::try_from(lead).unwrap_or(u32::MAX), source.span().end)
}

/// Splits a setting into the steps of its key and the span of its value.
fn split(source: &Source) -> Result<(Vec<Step>, Span), Box<Diagnostic>> {
    let text = &source.text;
    let offset = |byte: usize| source.base() + u32::try_from(byte).unwrap_or(u32::MAX);
    let lead = text.len() - text.trim_start().len();
    let (mut steps, mut name, mut quoted, mut start) = (Vec::new(), String::new(), false, lead);
    for (at, c) in text.char_indices().skip_while(|(at, _)| *at < lead) {
        match c {
            '"' => quoted = !quoted,
            '.' | '=' if !quoted => {
                steps
                    .push(Step { name: std::mem::take(&mut name), at: Span::new(offset(start), offset(at)) });
                start = at + 1;
                if c == '=' {
                    return Ok((steps, Span::new(offset(at + 1), offset(text.len()))));
                }
            }
            c => name.push(c),
        }
    }
    let told = Diagnostic::new(&BAD_SETTING, whole(source), "missing `=` in `--set`");
    Err(Box::new(told.help("write KEY=VALUE, such as `role.worker.count=8`")))
}

/// Returns the fields that a setting names, as the tree of a spec, with the value as a text. The spans of names are those without quotes.
/// `None` without a `=`.
pub(crate) fn tree_of(source: &Source) -> Option<Tree> {
    let (steps, value) = split(source).ok()?;
    let leaf = Tree { span: value, value: Value::Text(source.slice(value).to_owned()) };
    let job = Step { name: "job".to_owned(), at: whole(source) };
    let wrap = |inner: Tree, step: &Step| {
        let is_quoted = source.slice(step.at) == format!("\"{}\"", step.name);
        let key_span = if is_quoted { Span::new(step.at.start + 1, step.at.end - 1) } else { step.at };
        let entry = Entry { key: step.name.clone(), key_span, tree: inner };
        Tree::map(whole(source), vec![entry])
    };
    Some(std::iter::once(&job).chain(&steps).rfold(leaf, wrap))
}

type Walked = Result<Tree, Box<Diagnostic>>;

struct Walk<'a> {
    /// The fields of the job.
    root: &'a Object,
    source: &'a Source,
    value: Span,
    path: Vec<Step>,
    /// Collects what may follow the key, if that is asked for.
    asked: Option<next::Asked>,
}

impl Walk<'_> {
    /// Follows the remaining `steps` of the key from an object, and parses the value at the end.
    fn object(&mut self, object: &Object, tree: Option<&Tree>, steps: &[Step]) -> Walked {
        if let Some(asked) = &mut self.asked {
            asked.fields(object, tree, steps);
        }
        let Some((step, rest)) = steps.split_first() else {
            let Some(field) = object.at(Place::Arg).next() else {
                return Err(self.no_value(within::object(object)));
            };
            self.path.push(Step { name: field.name.to_owned(), at: whole(self.source) });
            return self.leaf(&field.shape, tree.and_then(|tree| tree.get(field.name)));
        };
        let Some(field) = object.field(&step.name) else {
            if object.field(step.name.trim()).is_some() {
                return Err(self.spaced(step));
            }
            let told = unknown(step, object.fields.iter().map(|field| field.name), "key");
            let told = meant::tell(*told, object, tree, steps, &self.key());
            let of_job =
                self.root.field(&step.name).filter(|_| told.fixes.is_empty() && !self.path[1..].is_empty());
            return Err(match of_job {
                Some(_) if told.labels[0].span == step.at => {
                    Box::new(told.help(format!("did you mean `{}`?", meant::key(steps))))
                }
                _ => told,
            });
        };
        self.path.push(step.clone());
        self.field(field, tree.and_then(|tree| tree.get(field.name)), rest)
    }

    fn field(&mut self, field: &Field, tree: Option<&Tree>, steps: &[Step]) -> Walked {
        match &field.shape {
            Shape::Object(targets) if field.place == Place::Targets => {
                if let Some(asked) = &mut self.asked {
                    asked.fields(targets, tree, steps);
                }
                let Some((step, rest)) = steps.split_first() else {
                    return Err(self.no_value(within::targets(targets, tree)));
                };
                let Some(target) = targets.field(&step.name) else {
                    let known: Vec<&str> = targets.fields.iter().map(|target| target.name).collect();
                    return Err(Box::new(unknown_target(Format::Set, &known, &step.name, step.at, [])));
                };
                self.path.push(step.clone());
                self.field(target, tree.and_then(|tree| tree.get(&step.name)), rest)
            }
            Shape::Object(object) => self.object(object, tree, steps),
            Shape::Keyed(keyed) => {
                if let Some(asked) = &mut self.asked {
                    asked.entries(&keyed.item, tree, steps);
                }
                let Some((step, rest)) = steps.split_first() else {
                    return Err(self.no_value(within::keyed(keyed, tree)));
                };
                let there = tree.and_then(|tree| tree.get(&step.name));
                if there.is_none() && keyed.item.object().is_some() {
                    if tree.is_some_and(|tree| tree.get(step.name.trim()).is_some()) {
                        return Err(self.spaced(step));
                    }
                    let names = tree.map_or(&[][..], Tree::entries).iter().map(|entry| entry.key.as_str());
                    let told = unknown(step, names, &format!("`{}` name", field.name));
                    let path = self.path.iter().chain([step]).map(|step| step.name.as_str());
                    return Err(Box::new(told.from_absent(&path.collect::<Vec<_>>())));
                }
                self.path.push(step.clone());
                match &keyed.item {
                    Shape::Object(object) => self.object(object, there, rest),
                    item if rest.is_empty() => self.leaf(item, there),
                    _ => Err(self.dotted(keyed, rest)),
                }
            }
            Shape::List(_) | Shape::Any if !steps.is_empty() => Err(self.of_list(&steps[0])),
            Shape::List(_) | Shape::Any => Err(self.no_value(None)),
            scalar => match steps.first() {
                None => self.leaf(scalar, tree),
                Some(step) => Err(self.too_far(step)),
            },
        }
    }

    /// Parses the value as the type of the field requires. `before`: the current value of the field.
    fn leaf(&mut self, shape: &Shape, before: Option<&Tree>) -> Walked {
        if let Some(asked) = &mut self.asked {
            asked.value(shape, before);
        }
        let text = self.source.slice(self.value);
        let before = before.map(|tree| &tree.value);
        let is_number_or_flag = matches!(before, Some(Value::Int(_) | Value::Float(_) | Value::Bool(_)));
        let is_text = matches!(shape, Shape::Text(_)) || *shape == Shape::Scalar && !is_number_or_flag;
        if !is_text && text != text.trim() {
            let told =
                Diagnostic::new(&BAD_SETTING, self.value, "white space around the value").here("white space");
            let told = told.help(format!("write `{}={}`", self.written_key(), text.trim().escaped()));
            return Err(Box::new(told.fix(Fix::replace(self.value, text.trim()))));
        }
        let read = match shape {
            Shape::NumberOr(..) => text.parse().ok().map(Value::Int),
            Shape::Number(Number::Whole { .. } | Number::Real { .. }) => number(text),
            Shape::Flag => flag(text),
            // A parameter keeps the type of its value in the spec.
            Shape::Scalar => match before {
                Some(Value::Int(_) | Value::Float(_)) => return self.typed(number(text), "a number"),
                Some(Value::Bool(_)) => return self.typed(flag(text), "`true` or `false`"),
                Some(Value::Text(_)) => None,
                _ => number(text).or_else(|| flag(text)),
            },
            Shape::Object(_) | Shape::Keyed(_) | Shape::List(_) | Shape::Any => {
                return Err(self.no_value(None));
            }
            Shape::Words(_) | Shape::Text(_) => None,
        };
        Ok(Tree { span: self.value, value: read.unwrap_or_else(|| Value::Text(text.to_owned())) })
    }

    /// Returns the error about a name with white space around it, with the edits that also remove the white space around the value.
    fn spaced(&self, step: &Step) -> Box<Diagnostic> {
        let (name, value) = (step.name.trim(), self.source.slice(self.value));
        let told = Diagnostic::new(&BAD_SETTING, step.at, "white space around the key");
        let edit = |span: Span, text: &str| Edit { span, text: text.to_owned() };
        let mut edits = vec![edit(step.at, name)];
        if value != value.trim() {
            edits.push(edit(self.value, value.trim()));
        }
        Box::new(
            told.here("white space")
                .help(format!("write `{}={}`", self.written_key(), value.trim().escaped()))
                .fix(Fix::of("remove the white space", edits)),
        )
    }

    fn typed(&self, read: Option<Value>, due: &str) -> Walked {
        match read {
            Some(value) => Ok(Tree { span: self.value, value }),
            None => {
                let fact = format!("`{}` is not {due}", self.source.slice(self.value));
                let told =
                    Diagnostic::new(&BAD_SETTING, self.value, fact).here("the default has another type");
                Err(Box::new(told.help(format!("write {due}, the type of the parameter's default"))))
            }
        }
    }

    /// Returns the key as it is written, without white space around its names.
    fn written_key(&self) -> String {
        let steps = split(self.source).map(|(steps, _)| steps).unwrap_or_default();
        steps.iter().map(|step| self.source.slice(step.at).trim()).collect::<Vec<_>>().join(".")
    }

    fn key(&self) -> String {
        self.path.iter().skip(1).map(|step| step.name.as_str()).collect::<Vec<_>>().join(".")
    }

    /// Returns the error about a key that names a block. `inner`: example of a key below this block, such as `cpus=…`.
    fn no_value(&self, inner: Option<String>) -> Box<Diagnostic> {
        let key = self.key();
        let told = Diagnostic::new(
            &BAD_SETTING,
            whole(self.source),
            format!("`--set` cannot set `{key}` as a whole"),
        );
        Box::new(told.help(match inner {
            Some(inner) => {
                format!("set a single field, such as `{key}.{inner}`")
            }
            None => "set it in a second spec that `extends` this one".to_owned(),
        }))
    }

    /// Returns the error about steps below an entry without fields. If the steps form a valid name with dots, the help suggests
    /// this name in quotes.
    fn dotted(&self, keyed: &Keyed, rest: &[Step]) -> Box<Diagnostic> {
        let told = self.too_far(&rest[0]);
        let [_, above @ .., first] = self.path.as_slice() else { return told };
        let names = |steps: &[Step]| steps.iter().map(|step| step.name.clone()).collect::<Vec<_>>().join(".");
        let (name, value) = (format!("{}.{}", first.name, names(rest)), self.source.slice(self.value));
        if keyed.keys.check(&name).is_err() {
            return told;
        }
        Box::new(told.help(format!("quote a name with a dot: `'{}.\"{name}\"={value}'`", names(above))))
    }

    fn of_list(&self, step: &Step) -> Box<Diagnostic> {
        let fact = format!("`--set` cannot change one entry of `{}`", self.key());
        let told = Diagnostic::new(&BAD_SETTING, step.at, fact).here("an entry of a list");
        Box::new(told.help("write the entry in a second spec that `extends` this one"))
    }

    fn too_far(&self, step: &Step) -> Box<Diagnostic> {
        let fact = format!("`{}` has no fields", self.key());
        Box::new(Diagnostic::new(&BAD_SETTING, step.at, fact).here("not a field"))
    }
}

fn unknown<'n>(step: &Step, names: impl Iterator<Item = &'n str> + Clone, what: &str) -> Box<Diagnostic> {
    let fact = format!("unknown {what} `{}`", step.name.escaped());
    let told = Diagnostic::new(&UNKNOWN_KEY, step.at, fact).here("unknown");
    let all: Vec<String> = names.clone().map(|name| format!("`{name}`")).collect();
    Box::new(match nearest(&step.name, names) {
        Some(near) => told.help(format!("did you mean `{near}`?")).fix(Fix::replace(step.at, near)),
        None if all.is_empty() => told.help(format!("this job has no {}", what.trim_end_matches(" name"))),
        None => told.help(format!("available here: {}", all.join(", "))),
    })
}

fn number(text: &str) -> Option<Value> {
    let whole = || text.parse().ok().map(Value::Int);
    // `parse` also accepts `inf` and `nan`, but a spec does not.
    let plain = text.bytes().any(|b| b.is_ascii_digit());
    let real = || text.parse::<f64>().ok().filter(|n| n.is_finite() && plain).map(Value::Float);
    whole().or_else(real)
}

fn flag(text: &str) -> Option<Value> {
    text.strip_prefix('#').unwrap_or(text).parse().ok().map(Value::Bool)
}

/// Merges `patch` into the tree. `patch` has a single value.
fn put(tree: &mut Tree, patch: Tree) {
    match (&mut tree.value, patch.value) {
        (Value::Map(entries), Value::Map(patches)) => {
            for patch in patches {
                match entries.iter_mut().find(|entry| entry.key == patch.key) {
                    Some(entry) => put(&mut entry.tree, patch.tree),
                    None => entries.push(patch),
                }
            }
        }
        (_, value) => *tree = Tree { span: patch.span, value },
    }
}
