//! Credentials in a spec: each value of the merged tree that holds one.
use crate::codes::LITERAL_SECRET;
use crate::diagnostic::Diagnostic;
use crate::secrets::Credentials;
use crate::sources::{Sources, Span};
use crate::spec::values::FETCHED_WITHOUT;
use crate::tree::{Entry, Tree, Value};
use std::collections::BTreeSet;

/// Warns of every value in which a credential was found, each once.
pub(super) fn tell(tree: &Tree, sources: &Sources, out: &mut Vec<Diagnostic>) {
    let found = sources.credentials();
    if sources.iter().all(|source| found.within(source).is_empty()) {
        return;
    }
    let mut walk = Walk { found, sources, kept: SECRET, told: BTreeSet::new(), out };
    walk.tree(tree, None, None);
}

const SECRET: &str = "write `secret \"NAME\" from=\"…\" key=\"…\"` and let the platform keep the value";
const CONFIGURED: &str = "remove it, and set it in the platform's own configuration, which its administrator keeps: no secret of the job becomes a setting";

struct Walk<'a> {
    found: &'a Credentials,
    sources: &'a Sources,
    /// Where a value like this one may be.
    kept: &'static str,
    told: BTreeSet<Span>,
    out: &'a mut Vec<Diagnostic>,
}

impl Walk<'_> {
    /// `name` is that of the variable or the param, `flag` the argument before.
    fn tree(&mut self, tree: &Tree, name: Option<&str>, flag: Option<&str>) {
        match &tree.value {
            Value::Map(entries) => entries.iter().for_each(|entry| self.entry(entry, name)),
            Value::List(items) => {
                let mut before = None;
                for item in items {
                    self.tree(item, name, before);
                    before = item.text().filter(|text| text.starts_with('-'));
                }
            }
            Value::Text(text) => self.value(tree.span, text, name, flag),
            Value::Int(_) | Value::Float(_) => self.value(tree.span, "", name, flag),
            Value::Null | Value::Bool(_) | Value::Hole => {}
        }
    }

    fn entry(&mut self, entry: &Entry, name: Option<&str>) {
        // A key that was not written has the place of the value.
        if entry.key_span != entry.tree.span && !entry.key.is_empty() {
            self.value(entry.key_span, "", None, None);
        }
        match entry.key.as_str() {
            "env" | "param" => {
                entry.tree.entries().iter().for_each(|named| self.tree(&named.tree, Some(&named.key), None));
            }
            // No secret of the job reaches what fetches these.
            "code" | "files" => self.elsewhere(FETCHED_WITHOUT, entry, name),
            "conf" => self.elsewhere(CONFIGURED, entry, name),
            _ => self.tree(&entry.tree, name, None),
        }
    }

    fn elsewhere(&mut self, kept: &'static str, entry: &Entry, name: Option<&str>) {
        let before = std::mem::replace(&mut self.kept, kept);
        self.tree(&entry.tree, name, None);
        self.kept = before;
    }

    fn value(&mut self, span: Span, text: &str, name: Option<&str>, flag: Option<&str>) {
        let Some(source) = self.sources.find(span) else { return };
        let Some(at) = self.found.first_in(source, span) else { return };
        if !self.told.insert(span) {
            return;
        }
        let inside = text.split_once('=').filter(|(flag, _)| flag.starts_with('-'));
        let whole = source.local(span).len() <= at.len() + 2;
        let fact = match (name, flag, inside) {
            (Some(name), _, _) => format!("`{name}` looks like a credential written in the open"),
            (None, _, Some((flag, _))) => format!("`{flag}` looks like a credential written in the open"),
            (None, Some(flag), None) if whole => {
                format!("the value of `{flag}` looks like a credential written in the open")
            }
            (None, _, None) if whole => "this looks like a credential written in the open".to_owned(),
            (None, _, None) => "this text holds what looks like a credential written in the open".to_owned(),
        };
        self.out.push(
            Diagnostic::new(&LITERAL_SECRET, span, fact)
                .here("anyone who reads the file reads this")
                .help(self.kept),
        );
    }
}
