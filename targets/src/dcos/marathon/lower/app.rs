//! The Marathon app of one task of a role.
use super::command::{Command, End, Task};
use super::draft::{Draft, RoleDraft};
use super::group::{CONTRACT, Job, SHIM};
use crate::contract_builder::variable_of;
use crate::dcos::amounts::{Decimal, cores};
use crate::dcos::marathon::mechanism::Way;
use crate::dcos::marathon::schema::*;
use crate::dcos::marathon::support::storage::fetch::SANDBOX;
use crate::dcos::marathon::support::variables::is_for_the_program;
use crate::libhdfs;
use crate::shell::quote;
use std::collections::{BTreeMap, BTreeSet};
use tfjob_contract::{
    Contract, Failure, Piece, PlaceholderMachine, Run, SUBMISSION, TaskId, Value, render, variable,
};
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::Probe;
use tfjob_lang::sources::Span;

/// Backoff in seconds of a role without restarts: one year, so that Marathon does not restart its task.
const NEVER: u64 = 365 * 86_400;
/// Marathon's default for the first backoff, in seconds (`app.raml`).
const FIRST: u64 = 1;
/// Marathon's default for the longest backoff, in seconds (`app.raml`).
const LONGEST: u64 = 300;
/// The largest value of an `int32` field of Marathon.
const LARGEST: u64 = i32::MAX as u64;

/// JSON pointer below which `Written::marks` lists the environment variables that the command of the app exports.
pub const EXPORT: &str = "/cmd/export";

/// An app, and the spans in the spec that set parts of its command.
pub struct Written {
    /// The app.
    pub app: App,
    /// Parts of the command, each as a JSON pointer such as `/cmd/stay`, with the span in the spec that sets this part.
    pub marks: Vec<(String, Span)>,
}

/// Returns the app of one task.
pub fn write(job: &Job<'_>, id: RoleId, index: u32) -> Written {
    let (draft, role) = (job.draft, &job.draft.roles[id]);
    let at = draft.plan.roles[id].name.span;
    let name = job.task_name(id, index);
    let mut marks = vec![("/cmd/stay".to_owned(), draft.stay)];
    let (command, mut env) = if job.shim.is_some() {
        shimmed(job, id, index, &mut marks)
    } else {
        direct(job, id, index, &mut marks)
    };
    let end = role.again.as_ref().map_or(End::Stay, |(restart, at)| {
        marks.push(("/cmd/again".to_owned(), *at));
        End::Again(restart)
    });
    let mut secrets = BTreeMap::new();
    secret_variables(role, &mut env, &mut secrets);
    let (backoff, factor, longest) = pauses(role, at);
    let cmd = command.text(&name, end);
    let app = App {
        id: Traced(job.app_id(&name), draft.name),
        cmd: Traced(cmd, role.command.unwrap_or(at)),
        user: role.user.clone(),
        instances: Traced(1, role.count.as_ref().map_or(at, |count| count.1)),
        cpus: role.cpus.as_ref().map_or(Traced(cores(1000), at), |c| Traced(cores(c.0), c.1)),
        mem: role.mem.clone().unwrap_or(Traced(1024, at)),
        disk: role.disk.clone(),
        gpus: role.gpus.clone(),
        container: container(draft, role, &mut secrets),
        networks: vec![network(draft, at)],
        port_definitions: draft.network.is_none().then(|| port_definitions(role)),
        require_ports: (draft.network.is_none() && role.ports.iter().any(|p| p.number.is_some()))
            .then_some(Traced(true, at)),
        env,
        secrets,
        fetch: artifacts(job),
        constraints: role.constraints.clone(),
        accepted_resource_roles: Vec::new(),
        dependencies: dependencies(job, role),
        health_checks: role.ready.iter().map(|(probe, at)| health(job, id, probe, *at)).collect(),
        labels: labels(draft, role, &name),
        backoff_seconds: backoff,
        backoff_factor: factor,
        max_launch_delay_seconds: longest,
        task_kill_grace_period_seconds: draft.grace.as_ref().map(|g| Traced(g.0.min(LARGEST), g.1)),
        upgrade_strategy: Traced(REPLACE, at),
        unreachable_strategy: match role.replace {
            Some(at) => {
                Traced(Unreachable::Replace { inactive_after_seconds: 0, expunge_after_seconds: 0 }, at)
            }
            None => Traced(Unreachable::Disabled(Disabled::Disabled), at),
        },
    };
    Written { app, marks }
}

