//! The names that one text declares and uses, such as roles and data, with their spans: for navigation and renaming in editors.
//!
//! The names are found even if the text has errors. Each text is read on its own: a name that it uses may be declared in one of its
//! base files.
mod kind;
mod text;

pub use kind::Kind;

use crate::analysis::{self, Loaded};
use crate::merge;
use crate::references::{self, Reference};
use crate::shape::literal;
use crate::sources::{Format, Source, Sources, Span};
use crate::target::Registry;
use crate::tree::{Entry, Tree, Value};
use tfjob_contract::variable;

/// Fields of a job or a role that declare names: maps with these names as keys. The first field of a kind is [`Kind::field`].
pub const DECLARING: [(&str, Kind); 9] = [
    ("role", Kind::Role),
    ("helper", Kind::Role),
    ("data", Kind::Data),
    ("files", Kind::Files),
    ("param", Kind::Param),
    ("port", Kind::Port),
    ("env", Kind::Variable),
    ("secret", Kind::Variable),
    ("target", Kind::Target),
];

/// Fields that contain the name of another block: the entry with the field, the field, and the kind of the name. If the field is
/// empty, the keys of the entry are the names.
pub const NAMING: [(&str, &str, Kind); 6] = [
    ("after", "", Kind::Role),
    ("ready", "tcp", Kind::Port),
    ("ready", "http", Kind::Port),
    ("allow", "on", Kind::Target),
    ("kerberos", "keytab", Kind::Variable),
    ("tensorboard", "secrets", Kind::Variable),
];

/// Fields with text that may contain references: the entry with the field, and the field. The entry is empty if the field is
/// directly in the job or a role.
pub const TEXTS: [(&str, &str); 5] =
    [("", "run"), ("", "shell"), ("", "workdir"), ("", "env"), ("tensorboard", "logs")];

/// How a name is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// As a string of its own, possibly in quotes.
    Alone,
    /// As a part of a longer string.
    Within,
    /// As an environment variable of tfjob, such as `TFJOB_DATA_TRAIN_SET`. The value is the head of the reference, such as
    /// `data`.
    Variable(&'static str),
    /// Not at all: `{checkpoints}` stands for the block `checkpoints`.
    Implied,
}

/// A place where a name is declared or used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// What the name stands for.
    pub kind: Kind,
    /// The role that contains the place, if names of this kind belong to a role. `None`: the job.
    pub role: Option<String>,
    /// The name. For [`Written::Variable`], the name in the notation of environment variables, such as `TRAIN_SET`.
    pub name: String,
    /// Whether the name is declared here.
    pub declares: bool,
    /// How the name is written.
    pub written: Written,
    /// The place: the literal with its quotes, or the reference with its braces.
    pub span: Span,
    /// The name itself, without quotes, or the variable. `None` if its position in the literal is unknown.
    pub word: Option<Span>,
}

impl Mention {
    /// Returns whether the mention refers to `name`.
    #[must_use]
    pub fn is_of(&self, name: &str) -> bool {
        match self.written {
            Written::Variable(_) => variable(&[name]) == variable(&[&self.name]),
            // `{job}` stands for the only job.
            Written::Implied if self.kind == Kind::Job => true,
            Written::Alone | Written::Within | Written::Implied => self.name == name,
        }
    }

    /// Returns the text at [`Mention::word`], without quotes and escapes.
    #[must_use]
    pub fn written_text(&self) -> String {
        match self.written {
            Written::Variable(head) => variable(&[head, &self.name]),
            Written::Alone | Written::Within | Written::Implied => self.name.clone(),
        }
    }

    /// Returns the text that replaces [`Mention::word`] if the name is changed to `name`. `quoted`: whether the word is in quotes.
    #[must_use]
    pub fn renamed(&self, name: &str, format: Format, quoted: bool) -> String {
        match self.written {
            Written::Variable(head) => variable(&[head, name]),
            Written::Alone if !quoted => literal::name(format, name),
            Written::Alone | Written::Within | Written::Implied => name.to_owned(),
        }
    }
}

/// Returns the kind of name in a reference. `None` if the reference names nothing that a spec declares, such as `{index}`.
#[must_use]
pub fn kind_of(reference: &Reference) -> Option<Kind> {
    match reference.head {
        "data" => Some(Kind::Data),
        "files" => Some(Kind::Files),
        "param" => Some(Kind::Param),
        "count" | "addresses" | "role" => Some(Kind::Role),
        "port" => Some(Kind::Port),
        // The variable may be set by the image or the platform, and not in the spec. Then no block declares it.
        "env" => Some(Kind::Variable),
        "job" => Some(Kind::Job),
        "code" => Some(Kind::Code),
        "checkpoints" => Some(Kind::Checkpoints),
        // The value of any other reference is known only at run time, or is not set in a block of its own.
        _ => None,
    }
}

