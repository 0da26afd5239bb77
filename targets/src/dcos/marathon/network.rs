//! Names and ports of the apps, on the host's network or one of containers.
use super::{Given, Means};
use crate::dcos::Dcos;
use crate::dcos::options::Form;
use crate::{names, rendezvous};
use tfjob_lang::ask::{self, Ask, Asked, Job, Lifecycle, Storage};
use tfjob_lang::cluster::demand::{Demand, Resource};
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::{PortNumber, Spread};
use tfjob_lang::target::{Answer, Site, Target};

/// The ports that agents offer unless their operator says otherwise; the gaps are DC/OS' own services.
const OFFERED: [(u16, u16); 6] =
    [(1025, 2180), (2182, 3887), (3889, 5049), (5052, 8079), (8082, 8180), (8182, 32000)];

/// The path of the job's group, such as `/ml/mnist`. A folder that is none is told by a rule, and left out here.
pub(in crate::dcos) fn group_path(plan: &Plan, site: &Site<Dcos>) -> String {
    let folder = site.job.group.as_ref().map_or("", |g| g.value.as_str());
    format!("{}/{}", if is_folder(folder) { folder } else { "" }, plan.name.value)
}

/// Whether a path is steps of labels, each of which becomes a part of each task's name.
pub(in crate::dcos) fn is_folder(path: &str) -> bool {
    let steps =
        path.strip_prefix('/').map(|rest| rest.split('/').all(|step| names::label_fault(step).is_none()));
    steps.unwrap_or(false)
}

/// The host of a task, with `{role}` and `{index}` where the shim reads it. Marathon names a task by the reversed steps of
/// its path with dots between (`PathId.scala`, `toHostname`). DC/OS makes one DNS label of that name: dots become dashes,
/// and it is cut after 63 characters (`mesos_state.erl`, `label`). The name has the agent's address on the host's network
/// and the container's own on another (`dcos_dns_mesos.erl`, `task_autoip`).
pub(super) fn host(task: &str, group: &str) -> String {
    let mut steps: Vec<&str> = group.split('/').filter(|step| !step.is_empty()).collect();
    steps.reverse();
    format!("{task}-{}.marathon.autoip.dcos.thisdcos.directory", steps.join("-"))
}

/// The hosts of all tasks. Dots become dashes, so a name does not say where its job and its folders begin: `b` in `/c-a` and
/// `b-c` in `/a` are one.
pub(in crate::dcos) fn hosts(plan: &Plan, site: &Site<Dcos>) -> Vec<String> {
    let group = group_path(plan, site);
    let tasks = plan
        .roles
        .iter()
        .flat_map(|role| (0..role.count.value).map(move |index| format!("{}-{index}", role.name.value)));
    tasks.map(|task| host(&task, &group)).collect()
}

/// The network of containers, if the job asks for one.
pub(super) fn containers(plan: &Plan) -> Option<&str> {
    plan.asks.iter().find_map(|asked| {
        let Ask::Network(ask::Network::Container(name)) = &asked.ask else { return None };
        Some(name.as_str())
    })
}

/// A network that is named by the user. Marathon 1.5 let go of `_`, and has it back since 1.5.2 (MARATHON-7848): DC/OS 1.10
/// may have either.
pub(in crate::dcos) fn named(name: &str, site: &Site<Dcos>) -> Given {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let edges = name.bytes().next().is_some_and(plain) && name.bytes().last().is_some_and(plain);
    if !edges || name.len() > 63 || !name.bytes().all(|b| plain(b) || matches!(b, b'-' | b'_')) {
        return Answer::impossible(
            format!("would refuse `{name}` as the name of a network"),
            "lower case, digits and inner `-` and `_`, at most 63: DC/OS' own is `dcos`",
            "stringTypes.raml of Marathon 1.7, NetworkName",
        );
    }
    if matches!(name, "bridge" | "none" | "host") {
        return Answer::refused(
            format!("looks for a network of containers that is called `{name}`, and DC/OS has none"),
            "write the name of a network of containers: DC/OS' own is `dcos`; or remove `network`: tasks are on the host's",
            "the network/cni isolator of Mesos: Unknown CNI network",
        );
    }
    let late = site.job.version.as_ref().is_some_and(|v| v.value.at_least((1, 11)));
    if name.contains('_') && !late {
        return Answer::refused(
            "takes `_` in the name of a network only since version 1.11",
            "add `version \"1.11\"` or newer to `target \"dcos\"` if the cluster is",
            "Marathon's MARATHON-7848: 1.5.0 and 1.5.1 of DC/OS 1.10 refuse it",
        );
    }
    Answer::Native(Means::Network(Some(name.to_owned())))
}

