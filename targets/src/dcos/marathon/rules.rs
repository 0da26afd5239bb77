//! What no single requirement shows: options that Marathon does not read, the shim where a task needs it, and texts that Linux
//! cannot pass.
mod gpus;
mod length;

use super::Marathon;
use super::mechanism::WRITTEN_IN;
use super::support::storage::fetch::is_fetched;
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

/// Every fault.
pub fn judge(plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    out.extend(crate::helper_environment::lone_secrets(Dcos::NAME, plan));
    out.extend(delivered::judge(Dcos::NAME, plan, Start::Image, &[], "https://example.com/job.zip"));
    out.extend(delivered::alone(Dcos::NAME, plan, &[]));
    out.extend(delivered::board(Dcos::NAME, plan, delivered::Files::None));
    out.extend(gpus::wasted(plan, site));
    rules::folder(&site.job, &mut out);
    shim_source::judge(Dcos::NAME, site.job.shim.as_ref(), Some(NO_PATH), &mut out);
    apps(plan, site, &mut out);
    out
}

/// Agents fetch the shim as an artifact of the app.
const NO_PATH: shim_source::Missing = shim_source::Missing {
    property: "path",
    why: "agents download the shim into the sandbox of each task",
    help: "write `shim url=\"https://files.example.com/tfjob-shim\"`, with a URI that agents can download",
};

/// Options that Marathon never reads.
pub fn unread(site: &Site<Dcos>) -> Vec<Diagnostic> {
    let help = "remove it, or write `as \"package\"`";
    let mut out = rules::unread(site.job.unshared().package, "Marathon", help);
    for disk in site.roles.iter().filter_map(|role| role.disk_type.as_ref()) {
        out.push(
            Diagnostic::new(&UNUSED_OPTION, disk.span, "dcos: Marathon has no use for `disk-type`")
                .here("never read")
                .help(help),
        );
    }
    out
}

/// The shim where a task needs it, and texts that fit.
fn apps(plan: &Plan, site: &Site<Dcos>, out: &mut Vec<Diagnostic>) {
    // What is not there cannot be too long.
    let (mut mechanism, mut whole) = (Vec::new(), true);
    for required in plan.requirements.iter().filter(|a| concerns(&a.requirement, Dcos::NAME)) {
        match Marathon::lookup(&required.requirement, &Context { plan, site }) {
            Support::Native(m) | Support::Emulated(m, _) => mechanism.push((required.at, m)),
            Support::Inherent { .. } | Support::Ignored(_) => {}
            Support::Unsupported(refusal) => whole &= refusal.allowable,
        }
    }
    if let Some(uri) = ShimSource::url(site.job.shim.as_ref()).filter(|uri| !is_fetched(&uri.value)) {
        out.push(
            Diagnostic::new(&BAD_OPTION, uri.span, "dcos: agents cannot fetch the shim from there")
                .here("not fetched")
                .help("put it on a web server or into HDFS; a uri has at most 1024 characters, and no `\\` or `'`"),
        );
    }
    if site.job.shim.is_none() {
        let duty =
            mechanism.iter().find(|(_, m)| m.is_duty()).map(|(at, _)| (*at, "only the shim can do this"));
        let many = plan.roles.iter().max_by_key(|r| r.count.value).filter(|_| plan.tasks() > WRITTEN_IN);
        let many = many.map(|role| (role.count.span, "so many tasks find each other through the shim only"));
        if let Some((at, why)) = duty.or(many) {
            out.push(
                Diagnostic::new(&MISSING_OPTION, at, format!("dcos: {why}, and agents must fetch it somewhere"))
                    .here("needs the shim")
                    .help("put `tfjob-shim` on a web server and add `shim url=\"https://…/tfjob-shim\"` to `target \"dcos\"`"),
            );
            return;
        }
    }
    if !whole {
        return;
    }
    let all = mechanism.iter().map(|(at, mechanism)| (*at, mechanism));
    for (at, fault) in length::too_long(plan, site, all) {
        out.push(
            Diagnostic::new(&TEXT_TOO_LONG, at, format!("dcos: {fault}"))
                .here("too long")
                .help("fewer tasks, shorter names, or a file in `code`"),
        );
    }
}
