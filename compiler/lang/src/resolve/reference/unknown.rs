//! Braces that hold no reference, and what was meant by them.
use super::{Scope, Text, heads, part, parts_of};
use crate::codes::UNKNOWN_REFERENCE;
use crate::diagnostic::{Diagnostic, Fix, kebab, nearest};
use crate::references::{self, Reference};
use crate::resolve::variables::instead_of;
use crate::sources::Span;
use crate::spec::values::EnvName;

/// Words of other systems and the reference that has their value, as [`kebab`] writes them.
const THEIRS: &[(&str, &str)] = &[
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

/// Words whose value no reference has.
const WITHOUT: &[&str] = &[
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

/// Words of their own that differ from one of ours by a letter.
const NO_SLIPS: &[&str] = &["mode", "rule"];

/// Words for the task itself, before a dot.
const OWN: &[&str] = &["container", "me", "my", "pod", "resources", "self", "task", "this"];

/// `{lr}` where the job has a parameter `lr`; `{HOME}`, which is a variable's name.
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
    // `{RANK}` is a variable only where something sets it.
    if instead.as_ref().is_ok_and(|found| found.starts_with("{env.")) && theirs(&kebab(words)).is_some() {
        return None;
    }
    let found = not_a_reference(words, at);
    Some(Box::new(match instead {
        Ok(meant) => found.help(format!("did you mean `{meant}`?")).suggest(write(meant, at)),
        Err(why) => found.help(why),
    }))
}

/// `${OUT}`: a variable as shells write it, which is none of our references.
pub(super) fn is_variable(before: &str, words: &str) -> bool {
    let head = parts_of(words).0;
    before.ends_with('$') && EnvName::parse(words).is_ok() && !heads().any(|known| known == head)
}

/// Two programs may be meant to read it: a shell that is named in `run`, or none, so that we must.
pub(super) fn shell_variable(words: &str, sign: Span, at: Span, scope: &Scope<'_>) -> Diagnostic {
    let told = not_a_reference(words, at);
    let instead = instead_of(words, scope);
    let ours = |ours: String| Fix::edit(format!("write `{ours}`"), sign.to(at), ours);
    match (scope.text, instead) {
        (Text::Argument, instead) => {
            let shell = format!(
                "write `${{{{{words}}}` if a shell of `run` reads the variable: `{{{{` is a plain brace"
            );
            let plain = Fix::edit(format!("write `${{{{{words}}}`"), Span::new(at.start, at.start), "{");
            match instead {
                Ok(found) => told
                    .help(format!("{shell}; without a shell it is `{found}`, and no `$`"))
                    .suggest(plain)
                    .suggest(ours(found)),
                Err(why) => {
                    told.help(format!("{shell}; without a shell nobody reads it: {why}")).suggest(plain)
                }
            }
        }
        (Text::Variable(_) | Text::Path, Ok(found)) => told
            .help(format!(
                "no shell reads this text: the variable of the container is `{found}`, without a `$`"
            ))
            .suggest(ours(found)),
        (Text::Variable(_) | Text::Path, Err(why)) => told.help(format!("no shell reads this text: {why}")),
    }
}

fn not_a_reference(words: &str, at: Span) -> Diagnostic {
    Diagnostic::new(&UNKNOWN_REFERENCE, at, format!("`{{{words}}}` is not a reference")).here("unknown")
}

fn write(reference: String, at: Span) -> Fix {
    Fix::edit(format!("write `{reference}`"), at, reference)
}

/// Any other words in braces.
pub(super) fn no_such(words: &str, scope: &Scope<'_>, at: Span) -> Box<Diagnostic> {
    let (head, name) = parts_of(words);
    let known = references::ALL.into_iter().find(|known| known.head == head);
    let (fact, told) = match (known, name) {
        (Some(_), None) => {
            let fact = format!("`{{{head}}}` needs a name");
            return Box::new(fact_at(fact, at).help(format!("write `{{{head}.NAME}}`")));
        }
        (Some(_), Some(_)) => (format!("`{{{head}}}` takes no name"), None),
        (None, _) => (format!("`{{{words}}}` is not a reference"), Some("A literal brace is `{{`")),
    };
    let mut meant = meant(words, scope);
    meant.retain(|body| part(body, at, scope).is_ok());
    let found = fact_at(fact, at);
    if let [only] = meant.as_slice() {
        let told = told.map_or(String::new(), |told| format!(" {told}"));
        let help = format!("did you mean {}?{told}", shown(only));
        return Box::new(found.help(help).suggest(write(format!("{{{only}}}"), at)));
    }
    if !meant.is_empty() {
        let all: Vec<String> = meant.iter().map(|body| shown(body)).collect();
        return Box::new(found.help(format!("write {}", all.join(" or "))));
    }
    let last = kebab(name.unwrap_or(head));
    Box::new(found.help(match known {
        Some(_) => format!("write {}", shown(head)),
        None if WITHOUT.contains(&last.as_str()) => {
            "nothing stands for this: write the value itself, or a `param`".to_owned()
        }
        None => near(head, name),
    }))
}

fn fact_at(fact: String, at: Span) -> Diagnostic {
    Diagnostic::new(&UNKNOWN_REFERENCE, at, fact).here("unknown")
}

/// The reference that a misspelling is nearest to, or all of them.
fn near(head: &str, name: Option<&str>) -> String {
    let near = nearest(head, heads()).filter(|_| !NO_SLIPS.contains(&head));
    let near = near.and_then(|near| references::ALL.into_iter().find(|known| known.head == near));
    let Some(near) = near else {
        let heads: Vec<_> = heads().map(|head| format!("`{head}`")).collect();
        return format!("write `{{{{` for a brace; a reference begins with {}", heads.join(", "));
    };
    let body = name.map_or_else(|| near.head.to_owned(), |name| format!("{}.{name}", near.head));
    let body = if near.is(&body) { format!("{{{body}}}") } else { near.forms[0].to_owned() };
    format!("did you mean `{body}`? A literal brace is `{{{{`")
}

/// A reference with what stands there: "`{index}` (which of its role's tasks it is, from 0)".
fn shown(body: &str) -> String {
    let found = references::ALL.into_iter().find(|known| known.is(body));
    let about = found.map_or("", |known| about(&known, body)).trim_end_matches('.');
    let mut letters = about.chars();
    let first = letters.next().map_or_else(String::new, |first| first.to_lowercase().to_string());
    format!("`{{{body}}}` ({first}{})", letters.as_str())
}

/// What stands for one form of a reference.
fn about(known: &Reference, body: &str) -> &'static str {
    let mut each = known.about.split("; ");
    match known.forms {
        [_] => known.about,
        _ if body.contains('.') => each.last().unwrap_or_default(),
        _ => each.next().unwrap_or_default(),
    }
}

