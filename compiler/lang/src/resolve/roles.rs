//! Roles: the kind of each role, and its fields with references resolved.
use super::length::{Lengths, Spent};
use super::reference::{Scope, Text, template};
use crate::at::At;
use crate::diagnostic::{Diagnostic, kebab, nearest};
use crate::plan::{Command, ImageUse, Port, Resources, Role, RoleId, RoleKind, Template};
use crate::sources::{Sources, Span};
use crate::spec::{self, FrameworkName, ImageSpec, PortNumber};
use crate::tree::Tree;
use std::collections::BTreeMap;

/// Rendezvous port of a role that does not set this port.
pub(crate) const RENDEZVOUS_PORT: u16 = 2222;

/// Returns the role of the framework that an unknown name most likely refers to. `None` if the name is known, or if no role is
/// similar.
pub(super) fn corrected_name(framework: FrameworkName, name: &str) -> Option<&'static str> {
    let names = || framework.roles().iter().map(|kind| kind.keyword());
    if names().any(|known| known == name) {
        return None;
    }
    // Names of roles in TensorFlow 1, in other frameworks, and in their documentation.
    let translated = match kebab(name).as_str() {
        "master" | "coordinator" | "leader" | "chief-worker" | "launcher" => "chief",
        "parameter-server" | "parameter-servers" | "param-server" | "paramserver" => "ps",
        "eval" | "evaluation" | "validator" => "evaluator",
        "executor" | "node" | "trainer" => "worker",
        _ => name,
    };
    let chief = (translated == "chief").then_some("master");
    let known = |word: &str| names().find(|known| *known == word);
    known(translated).or_else(|| chief.and_then(known)).or_else(|| nearest(name, names()))
}

/// Returns the kind of a role, by its name or corrected name. For a name that the framework does not define, returns
/// [`RoleKind::Own`].
pub(super) fn kind(framework: FrameworkName, name: &str) -> RoleKind {
    framework.kind_of(corrected_name(framework, name).unwrap_or(name))
}

/// Inputs of role resolution that are the same for all roles of a job.
pub(super) struct Shared<'a> {
    pub sources: &'a Sources,
    pub job: &'a str,
    pub framework: FrameworkName,
    pub count: u32,
    pub roles: BTreeMap<String, (RoleId, u32)>,
    pub helpers: Vec<String>,
    pub params: BTreeMap<String, String>,
    pub data: Vec<String>,
    pub stage: Vec<String>,
    pub has_code: bool,
    pub has_checkpoints: bool,
    pub lengths: Lengths,
    pub spent: Spent,
}

impl Shared<'_> {
    /// Returns the scope for references in one role, given its block (`role` or `helper`) and name. `None`: the scope of
    /// the job.
    pub fn scope<'s>(
        &'s self,
        role: Option<(&'static str, &'s str)>,
        gpus: u32,
        ports: &'s BTreeMap<String, Option<u16>>,
        env: &'s [&'s str],
    ) -> Scope<'s> {
        Scope {
            sources: self.sources,
            job: self.job,
            role,
            gpus,
            count: self.count,
            roles: &self.roles,
            helpers: &self.helpers,
            ports,
            framework: self.framework,
            env,
            text: Text::Path,
            params: &self.params,
            data: &self.data,
            stage: &self.stage,
            has_code: self.has_code,
            has_checkpoints: self.has_checkpoints,
            lengths: &self.lengths,
            spent: &self.spent,
        }
    }
}

