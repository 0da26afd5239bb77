//! Draws every ask from the spec. Each struct is taken apart without `..`: a new field does not compile until it asks.
use super::NO_PORTS;
use super::reference::template;
use super::roles::Shared;
use crate::ask::{Ask, Asked, Loss, Probe, Restart, Tensorboard};
use crate::at::At;
use crate::diagnostic::Diagnostic;
use crate::plan::{Command, Own, Part, Place, Plan, RoleId, RoleKind, Template};
use crate::sources::Span;
use crate::spec::values::{AbsolutePath, Text};
use crate::spec::{self, PortNumber, RestartOn, Scope, StrategyName, Success, When};

/// Collects asks in the order of the spec.
struct Drawn(Vec<Asked>);

impl Drawn {
    fn ask(&mut self, at: Span, ask: Ask) {
        self.0.push(Asked { ask, at, default: false });
    }

    fn default(&mut self, at: Span, ask: Ask) {
        self.0.push(Asked { ask, at, default: true });
    }
}

/// Everything that the job asks of a platform.
pub(super) fn draw(
    job: &spec::Job,
    plan: &Plan,
    shared: &Shared<'_>,
    out: &mut Vec<Diagnostic>,
) -> Vec<Asked> {
    let mut asks = Drawn(Vec::new());
    draw_job(job, plan, shared, &mut asks, out);
    let helpers = job.helper.0.iter();
    for (id, (_, role)) in job.role.0.iter().chain(helpers).enumerate() {
        draw_role(id, &role.value, plan, &mut asks);
    }
    asks.0
}

fn draw_job(job: &spec::Job, plan: &Plan, shared: &Shared<'_>, asks: &mut Drawn, out: &mut Vec<Diagnostic>) {
    let spec::Job {
        name,
        description,
        labels,
        framework,
        code,
        stage,
        data,
        checkpoints,
        hadoop,
        protocol,
        // A param is text by the time it is used.
        param: _,
        start,
        stop,
        deadline,
        success,
        keep,
        tensorboard,
        network,
        kerberos,
        // The gate reads it.
        allow: _,
        // Drawn by role.
        role: _,
        helper: _,
        // Merged into each role before.
        image: _,
        run: _,
        shell: _,
        workdir: _,
        env: _,
        secret: _,
        user: _,
        resources: _,
        port: _,
        restart: _,
        after: _,
        ready: _,
        place: _,
        // Each target reads its own.
        target: _,
    } = job;
    asks.ask(name.span, Ask::JobName(name.value.to_string()));
    if let Some(d) = description {
        asks.ask(d.span, Ask::Description(d.value.to_string()));
    }
    for (key, value) in &labels.0 {
        asks.ask(key.span, Ask::Label { key: key.value.clone(), value: value.value.to_string() });
    }
    let spec::Framework { name: _, version: _, strategy: _ } = &framework.value;
    asks.ask(
        plan.framework.name.span,
        Ask::Framework {
            name: plan.framework.name.value,
            version: plan.framework.version.as_ref().map(|v| v.value.clone()),
            strategy: plan.framework.strategy,
        },
    );
    draw_storage(code.as_ref(), &stage.0, &data.0, asks);
    if let Some(c) = checkpoints {
        draw_checkpoints(&c.value, asks);
    }
    if let Some(h) = hadoop {
        let spec::Hadoop { home, java, conf } = &h.value;
        let text = |path: &At<AbsolutePath>| path.value.to_string();
        asks.ask(h.span, Ask::Hadoop { home: text(home), java: text(java), conf: conf.as_ref().map(text) });
    }
    if let Some(p) = protocol {
        asks.ask(p.span, Ask::Protocol(p.value));
    }
    draw_life(start.as_ref(), stop.as_ref(), deadline.as_ref(), asks);
    draw_end(success.as_ref(), keep.as_ref(), plan, asks);
    if let Some(t) = tensorboard {
        draw_tensorboard(t, plan, shared, asks, out);
    }
    if let Some(n) = network {
        let ask =
            if n.value.as_str() == "host" { Ask::HostNetwork } else { Ask::Network(n.value.to_string()) };
        asks.ask(n.span, ask);
    }
    if let Some(k) = kerberos {
        let spec::Kerberos { principal, keytab } = &k.value;
        asks.ask(
            k.span,
            Ask::Kerberos { principal: principal.value.to_string(), keytab: keytab.value.to_string() },
        );
    }
    draw_patches(plan, asks);
}

