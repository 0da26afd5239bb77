//! The app of TensorBoard. TensorBoard reads files of the job, so its app has the user and the environment variables that all roles
//! share. It also has the secrets that its block names, and the registry credentials of a role with the same image.
use super::app::{Env, PULL, REPLACE, network, secret_variables};
use super::command::{Command, End, Task};
use super::draft::{Board, Draft, RoleDraft, Secret};
use super::group::Job;
use crate::contract_builder::{plain, variable_of};
use crate::dcos::amounts::{Decimal, cores};
use crate::dcos::marathon::mechanism::Mount;
use crate::dcos::marathon::schema::{
    App, Container, Docker, Engine, EnvValue, Mode, PortDefinition, PortMapping, PullConfig, SecretSource,
    Unreachable, Volume,
};
use crate::helper_environment;
use crate::libhdfs;
use std::collections::BTreeMap;
use tfjob_contract::{Piece, Value};
use tfjob_lang::origin::Traced;

/// Returns the app of TensorBoard. Marathon restarts TensorBoard after every exit.
pub fn write(job: &Job<'_>, board: &Board) -> App {
    let (draft, at) = (job.draft, board.at);
    let (port, name) = (Traced(board.port, at), Some("tensorboard".to_owned()));
    let host = draft.network.is_none();
    let service = [
        ("DCOS_SERVICE_NAME", format!("{}-tensorboard", draft.plan.name.value)),
        ("DCOS_SERVICE_SCHEME", "http".to_owned()),
        ("DCOS_SERVICE_PORT_INDEX", "0".to_owned()),
    ];
    // Admin Router links only to ports on the host network.
    let service =
        service.into_iter().filter(|_| host).map(|(key, value)| (key.to_owned(), Traced(value, at)));
    // Marathon reads labels such as `GPU_SCHEDULING_BEHAVIOR` when it places an app, so the app of TensorBoard gets all labels of
    // the job.
    let labels = draft.labels.iter().cloned().chain(service);
    let (mut env, mut secrets) = (variables(job), BTreeMap::new());
    let shared = RoleDraft { secrets: named_secrets(draft), ..RoleDraft::default() };
    secret_variables(&shared, &mut env, &mut secrets);
    App {
        id: Traced(job.app_id("tensorboard"), at),
        cmd: Traced(command(job, board).text("tensorboard", End::Serve), at),
        user: draft.roles.first().and_then(|role| role.user.clone()),
        instances: Traced(1, at),
        cpus: Traced(cores(board.milli), at),
        mem: Traced(board.mebibytes, at),
        disk: None,
        gpus: None,
        container: container(draft, board, (&port, name.as_ref()), &shared.secrets, &mut secrets),
        networks: vec![network(draft, at)],
        port_definitions: host.then(|| vec![PortDefinition { port, name }]),
        require_ports: host.then_some(Traced(true, at)),
        env,
        secrets,
        fetch: Vec::new(),
        constraints: board.place.clone(),
        accepted_resource_roles: Vec::new(),
        dependencies: Vec::new(),
        health_checks: Vec::new(),
        labels: labels.collect(),
        backoff_seconds: Traced(1, at),
        backoff_factor: Traced(Decimal(1.15), at),
        max_launch_delay_seconds: Traced(300, at),
        task_kill_grace_period_seconds: None,
        upgrade_strategy: Traced(REPLACE, at),
        unreachable_strategy: Traced(
            Unreachable::Replace { inactive_after_seconds: 0, expunge_after_seconds: 0 },
            at,
        ),
    }
}

/// Returns the environment variables that all roles set to the same value.
fn shared<'j>(job: &'j Job<'_>) -> impl Iterator<Item = &'j (String, Value)> {
    let roles = &job.contract.roles;
    let first = roles.first().into_iter().flat_map(|role| &role.env);
    first.filter(|variable| roles.iter().skip(1).all(|role| role.env.contains(variable)))
}

