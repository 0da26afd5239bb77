//! Code, data and checkpoints.
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

/// A folder of each agent: checkpoints of several tasks are the same there only if the site says so.
const FOLDER: &str = "name a folder that every agent has, `file:///…`; if several tasks keep checkpoints there, a cluster file has to call it `shared`";

/// Answers one requirement: code, data and checkpoints.
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
        requirement::Storage::CheckpointsEvery { .. } => Support::inherent("the program keeps this promise"),
        requirement::Storage::CheckpointsFresh { mounted } => fresh(*mounted, plan),
        requirement::Storage::Scratch { role } => Support::Native(Mechanism::Scratch { role: *role }),
    }
}

fn given(
    found: Result<(Fetched, Option<String>), fetch::Lost>,
    mechanism: impl FnOnce(Fetched) -> Mechanism,
) -> Support {
    match found {
        Ok((fetched, None)) => Support::Native(mechanism(fetched)),
        Ok((fetched, Some(how))) => Support::Emulated(mechanism(fetched), how),
        Err(lost) => Support::impossible(lost.why, lost.help, "Mesos, launcher/fetcher.cpp"),
    }
}

fn code(uri: &Uri, at: Option<&str>, plan: &Plan) -> Support {
    given(fetch::fetched(&fetch::folder(plan, None), uri, at, plan), Mechanism::Code)
}

fn stage(index: usize, uri: &Uri, at: Option<&str>, plan: &Plan) -> Support {
    let name = fetch::folder(plan, Some(index));
    given(fetch::fetched(&name, uri, at, plan), |fetched| Mechanism::Stage { index, fetched })
}

/// Where a program finds by its uri what is not on a network: only at that very path.
fn local(
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
            format!("mounts no {} into a task", uri.scheme().storage()),
            format!("put it where the program opens it, such as `hdfs:` or `gs:`; or {FOLDER}"),
            PROOF,
        ),
    }
}

fn data(index: usize, uri: &Uri, writable: bool) -> Support {
    local(uri, writable, |mount| Mechanism::Data { index, mount }, "the program opens this uri")
}

fn checkpoints(uri: &Uri) -> Support {
    local(uri, true, Mechanism::Checkpoints, "the program opens this uri")
}

fn mount(
    uri: &Uri,
    at: &str,
    writable: bool,
    plan: &Plan,
    mechanism: impl FnOnce(Mount) -> Mechanism,
) -> Support {
    if let Some(why) = taken(at, plan) {
        return Support::impossible(why, "name another path with `at=\"/…\"`", "dcos#mount-paths");
    }
    match uri.scheme().class() {
        Class::Node if bare(plan) && uri.path() != at => Support::impossible(
            "mounts folders into images only",
            format!("name an `image`, or write `at=\"{}\"`", uri.path()),
            PROOF,
        ),
        Class::Node => Support::Emulated(
            mechanism(Mount { host: uri.path().to_owned(), at: at.to_owned(), writable }),
            "it is the folder of whichever agent runs the task".into(),
        ),
        Class::Hadoop | Class::Bucket | Class::Web | Class::Repository => Support::impossible(
            format!("mounts no {} into a task", uri.scheme().storage()),
            format!("remove `at` if the program opens the uri itself; or {FOLDER}"),
            PROOF,
        ),
        Class::Volume | Class::Spec => Support::impossible(
            format!("mounts no {} into a task", uri.scheme().storage()),
            format!("put it where the program opens it, such as `hdfs:` or `gs:`, without `at`; or {FOLDER}"),
            PROOF,
        ),
    }
}

fn fresh(mounted: bool, plan: &Plan) -> Support {
    let at = plan.storage.checkpoints.as_ref().and_then(|c| c.at.as_ref()).filter(|_| mounted);
    let uri = plan.storage.checkpoints.as_ref().map(|state| &state.uri.value);
    let own = uri.filter(|uri| uri.scheme().class() == Class::Node).map_or("/mnt/ckpt", Uri::path);
    let again = |required: &Required| match &required.requirement {
        Requirement::Lifecycle(Lifecycle::Restart { restart, .. }) => restart.on != RestartOn::Never,
        _ => false,
    };
    match at {
        Some(_) if plan.requirements.iter().any(again) => Support::unsupported(
            "looks again whenever Marathon starts a task anew, and would find the job's own checkpoints",
            "remove `restart`, or `if-exists` and let the program look",
            "dcos#restarts-without-end",
        ),
        // A shim that has refused leaves its app, whose name has an address, and nobody on its port: as a program that has
        // begun and does not listen.
        Some(_) if plan.peers() > 1 || plan.roles.iter().any(|role| role.kind == RoleKind::Evaluator) => {
            Support::unsupported(
                "keeps the app of a task that has refused the folder: the other tasks cannot tell it from one that has begun, and would go on from what is there",
                "remove `if-exists`, and let the task that leads look before the others write",
                "dcos#restarts-without-end",
            )
        }
        Some(at) => Support::Emulated(
            Mechanism::Fresh { path: at.value.clone() },
            "the shim looks into the folder before the program starts".into(),
        ),
        None => Support::unsupported(
            "sees no state behind a uri",
            // Without an image a folder of the agent is at its own path.
            format!(
                "let the program look; or write `checkpoints \"file://{own}\" at=\"{own}\"`, a folder that a cluster file has to call `shared` if several tasks keep checkpoints there"
            ),
            PROOF,
        ),
    }
}
