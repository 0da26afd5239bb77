//! Suggestions for names in braces that are not references.
use super::{Scope, Text, heads, part, parts_of};
use crate::at::At;
use crate::codes::UNKNOWN_REFERENCE;
use crate::diagnostic::{Diagnostic, Fix, kebab, nearest};
use crate::references::{self, Reference};
use crate::resolve::variables::instead_of;
use crate::shape::literal;
use crate::sources::{Format, Span};
use crate::spec::values::EnvName;

/// Names from other systems, in kebab case ([`kebab`]), each with the reference that has the same value.
const FOREIGN: &[(&str, &str)] = &[
    ("addr", "address"),
    ("ckpt", "checkpoints"),
    ("ckpts", "checkpoints"),
    ("fqdn", "address"),
    ("gpu", "gpus"),
    ("gpu-count", "gpus"),
    ("host", "address"),
    ("host-name", "address"),
    ("hostname", "address"),
    ("id", "index"),
    ("ip", "address"),
    ("job-name", "job"),
    ("n-gpus", "gpus"),
    ("name", "job"),
    ("ngpus", "gpus"),
    ("node", "address"),
    ("num-gpus", "gpus"),
    ("num-replicas", "count"),
    ("num-tasks", "count"),
    ("rank", "index"),
    ("replica-index", "index"),
    ("replicas", "count"),
    ("role-name", "role"),
    ("state", "checkpoints"),
    ("task-count", "count"),
    ("task-id", "index"),
    ("task-index", "index"),
    ("task-role", "role"),
    ("task-type", "role"),
    ("tmp", "scratch"),
    ("tmpdir", "scratch"),
    ("type", "role"),
    ("user", "env.USER"),
    ("world-size", "count"),
];

/// Names in braces that mean a value for which no reference exists, such as `{cpus}`.
const UNAVAILABLE: &[&str] = &[
    "cores",
    "cpu",
    "cpus",
    "date",
    "disk",
    "mem",
    "memory",
    "now",
    "num-cpus",
    "ram",
    "time",
    "timestamp",
    "vcores",
];

/// Names that differ by one letter from a reference, but are not misspellings of the reference.
const NOT_MISSPELLED: &[&str] = &["mode", "rule"];

/// Names for the current task, before a dot, as in `{pod.index}`.
const SELF_NAMES: &[&str] = &["container", "me", "my", "pod", "resources", "self", "task", "this"];

/// Reports a name that lacks its prefix: `{lr}` for `{param.lr}` if the job has a parameter `lr`, and `{HOME}` for `{env.HOME}`.
/// `None` for other names.
pub(super) fn named(words: &str, scope: &Scope<'_>, at: Span) -> Option<Box<Diagnostic>> {
    let small = words.to_lowercase();
    if heads().any(|head| head == small) || words != small && scope.params.contains_key(&small) {
        return None;
    }
    let (data, stage) = (scope.data.iter().any(|n| n == words), scope.stage.iter().any(|n| n == words));
    let kind = if scope.params.contains_key(words) && !data && !stage {
        "param"
    } else if data && !stage && !scope.params.contains_key(words) {
        "data"
    } else if stage && !data && !scope.params.contains_key(words) {
        "files"
    } else if !data
        && !stage
        && words.len() > 1
        && EnvName::parse(words).is_ok()
        && !words.contains(char::is_lowercase)
    {
        "env"
    } else {
        return None;
    };
    let instead = if kind == "env" { instead_of(words, scope) } else { Ok(format!("{{{kind}.{words}}}")) };
    // If the job does not set `RANK`, `{RANK}` most likely means the reference `{index}`, not the environment variable `RANK`.
    if instead.as_ref().is_ok_and(|found| found.starts_with("{env.")) && foreign(&kebab(words)).is_some() {
        return None;
    }
    let found = not_a_reference(words, at);
    Some(Box::new(match instead {
        Ok(meant) => found.help(format!("did you mean `{meant}`?")).suggest(replacement(meant, at)),
        Err(why) => found.help(why),
    }))
}

