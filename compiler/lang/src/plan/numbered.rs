//! Replaces `{port.rendezvous}` by the port number. Some platforms choose a free port for each task at startup, so the
//! reference stays in the plan until the target is known.
use super::{Command, Part, Plan, Role, RoleId, TaskRef, Template};
use crate::requirement::{Program, Requirement};
use std::borrow::Cow;

/// Name of the rendezvous port.
const CLUSTER: &str = "rendezvous";

impl Plan {
    /// Returns the plan with each `{port.rendezvous}` replaced by the number, except in roles for which `free` is true: their
    /// tasks get a free port at startup.
    #[must_use]
    pub fn numbered(&self, free: impl Fn(RoleId) -> bool) -> Cow<'_, Self> {
        let number = |(id, role): (RoleId, &Role)| {
            let port = role.ports.iter().find(|port| port.name.value == CLUSTER)?;
            port.number.filter(|_| names_port(role) && !free(id))
        };
        let fixed: Vec<Option<u16>> = self.roles.iter().enumerate().map(number).collect();
        if fixed.iter().all(Option::is_none) {
            return Cow::Borrowed(self);
        }
        let mut plan = self.clone();
        for (role, number) in plan.roles.iter_mut().zip(&fixed) {
            let Some(number) = number else { continue };
            if let Command::Run(argv) = &mut role.command {
                argv.iter_mut().for_each(|text| text.number(*number));
            }
            let env = role.env.iter_mut().map(|(_, value)| value);
            env.chain(&mut role.workdir).for_each(|text| text.number(*number));
        }
        for required in &mut plan.requirements {
            if let Requirement::Program(Program::Run { role, argv }) = &mut required.requirement
                && let Some(number) = fixed[*role]
            {
                argv.iter_mut().for_each(|text| text.number(number));
            }
            if let Requirement::Program(
                Program::Workdir { role, path: text } | Program::Env { role, value: text, .. },
            ) = &mut required.requirement
                && let Some(number) = fixed[*role]
            {
                text.number(number);
            }
        }
        Cow::Owned(plan)
    }
}

impl Role {
    /// Returns whether the spec passes the rendezvous port to the program: as `{port.rendezvous}`, or as `TFJOB_PORT_RENDEZVOUS`
    /// in a `shell` script.
    #[must_use]
    pub fn is_told_port(&self) -> bool {
        let shell = match &self.command {
            Command::Run(_) => "",
            Command::Shell(text) => &text.value,
        };
        names_port(self) || shell.contains("TFJOB_PORT_RENDEZVOUS")
    }
}

/// Returns whether an argument, an environment variable, or the working directory of the role contains `{port.rendezvous}`.
fn names_port(role: &Role) -> bool {
    let argv = match &role.command {
        Command::Run(argv) => argv.as_slice(),
        Command::Shell(_) => &[],
    };
    let mut texts = argv.iter().chain(&role.workdir).chain(role.env.iter().map(|(_, value)| value));
    texts.any(|text| text.parts.iter().any(is_cluster))
}

fn is_cluster(part: &Part) -> bool {
    matches!(part, Part::Task(TaskRef::Port(name), _) if name == CLUSTER)
}

impl Template {
    /// Replaces `{port.rendezvous}` in this text by the port number.
    fn number(&mut self, number: u16) {
        if !self.parts.iter().any(is_cluster) {
            return;
        }
        let mut parts: Vec<Part> = Vec::with_capacity(self.parts.len());
        for part in self.parts.drain(..) {
            let part = if is_cluster(&part) { Part::Text(number.to_string()) } else { part };
            match (parts.last_mut(), part) {
                (Some(Part::Text(last)), Part::Text(text)) => last.push_str(&text),
                (_, part) => parts.push(part),
            }
        }
        self.parts = parts;
    }
}
