//! Rules about resources, ports, images, and readiness probes of tasks.
use super::{Job, path_in};
use crate::at::At;
use crate::codes::{
    BAD_PROBE, BAD_VALUE, DUPLICATE_PORT, GPUS_WITHOUT_COUNT, MIN_EXCEEDS_COUNT, MISSING_RESOURCES,
    UNKNOWN_PORT,
};
use crate::diagnostic::{Diagnostic, Fix, Premise, nearest, only_near};
use crate::escape::Escaped;
use crate::plan::{Role, RoleKind};
use crate::sources::Span;
use crate::spec::{self, FrameworkName, StrategyName, values::Text};
use crate::unpinned::unpinned;
use tfjob_contract::RENDEZVOUS;

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    for (written, role) in job.roles() {
        resources(written, role, out);
        if let Some(min) = written.min.as_ref().filter(|m| m.value.0 > role.count.value) {
            let (name, count) = (&role.name.value, role.count.value);
            let tasks = if count == 1 { "task" } else { "tasks" };
            let fact = format!("`min` is {}, but `{name}` has only {count} {tasks}", min.value.0);
            out.push(
                Diagnostic::new(&MIN_EXCEEDS_COUNT, min.span, fact)
                    .given(match &written.count {
                        Some(count) => Premise::Value(count.span),
                        None => Premise::whole(&path_in(role, &[])),
                    })
                    .here("more than `count`")
                    .label(role.count.span, format!("{count} {tasks}"))
                    .help(format!(
                        "write at most `min={count}`, or a higher `count`; without `min`, the job needs all tasks"
                    )),
            );
        }
        ports(role, out);
        if let Some(probe) = &written.ready {
            probe_target(job, probe, role, out);
        }
        if let Some(image) = &role.image {
            out.extend(unpinned(&image.image));
        }
    }
}

fn resources(written: &spec::Role, role: &Role, out: &mut Vec<Diagnostic>) {
    let Some(resources) = &written.resources else {
        out.push(
            Diagnostic::new(
                &MISSING_RESOURCES,
                role.name.span,
                format!("`{}` has no `resources`", role.name.value),
            )
            .from_absent(&path_in(role, &["resources"]))
            .from_role(role.name.span)
            .here("no `resources`")
            .help("add `resources cpus=4 memory=\"16GiB\"` to this role, or to the job for all roles"),
        );
        return;
    };
    let without = resources.value.gpus.as_ref().is_none_or(|g| g.value == 0);
    let model = resources.value.gpu_model.as_ref().map(|m| (m.span, "gpu-model"));
    let memory = resources.value.gpu_memory.as_ref().map(|m| (m.span, "gpu-memory"));
    for (at, field) in [model, memory].into_iter().flatten().filter(|_| without) {
        out.push(
            Diagnostic::new(
                &GPUS_WITHOUT_COUNT,
                at,
                format!("`{field}` has no effect without `gpus`, because no GPU is requested"),
            )
            .from_whole(&path_in(role, &["resources"]))
            .here("no `gpus`")
            .help("add `gpus=1`"),
        );
    }
}

fn ports(role: &Role, out: &mut Vec<Diagnostic>) {
    for (i, port) in role.ports.iter().enumerate() {
        if port.name.value == "cluster" {
            out.push(
                Diagnostic::new(&BAD_VALUE, port.name.span, "the port name `cluster` is reserved; the rendezvous port is `rendezvous`")
                    .here("reserved name")
                    .help("for the rendezvous port, write `port \"rendezvous\"`; for another port, use another name")
                    .suggest(Fix::replace(port.name.span, "\"rendezvous\"")),
            );
        }
        misspelled_rendezvous(&port.name, out);
        let Some(number) = port.number else { continue };
        if let Some(first) = role.ports[..i].iter().find(|p| p.number == Some(number)) {
            let implied = first.name.span == role.name.span;
            out.push(
                Diagnostic::new(
                    &DUPLICATE_PORT,
                    port.name.span,
                    format!("port number {number} is already used by port `{}`", first.name.value),
                )
                .here("same number")
                .label(
                    first.name.span,
                    if implied {
                        "`rendezvous` of this role has this number by default"
                    } else {
                        "first port with this number"
                    },
                )
                .help("use a different number, or `\"auto\"` for a free port number"),
            );
        }
    }
}

