//! Collects the requirements of a spec. Each struct is destructured without `..`, so a new field does not compile until
//! it is handled here.
mod role;

pub(in crate::resolve) use role::default_scope;

use super::NO_PORTS;
use super::reference::template;
use super::roles::Shared;
use crate::at::At;
use crate::diagnostic::Diagnostic;
use crate::plan::{DataRef, Part, Plan, RoleId, Template};
use crate::recovery::Recovery;
use crate::requirement::{
    self, Dependency, Identity, Lifecycle, Network, Program, Required, Requirement, Storage, Tensorboard,
};
use crate::sources::Span;
use crate::spec::values::AbsolutePath;
use crate::spec::{self, Success};

/// Requirements of the job, in the order of the spec.
struct Requirements(Vec<Required>);

impl Requirements {
    pub fn require(&mut self, at: Span, requirement: Requirement) {
        self.0.push(Required { requirement, at, from: None, default: false });
    }

    /// Adds a requirement that also depends on the values at the spans in `further`.
    pub fn require_with(&mut self, at: Span, further: Dependency, requirement: Requirement) {
        self.0.push(Required { requirement, at, from: Some(further), default: false });
    }

    /// Adds a requirement that follows from a default value.
    pub fn require_default(&mut self, at: Span, requirement: Requirement) {
        self.0.push(Required { requirement, at, from: None, default: true });
    }
}

/// Returns all requirements of the job.
pub(super) fn collect(
    job: &spec::Job,
    plan: &Plan,
    shared: &Shared<'_>,
    recovery: &Recovery,
    out: &mut Vec<Diagnostic>,
) -> Vec<Required> {
    let mut requirements = Requirements(Vec::new());
    collect_job(job, plan, shared, &mut requirements, out);
    let helpers = job.helper.0.iter();
    for (id, (_, role)) in job.role.0.iter().chain(helpers).enumerate() {
        role::collect(id, &role.value, plan, recovery, &mut requirements);
    }
    requirements.0
}

#[expect(clippy::too_many_lines, reason = "one line per field, so that no field is forgotten")]
fn collect_job(
    job: &spec::Job,
    plan: &Plan,
    shared: &Shared<'_>,
    requirements: &mut Requirements,
    out: &mut Vec<Diagnostic>,
) {
    let spec::Job {
        name,
        description,
        labels,
        framework,
        code,
        files: stage,
        data,
        checkpoints,
        hadoop,
        protocol,
        // References to parameters are already replaced by their values, so `param` is not a requirement.
        param: _,
        start,
        stop,
        deadline,
        success,
        keep,
        tensorboard,
        network,
        kerberos,
        // `allow` is not a requirement. The check of each target reads it.
        allow: _,
        // The requirements of roles and helpers are collected per role.
        role: _,
        helper: _,
        // Each role already contains these defaults of the job, so their requirements are collected with the role.
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
        placement: _,
        // Each target reads its own block, so the block is not a requirement.
        target: _,
    } = job;
    let named = Requirement::Job(requirement::Job::Name(name.value.to_string()));
    // Some targets build a name from the job name and a role name. If such a name is too long, the error may depend on the longest
    // role name.
    match plan.roles.iter().max_by_key(|role| role.name.value.len()) {
        Some(role) => requirements.require_with(name.span, Dependency::IfMarked(role.name.span), named),
        None => requirements.require(name.span, named),
    }
    if let Some(d) = description {
        requirements.require(d.span, Requirement::Job(requirement::Job::Description(d.value.to_string())));
    }
    for (key, value) in &labels.0 {
        requirements.require(
            key.span,
            Requirement::Job(requirement::Job::Label {
                key: key.value.clone(),
                value: value.value.to_string(),
            }),
        );
    }
    let spec::Framework { name: _, version: _, strategy: _ } = &framework.value;
    requirements.require(
        plan.framework.name.span,
        Requirement::Job(requirement::Job::Framework {
            name: plan.framework.name.value,
            version: plan.framework.version.as_ref().map(|v| v.value.clone()),
            strategy: plan.framework.strategy,
        }),
    );
    collect_storage(code.as_ref(), &stage.0, &data.0, requirements);
    if let Some(c) = checkpoints {
        collect_checkpoints(&c.value, requirements);
    }
    if let Some(h) = hadoop {
        let spec::Hadoop { home, java, conf } = &h.value;
        let text = |path: &At<AbsolutePath>| path.value.to_string();
        requirements.require(
            h.span,
            Requirement::Program(Program::Hadoop {
                home: text(home),
                java: text(java),
                conf: conf.as_ref().map(text),
            }),
        );
    }
    if let Some(p) = protocol {
        requirements.require(p.span, Requirement::Network(Network::Protocol(p.value)));
    }
    collect_life(start.as_ref(), stop.as_ref(), deadline.as_ref(), requirements);
    collect_end(success.as_ref(), keep.as_ref(), plan, requirements);
    if let Some(t) = tensorboard {
        collect_tensorboard(t, plan, shared, requirements, out);
    }
    if let Some(n) = network {
        let requirement = if n.value.as_str() == "host" {
            Requirement::Network(Network::Host)
        } else {
            Requirement::Network(Network::Container(n.value.to_string()))
        };
        requirements.require(n.span, requirement);
    }
    if let Some(k) = kerberos {
        let spec::Kerberos { principal, keytab } = &k.value;
        requirements.require_with(
            k.span,
            Dependency::IfMarked(principal.span),
            Requirement::Identity(Identity::Kerberos {
                principal: principal.value.to_string(),
                keytab: keytab.value.to_string(),
            }),
        );
    }
    collect_patches(plan, requirements);
}