/// Returns whether the braces are part of a shell variable, such as `${OUT}`, and not a reference.
pub(super) fn is_variable(before: &str, words: &str) -> bool {
    let head = parts_of(words).0;
    before.ends_with('$') && EnvName::parse(words).is_ok() && !heads().any(|known| known == head)
}

/// Reports a shell variable. In an argument of `run`, the help names two alternatives. If the argument is a script for a shell, the
/// brace must be escaped. Otherwise, the reference with the same value replaces the variable.
pub(super) fn shell_variable(words: &str, sign: Span, at: Span, scope: &Scope<'_>) -> Diagnostic {
    let diagnostic = not_a_reference(words, at);
    let instead = instead_of(words, scope);
    let with_reference =
        |reference: String| Fix::edit(format!("write `{reference}`"), sign.to(at), reference);
    match (scope.text, instead) {
        (Text::Argument, instead) => {
            let shell = format!("if a shell in `run` expands it, write `${{{{{words}}}`");
            let plain = Fix::edit(format!("write `${{{{{words}}}`"), Span::new(at.start, at.start), "{");
            match instead {
                Ok(found) => diagnostic
                    .help(format!("{shell}; otherwise write `{found}` without `$`"))
                    .suggest(plain)
                    .suggest(with_reference(found)),
                Err(why) => {
                    diagnostic.help(format!("{shell}; otherwise nothing expands it: {why}")).suggest(plain)
                }
            }
        }
        (Text::Variable(_) | Text::Path, Ok(found)) => diagnostic
            .help(format!("no shell expands this value; write `{found}` without `$`"))
            .suggest(with_reference(found)),
        (Text::Variable(_) | Text::Path, Err(why)) => {
            diagnostic.help(format!("no shell expands this value: {why}"))
        }
    }
}

/// Lets each fix that writes a reference at the start of a plain YAML scalar replace the whole scalar by a quoted one, because a brace
/// would begin a map there.
pub(super) fn in_quotes(mut found: Diagnostic, text: &At<String>, scope: &Scope<'_>) -> Diagnostic {
    let source = scope.sources.find(text.span).filter(|source| source.format == Format::Yaml);
    let is_plain = source.is_some_and(|source| source.slice(text.span) == text.value);
    for edit in found.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
        if is_plain && edit.span.start == text.span.start && edit.text.starts_with('{') {
            let rest = text.value.get(edit.span.len() as usize..).unwrap_or_default();
            edit.text = literal::text(Format::Yaml, &format!("{}{rest}", edit.text));
            edit.span = text.span;
        }
    }
    found
}

fn not_a_reference(words: &str, at: Span) -> Diagnostic {
    Diagnostic::new(&UNKNOWN_REFERENCE, at, format!("`{{{words}}}` is not a reference"))
        .here("unknown reference")
}

fn replacement(reference: String, at: Span) -> Fix {
    Fix::edit(format!("write `{reference}`"), at, reference)
}

