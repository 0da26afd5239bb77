//! References in a text, such as `{data.train}`, and the span of each reference.
mod escaped;
mod piece;
mod unknown;

use super::length::{self, Lengths, Spent};
use crate::at::At;
use crate::codes::{BAD_REFERENCE, UNKNOWN_REFERENCE};
use crate::diagnostic::{Diagnostic, Fix, kebab, nearest, only_near};
use crate::plan::{DataRef, Part, RoleId, TaskRef, Template};
use crate::references;
use crate::sources::{Sources, Span};
use crate::spec::FrameworkName;
use crate::spec::values::{EnvName, Name};
use crate::syntax::literal::Places;
use piece::{Piece, split};
use std::collections::BTreeMap;
use std::ops::Range;
use unknown::{in_quotes, is_variable, named, no_such, shell_variable};

/// Kind of text that contains references.
#[derive(Clone, Copy)]
pub(super) enum Text<'a> {
    /// An argument of `run`. The argument may be a shell script.
    Argument,
    /// The value of this `env` variable.
    Variable(&'a str),
    /// A path or URI.
    Path,
}

/// The names that references in one role can use.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub sources: &'a Sources,
    pub job: &'a str,
    /// The block (`role` or `helper`) and name of the role; `None` outside any role.
    pub role: Option<(&'static str, &'a str)>,
    pub gpus: u32,
    /// Number of tasks of the rendezvous.
    pub count: u32,
    /// Index and task count of each role.
    pub roles: &'a BTreeMap<String, (RoleId, u32)>,
    /// Names of the helpers.
    pub helpers: &'a [String],
    /// Ports of the role: a number, or `None` if each task picks a free port.
    pub ports: &'a BTreeMap<String, Option<u16>>,
    pub framework: FrameworkName,
    /// Names of the environment variables that `env` of the role sets.
    pub env: &'a [&'a str],
    pub text: Text<'a>,
    pub params: &'a BTreeMap<String, String>,
    pub data: &'a [String],
    pub stage: &'a [String],
    pub has_code: bool,
    pub has_checkpoints: bool,
    /// Maximum lengths of the paths and URIs that references expand to.
    pub lengths: &'a Lengths,
    /// Expanded size of the references of all roles so far.
    pub spent: &'a Spent,
}

/// Returns the first part of each reference, such as `data` of `{data.NAME}`, for help texts and suggestions.
pub(super) fn heads() -> impl Iterator<Item = &'static str> {
    references::ALL.iter().map(|reference| reference.head)
}

/// Returns `text` with its references resolved, and reports each invalid reference at its own span.
pub(super) fn template(text: &At<String>, scope: &Scope<'_>, out: &mut Vec<Diagnostic>) -> Template {
    let mut resolved = Template { parts: Vec::new(), span: text.span };
    let mut places = None;
    let mut place = |range: Range<usize>| match &*places
        .get_or_insert_with(|| scope.sources.find(text.span).map(|source| Places::of(source, text.span)))
    {
        Some(places) => places.at(range),
        None => text.span,
    };
    escaped::check(text, scope, &mut place, out);
    for piece in split(&text.value) {
        match piece {
            Piece::Text(text) => push_text(&mut resolved.parts, &text),
            Piece::Open(range) => {
                let at = place(range.clone());
                out.push(open_brace(scope, &text.value[range.start..], at));
            }
            Piece::Reference(range) => {
                let words = text.value[range.start + 1..range.end - 1].to_owned();
                let at = place(range.clone());
                match part(&words, at, scope) {
                    Ok(Part::Data(place, at)) if scope.spent.is_over(scope.lengths.get(place), at) => {}
                    Ok(Part::Text(value)) => push_text(&mut resolved.parts, &value),
                    Ok(part) => resolved.parts.push(part),
                    Err(_) if is_variable(&text.value[..range.start], &words) => {
                        let sign = place(range.start - 1..range.start);
                        out.push(in_quotes(shell_variable(&words, sign, at, scope), text, scope));
                    }
                    Err(mut diagnostic) => {
                        // With an escape in the reference, the place of the name in it is unknown.
                        if at.len() as usize != range.len() {
                            diagnostic.fixes.clear();
                        }
                        out.push(from_absent(*diagnostic, &words, scope));
                    }
                }
            }
        }
    }
    length::bound(&mut resolved, scope, out);
    resolved
}