/// Upgrade strategy that stops the old task before the new one starts.
pub const REPLACE: UpgradeStrategy =
    UpgradeStrategy { minimum_health_capacity: Decimal(0.0), maximum_over_capacity: Decimal(0.0) };

/// Environment variables of an app, each with the span in the spec that sets it.
pub type Env = BTreeMap<String, Traced<EnvValue>>;

/// Returns command and environment of a task without the shim. The shell expands values that are known only at run time.
fn direct(job: &Job<'_>, id: RoleId, index: u32, marks: &mut Vec<(String, Span)>) -> (Command, Env) {
    let (draft, role) = (job.draft, &job.draft.roles[id]);
    let (plan, contract) = (draft.plan, &job.contract.roles[id]);
    let host = job.host(id, index);
    let addresses = |name: &str| job.addresses(name);
    let port = |name: &str| job.port_variable(id, name);
    let facts = Task { index, host: &host, addresses: &addresses, port: &port };
    let late = late(&contract.env, &facts, contract);
    let at = plan.roles[id].name.span;
    let from = |name: &str| match role.env.get(name) {
        Some(at) => *at,
        None if name.starts_with("TFJOB_") || name == "CUDA_VISIBLE_DEVICES" => at,
        None => plan.framework.name.span,
    };
    let mut command = Command { before: before(job, id, &facts, marks), ..Command::default() };
    for (name, value) in contract.env.iter().filter(|(name, _)| late.contains(name.as_str())) {
        command.exports.push(format!("{name}={}", facts.word(value)));
        marks.push((format!("{EXPORT}/{name}"), from(name)));
    }
    for picked in role.ports.iter().filter(|p| p.number.is_none()) {
        let (name, value) = (variable(&["port", &picked.name]), vec![Piece::Port(picked.name.clone())]);
        command.exports.push(format!("{name}={}", facts.word(&value)));
        marks.push((format!("{EXPORT}/{name}"), picked.at));
    }
    let picked: BTreeSet<String> =
        role.ports.iter().filter(|p| p.number.is_none()).map(|p| variable(&["port", &p.name])).collect();
    let known = rendered(&job.contract, id, index).unwrap_or_default();
    // Only a `shell` script needs the variables with address lists. A program of `run` gets the addresses by references in its
    // arguments, or from rendezvous variables such as `TF_CONFIG`.
    let lists = matches!(contract.run, Run::Argv(_)).then(|| variable(&["addresses", ""]));
    let listed = |name: &str| lists.as_ref().is_some_and(|prefix| name.starts_with(prefix));
    let known = known
        .into_iter()
        .filter(|(name, _)| !late.contains(name.as_str()) && !picked.contains(name) && !listed(name));
    let env = known.map(|(name, value)| {
        let at = from(&name);
        (name, Traced(EnvValue::Text(value), at))
    });
    command.workdir = contract.workdir.as_ref().map(|folder| facts.word(folder));
    command.argv = match &contract.run {
        Run::Argv(words) => words.iter().map(|word| facts.word(word)).collect(),
        Run::Shell(text) => vec!["/bin/sh".to_owned(), "-ec".to_owned(), quote(text)],
    };
    if let Some(h) = &draft.hadoop {
        command.hadoop = libhdfs::exports(&h.home, &h.java, h.conf.as_deref());
        marks.push(("/cmd/hadoop".to_owned(), h.at));
    }
    marks.extend(role.workdir.map(|at| ("/cmd/workdir".to_owned(), at)));
    (command, env.collect())
}

