//! Warns of roles whose arguments or environment variables contain the number of the rendezvous port, although the platform picks a
//! free port for each task.
use crate::codes::PORT_CONFLICT;
use std::collections::BTreeSet;
use tfjob_contract::{RENDEZVOUS, variable};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::{Command, Part, Plan, Role, RoleId, TaskRef, Template};
use tfjob_lang::sources::Span;
use tfjob_lang::target::{Site, Target};

/// Warns of a role whose arguments or environment variables contain the number of its rendezvous port, if the target picks another
/// port.
pub fn judge<T: Target>(target: &T, plan: &Plan, site: &Site<T>) -> Vec<Diagnostic> {
    // A single task has no peers, so its rendezvous port is used only if a role refers to its address.
    if plan.rendezvous_tasks() <= 1 && !plan.roles.iter().any(looks) {
        return Vec::new();
    }
    let roles = plan.roles.iter().enumerate().filter(|(id, _)| target.finds_port(plan, site, *id));
    roles.filter_map(|(_, role)| fixed(T::NAME, role)).collect()
}

/// Returns the templates of a role: the arguments of `run`, the working directory, and the values of environment variables.
fn texts(role: &Role) -> impl Iterator<Item = &Template> {
    let argv = match &role.command {
        Command::Run(words) => words.as_slice(),
        Command::Shell(_) => &[],
    };
    argv.iter().chain(&role.workdir).chain(role.env.iter().map(|(_, value)| value))
}

/// Returns whether a role refers to addresses of tasks. An address contains the rendezvous port.
pub fn looks(role: &Role) -> bool {
    let address = |part: &Part| matches!(part, Part::Task(TaskRef::Addresses(_) | TaskRef::Address, _));
    let shell = matches!(&role.command, Command::Shell(text) if text.value.contains("TFJOB_ADDRESS"));
    shell || texts(role).any(|text| text.parts.iter().any(address))
}

/// Which roles have a rendezvous port that the job uses. The references of all roles are read once: a job may have thousands of roles.
pub struct Uses<'p> {
    plan: &'p Plan,
    /// The roles to whose addresses another role refers.
    referred: BTreeSet<RoleId>,
    /// The roles with a `shell` text.
    shells: Vec<&'p Role>,
}

impl<'p> Uses<'p> {
    /// Reads the references of all roles.
    pub fn of(plan: &'p Plan) -> Self {
        let parts = plan.roles.iter().flat_map(texts).flat_map(|text| &text.parts);
        let referred = parts.filter_map(|part| match part {
            Part::Task(TaskRef::Addresses(role), _) => Some(*role),
            Part::Text(_) | Part::Data(..) | Part::Task(..) => None,
        });
        let is_shell = |role: &&Role| matches!(role.command, Command::Shell(_));
        Self { plan, referred: referred.collect(), shells: plan.roles.iter().filter(is_shell).collect() }
    }

    /// Returns whether the job uses the rendezvous port of a role. It does if any role refers to the addresses of the tasks of `id`, or
    /// if `id` refers to its own address or port.
    pub fn has(&self, id: RoleId) -> bool {
        let role = &self.plan.roles[id];
        let own = |part: &Part| matches!(part, Part::Task(TaskRef::Address, _));
        let is_read = || {
            let list = variable(&["addresses", &role.name.value]);
            self.shells.iter().any(|shell| reads(shell, &list))
        };
        let mut numbers =
            role.ports.iter().filter(|port| port.name.value == RENDEZVOUS).filter_map(|p| p.number);
        self.referred.contains(&id)
            || !self.shells.is_empty() && is_read()
            || reads(role, "TFJOB_ADDRESS")
            || texts(role).any(|text| text.parts.iter().any(own))
            || role.is_told_port()
            // Instead of a reference, a text may contain the port number as digits.
            || numbers.any(|number| names(role, &number.to_string()).is_some())
    }
}

/// Returns whether the `shell` text of a role reads an environment variable.
fn reads(role: &Role, variable: &str) -> bool {
    let Command::Shell(text) = &role.command else { return false };
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    text.value.match_indices(variable).any(|(at, _)| ends(&text.value[at + variable.len()..]))
}

fn fixed(target: &str, role: &Role) -> Option<Diagnostic> {
    let port = role.ports.iter().find(|port| port.name.value == RENDEZVOUS)?;
    let number = port.number?;
    let (at, instead) = names(role, &number.to_string())?;
    let name = &role.name.value;
    let fact = format!(
        "{target}: each task of `{name}` gets a free rendezvous port, so peers do not connect to port {number}"
    );
    Some(
        Diagnostic::new(&PORT_CONFLICT, at, fact)
            .here(format!("contains {number}"))
            .label(port.name.span, "rendezvous port")
            .help(format!("if {number} is the rendezvous port, write `{instead}` instead")),
    )
}

/// Returns the span of the first text of a role that contains the number, and the reference that the role should contain instead.
/// `None` if no text contains the number.
pub fn names(role: &Role, number: &str) -> Option<(Span, &'static str)> {
    let shell = match &role.command {
        Command::Run(_) => None,
        Command::Shell(text) => Some(text),
    };
    let found = texts(role).find(|text| contains(text, number)).map(|text| (text.span, "{port.rendezvous}"));
    found.or_else(|| {
        let text = shell.filter(|text| holds(&text.value, number))?;
        Some((text.span, "$TFJOB_PORT_RENDEZVOUS"))
    })
}

fn contains(text: &Template, number: &str) -> bool {
    text.parts.iter().any(|part| match part {
        Part::Text(words) => holds(words, number),
        Part::Data(..) | Part::Task(..) => false,
    })
}

/// Returns whether a text contains a number that is not part of a longer number.
fn holds(text: &str, number: &str) -> bool {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    text.match_indices(number).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + number.len()..]);
        !digit(before.chars().next_back()) && !digit(after.chars().next())
    })
}
