//! Reports shell syntax in `run`, `env`, and URIs, where no shell expands it. Also reports a `$` before a reference.
mod home;
mod joined;

use super::environment::{PREFIX, ReferenceVariables, generator};
use super::script::prefixed_names;
use super::{Job, exit_code};
use crate::at::At;
use crate::codes::{UNEXPANDED_SYNTAX, UNSPLIT_COMMAND};
use crate::diagnostic::{Diagnostic, Fix};
use crate::escape::Escaped;
use crate::resolve::reference::heads;
use crate::resolve::variables::set_by_job;
use crate::shape::splits_plainly;
use crate::sources::{Format, Span};
use crate::spec;
use crate::spec::values::{EnvName, Text};
use crate::syntax::literal::Places;
use std::collections::BTreeSet;

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    // Every role inherits the environment variables of the job, so each variable is checked only once.
    let (mut set, mut visited) = (BTreeSet::new(), BTreeSet::new());
    for (name, value) in job.roles().flat_map(|(written, _)| &written.env.0) {
        if visited.insert((name.span, value.span)) {
            set.insert(name.value.as_str());
        }
    }
    let mut reported = BTreeSet::new();
    for (written, role) in job.roles() {
        let variables = ReferenceVariables::new(job, role);
        if let Some(run) = &written.run {
            arguments(&variables, &run.value.0, &set, out);
            script_variables(&variables, written, out);
        }
        for (name, value) in &written.env.0 {
            if reported.insert((name.span, value.span)) {
                shell_syntax(&variables, value, Some(name.value.as_str()), &set, out);
                out.extend(home::in_env(name.value.as_str(), value, &set));
            }
        }
    }
    let storage = &job.plan.storage;
    let single = storage.code.iter().chain(&storage.checkpoints).map(|volume| ("", volume));
    let files = storage.stage.iter().map(|volume| ("files.", volume));
    let data = storage.data.iter().map(|volume| ("data.", volume));
    for (above, volume) in single.chain(files).chain(data) {
        let uri = &volume.uri;
        let text = uri.value.to_string();
        let braced = text.split_once("${").and_then(|(_, rest)| rest.split_once('}')).map(|(name, _)| name);
        let braced = braced.filter(|name| EnvName::parse(name).is_ok()).map(|name| format!("${{{name}}}"));
        let Some(whole) = braced.or_else(|| shell_variable(&text, &set).map(|(whole, _)| whole.to_owned()))
        else {
            continue;
        };
        let diagnostic =
            Diagnostic::new(&UNEXPANDED_SYNTAX, uri.span, format!("`{whole}` is not expanded in a URI"));
        let help = format!(
            "write the value, or set the whole URI on the command line: `--set {above}{}.uri=…`",
            volume.name.value
        );
        out.push(diagnostic.here("used literally").help(help));
    }
}

/// Shell operators as separate arguments.
const OPERATORS: &[&str] =
    &["|", "||", "|&", "&&", "&", ";", ">", ">>", "<", "2>", "2>>", "&>", "&>>", ">&", ">&2", "1>&2", "2>&1"];

const NO_SHELL: &str = "not expanded: no shell reads this";
const USE_SHELL: &str = "use `shell \"…\"` for the whole command";

/// Returns the help for a text that begins with a shell operator. `/bin/sh` may not support `&>`, `&>>`, and `|&` of bash.
fn shell_help(text: &str) -> &'static str {
    if text.starts_with("&>>") {
        "use `shell \"…\"` for the whole command, with `>> FILE 2>&1` as the redirection"
    } else if text.starts_with("&>") {
        "use `shell \"…\"` for the whole command, with `> FILE 2>&1` as the redirection"
    } else if text.starts_with("|&") {
        "use `shell \"…\"` for the whole command, with `2>&1 |` as the pipe"
    } else {
        USE_SHELL
    }
}

