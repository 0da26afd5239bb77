//! Readiness probes, start timeout, and grace period of Pods.
use super::Context;
use super::Support;
use crate::contract_builder::{self, HEARD};
use crate::pod::mechanism::{Duty, Mechanism};
use tfjob_contract::RENDEZVOUS;
use tfjob_lang::diagnostic::Step;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{Lifecycle, Probe, Requirement};

/// What other tasks expect of a task with a readiness probe.
#[derive(Debug, Clone, Copy)]
pub struct Peers {
    /// Whether other tasks must resolve the DNS name of the task before it is ready.
    pub need_name: bool,
    /// Whether another task waits until this task has finished. The other task detects the end by the missing DNS record.
    pub await_end: bool,
}

/// Returns the support of a readiness probe. A Pod has no DNS record until the probe passes, but peers may need the record earlier.
pub fn ready(
    context: &Context<'_>,
    role: RoleId,
    probe: &Probe,
    Peers { need_name, await_end }: Peers,
) -> Support {
    let rendezvous = match probe {
        Probe::Tcp(port) => port == RENDEZVOUS,
        Probe::Http(..) | Probe::File(_) => false,
    };
    if let Probe::Tcp(port) | Probe::Http(port, _) = probe
        && context.plan.roles[role].ports.iter().any(|p| p.name.value == *port && p.number.is_none())
    {
        return Support::unsupported(
            format!("a probe needs a fixed port number, but port `{port}` gets its number at startup"),
            format!("give the port a number: `port \"{port}\" 8080`"),
            "Probe v1 core",
        );
    }
    if need_name && !rendezvous {
        return Support::unsupported(
            "a readiness probe hides the pod's DNS record until the probe passes, but peers need the record at startup",
            "write `ready tcp=\"rendezvous\"`: this probe passes as soon as the task accepts connections of peers",
            "kubernetes#readiness-and-dns",
        )
        .remedy(Step::rewrite("ready tcp=\"rendezvous\""));
    }
    if rendezvous && await_end {
        return Support::Emulated(
            Mechanism::Shim(Duty::Ready { role, probe: probe.clone() }),
            "the shim of a waiting task probes the port, because a `readinessProbe` would remove the DNS record of a running pod that does not listen, as if the pod had finished".to_owned(),
        );
    }
    Support::Native(Mechanism::Ready { role, probe: probe.clone() })
}

/// Returns the support of the `{done}` file. The program creates this file when its work is complete.
pub fn done(role: RoleId) -> Support {
    Support::Emulated(Mechanism::Shim(Duty::Done { role }), HEARD.to_owned())
}

/// Returns the support of `start timeout`, the time limit for peers to become reachable.
pub fn start_timeout(context: &Context<'_>, seconds: u64) -> Support {
    let has_order =
        || {
            context.plan.requirements.iter().any(|required| {
                matches!(required.requirement, Requirement::Lifecycle(Lifecycle::After { .. }))
            })
        };
    if context.plan.peers() <= 1 && !has_order() {
        return Support::inherent("a single task waits for no peers");
    }
    let how = format!(
        "the shim stops a task if its peers are not reachable within `start timeout`{}",
        contract_builder::waits_again(context.plan)
    );
    Support::Emulated(Mechanism::Shim(Duty::Wait { seconds }), how)
}

/// Returns the support of the grace period between SIGTERM and SIGKILL.
pub fn stop_grace(seconds: u64) -> Support {
    Support::Native(Mechanism::Grace(i64::try_from(seconds).unwrap_or(i64::MAX)))
}
