//! Support of TensorBoard: a separate Deployment, which reads logs from a mounted volume or a URI, and its Service.

use super::Support;
use crate::contract_builder::{plain, variable_of};
use crate::helper_environment::{self, Secret};
use crate::libhdfs;
use crate::pod::context::Context;
use crate::pod::expand::escape;
use crate::pod::grammar::LABEL;
use crate::pod::mechanism::{Board, HOSTNAME, Mechanism, Mount, Storage};
use crate::pod::quantity::{bytes, cores};
use crate::pod::support::storage;
use tfjob_contract::Value;
use tfjob_lang::plan::Volume;
use tfjob_lang::requirement::{Placement, Requirement, Tensorboard};
use tfjob_lang::sources::Span;

/// An environment variable: name, escaped value, and span in the spec. The span is `None` if TensorBoard itself needs the
/// variable.
type Variable = (String, String, Option<Span>);

/// Text after the job name in the names of the TensorBoard objects.
pub const SUFFIX: &str = "-tensorboard";

/// Returns the support of TensorBoard.
pub fn tensorboard(context: &Context<'_>, required: &Tensorboard) -> Support {
    const EVIDENCE: &str = "kubernetes#tensorboard";
    let name = &context.plan.name.value;
    if name.len() + SUFFIX.len() > LABEL {
        return Support::impossible(
            format!(
                "the Service of TensorBoard would be named `{name}{SUFFIX}`, but a Service name has at most {LABEL} characters"
            ),
            format!("shorten the job name to at most {} characters", LABEL - SUFFIX.len()),
            "kubernetes#service-names",
        );
    }
    let Some(image) = &required.image else {
        let help = "add `tensorboard image=\"…\"`, or set `image` for the job";
        return Support::impossible("TensorBoard runs in a container, but no image is set", help, EVIDENCE);
    };
    let Some(logs) = context.places.fixed(&required.logs) else {
        let help = "set `logs` to a path or a URI without references to values of a task";
        return Support::impossible(
            "TensorBoard runs outside the tasks, but `logs` refers to a value that only a task knows",
            help,
            EVIDENCE,
        );
    };
    if helper_environment::is_unopened(&required.logs) {
        return Support::impossible(helper_environment::UNOPENED, helper_environment::OPENED, EVIDENCE);
    }
    let mounts = log_mounts(context, &logs);
    if logs.starts_with('/') && mounts.is_empty() {
        return Support::impossible(
            "TensorBoard runs in a separate pod, where this path exists only if `logs` is in a volume that the job mounts",
            "write `logs=\"{checkpoints}\"` and mount the checkpoints with `checkpoints \"pvc://…\" at=\"/ckpt\"`; or write a URI, such as `logs=\"gs://BUCKET/logs\"`",
            EVIDENCE,
        );
    }
    let on_node = helper_environment::folder(context.plan, &required.logs).is_some_and(Volume::is_of_node)
        && mounts.iter().any(|mount| matches!(mount.storage, Storage::Host { .. }));
    let node = on_node.then(|| task_node(context)).flatten();
    if on_node && node.is_none() {
        return Support::unsupported(
            "TensorBoard runs in a separate pod, possibly on another node, but `file:` logs exist only on the node of the task",
            "put the logs on `pvc:` or `nfs:`, or bind the task to a node: `placement { node \"kubernetes.io/hostname\" \"NODE\"; }`",
            EVIDENCE,
        );
    }
    let mut command = command(&logs, required.port);
    let env = environment(context, required, &mut command);
    let entry = |(secret, at): (Secret, Span)| secret.key.clone().map(|key| (secret, key, at));
    let board = Board {
        image: image.to_string(),
        command,
        env,
        secrets: helper_environment::secrets(context.plan).into_iter().filter_map(entry).collect(),
        port: required.port,
        cpu: cores(required.milli),
        memory: bytes(required.bytes),
        mounts,
        node,
    };
    let how = how(context, &board);
    Support::Emulated(Mechanism::Tensorboard(Box::new(board)), how)
}

fn command(logs: &str, port: u16) -> Vec<String> {
    let port = port.to_string();
    ["tensorboard", "--logdir", logs, "--host", "0.0.0.0", "--port", &port].map(escape).to_vec()
}

