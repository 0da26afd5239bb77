//! Words that mean something to a reader who is not there: a shell behind `run`, a `$` before a reference.
mod home;
mod joined;

use super::Job;
use super::environment::{OURS, Ours, owner_of};
use crate::at::At;
use crate::codes::{UNEXPANDED_SYNTAX, UNSPLIT_COMMAND};
use crate::diagnostic::{Diagnostic, Fix};
use crate::resolve::reference::heads;
use crate::resolve::variables::set_by_job;
use crate::shape::splits_plainly;
use crate::sources::{Format, Span};
use crate::spec::values::{EnvName, Text};
use std::collections::BTreeSet;

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    // A job's variables are each role's, and are looked at once.
    let (mut set, mut seen) = (BTreeSet::new(), BTreeSet::new());
    for (name, value) in job.roles().flat_map(|(written, _)| &written.env.0) {
        if seen.insert((name.span, value.span)) {
            set.insert(name.value.as_str());
        }
    }
    let mut told = BTreeSet::new();
    for (written, role) in job.roles() {
        let ours = Ours::of(job, role);
        if let Some(run) = &written.run {
            argv(&ours, &run.value.0, &set, out);
        }
        for (name, value) in &written.env.0 {
            if told.insert((name.span, value.span)) {
                variable(&ours, value, Some(name.value.as_str()), &set, out);
                out.extend(home::in_env(name.value.as_str(), value, &set));
            }
        }
    }
    let storage = &job.plan.storage;
    let all = storage.code.iter().chain(&storage.stage).chain(&storage.data).chain(&storage.checkpoints);
    for uri in all.map(|volume| &volume.uri) {
        let text = uri.value.to_string();
        let braced = text.split_once("${").and_then(|(_, rest)| rest.split_once('}')).map(|(name, _)| name);
        let braced = braced.filter(|name| EnvName::parse(name).is_ok()).map(|name| format!("${{{name}}}"));
        let Some(whole) = braced.or_else(|| shell_variable(&text).map(|(whole, _)| whole.to_owned())) else {
            continue;
        };
        let told =
            Diagnostic::new(&UNEXPANDED_SYNTAX, uri.span, format!("`{whole}` is not replaced in a uri"));
        let help = "write what it stands for, or give the whole uri by `--set`";
        out.push(told.here("sent as it stands").help(help));
    }
}

/// Operators of a shell, each an argument of its own.
const OPERATORS: &[&str] =
    &["|", "||", "|&", "&&", "&", ";", ">", ">>", "<", "2>", "2>>", "&>", "&>>", ">&", ">&2", "1>&2", "2>&1"];

/// A program and its words, where no shell is that program.
fn argv(ours: &Ours<'_>, words: &[At<Text>], set: &BTreeSet<&str>, out: &mut Vec<Diagnostic>) {
    let [program, rest @ ..] = words else { return };
    let job = ours.job;
    unsplit(job, program, out);
    assignment(program, rest, out);
    let own = rest.iter().position(|word| matches!(word.value.as_str(), "-c" | "-e" | "--"));
    let (plain, script) = rest.split_at(own.unwrap_or(rest.len()));
    out.extend(home::in_run(program, ""));
    for (number, word) in plain.iter().enumerate() {
        let before = number.checked_sub(1).map_or("", |before| plain[before].value.as_str());
        let of_option = before.starts_with('-') && !before.contains(['=', ' ']);
        let path = || if of_option { None } else { pattern(word) };
        let joined = || joined::judge(job, program.value.as_str(), &plain[..=number], of_option);
        out.extend(home::in_run(word, if of_option { before } else { "" }).or_else(path).or_else(joined));
    }
    for word in script {
        sign(job, word, out);
    }
    for word in plain {
        let text = word.value.as_str();
        if OPERATORS.contains(&text) {
            let told =
                Diagnostic::new(&UNEXPANDED_SYNTAX, word.span, format!("`{text}` is a plain word here"));
            out.push(told.here("no shell reads this").help("write the whole command as the text of `shell`"));
        } else {
            variable(ours, word, None, set, out);
        }
    }
}

/// `data/*.rec` as an argument of its own: only a shell makes the names of files of it. Options take patterns that their
/// program reads.
fn pattern(word: &At<Text>) -> Option<Diagnostic> {
    let text = word.value.as_str();
    let path = text.contains('/') || text.starts_with("*.") || text.ends_with('*');
    let local = !text.starts_with('-') && !text.contains("://") && !text.contains(char::is_whitespace);
    let plain = |c: char| c.is_alphanumeric() || "*?./_-".contains(c);
    (path && local && text.contains(['*', '?']) && text.len() > 1 && text.chars().all(plain)).then(|| {
        let fact = format!("`{}` is one plain word here, not the names of files", shown(text));
        Diagnostic::new(&UNEXPANDED_SYNTAX, word.span, fact)
            .here("no shell reads this")
            .help("write the whole command as the text of `shell`; where the program reads the pattern itself, give it to an option")
    })
}

