//! Which paths in a container and on an agent can be mount paths.
use super::storage::fetch;
use crate::mounts::{is_directory, is_system, replaced};
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Requirement, Resources, Storage};

/// Default path of the sandbox inside a container (`--sandbox_directory` of the Mesos agent).
const SANDBOX_FOLDER: &str = "/mnt/mesos/sandbox";

/// Directories of the agent that a task without an image needs: the programs of DC/OS, and the sandboxes (`MESOS_WORK_DIR`).
const AGENT_FOLDERS: [&str; 2] = ["/opt/mesosphere", "/var/lib/mesos/slave"];

/// Returns whether the directory `folder` is at the path `at`, or below that path.
fn contains(at: &str, folder: &str) -> bool {
    format!("{folder}/").starts_with(&format!("{}/", at.trim_end_matches('/')))
}

/// Returns whether any role of the job has no image. Without an image, tasks see a directory of the agent only at the path that it
/// has on the agent.
pub fn bare(plan: &Plan) -> bool {
    plan.roles.iter().any(|role| role.image.is_none())
}

/// Returns why no directory can be mounted at a path, or `None` if the path is possible.
pub fn taken(at: &str, plan: &Plan) -> Option<String> {
    let images = plan.roles.iter().any(|role| role.image.is_some());
    if images { hides(at, plan) } else { shared_memory(at, plan) }
}

/// Returns why no directory can be mounted at a path in a container with an image, or `None` if the path is possible.
pub fn hides(at: &str, plan: &Plan) -> Option<String> {
    if is_system(at) {
        return Some(format!("a mount at `{at}` would hide a system directory of the container"));
    }
    if contains(at, SANDBOX_FOLDER) {
        return Some(format!(
            "a mount at `{at}` would hide the sandbox, which Mesos mounts at `{SANDBOX_FOLDER}` in the container"
        ));
    }
    shared_memory(at, plan)
}

fn shared_memory(at: &str, plan: &Plan) -> Option<String> {
    let shared = plan.requirements.iter().any(|required| {
        matches!(required.requirement, Requirement::Resources(Resources::SharedMemory { .. }))
    });
    (shared && at == "/dev/shm").then(|| format!("a mount at `{at}` would replace `shared-memory`"))
}

/// Returns why a task without an image cannot have another directory mounted at a path of the agent, or `None` if it can.
pub fn hides_agent(at: &str) -> Option<String> {
    let below = |folder: &str| at.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let needed = AGENT_FOLDERS.iter().any(|folder| contains(at, folder) || below(folder));
    (needed || is_system(at)).then(|| {
        format!("a mount at `{at}` would hide a system directory of the agent from a task without an image")
    })
}

/// Returns a path in a container relative to the sandbox, or `None` if the path is not in the sandbox. `image`: whether the
/// container has an image.
pub fn sandboxed(path: &str, image: bool) -> Option<&str> {
    if !path.starts_with('/') {
        return Some(path);
    }
    path.strip_prefix(SANDBOX_FOLDER).and_then(|rest| rest.strip_prefix('/')).filter(|_| image)
}

/// Files that Mesos mounts into each container on a container network.
const NETWORK_FILES: [&str; 3] = ["/etc/hostname", "/etc/hosts", "/etc/resolv.conf"];

/// Directories in which only the kernel creates files.
const KERNEL_FOLDERS: [&str; 2] = ["/proc", "/sys"];

/// Returns why no secret can be mounted as a file at a path, or `None` if the path is possible.
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
        "Mesos mounts its own `/dev`".to_owned()
    } else if below(SANDBOX_FOLDER) {
        format!("Mesos mounts the sandbox at `{SANDBOX_FOLDER}`")
    } else if let Some(folder) = plan.requirements.iter().find_map(|required| mounted(&required.requirement))
    {
        format!("a directory of the agent is mounted at `{folder}`")
    } else if let Some(folder) = KERNEL_FOLDERS.iter().find(|folder| below(folder)) {
        format!("no file can be created below `{folder}`")
    } else if let Some(why) = replaced(at) {
        why.to_owned()
    } else if is_directory(at) || is_system(at) {
        return Some(format!("a secret file cannot be mounted at `{at}`, which is a directory of the image"));
    } else {
        return hides(at, plan);
    };
    Some(format!("a secret file cannot be mounted at `{at}`: {why}"))
}