/// Reports a port name that is probably a misspelling of `rendezvous`. The misspelled name would declare a second port besides
/// `rendezvous`.
fn misspelled_rendezvous(name: &At<String>, out: &mut Vec<Diagnostic>) {
    // A name such as `rendezvous-2` is meant for a second port, so it is not reported.
    if !name.value.contains(RENDEZVOUS) && nearest(&name.value, [RENDEZVOUS]).is_some() {
        let fact = format!(
            "the port name `{}` is too similar to `{RENDEZVOUS}`, the port where tasks connect to each other",
            name.value
        );
        out.push(
            Diagnostic::new(&BAD_VALUE, name.span, fact)
                .here(format!("did you mean `{RENDEZVOUS}`?"))
                .help(format!("write `port \"{RENDEZVOUS}\"`; for another port, use another name"))
                .suggest(Fix::replace(name.span, format!("\"{RENDEZVOUS}\""))),
        );
    }
}

/// Reports a probe that does not set exactly one of `tcp`, `http`, and `file`, or that has an invalid value for one of them.
fn probe_target(job: &Job<'_>, probe: &At<spec::Probe>, role: &Role, out: &mut Vec<Diagnostic>) {
    let spec::Probe { tcp, http, file } = &probe.value;
    let spans: Vec<Span> =
        [tcp.as_ref().map(|t| t.span), http.as_ref().map(|t| t.span), file.as_ref().map(|t| t.span)]
            .into_iter()
            .flatten()
            .collect();
    match spans.as_slice() {
        [] => out.push(
            Diagnostic::new(&BAD_PROBE, probe.span, "`ready` has no probe")
                .from_whole(&path_in(role, &["ready"]))
                .here("no `tcp`, `http`, or `file`")
                .help("add one of `tcp=\"PORT-NAME\"`, `http=\"PORT-NAME/path\"`, `file=\"/path\"`"),
        ),
        [_] => {}
        [first, second, ..] => out.push(
            Diagnostic::new(&BAD_PROBE, *second, "`ready` takes only one probe")
                .here("second probe")
                .label(*first, "first probe")
                .help("keep one of `tcp`, `http`, and `file`"),
        ),
    }
    for (at, is_http) in [(tcp, false), (http, true)] {
        let Some(at) = at else { continue };
        let text = at.value.as_str();
        let blank = text.contains(|c: char| c.is_whitespace() || c.is_control());
        let (valid, form, example) = if is_http {
            (
                text.contains('/') && !text.starts_with('/') && !text.contains("://"),
                "an HTTP probe needs a port name and a path (`PORT-NAME/path`)",
                "http=\"PORT-NAME/path\"".to_owned(),
            )
        } else {
            (!text.contains('/'), "a TCP probe needs a port name", format!("tcp=\"{}\"", port_of(text, role)))
        };
        if valid && !blank {
            out.extend(never_listens(job, at, role));
            out.extend(speaks_grpc(job, at, role).filter(|_| is_http));
            known_port(at, role, out);
        } else {
            let fact = format!("{form}, not `{}`", text.escaped());
            let help = match of_url(text, role).filter(|_| is_http) {
                Some(meant) => format!("write `http=\"{meant}\"`"),
                None => format!("write `{example}`"),
            };
            out.push(Diagnostic::new(&BAD_PROBE, at.span, fact).help(help));
        }
    }
}

/// Returns the port name before a path, such as `web` of `web/ok`, or a placeholder if the role has no such port.
fn port_of<'t>(text: &'t str, role: &Role) -> &'t str {
    let name = text.split('/').next().unwrap_or_default();
    if role.ports.iter().any(|port| port.name.value == name) { name } else { "PORT-NAME" }
}

