//! A TensorBoard: a Deployment and a Service of its own, which read what is mounted or what has a uri.
use super::{Answered, Case};
use crate::beside;
use crate::kubernetes::expand::escape;
use crate::kubernetes::grammar::LABEL;
use crate::kubernetes::means::{Board, Means, Mount, Storage, bytes, cores};
use tfjob_lang::ask::{Ask, Tensorboard};
use tfjob_lang::plan::{RoleKind, Volume};
use tfjob_lang::sources::Span;
use tfjob_lang::target::Answer;

/// A name, an escaped value, and the words behind them where these are not the board's own.
type Variable = (String, String, Option<Span>);

/// The label with a node's name.
const HOSTNAME: &str = "kubernetes.io/hostname";

/// What is added to the job's name.
pub const SUFFIX: &str = "-tensorboard";

/// Runs the program with Hadoop's jars: libhdfs expands no `*`.
const WITH_HADOOP: &str = r#"CLASSPATH="$("$HADOOP_HOME/bin/hadoop" classpath --glob)${CLASSPATH:+:$CLASSPATH}"
export CLASSPATH
exec "$@""#;

pub fn tensorboard(case: &Case<'_>, asked: &Tensorboard) -> Answered {
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
    let mounts = seen(case, &logs);
    if logs.starts_with('/') && mounts.is_empty() {
        return Answer::impossible(
            "runs TensorBoard in a Pod of its own, which sees only what is mounted",
            "`logs=\"{checkpoints}\"` with `checkpoints \"pvc://…\" at=\"/ckpt\"`, or a uri",
            PROOF,
        );
    }
    let own = mounts
        .iter()
        .any(|mount| mount.name == "checkpoints" && matches!(mount.storage, Storage::Host { .. }));
    let node = own.then(|| pinned(case)).flatten();
    if own && node.is_none() {
        return Answer::refused(
            "runs TensorBoard in a Pod of its own, maybe on another node than the task, whose node alone has `file:` checkpoints",
            "checkpoints on `pvc:` or `nfs:`, or name the node for the task: `place { node \"kubernetes.io/hostname\" \"NODE\"; }`",
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
    let how = "a Deployment and a Service beside the TFJob; they stay until they are deleted".to_owned();
    Answer::Emulated(Means::Tensorboard(Box::new(board)), how)
}

/// The one node on which the task runs.
fn pinned(case: &Case<'_>) -> Option<(String, String, Span)> {
    case.plan.asks.iter().find_map(|asked| match &asked.ask {
        Ask::PlaceNode { role, key, value }
            if key == HOSTNAME && case.plan.roles[*role].kind != RoleKind::Helper =>
        {
            Some((key.clone(), value.clone(), asked.at))
        }
        _ => None,
    })
}

/// The mounts below which the logs are, read only.
fn seen(case: &Case<'_>, logs: &str) -> Vec<Mount> {
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
                None => super::storage::checkpoints(case, &volume.uri.value, &at.value),
                Some(i) => super::storage::data(case, i, &volume.uri.value, &at.value, false),
            };
            match answer {
                Answer::Native(Means::Mount(mount)) => Some(Mount { writable: false, ..mount }),
                Answer::Native(_) | Answer::Emulated(..) | Answer::Ignored(_) | Answer::Refused(_) => None,
            }
        })
        .collect()
}

/// Hadoop's variables where it reads by them, then those that all roles have alike; the command learns of Hadoop's jars.
fn environment(case: &Case<'_>, asked: &Tensorboard, command: &mut Vec<String>) -> Vec<Variable> {
    let mut env: Vec<Variable> = Vec::new();
    let of_hadoop = beside::read_by(case.plan, &asked.logs).is_some_and(beside::by_libhdfs);
    if let Some((home, java, conf, at)) = beside::hadoop(case.plan).filter(|_| of_hadoop) {
        let conf = conf.map_or_else(|| format!("{home}/etc/hadoop"), str::to_owned);
        let java_libraries = format!("{java}/lib/server:{java}/jre/lib/amd64/server:{java}/lib/amd64/server");
        let own = beside::variables(case.plan).into_iter().find(|(name, ..)| *name == "LD_LIBRARY_PATH");
        let own = own.and_then(|(_, value, _)| case.places.fixed(value)).map(|own| format!("{own}:"));
        let path = format!("{}{java_libraries}:{home}/lib/native", own.unwrap_or_default());
        let pairs = [
            ("HADOOP_HOME", home),
            ("HADOOP_HDFS_HOME", home),
            ("HADOOP_CONF_DIR", &conf),
            ("JAVA_HOME", java),
            ("LD_LIBRARY_PATH", &path),
        ];
        env.extend(pairs.map(|(name, value)| (name.to_owned(), escape(value), Some(at))));
        let shell = ["/bin/sh", "-euc", WITH_HADOOP, "sh"].map(escape);
        command.splice(0..0, shell);
    }
    for (name, value, at) in beside::variables(case.plan) {
        let text = case.places.fixed(value).filter(|_| env.iter().all(|(known, ..)| known != name));
        env.extend(text.map(|text| (name.to_owned(), escape(&text), Some(at))));
    }
    env
}