/// Returns all mentions in a text, in any order. Spans are relative to the text.
#[must_use]
pub fn read(text: &Loaded, registry: &Registry) -> Vec<Mention> {
    let mut sources = Sources::default();
    let tree =
        analysis::text(text, registry.jobs, &mut sources, &analysis::Nodes::default(), &mut Vec::new());
    of(&tree, sources.get(0), registry)
}

/// Returns the mentions of [`read`] in a text that is parsed already. `tree`: the tree of this text alone.
#[must_use]
pub fn of(tree: &Tree, source: &Source, registry: &Registry) -> Vec<Mention> {
    let mut reader = Reader { source, registry, role: None, out: Vec::new() };
    if let Some(job) = tree.get("job") {
        reader.block(job);
    }
    let local = |span: Span| {
        let offset = |at: u32| at.saturating_sub(source.base());
        Span::new(offset(span.start), offset(span.end))
    };
    for mention in &mut reader.out {
        mention.span = local(mention.span);
        mention.word = mention.word.map(local);
    }
    reader.out
}

/// Returns the mentions in a `--set` setting: those in its key, such as `lr` in `param.lr=0.1`, and the references in its value. White
/// space before the key is ignored. Spans are relative to the text.
#[must_use]
pub fn of_setting(setting: &str, registry: &Registry) -> Vec<Mention> {
    let mut sources = Sources::default();
    let number = sources.add("--set", Format::Set, setting);
    let source = sources.get(number);
    let Some(tree) = merge::tree_of(source) else { return Vec::new() };
    let mut all = of(&tree, source, registry);
    for mention in &mut all {
        mention.declares = false;
        if mention.written == Written::Alone {
            mention.written = Written::Within;
        }
    }
    all
}

/// Returns whether a setting can have mentions: its key has several names, or its value may contain a reference.
#[must_use]
pub fn may_mention(setting: &str) -> bool {
    setting.contains(['.', '{', '$', '_'])
}

struct Reader<'s> {
    source: &'s Source,
    registry: &'s Registry,
    /// The role that is being read.
    role: Option<String>,
    out: Vec<Mention>,
}

