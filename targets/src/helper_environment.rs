//! Environment variables and secrets of helpers such as TensorBoard: those that all roles of the job share.
use crate::codes::UNSHARED_SECRET;
use crate::shell::quote;
use std::collections::{BTreeMap, BTreeSet};
use tfjob_contract::Piece;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::{DataRef, Part, Plan, RoleId, TaskRef, Template, Volume};
use tfjob_lang::requirement::{Identity, Job, Program, Required, Requirement, Tensorboard};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::{Class, Scheme, Uri};

/// A secret that all roles have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Secret {
    /// Name of the environment variable that contains the secret, or the path of its file.
    pub env: String,
    /// Name of the secret in the platform's secret store.
    pub from: String,
    /// Key of the entry in the secret, if the secret has several entries.
    pub key: Option<String>,
    /// Path of the file, if the secret is mounted as a file.
    pub at: Option<String>,
}

/// Returns the environment variables that have the same value in all roles, each with its span in the first role. A value that
/// depends on the task is not shared. A value may refer to variables of the image, such as `{env.PATH}`, because each program can
/// expand them.
#[must_use]
pub fn variables<'p>(plan: &'p Plan) -> Vec<(&'p str, &'p Template, Span)> {
    let one = |required: &'p Required| {
        let Requirement::Program(Program::Env { role, name, value }) = &required.requirement else {
            return None;
        };
        Some((*role, name.as_str(), value, required.at))
    };
    let all: Vec<_> = plan.requirements.iter().filter_map(one).collect();
    let of_first = all.iter().filter(|(role, ..)| *role == 0);
    let shared = of_first.filter(|(_, name, value, _)| {
        fixed(value)
            && (1..plan.roles.len()).all(|role| {
                all.iter().any(|other| (other.0, other.1) == (role, *name) && same(other.2, value))
            })
    });
    shared.map(|(_, name, value, at)| (*name, *value, *at)).collect()
}

fn fixed(value: &Template) -> bool {
    value.parts.iter().all(|part| match part {
        Part::Text(_) | Part::Data(..) | Part::Task(TaskRef::Env(_), _) => true,
        Part::Task(
            TaskRef::Index | TaskRef::Address | TaskRef::Addresses(_) | TaskRef::Port(_) | TaskRef::Done,
            _,
        ) => false,
    })
}

/// Returns a value as one shell argument, in which the shell expands environment variables of the container. `None` if the value
/// contains another kind of reference.
#[must_use]
pub fn shell_word(value: &[Piece]) -> Option<String> {
    let part = |piece: &Piece| match piece {
        Piece::Text(text) if text.is_empty() => Some(String::new()),
        Piece::Text(text) => Some(quote(text)),
        Piece::Env(name) => Some(format!("\"${{{name}-}}\"")),
        Piece::Index | Piece::Address | Piece::Addresses(_) | Piece::Port(_) | Piece::Done => None,
    };
    value.iter().map(part).collect()
}

/// Returns whether two templates are equal, regardless of their spans.
fn same(a: &Template, b: &Template) -> bool {
    let equal = |(a, b): (&Part, &Part)| match (a, b) {
        (Part::Text(a), Part::Text(b)) => a == b,
        (Part::Data(a, _), Part::Data(b, _)) => a == b,
        (Part::Task(TaskRef::Env(a), _), Part::Task(TaskRef::Env(b), _)) => a == b,
        (Part::Text(_) | Part::Data(..) | Part::Task(..), _) => false,
    };
    a.parts.len() == b.parts.len() && a.parts.iter().zip(&b.parts).all(equal)
}

/// Returns the secrets that all roles request, each with its span in the first role.
#[must_use]
pub fn secrets(plan: &Plan) -> Vec<(Secret, Span)> {
    let mut found = all_secrets(plan);
    let mut having: BTreeMap<Secret, BTreeSet<RoleId>> = BTreeMap::new();
    for (role, secret, _) in &found {
        having.entry(secret.clone()).or_default().insert(*role);
    }
    found.retain(|(role, secret, _)| *role == 0 && having[secret].len() == plan.roles.len());
    found.into_iter().map(|(_, secret, at)| (secret, at)).collect()
}

fn all_secrets(plan: &Plan) -> Vec<(RoleId, Secret, Span)> {
    let one =
        |required: &Required| {
            let (role, env, from, key, at) =
                if let Requirement::Identity(Identity::SecretEnv { role, env, from, key }) =
                    &required.requirement
                {
                    (*role, env, from, key, None)
                } else if let Requirement::Identity(Identity::SecretFile { role, env, from, key, at }) =
                    &required.requirement
                {
                    (*role, env, from, key, Some(at.clone()))
                } else {
                    return None;
                };
            Some((role, Secret { env: env.clone(), from: from.clone(), key: key.clone(), at }, required.at))
        };
    plan.requirements.iter().filter_map(one).collect()
}

/// Returns the directories of Hadoop, Java, and the Hadoop configuration, and the span that sets them.
#[must_use]
pub fn hadoop(plan: &Plan) -> Option<(&str, &str, Option<&str>, Span)> {
    plan.requirements.iter().find_map(|required| {
        let Requirement::Program(Program::Hadoop { home, java, conf }) = &required.requirement else {
            return None;
        };
        Some((home.as_str(), java.as_str(), conf.as_deref(), required.at))
    })
}

