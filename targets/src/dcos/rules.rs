//! What no single ask can see: options that the form does not read, or that it needs, and texts that Linux cannot pass.
use super::marathon::published;
use super::options::{Form, Options};
use super::{Dcos, Means, form, marathon, package};
use crate::codes::MISSING_OPTION;
use crate::delivered::Start;
use crate::{delivered, patch};
use tfjob_lang::ask::{Ask, Identity, Job};
use tfjob_lang::codes::{BAD_OPTION, IDLE_OPTION, LONG_TEXT};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::Plan;
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::{Class, Uri};
use tfjob_lang::target::{Answer, Site, Target, concerns, is_true};

/// Every fault.
pub(super) fn judge(target: &Dcos, plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    aged(&site.job, &mut out);
    idle(plan, site, &mut out);
    patched(plan, site, &mut out);
    match form(site) {
        Form::Package => {
            folder(&site.job, &mut out);
            whole(plan, site, &mut out);
        }
        Form::Marathon => {
            out.extend(crate::beside::lone_secrets(Dcos::NAME, plan));
            out.extend(delivered::judge(Dcos::NAME, plan, Start::Image, &[], "https://example.com/job.zip"));
            out.extend(delivered::alone(Dcos::NAME, plan, &[]));
            out.extend(delivered::board(Dcos::NAME, plan, delivered::Files::None));
            out.extend(marathon::wasted(plan, site));
            folder(&site.job, &mut out);
            apps(target, plan, site, &mut out);
        }
    }
    out
}

/// Marathon before 1.5, in DC/OS 1.9, drops `networks` without a word: its types have no such field.
fn aged(job: &Options, out: &mut Vec<Diagnostic>) {
    let Some(version) = job.version.as_ref().filter(|version| !version.value.at_least((1, 10))) else {
        return;
    };
    out.push(
        Diagnostic::new(&BAD_OPTION, version.span, "dcos: the oldest version that is supported is 1.10")
            .here("not supported")
            .help("if the cluster is newer, write its version, such as `version \"2.1\"`"),
    );
}

/// An option of the other form would be lost without a word.
fn idle(plan: &Plan, site: &Site<Dcos>, out: &mut Vec<Diagnostic>) {
    let Options {
        r#as: _,
        version: _,
        enterprise: _,
        group: _,
        module,
        job_path,
        hdfs_config,
        gcs_key_secret,
        region,
        service_account,
        kdc,
        shim,
        gpu_model_attribute,
        patch: _,
    } = &site.job;
    let span = |name: &'static str, at: Option<Span>| at.map(|at| (name, at));
    let packaged = [
        span("module", module.as_ref().map(|o| o.span)),
        span("job-path", job_path.as_ref().map(|o| o.span)),
        span("hdfs-config", hdfs_config.as_ref().map(|o| o.span)),
        span("gcs-key-secret", gcs_key_secret.as_ref().map(|o| o.span)),
        span("region", region.as_ref().map(|o| o.span)),
        span("service-account", service_account.as_ref().map(|o| o.span)),
        span("kdc", kdc.as_ref().map(|o| o.span)),
    ];
    let marathon = [
        span("shim", shim.as_ref().map(|o| o.span)),
        span("gpu-model-attribute", gpu_model_attribute.as_ref().map(|o| o.span)),
    ];
    let form = form(site);
    let (lost, why, help) = match form {
        Form::Package => (marathon.to_vec(), "the package", "remove it, or write `as \"marathon\"`"),
        Form::Marathon => (packaged.to_vec(), "Marathon", "remove it, or write `as \"package\"`"),
    };
    for (name, at) in lost.into_iter().flatten() {
        out.push(
            Diagnostic::new(&IDLE_OPTION, at, format!("dcos: {why} has no use for `{name}`"))
                .here("never read")
                .help(help),
        );
    }
    let disks = site.roles.iter().filter_map(|role| role.disk_type.as_ref());
    for disk in disks.filter(|_| form == Form::Marathon) {
        out.push(
            Diagnostic::new(&IDLE_OPTION, disk.span, "dcos: Marathon has no use for `disk-type`")
                .here("never read")
                .help(help),
        );
    }
    let kerberos = plan.asks.iter().any(|a| matches!(a.ask, Ask::Identity(Identity::Kerberos { .. })));
    if let Some(kdc) = kdc.as_ref().filter(|_| form == Form::Package && !kerberos) {
        out.push(
            Diagnostic::new(&IDLE_OPTION, kdc.span, "dcos: nothing in this job asks for Kerberos")
                .here("never used")
                .help("remove it, or add `kerberos principal=\"NAME@REALM\" keytab=\"secret:KEYTAB\"`"),
        );
    }
}

