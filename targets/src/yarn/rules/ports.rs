//! Checks for port conflicts between tasks that share the network of a node.
use crate::codes::PORT_CONFLICT;
use crate::rendezvous::Uses;
use crate::yarn::Yarn;
use crate::yarn::context::Context;
use crate::yarn::support::placement::missing_options;
use std::collections::{BTreeMap, BTreeSet};
use tfjob_contract::RENDEZVOUS;
use tfjob_lang::diagnostic::{Diagnostic, Step};
use tfjob_lang::plan::{Port, RoleId, RoleKind};
use tfjob_lang::requirement::{Feature, Job, Lifecycle, Placement, Required, Requirement};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::{Spread, When};
use tfjob_lang::target::Target;

/// Warns if two tasks that use the same port may run on the same node. There is at most one warning per job.
pub fn judge(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    // `taken`: for each port, the roles that use it. `clashes`: for each port, the roles that may use it at the same time. `None`
    // stands for TensorBoard.
    let mut taken: BTreeMap<u16, Vec<Option<RoleId>>> = BTreeMap::new();
    let mut clashes: BTreeMap<u16, Vec<Option<RoleId>>> = BTreeMap::new();
    taken.extend(board(context).map(|number| (number, vec![None])));
    let mut first: Option<(Span, u16)> = None;
    let mut fixes = Alternatives { used: numbers(context), ports: Vec::new(), spread: Vec::new() };
    let spread_roles = spread_roles(context);
    for (id, port, number) in listening(context) {
        let users = taken.entry(number).or_default();
        let mut together = users.clone();
        together.retain(|other| other.is_none_or(|other| !take_turns(context, id, other)));
        users.push(Some(id));
        if !together.is_empty() {
            fixes.moved(context, id, port);
        } else if context.role(id).count.value <= 1 || spread_roles.contains(&id) {
            continue;
        }
        together.push(Some(id));
        let clash = clashes.entry(number).or_default();
        together.retain(|user| !clash.contains(user));
        clash.extend(together);
        first.get_or_insert((port.name.span, number));
    }
    let Some((at, number)) = first else { return };
    let fact = fact(context, &clashes[&number], number);
    let shared = listening(context)
        .map(|(id, ..)| id)
        .filter(|id| context.role(*id).count.value > 1 && !spread_roles.contains(id));
    let shared: BTreeSet<RoleId> = shared.collect();
    fixes.spread = shared.iter().map(|id| spread(context, *id)).collect();
    let found =
        Diagnostic::new(&PORT_CONFLICT, at, fact).here("uses the node's network").help(fixes.help(context));
    out.push(fixes.remedy(context, &shared).into_iter().fold(found, Diagnostic::remedy));
}

/// Returns whether one of two roles starts only after the other one has finished. The service master does not support this order.
/// If an `allow` of the job accepts that, both roles start at the same time, and the result is `false`.
fn take_turns(context: &Context<'_>, one: RoleId, other: RoleId) -> bool {
    let is_allowed = context.plan.allows.iter().any(|allow| {
        allow.feature.value == Feature::After.name()
            && allow.on.as_ref().is_none_or(|on| on.value == Yarn::NAME)
    });
    !is_allowed && (starts_after_end(context, one, other) || starts_after_end(context, other, one))
}

/// Returns whether `role` starts only after `first` has finished, either directly or because of the roles for which `role` waits.
fn starts_after_end(context: &Context<'_>, role: RoleId, first: RoleId) -> bool {
    let (mut open, mut seen) = (vec![role], BTreeSet::new());
    while let Some(waiting) = open.pop() {
        if !seen.insert(waiting) {
            continue;
        }
        for required in &context.plan.requirements {
            let Requirement::Lifecycle(Lifecycle::After { role, first: before, when }) =
                &required.requirement
            else {
                continue;
            };
            if *role != waiting {
                continue;
            }
            if *before == first && *when == When::Done {
                return true;
            }
            open.push(*before);
        }
    }
    false
}

/// Returns the message that names the roles that may use a port at the same time.
fn fact(context: &Context<'_>, users: &[Option<RoleId>], number: u16) -> String {
    let names: Vec<String> =
        users.iter().flatten().map(|id| format!("`{}`", context.role(*id).name.value)).collect();
    let board = users.contains(&None);
    let who = match names.as_slice() {
        [name] if !board => {
            return format!("yarn: two tasks of {name} may run on the same node and both bind port {number}");
        }
        [name] => name.clone(),
        [first, last] => format!("{first} and {last}"),
        [rest @ .., last] => format!("{}, and {last}", rest.join(", ")),
        [] => String::new(),
    };
    let board = if board { "TensorBoard and " } else { "" };
    format!("yarn: {board}tasks of {who} may run on the same node, where all of them bind port {number}")
}

/// Returns the fixed ports that tasks bind on the network of the node.
fn listening<'a>(context: &'a Context<'_>) -> impl Iterator<Item = (RoleId, &'a Port, u16)> {
    let uses = Uses::of(context.plan);
    let roles = (0..context.plan.roles.len()).filter(|id| context.shares_ports(*id));
    roles.flat_map(|id| context.role(id).ports.iter().map(move |port| (id, port))).filter_map(
        move |(id, port)| {
            // A single task has no peers. So it listens on its rendezvous port only if the job uses the port, for example in an
            // argument.
            let listens = || port.name.value != RENDEZVOUS || context.plan.meets() || uses.has(id);
            Some((id, port, port.number.filter(|_| listens())?))
        },
    )
}