/// Returns the environment variables that the shim would set. `${NAME}` stands for a value that is known only at run time.
///
/// # Errors
///
/// Returns why the contract cannot be rendered for the task.
pub fn rendered(contract: &Contract, id: RoleId, index: u32) -> Result<Vec<(String, String)>, Failure> {
    let task = TaskId { role: contract.roles[id].name.clone(), index };
    let platform = contract.variables().into_iter();
    let platform = platform.map(|name| (name.to_owned(), format!("${{{name}}}"))).collect();
    render(contract, &task, &platform, &mut PlaceholderMachine).map(|rendered| rendered.env)
}

/// Returns the environment variables that the command must export, because `env` of the app cannot set them: the value is known
/// only at run time, only the program may see the variable, or a reference such as `{env.PATH}` needs the old value.
fn late<'c>(
    env: &'c [(String, Value)],
    facts: &Task<'_>,
    contract: &tfjob_contract::Role,
) -> BTreeSet<&'c str> {
    let argv = match &contract.run {
        Run::Argv(words) => words.as_slice(),
        Run::Shell(_) => &[],
    };
    let values = argv.iter().chain(&contract.workdir).chain(env.iter().map(|(_, value)| value));
    let required: BTreeSet<&str> = values.flatten().filter_map(variable_of).collect();
    let is_late = |(name, value): &&(String, Value)| {
        required.contains(name.as_str()) || is_for_the_program(name) || facts.fixed(value).is_none()
    };
    env.iter().filter(is_late).map(|(name, _)| name.as_str()).collect()
}

/// Returns the command and the environment variables of a task whose program the shim starts.
fn shimmed(job: &Job<'_>, id: RoleId, index: u32, marks: &mut Vec<(String, Span)>) -> (Command, Env) {
    let role = &job.draft.plan.roles[id];
    let host = job.host(id, index);
    let addresses = |name: &str| job.addresses(name);
    let port = |name: &str| job.port_variable(id, name);
    let facts = Task { index, host: &host, addresses: &addresses, port: &port };
    let shim = vec![Piece::Env(SANDBOX.to_owned()), Piece::Text(format!("/{SHIM}"))];
    let mut command = Command { before: before(job, id, &facts, marks), ..Command::default() };
    command.argv = vec![facts.word(&shim), "--contract-env".to_owned(), CONTRACT.to_owned()];
    for picked in job.draft.roles[id].ports.iter().filter(|p| p.number.is_none()) {
        let value = vec![Piece::Port(picked.name.clone())];
        command.exports.push(format!("{}={}", variable(&["port", &picked.name]), facts.word(&value)));
    }
    if let Some((_, at)) = job.draft.roles[id]
        .shim_restart
        .as_ref()
        .filter(|_| job.contract.keeps_restart_budget(&job.contract.roles[id]))
    {
        // `MARATHON_APP_VERSION` stays the same when Marathon restarts the task, and changes when the user submits the app again
        // (Marathon's `taskContextEnv`). So the shim counts the restarts of each submission separately.
        command.exports.push(format!("{SUBMISSION}=\"$MARATHON_APP_VERSION\""));
        marks.push((format!("{EXPORT}/{SUBMISSION}"), *at));
    }
    let at = role.name.span;
    let text = |value: String| Traced(EnvValue::Text(value), at);
    let env = [
        (variable(&["role"]), text(role.name.value.clone())),
        (variable(&["index"]), text(index.to_string())),
        (CONTRACT.to_owned(), text(job.carried().to_owned())),
    ];
    (command, env.into_iter().collect())
}

/// Returns the shell lines that create directories and unpack archives before the program starts.
fn before(job: &Job<'_>, id: RoleId, facts: &Task<'_>, marks: &mut Vec<(String, Span)>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(at) = job.draft.roles[id].scratch {
        lines.push(format!("mkdir -p {}", facts.word(&job.places.scratch.value())));
        marks.push(("/cmd/scratch".to_owned(), at));
    }
    for (_, fetched, _) in &job.draft.fetched {
        if let Way::Unpack { file, tar, .. } = &fetched.way {
            let folder = facts.word(&fetched.place.value());
            let file = vec![Piece::Env(SANDBOX.to_owned()), Piece::Text(format!("/{file}"))];
            lines.push(format!("mkdir -p {folder}"));
            lines.push(format!("tar {tar} {} -C {folder}", facts.word(&file)));
        }
    }
    lines
}