/// The user's own words must fit what they are merged into.
fn patched(plan: &Plan, site: &Site<Dcos>, out: &mut Vec<Diagnostic>) {
    for asked in plan.asks.iter().filter(|a| concerns(&a.ask, Dcos::NAME)) {
        let Ask::Job(Job::Patch { target: _, role, text }) = &asked.ask else { continue };
        match form(site) {
            Form::Package => {
                let schema = package::patch_schema(plan, *role);
                out.extend(patch::judge(Dcos::NAME, &schema, super::patched::package, text, asked.at));
            }
            Form::Marathon => {
                let rules = patch::Rules {
                    target: Dcos::NAME,
                    root: if role.is_some() { &published::APP } else { &published::GROUP },
                    rule: &super::patched::marathon,
                    validator: ("Marathon", "compare it with the documentation of the cluster's Marathon"),
                };
                out.extend(patch::check(&rules, text, asked.at));
            }
        }
    }
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
        if !package::is_inside(path) {
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
        } else if !job.version.as_ref().is_some_and(|v| v.value.at_least((1, 11))) {
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

/// The folder of services: each step becomes a part of each task's name.
fn folder(job: &Options, out: &mut Vec<Diagnostic>) {
    let Some(group) = &job.group else { return };
    let path = group.value.as_str();
    if !marathon::is_folder(path) {
        out.push(
            Diagnostic::new(
                &BAD_OPTION,
                group.span,
                format!("dcos: `{}` is no folder of services", path.escape_debug()),
            )
            .here("no path that Marathon takes")
            .help("steps of `a` to `z`, digits and inner `-`, such as `/ml/vision`"),
        );
    }
}

/// The shim where a task needs it, and texts that fit.
fn apps(target: &Dcos, plan: &Plan, site: &Site<Dcos>, out: &mut Vec<Diagnostic>) {
    // What is not there cannot be too long.
    let (mut means, mut whole) = (Vec::new(), true);
    for asked in plan.asks.iter().filter(|a| concerns(&a.ask, Dcos::NAME)) {
        match target.answer(&asked.ask, &(plan, site)) {
            Answer::Native(Means::Marathon(m)) | Answer::Emulated(Means::Marathon(m), _) => {
                means.push((asked.at, m))
            }
            Answer::Native(Means::Package(_))
            | Answer::Emulated(Means::Package(_), _)
            | Answer::Ignored(_) => {}
            Answer::Refused(refusal) => whole &= refusal.bearable,
        }
    }
    if let Some(uri) = site.job.shim.as_ref().filter(|uri| !marathon::is_fetched(&uri.value)) {
        out.push(
            Diagnostic::new(&BAD_OPTION, uri.span, "dcos: agents cannot fetch the shim from there")
                .here("not fetched")
                .help("put it on a web server or into HDFS; a uri has at most 1024 characters, and no `\\` or `'`"),
        );
    }
    if site.job.shim.is_none() {
        let duty = means.iter().find(|(_, m)| m.is_duty()).map(|(at, _)| (*at, "only the shim can do this"));
        let many =
            plan.roles.iter().max_by_key(|r| r.count.value).filter(|_| plan.tasks() > marathon::WRITTEN_IN);
        let many = many.map(|role| (role.count.span, "so many tasks find each other through the shim only"));
        if let Some((at, why)) = duty.or(many) {
            out.push(
                Diagnostic::new(&MISSING_OPTION, at, format!("dcos: {why}, and agents must fetch it somewhere"))
                    .here("needs the shim")
                    .help("put `tfjob-shim` on a web server and add `shim \"https://…/tfjob-shim\"` to `target \"dcos\"`"),
            );
            return;
        }
    }
    if !whole {
        return;
    }
    let all = means.iter().map(|(at, means)| (*at, means));
    for (at, fault) in marathon::too_long(plan, site, all) {
        out.push(
            Diagnostic::new(&LONG_TEXT, at, format!("dcos: {fault}"))
                .here("too long")
                .help("fewer tasks, shorter names, or a file in `code`"),
        );
    }
}
