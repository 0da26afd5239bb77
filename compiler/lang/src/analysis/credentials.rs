//! Warns of passwords, tokens, and keys in plain text in the values of the merged tree.
use crate::codes::LITERAL_SECRET;
use crate::diagnostic::{Diagnostic, Remedy, Step};
use crate::plan::{Plan, RoleId};
use crate::requirement::{Identity, Requirement};
use crate::secrets::Credentials;
use crate::sources::{Sources, Span};
use crate::spec::values::{EnvName, FETCHED_WITHOUT};
use crate::target::{AnyTarget, Verdict};
use crate::tree::{Entry, Tree, Value};
use std::collections::BTreeSet;

/// Reports each value of a spec once, if the value contains a credential. `form`: see [`accepted_form`].
pub(super) fn check(tree: &Tree, sources: &Sources, form: Option<&'static str>, out: &mut Vec<Diagnostic>) {
    walk(tree, sources, (SECRET, form), out);
}

/// Returns the properties of a `secret` that all `targets` accept, with placeholders. `None` if a target does not support secrets.
pub(super) fn accepted_form(plan: &Plan, targets: &[&'static dyn AnyTarget]) -> Option<&'static str> {
    let role: RoleId = plan.roles.first().map(|_| 0)?;
    let accepts = |key: Option<&str>| {
        let (from, key) = ("name".to_owned(), key.map(str::to_owned));
        let secret = Identity::SecretEnv { role, env: "TOKEN".to_owned(), from, key };
        let secret = Requirement::Identity(secret);
        targets.iter().all(|target| match target.verdict(&secret, plan) {
            Verdict::Native | Verdict::Emulated(_) => true,
            Verdict::Ignored(_) | Verdict::Unsupported(_) => false,
        })
    };
    match accepts(Some("key")) {
        true => Some("from=\"name\" key=\"key\""),
        false => accepts(None).then_some("from=\"name\""),
    }
}

/// Reports each value of a cluster file once, if the value contains a credential.
pub(crate) fn check_cluster(tree: &Tree, sources: &Sources, out: &mut Vec<Diagnostic>) {
    walk(tree, sources, (OF_EVERY_JOB, None), out);
}

fn walk(
    tree: &Tree,
    sources: &Sources,
    (help, form): (&'static str, Option<&'static str>),
    out: &mut Vec<Diagnostic>,
) {
    let found = sources.credentials();
    if sources.iter().all(|source| found.within(source).is_empty()) {
        return;
    }
    let mut walk = Walk { found, sources, help, form, reported: BTreeSet::new(), out };
    walk.tree(tree, None, None);
}

const SECRET: &str = "remove it: store the credential in a secret of the platform, and write `secret \"NAME\" from=\"…\" key=\"…\"`, which sets the environment variable `NAME`";
const OF_EVERY_JOB: &str = "remove it: it would be in the manifests of every job; store the credential in a secret of the platform, and write `secret \"NAME\" from=\"…\" key=\"…\"` in each job that needs it";
const CONFIGURED: &str = "remove this setting, and write it to the configuration of the platform: settings in `conf` cannot use secrets of the job";

struct Walk<'a> {
    found: &'a Credentials,
    sources: &'a Sources,
    /// The help for credentials in the current part of the tree.
    help: &'static str,
    /// The properties of a `secret` that replaces a variable. `None`: no such edit.
    form: Option<&'static str>,
    reported: BTreeSet<Span>,
    out: &'a mut Vec<Diagnostic>,
}

impl Walk<'_> {
    /// Checks a part of the tree. `name`: the environment variable or parameter that the part belongs to. `flag`: the previous
    /// argument, such as `--password`.
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
        // An entry may have an implied key, which the text does not contain. Such a key has the span of its value, and is not
        // checked. All other keys are checked like values.
        if entry.key_span != entry.tree.span && !entry.key.is_empty() {
            self.value(entry.key_span, "", None, None);
        }
        match entry.key.as_str() {
            "env" => entry.tree.entries().iter().for_each(|named| self.variable(named)),
            "param" => {
                entry.tree.entries().iter().for_each(|named| self.tree(&named.tree, Some(&named.key), None));
            }
            // The platform downloads `code` and `files` without the secrets of the job, so the help must not suggest a `secret`.
            "code" | "files" => self.with_help(FETCHED_WITHOUT, entry, name),
            "conf" => self.with_help(CONFIGURED, entry, name),
            _ => self.tree(&entry.tree, name, None),
        }
    }

    /// Checks an environment variable. The edit replaces it by a `secret`, whose placeholders the author replaces.
    fn variable(&mut self, named: &Entry) {
        let before = self.out.len();
        self.tree(&named.tree, Some(&named.key), None);
        if let Some(form) = self.form.filter(|_| self.help == SECRET && EnvName::parse(&named.key).is_ok()) {
            let secret = Step::add(format!("secret \"{}\" {form}", named.key));
            let replaced = Remedy(vec![Step::RemoveThis, secret]);
            self.out[before..].iter_mut().for_each(|found| found.remedies.push(replaced.clone()));
        }
    }

    fn with_help(&mut self, help: &'static str, entry: &Entry, name: Option<&str>) {
        let before = std::mem::replace(&mut self.help, help);
        self.tree(&entry.tree, name, None);
        self.help = before;
    }

    fn value(&mut self, span: Span, text: &str, name: Option<&str>, flag: Option<&str>) {
        let Some(source) = self.sources.find(span) else { return };
        let Some(at) = self.found.first_in(source, span) else { return };
        if !self.reported.insert(span) {
            return;
        }
        let inside = text.split_once('=').filter(|(flag, _)| flag.starts_with('-'));
        let is_whole_value = source.local(span).len() <= at.len() + 2;
        let fact = match (name, flag, inside) {
            (Some(name), _, _) => format!("the value of `{name}` looks like a credential in plain text"),
            (None, _, Some((flag, _))) => {
                format!("the value of `{flag}` looks like a credential in plain text")
            }
            (None, Some(flag), None) if is_whole_value => {
                format!("the value of `{flag}` looks like a credential in plain text")
            }
            (None, _, None) if is_whole_value => {
                "this value looks like a credential in plain text".to_owned()
            }
            (None, _, None) => "this value seems to contain a credential in plain text".to_owned(),
        };
        self.out.push(
            Diagnostic::new(&LITERAL_SECRET, span, fact)
                .here("visible to everyone who can read this file")
                .help(self.help),
        );
    }
}
