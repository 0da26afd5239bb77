//! What one role asks.
use super::Drawn;
use crate::ask::{
    self, Ask, Identity, Lifecycle, Loss, Network, Placement, Probe, Program, Restart, Storage,
};
use crate::at::At;
use crate::doubt::Doubts;
use crate::plan::{Command, Own, Part, Place, Plan, RoleId, RoleKind};
use crate::sources::Span;
use crate::spec::values::Text;
use crate::spec::{self, PortNumber, RestartOn, Scope, When};
use tfjob_contract::variable;

/// Everything that one role asks.
#[expect(clippy::too_many_lines, reason = "a line for each field, so that none is forgotten")]
pub(super) fn draw(id: RoleId, spec: &spec::Role, plan: &Plan, doubts: &Doubts, asks: &mut Drawn) {
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
        place,
        target: _,
    } = spec;
    let role = &plan.roles[id];
    let count = role.count.value;
    match role.kind {
        RoleKind::Helper => asks.ask(role.name.span, Ask::Job(ask::Job::Helper { role: id, count })),
        RoleKind::Evaluator => asks.ask(role.name.span, Ask::Job(ask::Job::Evaluator { role: id })),
        RoleKind::Chief
        | RoleKind::Worker
        | RoleKind::Ps
        | RoleKind::Master
        | RoleKind::Scheduler
        | RoleKind::Server
        | RoleKind::Own => asks.ask(role.count.span, Ask::Job(ask::Job::Role { role: id, count })),
    }
    if let Some(min) = min.as_ref().filter(|m| m.value.0 < count) {
        asks.ask(min.span, Ask::Job(ask::Job::Min { role: id, min: min.value.0 }));
    }
    draw_image(id, image.as_ref(), role.name.span, asks);
    draw_command(id, plan, asks);
    for ((name, _), (_, value)) in env.0.iter().zip(&role.env) {
        asks.ask(
            name.span,
            Ask::Program(Program::Env { role: id, name: name.value.clone(), value: value.clone() }),
        );
    }
    // A secret is not asked for if a guess stands for its name: asks of other secrets are answered by comparing with it.
    for (env, secret) in secret.0.iter().filter(|(_, secret)| !doubts.guessed(secret.value.from.span)) {
        draw_secret(id, env, &secret.value, asks);
    }
    if let Some(u) = user {
        asks.ask(u.span, Ask::Identity(Identity::User { role: id, user: u.value.clone() }));
    }
    if let Some(r) = resources {
        draw_resources(id, &r.value, asks);
    }
    draw_ports(id, plan, port, asks);
    if let Some(r) = restart {
        draw_restart(id, &r.value, plan, asks);
    }
    for (first, after) in &after.0 {
        let spec::After { when } = &after.value;
        let when = when.as_ref().map_or(When::Ready, |w| w.value);
        if let Some(first_id) = plan.roles.iter().position(|r| r.name.value == first.value) {
            asks.ask(first.span, Ask::Lifecycle(Lifecycle::After { role: id, first: first_id, when }));
        }
    }
    if let Some(r) = ready {
        draw_ready(id, &r.value, asks);
    }
    if let Some(p) = place {
        draw_place(id, &p.value, asks);
    }
}

fn draw_image(id: RoleId, image: Option<&At<spec::ImageSpec>>, role: Span, asks: &mut Drawn) {
    let Some(image) = image else {
        return asks.default(role, Ask::Program(Program::NoImage { role: id }));
    };
    let spec::ImageSpec { name, pull, pull_secret } = &image.value;
    asks.ask(name.span, Ask::Program(Program::Image { role: id, image: name.value.clone() }));
    if let Some(pull) = pull {
        asks.ask(pull.span, Ask::Program(Program::Pull { role: id, pull: pull.value }));
    }
    if let Some(secret) = pull_secret {
        asks.ask(
            secret.span,
            Ask::Identity(Identity::PullSecret { role: id, name: secret.value.to_string() }),
        );
    }
}

