//! Checks that concern several requirements: options that the package needs or ignores.
use crate::codes::MISSING_OPTION;
use crate::dcos::options::Options;
use crate::dcos::{Dcos, rules};
use tfjob_lang::codes::{BAD_OPTION, UNUSED_OPTION};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::escape::Escaped;
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Identity, Requirement};
use tfjob_lang::spec::values::{Class, Uri};
use tfjob_lang::target::{Site, is_true};

/// Returns the diagnostics of all checks in this module.
pub fn judge(plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    rules::service_group(&site.job, &mut out);
    required(plan, site, &mut out);
    out
}

/// Warns of options that the package ignores.
pub fn unread(plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic> {
    let help = "remove this option, or use `as \"marathon\"`";
    let mut out = rules::unread(site.job.unshared().marathon, "tasks of the TensorFlow package", help);
    let kerberos = plan
        .requirements
        .iter()
        .any(|a| matches!(a.requirement, Requirement::Identity(Identity::Kerberos { .. })));
    if let Some(kdc) = site.job.kdc.as_ref().filter(|_| !kerberos) {
        out.push(
            Diagnostic::new(&UNUSED_OPTION, kdc.span, "dcos: `kdc` has no effect without `kerberos`")
                .here("ignored")
                .help("remove it, or add `kerberos principal=\"NAME@REALM\" keytab=\"secret:KEYTAB\"`"),
        );
    }
    out
}

/// Checks that the options that the package needs are set. Without `code`, the package would run its bundled examples.
fn required(plan: &Plan, site: &Site<Dcos>, out: &mut Vec<Diagnostic>) {
    let job = &site.job;
    let at = job.r#as.as_ref().map_or(plan.name.span, |form| form.span);
    match &job.module {
        None => out.push(
            Diagnostic::new(
                &MISSING_OPTION,
                at,
                "dcos: the DC/OS package for TensorFlow runs a Python module, but `module` is not set",
            )
            .here("needs `module`")
            .help("add `module \"NAME\"`; the file NAME.py must define `main(server, log_dir, context)`"),
        ),
        Some(module) if !importable(module.value.as_str()) => {
            let name = module.value.as_str();
            let near = name.trim_end_matches(".py").replace('-', "_");
            let mut found = Diagnostic::new(
                &BAD_OPTION,
                module.span,
                format!("dcos: `{}` is not a valid name of a Python module", name.escaped()),
            )
            .here("cannot be imported")
            .help("use letters, digits, and `_`, without a leading digit and without `.py`; if needed, rename the file of the module");
            if importable(&near) && near != name {
                let fix = tfjob_lang::diagnostic::Fix::replace(module.span, format!("\"{near}\""));
                // The fix is applied automatically only if it just removes `.py`. A fix that replaces `-` by `_` is only suggested,
                // because the new name is that of another file.
                found = found.fix(fix.if_sure(near == name.trim_end_matches(".py")));
            }
            out.push(found);
        }
        Some(_) => {}
    }
    if plan.storage.code.is_none() {
        out.push(
            Diagnostic::new(
                &MISSING_OPTION,
                at,
                "dcos: without `code`, the TensorFlow package runs its bundled examples",
            )
            .here("needs `code`")
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
                    format!("dcos: `{}` is not a relative path inside the code", path.escaped()),
                )
                .here("not inside the code")
                .help("use a path without `..`, such as `examples/mnist`"),
            );
        }
    }
    cluster_options(job, out);
}

/// Checks options whose values depend on the cluster.
fn cluster_options(job: &Options, out: &mut Vec<Diagnostic>) {
    if let Some(region) = &job.region {
        if region.value.is_empty() {
            out.push(
                Diagnostic::new(&BAD_OPTION, region.span, "dcos: `region` is empty")
                    .here("empty")
                    .help("remove it, or set the name of a region"),
            );
        } else if !job.is_since((1, 11)) {
            out.push(
                Diagnostic::new(&MISSING_OPTION, region.span, "dcos: regions need DC/OS 1.11 or later")
                    .here("needs `version`")
                    .help(
                        "add `version \"1.11\"` to `target \"dcos\"` if the cluster runs DC/OS 1.11 or later",
                    ),
            );
        }
    }
    let secret = job.service_account.as_ref().and_then(|account| account.value.secret.as_ref());
    if let Some(secret) = secret.filter(|_| !is_true(job.enterprise.as_ref())) {
        out.push(
            Diagnostic::new(&MISSING_OPTION, secret.span, "dcos: only DC/OS Enterprise has a secret store")
                .here("needs `enterprise`")
                .help("add `enterprise #true` to `target \"dcos\"` if the cluster runs DC/OS Enterprise"),
        );
    }
    let kdc = job.kdc.as_ref().map(|kdc| &kdc.value.host);
    if let Some(host) =
        kdc.filter(|host| crate::names::host_fault(&host.value.to_ascii_lowercase()).is_some())
    {
        let fact = format!("dcos: `{}` is not a valid host name", host.value.escaped());
        out.push(
            Diagnostic::new(&BAD_OPTION, host.span, fact)
                .here("not a host name")
                .help("use a host name without scheme and port, such as `kdc \"kdc.example.com\" port=88`"),
        );
    }
    let served = |uri: &Uri| uri.scheme().class() == Class::Web;
    if let Some(uri) = job.hdfs_config.as_ref().filter(|uri| !served(&uri.value)) {
        out.push(
            Diagnostic::new(
                &BAD_OPTION,
                uri.span,
                "dcos: agents download the HDFS configuration only from a web server",
            )
            .here("not an `http:` URI")
            .help("use a URI such as `http://api.hdfs.marathon.l4lb.thisdcos.directory/v1/endpoints`"),
        );
    }
}

fn importable(name: &str) -> bool {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    name.bytes().next().is_some_and(|b| !b.is_ascii_digit()) && name.bytes().all(word)
}

/// Returns whether a path is relative and stays inside the archive.
pub fn is_inside(path: &str) -> bool {
    !path.starts_with('/') && !path.split('/').any(|step| matches!(step, "" | "." | ".."))
}