/// Reports a text in braces that is neither a reference nor the name of a parameter or environment variable.
pub(super) fn no_such(words: &str, scope: &Scope<'_>, at: Span) -> Box<Diagnostic> {
    let (head, name) = parts_of(words);
    let known = references::ALL.into_iter().find(|known| known.head == head);
    let (fact, hint) = match (known, name) {
        (Some(_), None) => {
            let fact = format!("`{{{head}}}` needs a name");
            return Box::new(unknown_reference(fact, at).help(format!("write `{{{head}.NAME}}`")));
        }
        (Some(_), Some(_)) => (format!("`{{{head}}}` takes no name"), None),
        (None, _) => (format!("`{{{words}}}` is not a reference"), Some("A literal brace is written `{{`")),
    };
    let mut meant = meant(words, scope);
    meant.retain(|body| part(body, at, scope).is_ok());
    let found = unknown_reference(fact, at);
    if let [only] = meant.as_slice() {
        let hint = hint.map_or(String::new(), |hint| format!(" {hint}"));
        let help = format!("did you mean {}?{hint}", shown(only));
        return Box::new(found.help(help).suggest(replacement(format!("{{{only}}}"), at)));
    }
    if !meant.is_empty() {
        let all: Vec<String> = meant.iter().map(|body| shown(body)).collect();
        return Box::new(found.help(format!("write {}", all.join(" or "))));
    }
    let last = kebab(name.unwrap_or(head));
    if known.is_some() {
        let found = found.help(format!("write {}", shown(head)));
        let is_valid = part(head, at, scope).is_ok();
        let fix = is_valid.then(|| replacement(format!("{{{head}}}"), at).in_help());
        return Box::new(fix.into_iter().fold(found, Diagnostic::suggest));
    }
    if UNAVAILABLE.contains(&last.as_str()) {
        let help = "no reference has this value; write the value itself, or define a `param`";
        return Box::new(found.help(help));
    }
    let bodies = declared(head, name, scope).into_iter().filter(|body| part(body, at, scope).is_ok());
    let fix = |body: String| replacement(format!("{{{body}}}"), at).in_help();
    Box::new(bodies.take(MAX_NAMES).map(fix).fold(found.help(near(head, name)), Diagnostic::suggest))
}

/// Maximum number of names of the job that are suggested.
const MAX_NAMES: usize = 8;

/// Returns the references that a misspelled reference may mean: with its own name, or without a name. If the reference needs a name,
/// one for each name that the job declares.
fn declared(head: &str, name: Option<&str>, scope: &Scope<'_>) -> Vec<String> {
    let Some(near) = nearest(head, heads()).filter(|_| !NOT_MISSPELLED.contains(&head)) else {
        return Vec::new();
    };
    let own = name.map_or_else(|| near.to_owned(), |name| format!("{near}.{name}"));
    let names: Vec<&String> = match (near, name) {
        ("data", None) => scope.data.iter().collect(),
        ("files", None) => scope.stage.iter().collect(),
        ("param", None) => scope.params.keys().collect(),
        (_, _) => Vec::new(),
    };
    std::iter::once(own).chain(names.into_iter().map(|name| format!("{near}.{name}"))).collect()
}

fn unknown_reference(fact: String, at: Span) -> Diagnostic {
    Diagnostic::new(&UNKNOWN_REFERENCE, at, fact).here("unknown reference")
}

/// Returns the help for a misspelled reference: the nearest reference, or the list of all references.
fn near(head: &str, name: Option<&str>) -> String {
    let near = nearest(head, heads()).filter(|_| !NOT_MISSPELLED.contains(&head));
    let near = near.and_then(|near| references::ALL.into_iter().find(|known| known.head == near));
    let Some(near) = near else {
        let heads: Vec<_> = heads().map(|head| format!("`{head}`")).collect();
        return format!("escape a literal brace as `{{{{`; references start with {}", heads.join(", "));
    };
    let body = name.map_or_else(|| near.head.to_owned(), |name| format!("{}.{name}", near.head));
    let body = if near.is(&body) { format!("{{{body}}}") } else { near.forms[0].to_owned() };
    format!("did you mean `{body}`? A literal brace is written `{{{{`")
}

/// Returns a reference with its description in parentheses.
fn shown(body: &str) -> String {
    let found = references::ALL.into_iter().find(|known| known.is(body));
    let about = found.map_or("", |known| about(&known, body)).trim_end_matches('.');
    let mut letters = about.chars();
    let first = letters.next().map_or_else(String::new, |first| first.to_lowercase().to_string());
    format!("`{{{body}}}` ({first}{})", letters.as_str())
}