/// Returns the shared environment variables with a value that is known at compile time, such as the address of an object store.
fn variables(job: &Job<'_>) -> Env {
    let Some(draft) = job.draft.roles.first() else { return Env::new() };
    let fixed = shared(job).filter_map(|(name, value)| {
        let at = *draft.env.get(name)?;
        let text: Option<String> = value.iter().map(plain).collect();
        Some((name.clone(), Traced(EnvValue::Text(text?), at)))
    });
    fixed.collect()
}

/// Returns the shared environment variables that refer to variables of the image, such as `{env.PATH}`. The command of the app
/// exports them.
fn exports(job: &Job<'_>) -> Vec<String> {
    let late = shared(job).filter(|(_, value)| value.iter().any(|piece| variable_of(piece).is_some()));
    late.filter_map(|(name, value)| Some(format!("{name}={}", helper_environment::shell_word(value)?)))
        .collect()
}

/// Returns the secrets that the `tensorboard` block names. Mesos mounts a secret file only into a container with an image. If
/// there is a secret file, TensorBoard has an image: only a role with an image can have a secret file, and the default image of
/// TensorBoard is an image of the job.
fn named_secrets(draft: &Draft<'_>) -> Vec<Secret> {
    let named = helper_environment::secrets(draft.plan);
    let one = |(secret, at): (helper_environment::Secret, _)| {
        let own = draft.roles.iter().flat_map(|role| &role.secrets).find(|own| own.env == secret.env)?;
        Some(Secret { words: at, ..own.clone() })
    };
    named.into_iter().filter_map(one).collect()
}

fn command(job: &Job<'_>, board: &Board) -> Command {
    let nowhere = |_: &str| String::new();
    let no_port = |_: &str| Err(String::new());
    let facts = Task { index: 0, host: "", addresses: &nowhere, port: &no_port };
    let mut logs = vec![Piece::Text("--logdir=".to_owned())];
    logs.extend(job.places.value(&board.logs, job.draft.plan));
    Command {
        argv: vec![
            "tensorboard".to_owned(),
            facts.word(&logs),
            "--host=0.0.0.0".to_owned(),
            format!("--port={}", board.port),
        ],
        hadoop: job
            .draft
            .hadoop
            .as_ref()
            .map_or_else(Vec::new, |h| libhdfs::exports(&h.home, &h.java, h.conf.as_deref())),
        exports: exports(job),
        ..Command::default()
    }
}

fn container(
    draft: &Draft<'_>,
    board: &Board,
    (port, name): (&Traced<u16>, Option<&String>),
    files: &[Secret],
    secrets: &mut BTreeMap<String, SecretSource>,
) -> Container {
    let same =
        |role: &&RoleDraft| role.image.as_ref().is_some_and(|image| Some(&image.0) == board.image.as_ref());
    let credentials = draft.roles.iter().filter(same).find_map(|role| role.pull_secret.clone());
    let pull_config = credentials.map(|source| {
        let at = source.1;
        secrets.insert(PULL.to_owned(), SecretSource { source });
        PullConfig { secret: Traced(PULL.to_owned(), at) }
    });
    let files = files.iter().filter_map(|secret| {
        let container_path = Traced(secret.at.clone()?, secret.words);
        Some(Volume::Secret { container_path, secret: secret.env.clone() })
    });
    let read = |mount: &Mount| board.image.is_some() && board.folder.as_ref() == Some(&mount.at);
    let mounts = draft.mounts.iter().filter(|(mount, _)| read(mount)).map(|(mount, at)| Volume::Host {
        container_path: Traced(mount.at.clone(), *at),
        host_path: mount.host.clone(),
        mode: Mode::Ro,
    });
    Container {
        kind: Engine::Mesos,
        docker: board.image.clone().map(|image| Docker {
            image: Traced(image, board.at),
            force_pull_image: draft
                .roles
                .iter()
                .filter(same)
                .find_map(|role| role.force_pull)
                .map(|at| Traced(true, at)),
            pull_config,
        }),
        linux_info: None,
        volumes: mounts.chain(files).collect(),
        port_mappings: draft
            .network
            .is_some()
            .then(|| vec![PortMapping { container_port: port.clone(), name: name.cloned() }]),
    }
}
