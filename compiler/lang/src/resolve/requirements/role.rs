//! The requirements of one role.
use super::Requirements;
use crate::at::At;
use crate::plan::{Command, DataRef, Part, Plan, RoleId, RoleKind, TaskRef};
use crate::recovery::Recovery;
use crate::requirement::{
    self, Identity, Lifecycle, Loss, Network, Placement, Probe, Program, Requirement, Restart, Storage,
};
use crate::sources::Span;
use crate::spec::values::Text;
use crate::spec::{self, PortNumber, RestartOn, Scope, When};
use tfjob_contract::variable;

/// Collects the requirements of one role.
#[expect(clippy::too_many_lines, reason = "one line per field, so that no field is forgotten")]
pub(super) fn collect(
    id: RoleId,
    spec: &spec::Role,
    plan: &Plan,
    recovery: &Recovery,
    requirements: &mut Requirements,
) {
    let spec::Role {
        count: _,
        min,
        image,
        run: _,
        shell: _,
        workdir: _,
        env,
        secret,
        user,
        resources,
        port,
        restart,
        after,
        ready,
        placement,
        target: _,
    } = spec;
    let role = &plan.roles[id];
    let count = role.count.value;
    match role.kind {
        RoleKind::Helper => requirements
            .require(role.name.span, Requirement::Job(requirement::Job::Helper { role: id, count })),
        RoleKind::Evaluator => {
            requirements.require(role.name.span, Requirement::Job(requirement::Job::Evaluator { role: id }))
        }
        RoleKind::Chief
        | RoleKind::Worker
        | RoleKind::Ps
        | RoleKind::Master
        | RoleKind::Scheduler
        | RoleKind::Server
        | RoleKind::Own => requirements
            .require(role.count.span, Requirement::Job(requirement::Job::Role { role: id, count })),
    }
    if let Some(min) = min.as_ref().filter(|m| m.value.0 < count) {
        requirements
            .require(min.span, Requirement::Job(requirement::Job::Min { role: id, min: min.value.0 }));
    }
    collect_image(id, image.as_ref(), role.name.span, requirements);
    collect_command(id, plan, requirements);
    for ((name, _), (_, value)) in env.0.iter().zip(&role.env) {
        requirements.require(
            name.span,
            Requirement::Program(Program::Env { role: id, name: name.value.clone(), value: value.clone() }),
        );
    }
    // Targets compare the names of secrets with each other. A name that error recovery guessed could cause a false error, so a
    // secret with such a name is skipped.
    for (env, secret) in secret.0.iter().filter(|(_, secret)| !recovery.guessed(secret.value.from.span)) {
        collect_secret(id, env, &secret.value, requirements);
    }
    if let Some(u) = user {
        requirements
            .require(u.span, Requirement::Identity(Identity::User { role: id, user: u.value.clone() }));
    }
    if let Some(r) = resources {
        collect_resources(id, &r.value, requirements);
    }
    collect_ports(id, plan, port, requirements);
    if let Some(r) = restart {
        collect_restart(id, &r.value, plan, requirements);
    }
    for (first, after) in &after.0 {
        let spec::After { when } = &after.value;
        let when = when.as_ref().map_or(When::Ready, |w| w.value);
        if let Some(first_id) = plan.roles.iter().position(|r| r.name.value == first.value) {
            requirements.require(
                first.span,
                Requirement::Lifecycle(Lifecycle::After { role: id, first: first_id, when }),
            );
        }
    }
    if let Some(r) = ready {
        collect_ready(id, &r.value, requirements);
    }
    if let Some(p) = placement {
        collect_place(id, &p.value, requirements);
    }
}

fn collect_image(
    id: RoleId,
    image: Option<&At<spec::ImageSpec>>,
    role: Span,
    requirements: &mut Requirements,
) {
    let Some(image) = image else {
        return requirements.require_default(role, Requirement::Program(Program::NoImage { role: id }));
    };
    let spec::ImageSpec { name, pull, pull_secret } = &image.value;
    requirements
        .require(name.span, Requirement::Program(Program::Image { role: id, image: name.value.clone() }));
    if let Some(pull) = pull {
        requirements.require(pull.span, Requirement::Program(Program::Pull { role: id, pull: pull.value }));
    }
    if let Some(secret) = pull_secret {
        requirements.require(
            secret.span,
            Requirement::Identity(Identity::PullSecret { role: id, name: secret.value.to_string() }),
        );
    }
}