/// Reports a brace that does not start a reference. `rest` is the text that begins with this brace.
fn open_brace(scope: &Scope<'_>, rest: &str, at: Span) -> Diagnostic {
    const FAR: usize = 60;
    let body: String =
        rest.chars().skip(1).take(FAR).take_while(|c| !matches!(c, '{' | '"' | '\n')).collect();
    let diagnostic = match body.split_once('}').map(|(inner, _)| inner) {
        Some("") => {
            Diagnostic::new(&BAD_REFERENCE, at, "`{}` is not a reference: the name is missing").help(ESCAPE)
        }
        Some(inner) => {
            let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
            let name: String = inner.trim_start().chars().take_while(|c| plain(*c)).collect();
            let invalid = inner.chars().find(|c| !plain(*c)).map_or_else(String::new, |c| match c {
                ' ' => "a space".to_owned(),
                '\t' => "a tab".to_owned(),
                c => format!("`{c}`"),
            });
            let known = heads().any(|head| head == parts_of(&name).0);
            let help = if known {
                format!("write `{{{name}}}` for a reference, or escape a literal brace as `{{{{`")
            } else {
                ESCAPE.to_owned()
            };
            let fact = format!("`{{{inner}}}` is not a reference: it contains {invalid}");
            Diagnostic::new(&BAD_REFERENCE, at, fact).help(help)
        }
        None => Diagnostic::new(&BAD_REFERENCE, at, "`{` starts a reference, but the closing `}` is missing")
            .help(ESCAPE),
    };
    let diagnostic = diagnostic.here("not a reference");
    // The fix needs the exact position of the brace. In a string with escapes, the position may be wrong; then there is no fix.
    let brace = scope.sources.find(at).is_some_and(|source| source.slice(at).starts_with('{'));
    if !brace {
        return diagnostic;
    }
    diagnostic.suggest(Fix::edit("escape the brace as `{{`", Span::new(at.start, at.start), "{"))
}

const ESCAPE: &str = "escape a literal brace as `{{`, or write a reference such as `{data.NAME}`";

fn push_text(parts: &mut Vec<Part>, text: &str) {
    if text.is_empty() {
        return;
    }
    if let Some(Part::Text(last)) = parts.last_mut() {
        last.push_str(text);
    } else {
        parts.push(Part::Text(text.to_owned()));
    }
}

/// Returns the references in a text, without braces, in order.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    ranges(text).into_iter().map(|range| &text[range.start + 1..range.end - 1])
}

/// Returns the ranges of the references in a text, including their braces, in order.
pub(crate) fn ranges(text: &str) -> Vec<Range<usize>> {
    let reference = |piece| match piece {
        Piece::Reference(range) => Some(range),
        Piece::Text(_) | Piece::Open(_) => None,
    };
    split(text).into_iter().filter_map(reference).collect()
}

type Found = Result<Part, Box<Diagnostic>>;

/// Splits a reference at its dot into the first name and the second name.
fn parts_of(words: &str) -> (&str, Option<&str>) {
    words.split_once('.').map_or((words, None), |(head, name)| (head, Some(name)))
}

/// Adds a premise to the finding: the block that this reference names is absent.
fn from_absent(found: Diagnostic, words: &str, scope: &Scope<'_>) -> Diagnostic {
    let (head, name) = parts_of(words);
    let name = name.unwrap_or_default();
    match (head, scope.role) {
        ("data" | "files" | "param", _) => found.from_absent(&["job", head, name]),
        ("checkpoints" | "code", _) => found.from_absent(&["job", head]),
        ("count" | "addresses", _) => {
            found.from_absent(&["job", "role", name]).from_absent(&["job", "helper", name])
        }
        ("port", Some((node, role))) => found.from_absent(&["job", node, role, head, name]),
        _ => found,
    }
}

