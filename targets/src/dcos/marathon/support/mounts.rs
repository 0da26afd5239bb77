//! Paths of a container and of an agent, and what may be mounted there.
use super::storage::fetch;
use crate::mounts::{is_directory, is_system, replaced};
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Requirement, Resources, Storage};

/// The sandbox inside an image, unless the operator of the agents says otherwise (`--sandbox_directory` of Mesos).
const SANDBOX_FOLDER: &str = "/mnt/mesos/sandbox";

/// Folders of each agent that a task without an image runs from: DC/OS' own programs, and the sandboxes (`MESOS_WORK_DIR`).
const AGENT_FOLDERS: [&str; 2] = ["/opt/mesosphere", "/var/lib/mesos/slave"];

/// Whether a path is a folder or above it.
fn over(at: &str, folder: &str) -> bool {
    format!("{folder}/").starts_with(&format!("{}/", at.trim_end_matches('/')))
}

/// Whether a task of the job runs without image: there a folder of the agent is at its own path and nowhere else.
pub fn bare(plan: &Plan) -> bool {
    plan.roles.iter().any(|role| role.image.is_none())
}

/// Why nothing can be mounted at a path, if nothing can.
pub fn taken(at: &str, plan: &Plan) -> Option<String> {
    let images = plan.roles.iter().any(|role| role.image.is_some());
    if images { hides(at, plan) } else { shared(at, plan) }
}

/// Why nothing can be mounted at a path inside an image, if nothing can.
pub fn hides(at: &str, plan: &Plan) -> Option<String> {
    if is_system(at) {
        return Some(format!("cannot mount at `{at}`: it would hide the container's own system"));
    }
    if over(at, SANDBOX_FOLDER) {
        return Some(format!(
            "cannot mount at `{at}`: it would hide the sandbox, which Mesos mounts at `{SANDBOX_FOLDER}` of the container"
        ));
    }
    shared(at, plan)
}

fn shared(at: &str, plan: &Plan) -> Option<String> {
    let shared = plan.requirements.iter().any(|required| {
        matches!(required.requirement, Requirement::Resources(Resources::SharedMemory { .. }))
    });
    (shared && at == "/dev/shm").then(|| format!("cannot mount at `{at}`: `shared-memory` is there"))
}

/// Why another folder cannot be mounted at a path of the agent for a task without an image, if it cannot.
pub fn hides_agent(at: &str) -> Option<String> {
    let below = |folder: &str| at.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let own = AGENT_FOLDERS.iter().any(|folder| over(at, folder) || below(folder));
    (own || is_system(at)).then(|| {
        format!("cannot mount at `{at}`: it would hide the agent's own system from a task without an image")
    })
}

/// The path below the sandbox, where a path of a container is one.
pub fn sandboxed(path: &str, image: bool) -> Option<&str> {
    if !path.starts_with('/') {
        return Some(path);
    }
    path.strip_prefix(SANDBOX_FOLDER).and_then(|rest| rest.strip_prefix('/')).filter(|_| image)
}

/// Files that Mesos mounts into each container with a network of its own.
const NETWORK_FILES: [&str; 3] = ["/etc/hostname", "/etc/hosts", "/etc/resolv.conf"];

/// Why no secret can be mounted as the file of a path, if none can.
pub fn secret_fault(at: &str, plan: &Plan) -> Option<String> {
    let below = |folder: &str| at.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let mounted = |requirement: &Requirement| match requirement {
        Requirement::Storage(Storage::DataMount { at, .. } | Storage::CheckpointsMount { at, .. }) => {
            below(at).then(|| at.clone())
        }
        Requirement::Storage(Storage::Code { uri, at, .. } | Storage::Stage { uri, at, .. })
            if fetch::is_folder(uri) =>
        {
            at.clone().filter(|at| below(at))
        }
        _ => None,
    };
    let why = if NETWORK_FILES.contains(&at) {
        "Mesos mounts its own file there".to_owned()
    } else if below("/dev") {
        "Mesos mounts `/dev` itself".to_owned()
    } else if below(SANDBOX_FOLDER) {
        format!("Mesos mounts the sandbox at `{SANDBOX_FOLDER}`")
    } else if let Some(folder) = plan.requirements.iter().find_map(|required| mounted(&required.requirement))
    {
        format!("a folder of the agent is mounted at `{folder}`")
    } else if let Some(why) = replaced(at) {
        why.to_owned()
    } else if is_directory(at) {
        return Some(format!("cannot mount a secret at `{at}`, which is a directory of the image"));
    } else {
        return hides(at, plan);
    };
    Some(format!("cannot mount a secret at `{at}`: {why}"))
}
