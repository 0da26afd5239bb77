//! Variables: who owns which, and what looks like a secret.
use super::Job;
use crate::at::At;
use crate::codes::{LITERAL_SECRET, OWNED_VARIABLE, REPEATED_VARIABLE};
use crate::diagnostic::Diagnostic;
use crate::plan::{Command, Part, Role, Template};
use crate::secrets::names::{assigns_secret, could_be_secret, has_userinfo, is_known, says_secret};
use tfjob_contract::{Family, owner};

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    for (written, role) in job.roles() {
        let secrets = || written.secret.0.iter().map(|(name, _)| name);
        role.env.iter().map(|(name, _)| name).chain(secrets()).for_each(|name| owned(name, job, out));
        for name in secrets() {
            if let Some((first, _)) = role.env.iter().find(|(env, _)| env.value == name.value) {
                out.push(
                    Diagnostic::new(&REPEATED_VARIABLE, name.span, format!("`{}` is set twice", name.value))
                        .here("as a secret")
                        .label(first.span, "as plain text")
                        .help("remove one of the two"),
                );
            }
        }
        credentials(role, out);
    }
    for (name, value) in &job.spec.param.0 {
        let word = &value.value.value;
        let text = Template { parts: vec![Part::Text(word.value.text.clone())], span: word.span };
        if looks_secret(&name.value, &text) {
            let fact = format!("`{}` looks like a credential written in the open", name.value);
            out.push(literal(&text, &fact));
        }
    }
}

fn owned(name: &At<String>, job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let family = Family::named(job.plan.framework.name.value.word()).unwrap_or(Family::Custom);
    let Some(owner) = owner(&name.value, family, job.spec.hadoop.is_some()) else { return };
    // What `hadoop` sets is the same for all tasks, and its own words say it.
    let (here, help) = match owner {
        "hadoop" => (
            "its words say where Hadoop, its configuration and Java are",
            "remove it, and write the folder in `hadoop home= java= conf=`",
        ),
        _ => (
            "its value differs from task to task",
            "remove it; `tfjob show --task` prints what each task gets",
        ),
    };
    out.push(
        Diagnostic::new(&OWNED_VARIABLE, name.span, format!("`{}` is set by `{owner}`", name.value))
            .here(here)
            .help(help),
    );
}

/// What looks like a credential: by the name of its variable, or by the flag before it or in the same word.
fn credentials(role: &Role, out: &mut Vec<Diagnostic>) {
    for (name, value) in &role.env {
        if looks_secret(&name.value, value) {
            let fact = format!("`{}` looks like a credential written in the open", name.value);
            out.push(literal(value, &fact));
        }
    }
    let argv = match &role.command {
        Command::Run(argv) => argv,
        Command::Shell(script) => {
            if assigns_secret(&script.value) || has_userinfo(&script.value) {
                let text = Template { parts: Vec::new(), span: script.span };
                out.push(literal(&text, "this text holds what looks like a credential written in the open"));
            }
            return;
        }
    };
    for (i, word) in argv.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| plain(&argv[i])).filter(|flag| flag.starts_with('-'));
        let flag = before.unwrap_or_default();
        if looks_secret(flag.trim_start_matches('-'), word) {
            let fact = match flag {
                "" => "this looks like a credential written in the open".to_owned(),
                flag => format!("the value of `{flag}` looks like a credential written in the open"),
            };
            out.push(literal(word, &fact));
        } else if let Some((flag, value)) = first_text(word).and_then(|text| text.split_once('='))
            && flag.starts_with('-')
            && looks_secret(flag.trim_start_matches('-'), &after(word, value))
        {
            out.push(literal(word, &format!("`{flag}` looks like a credential written in the open")));
        } else if i > 0 && plain(&argv[i - 1]) == Some("-c") && plain(word).is_some_and(assigns_secret) {
            out.push(literal(word, "this text holds what looks like a credential written in the open"));
        }
    }
}

/// What a word says after its `=`.
fn after(word: &Template, value: &str) -> Template {
    let rest = word.parts.iter().skip(1).cloned();
    let first = Some(value).filter(|value| !value.is_empty()).map(|value| Part::Text(value.to_owned()));
    Template { parts: first.into_iter().chain(rest).collect(), span: word.span }
}

fn first_text(text: &Template) -> Option<&str> {
    match text.parts.first() {
        Some(Part::Text(words)) => Some(words),
        _ => None,
    }
}

fn plain(text: &Template) -> Option<&str> {
    match text.parts.as_slice() {
        [Part::Text(words)] => Some(words),
        _ => None,
    }
}

/// A name that says credential, and a value that may be one: no number, path, flag or reference.
fn looks_secret(name: &str, value: &Template) -> bool {
    if first_text(value).is_some_and(has_userinfo) {
        return true;
    }
    let Some(value) = plain(value) else { return false };
    is_known(value) || could_be_secret(value) && says_secret(name)
}

fn literal(value: &Template, fact: &str) -> Diagnostic {
    Diagnostic::new(&LITERAL_SECRET, value.span, fact)
        .here("anyone who reads the file reads this")
        .help("write `secret \"NAME\" from=\"…\" key=\"…\"` and let the platform keep the value")
}