/// Returns the description of one form of a reference. For a reference with two forms, `about` contains both descriptions,
/// separated by `; `.
fn about(known: &Reference, body: &str) -> &'static str {
    let mut each = known.about.split("; ");
    match known.forms {
        [_] => known.about,
        _ if body.contains('.') => each.last().unwrap_or_default(),
        _ => each.next().unwrap_or_default(),
    }
}

fn foreign(name: &str) -> Option<&'static str> {
    FOREIGN.iter().find(|(foreign, _)| *foreign == name).map(|(_, reference)| *reference)
}

/// Returns the references, without braces, that the text in braces most likely means.
fn meant(words: &str, scope: &Scope<'_>) -> Vec<String> {
    let (head, name) = parts_of(words);
    if let ("secret" | "secrets", Some(name)) = (head, name) {
        return vec![format!("env.{name}")];
    }
    let (head, name) = (kebab(head), name.map(kebab));
    let only = |body: &str| vec![body.to_owned()];
    let of_task = |name: &str| match foreign(name) {
        Some(reference) => only(reference),
        None if references::ALL.iter().any(|known| known.is(name)) => only(name),
        None => Vec::new(),
    };
    let Some(name) = name else { return meant_by_name(&head, scope) };
    if let Some(role) = role_in(&head, scope) {
        return meant_by_field(role, &name);
    }
    match head.as_str() {
        "address" if scope.roles.contains_key(&name) => {
            vec![format!("addresses.{name}"), "address".to_owned()]
        }
        "cluster" | "hosts" | "host" | "peers" => vec![format!("addresses.{name}")],
        "stage" => vec![format!("files.{name}")],
        "num" | "replicas" | "size" => vec![format!("count.{name}")],
        head if name == "name" && references::ALL.iter().any(|known| known.is(head)) => only(head),
        head if SELF_NAMES.contains(&head) || references::ALL.iter().any(|known| known.is(head)) => {
            of_task(&name)
        }
        _ => Vec::new(),
    }
}

/// Returns the references that a name without a dot most likely means.
fn meant_by_name(word: &str, scope: &Scope<'_>) -> Vec<String> {
    if let Some(reference) = foreign(word) {
        return vec![reference.to_owned()];
    }
    if let Some(role) = role_in(word, scope) {
        return vec![format!("addresses.{role}"), format!("count.{role}")];
    }
    let counted = ["num-", "n-"].into_iter().find_map(|before| word.strip_prefix(before));
    if let Some(role) = counted.and_then(|role| role_in(role, scope)) {
        return vec![format!("count.{role}")];
    }
    let role_and_field = word.rsplit_once('-').and_then(|(role, field)| Some((role_in(role, scope)?, field)));
    role_and_field.map_or_else(Vec::new, |(role, field)| meant_by_field(role, field))
}

/// Returns the role with this name, or with the singular of this name.
fn role_in<'w>(word: &'w str, scope: &Scope<'_>) -> Option<&'w str> {
    let known = |word: &&str| scope.roles.contains_key(*word);
    Some(word).filter(known).or_else(|| word.strip_suffix('s').filter(known))
}

/// Returns the reference to a field of a role, such as its addresses or task count.
fn meant_by_field(role: &str, field: &str) -> Vec<String> {
    vec![match field {
        "address" | "addresses" | "host" | "hosts" => format!("addresses.{role}"),
        "count" | "num" | "replicas" | "size" => format!("count.{role}"),
        "id" | "index" | "rank" => "index".to_owned(),
        "name" => "role".to_owned(),
        _ => return Vec::new(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_names_are_sorted_and_map_to_references() {
        assert!(FOREIGN.is_sorted_by(|a, b| a.0 < b.0));
        for (foreign, reference) in FOREIGN {
            assert!(references::ALL.iter().any(|known| known.is(reference)), "{foreign}: {reference}");
            assert!(heads().all(|head| head != *foreign), "{foreign}");
        }
    }
}