fn collect_command(id: RoleId, plan: &Plan, requirements: &mut Requirements) {
    let role = &plan.roles[id];
    match &role.command {
        Command::Run(argv) => {
            let at = argv.iter().map(|w| w.span).reduce(Span::to).unwrap_or(role.name.span);
            requirements.require(at, Requirement::Program(Program::Run { role: id, argv: argv.clone() }));
        }
        Command::Shell(text) => requirements
            .require(text.span, Requirement::Program(Program::Shell { role: id, text: text.value.clone() })),
    }
    if let Some(path) = &role.workdir {
        requirements
            .require(path.span, Requirement::Program(Program::Workdir { role: id, path: path.clone() }));
    }
    let texts = match &role.command {
        Command::Run(argv) => argv.iter().collect::<Vec<_>>(),
        Command::Shell(_) => Vec::new(),
    };
    let all = texts.into_iter().chain(&role.workdir).chain(role.env.iter().map(|(_, v)| v));
    let (mut scratch, mut done) = (None, None);
    for part in all.flat_map(|t| &t.parts) {
        match part {
            Part::Data(DataRef::Scratch, at) => scratch = scratch.or(Some(*at)),
            Part::Task(TaskRef::Done, at) => done = done.or(Some(*at)),
            Part::Data(DataRef::Code | DataRef::Stage(_) | DataRef::Data(_) | DataRef::Checkpoints, _)
            | Part::Text(_)
            | Part::Task(
                TaskRef::Index
                | TaskRef::Address
                | TaskRef::Addresses(_)
                | TaskRef::Port(_)
                | TaskRef::Env(_),
                _,
            ) => {}
        }
    }
    let read = |reference: &str| match &role.command {
        Command::Shell(text) if text.value.contains(&variable(&[reference])) => Some(text.span),
        Command::Shell(_) | Command::Run(_) => None,
    };
    if let Some(at) = scratch.or_else(|| read("scratch")) {
        requirements.require(at, Requirement::Storage(Storage::Scratch { role: id }));
    }
    if let Some(at) = done.or_else(|| read("done")) {
        requirements.require(at, Requirement::Lifecycle(Lifecycle::Done { role: id }));
    }
}

fn collect_secret(id: RoleId, env: &At<String>, secret: &spec::Secret, requirements: &mut Requirements) {
    let spec::Secret { from, key, at } = secret;
    let (env_name, from) = (env.value.clone(), from.value.to_string());
    let key = key.as_ref().map(|k: &At<Text>| k.value.to_string());
    let requirement = match at {
        None => Requirement::Identity(Identity::SecretEnv { role: id, env: env_name, from, key }),
        Some(at) => Requirement::Identity(Identity::SecretFile {
            role: id,
            env: env_name,
            from,
            key,
            at: at.value.to_string(),
        }),
    };
    requirements.require(env.span, requirement);
}

fn collect_resources(id: RoleId, resources: &spec::Resources, requirements: &mut Requirements) {
    let spec::Resources { cpus, memory, gpus, gpu_model, gpu_memory, disk, shared_memory, device } =
        resources;
    requirements.require(
        cpus.span,
        Requirement::Resources(requirement::Resources::Cpus { role: id, milli: cpus.value.millis() }),
    );
    requirements.require(
        memory.span,
        Requirement::Resources(requirement::Resources::Memory { role: id, bytes: memory.value.bytes() }),
    );
    if let Some(g) = gpus.as_ref().filter(|g| g.value > 0) {
        requirements.require(
            g.span,
            Requirement::Resources(requirement::Resources::Gpus { role: id, count: g.value }),
        );
    }
    if let Some(m) = gpu_model {
        requirements.require(
            m.span,
            Requirement::Resources(requirement::Resources::GpuModel { role: id, model: m.value.to_string() }),
        );
    }
    if let Some(m) = gpu_memory {
        requirements.require(
            m.span,
            Requirement::Resources(requirement::Resources::GpuMemory { role: id, bytes: m.value.bytes() }),
        );
    }
    if let Some(d) = disk {
        requirements.require(
            d.span,
            Requirement::Resources(requirement::Resources::Disk { role: id, bytes: d.value.bytes() }),
        );
    }
    if let Some(s) = shared_memory {
        requirements.require_with(
            s.span,
            requirement::Dependency::Always(memory.span),
            Requirement::Resources(requirement::Resources::SharedMemory { role: id, bytes: s.value.bytes() }),
        );
    }
    for (name, d) in &device.0 {
        let spec::Device { count } = &d.value;
        requirements.require(
            count.span,
            Requirement::Resources(requirement::Resources::Device {
                role: id,
                name: name.value.clone(),
                count: count.value.0,
            }),
        );
    }
}