/// Why nobody listens on the rendezvous port of the role's tasks, by its kind: Marathon need not keep it free.
fn calls_only(kind: RoleKind, plan: &Plan) -> Option<&'static str> {
    let led = || {
        plan.roles.iter().any(|role| match role.kind {
            RoleKind::Master | RoleKind::Scheduler => true,
            RoleKind::Chief
            | RoleKind::Worker
            | RoleKind::Ps
            | RoleKind::Evaluator
            | RoleKind::Server
            | RoleKind::Own
            | RoleKind::Helper => false,
        })
    };
    match kind {
        RoleKind::Evaluator => Some("TensorFlow starts no server in an evaluator"),
        // torch.distributed, env://: rank 0 listens; ps-lite and Rabit pick the ports of the others.
        RoleKind::Worker | RoleKind::Server => {
            led().then_some("its tasks call the first task of the job, and nobody calls them on this port")
        }
        RoleKind::Chief
        | RoleKind::Ps
        | RoleKind::Master
        | RoleKind::Scheduler
        | RoleKind::Own
        | RoleKind::Helper => None,
    }
}

/// Whether the spec or a shim looks at the rendezvous port of a role: a shim waits on it before the program starts.
fn is_looked_at(role: RoleId, plan: &Plan) -> bool {
    let waits = |asked: &Asked| {
        matches!(
            asked.ask,
            Ask::Lifecycle(Lifecycle::StartTimeout { .. }) | Ask::Storage(Storage::CheckpointsFresh { .. })
        ) || matches!(asked.ask, Ask::Lifecycle(Lifecycle::Ready { role: of, .. }) if of == role)
    };
    let role = &plan.roles[role];
    // The number stands in the texts already where they refer to it.
    let mut numbers = role.ports.iter().filter_map(|port| port.number.map(|number| number.to_string()));
    plan.asks.iter().any(waits)
        // Whose addresses they are matters little: a program that hands addresses out knows more than the framework.
        || plan.roles.iter().any(rendezvous::looks)
        || role.is_told_port()
        || numbers.any(|number| rendezvous::names(role, &number).is_some())
}

/// Why nobody uses the rendezvous port, where nobody wrote it: a single task has no peer, and some only call others.
fn unused(role: RoleId, name: &str, plan: &Plan) -> Option<&'static str> {
    let default = || {
        plan.asks.iter().any(|asked| {
            asked.default
                && matches!(&asked.ask, Ask::Network(ask::Network::Port { role: r, name: n, .. }) if *r == role && n == name)
        })
    };
    let alone = (plan.rendezvous_tasks() <= 1 && !rendezvous::is_used(plan, role))
        .then_some("a single task has no peer that would look for it");
    let caller = || calls_only(plan.roles[role].kind, plan).filter(|_| !is_looked_at(role, plan));
    alone.or_else(caller).filter(|_| default())
}

/// Whether another role before this one needs the same port, so that the news was told there.
fn told(role: RoleId, number: u16, plan: &Plan) -> bool {
    plan.roles[..role].iter().any(|r| r.ports.iter().any(|p| p.number == Some(number)))
}

/// The ports that agents offer, where this is none of them.
pub(in crate::dcos) fn offered_instead(number: u16) -> Option<String> {
    let offered = OFFERED.iter().any(|(first, last)| (*first..=*last).contains(&number));
    let ranges = OFFERED.map(|(first, last)| format!("{first}-{last}")).join(", ");
    (!offered).then_some(ranges)
}

/// The refusal of a port of the host that no agent offers: the app would wait for ever.
pub(in crate::dcos) fn unoffered(number: u16, plan: &Plan) -> Option<Given> {
    let ranges = offered_instead(number).filter(|_| containers(plan).is_none())?;
    Some(Answer::refused(
        format!("never offers the host's port {number} to tasks"),
        format!("a port of {ranges}, or `network \"dcos\"`, where each task has its own address"),
        "DC/OS, MESOS_RESOURCES of its agents",
    ))
}

/// The refusal of a role that is pinned to one agent where it and a role before it, or two of its own tasks, need the same
/// port of that agent: Mesos gives a port to one task, and the next would wait for ever.
pub(in crate::dcos) fn pinned(role: RoleId, host: &str, plan: &Plan) -> Option<Given> {
    if containers(plan).is_some() {
        return None;
    }
    let several = plan.roles[role].count.value > 1;
    let before = |number: u16| (0..role).any(|id| is_pinned(id, host, plan) && needs(id, number, plan));
    let numbers = plan.roles[role].ports.iter().filter_map(|port| port.number);
    let number = numbers.filter(|n| needs(role, *n, plan)).find(|number| several || before(*number))?;
    Some(lacking(number, host))
}

/// The same of the TensorBoard, which needs this port.
pub(super) fn pinned_board(number: u16, host: &str, plan: &Plan) -> Option<Given> {
    let taken = |id: RoleId| is_pinned(id, host, plan) && needs(id, number, plan);
    (containers(plan).is_none() && (0..plan.roles.len()).any(taken)).then(|| lacking(number, host))
}

/// Whether a role names this one agent.
fn is_pinned(id: RoleId, host: &str, plan: &Plan) -> bool {
    plan.node_of(id, Dcos::is_host).is_some_and(|(named, _)| named == host)
}

