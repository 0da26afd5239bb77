//! How tasks start: ports, readiness, order, waiting, all or none.
use super::{Answered, Context, end};
use crate::carry::{self, HEARD};
use crate::kubernetes::grammar::is_port_name;
use crate::kubernetes::life::DEFAULT_PORT;
use crate::kubernetes::means::{Duty, Means};
use tfjob_lang::ask::{Ask, Lifecycle, Probe};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::spec::{PortNumber, When};
use tfjob_lang::target::Answer;

pub fn port(case: &Context<'_>, role: RoleId, name: &str, number: PortNumber) -> Answered {
    const PROOF: &str = "kubernetes-observed §4, port-unnamed";
    match (name, number) {
        ("cluster", PortNumber::Fixed(port)) => Answer::Native(Means::ClusterPort { role, number: port.0 }),
        ("cluster", PortNumber::Auto) => Answer::impossible(
            "gives each Pod an address of its own, with a port that the operator writes before the Pod starts",
            "a number; no two Pods share an address, so every task may have the same",
            "kubernetes §1.5",
        ),
        (_, PortNumber::Auto) => Answer::Emulated(
            Means::Shim(Duty::Port),
            "the shim finds a free port; the Pod's Service does not know it".to_owned(),
        ),
        ("tfjob-port", PortNumber::Fixed(_)) => Answer::impossible(
            "calls the rendezvous `tfjob-port`",
            "the rendezvous is the port named `cluster`; give this one another name",
            PROOF,
        ),
        (name, PortNumber::Fixed(port)) if is_port_name(name) => {
            // A role of the rendezvous has its own; a helper gets it all the same.
            let helper = case.plan.roles[role].ports.iter().all(|p| p.name.value != "cluster");
            if helper && port.0 == DEFAULT_PORT {
                return Answer::impossible(
                    format!("adds the port {DEFAULT_PORT} to every Pod of a TFJob, for the rendezvous"),
                    "another number",
                    "kubernetes-observed §4, port-other-name",
                );
            }
            Answer::Native(Means::Port { role, name: name.to_owned(), number: port.0 })
        }
        (name, PortNumber::Fixed(_)) => Answer::impossible(
            format!("has no port named `{name}`"),
            "at most 15 of `a` to `z`, digits and `-`, with a letter among them",
            PROOF,
        ),
    }
}

pub fn port_link(name: &str) -> Answered {
    Answer::Ignored(format!("has no page that would show the port `{name}`"))
}

pub fn after(plan: &Plan, role: RoleId, first: RoleId, when: When) -> Answered {
    let how = match when {
        When::Started => {
            "the operator makes all Pods at once; the shim waits until the others have an address"
        }
        When::Ready => "the operator makes all Pods at once; the shim waits until the others are ready",
        When::Done => {
            return Answer::refused(
                "keeps nothing that a task could ask whether another has ended well",
                "`when=\"started\"` or `\"ready\"`; what must be done before is a job of its own",
                "kubernetes §1.4",
            );
        }
    };
    if !carry::stays(plan, first) {
        let name = &plan.roles[first].name.value;
        return Answer::refused(
            format!(
                "removes the DNS name of a Pod that has succeeded: a task that starts after `{name}` has ended would wait for it forever"
            ),
            format!(
                "if `{name}` serves, `port \"web\" 8080; ready tcp=\"web\"` in it, with `when=\"ready\"`; a step before the training is a job of its own"
            ),
            "EndpointSlice v1 discovery.k8s.io",
        );
    }
    Answer::Emulated(Means::Shim(Duty::After { role, first, when }), how.to_owned())
}

/// A Pod that is not ready has no name in DNS, and a rendezvous needs names before it is ready.
pub fn ready(case: &Context<'_>, role: RoleId, probe: &Probe) -> Answered {
    let rendezvous = match probe {
        Probe::Tcp(port) => port == "cluster",
        Probe::Http(..) | Probe::File(_) => false,
    };
    let auto = match probe {
        Probe::Tcp(port) | Probe::Http(port, _) => {
            case.plan.roles[role].ports.iter().any(|p| p.name.value == *port && p.number.is_none())
        }
        Probe::File(_) => false,
    };
    if auto {
        return Answer::refused(
            "looks at a port whose number it knows",
            "a fixed number for this port",
            "Probe v1 core",
        );
    }
    if case.needs_name(role) && !rendezvous {
        return Answer::refused(
            "hides the name of a Pod that is not ready, and its peers need the name before",
            "`ready tcp=\"cluster\"`: the port on which the task meets the others",
            "kubernetes-observed §5, every Service",
        );
    }
    if rendezvous && outlived(case, role) {
        return Answer::Emulated(
            Means::Shim(Duty::Ready { role, probe: probe.clone() }),
            "the shim of a task that waits probes the port itself; a `readinessProbe` would remove the DNS name of a Pod that works without listening, and the task that waits for its end would take it for finished".to_owned(),
        );
    }
    Answer::Native(Means::Ready { role, probe: probe.clone() })
}

/// Whether another role ends only after this one, whose end it sees by the missing name.
pub fn outlived(case: &Context<'_>, role: RoleId) -> bool {
    case.plan.asks.iter().any(|asked| {
        let Ask::Lifecycle(Lifecycle::Success(success)) = &asked.ask else { return false };
        let answer = end::success(case, *success);
        let Answer::Emulated(Means::Shim(Duty::Outlive { others, .. }), _) = answer else { return false };
        others.contains(&role)
    })
}

/// The program's own word that its work is done.
pub fn done(role: RoleId) -> Answered {
    Answer::Emulated(Means::Shim(Duty::Done { role }), HEARD.to_owned())
}

pub fn timeout(case: &Context<'_>, seconds: u64) -> Answered {
    let order =
        || case.plan.asks.iter().any(|asked| matches!(asked.ask, Ask::Lifecycle(Lifecycle::After { .. })));
    if case.plan.peers() <= 1 && !order() {
        return Answer::Native(Means::Inherent("one task waits for nobody".to_owned()));
    }
    let how = format!("the shim waits at most this time for peers{}", carry::waits_again(case.plan));
    Answer::Emulated(Means::Shim(Duty::Wait { seconds }), how)
}

pub fn gang(case: &Context<'_>) -> Answered {
    if case.plan.tasks() == 1 {
        return Answer::Native(Means::Inherent("one Pod is all or none".to_owned()));
    }
    match &case.options.gang {
        Some(_) => Answer::Native(Means::Gang),
        None => Answer::refused(
            "places each Pod by itself, unless the operator was started with a gang scheduler",
            "say which one it has: `target \"kubernetes\" { gang \"volcano\" }` or `\"scheduler-plugins\"`",
            "kubernetes §1.9",
        ),
    }
}
