//! What tasks are given, their ports, images and readiness.
use super::{Job, path_in};
use crate::at::At;
use crate::codes::{
    BAD_PROBE, BAD_VALUE, DUPLICATE_PORT, GPUS_WITHOUT_COUNT, MIN_EXCEEDS_COUNT, MISSING_RESOURCES,
    UNKNOWN_PORT, UNPINNED_IMAGE,
};
use crate::diagnostic::{Diagnostic, Fix, Premise, nearest, only_near};
use crate::plan::{Role, RoleKind};
use crate::sources::Span;
use crate::spec::{self, FrameworkName, StrategyName, values::Text};

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    for (written, role) in job.roles() {
        resources(written, role, out);
        if let Some(min) = written.min.as_ref().filter(|m| m.value.0 > role.count.value) {
            let fact = match role.count.value {
                1 => format!("`min` is {}, and there is 1 task", min.value.0),
                count => format!("`min` is {}, and there are {count} tasks", min.value.0),
            };
            out.push(
                Diagnostic::new(&MIN_EXCEEDS_COUNT, min.span, fact)
                    .given(match &written.count {
                        Some(count) => Premise::Value(count.span),
                        None => Premise::whole(&path_in(role, &[])),
                    })
                    .here("more than `count`")
                    .label(role.count.span, "the tasks")
                    .help("`min` is at most `count`"),
            );
        }
        ports(role, out);
        if let Some(probe) = &written.ready {
            ready(job, probe, role, out);
        }
        if let Some(image) = &role.image {
            floating(&image.image, out);
        }
    }
}

fn resources(written: &spec::Role, role: &Role, out: &mut Vec<Diagnostic>) {
    let Some(resources) = &written.resources else {
        out.push(
            Diagnostic::new(
                &MISSING_RESOURCES,
                role.name.span,
                format!("`{}` does not say what it needs", role.name.value),
            )
            .from_absent(&path_in(role, &["resources"]))
            .from_role(role.name.span)
            .here("no `resources`")
            .help("add `resources cpus=4 memory=\"16GiB\"` here, or in the job for every role"),
        );
        return;
    };
    let without = resources.value.gpus.as_ref().is_none_or(|g| g.value == 0);
    let model = resources.value.gpu_model.as_ref().map(|m| (m.span, "gpu-model"));
    let memory = resources.value.gpu_memory.as_ref().map(|m| (m.span, "gpu-memory"));
    for (at, word) in [model, memory].into_iter().flatten().filter(|_| without) {
        out.push(
            Diagnostic::new(&GPUS_WITHOUT_COUNT, at, format!("`{word}` without `gpus`: no GPU is asked for"))
                .from_whole(&path_in(role, &["resources"]))
                .here("of which GPUs?")
                .help("add `gpus=1`"),
        );
    }
}

fn ports(role: &Role, out: &mut Vec<Diagnostic>) {
    for (i, port) in role.ports.iter().enumerate() {
        if port.name.value == "cluster" {
            out.push(
                Diagnostic::new(&BAD_VALUE, port.name.span, "the rendezvous port is named `rendezvous`")
                    .here("a reserved name")
                    .help("write `port \"rendezvous\"`; or give another port another name")
                    .suggest(Fix::replace(port.name.span, "\"rendezvous\"")),
            );
        }
        let Some(number) = port.number else { continue };
        if let Some(first) = role.ports[..i].iter().find(|p| p.number == Some(number)) {
            let implied = first.name.span == role.name.span;
            out.push(
                Diagnostic::new(
                    &DUPLICATE_PORT,
                    port.name.span,
                    format!("port {number} is `{}` already", first.name.value),
                )
                .here("same number")
                .label(
                    first.name.span,
                    if implied { "its port `rendezvous`, unless given" } else { "the first" },
                )
                .help("give each port its own number, or write `\"auto\"`"),
            );
        }
    }
}

