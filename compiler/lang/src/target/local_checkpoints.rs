//! Checkpoints on the disk of one node, for a task that may restart on another node.
use super::{Support, Target};
use crate::cluster::declare_shared;
use crate::codes::UNSHARED_RESTART;
use crate::diagnostic::Diagnostic;
use crate::plan::{Plan, RoleId, Volume};
use crate::requirement::{Lifecycle, Loss, Required, Requirement};

/// Warns about checkpoints on the disk of one node if the target replaces a lost container or node. The new task may run on
/// another node.
pub(super) fn judge<T: Target + ?Sized>(
    required: &Required,
    support: &Support<T::Mechanism>,
    plan: &Plan,
) -> Option<Diagnostic> {
    let Requirement::Lifecycle(Lifecycle::Restart { role, after, restart: _ }) = &required.requirement else {
        return None;
    };
    let lost = match after {
        Loss::Process => false,
        Loss::Container | Loss::Node => true,
    };
    let replaced = match support {
        Support::Native(_) | Support::Emulated(..) | Support::Inherent { .. } => lost && !T::ONE_MACHINE,
        Support::Ignored(_) | Support::Unsupported(_) => false,
    };
    let own = node_local(*role, plan).filter(|_| replaced && plan.node_of(*role, T::is_host).is_none())?;
    let fact = format!(
        "{}: the task may restart on another node, but its checkpoint directory is local to the first node",
        T::NAME
    );
    Some(
        Diagnostic::new(&UNSHARED_RESTART, required.at, fact)
            .here("may restart on another node")
            .label(own.uri.span, "local to each node")
            .help(help(own, T::NAME, T::HOST)),
    )
}

fn help(own: &Volume, target: &str, host: Option<&str>) -> String {
    let without = own.at.as_ref().map_or("", |_| " without `at`");
    let placed = host.map_or_else(String::new, |key| {
        format!("; (3) pin the role to one node: `placement {{ node \"{key}\" \"NODE\"; }}`")
    });
    format!(
        "do one of these: (1) {}; (2) use storage that the program opens by URI: `checkpoints \"gs://BUCKET/PATH\"`{without}{placed}",
        declare_shared(&own.uri.value, target)
    )
}

/// Returns the node-local checkpoints of a role, if only one task uses them. With several tasks, another rule reports an
/// error.
fn node_local(role: RoleId, plan: &Plan) -> Option<&Volume> {
    let alone = plan.roles[role].kind.joins_rendezvous() && plan.rendezvous_tasks() == 1;
    plan.storage.checkpoints.as_ref().filter(|volume| volume.is_of_node()).filter(|_| alone)
}
