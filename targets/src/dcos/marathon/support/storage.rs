//! Support of code, data, and checkpoints.
pub mod fetch;

use super::Support;
use crate::dcos::context::Context;
use crate::dcos::marathon::mechanism::{Fetched, Mechanism, Mount};
use crate::dcos::marathon::support::mounts::{bare, taken};
use tfjob_lang::plan::{Plan, RoleKind};
use tfjob_lang::requirement::{self, Lifecycle, Required, Requirement};
use tfjob_lang::spec::RestartOn;
use tfjob_lang::spec::values::{Class, Uri};

const PROOF: &str = "dcos#volumes";

/// Returns a help that suggests a directory of the agents. `writable`: whether tasks write to the directory. If they do, several
/// tasks can share it only if the cluster file declares the directory as `shared`.
const fn folder(writable: bool) -> &'static str {
    if writable {
        "use a directory that exists on every agent (`file:///…`); if several tasks use it, it must be a shared mount, which `shared` in the cluster file (`--cluster`) declares"
    } else {
        "use a directory that has the same files on every agent (`file:///…`)"
    }
}

/// Returns the support of one requirement about code, data, and checkpoints.
pub fn support(requirement: &requirement::Storage, Context { plan, .. }: &Context<'_>) -> Support {
    match requirement {
        requirement::Storage::Code { uri, reference: _, at } => code(uri, at.as_deref(), plan),
        requirement::Storage::Stage { index, uri, at } => stage(*index, uri, at.as_deref(), plan),
        requirement::Storage::DataUri { index, uri, writable } => data(*index, uri, *writable),
        requirement::Storage::DataMount { index, uri, at, writable } => {
            mount(uri, at, *writable, plan, |mount| Mechanism::Data { index: *index, mount })
        }
        requirement::Storage::CheckpointsUri { uri } => checkpoints(uri),
        requirement::Storage::CheckpointsMount { uri, at } => {
            mount(uri, at, true, plan, Mechanism::Checkpoints)
        }
        requirement::Storage::CheckpointsEvery { .. } => {
            Support::inherent("the program writes checkpoints at this interval")
        }
        requirement::Storage::CheckpointsFresh { mounted } => fresh(*mounted, plan),
        requirement::Storage::Scratch { role } => Support::Native(Mechanism::Scratch { role: *role }),
    }
}

fn delivered(
    found: Result<(Fetched, Option<String>), fetch::Refused>,
    mechanism: impl FnOnce(Fetched) -> Mechanism,
) -> Support {
    match found {
        Ok((fetched, None)) => Support::Native(mechanism(fetched)),
        Ok((fetched, Some(how))) => Support::Emulated(mechanism(fetched), how),
        Err(refused) => Support::impossible(
            refused.why,
            refused.help,
            "Mesos, launcher/fetcher.cpp, the code that downloads files to an agent",
        ),
    }
}

fn code(uri: &Uri, at: Option<&str>, plan: &Plan) -> Support {
    delivered(fetch::fetched(&fetch::folder(plan, None), uri, at, plan), Mechanism::Code)
}

fn stage(index: usize, uri: &Uri, at: Option<&str>, plan: &Plan) -> Support {
    let name = fetch::folder(plan, Some(index));
    delivered(fetch::fetched(&name, uri, at, plan), |fetched| Mechanism::Stage { index, fetched })
}

/// Returns the support of a URI that the program opens. A directory of the agent is mounted at its own path. `writable`: whether
/// the program writes to it. `mechanism`: function that creates the mechanism from the mount. `opened`: note for a URI that needs
/// no mount.
fn by_uri(
    uri: &Uri,
    writable: bool,
    mechanism: impl FnOnce(Mount) -> Mechanism,
    opened: &'static str,
) -> Support {
    match uri.scheme().class() {
        Class::Hadoop | Class::Bucket | Class::Web | Class::Repository => Support::inherent(opened),
        Class::Node => {
            let path = uri.path().to_owned();
            Support::Native(mechanism(Mount { host: path.clone(), at: path, writable }))
        }
        Class::Volume | Class::Spec => Support::unsupported(
            format!("{} cannot be mounted into a Marathon app", uri.scheme().storage()),
            format!(
                "either use storage that the program can open, such as `hdfs:` or `gs:`; or {}",
                folder(writable)
            ),
            PROOF,
        ),
    }
}

