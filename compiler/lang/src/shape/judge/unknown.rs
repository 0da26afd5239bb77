//! Reports unknown targets, and unknown keys of JSON and YAML.
use super::Judge;
use crate::codes::{UNKNOWN_KEY, UNKNOWN_TARGET};
use crate::diagnostic::{Blocked, Diagnostic, Fix, nearest, only_near};
use crate::escape::Escaped;
use crate::shape::of_child::{child_with, moved_keys};
use crate::shape::suggest::{self, Meant};
use crate::shape::words::one_of;
use crate::shape::{Field, Object, literal};
use crate::sources::{Format, Span};
use crate::tree::{Entry, Value};

/// Reports an unknown target.
///
/// `beside`: the names of the other targets in the same block, including misspelled ones. If one of them means the same target as
/// the unknown name, there is no fix.
pub fn unknown_target<'a>(
    format: Format,
    known: &[&str],
    found: &str,
    at: Span,
    beside: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let told = Diagnostic::new(&UNKNOWN_TARGET, at, format!("unknown target `{found}`"));
    let near = nearest(found, known.iter().copied());
    let whom = near.map_or(Blocked::Unconfigured, |near| Blocked::Meant(near.to_owned()));
    let told = told.blocks(format!("target {found:?}"), whom);
    let is_taken = |near: &str| {
        beside.into_iter().any(|other| nearest(other, known.iter().copied()).is_some_and(|name| name == near))
    };
    match near {
        Some(near) if is_taken(near) => {
            told.help(format!("did you mean `{near}`? It is already set here; keep one of them"))
        }
        Some(near) => {
            let fix = Fix::replace(at, literal::text(format, near));
            told.help(format!("did you mean `{near}`?"))
                .fix(fix.if_sure(only_near(found, known.iter().copied())))
        }
        None => told.help(format!("available targets: {}", one_of(known.iter().copied(), "and"))),
    }
}

impl Judge<'_> {
    /// Returns the field and the finding of a key that contains its value: `{cpus:4}` or `{cpus=4}` in YAML.
    fn key_with_value(&self, object: &Object, entry: &Entry) -> Option<(&'static str, Diagnostic)> {
        let (name, value) = entry.key.split_once([':', '='])?;
        let is_key = entry.tree.value == Value::Null && self.format(entry.key_span) == Format::Yaml;
        let field = object.field(name).filter(|_| is_key && !value.is_empty())?;
        let written = format!("{name}: {value}");
        let told =
            Diagnostic::new(&UNKNOWN_KEY, entry.key_span, format!("unknown key `{}`", entry.key.escaped()));
        let told = told
            .here("unknown key")
            .help(format!("write `{}`: a colon and a space separate key and value", written.escaped()));
        Some((field.name, told.fix(Fix::replace(entry.key_span, written))))
    }

    /// Reports an unknown key. Returns the field that was probably intended. `taken`: whether a field is already set, or
    /// already intended by an earlier misspelled key. `entries`: all keys of the object.
    pub(super) fn unknown_key(
        &mut self,
        object: &Object,
        (entry, entries): (&Entry, &[Entry]),
        taken: impl Fn(&str) -> bool,
    ) -> Option<&'static str> {
        let at = entry.key_span;
        if let Some((field, told)) = self.key_with_value(object, entry) {
            self.out.push(told);
            return Some(field);
        }
        let here: Vec<&Field> = object.offered().collect();
        let mut meant = Meant::find(self.root, &entry.key, &here, self.out.len());
        let fact = format!("unknown key `{}`", entry.key.escaped());
        let told = Diagnostic::new(&UNKNOWN_KEY, at, fact).here("unknown key");
        meant.taken = meant.near.is_some_and(taken);
        meant.quoted = self.sources.slice(at).starts_with('"');
        let mut told = meant.tell(told, at);
        let written = self.sources.slice(entry.tree.span);
        let carry = |help: &String| suggest::carry_tree(self.root, help, &entry.key, &entry.tree, written);
        let filled = |help| carry(help).or_else(|| suggest::for_example(help, &entry.key));
        told.help = told.help.as_ref().and_then(filled).or(told.help);
        if suggest::is_arguments(&entry.key) && object.field("run").is_some() {
            told.help = Some(suggest::of_tree(&entry.tree, self.format(at), self.sources));
        }
        if matches!(entry.key.as_str(), "limits" | "requests") && object.field("cpus").is_some() {
            told.help = Some(
                "set `cpus`, `memory`, and `gpus` directly in `resources`; each is both the request and the limit"
                    .to_owned(),
            );
        }
        let block = child_with(object, &entry.key).filter(|_| meant.near.is_none());
        if let Some((block, property)) = block
            && let Some(moved) = moved_keys(self.sources, self.format(at), object, (block, entries))
        {
            let (block, property) = (block.name, property.name);
            told = told.help(format!("`{property}` is a property of `{block}`: write `{}`", moved.line));
            told.fixes.extend(moved.fix);
        }
        self.out.push(told);
        object.field(meant.near?).map(|field| field.name)
    }
}
