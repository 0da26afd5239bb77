//! What no single requirement shows, in both forms: the version, the folder of services, and patches.
use super::Dcos;
use super::form::Form;
use super::group;
use super::options::Options;
use tfjob_lang::codes::{BAD_OPTION, UNUSED_OPTION};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Job, Requirement};
use tfjob_lang::sources::Span;
use tfjob_lang::target::{Site, Target, concerns};

/// Every fault.
pub fn judge(form: &dyn Form, plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    aged(&site.job, &mut out);
    out.extend(form.unread(plan, site));
    patched(form, plan, &mut out);
    out.extend(form.rules(plan, site));
    out
}

/// Marathon before 1.5, in DC/OS 1.9, drops `networks` without a word: its types have no such field.
fn aged(job: &Options, out: &mut Vec<Diagnostic>) {
    let Some(version) = job.too_old() else { return };
    out.push(
        Diagnostic::new(&BAD_OPTION, version.span, "dcos: the oldest version that is supported is 1.10")
            .here("not supported")
            .help("if the cluster is newer, write its version, such as `version \"2.1\"`"),
    );
}

/// Options of the other form, which `reader` ignores silently.
pub fn unread(options: Vec<(&'static str, Span)>, reader: &str, help: &'static str) -> Vec<Diagnostic> {
    let warning = |(name, at): (&'static str, Span)| {
        Diagnostic::new(&UNUSED_OPTION, at, format!("dcos: {reader} has no use for `{name}`"))
            .here("never read")
            .help(help)
    };
    options.into_iter().map(warning).collect()
}

/// The user's own words must fit what they are merged into.
fn patched(form: &dyn Form, plan: &Plan, out: &mut Vec<Diagnostic>) {
    for required in plan.requirements.iter().filter(|a| concerns(&a.requirement, Dcos::NAME)) {
        let Requirement::Job(Job::Patch { target: _, role, text }) = &required.requirement else { continue };
        out.extend(form.patched(plan, *role, text, required.at));
    }
}

/// The folder of services: each step becomes a part of each task's name.
pub fn folder(job: &Options, out: &mut Vec<Diagnostic>) {
    let Some(group) = &job.group else { return };
    let path = group.value.as_str();
    if !group::is_folder(path) {
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