/// Reports shell syntax in the program and the arguments of `run`. The arguments after `-c` may be a script.
fn arguments(
    variables: &ReferenceVariables<'_>,
    words: &[At<Text>],
    set: &BTreeSet<&str>,
    out: &mut Vec<Diagnostic>,
) {
    let [program, rest @ ..] = words else { return };
    let job = variables.job;
    unsplit(job, program, out);
    assignment(program, rest, out);
    let script_option = rest.iter().position(|word| matches!(word.value.as_str(), "-c" | "-e" | "--"));
    let (plain, script) = rest.split_at(script_option.unwrap_or(rest.len()));
    out.extend(home::in_run(program, ""));
    for (number, word) in plain.iter().enumerate() {
        let before = number.checked_sub(1).map_or("", |before| plain[before].value.as_str());
        let of_option = before.starts_with('-') && !before.contains(['=', ' ']);
        let path = || if of_option { None } else { pattern(word) };
        let joined = || joined::check(job, program.value.as_str(), &plain[..=number], of_option);
        out.extend(home::in_run(word, if of_option { before } else { "" }).or_else(path).or_else(joined));
    }
    for word in script {
        dollar_before_reference(job, word, out);
    }
    for word in plain {
        let text = word.value.as_str();
        if OPERATORS.contains(&text) {
            let fact = format!("`{text}` is passed as an argument, because `run` uses no shell");
            out.push(
                Diagnostic::new(&UNEXPANDED_SYNTAX, word.span, fact)
                    .here("no shell interprets this")
                    .help(shell_help(text)),
            );
        } else {
            shell_syntax(variables, word, None, set, out);
        }
    }
}

/// Reports `$TFJOB_INDEX` in the script of `run "bash" "-c"`. Not every target sets the `TFJOB_` variables for `run`.
fn script_variables(variables: &ReferenceVariables<'_>, role: &spec::Role, out: &mut Vec<Diagnostic>) {
    let Some((text, span)) = exit_code::script(role) else { return };
    let (read, assigned) = prefixed_names(text);
    // Another rule reports `${NAME}`, because `{NAME}` is read as a reference.
    let is_plain = |at: usize| !text[..at].ends_with("${");
    for (name, at) in read.into_iter().filter(|(name, at)| !assigned.contains(*name) && is_plain(*at)) {
        let Some(reference) = variables.reference(name) else { continue };
        let places = variables.job.sources.find(span).map(|source| Places::of(source, span));
        let here = places.map_or(span, |places| places.at(at..at + name.len()));
        let fact = format!("`{name}` may be empty: with `run`, some targets do not set it");
        out.push(
            Diagnostic::new(&UNEXPANDED_SYNTAX, here, fact).here("not set on every target").help(format!(
                "write `{reference}` in place of `${name}`, or use `shell \"…\"` for the script"
            )),
        );
    }
}

/// Reports a glob pattern such as `data/*.rec` as an argument, because only a shell expands it. Values of options are
/// skipped, because the program may expand patterns in them.
fn pattern(word: &At<Text>) -> Option<Diagnostic> {
    let text = word.value.as_str();
    let path = text.contains('/') || text.starts_with("*.") || text.ends_with('*');
    let local = !text.starts_with('-') && !text.contains("://") && !text.contains(char::is_whitespace);
    let plain = |c: char| c.is_alphanumeric() || "*?./_-".contains(c);
    (path && local && text.contains(['*', '?']) && text.len() > 1 && text.chars().all(plain)).then(|| {
        let fact = format!("`{}` is not expanded to file names, because `run` uses no shell", shown(text));
        let help = format!(
            "use `shell \"…\"` for the whole command; or, if the program itself expands the pattern, ignore this warning \
             (an option such as `--files={}` is not reported)",
            shown(text)
        );
        Diagnostic::new(&UNEXPANDED_SYNTAX, word.span, fact).here(NO_SHELL).help(help)
    })
}

/// Reports a whole command line as the program, such as `run "python train.py"`. Without a shell, the text is one path,
/// with a space.
fn unsplit(job: &Job<'_>, program: &At<Text>, out: &mut Vec<Diagnostic>) {
    let text = program.value.as_str();
    let Some(space) = text.trim().find(char::is_whitespace) else { return };
    if text.trim()[..space].contains(['/', '{']) {
        return;
    }
    let fact =
        format!("`run` does not split `{}` at spaces, so it looks for a program with this name", shown(text));
    let found = Diagnostic::new(&UNSPLIT_COMMAND, program.span, fact).here("one argument");
    out.push(if !splits_plainly(text) {
        found.help("use `shell \"…\"` for the whole command; or quote each argument separately, without shell syntax such as `|`")
    } else {
        let found = found.help(QUOTE);
        match split(job, program.span, text) {
            // Backticks may be meant as a command substitution. The fix is then only a suggestion.
            Some(words) => {
                let quoted = job.sources.find(program.span).map(|source| source.slice(program.span));
                let sure = !quoted.is_some_and(|words| words.starts_with('`'));
                found.fix(Fix::replace(program.span, words).if_sure(sure))
            }
            None => found,
        }
    });
}