fn draw_command(id: RoleId, plan: &Plan, asks: &mut Drawn) {
    let role = &plan.roles[id];
    match &role.command {
        Command::Run(argv) => {
            let at = argv.iter().map(|w| w.span).reduce(Span::to).unwrap_or(role.name.span);
            asks.ask(at, Ask::Program(Program::Run { role: id, argv: argv.clone() }));
        }
        Command::Shell(text) => {
            asks.ask(text.span, Ask::Program(Program::Shell { role: id, text: text.value.clone() }))
        }
    }
    if let Some(path) = &role.workdir {
        asks.ask(path.span, Ask::Program(Program::Workdir { role: id, path: path.clone() }));
    }
    let texts = match &role.command {
        Command::Run(argv) => argv.iter().collect::<Vec<_>>(),
        Command::Shell(_) => Vec::new(),
    };
    let all = texts.into_iter().chain(&role.workdir).chain(role.env.iter().map(|(_, v)| v));
    let (mut scratch, mut done) = (None, None);
    for part in all.flat_map(|t| &t.parts) {
        match part {
            Part::Place(Place::Scratch, at) => scratch = scratch.or(Some(*at)),
            Part::Own(Own::Done, at) => done = done.or(Some(*at)),
            Part::Place(Place::Code | Place::Stage(_) | Place::Data(_) | Place::Checkpoints, _)
            | Part::Text(_)
            | Part::Own(Own::Index | Own::Address | Own::Addresses(_) | Own::Port(_) | Own::Env(_), _) => {}
        }
    }
    let read = |reference: &str| match &role.command {
        Command::Shell(text) if text.value.contains(&variable(&[reference])) => Some(text.span),
        Command::Shell(_) | Command::Run(_) => None,
    };
    if let Some(at) = scratch.or_else(|| read("scratch")) {
        asks.ask(at, Ask::Storage(Storage::Scratch { role: id }));
    }
    if let Some(at) = done.or_else(|| read("done")) {
        asks.ask(at, Ask::Lifecycle(Lifecycle::Done { role: id }));
    }
}

fn draw_secret(id: RoleId, env: &At<String>, secret: &spec::Secret, asks: &mut Drawn) {
    let spec::Secret { from, key, at } = secret;
    let (env_name, from) = (env.value.clone(), from.value.to_string());
    let key = key.as_ref().map(|k: &At<Text>| k.value.to_string());
    let ask = match at {
        None => Ask::Identity(Identity::SecretEnv { role: id, env: env_name, from, key }),
        Some(at) => Ask::Identity(Identity::SecretFile {
            role: id,
            env: env_name,
            from,
            key,
            at: at.value.to_string(),
        }),
    };
    asks.ask(env.span, ask);
}

fn draw_resources(id: RoleId, resources: &spec::Resources, asks: &mut Drawn) {
    let spec::Resources { cpus, memory, gpus, gpu_model, gpu_memory, disk, shared_memory, device } =
        resources;
    asks.ask(cpus.span, Ask::Resources(ask::Resources::Cpus { role: id, milli: cpus.value.millis() }));
    asks.ask(memory.span, Ask::Resources(ask::Resources::Memory { role: id, bytes: memory.value.bytes() }));
    if let Some(g) = gpus.as_ref().filter(|g| g.value > 0) {
        asks.ask(g.span, Ask::Resources(ask::Resources::Gpus { role: id, count: g.value }));
    }
    if let Some(m) = gpu_model {
        asks.ask(m.span, Ask::Resources(ask::Resources::GpuModel { role: id, model: m.value.to_string() }));
    }
    if let Some(m) = gpu_memory {
        asks.ask(m.span, Ask::Resources(ask::Resources::GpuMemory { role: id, bytes: m.value.bytes() }));
    }
    if let Some(d) = disk {
        asks.ask(d.span, Ask::Resources(ask::Resources::Disk { role: id, bytes: d.value.bytes() }));
    }
    if let Some(s) = shared_memory {
        asks.from(
            s.span,
            ask::Further::All(memory.span),
            Ask::Resources(ask::Resources::SharedMemory { role: id, bytes: s.value.bytes() }),
        );
    }
    for (name, d) in &device.0 {
        let spec::Device { count } = &d.value;
        asks.ask(
            count.span,
            Ask::Resources(ask::Resources::Device {
                role: id,
                name: name.value.clone(),
                count: count.value.0,
            }),
        );
    }
}