/// Adds the secrets of a role to the environment variables and to the field `secrets` of an app.
pub fn secret_variables(role: &RoleDraft, env: &mut Env, secrets: &mut BTreeMap<String, SecretSource>) {
    for secret in &role.secrets {
        let value = match &secret.at {
            Some(path) => EnvValue::Text(path.clone()),
            None => EnvValue::Secret { secret: secret.env.clone() },
        };
        env.insert(secret.env.clone(), Traced(value, secret.words));
        let source = Traced(secret.source.clone(), secret.words);
        secrets.insert(secret.env.clone(), SecretSource { source });
    }
}

/// Key of the registry credentials in `secrets`. All other keys are names of environment variables, which contain no dash.
pub const PULL: &str = "pull-secret";

fn container(draft: &Draft<'_>, role: &RoleDraft, secrets: &mut BTreeMap<String, SecretSource>) -> Container {
    let docker = role.image.clone().map(|image| Docker {
        image,
        force_pull_image: role.force_pull.map(|at| Traced(true, at)),
        pull_config: role.pull_secret.as_ref().map(|source| {
            secrets.insert(PULL.to_owned(), SecretSource { source: source.clone() });
            PullConfig { secret: Traced(PULL.to_owned(), source.1) }
        }),
    });
    // A task without an image sees the agent's directories at their own paths, so it needs no mounts.
    let mounts = draft.agent_mounts().into_iter().filter(|_| role.image.is_some());
    let mounts = mounts.map(|(mount, at)| Volume::Host {
        container_path: Traced(mount.at, at),
        host_path: mount.host,
        mode: if mount.writable { Mode::Rw } else { Mode::Ro },
    });
    let files = role.secrets.iter().filter_map(|secret| {
        let container_path = Traced(secret.at.clone()?, secret.words);
        Some(Volume::Secret { container_path, secret: secret.env.clone() })
    });
    Container {
        kind: Engine::Mesos,
        docker,
        linux_info: role
            .shared_memory
            .clone()
            .map(|shm_size| LinuxInfo { ipc_info: IpcInfo { mode: IpcMode::Private, shm_size } }),
        volumes: mounts.chain(files).collect(),
        port_mappings: draft.network.as_ref().map(|_| {
            let mapping = |p: &super::draft::PortDraft| PortMapping {
                container_port: Traced(p.number.unwrap_or(0), p.at),
                name: port_name(&p.name),
            };
            role.ports.iter().map(mapping).collect()
        }),
    }
}

/// Returns the network of an app.
pub fn network(draft: &Draft<'_>, at: Span) -> Network {
    match &draft.network {
        Some(name) => Network { mode: Traced(NetworkMode::Container, name.1), name: Some(name.0.clone()) },
        None => Network { mode: Traced(NetworkMode::Host, draft.host_network.unwrap_or(at)), name: None },
    }
}

fn port_definitions(role: &RoleDraft) -> Vec<PortDefinition> {
    let definition = |p: &super::draft::PortDraft| PortDefinition {
        port: Traced(p.number.unwrap_or(0), p.at),
        name: port_name(&p.name),
    };
    role.ports.iter().map(definition).collect()
}

/// Returns the name of a port, or `None` if Marathon does not accept this name. The app then declares the port without a name.
fn port_name(name: &str) -> Option<String> {
    let letter = name.starts_with(|c: char| c.is_ascii_lowercase());
    (letter && crate::names::label_fault(name).is_none()).then(|| name.to_owned())
}