/// Returns the volume with a `file:` URI that contains the logs, if there is one. It is a directory of the node.
#[must_use]
pub fn folder<'p>(plan: &'p Plan, logs: &Template) -> Option<&'p Volume> {
    let storage = &plan.storage;
    let found = match logs.parts.first()? {
        Part::Data(DataRef::Checkpoints, _) => storage.checkpoints.as_ref(),
        Part::Data(DataRef::Data(index), _) => storage.data.get(*index),
        Part::Text(text) => volume_of(plan, text),
        Part::Data(DataRef::Code | DataRef::Stage(_) | DataRef::Scratch, _) | Part::Task(..) => None,
    };
    found.filter(|volume| volume.uri.value.scheme().class() == Class::Node)
}

/// Why TensorBoard cannot read logs; see [`is_unopened`].
pub const UNOPENED: &str = "TensorBoard runs in a separate container, so it cannot read these logs: they must be at a mounted path or at a URI that TensorFlow can open";
/// Help of the refusal with the reason [`UNOPENED`].
pub const OPENED: &str = "set `logs` to the path of a mount, to a URI of `hdfs:`, `gs:`, or `s3:`, or to a reference such as `{checkpoints}/logs`";

/// Returns whether `logs` is a path next to the spec, or a URI that can only be mounted. Nothing mounts it, so TensorBoard would
/// get this text unchanged as `--logdir`, and could not open it.
#[must_use]
pub fn is_unopened(logs: &Template) -> bool {
    let Some(Part::Text(text)) = logs.parts.first().filter(|_| logs.parts.len() == 1) else { return false };
    !text.starts_with('/') && Uri::parse(text).is_ok_and(|uri| !uri.scheme().class().is_file_system())
}

/// Returns whether `logs` is a path outside all mounts of the job. Such a path exists only in the container of the task that writes
/// the logs.
#[must_use]
pub fn is_unmounted(plan: &Plan, logs: &Template) -> bool {
    let Some(Part::Text(text)) = logs.parts.first() else { return false };
    text.starts_with('/') && volume_of(plan, text).is_none()
}

/// Returns the volume that contains a path of a task, if any.
fn volume_of<'p>(plan: &'p Plan, text: &str) -> Option<&'p Volume> {
    let holds = |volume: &&Volume| {
        text.strip_prefix(path(volume)).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let all = plan.storage.checkpoints.iter().chain(&plan.storage.data).filter(holds);
    all.max_by_key(|volume| path(volume).len())
}

/// Returns the path at which a task finds a volume.
#[must_use]
pub fn path(volume: &Volume) -> &str {
    volume.at.as_ref().map_or_else(|| volume.uri.value.path(), |at| at.value.as_str())
}

/// Returns the scheme of the URI from which TensorBoard reads the logs. `None` if the logs are files.
#[must_use]
pub fn read_by(plan: &Plan, logs: &Template) -> Option<Scheme> {
    let volume = match logs.parts.first()? {
        Part::Text(text) => return Scheme::of_address(text),
        Part::Data(DataRef::Checkpoints, _) => plan.storage.checkpoints.as_ref()?,
        Part::Data(DataRef::Data(number), _) => &plan.storage.data[*number],
        Part::Data(DataRef::Code | DataRef::Stage(_) | DataRef::Scratch, _) | Part::Task(..) => return None,
    };
    volume.at.is_none().then(|| Uri::scheme(&volume.uri.value))
}

/// Returns whether TensorFlow reads URIs of a scheme through libhdfs.
#[must_use]
pub const fn by_libhdfs(scheme: Scheme) -> bool {
    matches!(scheme.class(), Class::Hadoop)
}

/// Warns of secrets that only some roles have, if TensorBoard reads an object store that requires credentials.
#[must_use]
pub fn lone_secrets(target: &str, plan: &Plan) -> Vec<Diagnostic> {
    let board = plan.requirements.iter().find_map(|required| {
        let Requirement::Job(Job::Tensorboard(board)) = &required.requirement else { return None };
        Some((board, required.at))
    });
    let Some((_, at)) = board.filter(|(board, _)| needs_credentials(plan, board)) else { return Vec::new() };
    let shared: BTreeSet<Secret> = secrets(plan).into_iter().map(|(secret, _)| secret).collect();
    let unshared = all_secrets(plan).into_iter().filter(|(_, secret, _)| !shared.contains(secret));
    unshared.map(|(role, secret, at_secret)| {
        let role = &plan.roles[role].name.value;
        let fact = format!("{target}: TensorBoard may not be able to read its logs, because it does not get the secret `{}` of `{role}`: not all roles have it", secret.env);
        Diagnostic::new(&UNSHARED_SECRET, at_secret, fact)
            .here("set for some roles only")
            .label(at, "reads its logs from an object store")
            .help("move it from the role to the job, so that all roles and TensorBoard get it")
    })
    .collect()
}

fn needs_credentials(plan: &Plan, board: &Tensorboard) -> bool {
    read_by(plan, &board.logs).is_some_and(|scheme| scheme.class() == Class::Bucket)
}
