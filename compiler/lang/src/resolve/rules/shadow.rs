//! References to a variable of the container by a name that the job itself sets for the program.
use super::Job;
use super::environment::{Ours, owner_of};
use crate::codes::SHADOWED_VARIABLE;
use crate::diagnostic::{Diagnostic, Fix, Premise};
use crate::plan::{Command, Part, Role, RoleKind, TaskRef, Template};

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    for (_, role) in job.roles() {
        let ours = Ours::of(job, role);
        let argv = match &role.command {
            Command::Run(argv) => argv.as_slice(),
            // The shell has the program's own variables.
            Command::Shell(_) => &[],
        };
        for text in argv.iter().chain(&role.workdir) {
            shadowed(text, role, None, out);
            generated(text, &ours, None, out);
        }
        for (name, value) in &role.env {
            shadowed(value, role, Some(&name.value), out);
            generated(value, &ours, Some(&name.value), out);
        }
    }
}

/// Each `{env.X}` of a text where the role sets X; in X's own value it is the one way to what X was.
fn shadowed(text: &Template, role: &Role, own: Option<&str>, out: &mut Vec<Diagnostic>) {
    for part in &text.parts {
        let Part::Task(TaskRef::Env(name), at) = part else { continue };
        let set = role.env.iter().find(|(set, _)| set.value == *name && own != Some(name));
        let Some((set, _)) = set else { continue };
        let fact = format!("`{{env.{name}}}` is what image and platform set, and not this job's `{name}`");
        out.push(
            Diagnostic::new(&SHADOWED_VARIABLE, *at, fact)
                // A bare `$X` is read as `{env.X}`, and is an error already.
                .given(Premise::Correct(*at))
                .here("empty where they set none")
                .label(set.span, "set for the program alone")
                .help(format!(
                    "write the value in both, or name it once: `param`; in `shell`, `${name}` is it"
                )),
        );
    }
}

/// Each `{env.X}` of a text where X is set for each task when its program starts, after the texts of the job.
/// A helper gets nothing of the framework.
fn generated(text: &Template, ours: &Ours<'_>, own: Option<&str>, out: &mut Vec<Diagnostic>) {
    if ours.role.kind == RoleKind::Helper {
        return;
    }
    for part in &text.parts {
        let Part::Task(TaskRef::Env(name), at) = part else { continue };
        let Some(owner) = owner_of(name, ours.job).filter(|_| own != Some(name)) else { continue };
        let fact = format!(
            "`{{env.{name}}}` is what image and platform set, and not the `{name}` that `{owner}` sets"
        );
        let told = Diagnostic::new(&SHADOWED_VARIABLE, *at, fact)
            .given(Premise::Correct(*at))
            .here("empty where they set none");
        out.push(match ours.reference(name) {
            Some(reference) => told
                .help(format!("the reference `{reference}` has the value of `{name}`"))
                .suggest(Fix::edit(format!("write `{reference}`"), *at, reference)),
            None => {
                told.help(format!("write the command as `shell \"…\"`: there `${name}` is the program's own"))
            }
        });
    }
}