/// `run "python train.py"`: a program's name with a blank in it. Only a path can have one.
fn unsplit(job: &Job<'_>, program: &At<Text>, out: &mut Vec<Diagnostic>) {
    let text = program.value.as_str();
    let Some(blank) = text.trim().find(char::is_whitespace) else { return };
    if text.trim()[..blank].contains(['/', '{']) {
        return;
    }
    let fact = format!("`{}` is one argument, and no program has this name", shown(text));
    let found = Diagnostic::new(&UNSPLIT_COMMAND, program.span, fact).here("not split at blanks");
    out.push(if !splits_plainly(text) {
        found.help("quote each argument on its own, or give the command to a shell: `shell \"…\"`")
    } else {
        let found = found.help("quote each argument on its own");
        match split(job, program.span, text) {
            // Between backticks a shell would put the output of the command.
            Some(words) => {
                let quoted = job.sources.find(program.span).map(|source| source.slice(program.span));
                let sure = !quoted.is_some_and(|words| words.starts_with('`'));
                found.fix(Fix::replace(program.span, words).if_sure(sure))
            }
            None => found,
        }
    });
}

/// `run "EPOCHS=3" "python"`: only a shell sets a variable before the program.
fn assignment(program: &At<Text>, rest: &[At<Text>], out: &mut Vec<Diagnostic>) {
    let Some((name, value)) = program.value.as_str().split_once('=') else { return };
    // A program may have a name such as `a=b`; one in capitals is meant as a variable.
    let capital = name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    if rest.is_empty() || !capital || EnvName::parse(name).is_err() || value.contains(char::is_whitespace) {
        return;
    }
    let fact = format!("`{}` is one argument, and no program has this name", shown(program.value.as_str()));
    let value = value.escape_debug();
    let help =
        format!("set the variable by `env {{ {name} \"{value}\"; }}`, and begin `run` with the program");
    out.push(Diagnostic::new(&UNSPLIT_COMMAND, program.span, fact).here("no shell sets this").help(help));
}

/// The words of a text as values one after another, as the format of the file that holds `at` has them.
fn split(job: &Job<'_>, at: Span, text: &str) -> Option<String> {
    let source = job.sources.find(at)?;
    let words: Vec<String> =
        text.split_whitespace().map(|word| crate::shape::literal::text(source.format, word)).collect();
    let before = &source.text[..source.local(at).start];
    match source.format {
        Format::Kdl => Some(words.join(" ")),
        Format::Json => Some(words.join(", ")),
        Format::Yaml if before.trim_end().ends_with(['[', ',']) => Some(words.join(", ")),
        Format::Yaml => {
            let line = before.rsplit('\n').next().unwrap_or_default();
            let margin = line.strip_suffix("- ").filter(|margin| margin.chars().all(|c| c == ' '))?;
            let plain = !source.slice(at).starts_with(['|', '>']);
            plain.then(|| words.join(&format!("\n{margin}- ")))
        }
        Format::Set => None,
    }
}

/// The beginning of a text, escaped.
fn shown(text: &str) -> String {
    const MOST: usize = 40;
    let (short, cut) = text.char_indices().nth(MOST).map_or((text, ""), |(at, _)| (&text[..at], "…"));
    format!("{}{cut}", short.escape_debug())
}

/// `${param.lr}`, where the sign stays: whether it is told.
fn sign(job: &Job<'_>, text: &At<Text>, out: &mut Vec<Diagnostic>) -> bool {
    let said = |at: &usize| {
        heads().any(|head| {
            text.value[at + 2..].strip_prefix(head).is_some_and(|rest| rest.starts_with(['.', '}']))
        })
    };
    let signs: Vec<usize> = text.value.match_indices("${").map(|(at, _)| at).filter(said).collect();
    if let Some(first) = signs.first() {
        let whole = text.value[*first..].split_inclusive('}').next().unwrap_or_default();
        let told =
            Diagnostic::new(&UNEXPANDED_SYNTAX, text.span, format!("the `$` of `{whole}` stays in the text"));
        let told = told.here("not a part of the reference").help("a reference is written without it");
        let mut with = text.value.to_string();
        signs.iter().rev().for_each(|at| with.replace_range(*at..=*at, ""));
        out.push(told.suggest(Fix::replace(text.span, literal(job, text.span, &with))));
    }
    !signs.is_empty()
}

