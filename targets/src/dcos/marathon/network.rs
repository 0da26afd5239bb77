//! Ports of the apps, on the host's network or one of containers.
use super::{Given, Means};
use crate::dcos::Dcos;
use crate::dcos::network::{self, containers, unoffered, unused};
use tfjob_lang::ask::{self, Ask};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::spec::{PortNumber, Spread};
use tfjob_lang::target::{Answer, Site};

/// A network of containers that the job names.
pub(super) fn named(name: &str, site: &Site<Dcos>) -> Given {
    network::refused(name, site).unwrap_or_else(|| Answer::Native(Means::Network(Some(name.to_owned()))))
}

/// Whether another role before this one needs the same port, so that the news was told there.
fn told(role: RoleId, number: u16, plan: &Plan) -> bool {
    plan.roles[..role].iter().any(|r| r.ports.iter().any(|p| p.number == Some(number)))
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
