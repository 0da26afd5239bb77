//! Variables: who owns which, and what looks like a secret.
use super::roles;
use crate::at::At;
use crate::codes::{LITERAL_SECRET, OWNED_VARIABLE, REPEATED_VARIABLE, UNKNOWN_SECRET};
use crate::diagnostic::Diagnostic;
use crate::plan::{Command, Part, Plan, Template};
use crate::spec;
use std::collections::BTreeSet;
use tfjob_contract::{Family, owner};

pub(super) fn judge(spec: &spec::Job, plan: &Plan, out: &mut Vec<Diagnostic>) {
    // A default of the job reaches every role, and its fault is said once.
    let mut said = BTreeSet::new();
    for (written, role) in roles(spec, plan) {
        let names =
            role.env.iter().map(|(name, _)| name).chain(written.secret.0.iter().map(|(name, _)| name));
        for name in names {
            if said.insert(name.span) {
                owned(name, plan, spec.hadoop.is_some(), out);
            }
        }
        for (name, _) in &written.secret.0 {
            if let Some((first, _)) = role.env.iter().find(|(env, _)| env.value == name.value)
                && said
                    .insert(crate::sources::Span::new(name.span.start, first.span.end.max(name.span.start)))
            {
                out.push(
                    Diagnostic::new(&REPEATED_VARIABLE, name.span, format!("`{}` is set twice", name.value))
                        .here("as a secret")
                        .label(first.span, "as plain text")
                        .help("remove one of the two"),
                );
            }
        }
        for (name, value) in &role.env {
            if said.insert(value.span) && looks_secret(&name.value, value) {
                out.push(literal(
                    value,
                    &format!("`{}` looks like a credential written in the open", name.value),
                ));
            }
        }
        if let Command::Run(argv) = &role.command {
            for pair in argv.windows(2) {
                let flag = plain(&pair[0]).unwrap_or_default();
                if said.insert(pair[1].span)
                    && looks_secret(flag.trim_start_matches('-'), &pair[1])
                    && flag.starts_with('-')
                {
                    out.push(literal(
                        &pair[1],
                        &format!("the value of `{flag}` looks like a credential written in the open"),
                    ));
                }
            }
            for word in argv {
                let Some((flag, _)) = plain(word).and_then(|w| w.split_once('=')) else { continue };
                let value = Template { parts: vec![Part::Text("x".repeat(8))], span: word.span };
                if flag.starts_with('-')
                    && said.insert(word.span)
                    && looks_secret(flag.trim_start_matches('-'), &value)
                {
                    out.push(literal(word, &format!("`{flag}` looks like a credential written in the open")));
                }
            }
        }
    }
    keytab(spec, out);
}

fn owned(name: &At<String>, plan: &Plan, hadoop: bool, out: &mut Vec<Diagnostic>) {
    let family = Family::named(plan.framework.name.value.word()).unwrap_or(Family::Custom);
    let Some(owner) = owner(&name.value, family, hadoop) else { return };
    out.push(
        Diagnostic::new(&OWNED_VARIABLE, name.span, format!("`{}` is set by {owner}", name.value))
            .here("not yours to set")
            .help("remove it: the value is worked out for each task; `tfjob show --task` prints it"),
    );
}

fn plain(text: &Template) -> Option<&str> {
    match text.parts.as_slice() {
        [Part::Text(words)] => Some(words),
        _ => None,
    }
}

/// A name that says credential, and a value that is none of: empty, a path, a reference, a file name.
fn looks_secret(name: &str, value: &Template) -> bool {
    const WORDS: [&str; 8] =
        ["PASSWORD", "PASSWD", "SECRET", "TOKEN", "APIKEY", "API_KEY", "ACCESS_KEY", "PRIVATE_KEY"];
    let folded = name.to_uppercase().replace('-', "_");
    let named = WORDS.iter().any(|w| folded.contains(w));
    let excused =
        ["_FILE", "_PATH", "_DIR", "_NAME", "_URL", "_LENGTH", "_ID"].iter().any(|s| folded.ends_with(s));
    let known = plain(value)
        .is_some_and(|v| v.starts_with("AKIA") || v.starts_with("ghp_") || v.starts_with("-----BEGIN"));
    known || named && !excused && plain(value).is_some_and(|v| v.chars().count() >= 6 && !v.starts_with('/'))
}

fn literal(value: &Template, fact: &str) -> Diagnostic {
    Diagnostic::new(&LITERAL_SECRET, value.span, fact)
        .here("anyone who reads the file reads this")
        .help("write `secret \"NAME\" from=\"…\" key=\"…\"` and let the platform keep the value")
}

fn keytab(spec: &spec::Job, out: &mut Vec<Diagnostic>) {
    let Some(kerberos) = &spec.kerberos else { return };
    let keytab = &kerberos.value.keytab;
    let Some(name) = keytab.value.as_str().strip_prefix("secret:") else { return };
    let mut all =
        spec.role.0.iter().chain(&spec.helper.0).map(|(_, r)| &r.value.secret).chain([&spec.secret]);
    if !all.any(|secrets| secrets.0.iter().any(|(env, _)| env.value == name)) {
        out.push(
            Diagnostic::new(&UNKNOWN_SECRET, keytab.span, format!("this job has no secret `{name}`"))
                .here("not declared")
                .help(format!("add `secret \"{name}\" from=\"…\" key=\"…\" at=\"/…\"`")),
        );
    }
}
