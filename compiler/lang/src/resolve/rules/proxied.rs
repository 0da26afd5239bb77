//! Tasks of TensorFlow that would call each other through an HTTP proxy.
use super::Job;
use crate::codes::PROXIED_PEERS;
use crate::diagnostic::Diagnostic;
use crate::plan::{Command, Role};
use crate::sources::Span;
use crate::spec::FrameworkName;
use std::collections::BTreeSet;

/// The variables that gRPC reads, the first one first, and those that list hosts without a proxy
/// (`src/core/ext/filters/client_channel/http_proxy.cc`).
const PROXIES: [&str; 3] = ["grpc_proxy", "https_proxy", "http_proxy"];
const DIRECT: [&str; 2] = ["no_grpc_proxy", "no_proxy"];

/// On TensorFlow 2.15.1 two workers with `http_proxy` waited for each other until they were stopped; with `no_proxy` they trained.
pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    if job.plan.framework.name.value != FrameworkName::Tensorflow || job.plan.rendezvous_tasks() < 2 {
        return;
    }
    let mut told = BTreeSet::new();
    for (_, role) in job.roles() {
        if DIRECT.iter().any(|name| sets(role, name).is_some()) {
            continue;
        }
        let Some((name, at)) = PROXIES.iter().find_map(|name| Some((name, sets(role, name)?))) else {
            continue;
        };
        if told.insert(at) {
            out.push(
                Diagnostic::new(
                    &PROXIED_PEERS,
                    at,
                    format!("with `{name}`, gRPC calls the other tasks through the proxy, and TensorFlow hangs at startup"),
                )
                .here("also used between the tasks")
                .help("add `no_grpc_proxy` with the domains of the tasks, such as `no_grpc_proxy \".cluster.local\"`; other programs do not read it"),
            );
        }
    }
}

/// Where the environment or the script of a role sets a variable.
fn sets(role: &Role, variable: &str) -> Option<Span> {
    let env = role.env.iter().find(|(name, _)| name.value == variable);
    let script = || match &role.command {
        Command::Shell(text) => assigns(&text.value, variable).then_some(text.span),
        Command::Run(_) => None,
    };
    env.map(|(name, _)| name.span).or_else(script)
}

fn assigns(script: &str, variable: &str) -> bool {
    super::shell::commands(script).any(|words| {
        words.iter().any(|word| word.strip_prefix(variable).is_some_and(|rest| rest.starts_with('=')))
    })
}