fn part(words: &str, at: Span, scope: &Scope<'_>) -> Found {
    let (head, name) = parts_of(words);
    let text = |value: String| Ok(Part::Text(value));
    match (head, name) {
        ("data", Some(name)) => {
            listed(name, scope.data, "data", at).map(|i| Part::Data(DataRef::Data(i), at))
        }
        ("files", Some(name)) => {
            listed(name, scope.stage, "files", at).map(|i| Part::Data(DataRef::Stage(i), at))
        }
        ("checkpoints", None) if scope.has_checkpoints => Ok(Part::Data(DataRef::Checkpoints, at)),
        ("checkpoints", None) => Err(absent("checkpoints", "checkpoints \"gs://BUCKET/PATH\"", at)),
        ("code", None) if scope.has_code => Ok(Part::Data(DataRef::Code, at)),
        ("code", None) => Err(absent("code", "code \"https://HOST/code.tar.gz\"", at)),
        ("scratch", None) => Ok(Part::Data(DataRef::Scratch, at)),
        ("param", Some(name)) => match scope.params.get(name) {
            Some(value) if scope.spent.is_over(value.len(), at) => text(String::new()),
            Some(value) => text(value.clone()),
            None => Err(unknown("param", name, scope.params.keys().map(String::as_str), at)),
        },
        ("job", None) => text(scope.job.to_owned()),
        ("role", None) => {
            scope.role.map_or_else(|| Err(outside("role", at)), |(_, role)| text(role.to_owned()))
        }
        ("index", None) if scope.role.is_some() => Ok(Part::Task(TaskRef::Index, at)),
        ("address", None) if scope.role.is_some() => Ok(Part::Task(TaskRef::Address, at)),
        ("done", None) if scope.role.is_some() => Ok(Part::Task(TaskRef::Done, at)),
        ("index" | "address" | "done", None) => Err(outside(head, at)),
        ("gpus", None) if scope.role.is_none() => Err(outside(head, at)),
        ("gpus", None) => text(scope.gpus.to_string()),
        ("count", None) => text(scope.count.to_string()),
        ("count", Some(role)) => role_of(role, scope, at).and_then(|(_, count)| text(count.to_string())),
        ("addresses", Some(role)) if scope.helpers.iter().any(|helper| helper == role) => {
            Err(no_port(role, at))
        }
        ("addresses", Some(role)) => {
            role_of(role, scope, at).map(|(id, _)| Part::Task(TaskRef::Addresses(id), at))
        }
        ("port", Some(name)) => match scope.ports.get(name) {
            Some(Some(number)) if name != "rendezvous" => text(number.to_string()),
            // The number of an automatic port is chosen at run time, and on some targets, so is that of the rendezvous port. So the
            // plan keeps the reference.
            Some(_) => Ok(Part::Task(TaskRef::Port(name.to_owned()), at)),
            None => Err(unknown_port(name, scope, at)),
        },
        ("env", Some(name)) => match EnvName::parse(name) {
            Ok(_) => Ok(Part::Task(TaskRef::Env(name.to_owned()), at)),
            Err(wrong) => Err(Box::new(Diagnostic::new(&BAD_REFERENCE, at, wrong.message).help(wrong.help))),
        },
        _ => Err(named(words, scope, at).unwrap_or_else(|| no_such(words, scope, at))),
    }
}

fn listed(name: &str, names: &[String], kind: &str, at: Span) -> Result<usize, Box<Diagnostic>> {
    names
        .iter()
        .position(|n| n == name)
        .ok_or_else(|| unknown(kind, name, names.iter().map(String::as_str), at))
}