const QUOTE: &str = "quote each argument separately";

/// Reports an assignment before the program, such as `run "EPOCHS=3" "python"`. Only a shell interprets such an assignment.
fn assignment(program: &At<Text>, rest: &[At<Text>], out: &mut Vec<Diagnostic>) {
    let Some((name, value)) = program.value.as_str().split_once('=') else { return };
    // A program may have a name such as `a=b`, but an upper-case name before `=` is meant as an environment variable.
    let upper_case = name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    if rest.is_empty() || !upper_case || EnvName::parse(name).is_err() || value.contains(char::is_whitespace)
    {
        return;
    }
    let fact = format!(
        "`run` takes `{}` as the name of the program, because only a shell sets variables",
        shown(program.value.as_str())
    );
    let value = value.escaped();
    let help =
        format!("set the variable with `env {{ {name} \"{value}\"; }}`, and start `run` with the program");
    out.push(Diagnostic::new(&UNSPLIT_COMMAND, program.span, fact).here("not a program").help(help));
}

/// Splits a text into words. Returns them as separate values, in the format of the file that contains `at`. `None` if they cannot
/// replace the text there.
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

/// Returns the start of a text, escaped for a message. Quotes stay unchanged.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 40;
    let (short, cut) = text.char_indices().nth(MOST).map_or((text, ""), |(at, _)| (&text[..at], "…"));
    // A message shows `"` without `\`, as in the spec.
    format!("{}{cut}", short.escaped().replace("\\\"", "\""))
}

/// Reports a `$` before a reference, as in `${param.lr}`, and returns whether there is one.
fn dollar_before_reference(job: &Job<'_>, text: &At<Text>, out: &mut Vec<Diagnostic>) -> bool {
    let is_reference = |at: &usize| {
        heads().any(|head| {
            text.value[at + 2..].strip_prefix(head).is_some_and(|rest| rest.starts_with(['.', '}']))
        })
    };
    let signs: Vec<usize> = text.value.match_indices("${").map(|(at, _)| at).filter(is_reference).collect();
    if let Some(first) = signs.first() {
        let whole = text.value[*first..].split_inclusive('}').next().unwrap_or_default();
        let diagnostic = Diagnostic::new(
            &UNEXPANDED_SYNTAX,
            text.span,
            format!("the `$` in `{whole}` is kept before the value"),
        );
        let diagnostic = diagnostic.here("extra `$`").help("remove the `$`");
        let mut with = text.value.to_string();
        signs.iter().rev().for_each(|at| with.replace_range(*at..=*at, ""));
        out.push(diagnostic.suggest(Fix::replace(text.span, literal(job, text.span, &with))));
    }
    !signs.is_empty()
}