fn collect_ports(
    id: RoleId,
    plan: &Plan,
    port: &crate::at::Named<At<spec::Port>>,
    requirements: &mut Requirements,
) {
    for (name, p) in &port.0 {
        let spec::Port { number, link } = &p.value;
        requirements.require(
            number.span,
            Requirement::Network(Network::Port { role: id, name: name.value.clone(), number: number.value }),
        );
        if let Some(link) = link {
            let link_text = link.value.to_string();
            requirements.require(
                link.span,
                Requirement::Network(Network::PortLink {
                    role: id,
                    name: name.value.clone(),
                    link: link_text,
                }),
            );
        }
    }
    let written = port.0.iter().any(|(name, _)| name.value == "rendezvous");
    if !written && let Some(cluster) = plan.roles[id].ports.iter().find(|p| p.name.value == "rendezvous") {
        let number = cluster.number.map_or(PortNumber::Auto, |n| PortNumber::Fixed(spec::values::Port(n)));
        requirements.require_default(
            cluster.name.span,
            Requirement::Network(Network::Port { role: id, name: "rendezvous".to_owned(), number }),
        );
    }
}

fn collect_restart(id: RoleId, restart: &spec::Restart, plan: &Plan, requirements: &mut Requirements) {
    let spec::Restart {
        policy,
        limit,
        within,
        backoff,
        max_backoff,
        min_uptime,
        no_progress_limit,
        scope,
        codes,
    } = restart;
    if policy.value == RestartOn::Never {
        return;
    }
    let seconds = |d: &Option<At<spec::values::Duration>>| d.as_ref().map(|d| d.value.seconds());
    let terms = Restart {
        on: policy.value,
        limit: limit.as_ref().map(|l| l.value),
        within: seconds(within),
        backoff: seconds(backoff),
        max_backoff: seconds(max_backoff),
        min_uptime: seconds(min_uptime),
        no_progress_limit: no_progress_limit.as_ref().map(|limit| limit.value),
        scope: scope.as_ref().map_or_else(|| default_scope(plan), |s| s.value),
        codes: codes.iter().map(|c| c.value.0).collect(),
        mounted: plan.storage.checkpoints.as_ref().is_some_and(|c| c.at.is_some()),
    };
    let durations = [within, backoff, max_backoff, min_uptime].into_iter().flatten().map(|time| time.span);
    let numbers = [limit, no_progress_limit].into_iter().flatten().map(|number| number.span);
    let codes = codes.iter().map(|code| code.span);
    let values: Vec<Span> =
        durations.chain(numbers).chain(scope.iter().map(|scope| scope.span)).chain(codes).collect();
    for after in [Loss::Process, Loss::Container, Loss::Node] {
        requirements.require_with(
            policy.span,
            requirement::Dependency::AlwaysAll(values.clone()),
            Requirement::Lifecycle(Lifecycle::Restart { role: id, after, restart: terms.clone() }),
        );
    }
}

/// Returns the default of `restart scope=`. In collective training, the failure of one task stops all tasks, so
/// the whole job restarts.
pub(in crate::resolve) fn default_scope(plan: &Plan) -> Scope {
    if plan.framework.of_contract().is_collective() { Scope::Job } else { Scope::Task }
}

fn collect_ready(id: RoleId, probe: &spec::Probe, requirements: &mut Requirements) {
    let spec::Probe { tcp, http, file } = probe;
    if let Some(port) = tcp {
        requirements.require(
            port.span,
            Requirement::Lifecycle(Lifecycle::Ready { role: id, probe: Probe::Tcp(port.value.to_string()) }),
        );
    }
    if let Some(at) = http {
        let (port, path) = at.value.as_str().split_once('/').unwrap_or((at.value.as_str(), ""));
        requirements.require(
            at.span,
            Requirement::Lifecycle(Lifecycle::Ready {
                role: id,
                probe: Probe::Http(port.to_owned(), format!("/{path}")),
            }),
        );
    }
    if let Some(path) = file {
        requirements.require(
            path.span,
            Requirement::Lifecycle(Lifecycle::Ready { role: id, probe: Probe::File(path.value.to_string()) }),
        );
    }
}

fn collect_place(id: RoleId, place: &spec::Placement, requirements: &mut Requirements) {
    let spec::Placement { node, partition, spread } = place;
    for (key, attribute) in &node.0 {
        let spec::Attribute { value } = &attribute.value;
        requirements.require(
            value.span,
            Requirement::Placement(Placement::Node {
                role: id,
                key: key.value.clone(),
                value: value.value.to_string(),
            }),
        );
    }
    if let Some(p) = partition {
        requirements.require(
            p.span,
            Requirement::Placement(Placement::Partition { role: id, name: p.value.to_string() }),
        );
    }
    if let Some(s) = spread {
        requirements.require(s.span, Requirement::Placement(Placement::Spread { role: id, spread: s.value }));
    }
}