/// Returns the port that TensorBoard binds on the network of the node, if any.
fn board(context: &Context<'_>) -> Option<u16> {
    let board = context.plan.requirements.iter().find_map(|required| {
        let Requirement::Job(Job::Tensorboard(board)) = &required.requirement else { return None };
        Some(board)
    })?;
    (board.image.is_none() || context.network().is_none()).then_some(board.port)
}

/// Returns the roles of which YARN puts each task on another node.
fn spread_roles(context: &Context<'_>) -> BTreeSet<RoleId> {
    let spread_role = |required: &Required| {
        let Requirement::Placement(Placement::Spread { role, spread: Spread::Host }) = &required.requirement
        else {
            return None;
        };
        Some(*role)
    };
    context.plan.requirements.iter().filter_map(spread_role).collect()
}

fn numbers(context: &Context<'_>) -> BTreeSet<u16> {
    let ports = context.plan.roles.iter().flat_map(|role| &role.ports).filter_map(|port| port.number);
    ports.chain(board(context)).collect()
}

/// Returns how a help names the entry of a role, such as `` `role "worker"` ``.
fn place(context: &Context<'_>, id: RoleId) -> String {
    let role = context.role(id);
    let node = if role.kind == RoleKind::Helper { "helper" } else { "role" };
    format!("`{node} \"{}\"`", role.name.value)
}

/// Returns whether a `placement` block applies to a role.
fn is_placed(context: &Context<'_>, id: RoleId) -> bool {
    context.requirements(
        |requirement| matches!(requirement, Requirement::Placement(Placement::Node { role, .. } | Placement::Partition { role, .. } | Placement::Spread { role, .. }) if *role == id),
    )
}

/// Returns the edit that spreads the tasks of a role over nodes. If a `placement` block already applies to the role, the edit
/// extends this block. A new block in the role would replace the block of the job.
fn spread(context: &Context<'_>, id: RoleId) -> String {
    match is_placed(context, id) {
        true => format!("`spread \"host\"` in the `placement` block for {}", place(context, id)),
        false => format!("`placement {{ spread \"host\"; }}` in {}", place(context, id)),
    }
}

/// Edits that the help suggests for a job without a container network.
struct Alternatives {
    used: BTreeSet<u16>,
    /// Edits that change a port, such as `` `port "rendezvous" 2223` in `role "worker"` ``.
    ports: Vec<String>,
    /// Edits that spread tasks over nodes, such as `` `placement { spread "host"; }` in `role "worker"` ``.
    spread: Vec<String>,
}

impl Alternatives {
    /// Adds the edit that gives a port of a role an unused number.
    fn moved(&mut self, context: &Context<'_>, id: RoleId, port: &Port) {
        let above = port.number.unwrap_or(1024).max(1024)..=u16::MAX;
        let Some(free) = above.chain(1024..=u16::MAX).find(|number| !self.used.contains(number)) else {
            return;
        };
        self.used.insert(free);
        self.ports.push(format!("`port \"{}\" {free}` in {}", port.name.value, place(context, id)));
    }

    /// Returns the edit of the finding, if a new `placement` block in its role is enough. `shared`: the roles to spread.
    fn remedy(&self, context: &Context<'_>, shared: &BTreeSet<RoleId>) -> Option<Step> {
        let only = shared.first().filter(|_| shared.len() == 1 && self.ports.is_empty())?;
        let is_enough = missing_options(context).is_none() && !is_placed(context, *only);
        is_enough.then(|| Step::add("placement { spread \"host\"; }"))
    }

    /// Returns the beginning of a help with several edits: what the edits do, such as "give each role its own port".
    fn purpose(&self) -> &'static str {
        match (self.ports.is_empty(), self.spread.len()) {
            (false, 0) => "give each role its own port",
            (false, _) => "give each role its own port, and put tasks of the same role on different hosts",
            (true, 1) => "put the tasks of this role on different hosts",
            (true, _) => "put tasks of the same role on different hosts",
        }
    }

    fn help(&self, context: &Context<'_>) -> String {
        let mut edits = self.ports.clone();
        edits.extend(self.spread.iter().cloned());
        let missing = missing_options(context).filter(|_| !self.spread.is_empty());
        let (condition, options) = missing.unzip();
        edits.extend(options);
        let edits = match edits.as_slice() {
            [edit] => format!("write {edit}"),
            [_, _] => format!("{}, with both of these edits: {}", self.purpose(), edits.join("; ")),
            _ => format!("{}, with all {} of these edits: {}", self.purpose(), edits.len(), edits.join("; ")),
        };
        let edits = format!("{}{edits}", condition.unwrap_or_default());
        if context.network().is_some() {
            return edits;
        }
        let network = if context.plan.roles.iter().any(|role| role.image.is_none()) {
            "set `network` in the job to a container network that gives each task its own IP address, and give each role an `image`, because only Docker containers can join this network"
        } else {
            "write `network \"…\"` in the job, with the name of a container network that gives each task its own IP address"
        };
        // If the spec has other targets, the help suggests other ports first: all targets accept them, but most do not support a
        // named network.
        if context.plan.targets.keys().any(|target| target != Yarn::NAME) {
            return format!("{edits}; or, in a spec for `yarn` only, {network}");
        }
        format!("do one of these: (1) {network}; (2) {edits}")
    }
}
