//! Reports `{env.NAME}` references to environment variables that the job or tfjob sets for the program.
use super::Job;
use super::environment::{ReferenceVariables, generator};
use crate::codes::SHADOWED_VARIABLE;
use crate::diagnostic::{Diagnostic, Fix, Premise};
use crate::plan::{Command, Part, Role, RoleKind, TaskRef, Template};

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    for (_, role) in job.roles() {
        let variables = ReferenceVariables::new(job, role);
        let argv = match &role.command {
            Command::Run(argv) => argv.as_slice(),
            // A `shell` script is not checked here: its shell reads the environment variables that the program gets.
            Command::Shell(_) => &[],
        };
        for text in argv.iter().chain(&role.workdir) {
            shadowed(text, role, None, out);
            generated(text, &variables, None, out);
        }
        for (name, value) in &role.env {
            shadowed(value, role, Some(&name.value), out);
            generated(value, &variables, Some(&name.value), out);
        }
    }
}

/// Reports each `{env.X}` if the role sets X. The value of X itself may contain `{env.X}`, to extend the value of X in the
/// container environment.
fn shadowed(text: &Template, role: &Role, variable: Option<&str>, out: &mut Vec<Diagnostic>) {
    for part in &text.parts {
        let Part::Task(TaskRef::Env(name), at) = part else { continue };
        let set = role.env.iter().find(|(set, _)| set.value == *name && variable != Some(name));
        let Some((set, _)) = set else { continue };
        let fact =
            format!("`{{env.{name}}}` reads the container environment, not the `{name}` set in this spec");
        out.push(
            Diagnostic::new(&SHADOWED_VARIABLE, *at, fact)
                // An unquoted `$X` is reported as an error, and parsed as `{env.X}`. This premise drops the second finding about
                // the same `$X`.
                .given(Premise::Correct(*at))
                .here(EMPTY)
                .label(set.span, "set here, for the program only")
                .help(format!(
                    "do one of these: (1) write the value here too; (2) define a `param`, and reference it both here and in the value of `{name}`; (3) in `run`: use `shell` instead, and `${name}` in the script"
                )),
        );
    }
}

const EMPTY: &str = "empty unless the image or platform sets it";

/// Reports each `{env.X}` if X is generated at program start, because references are expanded earlier. Reports nothing in a helper,
/// because a helper gets no environment variables of the framework.
fn generated(
    text: &Template,
    variables: &ReferenceVariables<'_>,
    variable: Option<&str>,
    out: &mut Vec<Diagnostic>,
) {
    if variables.role.kind == RoleKind::Helper {
        return;
    }
    for part in &text.parts {
        let Part::Task(TaskRef::Env(name), at) = part else { continue };
        let Some(owner) = generator(name, variables.job).filter(|_| variable != Some(name)) else { continue };
        let fact = format!(
            "`{{env.{name}}}` reads the container environment, but `{owner}` sets `{name}` later, at program start"
        );
        let diagnostic =
            Diagnostic::new(&SHADOWED_VARIABLE, *at, fact).given(Premise::Correct(*at)).here(EMPTY);
        out.push(match variables.reference(name) {
            Some(reference) => diagnostic
                .help(format!("write `{reference}`, which has the value of `{name}`"))
                .suggest(Fix::edit(format!("write `{reference}`"), *at, reference)),
            None => diagnostic.help(match variable {
                Some(variable) => format!("set `{variable}` in a `shell` script, which can read `${name}`"),
                None => format!("write the command in `shell \"…\"`, which can read `${name}`"),
            }),
        });
    }
}
