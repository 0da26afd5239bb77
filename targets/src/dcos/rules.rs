//! Checks that concern several requirements, in both forms: the DC/OS version, the service group, and patches.
use super::Dcos;
use super::form::Form;
use super::group;
use super::options::Options;
use tfjob_lang::codes::{BAD_OPTION, UNUSED_OPTION};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::escape::Escaped;
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Job, Requirement};
use tfjob_lang::sources::Span;
use tfjob_lang::target::{Site, Target, concerns};

/// Returns the diagnostics of all checks in this module.
pub fn judge(form: &dyn Form, plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    version(&site.job, &mut out);
    out.extend(form.unread(plan, site));
    patched(form, plan, &mut out);
    out.extend(form.rules(plan, site));
    out
}

/// Refuses a version that is too old. Marathon before 1.5, in DC/OS 1.9, silently drops the unknown field `networks`.
fn version(job: &Options, out: &mut Vec<Diagnostic>) {
    let Some(version) = job.too_old() else { return };
    out.push(
        Diagnostic::new(&BAD_OPTION, version.span, "dcos: DC/OS before 1.10 is not supported")
            .here("not supported")
            .help("if the cluster is newer, set its version, such as `version \"2.1\"`"),
    );
}

/// Warns of options that only the other form uses. `reader`: name of the selected form, which ignores these options silently.
pub fn unread(options: Vec<(&'static str, Span)>, reader: &str, help: &'static str) -> Vec<Diagnostic> {
    let warning = |(name, at): (&'static str, Span)| {
        Diagnostic::new(&UNUSED_OPTION, at, format!("dcos: {reader} ignore `{name}`"))
            .here("ignored")
            .help(help)
    };
    options.into_iter().map(warning).collect()
}

/// Checks each patch against the schema of the object into which it is merged.
fn patched(form: &dyn Form, plan: &Plan, out: &mut Vec<Diagnostic>) {
    for required in plan.requirements.iter().filter(|a| concerns(&a.requirement, Dcos::NAME)) {
        let Requirement::Job(Job::Patch { target: _, role, text }) = &required.requirement else { continue };
        out.extend(form.patched(plan, *role, text, required.at));
    }
}

/// Checks that the segments of `group` are DNS labels, because they become part of the DNS names of tasks.
pub fn service_group(job: &Options, out: &mut Vec<Diagnostic>) {
    let Some(group) = &job.group else { return };
    let path = group.value.as_str();
    if !group::is_folder(path) {
        out.push(
            Diagnostic::new(
                &BAD_OPTION,
                group.span,
                format!("dcos: `{}` is not a valid path of a service group", path.escaped()),
            )
            .here("rejected by Marathon")
            .help("use `/` and names of `a` to `z`, digits, and inner `-`, such as `/ml/vision`"),
        );
    }
}
