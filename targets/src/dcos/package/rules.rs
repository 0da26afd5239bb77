//! What no single requirement shows: options that the package needs, or does not read.
use crate::codes::MISSING_OPTION;
use crate::dcos::options::Options;
use crate::dcos::{Dcos, rules};
use tfjob_lang::codes::{BAD_OPTION, UNUSED_OPTION};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Identity, Requirement};
use tfjob_lang::spec::values::{Class, Uri};
use tfjob_lang::target::{Site, is_true};

/// Every fault.
pub fn judge(plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    rules::folder(&site.job, &mut out);
    whole(plan, site, &mut out);
    out
}

/// Options that the package never reads.
pub fn unread(plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic> {
    let help = "remove it, or write `as \"marathon\"`";
    let mut out = rules::unread(site.job.unshared().marathon, "the package", help);
    let kerberos = plan
        .requirements
        .iter()
        .any(|a| matches!(a.requirement, Requirement::Identity(Identity::Kerberos { .. })));
    if let Some(kdc) = site.job.kdc.as_ref().filter(|_| !kerberos) {
        out.push(
            Diagnostic::new(&UNUSED_OPTION, kdc.span, "dcos: nothing in this job asks for Kerberos")
                .here("never used")
                .help("remove it, or add `kerberos principal=\"NAME@REALM\" keytab=\"secret:KEYTAB\"`"),
        );
    }
    out
}

/// What the package needs, and would replace by its own examples without.
fn whole(plan: &Plan, site: &Site<Dcos>, out: &mut Vec<Diagnostic>) {
    let job = &site.job;
    let at = job.r#as.as_ref().map_or(plan.name.span, |form| form.span);
    match &job.module {
        None => out.push(
            Diagnostic::new(&MISSING_OPTION, at, "dcos: the package calls a module, and none is named")
                .here("needs `module`")
                .help("add `module \"NAME\"`: the file NAME.py has `def main(server, log_dir, context)`"),
        ),
        Some(module) if !importable(module.value.as_str()) => {
            let name = module.value.as_str();
            let near = name.trim_end_matches(".py").replace('-', "_");
            let mut found = Diagnostic::new(
                &BAD_OPTION,
                module.span,
                format!("dcos: Python cannot import `{}`", name.escape_debug()),
            )
            .here("no name of a module")
            .help("letters, digits and `_`, no digit first, and without `.py`");
            if importable(&near) && near != name {
                let fix = tfjob_lang::diagnostic::Fix::replace(module.span, format!("\"{near}\""));
                // `-` for `_` is the name of another file.
                found = found.fix(fix.if_sure(near == name.trim_end_matches(".py")));
            }
            out.push(found);
        }
        Some(_) => {}
    }
    if plan.storage.code.is_none() {
        out.push(
            Diagnostic::new(&MISSING_OPTION, at, "dcos: without code the package runs its own examples")
                .here("needs the job's `code`")
                .help("add `code \"https://…/job.zip\"` to the job"),
        );
    }
    for option in job.job_path.iter() {
        let path = option.value.as_str();
        if !is_inside(path) {
            out.push(
                Diagnostic::new(
                    &BAD_OPTION,
                    option.span,
                    format!("dcos: `{}` is no folder of the code", path.escape_debug()),
                )
                .here("a path inside the archive")
                .help("a path without `..`, such as `examples/mnist`"),
            );
        }
    }
    sited(job, out);
}

/// Options that hang on what the cluster is.
fn sited(job: &Options, out: &mut Vec<Diagnostic>) {
    if let Some(region) = &job.region {
        if region.value.is_empty() {
            out.push(
                Diagnostic::new(&BAD_OPTION, region.span, "dcos: `region` is empty")
                    .here("says nothing")
                    .help("remove it, or name one"),
            );
        } else if !job.is_since((1, 11)) {
            out.push(
                Diagnostic::new(&MISSING_OPTION, region.span, "dcos: there are regions since version 1.11")
                    .here("needs `version`")
                    .help("add `version \"1.11\"` to the block if the cluster is that new"),
            );
        }
    }
    let secret = job.service_account.as_ref().and_then(|account| account.value.secret.as_ref());
    if let Some(secret) = secret.filter(|_| !is_true(job.enterprise.as_ref())) {
        out.push(
            Diagnostic::new(
                &MISSING_OPTION,
                secret.span,
                "dcos: secrets are kept only in the Enterprise edition",
            )
            .here("needs `enterprise`")
            .help("add `enterprise #true` to the block if the cluster is one"),
        );
    }
    let kdc = job.kdc.as_ref().map(|kdc| &kdc.value.host);
    if let Some(host) =
        kdc.filter(|host| crate::names::host_fault(&host.value.to_ascii_lowercase()).is_some())
    {
        let fact = format!("dcos: `{}` is not a host name", host.value.escape_debug());
        out.push(
            Diagnostic::new(&BAD_OPTION, host.span, fact)
                .here("the name of a host alone")
                .help("such as `kdc \"kdc.example.com\" port=88`"),
        );
    }
    let served = |uri: &Uri| uri.scheme().class() == Class::Web;
    if let Some(uri) = job.hdfs_config.as_ref().filter(|uri| !served(&uri.value)) {
        out.push(
            Diagnostic::new(
                &BAD_OPTION,
                uri.span,
                "dcos: agents fetch HDFS' configuration from a web server",
            )
            .here("no `http:` uri")
            .help("such as `http://api.hdfs.marathon.l4lb.thisdcos.directory/v1/endpoints`"),
        );
    }
}

fn importable(name: &str) -> bool {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    name.bytes().next().is_some_and(|b| !b.is_ascii_digit()) && name.bytes().all(word)
}

/// Whether a path is a folder of an archive.
pub fn is_inside(path: &str) -> bool {
    !path.starts_with('/') && !path.split('/').any(|step| matches!(step, "" | "." | ".."))
}
