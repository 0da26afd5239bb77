//! Checks that concern several requirements: ignored options, the URI of the shim, and texts that are too long for Linux.
mod gpus;
mod length;

use super::Marathon;
use super::mechanism::WRITTEN_IN;
use super::support::storage::fetch::fetch_fault;
use crate::codes::MISSING_OPTION;
use crate::dcos::context::Context;
use crate::dcos::marathon::support::Support;
use crate::dcos::{Dcos, rules};
use crate::delivered::{self, Start};
use crate::shim_source::{self, ShimSource};
use tfjob_lang::codes::{BAD_OPTION, TEXT_TOO_LONG, UNUSED_OPTION};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::Plan;
use tfjob_lang::target::{Site, SupportTable, Target, concerns};

/// Returns the diagnostics of all checks in this module.
pub fn judge(plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    out.extend(crate::helper_environment::missing_secrets(Dcos::NAME, plan, false));
    out.extend(delivered::judge(Dcos::NAME, plan, Start::Image, &[], "https://example.com/job.zip"));
    out.extend(delivered::alone(Dcos::NAME, plan, &[]));
    out.extend(delivered::board(Dcos::NAME, plan, delivered::Files::None));
    out.extend(gpus::unplaced(plan, site));
    rules::service_group(&site.job, &mut out);
    shim_source::judge(Dcos::NAME, site.job.shim.as_ref(), &[NO_PATH, NO_IMAGE], false, &mut out);
    apps(plan, site, &mut out);
    out
}

/// Texts of the error for `shim path=…`, which Marathon apps do not support: agents download the shim into the sandbox.
const NO_PATH: shim_source::Missing = shim_source::Missing {
    property: shim_source::Property::Path,
    why: "agents download the shim into the sandbox of each task",
    help: "write `shim url=\"https://files.example.com/tfjob-shim\"`, with a URI that agents can download",
};

/// Texts of the error for `shim image=…`, which this target does not support.
const NO_IMAGE: shim_source::Missing = shim_source::Missing {
    property: shim_source::Property::Image,
    why: shim_source::NO_PODS,
    help: NO_PATH.help,
};

/// Warns of options that Marathon apps ignore.
pub fn unread(site: &Site<Dcos>) -> Vec<Diagnostic> {
    let help = "remove this option, or use `as \"package\"`";
    let mut out = rules::unread(site.job.unshared().package, "Marathon apps", help);
    for disk in site.roles.iter().filter_map(|role| role.disk_type.as_ref()) {
        out.push(
            Diagnostic::new(&UNUSED_OPTION, disk.span, "dcos: Marathon apps ignore `disk-type`")
                .here("ignored")
                .help(help),
        );
    }
    out
}

/// Checks that the URI of the shim is set if a task needs the shim. Also checks that no command or contract is too long for Linux.
fn apps(plan: &Plan, site: &Site<Dcos>, out: &mut Vec<Diagnostic>) {
    // The length is checked only if all requirements are supported.
    let (mut mechanism, mut complete) = (Vec::new(), true);
    for required in plan.requirements.iter().filter(|a| concerns(&a.requirement, Dcos::NAME)) {
        match Marathon::lookup(&required.requirement, &Context { plan, site }) {
            Support::Native(m) | Support::Emulated(m, _) => mechanism.push((required.at, m)),
            Support::Inherent { .. } | Support::Ignored(_) => {}
            Support::Unsupported(refusal) => complete &= refusal.allowable,
        }
    }
    let source = ShimSource::url(site.job.shim.as_ref());
    if let Some((uri, fault)) = source.and_then(|uri| Some((uri, fetch_fault(&uri.value)?))) {
        let fact = format!("dcos: agents cannot download the shim: {fault}");
        out.push(
            Diagnostic::new(&BAD_OPTION, uri.span, fact)
                .here("cannot be downloaded")
                .help("put `tfjob-shim` on a web server or into HDFS, and use that URI"),
        );
    }
    if site.job.shim.is_none() {
        let duty = mechanism.iter().find_map(|(at, m)| Some((*at, m.duty()?.to_owned())));
        let many = plan.roles.iter().max_by_key(|r| r.count.value).filter(|_| plan.tasks() > WRITTEN_IN);
        let many = many.map(|role| (role.count.span, format!("a job with more than {WRITTEN_IN} tasks")));
        if let Some((at, what)) = duty.or(many) {
            out.push(
                Diagnostic::new(&MISSING_OPTION, at, format!("dcos: {what} needs `tfjob-shim`, but `shim` is not set"))
                    .here("needs the shim")
                    .help("put `tfjob-shim` on a web server and add `shim url=\"https://files.example.com/tfjob-shim\"` to `target \"dcos\"`"),
            );
            return;
        }
    }
    if !complete {
        return;
    }
    let all = mechanism.iter().map(|(at, mechanism)| (*at, mechanism));
    for (at, fault) in length::too_long(plan, site, all) {
        out.push(
            Diagnostic::new(&TEXT_TOO_LONG, at, format!("dcos: {fault}"))
                .here("a task of this role would not start")
                .help(tfjob_lang::target::length::shorter(&fault)),
        );
    }
}