fn theirs(word: &str) -> Option<&'static str> {
    THEIRS.iter().find(|(theirs, _)| *theirs == word).map(|(_, ours)| *ours)
}

/// The references, without braces, that are meant by words in braces.
fn meant(words: &str, scope: &Scope<'_>) -> Vec<String> {
    let (head, name) = parts_of(words);
    let (head, name) = (kebab(head), name.map(kebab));
    let one = |body: &str| vec![body.to_owned()];
    let own = |word: &str| match theirs(word) {
        Some(ours) => one(ours),
        None if references::ALL.iter().any(|known| known.is(word)) => one(word),
        None => Vec::new(),
    };
    let Some(name) = name else { return of_word(&head, scope) };
    if let Some(role) = role_in(&head, scope) {
        return of_role(role, &name);
    }
    match head.as_str() {
        "address" if scope.roles.contains_key(&name) => {
            vec![format!("addresses.{name}"), "address".to_owned()]
        }
        "cluster" | "hosts" | "host" | "peers" => vec![format!("addresses.{name}")],
        "stage" => vec![format!("files.{name}")],
        "num" | "replicas" | "size" => vec![format!("count.{name}")],
        head if name == "name" && references::ALL.iter().any(|known| known.is(head)) => one(head),
        head if OWN.contains(&head) || references::ALL.iter().any(|known| known.is(head)) => own(&name),
        _ => Vec::new(),
    }
}

/// Those meant by words without a dot.
fn of_word(word: &str, scope: &Scope<'_>) -> Vec<String> {
    if let Some(ours) = theirs(word) {
        return vec![ours.to_owned()];
    }
    if let Some(role) = role_in(word, scope) {
        return vec![format!("addresses.{role}"), format!("count.{role}")];
    }
    let counted = ["num-", "n-"].into_iter().find_map(|before| word.strip_prefix(before));
    if let Some(role) = counted.and_then(|role| role_in(role, scope)) {
        return vec![format!("count.{role}")];
    }
    let of = word.rsplit_once('-').and_then(|(role, what)| Some((role_in(role, scope)?, what)));
    of.map_or_else(Vec::new, |(role, what)| of_role(role, what))
}

/// A role by its name or the plural of it.
fn role_in<'w>(word: &'w str, scope: &Scope<'_>) -> Option<&'w str> {
    let known = |word: &&str| scope.roles.contains_key(*word);
    Some(word).filter(known).or_else(|| word.strip_suffix('s').filter(known))
}

/// What a word says of a role.
fn of_role(role: &str, what: &str) -> Vec<String> {
    vec![match what {
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
    fn words_of_others_are_in_order_and_stand_for_references() {
        assert!(THEIRS.is_sorted_by(|a, b| a.0 < b.0));
        for (theirs, ours) in THEIRS {
            assert!(references::ALL.iter().any(|known| known.is(ours)), "{theirs}: {ours}");
            assert!(heads().all(|head| head != *theirs), "{theirs}");
        }
    }
}