fn collect_storage(
    code: Option<&At<spec::Code>>,
    stage: &[(At<String>, At<spec::Files>)],
    data: &[(At<String>, At<spec::Data>)],
    requirements: &mut Requirements,
) {
    let path = |at: &Option<At<AbsolutePath>>| at.as_ref().map(|p| p.value.to_string());
    let of_path =
        |at: &Option<At<AbsolutePath>>| Dependency::AlwaysAll(at.iter().map(|path| path.span).collect());
    if let Some(c) = code {
        let spec::Code { uri, r#ref, at } = &c.value;
        let reference = r#ref.as_ref().map(|r| r.value.to_string());
        let requirement = Storage::Code { uri: uri.value.clone(), reference, at: path(at) };
        requirements.require_with(uri.span, of_path(at), Requirement::Storage(requirement));
    }
    for (index, (_, s)) in stage.iter().enumerate() {
        let spec::Files { uri, at } = &s.value;
        let requirement = Storage::Stage { index, uri: uri.value.clone(), at: path(at) };
        requirements.require_with(uri.span, of_path(at), Requirement::Storage(requirement));
    }
    for (index, (_, d)) in data.iter().enumerate() {
        let spec::Data { uri, at, writable } = &d.value;
        let (uri_value, writable) = (uri.value.clone(), writable.as_ref().is_some_and(|w| w.value));
        match at {
            None => requirements.require(
                uri.span,
                Requirement::Storage(Storage::DataUri { index, uri: uri_value, writable }),
            ),
            Some(at) => {
                let requirement = Requirement::Storage(Storage::DataMount {
                    index,
                    uri: uri_value,
                    at: at.value.to_string(),
                    writable,
                });
                requirements.require_with(at.span, Dependency::Always(uri.span), requirement);
            }
        }
    }
}

fn collect_checkpoints(checkpoints: &spec::Checkpoints, requirements: &mut Requirements) {
    let spec::Checkpoints { uri, at, every, if_exists } = checkpoints;
    match at {
        None => requirements
            .require(uri.span, Requirement::Storage(Storage::CheckpointsUri { uri: uri.value.clone() })),
        Some(at) => {
            let requirement = Requirement::Storage(Storage::CheckpointsMount {
                uri: uri.value.clone(),
                at: at.value.to_string(),
            });
            requirements.require_with(at.span, Dependency::Always(uri.span), requirement);
        }
    }
    if let Some(every) = every {
        requirements.require(
            every.span,
            Requirement::Storage(Storage::CheckpointsEvery { seconds: every.value.seconds() }),
        );
    }
    if let Some(fresh) = if_exists.as_ref().filter(|f| f.value == spec::IfExists::Fail) {
        requirements
            .require(fresh.span, Requirement::Storage(Storage::CheckpointsFresh { mounted: at.is_some() }));
    }
}

fn collect_life(
    start: Option<&At<spec::Start>>,
    stop: Option<&At<spec::Stop>>,
    deadline: Option<&At<spec::values::Duration>>,
    requirements: &mut Requirements,
) {
    if let Some(start) = start {
        let spec::Start { timeout, gang } = &start.value;
        if let Some(t) = timeout {
            requirements.require(
                t.span,
                Requirement::Lifecycle(Lifecycle::StartTimeout { seconds: t.value.seconds() }),
            );
        }
        if let Some(gang) = gang.as_ref().filter(|g| g.value) {
            requirements.require(gang.span, Requirement::Lifecycle(Lifecycle::Gang));
        }
    }
    if let Some(stop) = stop {
        let spec::Stop { grace } = &stop.value;
        requirements.require(
            grace.span,
            Requirement::Lifecycle(Lifecycle::StopGrace { seconds: grace.value.seconds() }),
        );
    }
    if let Some(d) = deadline {
        requirements
            .require(d.span, Requirement::Lifecycle(Lifecycle::Deadline { seconds: d.value.seconds() }));
    }
}

fn collect_end(
    success: Option<&At<Success>>,
    keep: Option<&At<spec::Keep>>,
    plan: &Plan,
    requirements: &mut Requirements,
) {
    match success {
        Some(s) => requirements.require(s.span, Requirement::Lifecycle(Lifecycle::Success(s.value))),
        None => requirements.require_default(
            plan.name.span,
            Requirement::Lifecycle(Lifecycle::Success(plan.framework.of_contract().default_success())),
        ),
    }
    let remaining = plan.roles.iter().find(|r| r.kind.outlives_training());
    if let Some(role) = remaining {
        requirements.require(role.name.span, Requirement::Lifecycle(Lifecycle::EndOfJob));
    }
    if let Some(k) = keep {
        let spec::Keep { what, r#for } = &k.value;
        let seconds = r#for.as_ref().map(|time| time.value.seconds());
        let times = r#for.iter().map(|time| time.span).collect();
        requirements.require_with(
            what.span,
            Dependency::AlwaysAll(times),
            Requirement::Lifecycle(Lifecycle::Keep { what: what.value, seconds }),
        );
    }
}

fn collect_tensorboard(
    tensorboard: &At<spec::Tensorboard>,
    plan: &Plan,
    shared: &Shared<'_>,
    requirements: &mut Requirements,
    out: &mut Vec<Diagnostic>,
) {
    let spec::Tensorboard { logs, port, image, secrets, resources } = &tensorboard.value;
    let scope = shared.scope(None, 0, &NO_PORTS, &[]);
    let logs = logs.as_ref().map_or_else(
        || Template {
            parts: vec![Part::Data(DataRef::Checkpoints, tensorboard.span)],
            span: tensorboard.span,
        },
        |logs| template(&At { span: logs.span, value: logs.value.to_string() }, &scope, out),
    );
    let first = plan.roles.iter().find_map(|r| r.image.as_ref()).map(|i| i.image.value.clone());
    let (milli, bytes) = resources
        .as_ref()
        .map_or((1000, 4 << 30), |r| (r.value.cpus.value.millis(), r.value.memory.value.bytes()));
    requirements.require(
        tensorboard.span,
        Requirement::Job(requirement::Job::Tensorboard(Tensorboard {
            logs,
            port: port.as_ref().map_or(6006, |p| p.value.0),
            image: image.as_ref().map(|i| i.value.clone()).or(first),
            secrets: secrets.iter().map(|name| At::new(name.span, name.value.to_string())).collect(),
            milli,
            bytes,
        })),
    );
}

fn collect_patches(plan: &Plan, requirements: &mut Requirements) {
    let mut patch = |role: Option<RoleId>, target: &str, tree: &crate::tree::Tree| {
        if let Some(text) = tree.get("patch")
            && let Some(patch) = text.text()
        {
            requirements.require(
                text.span,
                Requirement::Job(requirement::Job::Patch {
                    target: target.to_owned(),
                    role,
                    text: patch.to_owned(),
                }),
            );
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
