//! Code, data and checkpoints.
pub mod fetch;

use super::Answer;
use crate::dcos::context::Context;
use crate::dcos::marathon::means::{Fetched, Means, Mount};
use crate::dcos::marathon::support::mounts::{bare, taken};
use tfjob_lang::ask::{self, Ask, Asked, Lifecycle};
use tfjob_lang::plan::{Plan, RoleKind};
use tfjob_lang::spec::RestartOn;
use tfjob_lang::spec::values::{Class, Uri};

const PROOF: &str = "spark-dcos §3.6";

/// A folder of each agent: checkpoints of several tasks are the same there only if the site says so.
const FOLDER: &str = "name a folder that every agent has, `file:///…`; if several tasks keep checkpoints there, a cluster file has to call it `shared`";

/// Answers one requirement: code, data and checkpoints.
pub fn answer(ask: &ask::Storage, Context { plan, .. }: &Context<'_>) -> Answer {
    match ask {
        ask::Storage::Code { uri, reference: _, at } => code(uri, at.as_deref(), plan),
        ask::Storage::Stage { index, uri, at } => stage(*index, uri, at.as_deref(), plan),
        ask::Storage::DataUri { index, uri, writable } => data(*index, uri, *writable),
        ask::Storage::DataMount { index, uri, at, writable } => {
            mount(uri, at, *writable, plan, |mount| Means::Data { index: *index, mount })
        }
        ask::Storage::CheckpointsUri { uri } => checkpoints(uri),
        ask::Storage::CheckpointsMount { uri, at } => mount(uri, at, true, plan, Means::Checkpoints),
        ask::Storage::CheckpointsEvery { .. } => Answer::inherent("the program keeps this promise"),
        ask::Storage::CheckpointsFresh { mounted } => fresh(*mounted, plan),
        ask::Storage::Scratch { role } => Answer::Native(Means::Scratch { role: *role }),
    }
}

fn given(
    found: Result<(Fetched, Option<String>), fetch::Lost>,
    means: impl FnOnce(Fetched) -> Means,
) -> Answer {
    match found {
        Ok((fetched, None)) => Answer::Native(means(fetched)),
        Ok((fetched, Some(how))) => Answer::Emulated(means(fetched), how),
        Err(lost) => Answer::impossible(lost.why, lost.help, "Mesos, launcher/fetcher.cpp"),
    }
}

fn code(uri: &Uri, at: Option<&str>, plan: &Plan) -> Answer {
    given(fetch::fetched(&fetch::folder(plan, None), uri, at, plan), Means::Code)
}

fn stage(index: usize, uri: &Uri, at: Option<&str>, plan: &Plan) -> Answer {
    let name = fetch::folder(plan, Some(index));
    given(fetch::fetched(&name, uri, at, plan), |fetched| Means::Stage { index, fetched })
}

/// Where a program finds by its uri what is not on a network: only at that very path.
fn local(uri: &Uri, writable: bool, means: impl FnOnce(Mount) -> Means, opened: &'static str) -> Answer {
    match uri.scheme().class() {
        Class::Hadoop | Class::Bucket | Class::Web | Class::Repository => Answer::inherent(opened),
        Class::Node => {
            let path = uri.path().to_owned();
            Answer::Native(means(Mount { host: path.clone(), at: path, writable }))
        }
        Class::Volume | Class::Spec => Answer::refused(
            format!("mounts no {} into a task", uri.scheme().storage()),
            format!("put it where the program opens it, such as `hdfs:` or `gs:`; or {FOLDER}"),
            PROOF,
        ),
    }
}

fn data(index: usize, uri: &Uri, writable: bool) -> Answer {
    local(uri, writable, |mount| Means::Data { index, mount }, "the program opens this uri")
}

fn checkpoints(uri: &Uri) -> Answer {
    local(uri, true, Means::Checkpoints, "the program opens this uri")
}

fn mount(uri: &Uri, at: &str, writable: bool, plan: &Plan, means: impl FnOnce(Mount) -> Means) -> Answer {
    if let Some(why) = taken(at, plan) {
        return Answer::impossible(why, "name another path with `at=\"/…\"`", PROOF);
    }
    match uri.scheme().class() {
        Class::Node if bare(plan) && uri.path() != at => Answer::impossible(
            "mounts folders into images only",
            format!("name an `image`, or write `at=\"{}\"`", uri.path()),
            PROOF,
        ),
        Class::Node => Answer::Emulated(
            means(Mount { host: uri.path().to_owned(), at: at.to_owned(), writable }),
            "it is the folder of whichever agent runs the task".into(),
        ),
        Class::Hadoop | Class::Bucket | Class::Web | Class::Repository => Answer::impossible(
            format!("mounts no {} into a task", uri.scheme().storage()),
            format!("remove `at` if the program opens the uri itself; or {FOLDER}"),
            PROOF,
        ),
        Class::Volume | Class::Spec => Answer::impossible(
            format!("mounts no {} into a task", uri.scheme().storage()),
            format!("put it where the program opens it, such as `hdfs:` or `gs:`, without `at`; or {FOLDER}"),
            PROOF,
        ),
    }
}

fn fresh(mounted: bool, plan: &Plan) -> Answer {
    let at = plan.storage.checkpoints.as_ref().and_then(|c| c.at.as_ref()).filter(|_| mounted);
    let uri = plan.storage.checkpoints.as_ref().map(|state| &state.uri.value);
    let own = uri.filter(|uri| uri.scheme().class() == Class::Node).map_or("/mnt/ckpt", Uri::path);
    let again = |asked: &Asked| match &asked.ask {
        Ask::Lifecycle(Lifecycle::Restart { restart, .. }) => restart.on != RestartOn::Never,
        _ => false,
    };
    match at {
        Some(_) if plan.asks.iter().any(again) => Answer::refused(
            "looks again whenever Marathon starts a task anew, and would find the job's own checkpoints",
            "remove `restart`, or `fresh` and let the program look",
            PROOF,
        ),
        // A shim that has refused leaves its app, whose name has an address, and nobody on its port: as a program that has
        // begun and does not listen.
        Some(_) if plan.peers() > 1 || plan.roles.iter().any(|role| role.kind == RoleKind::Evaluator) => {
            Answer::refused(
                "keeps the app of a task that has refused the folder: the other tasks cannot tell it from one that has begun, and would go on from what is there",
                "remove `fresh`, and let the task that leads look before the others write",
                PROOF,
            )
        }
        Some(at) => Answer::Emulated(
            Means::Fresh { path: at.value.clone() },
            "the shim looks into the folder before the program starts".into(),
        ),
        None => Answer::refused(
            "sees no state behind a uri",
            // Without an image a folder of the agent is at its own path.
            format!(
                "let the program look; or write `checkpoints \"file://{own}\" at=\"{own}\"`, a folder that a cluster file has to call `shared` if several tasks keep checkpoints there"
            ),
            PROOF,
        ),
    }
}