fn ready(job: &Job<'_>, probe: &At<spec::Probe>, role: &Role, out: &mut Vec<Diagnostic>) {
    let spec::Probe { tcp, http, file } = &probe.value;
    let spans: Vec<Span> =
        [tcp.as_ref().map(|t| t.span), http.as_ref().map(|t| t.span), file.as_ref().map(|t| t.span)]
            .into_iter()
            .flatten()
            .collect();
    match spans.as_slice() {
        [] => out.push(
            Diagnostic::new(&BAD_PROBE, probe.span, "`ready` does not say what to look at")
                .from_whole(&path_in(role, &["ready"]))
                .here("nothing to look at")
                .help("write one of `tcp=\"PORT-NAME\"`, `http=\"PORT-NAME/path\"`, `file=\"/path\"`"),
        ),
        [_] => {}
        [first, second, ..] => out.push(
            Diagnostic::new(&BAD_PROBE, *second, "`ready` looks at one thing")
                .here("the second")
                .label(*first, "the first")
                .help("keep one of `tcp`, `http` and `file`"),
        ),
    }
    for (at, web) in [(tcp, false), (http, true)] {
        let Some(at) = at else { continue };
        let text = at.value.as_str();
        let blank = text.contains(|c: char| c.is_whitespace() || c.is_control());
        let (form, example) = if web {
            (text.contains('/') && !text.starts_with('/'), "http=\"PORT-NAME/path\"")
        } else {
            (!text.contains('/'), "tcp=\"PORT-NAME\"")
        };
        if form && !blank {
            out.extend(unheard(job, at, role));
            known_port(at, role, out);
        } else {
            let fact = format!("`{}` is no place to look at", text.escape_debug());
            out.push(Diagnostic::new(&BAD_PROBE, at.span, fact).help(format!("write `{example}`")));
        }
    }
}

/// TensorFlow starts no server in an evaluator, nor in a task that is alone: one that starts after it would wait forever. A
/// program that is told the port may listen there itself.
fn unheard(job: &Job<'_>, at: &At<Text>, role: &Role) -> Option<Diagnostic> {
    let name = at.value.as_str().split('/').next().unwrap_or_default();
    let framework = &job.plan.framework;
    if framework.name.value != FrameworkName::Tensorflow || name != "rendezvous" || role.is_told_port() {
        return None;
    }
    // Programs of a strategy of their own may start a server.
    let alone = framework.strategy != Some(StrategyName::Custom) && job.plan.peers() == 1;
    let fact = match role.kind {
        RoleKind::Helper => return None,
        RoleKind::Evaluator => {
            "an evaluator never listens on `rendezvous`: TensorFlow starts no server there"
        }
        RoleKind::Chief
        | RoleKind::Worker
        | RoleKind::Ps
        | RoleKind::Master
        | RoleKind::Scheduler
        | RoleKind::Server
        | RoleKind::Own => {
            "a task that is alone never listens on `rendezvous`: TensorFlow starts no server there"
        }
    };
    let found = Diagnostic::new(&BAD_PROBE, at.span, fact).here("never ready").help(
        "hand `{port.rendezvous}` to a program that listens there itself; or `port \"web\" 8080` and `ready tcp=\"web\"`; or remove `ready`",
    );
    if role.kind == RoleKind::Evaluator { Some(found) } else { alone.then(|| from_count(job, found)) }
}

/// Concluded from how many tasks train together.
fn from_count(job: &Job<'_>, found: Diagnostic) -> Diagnostic {
    let members = job.plan.roles.iter().filter(|role| role.kind.is_peer());
    members.fold(found.from_whole(&["job", "framework"]).from_whole(&["job", "role"]), |found, role| {
        found.from_value(role.count.span).from_whole(&path_in(role, &[]))
    })
}

fn known_port(at: &At<Text>, role: &Role, out: &mut Vec<Diagnostic>) {
    let name = at.value.as_str().split('/').next().unwrap_or_default();
    if role.ports.iter().any(|p| p.name.value == name) {
        return;
    }
    let names: Vec<_> = role.ports.iter().map(|p| p.name.value.as_str()).collect();
    let mut found =
        Diagnostic::new(&UNKNOWN_PORT, at.span, format!("`{}` has no port `{name}`", role.name.value))
            .from_absent(&path_in(role, &["port", name]))
            .here("not declared");
    let old = (name == "cluster").then_some("rendezvous").filter(|new| names.contains(new));
    found = match old.or_else(|| nearest(name, names.iter().copied())) {
        Some(near) => {
            let rest = &at.value.as_str()[name.len()..];
            found.help(format!("did you mean `{near}`?")).fix(
                Fix::replace(at.span, format!("\"{near}{rest}\""))
                    .if_sure(only_near(name, names.iter().copied())),
            )
        }
        None if names.is_empty() => found.help(format!("add `port \"{name}\" 8080`")),
        None => found.help(format!("ports are {}", names.join(", "))),
    };
    out.push(found);
}

fn floating(image: &At<spec::values::Image>, out: &mut Vec<Diagnostic>) {
    let (fact, label) = if image.value.is_latest() {
        (format!("`{}` may be another image tomorrow", image.value), "`latest` moves")
    } else if image.value.has_tag() {
        return;
    } else {
        (format!("`{}` has no tag, which means `latest`", image.value), "no tag")
    };
    out.push(
        Diagnostic::new(&UNPINNED_IMAGE, image.span, fact)
            .here(label)
            .help("name a version, such as `:2.15-gpu`, or a digest"),
    );
}