/// `$HOME` where nothing replaces it. `env` is the variable that has the text, `set` has all that the job sets.
fn variable(
    ours: &Ours<'_>,
    text: &At<Text>,
    env: Option<&str>,
    set: &BTreeSet<&str>,
    out: &mut Vec<Diagnostic>,
) {
    let job = ours.job;
    if sign(job, text, out) {
        return;
    }
    let Some((whole, name)) = shell_variable(text.value.as_str()) else {
        out.extend(substitution(text.value.as_str()).map(|whole| {
            let told =
                Diagnostic::new(&UNEXPANDED_SYNTAX, text.span, format!("`{whole}` is not replaced here"));
            told.here("no shell reads this").help(match env {
                Some(name) => format!("set the variable in the text of `shell`: `export {name}=\"{whole}\"`"),
                None => "write the whole command as the text of `shell`".to_owned(),
            })
        }));
        return;
    };
    let told = Diagnostic::new(&UNEXPANDED_SYNTAX, text.span, format!("`{whole}` is not replaced here"));
    let told = told.here("no shell reads this");
    // `{env.NAME}` is what image and platform set, and not the job's.
    if set.contains(name) && env != Some(name) {
        out.push(told.help(set_by_job(name)));
        return;
    }
    let (help, reference) = instead(name, env, ours);
    let told = told.help(help);
    let only = shell_variable(&text.value.as_str().replacen(whole, "", 1)).is_none();
    out.push(match reference.filter(|_| only && !text.value.contains("{{")) {
        Some(reference) => {
            let with = text.value.as_str().replacen(whole, &reference, 1);
            told.suggest(Fix::replace(text.span, literal(job, text.span, &with)))
        }
        None => told,
    });
}

/// What to write instead of a variable, and the reference that has its value.
fn instead(name: &str, env: Option<&str>, ours: &Ours<'_>) -> (String, Option<String>) {
    if let Some(reference) = ours.reference(name) {
        return (format!("the reference `{reference}` has the value of `{name}`"), Some(reference));
    }
    if name.starts_with(OURS) {
        let help = match ours.nearest(name) {
            Some(near) => format!("did you mean the reference `{near}`?"),
            None => format!("this job has no `{name}`: write a reference, such as `{{index}}`"),
        };
        return (help, None);
    }
    // Set when the program starts, after the texts of the job; a helper gets nothing of the framework.
    let in_role = ours.role.kind.joins_rendezvous();
    match owner_of(name, ours.job).filter(|_| in_role && env != Some(name)) {
        Some(owner) => {
            let command = match env {
                Some(env) => format!("set `{env}` in the text of `shell`"),
                None => "write the command as `shell \"…\"`".to_owned(),
            };
            (
                format!(
                    "`{owner}` sets `{name}` when the program starts: {command}, where `${name}` is read"
                ),
                None,
            )
        }
        None => {
            let reference = format!("{{env.{name}}}");
            (format!("the variable of the container is `{reference}`"), Some(reference))
        }
    }
}

/// A text in the words of the file that holds `at`.
fn literal(job: &Job<'_>, at: Span, text: &str) -> String {
    let format = job.sources.find(at).map_or(Format::Kdl, |source| source.format);
    crate::shape::literal::text(format, text)
}

/// The first `$NAME`, or `$(NAME)` as a Pod's fields have it, with an uppercase name as environment variables have: the
/// whole reference and the name.
fn shell_variable(text: &str) -> Option<(&str, &str)> {
    text.match_indices('$').find_map(|(at, _)| {
        let open = usize::from(text[at + 1..].starts_with('('));
        let rest = &text[at + 1 + open..];
        let part = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
        let length = rest.bytes().take_while(|b| part(b)).count();
        let escaped = text[..at].ends_with(['\\', '$']);
        let closed = open == 0 || rest[length..].starts_with(')');
        let named = length > 1 && EnvName::parse(&rest[..length]).is_ok() && !escaped && closed;
        named.then(|| (&text[at..=at + length + 2 * open], &rest[..length]))
    })
}

/// The first `$(command)`: a shell would put the output of the command there.
fn substitution(text: &str) -> Option<&str> {
    // Behind the last parenthesis none is closed: a search from each place to the end takes a square of time.
    let text = &text[..=text.rfind(')')?];
    text.match_indices("$(").find_map(|(at, _)| {
        let command = &text[at + 2..];
        let escaped = text[..at].ends_with(['\\', '$']);
        let end =
            command.find(')').filter(|_| !escaped && command.starts_with(|c: char| c.is_ascii_lowercase()));
        end.map(|end| &text[at..at + 3 + end])
    })
}
