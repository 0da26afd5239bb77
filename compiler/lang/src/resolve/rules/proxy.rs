//! A proxy in the environment of tasks that talk to each other by gRPC.
use super::Job;
use crate::codes::PROXIED_PEERS;
use crate::diagnostic::Diagnostic;
use crate::plan::{Part, Template};
use crate::spec::{FrameworkName, StrategyName};
use std::collections::BTreeSet;

/// The variables that gRPC reads, in its order (`http_proxy_mapper.cc`); it reads none in capitals.
const PROXIES: [&str; 3] = ["grpc_proxy", "https_proxy", "http_proxy"];
/// The variables that name what needs no proxy.
const EXCEPTIONS: [&str; 2] = ["no_grpc_proxy", "no_proxy"];

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let framework = &job.plan.framework;
    // A program with a strategy of its own may connect otherwise.
    let talks =
        framework.name.value == FrameworkName::Tensorflow && framework.strategy != Some(StrategyName::Custom);
    if !talks || job.plan.peers() < 2 {
        return;
    }
    let mut told = BTreeSet::new();
    for role in job.plan.roles.iter().filter(|role| role.kind.is_peer()) {
        let given = |names: &[&str]| {
            let found = names
                .iter()
                .find_map(|name| role.env.iter().find(|(set, value)| set.value == *name && !is_empty(value)));
            found.map(|(name, _)| name)
        };
        let Some(proxy) = given(&PROXIES).filter(|_| given(&EXCEPTIONS).is_none()) else { continue };
        if told.insert(proxy.span) {
            let fact = format!(
                "TensorFlow's tasks connect to each other by gRPC, which takes the proxy of `{}`: they never meet",
                proxy.value
            );
            let help = format!(
                "add `no_proxy \"HOST,.DOMAIN\"` to this `env`; `tfjob show FILE --task {}:0` prints the hosts",
                role.name.value
            );
            out.push(
                Diagnostic::new(&PROXIED_PEERS, proxy.span, fact).here("also between the tasks").help(help),
            );
        }
    }
}

fn is_empty(value: &Template) -> bool {
    value.parts.iter().all(|part| matches!(part, Part::Text(text) if text.is_empty()))
}
