//! A task that starts again on another node, while its checkpoints are in a folder of the node that it was on.
use super::{Support, Target};
use crate::codes::UNSHARED_RESTART;
use crate::diagnostic::Diagnostic;
use crate::plan::{Plan, RoleId, Volume};
use crate::requirement::{Lifecycle, Loss, Required, Requirement};

/// Warns where the target answers a lost container or node with a new one: nothing keeps that on the same node.
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
    let own = own_folder(*role, plan).filter(|_| replaced && plan.node_of(*role, T::is_host).is_none())?;
    let fact = format!(
        "{} may start the task again on another node, and its checkpoints stay on the first one",
        T::NAME
    );
    Some(
        Diagnostic::new(&UNSHARED_RESTART, required.at, fact)
            .here("may move to another node")
            .label(own.uri.span, "each node has its own")
            .help(help(own, T::HOST)),
    )
}

fn help(own: &Volume, host: Option<&str>) -> String {
    let stored = match &own.at {
        Some(at) => {
            format!(
                "use storage that every node mounts, `checkpoints \"nfs://HOST/EXPORT\" at=\"{}\"`",
                at.value
            )
        }
        None => {
            "use storage that the program opens by its uri: `checkpoints \"gs://BUCKET/PATH\"`".to_owned()
        }
    };
    let placed = host.map_or_else(String::new, |key| {
        format!("; or name the node: `placement {{ node \"{key}\" \"NODE\"; }}`")
    });
    format!(
        "{stored}{placed}; if every node sees this folder as the same, say so in a cluster file: `shared \"file://{}\"`",
        own.uri.value.path()
    )
}

/// The checkpoints of a role, where they are a node's own and no other task reads them: more tasks are an error.
fn own_folder(role: RoleId, plan: &Plan) -> Option<&Volume> {
    let alone = plan.roles[role].kind.joins_rendezvous() && plan.rendezvous_tasks() == 1;
    plan.storage.checkpoints.as_ref().filter(|volume| volume.is_of_node()).filter(|_| alone)
}