fn data(index: usize, uri: &Uri, writable: bool) -> Support {
    by_uri(uri, writable, |mount| Mechanism::Data { index, mount }, "the program opens this URI")
}

fn checkpoints(uri: &Uri) -> Support {
    by_uri(uri, true, Mechanism::Checkpoints, "the program opens this URI")
}

fn mount(
    uri: &Uri,
    at: &str,
    writable: bool,
    plan: &Plan,
    mechanism: impl FnOnce(Mount) -> Mechanism,
) -> Support {
    if let Some(why) = taken(at, plan) {
        return Support::impossible(why, "use another path: `at=\"/…\"`", "dcos#mount-paths");
    }
    match uri.scheme().class() {
        Class::Node if bare(plan) && uri.path() != at => Support::impossible(
            format!(
                "a task without an image sees a directory of the agent only at its own path, not at `{at}`"
            ),
            format!("set an `image`, or use `at=\"{}\"`", uri.path()),
            PROOF,
        ),
        Class::Node => Support::Emulated(
            mechanism(Mount { host: uri.path().to_owned(), at: at.to_owned(), writable }),
            "each task mounts this directory from its own agent: tasks on different agents see the same files only if the directory is a shared mount".into(),
        ),
        Class::Hadoop | Class::Bucket | Class::Web | Class::Repository => Support::impossible(
            format!("{} cannot be mounted into a Marathon app", uri.scheme().storage()),
            format!("either remove `at`, so that the program opens the URI; or {}", folder(writable)),
            PROOF,
        ),
        Class::Volume | Class::Spec => Support::impossible(
            format!("{} cannot be mounted into a Marathon app", uri.scheme().storage()),
            format!(
                "either use storage that the program can open, such as `hdfs:` or `gs:`, without `at`; or {}",
                folder(writable)
            ),
            PROOF,
        ),
    }
}

fn fresh(mounted: bool, plan: &Plan) -> Support {
    let at = plan.storage.checkpoints.as_ref().and_then(|c| c.at.as_ref()).filter(|_| mounted);
    let uri = plan.storage.checkpoints.as_ref().map(|state| &state.uri.value);
    let path = uri.filter(|uri| uri.scheme().class() == Class::Node).map_or("/mnt/ckpt", Uri::path);
    let restarts = |required: &Required| match &required.requirement {
        Requirement::Lifecycle(Lifecycle::Restart { restart, .. }) => restart.on != RestartOn::Never,
        _ => false,
    };
    match at {
        Some(_) if plan.requirements.iter().any(restarts) => Support::unsupported(
            "the shim checks the directory at each start of a task, so after a restart it would find the job's own checkpoints",
            "remove `restart`; or remove `if-exists`, and use a new checkpoint directory for each run",
            "dcos#restarts-without-end",
        ),
        // If the shim finds old checkpoints, it does not start the program. But the app keeps running, so peers still find its
        // address. To the peers, the app looks like a program that has started but does not listen yet.
        Some(_) if plan.peers() > 1 || plan.roles.iter().any(|role| role.kind == RoleKind::Evaluator) => {
            Support::unsupported(
                "if a task finds old checkpoints and fails, Marathon restarts the task again and again; its peers do not detect the failure, and resume from the old checkpoints",
                "remove `if-exists`, and use a new checkpoint directory for each run",
                "dcos#restarts-without-end",
            )
        }
        Some(at) => Support::Emulated(
            Mechanism::Fresh { path: at.value.clone() },
            "the shim checks that the checkpoint directory is empty, before the program starts".into(),
        ),
        None => Support::unsupported(
            "the shim can check only a mounted directory, but the checkpoints of this job are at a URI",
            // In the help, `at` is the path of the directory on the agent, because a task without an image sees the directory only
            // at this path.
            format!(
                "remove `if-exists` and let the program check that the directory is empty; or use `checkpoints \"file://{path}\" at=\"{path}\"` (several tasks need a shared mount)"
            ),
            PROOF,
        ),
    }
}
