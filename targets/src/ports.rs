//! Helps for ports that several tasks of one machine would bind. Such a port needs the number `"auto"`, but a probe needs a fixed
//! number or the rendezvous port.
use tfjob_contract::RENDEZVOUS;
use tfjob_lang::plan::{Plan, Role, RoleId};
use tfjob_lang::requirement::{Lifecycle, Probe, Requirement};

/// Returns the help for a probe of a port whose number is assigned at startup. `shared`: whether tasks of the role may run on
/// one machine, where only one of them can bind a fixed port.
pub fn probed(role: &Role, port: &str, shared: bool) -> String {
    if !shared || role.count.value == 1 {
        return format!("write `port \"{port}\" 8000`, or another fixed number");
    }
    if has_rendezvous(role) {
        "write `ready tcp=\"rendezvous\"`, because each task has its own rendezvous port".to_owned()
    } else {
        "remove `ready`: a port with `auto` cannot be probed".to_owned()
    }
}

/// Returns the help for a fixed port that several tasks of one machine would bind.
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
    let probe = match has_rendezvous(&plan.roles[id]) {
        _ if !is_probed => "",
        true => {
            " and `ready tcp=\"rendezvous\"`: a port with `auto` cannot be probed, and each task has its own rendezvous port"
        }
        false => " and remove `ready`: a port with `auto` cannot be probed",
    };
    format!("{free}{probe}; the program reads the number from `{{port.{port}}}`")
}

fn has_rendezvous(role: &Role) -> bool {
    role.ports.iter().any(|port| port.name.value == RENDEZVOUS)
}