fn draw_storage(
    code: Option<&At<spec::Code>>,
    stage: &[(At<String>, At<spec::Stage>)],
    data: &[(At<String>, At<spec::Data>)],
    asks: &mut Drawn,
) {
    let path = |at: &Option<At<AbsolutePath>>| at.as_ref().map(|p| p.value.to_string());
    if let Some(c) = code {
        let spec::Code { uri, r#ref, at } = &c.value;
        let reference = r#ref.as_ref().map(|r| r.value.to_string());
        asks.ask(uri.span, Ask::Code { uri: uri.value.clone(), reference, at: path(at) });
    }
    for (index, (_, s)) in stage.iter().enumerate() {
        let spec::Stage { uri, at } = &s.value;
        asks.ask(uri.span, Ask::Stage { index, uri: uri.value.clone(), at: path(at) });
    }
    for (index, (_, d)) in data.iter().enumerate() {
        let spec::Data { uri, at, writable } = &d.value;
        let (uri_value, writable) = (uri.value.clone(), writable.as_ref().is_some_and(|w| w.value));
        match at {
            None => asks.ask(uri.span, Ask::DataUri { index, uri: uri_value, writable }),
            Some(at) => asks
                .ask(at.span, Ask::DataMount { index, uri: uri_value, at: at.value.to_string(), writable }),
        }
    }
}

fn draw_checkpoints(checkpoints: &spec::Checkpoints, asks: &mut Drawn) {
    let spec::Checkpoints { uri, at, every, fresh } = checkpoints;
    match at {
        None => asks.ask(uri.span, Ask::CheckpointsUri { uri: uri.value.clone() }),
        Some(at) => {
            asks.ask(at.span, Ask::CheckpointsMount { uri: uri.value.clone(), at: at.value.to_string() });
        }
    }
    if let Some(every) = every {
        asks.ask(every.span, Ask::CheckpointsEvery { seconds: every.value.seconds() });
    }
    if let Some(fresh) = fresh.as_ref().filter(|f| f.value) {
        asks.ask(fresh.span, Ask::CheckpointsFresh { mounted: at.is_some() });
    }
}

fn draw_life(
    start: Option<&At<spec::Start>>,
    stop: Option<&At<spec::Stop>>,
    deadline: Option<&At<spec::values::Duration>>,
    asks: &mut Drawn,
) {
    if let Some(start) = start {
        let spec::Start { timeout, gang } = &start.value;
        if let Some(t) = timeout {
            asks.ask(t.span, Ask::StartTimeout { seconds: t.value.seconds() });
        }
        if let Some(gang) = gang.as_ref().filter(|g| g.value) {
            asks.ask(gang.span, Ask::Gang);
        }
    }
    if let Some(stop) = stop {
        let spec::Stop { grace } = &stop.value;
        asks.ask(grace.span, Ask::StopGrace { seconds: grace.value.seconds() });
    }
    if let Some(d) = deadline {
        asks.ask(d.span, Ask::Deadline { seconds: d.value.seconds() });
    }
}

fn draw_end(success: Option<&At<Success>>, keep: Option<&At<spec::Keep>>, plan: &Plan, asks: &mut Drawn) {
    match success {
        Some(s) => asks.ask(s.span, Ask::Success(s.value)),
        None => asks.default(plan.name.span, Ask::Success(default_success(plan))),
    }
    let left = plan.roles.iter().find(|r| r.kind.serves() || r.kind == RoleKind::Evaluator);
    if let Some(role) = left {
        asks.ask(role.name.span, Ask::EndOfJob);
    }
    if let Some(k) = keep {
        let spec::Keep { what, r#for } = &k.value;
        asks.ask(
            what.span,
            Ask::Keep { what: what.value, seconds: r#for.as_ref().map(|f| f.value.seconds()) },
        );
    }
}

fn default_success(plan: &Plan) -> Success {
    match plan.framework.strategy {
        Some(StrategyName::ParameterServer | StrategyName::Estimator) => Success::Chief,
        Some(
            StrategyName::Single
            | StrategyName::Mirrored
            | StrategyName::MultiWorkerMirrored
            | StrategyName::Custom,
        )
        | None => Success::Workers,
    }
}

fn draw_tensorboard(
    tensorboard: &At<spec::Tensorboard>,
    plan: &Plan,
    shared: &Shared<'_>,
    asks: &mut Drawn,
    out: &mut Vec<Diagnostic>,
) {
    let spec::Tensorboard { logs, port, image, resources } = &tensorboard.value;
    let scope = shared.scope(None, 0, &NO_PORTS);
    let logs = logs.as_ref().map_or_else(
        || Template {
            parts: vec![Part::Place(Place::Checkpoints, tensorboard.span)],
            span: tensorboard.span,
        },
        |logs| template(&At { span: logs.span, value: logs.value.to_string() }, &scope, out),
    );
    let first = plan.roles.iter().find_map(|r| r.image.as_ref()).map(|i| i.image.value.clone());
    let (milli, bytes) = resources
        .as_ref()
        .map_or((1000, 4 << 30), |r| (r.value.cpus.value.millis(), r.value.memory.value.bytes()));
    asks.ask(
        tensorboard.span,
        Ask::Tensorboard(Tensorboard {
            logs,
            port: port.as_ref().map_or(6006, |p| p.value.0),
            image: image.as_ref().map(|i| i.value.clone()).or(first),
            milli,
            bytes,
        }),
    );
}

fn draw_patches(plan: &Plan, asks: &mut Drawn) {
    let mut patch = |role: Option<RoleId>, target: &str, tree: &crate::tree::Tree| {
        if let Some(text) = tree.get("patch")
            && let Some(words) = text.text()
        {
            asks.ask(text.span, Ask::Patch { target: target.to_owned(), role, text: words.to_owned() });
        }
    };
    for (target, tree) in &plan.targets {
        patch(None, target, tree);
    }
    for (id, role) in plan.roles.iter().enumerate() {
        for (target, tree) in &role.targets {
            patch(Some(id), target, tree);
        }
    }
}

fn draw_role(id: RoleId, spec: &spec::Role, plan: &Plan, asks: &mut Drawn) {
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
        RoleKind::Helper => asks.ask(role.name.span, Ask::Helper { role: id, count }),
        RoleKind::Evaluator => asks.ask(role.name.span, Ask::Evaluator { role: id }),
        RoleKind::Chief
        | RoleKind::Worker
        | RoleKind::Ps
        | RoleKind::Master
        | RoleKind::Scheduler
        | RoleKind::Server
        | RoleKind::Own => asks.ask(role.count.span, Ask::Role { role: id, count }),
    }
    if let Some(min) = min.as_ref().filter(|m| m.value.0 < count) {
        asks.ask(min.span, Ask::Min { role: id, min: min.value.0 });
    }
    draw_image(id, image.as_ref(), role.name.span, asks);
    draw_command(id, plan, asks);
    for ((name, _), (_, value)) in env.0.iter().zip(&role.env) {
        asks.ask(name.span, Ask::Env { role: id, name: name.value.clone(), value: value.clone() });
    }
    for (env, secret) in &secret.0 {
        draw_secret(id, env, &secret.value, asks);
    }
    if let Some(u) = user {
        asks.ask(u.span, Ask::User { role: id, user: u.value.clone() });
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
            asks.ask(first.span, Ask::After { role: id, first: first_id, when });
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
        return asks.default(role, Ask::NoImage { role: id });
    };
    let spec::ImageSpec { name, pull, pull_secret } = &image.value;
    asks.ask(name.span, Ask::Image { role: id, image: name.value.clone() });
    if let Some(pull) = pull {
        asks.ask(pull.span, Ask::Pull { role: id, pull: pull.value });
    }
    if let Some(secret) = pull_secret {
        asks.ask(secret.span, Ask::PullSecret { role: id, name: secret.value.to_string() });
    }
}

fn draw_command(id: RoleId, plan: &Plan, asks: &mut Drawn) {
    let role = &plan.roles[id];
    match &role.command {
        Command::Run(argv) => {
            let at = argv.iter().map(|w| w.span).reduce(Span::to).unwrap_or(role.name.span);
            asks.ask(at, Ask::Run { role: id, argv: argv.clone() });
        }
        Command::Shell(text) => asks.ask(text.span, Ask::Shell { role: id, text: text.value.clone() }),
    }
    if let Some(path) = &role.workdir {
        asks.ask(path.span, Ask::Workdir { role: id, path: path.clone() });
    }
    let texts = match &role.command {
        Command::Run(argv) => argv.iter().collect::<Vec<_>>(),
        Command::Shell(_) => Vec::new(),
    };
    let mut parts = texts.into_iter().chain(role.env.iter().map(|(_, v)| v)).flat_map(|t| &t.parts);
    if let Some(at) = parts.find_map(|p| match p {
        Part::Place(Place::Scratch, at) => Some(*at),
        Part::Place(Place::Code | Place::Stage(_) | Place::Data(_) | Place::Checkpoints, _)
        | Part::Text(_)
        | Part::Own(Own::Index | Own::Address | Own::Addresses(_) | Own::Port(_) | Own::Env(_), _) => None,
    }) {
        asks.ask(at, Ask::Scratch { role: id });
    }
}

fn draw_secret(id: RoleId, env: &At<String>, secret: &spec::Secret, asks: &mut Drawn) {
    let spec::Secret { from, key, at } = secret;
    let (env_name, from) = (env.value.clone(), from.value.to_string());
    let key = key.as_ref().map(|k: &At<Text>| k.value.to_string());
    let ask = match at {
        None => Ask::SecretEnv { role: id, env: env_name, from, key },
        Some(at) => Ask::SecretFile { role: id, env: env_name, from, key, at: at.value.to_string() },
    };
    asks.ask(env.span, ask);
}

fn draw_resources(id: RoleId, resources: &spec::Resources, asks: &mut Drawn) {
    let spec::Resources { cpus, memory, gpus, gpu_model, gpu_memory, disk, shared_memory, device } =
        resources;
    asks.ask(cpus.span, Ask::Cpus { role: id, milli: cpus.value.millis() });
    asks.ask(memory.span, Ask::Memory { role: id, bytes: memory.value.bytes() });
    if let Some(g) = gpus.as_ref().filter(|g| g.value > 0) {
        asks.ask(g.span, Ask::Gpus { role: id, count: g.value });
    }
    if let Some(m) = gpu_model {
        asks.ask(m.span, Ask::GpuModel { role: id, model: m.value.to_string() });
    }
    if let Some(m) = gpu_memory {
        asks.ask(m.span, Ask::GpuMemory { role: id, bytes: m.value.bytes() });
    }
    if let Some(d) = disk {
        asks.ask(d.span, Ask::Disk { role: id, bytes: d.value.bytes() });
    }
    if let Some(s) = shared_memory {
        asks.ask(s.span, Ask::SharedMemory { role: id, bytes: s.value.bytes() });
    }
    for (name, d) in &device.0 {
        let spec::Device { count } = &d.value;
        asks.ask(count.span, Ask::Device { role: id, name: name.value.clone(), count: count.value.0 });
    }
}

fn draw_ports(id: RoleId, plan: &Plan, port: &crate::at::Named<At<spec::Port>>, asks: &mut Drawn) {
    for (name, p) in &port.0 {
        let spec::Port { number, link } = &p.value;
        asks.ask(number.span, Ask::Port { role: id, name: name.value.clone(), number: number.value });
        if let Some(link) = link {
            let words = link.value.to_string();
            asks.ask(link.span, Ask::PortLink { role: id, name: name.value.clone(), link: words });
        }
    }
    let written = port.0.iter().any(|(name, _)| name.value == "cluster");
    if !written && let Some(cluster) = plan.roles[id].ports.iter().find(|p| p.name.value == "cluster") {
        let number = cluster.number.map_or(PortNumber::Auto, |n| PortNumber::Fixed(spec::values::Port(n)));
        asks.default(cluster.name.span, Ask::Port { role: id, name: "cluster".to_owned(), number });
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
        asks.ask(on.span, Ask::Restart { role: id, after, restart: terms.clone() });
    }
}

/// Collectives lose all tasks when they lose one: the job is what restarts.
fn default_scope(plan: &Plan) -> Scope {
    use crate::spec::FrameworkName as F;
    match plan.framework.name.value {
        F::Tensorflow if plan.framework.strategy == Some(StrategyName::MultiWorkerMirrored) => Scope::Job,
        F::Pytorch | F::Horovod | F::Xgboost => Scope::Job,
        F::Tensorflow | F::Mxnet | F::Caffe | F::Custom => Scope::Task,
    }
}

fn draw_ready(id: RoleId, probe: &spec::Probe, asks: &mut Drawn) {
    let spec::Probe { tcp, http, file } = probe;
    if let Some(port) = tcp {
        asks.ask(port.span, Ask::Ready { role: id, probe: Probe::Tcp(port.value.to_string()) });
    }
    if let Some(at) = http {
        let (port, path) = at.value.as_str().split_once('/').unwrap_or((at.value.as_str(), ""));
        asks.ask(at.span, Ask::Ready { role: id, probe: Probe::Http(port.to_owned(), format!("/{path}")) });
    }
    if let Some(path) = file {
        asks.ask(path.span, Ask::Ready { role: id, probe: Probe::File(path.value.to_string()) });
    }
}

fn draw_place(id: RoleId, place: &spec::Place, asks: &mut Drawn) {
    let spec::Place { node, partition, spread } = place;
    for (key, attribute) in &node.0 {
        let spec::Attribute { value } = &attribute.value;
        asks.ask(
            value.span,
            Ask::PlaceNode { role: id, key: key.value.clone(), value: value.value.to_string() },
        );
    }
    if let Some(p) = partition {
        asks.ask(p.span, Ask::PlacePartition { role: id, name: p.value.to_string() });
    }
    if let Some(s) = spread {
        asks.ask(s.span, Ask::PlaceSpread { role: id, spread: s.value });
    }
}
