//! A TensorBoard: a Deployment and a Service of its own, which read what is mounted or what has a uri.

use super::Answer;
use crate::beside;
use crate::carry::{plain, variable_of};
use crate::libhdfs;
use crate::pod::context::Context;
use crate::pod::expand::escape;
use crate::pod::grammar::LABEL;
use crate::pod::means::{Board, HOSTNAME, Means, Mount, Storage};
use crate::pod::quantity::{bytes, cores};
use crate::pod::support::storage;
use tfjob_contract::Value;
use tfjob_lang::ask::{Ask, Placement, Tensorboard};
use tfjob_lang::plan::Volume;
use tfjob_lang::sources::Span;

/// A name, an escaped value, and the words behind them where these are not the board's own.
type Variable = (String, String, Option<Span>);

/// What is added to the job's name.
pub const SUFFIX: &str = "-tensorboard";

pub fn tensorboard(case: &Context<'_>, asked: &Tensorboard) -> Answer {
    const PROOF: &str = "kubernetes §2, TensorBoard";
    let name = &case.plan.name.value;
    if name.len() + SUFFIX.len() > LABEL {
        return Answer::impossible(
            format!("names its Service `{name}{SUFFIX}`, which has more than {LABEL} characters"),
            format!("a job's name of at most {} characters", LABEL - SUFFIX.len()),
            "kubernetes-observed §4",
        );
    }
    let Some(image) = &asked.image else {
        let help = "`tensorboard image=\"…\"`, or an image for the job";
        return Answer::impossible("runs TensorBoard in a container, and there is no image", help, PROOF);
    };
    let Some(logs) = case.places.fixed(&asked.logs) else {
        let help = "`logs` with a path or a uri that the spec knows";
        return Answer::impossible(
            "starts TensorBoard where no task is, and only a task knows this",
            help,
            PROOF,
        );
    };
    if beside::is_unopened(&asked.logs) {
        return Answer::impossible(beside::UNOPENED, beside::OPENED, PROOF);
    }
    let mounts = seen(case, &logs);
    if logs.starts_with('/') && mounts.is_empty() {
        return Answer::impossible(
            "runs TensorBoard in a Pod of its own, which sees only what is mounted",
            "`logs=\"{checkpoints}\"` with `checkpoints \"pvc://…\" at=\"/ckpt\"`, or a uri",
            PROOF,
        );
    }
    let own = beside::folder(case.plan, &asked.logs).is_some_and(Volume::is_of_node)
        && mounts.iter().any(|mount| matches!(mount.storage, Storage::Host { .. }));
    let node = own.then(|| pinned(case)).flatten();
    if own && node.is_none() {
        return Answer::refused(
            "runs TensorBoard in a Pod of its own, maybe on another node than the task, whose node alone has the `file:` directory of its logs",
            "logs on `pvc:` or `nfs:`, or name the node for the task: `place { node \"kubernetes.io/hostname\" \"NODE\"; }`",
            PROOF,
        );
    }
    let port = asked.port.to_string();
    let words = ["tensorboard", "--logdir", &logs, "--host", "0.0.0.0", "--port", &port];
    let mut command: Vec<String> = words.iter().map(|word| escape(word)).collect();
    let env = environment(case, asked, &mut command);
    let entry = |(secret, at): (beside::Secret, Span)| secret.key.clone().map(|key| (secret, key, at));
    let board = Board {
        image: image.to_string(),
        command,
        env,
        secrets: beside::secrets(case.plan).into_iter().filter_map(entry).collect(),
        port: asked.port,
        cpu: cores(asked.milli),
        memory: bytes(asked.bytes),
        mounts,
        node,
    };
    let how = how(case, &board);
    Answer::Emulated(Means::Tensorboard(Box::new(board)), how)
}

fn how(case: &Context<'_>, board: &Board) -> String {
    let placed =
        case.plan.asks.iter().any(|asked| matches!(asked.ask, Ask::Placement(Placement::Node { .. })));
    let anywhere = if placed && board.node.is_none() { "; `place` is for the tasks alone" } else { "" };
    format!(
        "a Deployment and a Service beside the {}; they stay until they are deleted{anywhere}",
        case.kind.name
    )
}

