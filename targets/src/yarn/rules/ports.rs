//! Ports of the node's own network that several tasks listen on.
use crate::codes::PORT_CONFLICT;
use crate::rendezvous;
use crate::yarn::context::Context;
use crate::yarn::support::placement::missing;
use std::collections::{BTreeMap, BTreeSet};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::{Port, RoleId, RoleKind};
use tfjob_lang::requirement::{Job, Placement, Requirement};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::Spread;

/// Two tasks on one node cannot listen on one port, and nothing keeps them apart. Said once: it is true of the network.
pub fn judge(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    // Nobody stands for the TensorBoard.
    let mut taken: BTreeMap<u16, Option<RoleId>> = BTreeMap::new();
    taken.extend(board(context).map(|number| (number, None)));
    let mut first: Option<(Span, String)> = None;
    let mut ways = Ways { used: numbers(context), ports: Vec::new(), spread: Vec::new() };
    for (id, port, number) in listening(context) {
        let name = &context.role(id).name.value;
        let other = *taken.entry(number).or_insert(Some(id));
        let fact = if other != Some(id) {
            ways.moved(context, id, port);
            let (other, one) = match other {
                None => ("TensorBoard".to_owned(), "a task"),
                Some(other) => (format!("a task of `{}`", context.role(other).name.value), "one"),
            };
            format!(
                "{other} and {one} of `{name}` may run on one node, where only one of them gets port {number}"
            )
        } else if context.role(id).count.value > 1 && !apart(context, id) {
            format!("two tasks of `{name}` may run on one node, where only one of them gets port {number}")
        } else {
            continue;
        };
        first.get_or_insert((port.name.span, fact));
    }
    let Some((at, fact)) = first else { return };
    let shared = listening(context)
        .map(|(id, ..)| id)
        .filter(|id| context.role(*id).count.value > 1 && !apart(context, *id));
    ways.spread = shared.collect::<BTreeSet<_>>().into_iter().map(|id| place(context, id)).collect();
    out.push(
        Diagnostic::new(&PORT_CONFLICT, at, fact)
            .here("listens on the node's own network")
            .help(ways.help(context)),
    );
}

/// The ports of fixed number that tasks of a role take from their node.
fn listening<'a>(context: &'a Context<'_>) -> impl Iterator<Item = (RoleId, &'a Port, u16)> {
    let roles = (0..context.plan.roles.len()).filter(|id| context.shares_ports(*id));
    roles.flat_map(|id| context.role(id).ports.iter().map(move |port| (id, port))).filter_map(|(id, port)| {
        // A task that never listens takes no port: one that is alone has no rendezvous, unless its texts make one.
        let listens =
            port.name.value != "rendezvous" || context.plan.meets() || rendezvous::is_used(context.plan, id);
        Some((id, port, port.number.filter(|_| listens)?))
    })
}

/// The port that the TensorBoard takes from its node.
fn board(context: &Context<'_>) -> Option<u16> {
    let board = context.plan.requirements.iter().find_map(|required| {
        let Requirement::Job(Job::Tensorboard(board)) = &required.requirement else { return None };
        Some(board)
    })?;
    (board.image.is_none() || context.network().is_none()).then_some(board.port)
}

fn apart(context: &Context<'_>, id: RoleId) -> bool {
    context.requirements(
        |requirement| matches!(requirement, Requirement::Placement(Placement::Spread { role, spread: Spread::Host }) if *role == id),
    )
}

fn numbers(context: &Context<'_>) -> BTreeSet<u16> {
    let ports = context.plan.roles.iter().flat_map(|role| &role.ports).filter_map(|port| port.number);
    ports.chain(board(context)).collect()
}

/// The entry of a role, as a help names it.
fn place(context: &Context<'_>, id: RoleId) -> String {
    let role = context.role(id);
    let node = if role.kind == RoleKind::Helper { "helper" } else { "role" };
    format!("`{node} \"{}\"`", role.name.value)
}

/// What keeps tasks from one port without a network of containers.
struct Ways {
    used: BTreeSet<u16>,
    /// `` `port "rendezvous" 2223` in `role "worker"` ``.
    ports: Vec<String>,
    /// `` `role "worker"` ``.
    spread: Vec<String>,
}

impl Ways {
    /// Gives a port of a role a number that nothing else has.
    fn moved(&mut self, context: &Context<'_>, id: RoleId, port: &Port) {
        let above = port.number.unwrap_or(1024).max(1024)..=u16::MAX;
        let Some(free) = above.chain(1024..=u16::MAX).find(|number| !self.used.contains(number)) else {
            return;
        };
        self.used.insert(free);
        self.ports.push(format!("`port \"{}\" {free}` in {}", port.name.value, place(context, id)));
    }

    fn help(&self, context: &Context<'_>) -> String {
        let mut ways = self.ports.clone();
        if !self.spread.is_empty() {
            let mut way = format!("`placement {{ spread \"host\"; }}` in {}", self.spread.join(" and "));
            if let Some(options) = missing(context) {
                way.push_str(&format!(", which needs {options}"));
            }
            ways.push(way);
        }
        let here = ways.join(", ");
        if context.network().is_some() {
            return format!("write {here}");
        }
        if context.plan.roles.iter().any(|role| role.image.is_none()) {
            return format!(
                "write {here}; a container `network`, which gives each task an address, needs an `image` for each role"
            );
        }
        format!(
            "name a container network that gives each task an address: `network \"…\"`; or keep the ports apart: {here}"
        )
    }
}
