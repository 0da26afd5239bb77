//! Readiness, waiting and grace of Pods.
use super::Context;
use super::Support;
use crate::contract_builder::{self, HEARD};
use crate::pod::mechanism::{Duty, Mechanism};
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{Lifecycle, Probe, Requirement};

/// What other tasks need of a task whose readiness is probed.
#[derive(Debug, Clone, Copy)]
pub struct Peers {
    /// Whether they look for its name before it is ready.
    pub need_name: bool,
    /// Whether one of them ends only after it, and takes a missing name for its end.
    pub await_end: bool,
}

/// A Pod that is not ready has no name in DNS, and a rendezvous needs names before it is ready.
pub fn ready(
    context: &Context<'_>,
    role: RoleId,
    probe: &Probe,
    Peers { need_name, await_end }: Peers,
) -> Support {
    let rendezvous = match probe {
        Probe::Tcp(port) => port == "rendezvous",
        Probe::Http(..) | Probe::File(_) => false,
    };
    let auto = match probe {
        Probe::Tcp(port) | Probe::Http(port, _) => {
            context.plan.roles[role].ports.iter().any(|p| p.name.value == *port && p.number.is_none())
        }
        Probe::File(_) => false,
    };
    if auto {
        return Support::unsupported(
            "looks at a port whose number it knows",
            "a fixed number for this port",
            "Probe v1 core",
        );
    }
    if need_name && !rendezvous {
        return Support::unsupported(
            "hides the name of a Pod that is not ready, and its peers need the name before",
            "`ready tcp=\"rendezvous\"`: the port on which the task meets the others",
            "kubernetes#readiness-and-dns",
        );
    }
    if rendezvous && await_end {
        return Support::Emulated(
            Mechanism::Shim(Duty::Ready { role, probe: probe.clone() }),
            "the shim of a task that waits probes the port itself; a `readinessProbe` would remove the DNS name of a Pod that works without listening, and the task that waits for its end would take it for finished".to_owned(),
        );
    }
    Support::Native(Mechanism::Ready { role, probe: probe.clone() })
}

/// The program's own word that its work is done.
pub fn done(role: RoleId) -> Support {
    Support::Emulated(Mechanism::Shim(Duty::Done { role }), HEARD.to_owned())
}

pub fn start_timeout(context: &Context<'_>, seconds: u64) -> Support {
    let order =
        || {
            context.plan.requirements.iter().any(|required| {
                matches!(required.requirement, Requirement::Lifecycle(Lifecycle::After { .. }))
            })
        };
    if context.plan.peers() <= 1 && !order() {
        return Support::inherent("one task waits for nobody");
    }
    let how =
        format!("the shim waits at most this time for peers{}", contract_builder::waits_again(context.plan));
    Support::Emulated(Mechanism::Shim(Duty::Wait { seconds }), how)
}

pub fn stop_grace(seconds: u64) -> Support {
    Support::Native(Mechanism::Grace(i64::try_from(seconds).unwrap_or(i64::MAX)))
}