/// Resolves one role of the spec. `tree`: the part of the merged tree for this role, with its `target` blocks.
pub(super) fn resolve(
    name: &At<String>,
    role: &spec::Role,
    kind: RoleKind,
    tree: Option<&Tree>,
    shared: &Shared<'_>,
    out: &mut Vec<Diagnostic>,
) -> Role {
    let ports = ports(name, role, kind);
    let by_name: BTreeMap<_, _> = ports.iter().map(|p| (p.name.value.clone(), p.number)).collect();
    let resources = resources(name.span, role);
    let block = if kind.joins_rendezvous() { "role" } else { "helper" };
    let set: Vec<&str> = role.env.0.iter().map(|(name, _)| name.value.as_str()).collect();
    let scope = shared.scope(Some((block, &name.value)), resources.gpus, &by_name, &set);
    let scope_of = |text| Scope { text, ..scope };
    let text = |t: &At<spec::values::Text>| At { span: t.span, value: t.value.to_string() };
    let count = role.count.as_ref().map_or_else(
        || At { span: name.span, value: 1 },
        |count| At { span: count.span, value: count.value.0 },
    );
    Role {
        name: name.clone(),
        kind,
        count,
        command: command(name.span, role, &scope_of(Text::Argument), out),
        workdir: role.workdir.as_ref().map(|w| template(&text(w), &scope, out)),
        env: (role.env.0.iter())
            .map(|(k, v)| (k.clone(), template(&text(v), &scope_of(Text::Variable(&k.value)), out)))
            .collect(),
        image: role.image.as_ref().map(image),
        resources,
        ports,
        targets: tree.map(targets).unwrap_or_default(),
    }
}

fn command(name: Span, role: &spec::Role, scope: &Scope<'_>, out: &mut Vec<Diagnostic>) -> Command {
    if let Some(run) = &role.run {
        let arguments = run.value.0.iter().map(|w| At { span: w.span, value: w.value.to_string() });
        return Command::Run(arguments.map(|w| template(&w, scope, out)).collect());
    }
    match &role.shell {
        Some(shell) => Command::Shell(At { span: shell.span, value: shell.value.to_string() }),
        // An empty argument is the placeholder for the missing command. The error `missing-command` reports this role, so no target
        // receives the placeholder.
        None => Command::Run(vec![Template { parts: Vec::new(), span: name }]),
    }
}

fn image(spec: &At<ImageSpec>) -> ImageUse {
    ImageUse {
        image: spec.value.name.clone(),
        pull: spec.value.pull,
        pull_secret: spec.value.pull_secret.as_ref().map(|s| At { span: s.span, value: s.value.to_string() }),
    }
}

fn resources(name: Span, role: &spec::Role) -> Resources {
    role.resources.as_ref().map_or(
        Resources {
            cpus: At { span: name, value: 1000 },
            memory: At { span: name, value: 1 << 30 },
            gpus: 0,
            other_devices: false,
        },
        |r| Resources {
            cpus: At { span: r.value.cpus.span, value: r.value.cpus.value.millis() },
            memory: At { span: r.value.memory.span, value: r.value.memory.value.bytes() },
            gpus: r.value.gpus.as_ref().map_or(0, |g| g.value),
            other_devices: r.value.gpus.is_none() && !r.value.device.0.is_empty(),
        },
    )
}

fn ports(name: &At<String>, role: &spec::Role, kind: RoleKind) -> Vec<Port> {
    let mut ports: Vec<_> = role
        .port
        .0
        .iter()
        .map(|(name, port)| Port {
            name: name.clone(),
            number: match port.value.number.value {
                PortNumber::Fixed(number) => Some(number.0),
                PortNumber::Auto => None,
            },
        })
        .collect();
    if kind.joins_rendezvous() && !ports.iter().any(|p| p.name.value == "rendezvous") {
        let name = At { span: name.span, value: "rendezvous".to_owned() };
        ports.insert(0, Port { name, number: Some(RENDEZVOUS_PORT) });
    }
    ports
}

/// Returns the span of the name of each `target` block of a job.
pub(super) fn target_names(tree: &Tree) -> BTreeMap<String, Span> {
    let entries = tree.get("target").map(Tree::entries).unwrap_or_default();
    entries.iter().map(|entry| (entry.key.clone(), entry.key_span)).collect()
}

/// Returns the `target` blocks of a job or role, by target name.
pub(super) fn targets(tree: &Tree) -> BTreeMap<String, Tree> {
    tree.get("target")
        .map_or_else(BTreeMap::new, |t| t.entries().iter().map(|e| (e.key.clone(), e.tree.clone())).collect())
}
