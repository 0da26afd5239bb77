//! Rules about the Kerberos principal and keytab.
use super::{Job, path_in};
use crate::at::At;
use crate::codes::{BAD_VALUE, MISSING_FIELD, UNKNOWN_SECRET};
use crate::diagnostic::Diagnostic;
use crate::escape::Escaped;
use crate::spec::Secret;
use crate::spec::values::{Text, Uri};

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let Some(kerberos) = &job.spec.kerberos else { return };
    principal(&kerberos.value.principal, out);
    let keytab = &kerberos.value.keytab;
    match keytab.value.as_str().strip_prefix("secret:") {
        Some(name) => secret(job, keytab, name, out),
        None => {
            if let Err(wrong) = Uri::parse(keytab.value.as_str()) {
                out.push(
                    Diagnostic::new(&BAD_VALUE, keytab.span, wrong.message).help(
                        "write a URI, or `secret:NAME` for a `secret \"NAME\" … at=\"/…\"` of this job",
                    ),
                );
            }
        }
    }
}

fn principal(principal: &At<Text>, out: &mut Vec<Diagnostic>) {
    let text = principal.value.as_str();
    let steps = |name: &str| name.split('/').all(|step| !step.is_empty()) && name.split('/').count() <= 2;
    let valid = text.split_once('@').is_some_and(|(name, realm)| steps(name) && !realm.is_empty());
    if !valid || text.matches('@').count() != 1 || text.contains(char::is_whitespace) {
        let fact = match text.trim() {
            "" => "the Kerberos principal is empty".to_owned(),
            _ => format!("`{}` is not a Kerberos principal", text.escaped()),
        };
        let help = "write a name and a realm, such as `trainer@EXAMPLE.COM` or `trainer/_HOST@EXAMPLE.COM`";
        out.push(Diagnostic::new(&BAD_VALUE, principal.span, fact).help(help));
    }
}

fn secret(job: &Job<'_>, keytab: &At<Text>, name: &str, out: &mut Vec<Diagnostic>) {
    let roles = job.spec.role.0.iter().chain(&job.spec.helper.0).map(|(_, role)| &role.value.secret);
    let declared: Vec<(&At<String>, &Secret)> = roles
        .chain([&job.spec.secret])
        .flat_map(|secrets| secrets.0.iter().filter(|(env, _)| env.value == name))
        .map(|(env, secret)| (env, &secret.value))
        .collect();
    let Some((env, _)) = declared.first() else {
        let found = Diagnostic::new(&UNKNOWN_SECRET, keytab.span, format!("this job has no secret `{name}`"))
            .here("not declared")
            .help(format!("add `secret \"{name}\" from=\"…\" key=\"…\" at=\"/…\"`"));
        let roles = job.plan.roles.iter();
        out.push(roles.fold(found, |found, role| found.from_absent(&path_in(role, &["secret", name]))));
        return;
    };
    if declared.iter().all(|(_, secret)| secret.at.is_none()) {
        let found = Diagnostic::new(
            &MISSING_FIELD,
            env.span,
            format!("`secret \"{name}\"` is used as a keytab file, but has no `at` and is not mounted"),
        )
        .from_whole(&["job", "secret", name])
        .here("not mounted as a file")
        .label(keytab.span, "used as a keytab here")
        .help("add `at=\"/etc/job.keytab\"`");
        let roles = job.plan.roles.iter();
        out.push(roles.fold(found, |found, role| found.from_whole(&path_in(role, &["secret", name]))));
    }
}