/// Reports variables and command substitutions that nothing expands. `env`: the variable that has this text as its value.
/// `set`: the variables that the job sets.
fn shell_syntax(
    variables: &ReferenceVariables<'_>,
    text: &At<Text>,
    env: Option<&str>,
    set: &BTreeSet<&str>,
    out: &mut Vec<Diagnostic>,
) {
    let job = variables.job;
    if dollar_before_reference(job, text, out) {
        return;
    }
    let Some((whole, name)) = shell_variable(text.value.as_str(), set) else {
        out.extend(substitution(text.value.as_str()).map(|whole| {
            let diagnostic =
                Diagnostic::new(&UNEXPANDED_SYNTAX, text.span, format!("`{whole}` is not expanded here"));
            diagnostic.here(NO_SHELL).help(match env {
                Some(name) => format!("set the variable in a `shell` script: `export {name}=\"{whole}\"`"),
                None => USE_SHELL.to_owned(),
            })
        }));
        return;
    };
    let diagnostic =
        Diagnostic::new(&UNEXPANDED_SYNTAX, text.span, format!("`{whole}` is not expanded here"));
    // Some platforms expand `$(NAME)` without a shell, so the label does not give the missing shell as the reason.
    let diagnostic = diagnostic.here(if whole.starts_with("$(") { "passed on as written" } else { NO_SHELL });
    // `{env.NAME}` reads the container environment, not the `env` of the job, so it is no alternative.
    if set.contains(name) && env != Some(name) {
        out.push(diagnostic.help(set_by_job(name)));
        return;
    }
    let (help, reference) = alternative(name, env, variables);
    let diagnostic = diagnostic.help(help);
    let only = shell_variable(&text.value.as_str().replacen(whole, "", 1), set).is_none();
    out.push(match reference.filter(|_| only && !text.value.contains("{{")) {
        Some(reference) => {
            let with = text.value.as_str().replacen(whole, &reference, 1);
            diagnostic.suggest(Fix::replace(text.span, literal(job, text.span, &with)))
        }
        None => diagnostic,
    });
}

/// Returns the help for an environment variable, and the reference that has the same value, if any.
fn alternative(
    name: &str,
    env: Option<&str>,
    variables: &ReferenceVariables<'_>,
) -> (String, Option<String>) {
    if let Some(reference) = variables.reference(name) {
        return (format!("write `{reference}`, which has the value of `{name}`"), Some(reference));
    }
    if name.starts_with(PREFIX) {
        let help = match variables.nearest(name) {
            Some(near) => format!("did you mean the reference `{near}`?"),
            None => {
                format!("tfjob does not set `{name}` for this job; write a reference, such as `{{index}}`")
            }
        };
        return (help, None);
    }
    // No reference has the value of a variable that is generated at program start, because references are expanded earlier. In a
    // helper, the variables of the framework are not generated, so they are treated like any other variable.
    let in_role = variables.role.kind.joins_rendezvous();
    match generator(name, variables.job).filter(|_| in_role && env != Some(name)) {
        Some(owner) => {
            let command = match env {
                Some(env) => format!("set `{env}` in a `shell` script"),
                None => "write the command in `shell \"…\"`".to_owned(),
            };
            (
                format!(
                    "`{owner}` sets `{name}` only when the program starts, so {command}, where `${name}` is expanded"
                ),
                None,
            )
        }
        None => {
            let reference = format!("{{env.{name}}}");
            (format!("write `{reference}` to read the container environment"), Some(reference))
        }
    }
}

/// Returns a text as a literal in the format of the file that contains `at`.
fn literal(job: &Job<'_>, at: Span, text: &str) -> String {
    let format = job.sources.find(at).map_or(Format::Kdl, |source| source.format);
    crate::shape::literal::text(format, text)
}

/// Returns the first `$NAME` or `$(NAME)` with an upper-case name, and the name. A single letter is a name only if the job sets the
/// variable: `set`.
fn shell_variable<'a>(text: &'a str, set: &BTreeSet<&str>) -> Option<(&'a str, &'a str)> {
    text.match_indices('$').find_map(|(at, _)| {
        let open = usize::from(text[at + 1..].starts_with('('));
        let rest = &text[at + 1 + open..];
        let part = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
        let length = rest.bytes().take_while(|b| part(b)).count();
        let escaped = text[..at].ends_with(['\\', '$']);
        let closed = open == 0 || rest[length..].starts_with(')');
        let long = length > 1 || set.contains(&rest[..length]);
        let named = long && EnvName::parse(&rest[..length]).is_ok() && !escaped && closed;
        named.then(|| (&text[at..=at + length + 2 * open], &rest[..length]))
    })
}

/// Returns the first command substitution `$(command)`.
fn substitution(text: &str) -> Option<&str> {
    // Stops at the last parenthesis, because a search to the end from each position takes quadratic time.
    let text = &text[..=text.rfind(')')?];
    text.match_indices("$(").find_map(|(at, _)| {
        let command = &text[at + 2..];
        let escaped = text[..at].ends_with(['\\', '$']);
        let end =
            command.find(')').filter(|_| !escaped && command.starts_with(|c: char| c.is_ascii_lowercase()));
        end.map(|end| &text[at..at + 3 + end])
    })
}