impl Reader<'_> {
    /// Reads the entries of the job or of a role.
    fn block(&mut self, tree: &Tree) {
        for entry in tree.entries() {
            if let Some((field, kind)) = DECLARING.into_iter().find(|(field, _)| *field == entry.key) {
                self.declarations(field, kind, &entry.tree);
            }
            match entry.key.as_str() {
                "name" => self.alone(Kind::Job, &entry.tree, true),
                "code" => self.singleton(Kind::Code, entry),
                "checkpoints" => self.singleton(Kind::Checkpoints, entry),
                _ => {}
            }
            for (_, field, kind) in NAMING.into_iter().filter(|(block, ..)| *block == entry.key) {
                self.names(field, kind, &entry.tree);
            }
            for (block, field) in TEXTS {
                match block {
                    "" if field == entry.key => self.texts(&entry.tree),
                    _ if block == entry.key => {
                        entry.tree.get(field).into_iter().for_each(|tree| self.texts(tree))
                    }
                    _ => {}
                }
            }
        }
    }

    fn declarations(&mut self, field: &str, kind: Kind, tree: &Tree) {
        for entry in tree.entries().iter().filter(|entry| !entry.key.is_empty()) {
            self.add(kind, &entry.key, entry.key_span, Written::Alone, true);
            if matches!(field, "role" | "helper") {
                self.role = Some(entry.key.clone());
                self.block(&entry.tree);
                self.role = None;
            }
            if field == "target" {
                self.options(&entry.key, &entry.tree);
            }
        }
    }

    /// Reads the options of a target.
    fn options(&mut self, target: &str, tree: &Tree) {
        let naming = self.registry.target(target).map(|target| target.naming()).unwrap_or_default();
        for (option, field, kind) in naming {
            let Some(value) = tree.get(option) else { continue };
            if field.is_empty() {
                self.alone(*kind, value, false);
                self.texts(value);
            } else {
                self.names(field, *kind, value);
            }
        }
    }

    /// Reads a block that a job has at most once, such as `code`.
    fn singleton(&mut self, kind: Kind, entry: &Entry) {
        let (name, span) = (entry.key.clone(), entry.key_span);
        let mention =
            Mention { kind, role: None, name, declares: true, written: Written::Implied, span, word: None };
        self.out.push(mention);
    }

    /// Reads the names in an entry: its keys if `field` is empty, otherwise the value of the field.
    fn names(&mut self, field: &str, kind: Kind, tree: &Tree) {
        match &tree.value {
            Value::List(items) => items.iter().for_each(|item| self.names(field, kind, item)),
            Value::Map(entries) if field.is_empty() => {
                for entry in entries.iter().filter(|entry| !entry.key.is_empty()) {
                    self.add(kind, &entry.key, entry.key_span, Written::Alone, false);
                }
            }
            Value::Map(_) => {
                let Some(value) = tree.get(field) else { return };
                if let Value::List(items) = &value.value {
                    items.iter().for_each(|item| self.alone(kind, item, false));
                }
                let Some(text) = value.text() else { return };
                match field {
                    "http" | "keytab" => self.part(kind, field, text, value.span),
                    _ => self.alone(kind, value, false),
                }
            }
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) | Value::Hole => {
            }
        }
    }

    /// Reads a name that is only a part of a value: `web` in `web/health`, `KEYTAB` in `secret:KEYTAB`.
    fn part(&mut self, kind: Kind, field: &str, text: &str, literal: Span) {
        let range = match field {
            "http" => 0..text.find('/').unwrap_or(text.len()),
            _ => match text.strip_prefix("secret:") {
                Some(name) => text.len() - name.len()..text.len(),
                None => return,
            },
        };
        let word = text::Literal::of(self.source, literal, text).exact(range.clone());
        let (role, name) = (self.role_of(kind), text[range].to_owned());
        let span = word.unwrap_or(literal);
        self.out.push(Mention { kind, role, name, declares: false, written: Written::Within, span, word });
    }

    fn alone(&mut self, kind: Kind, tree: &Tree, declares: bool) {
        if let Some(text) = tree.text() {
            self.add(kind, text, tree.span, Written::Alone, declares);
        }
    }

    /// Adds a name that is a string of its own. `span`: the literal.
    fn add(&mut self, kind: Kind, name: &str, span: Span, written: Written, declares: bool) {
        let word = text::Literal::of(self.source, span, name).exact(0..name.len());
        let (role, name) = (self.role_of(kind), name.to_owned());
        self.out.push(Mention { kind, role, name, declares, written, span, word });
    }

    /// Returns the current role if names of this kind belong to a role; otherwise `None`.
    fn role_of(&self, kind: Kind) -> Option<String> {
        self.role.clone().filter(|_| kind.is_per_role())
    }

    /// Reads all strings of a value.
    fn texts(&mut self, tree: &Tree) {
        match &tree.value {
            Value::Text(value) => self.text(value, tree.span),
            Value::List(items) => items.iter().for_each(|item| self.texts(item)),
            Value::Map(entries) => {
                for entry in entries {
                    let start = self.out.len();
                    self.texts(&entry.tree);
                    // In the value of `PATH`, `{env.PATH}` is the variable of the image, so it does not mention the `PATH` of the
                    // spec.
                    let found = self.out.split_off(start);
                    let is_other = |one: &Mention| one.kind != Kind::Variable || one.name != entry.key;
                    self.out.extend(found.into_iter().filter(is_other));
                }
            }
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Hole => {}
        }
    }

    /// Reads the references and environment variables in a string.
    fn text(&mut self, value: &str, literal: Span) {
        if !value.contains(['{', '$', '_']) {
            return;
        }
        let written = text::Literal::of(self.source, literal, value);
        for found in text::mentions(value) {
            let place = |range| written.exact(range);
            let span = place(found.whole.clone()).unwrap_or(literal);
            let (role, mut name) = (self.role_of(found.kind), found.name);
            if let (Kind::Role, Written::Implied, Some(own)) = (found.kind, found.written, &self.role) {
                name.clone_from(own);
            }
            let word = found.word.and_then(place);
            let mention =
                Mention { kind: found.kind, role, name, declares: false, written: found.written, span, word };
            self.out.push(mention);
        }
    }
}

/// Returns the references that can be written in a text, with the kind of name of each.
fn known() -> impl Iterator<Item = (Reference, Kind)> {
    references::ALL.into_iter().filter_map(|reference| Some((reference, kind_of(&reference)?)))
}

#[cfg(test)]
mod tests;
