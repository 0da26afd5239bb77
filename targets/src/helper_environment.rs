//! Environment variables and secrets of TensorBoard: the variables that all roles of the job share, and the secrets that its block
//! names.
use crate::shell::quote;
use std::collections::{BTreeMap, BTreeSet};
use tfjob_contract::Piece;
use tfjob_lang::codes::MISSING_SECRET;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::{Command, DataRef, Part, Plan, RoleId, TaskRef, Template, Volume};
use tfjob_lang::requirement::{Identity, Job, Program, Required, Requirement, Tensorboard};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::{Class, Scheme, Uri};

/// A secret that the tasks of a role get.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Secret {
    /// Name of the environment variable that contains either the secret or the path of its file.
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

/// Returns the secrets that the `tensorboard` block names, each with the span of its name in this block. If several roles have a
/// secret for the same variable, the secret of the first of these roles is returned.
#[must_use]
pub fn secrets(plan: &Plan) -> Vec<(Secret, Span)> {
    let Some((board, _)) = board(plan) else { return Vec::new() };
    let all = all_secrets(plan);
    let mut met = BTreeSet::new();
    let named = board.secrets.iter().filter(|name| met.insert(name.value.as_str()));
    named
        .filter_map(|name| Some((all.iter().find(|(_, s, _)| s.env == name.value)?.1.clone(), name.span)))
        .collect()
}

/// Returns the TensorBoard requirement of the job, if any, and its span in the spec.
fn board(plan: &Plan) -> Option<(&Tensorboard, Span)> {
    plan.requirements.iter().find_map(|required| {
        let Requirement::Job(Job::Tensorboard(board)) = &required.requirement else { return None };
        Some((board, required.at))
    })
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

/// Returns the directories of Hadoop and Java, the directory of the Hadoop configuration, and the span of the entry that sets them.
/// `None` if the spec does not set `hadoop`.
#[must_use]
pub fn hadoop(plan: &Plan) -> Option<(&str, &str, Option<&str>, Span)> {
    plan.requirements.iter().find_map(|required| {
        let Requirement::Program(Program::Hadoop { home, java, conf }) = &required.requirement else {
            return None;
        };
        Some((home.as_str(), java.as_str(), conf.as_deref(), required.at))
    })
}

/// Returns the volume that contains the logs, if this volume has a `file:` URI and so is a directory of the node.
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

/// Returns whether `logs` is a path next to the spec, or a URI that can only be mounted. As such a path or URI is not mounted,
/// TensorBoard would get this text unchanged as `--logdir`, and could not open it.
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

/// Returns the volume whose mount path contains the path `text`, if any.
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

/// Reports that TensorBoard does not get the secrets with which the tasks read the object store of its logs. `account`: whether
/// TensorBoard has a service account, which may have the right to read the logs, so that no secret is needed.
#[must_use]
pub fn missing_secrets(target: &str, plan: &Plan, account: bool) -> Option<Diagnostic> {
    let (board, at) = board(plan)?;
    let scheme = read_by(plan, &board.logs)?;
    let store = variables_of(scheme);
    let uses = uses(plan, &store);
    // A role is assumed with the token, so its name is no other credential.
    let by_token = uses.iter().any(|used| used.variable == Some("AWS_WEB_IDENTITY_TOKEN_FILE"));
    let other = variables(plan).iter().any(|(name, ..)| {
        store.identities.contains(name)
            && !(by_token && *name == "AWS_ROLE_ARN")
            && uses.iter().all(|used| used.variable != Some(*name))
    });
    if account || other {
        return None;
    }
    let mut missing: Vec<Use<'_>> = Vec::new();
    for used in uses {
        let given = board.secrets.iter().any(|name| name.value == used.secret);
        if !given && missing.iter().all(|known| known.secret != used.secret) {
            missing.push(used);
        }
    }
    let first = missing.first()?;
    let given = board.secrets.iter().map(|name| name.value.as_str());
    let names: Vec<String> = given
        .chain(missing.iter().map(|used| used.secret.as_str()))
        .map(|env| format!("\"{env}\""))
        .collect();
    let fact = format!(
        "{target}: TensorBoard cannot read its logs, because it does not get the secret `{}`, which the tasks use to read from `{}:`",
        first.secret,
        scheme.word()
    );
    let shared = variables(plan);
    let unset = missing.iter().filter_map(|used| used.variable);
    let unset: BTreeSet<&str> = unset.filter(|name| shared.iter().all(|(own, ..)| own != name)).collect();
    let mut help = format!("add `secrets {}` to the `tensorboard` block", names.join(" "));
    for name in unset {
        help.push_str(&format!(", and set `{name}` in the `env` of the job, which TensorBoard gets too"));
    }
    let found = Diagnostic::new(&MISSING_SECRET, at, fact).here("gets only the secrets that its block names");
    let found =
        missing.iter().fold(found, |found, used| found.label(used.at, "only the tasks get this secret"));
    Some(found.help(help))
}

/// A secret with which tasks read an object store.
struct Use<'p> {
    /// Environment variable that contains either the secret or the path of its file.
    secret: String,
    /// Environment variable of the store that contains the path of the secret, or a reference to the secret. `None` if the store
    /// finds the secret without such a variable.
    variable: Option<&'p str>,
    /// Span of the `secret` entry in the spec.
    at: Span,
}