fn draw_ports(id: RoleId, plan: &Plan, port: &crate::at::Named<At<spec::Port>>, asks: &mut Drawn) {
    for (name, p) in &port.0 {
        let spec::Port { number, link } = &p.value;
        asks.ask(
            number.span,
            Ask::Network(Network::Port { role: id, name: name.value.clone(), number: number.value }),
        );
        if let Some(link) = link {
            let words = link.value.to_string();
            asks.ask(
                link.span,
                Ask::Network(Network::PortLink { role: id, name: name.value.clone(), link: words }),
            );
        }
    }
    let written = port.0.iter().any(|(name, _)| name.value == "cluster");
    if !written && let Some(cluster) = plan.roles[id].ports.iter().find(|p| p.name.value == "cluster") {
        let number = cluster.number.map_or(PortNumber::Auto, |n| PortNumber::Fixed(spec::values::Port(n)));
        asks.default(
            cluster.name.span,
            Ask::Network(Network::Port { role: id, name: "cluster".to_owned(), number }),
        );
    }
}

fn draw_restart(id: RoleId, restart: &spec::Restart, plan: &Plan, asks: &mut Drawn) {
    let spec::Restart { on, limit, within, backoff, max_backoff, min_uptime, stalls, scope, codes } = restart;
    if on.value == RestartOn::Never {
        return;
    }
    let seconds = |d: &Option<At<spec::values::Duration>>| d.as_ref().map(|d| d.value.seconds());
    let terms = Restart {
        on: on.value,
        limit: limit.as_ref().map(|l| l.value),
        within: seconds(within),
        backoff: seconds(backoff),
        max_backoff: seconds(max_backoff),
        min_uptime: seconds(min_uptime),
        stalls: stalls.as_ref().map(|s| s.value),
        scope: scope.as_ref().map_or_else(|| default_scope(plan), |s| s.value),
        codes: codes.iter().map(|c| c.value.0).collect(),
        mounted: plan.storage.checkpoints.as_ref().is_some_and(|c| c.at.is_some()),
    };
    for after in [Loss::Process, Loss::Container, Loss::Node] {
        asks.ask(on.span, Ask::Lifecycle(Lifecycle::Restart { role: id, after, restart: terms.clone() }));
    }
}

/// Collectives lose all tasks when they lose one: the job is what restarts.
pub(in crate::resolve) fn default_scope(plan: &Plan) -> Scope {
    if plan.framework.of_contract().is_collective() { Scope::Job } else { Scope::Task }
}

fn draw_ready(id: RoleId, probe: &spec::Probe, asks: &mut Drawn) {
    let spec::Probe { tcp, http, file } = probe;
    if let Some(port) = tcp {
        asks.ask(
            port.span,
            Ask::Lifecycle(Lifecycle::Ready { role: id, probe: Probe::Tcp(port.value.to_string()) }),
        );
    }
    if let Some(at) = http {
        let (port, path) = at.value.as_str().split_once('/').unwrap_or((at.value.as_str(), ""));
        asks.ask(
            at.span,
            Ask::Lifecycle(Lifecycle::Ready {
                role: id,
                probe: Probe::Http(port.to_owned(), format!("/{path}")),
            }),
        );
    }
    if let Some(path) = file {
        asks.ask(
            path.span,
            Ask::Lifecycle(Lifecycle::Ready { role: id, probe: Probe::File(path.value.to_string()) }),
        );
    }
}

fn draw_place(id: RoleId, place: &spec::Place, asks: &mut Drawn) {
    let spec::Place { node, partition, spread } = place;
    for (key, attribute) in &node.0 {
        let spec::Attribute { value } = &attribute.value;
        asks.ask(
            value.span,
            Ask::Placement(Placement::Node {
                role: id,
                key: key.value.clone(),
                value: value.value.to_string(),
            }),
        );
    }
    if let Some(p) = partition {
        asks.ask(p.span, Ask::Placement(Placement::Partition { role: id, name: p.value.to_string() }));
    }
    if let Some(s) = spread {
        asks.ask(s.span, Ask::Placement(Placement::Spread { role: id, spread: s.value }));
    }
}