/// Whether a task of the role takes this port of its agent.
fn needs(id: RoleId, number: u16, plan: &Plan) -> bool {
    let mut ports = plan.roles[id].ports.iter().filter(|port| unused(id, &port.name.value, plan).is_none());
    ports.any(|port| port.number == Some(number))
}

fn lacking(number: u16, host: &str) -> Given {
    Answer::refused(
        format!(
            "gives the port {number} of the agent `{host}` to one task, and another one that needs it there waits forever"
        ),
        "write `network \"dcos\"`, where each task has its own address, or let the tasks run on several nodes",
        "Mesos, ports of an agent; `requirePorts` of Marathon",
    )
}

/// Ports of the host that an agent sets aside for a task: every fixed one, unless tasks have a network of their own.
/// Mesos gives a port of an agent to one task.
pub(in crate::dcos) fn ports(plan: &Plan, form: Form, demand: &mut Demand) {
    for crew in &mut demand.crews {
        crew.needs.retain(|(resource, ..)| !matches!(resource, Resource::Port(_)));
    }
    if containers(plan).is_some() {
        return;
    }
    let mut reserve = |crew: usize, number: u16, at: Span| {
        let Some(crew) = demand.crews.get_mut(crew) else { return };
        if crew.need(&Resource::Port(number)).is_none() {
            crew.needs.push((Resource::Port(number), 1, at));
        }
    };
    for (id, role) in plan.roles.iter().enumerate() {
        let idle = |name: &str| form == Form::Marathon && unused(id, name, plan).is_some();
        for port in role.ports.iter().filter(|port| !idle(&port.name.value)) {
            port.number.into_iter().for_each(|number| reserve(id, number, port.name.span));
        }
    }
    for asked in &plan.asks {
        if let Ask::Job(Job::Tensorboard(board)) = &asked.ask {
            reserve(plan.roles.len(), board.port, asked.at);
        }
    }
}

pub(super) fn port(role: RoleId, name: &str, number: PortNumber, plan: &Plan) -> Given {
    if let Some(why) = unused(role, name, plan) {
        return Answer::Native(Means::Inherent(why));
    }
    let fixed = match number {
        PortNumber::Auto if name == "cluster" => {
            return Answer::impossible(
                "picks free ports when a task starts, and its peers' apps are written before",
                "write the number of the port",
                "spark-dcos §3.6",
            );
        }
        PortNumber::Auto => None,
        PortNumber::Fixed(number) => Some(number.0),
    };
    let means = Means::Port { role, name: name.to_owned(), number: fixed };
    let Some(number) = fixed.filter(|_| containers(plan).is_none()) else { return Answer::Native(means) };
    if let Some(refused) = unoffered(number, plan) {
        return refused;
    }
    if plan.tasks() <= 1 || told(role, number, plan) {
        return Answer::Native(means);
    }
    Answer::Emulated(
        means,
        format!(
            "tasks that listen on the host's port {number} never share an agent; with `network \"dcos\"` they may"
        ),
    )
}

/// The page shows one link for each app.
pub(super) fn link(role: RoleId, name: &str, plan: &Plan) -> Given {
    let first = plan.asks.iter().find_map(|asked| {
        let Ask::Network(ask::Network::PortLink { role: other, name, .. }) = &asked.ask else { return None };
        (*other == role).then_some(name.as_str())
    });
    if first != Some(name) {
        return Answer::refused(
            "shows one link for each service",
            "keep `link` on one port of the role",
            "spark-dcos §3.6",
        );
    }
    if containers(plan).is_some() {
        return Answer::refused(
            "links to ports of the host only",
            "remove `link`, or write `network \"host\"`",
            "spark-dcos §3.6",
        );
    }
    Answer::Emulated(
        Means::Link { role, name: name.to_owned() },
        "the page of services opens the port under the app's own name, not under these words".into(),
    )
}

/// Marathon counts the tasks of one app, and each task is its own; but a fixed port of the host is there once.
pub(super) fn spread(role: RoleId, spread: Spread, plan: &Plan) -> Given {
    const PROOF: &str = "spark-dcos §3.6";
    let alone = plan.roles[role].count.value <= 1;
    let port = plan.roles[role]
        .ports
        .iter()
        .any(|p| p.number.is_some() && unused(role, &p.name.value, plan).is_none());
    match spread {
        Spread::Host | Spread::Rack if alone => Answer::Native(Means::Inherent("the role has one task")),
        Spread::Host if containers(plan).is_none() && port => Answer::Native(Means::Inherent(
            "its tasks need the same port of the host, so no two share an agent",
        )),
        Spread::Host => Answer::refused(
            "keeps apart the tasks of one app only, and each task is its own app",
            "write `network \"host\"` and a fixed port: two tasks that need it never share an agent",
            PROOF,
        ),
        Spread::Rack => Answer::refused(
            "keeps apart the tasks of one app only, and each task is its own app",
            "write `place { node \"rack\" \"…\" }` in roles of their own",
            PROOF,
        ),
    }
}