/// Returns the secrets with which the tasks read a store. A secret counts in three cases: its environment variable is one of the
/// store, a variable of the store refers to it, or it is a file at the default path of a credential file.
fn uses<'p>(plan: &'p Plan, store: &Variables) -> Vec<Use<'p>> {
    let joins = |role: RoleId| plan.roles[role].kind.joins_rendezvous();
    let (mut found, mut set) = (Vec::new(), BTreeMap::new());
    for (role, secret, at) in all_secrets(plan).into_iter().filter(|(role, ..)| joins(*role)) {
        let refers = |value: &Template| match value.parts.as_slice() {
            [Part::Text(path)] => secret.at.as_ref().is_some_and(|at| is_same_path(at, path)),
            parts => parts
                .iter()
                .any(|part| matches!(part, Part::Task(TaskRef::Env(name), _) if *name == secret.env)),
        };
        let variable = plan.roles[role].env.iter().find(|(name, value)| {
            let known =
                [store.credentials, store.identities].iter().any(|all| all.contains(&name.value.as_str()));
            known && refers(value)
        });
        let variable = variable.map(|(name, _)| name.value.as_str());
        let assigned = set.entry(role).or_insert_with(|| assignments(plan, role, store));
        let by_command = || {
            let path = secret.at.as_ref().and_then(|path| assigned.get(path.as_str()));
            path.or_else(|| assigned.get(format!("${}", secret.env).as_str())).copied()
        };
        let variable = variable.or_else(by_command).filter(|name| *name != secret.env);
        let own = store.credentials.contains(&secret.env.as_str())
            || secret.at.as_ref().is_some_and(|path| store.files.iter().any(|file| path.ends_with(file)));
        if own || variable.is_some() {
            found.push(Use { variable, at, secret: secret.env });
        }
    }
    found
}

/// Returns whether two paths are equal, regardless of repeated slashes.
fn is_same_path(a: &str, b: &str) -> bool {
    let names =
        |path: &str| path.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    names(a) == names(b)
}

/// Returns the variables of a store that the command of a role sets, as in `export NAME=$SECRET` and `env NAME={env.SECRET}`. The
/// key of each is its value: a path, or `$SECRET`.
fn assignments(plan: &Plan, role: RoleId, store: &Variables) -> BTreeMap<String, &'static str> {
    let part = |part: &Part| match part {
        Part::Text(text) => text.clone(),
        Part::Task(TaskRef::Env(name), _) => format!("${name}"),
        Part::Data(..) | Part::Task(..) => String::new(),
    };
    let texts: Vec<String> = match &plan.roles[role].command {
        Command::Shell(script) => vec![script.value.clone()],
        Command::Run(arguments) => {
            arguments.iter().map(|argument| argument.parts.iter().map(part).collect()).collect()
        }
    };
    let mut all = BTreeMap::new();
    for name in [store.credentials, store.identities].concat() {
        for value in texts.iter().flat_map(|text| assigned(text, name)) {
            all.entry(value).or_insert(name);
        }
    }
    all
}

/// Returns the values in `NAME=VALUE` of a script or argument, without quotes and braces.
fn assigned<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = String> + 't {
    text.match_indices(name).filter_map(move |(at, _)| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '{');
        let value = text[at + name.len()..].strip_prefix('=').filter(|_| !text[..at].ends_with(is_part))?;
        let value = value.trim_start_matches(['"', '\'']);
        let end = value.find(|c: char| c.is_whitespace() || "\"';&|)".contains(c)).unwrap_or(value.len());
        Some(value[..end].replace(['{', '}'], ""))
    })
}

/// The environment variables from which TensorFlow and the libraries of an object store read the credentials of the store.
struct Variables {
    /// Variables with a secret credential. Other variables with the same prefix, such as `GOOGLE_MAPS_API_KEY`, do not concern the
    /// store.
    credentials: &'static [&'static str],
    /// Variables that identify credentials without containing them, for example by the path of a file.
    identities: &'static [&'static str],
    /// Last segments of the default paths of credential files.
    files: &'static [&'static str],
}

/// Returns the environment variables of the object store with this URI scheme. For `abfs:`, all lists are empty, because no library
/// reads a key for this scheme from a variable.
const fn variables_of(scheme: Scheme) -> Variables {
    match scheme {
        Scheme::S3 | Scheme::S3a => Variables {
            credentials: &["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"],
            identities: &[
                "AWS_PROFILE",
                "AWS_CONFIG_FILE",
                "AWS_SHARED_CREDENTIALS_FILE",
                "AWS_ROLE_ARN",
                "AWS_WEB_IDENTITY_TOKEN_FILE",
                "AWS_CONTAINER_CREDENTIALS_FULL_URI",
                "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
            ],
            files: &["/.aws/credentials", "/.aws/config"],
        },
        Scheme::Gs => Variables {
            credentials: &["GOOGLE_APPLICATION_CREDENTIALS"],
            identities: &["CLOUDSDK_CONFIG"],
            files: &["/gcloud/application_default_credentials.json"],
        },
        Scheme::Abfs
        | Scheme::Hdfs
        | Scheme::Viewfs
        | Scheme::Http
        | Scheme::Https
        | Scheme::GitHttps
        | Scheme::Nfs
        | Scheme::Pvc
        | Scheme::File
        | Scheme::Beside => Variables { credentials: &[], identities: &[], files: &[] },
    }
}