/// The one node on which the task runs.
fn pinned(case: &Context<'_>) -> Option<(String, String, Span)> {
    let programs = case.plan.roles.iter().filter(|role| role.kind.joins_rendezvous()).count();
    let named = case.plan.asks.iter().filter_map(|asked| {
        let Ask::Placement(Placement::Node { role, key, value }) = &asked.ask else { return None };
        let program = case.plan.roles[*role].kind.joins_rendezvous();
        (key == HOSTNAME && program).then(|| (key.clone(), value.clone(), asked.at))
    });
    let named: Vec<_> = named.collect();
    let first = named.first()?;
    // What tasks of several nodes write is on no one node.
    let one = named.len() == programs && named.iter().all(|(_, value, _)| *value == first.1);
    one.then(|| first.clone())
}

/// The mounts below which the logs are, read only.
fn seen(case: &Context<'_>, logs: &str) -> Vec<Mount> {
    let storage = &case.plan.storage;
    let holds = |volume: &&Volume| {
        let at = volume.at.as_ref().map(|at| at.value.as_str());
        at.is_some_and(|at| logs == at || logs.strip_prefix(at).is_some_and(|rest| rest.starts_with('/')))
    };
    let checkpoints = storage.checkpoints.iter().filter(holds).map(|volume| (volume, None));
    let data = storage.data.iter().enumerate().filter(|(_, v)| holds(v)).map(|(i, v)| (v, Some(i)));
    checkpoints
        .chain(data)
        .filter_map(|(volume, index)| {
            let at = volume.at.as_ref()?;
            let answer = match index {
                None => storage::checkpoints(case, &volume.uri.value, &at.value),
                Some(i) => storage::data(case, i, &volume.uri.value, &at.value, false),
            };
            match answer {
                Answer::Native(Means::Mount(mount)) | Answer::Emulated(Means::Mount(mount), _) => {
                    Some(Mount { writable: false, ..mount })
                }
                Answer::Native(_)
                | Answer::Emulated(..)
                | Answer::Inherent { .. }
                | Answer::Ignored(_)
                | Answer::Refused(_) => None,
            }
        })
        .collect()
}

/// The variables that all roles have alike, and Hadoop's where it reads by them. A shell sets what the image's own variables
/// complete (`{env.PATH}`, the directory of Hadoop's configuration), and lists Hadoop's jars.
fn environment(case: &Context<'_>, asked: &Tensorboard, command: &mut Vec<String>) -> Vec<Variable> {
    let value = |(name, value, at)| (name, case.places.value(value, case.plan), at);
    let shared: Vec<(&str, Value, Span)> = beside::variables(case.plan).into_iter().map(value).collect();
    let (fixed, exports) = split(&shared);
    let mut lines = Vec::new();
    if !exports.is_empty() {
        lines.push(format!("export {}", exports.join(" ")));
    }
    if beside::read_by(case.plan, &asked.logs).is_some_and(beside::by_libhdfs) {
        let hadoop = beside::hadoop(case.plan);
        lines.extend(hadoop.into_iter().flat_map(|(home, java, conf, _)| libhdfs::exports(home, java, conf)));
    }
    if !lines.is_empty() {
        lines.push("exec \"$@\"".to_owned());
        let shell = ["/bin/sh", "-ec", &lines.join("\n"), "sh"].map(escape);
        command.splice(0..0, shell);
    }
    fixed
}

/// What a container's definition can hold, and what a shell sets: it is all set at once, and none sees another.
fn split(shared: &[(&str, Value, Span)]) -> (Vec<Variable>, Vec<String>) {
    let read: Vec<&str> = shared.iter().flat_map(|(_, value, _)| value).filter_map(variable_of).collect();
    let (mut fixed, mut exports) = (Vec::new(), Vec::new());
    for (name, value, at) in shared {
        let text: Option<String> = value.iter().map(plain).collect();
        match (text.filter(|_| !read.contains(name)), beside::shell_word(value)) {
            (Some(text), _) => fixed.push(((*name).to_owned(), escape(&text), Some(*at))),
            (None, word) => exports.extend(word.map(|word| format!("{name}={word}"))),
        }
    }
    (fixed, exports)
}