fn how(context: &Context<'_>, board: &Board) -> String {
    let placed = context
        .plan
        .requirements
        .iter()
        .any(|required| matches!(required.requirement, Requirement::Placement(Placement::Node { .. })));
    let anywhere =
        if placed && board.node.is_none() { "; `placement` applies only to the tasks" } else { "" };
    format!(
        "TensorBoard runs as a Deployment and a Service next to the {}; both stay until you delete them{anywhere}",
        context.kind.name
    )
}

/// Returns the host name label that binds all tasks of the job to one node, if there is one: key, value, and span.
fn task_node(context: &Context<'_>) -> Option<(String, String, Span)> {
    let programs = context.plan.roles.iter().filter(|role| role.kind.joins_rendezvous()).count();
    let named = context.plan.requirements.iter().filter_map(|required| {
        let Requirement::Placement(Placement::Node { role, key, value }) = &required.requirement else {
            return None;
        };
        let program = context.plan.roles[*role].kind.joins_rendezvous();
        (key == HOSTNAME && program).then(|| (key.clone(), value.clone(), required.at))
    });
    let named: Vec<_> = named.collect();
    let first = named.first()?;
    // If the tasks are bound to different nodes, no node has all logs.
    let one = named.len() == programs && named.iter().all(|(_, value, _)| *value == first.1);
    one.then(|| first.clone())
}

/// Returns the read-only mounts that contain the logs.
fn log_mounts(context: &Context<'_>, logs: &str) -> Vec<Mount> {
    let storage = &context.plan.storage;
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
            let support = match index {
                None => storage::checkpoints(context, &volume.uri.value, &at.value),
                Some(i) => storage::data(context, i, &volume.uri.value, &at.value, false),
            };
            match support {
                Support::Native(Mechanism::Mount(mount)) | Support::Emulated(Mechanism::Mount(mount), _) => {
                    Some(Mount { writable: false, ..mount })
                }
                Support::Native(_)
                | Support::Emulated(..)
                | Support::Inherent { .. }
                | Support::Ignored(_)
                | Support::Unsupported(_) => None,
            }
        })
        .collect()
}

/// Returns the environment variables for the container spec: those that all roles share. If a value refers to a variable of the
/// image, or if TensorBoard needs libhdfs, this function adds a shell to `command`. The shell exports the variables with such
/// values, and finds the Hadoop JARs.
fn environment(context: &Context<'_>, required: &Tensorboard, command: &mut Vec<String>) -> Vec<Variable> {
    let value = |(name, value, at)| (name, context.places.value(value, context.plan), at);
    let shared: Vec<(&str, Value, Span)> =
        helper_environment::variables(context.plan).into_iter().map(value).collect();
    let (fixed, exports) = split(&shared);
    let mut lines = Vec::new();
    if !exports.is_empty() {
        lines.push(format!("export {}", exports.join(" ")));
    }
    if helper_environment::read_by(context.plan, &required.logs).is_some_and(helper_environment::by_libhdfs) {
        let hadoop = helper_environment::hadoop(context.plan);
        lines.extend(hadoop.into_iter().flat_map(|(home, java, conf, _)| libhdfs::exports(home, java, conf)));
    }
    if !lines.is_empty() {
        lines.push("exec \"$@\"".to_owned());
        let shell = ["/bin/sh", "-ec", &lines.join("\n"), "sh"].map(escape);
        command.splice(0..0, shell);
    }
    fixed
}

/// Splits environment variables into those that the container spec can contain, and those that a shell must export. The shell must
/// export a variable with a reference in its value, such as `{env.PATH}`. It must also export the variable to which such a
/// reference refers: if the container spec contained this variable, its value would replace the value in the image, which the
/// reference stands for. One `export` line expands all references before it sets any variable.
fn split(shared: &[(&str, Value, Span)]) -> (Vec<Variable>, Vec<String>) {
    let read: Vec<&str> = shared.iter().flat_map(|(_, value, _)| value).filter_map(variable_of).collect();
    let (mut fixed, mut exports) = (Vec::new(), Vec::new());
    for (name, value, at) in shared {
        let text: Option<String> = value.iter().map(plain).collect();
        match (text.filter(|_| !read.contains(name)), helper_environment::shell_word(value)) {
            (Some(text), _) => fixed.push(((*name).to_owned(), escape(&text), Some(*at))),
            (None, word) => exports.extend(word.map(|word| format!("{name}={word}"))),
        }
    }
    (fixed, exports)
}
