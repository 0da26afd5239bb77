//! Reports a proxy in the environment of tasks that connect to each other with gRPC.
use super::Job;
use crate::codes::PROXIED_PEERS;
use crate::diagnostic::Diagnostic;
use crate::plan::{Part, Template};
use crate::spec::{FrameworkName, StrategyName};
use std::collections::BTreeSet;

/// Environment variables from which gRPC reads its proxy, in this order (`http_proxy_mapper.cc`). gRPC ignores upper-case names.
const PROXIES: [&str; 3] = ["grpc_proxy", "https_proxy", "http_proxy"];
/// Environment variables that list the hosts for which no proxy is used.
const EXCEPTIONS: [&str; 2] = ["no_grpc_proxy", "no_proxy"];

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let framework = &job.plan.framework;
    // A program with a custom strategy may connect in another way, so it is not checked.
    let uses_grpc =
        framework.name.value == FrameworkName::Tensorflow && framework.strategy != Some(StrategyName::Custom);
    if !uses_grpc || job.plan.peers() < 2 {
        return;
    }
    let mut reported = BTreeSet::new();
    for role in job.plan.roles.iter().filter(|role| role.kind.is_peer()) {
        let given = |names: &[&str]| {
            let found = names
                .iter()
                .find_map(|name| role.env.iter().find(|(set, value)| set.value == *name && !is_empty(value)));
            found.map(|(name, _)| name)
        };
        let Some(proxy) = given(&PROXIES).filter(|_| given(&EXCEPTIONS).is_none()) else { continue };
        if reported.insert(proxy.span) {
            let fact = format!(
                "gRPC also uses the proxy in `{}` for connections between TensorFlow tasks, so the tasks cannot reach each other",
                proxy.value
            );
            let help = format!(
                "add `no_proxy \"HOST,.DOMAIN\"` with the task hosts to this `env`; to list them, run `tfjob show FILE --task {}:0`",
                role.name.value
            );
            out.push(
                Diagnostic::new(&PROXIED_PEERS, proxy.span, fact)
                    .here("also applies between tasks")
                    .help(help),
            );
        }
    }
}

fn is_empty(value: &Template) -> bool {
    value.parts.iter().all(|part| matches!(part, Part::Text(text) if text.is_empty()))
}
