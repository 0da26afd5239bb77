//! Texts of helps about ports that several tasks on one machine would bind. Such a port needs the number `"auto"`, but a probe
//! needs a fixed number or the rendezvous port.
use tfjob_contract::{FrameworkName, RENDEZVOUS, RoleKind, StrategyName};
use tfjob_lang::plan::{Plan, Role, RoleId};
use tfjob_lang::requirement::{Lifecycle, Probe, Requirement};

const UNPROBED: &str = "a port with `auto` cannot be probed";

/// Returns the help for a probe of a port whose number is assigned at startup. `shared`: whether tasks of the role may run on
/// one machine, where only one of them can bind a fixed port.
pub fn probed(plan: &Plan, id: RoleId, port: &str, shared: bool) -> String {
    let role = &plan.roles[id];
    let has_port = |role: &&Role| role.ports.iter().any(|own| own.name.value == port && own.number.is_none());
    let tasks: u32 = plan.roles.iter().filter(has_port).map(|role| role.count.value).sum();
    if !shared || tasks == 1 {
        format!("write `port \"{port}\" 8000`, or another fixed number")
    } else if listens(plan, role) {
        "write `ready tcp=\"rendezvous\"`, because TensorFlow listens on a different rendezvous port in each task".to_owned()
    } else {
        format!("remove `ready`: {UNPROBED}")
    }
}

/// Returns the help for a fixed port that several tasks on one machine would bind.
pub fn unshared(plan: &Plan, id: RoleId, port: &str) -> String {
    let probes = |probe: &Probe| match probe {
        Probe::Tcp(name) | Probe::Http(name, _) => name == port,
        Probe::File(_) => false,
    };
    let is_probed = plan.requirements.iter().any(|required| {
        matches!(&required.requirement, Requirement::Lifecycle(Lifecycle::Ready { role, probe }) if *role == id && probes(probe))
    });
    let free = format!("write `port \"{port}\" \"auto\"`");
    if port == RENDEZVOUS {
        return free;
    }
    let role = &plan.roles[id];
    let probe = if !is_probed {
        String::new()
    } else if listens(plan, role) {
        format!(
            " and `ready tcp=\"rendezvous\"` in `role \"{}\"`: {UNPROBED}, and TensorFlow listens on a different rendezvous port in each task",
            role.name.value
        )
    } else {
        format!(" and remove `ready`: {UNPROBED}")
    };
    format!("{free}{probe}; the program reads the number from `{{port.{port}}}`")
}

/// Returns whether each task of the role certainly listens on its rendezvous port. Only the servers of TensorFlow do: with other
/// frameworks, only the first task listens, and an evaluator or a single task starts no server.
pub fn listens(plan: &Plan, role: &Role) -> bool {
    plan.framework.name.value == FrameworkName::Tensorflow
        && plan.framework.strategy != Some(StrategyName::Custom)
        && plan.peers() > 1
        && role.kind.is_peer()
        && role.kind != RoleKind::Evaluator
}