fn role_of(name: &str, scope: &Scope<'_>, at: Span) -> Result<(RoleId, u32), Box<Diagnostic>> {
    scope
        .roles
        .get(name)
        .copied()
        .ok_or_else(|| unknown("role", name, scope.roles.keys().map(String::as_str), at))
}

fn unknown<'a>(
    kind: &str,
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
    at: Span,
) -> Box<Diagnostic> {
    let old = (kind == "port" && name == "cluster").then_some("rendezvous");
    let old = old.filter(|new| known.clone().any(|known| known == *new));
    let near = old.or_else(|| nearest(name, known.clone())).map(str::to_owned);
    let all: Vec<_> = known.clone().map(|k| format!("`{k}`")).collect();
    let mut found =
        Diagnostic::new(&UNKNOWN_REFERENCE, at, format!("this job has no `{kind}` named `{name}`"));
    found = match (&near, all.is_empty()) {
        (Some(near), _) => found.help(format!("did you mean `{near}`?")),
        (None, false) => found.help(format!("this job has {}", all.join(", "))),
        (None, true) => found.help(format!("add `{}` to the job", declaration(kind, name))),
    };
    if let Some(near) = near {
        let start = at.end.saturating_sub(name.len() as u32 + 1);
        let word = Span::new(start.max(at.start), at.end.saturating_sub(1));
        found = found.fix(Fix::replace(word, near).if_sure(only_near(name, known)));
    }
    Box::new(found.here("not declared"))
}

/// Returns a line that declares a block of this kind and name, for a help text.
fn declaration(kind: &str, name: &str) -> String {
    match kind {
        "data" => format!("data \"{name}\" \"gs://BUCKET/PATH\""),
        "files" => format!("files \"{name}\" \"https://HOST/FILE\""),
        "param" => format!("param \"{name}\" \"VALUE\""),
        _ => format!("{kind} \"{name}\""),
    }
}

/// Reports a reference to a missing port. The message names the role, because a reference in a default of the job applies
/// to every role.
fn unknown_port(name: &str, scope: &Scope<'_>, at: Span) -> Box<Diagnostic> {
    let Some((node, role)) = scope.role else { return outside("port", at) };
    let valid = |port: &&str| Name::parse(port).is_ok();
    let mut found = unknown("port", name, scope.ports.keys().map(String::as_str).filter(valid), at);
    found.message = format!("`{role}` has no port `{name}`");
    if node == "helper" && name == "rendezvous" {
        found.message =
            format!("helper `{role}` has no port `rendezvous`: helpers do not join the rendezvous");
        found.help = Some("move this line into the roles that use it".to_owned());
    } else if let Some(port) = scope.ports.keys().find(|port| kebab(port) == name && !valid(&port.as_str())) {
        found.fixes.clear();
        found.help = Some(format!("change the name of the port from `{port}` to `{name}`"));
    } else if found.fixes.is_empty() {
        found.help = Some(format!("add `port \"{name}\" \"auto\"` to `{node} \"{role}\"`"));
    }
    found
}

fn no_port(helper: &str, at: Span) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::new(
            &UNKNOWN_REFERENCE,
            at,
            format!("helper `{helper}` has no addresses: helpers do not join the rendezvous"),
        )
        .here("not a role")
        .help("write `{addresses.ROLE}` with the name of a `role`; the host names of helpers are in docs/language.md, under \"Roles, helpers, and defaults\""),
    )
}

fn absent(head: &str, example: &str, at: Span) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::new(&UNKNOWN_REFERENCE, at, format!("this job has no `{head}`"))
            .here("not declared")
            .help(format!("add `{example}` to the job")),
    )
}

fn outside(head: &str, at: Span) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::new(&UNKNOWN_REFERENCE, at, format!("`{{{head}}}` is available only inside a role"))
            .here("outside any role")
            .help("use it in `run`, `workdir` or `env` of a role"),
    )
}