/// Returns the value of `http` that is most likely meant: `web/ok` for `http://localhost:8080/ok` if port `web` has number 8080,
/// and `web/` for `web`.
fn of_url(text: &str, role: &Role) -> Option<String> {
    let named = |name: &str| role.ports.iter().any(|port| port.name.value == name);
    if named(text) {
        return Some(format!("{text}/"));
    }
    let (host, path) = text.split_once("://")?.1.split_once('/')?;
    let number: u16 = host.rsplit_once(':').map_or(Ok(80), |(_, number)| number.parse()).ok()?;
    let port = role.ports.iter().find(|port| port.number == Some(number))?;
    Some(format!("{}/{path}", port.name.value))
}

/// Reports an HTTP probe of port `rendezvous` in a task where TensorFlow starts a gRPC server on this port: the server closes each
/// connection that does not begin with the preface of HTTP/2.
fn speaks_grpc(job: &Job<'_>, at: &At<Text>, role: &Role) -> Option<Diagnostic> {
    let name = at.value.as_str().split('/').next().unwrap_or_default();
    let framework = &job.plan.framework;
    let custom = matches!(framework.strategy, Some(StrategyName::Custom) | None);
    let starts = framework.name.value == FrameworkName::Tensorflow && role.kind.is_peer() && !custom;
    if name != "rendezvous" || !starts || job.plan.peers() < 2 || role.is_told_port() {
        return None;
    }
    let fact = "port `rendezvous` belongs to a gRPC server, which does not answer HTTP probes";
    let found = Diagnostic::new(&BAD_PROBE, at.span, fact).here("never ready");
    Some(from_count(job, found.help("write `tcp=\"rendezvous\"`")))
}

/// Reports a probe of port `rendezvous` in a task where TensorFlow starts no server: an evaluator, or the only task of the
/// job. A role that waits for this task would wait forever. There is no error if the program gets the port number, because
/// it may listen on the port itself.
fn never_listens(job: &Job<'_>, at: &At<Text>, role: &Role) -> Option<Diagnostic> {
    let name = at.value.as_str().split('/').next().unwrap_or_default();
    let framework = &job.plan.framework;
    if framework.name.value != FrameworkName::Tensorflow || name != "rendezvous" || role.is_told_port() {
        return None;
    }
    // A program with a custom strategy may start a server, so a single task is then not an error.
    let single_task = framework.strategy != Some(StrategyName::Custom) && job.plan.peers() == 1;
    let fact = match role.kind {
        RoleKind::Helper => return None,
        RoleKind::Evaluator => {
            "nothing listens on port `rendezvous` of an evaluator, because TensorFlow starts no server in an evaluator"
        }
        RoleKind::Chief
        | RoleKind::Worker
        | RoleKind::Ps
        | RoleKind::Master
        | RoleKind::Scheduler
        | RoleKind::Server
        | RoleKind::Own => {
            "nothing listens on port `rendezvous`, because TensorFlow starts no server in a job with a single task"
        }
    };
    let found = Diagnostic::new(&BAD_PROBE, at.span, fact).here("never ready").help(
        "remove `ready`; or declare and probe a port that the program opens, such as `port \"web\" 8000` and `ready tcp=\"web\"`",
    );
    if role.kind == RoleKind::Evaluator { Some(found) } else { single_task.then(|| from_count(job, found)) }
}

/// Adds the premises of a finding about the number of peers: all peer roles and their counts were parsed, and none of these counts
/// is a placeholder.
fn from_count(job: &Job<'_>, found: Diagnostic) -> Diagnostic {
    let members = job.plan.roles.iter().filter(|role| role.kind.is_peer());
    members.fold(found.from_whole(&["job", "framework"]).from_whole(&["job", "role"]), |found, role| {
        found.from_value(role.count.span).from_whole(&path_in(role, &[]))
    })
}

/// Reports a probe of a port that the role does not have.
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
        None if names.is_empty() => found.help(format!("add `port \"{name}\" 8000`")),
        None => found.help(format!("ports of `{}`: {}", role.name.value, names.join(", "))),
    };
    out.push(found);
}