fn artifacts(job: &Job<'_>) -> Vec<Artifact> {
    let mut out = Vec::new();
    for (_, fetched, at) in &job.draft.fetched {
        let (uri, file, extract) = match &fetched.way {
            Way::Fetch { uri, file, extract } => (uri, file, *extract),
            Way::Unpack { uri, file, .. } => (uri, file, false),
            Way::Mount(_) => continue,
        };
        let uri = Traced(uri.clone(), *at);
        // The fetcher cannot unpack an executable file. A file that it does not unpack may be the program, so it is executable.
        let executable = match &fetched.way {
            Way::Fetch { extract, .. } => !extract,
            Way::Unpack { .. } | Way::Mount(_) => false,
        };
        out.push(Artifact { uri, extract, executable, dest_path: file.clone() });
    }
    if let Some(shim) = &job.shim {
        let dest_path = SHIM.to_owned();
        out.push(Artifact { uri: shim.clone(), extract: false, executable: true, dest_path });
    }
    out
}

fn dependencies(job: &Job<'_>, role: &RoleDraft) -> Vec<Traced<String>> {
    let tasks = role.after.iter().flat_map(|(first, _, at)| {
        let count = job.draft.plan.roles[*first].count.value;
        (0..count).map(move |index| Traced(job.app_id(&job.task_name(*first, index)), *at))
    });
    tasks.collect()
}

/// Returns a health check that fails after the program has exited, but never makes Marathon kill the task, which must keep running.
fn health(job: &Job<'_>, id: RoleId, probe: &Probe, at: Span) -> HealthCheck {
    let port = |name: &str| {
        let number =
            job.draft.plan.roles[id].ports.iter().find(|p| p.name.value == name).and_then(|p| p.number);
        let index = job.draft.roles[id].ports.iter().position(|p| p.name == name);
        (number, index.filter(|_| number.is_none()))
    };
    let (protocol, (number, index), path, command) = match probe {
        Probe::Tcp(name) => (Protocol::MesosTcp, port(name), None, None),
        Probe::Http(name, path) => (Protocol::MesosHttp, port(name), Some(path.clone()), None),
        Probe::File(path) => {
            (Protocol::Command, (None, None), None, Some(CheckCommand { value: format!("test -e {path}") }))
        }
    };
    HealthCheck {
        protocol: Traced(protocol, at),
        port: number,
        port_index: index,
        path,
        command,
        grace_period_seconds: 0,
        interval_seconds: 5,
        timeout_seconds: 5,
        delay_seconds: 0,
        max_consecutive_failures: i32::MAX.unsigned_abs(),
    }
}

fn labels(draft: &Draft<'_>, role: &RoleDraft, name: &str) -> BTreeMap<String, Traced<String>> {
    let mut labels: BTreeMap<_, _> = draft.labels.iter().cloned().collect();
    if let Some(link) = &role.link {
        let index = role.ports.iter().position(|p| p.name == link.0).unwrap_or(0);
        let service = format!("{}-{name}", draft.plan.name.value);
        labels.insert("DCOS_SERVICE_NAME".to_owned(), Traced(service, link.1));
        labels.insert("DCOS_SERVICE_SCHEME".to_owned(), Traced("http".to_owned(), link.1));
        labels.insert("DCOS_SERVICE_PORT_INDEX".to_owned(), Traced(index.to_string(), link.1));
    }
    labels
}

/// Returns the first backoff, the factor, and the longest backoff. For a role without restarts, both backoffs are one year.
fn pauses(role: &RoleDraft, at: Span) -> (Traced<u64>, Traced<Decimal>, Traced<u64>) {
    if let Some((restart, at)) = &role.again {
        let first = restart.backoff.unwrap_or(FIRST).min(LARGEST);
        let factor = Decimal(if restart.backoff.is_some() { 2.0 } else { 1.15 });
        let longest = restart.max_backoff.unwrap_or(LONGEST.max(first)).min(LARGEST);
        return (Traced(first, *at), Traced(factor, *at), Traced(longest, *at));
    }
    match &role.shim_restart {
        Some((_, at)) => (Traced(FIRST, *at), Traced(Decimal(1.15), *at), Traced(LONGEST, *at)),
        None => (Traced(NEVER, at), Traced(Decimal(1.0), at), Traced(NEVER, at)),
    }
}
