//! Checks of annotations and labels that make a webhook inject a sidecar. If the sidecar does not exit when the program exits, the
//! Pod keeps running and the job never finishes.
use crate::codes::SIDECAR_NEVER_EXITS;
use crate::pod::context::Context;
use crate::pod::options::RoleOptions;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::requirement::{Job, Requirement};
use tfjob_lang::sources::Span;

/// A product whose webhook injects a sidecar.
struct Injector {
    name: &'static str,
    key: &'static str,
    /// Values of the annotation that enable the injection, in lower case.
    values: &'static [&'static str],
    /// Whether not only the annotation but also a label with the key `key` enables the injection.
    label: bool,
    /// Annotations that make the sidecar exit no later than the program, if their value is `true`.
    ends: &'static [&'static str],
    help: &'static str,
}

const YES: &[&str] = &["true", "t", "1", "yes", "y", "on"];

/// Injectors and their annotations, from their documentation. The label of Istio takes precedence over its annotation
/// (`injectRequired`).
const INJECTORS: [Injector; 5] = [
    Injector {
        name: "Istio",
        key: "sidecar.istio.io/inject",
        values: YES,
        label: true,
        ends: &["sidecar.istio.io/nativeSidecar"],
        help: "remove it; or, on Kubernetes 1.29 and Istio 1.24 or newer, add `\"sidecar.istio.io/nativeSidecar\" \"true\"` to `annotations`: a native sidecar exits with the program (newer releases of Istio use one by default)",
    },
    Injector {
        name: "Linkerd",
        key: "linkerd.io/inject",
        values: &["enabled", "ingress"],
        label: false,
        ends: &[
            "config.beta.linkerd.io/proxy-enable-native-sidecar",
            "config.alpha.linkerd.io/proxy-enable-native-sidecar",
        ],
        help: "remove it; or, on Kubernetes 1.29 or newer, add `\"config.beta.linkerd.io/proxy-enable-native-sidecar\" \"true\"` to `annotations`: a native sidecar exits with the program",
    },
    Injector {
        name: "Vault",
        key: "vault.hashicorp.com/agent-inject",
        values: YES,
        label: false,
        ends: &["vault.hashicorp.com/agent-pre-populate-only"],
        help: "add `\"vault.hashicorp.com/agent-pre-populate-only\" \"true\"` to `annotations`: then only an init container writes the secrets, before the program starts",
    },
    Injector {
        name: "Consul",
        key: "consul.hashicorp.com/connect-inject",
        values: YES,
        label: false,
        ends: &[],
        help: "remove it; the tasks of a job connect to each other without a service mesh",
    },
    Injector {
        name: "Dapr",
        key: "dapr.io/enabled",
        values: YES,
        label: false,
        ends: &[],
        help: "remove it; or let the program stop the sidecar before it exits: `POST http://localhost:3500/v1.0/shutdown`",
    },
];

/// Reports sidecars in Pods that the job waits for.
pub fn judge(context: &Context<'_>, roles: &[RoleOptions<'_>]) -> Vec<Diagnostic> {
    let plan = context.plan;
    let mut found: Vec<(Span, &Injector)> = Vec::new();
    let labels = plan.requirements.iter().filter_map(|required| {
        let Requirement::Job(Job::Label { key, value }) = &required.requirement else { return None };
        Some((key.as_str(), value.as_str(), required.at))
    });
    let labels: Vec<(&str, &str, Span)> = labels.collect();
    for (_, options) in plan.roles.iter().zip(roles).filter(|(role, _)| !role.kind.never_exits()) {
        let annotations: Vec<(&str, &str, Span)> = options
            .annotations
            .iter()
            .map(|(key, value)| (key.value.as_str(), value.value.as_str(), value.span))
            .collect();
        let is = |(key, value, _): &(&str, &str, Span), other: &str, values: &[&str]| {
            *key == other && values.contains(&value.to_lowercase().as_str())
        };
        for injector in &INJECTORS {
            if annotations.iter().any(|one| injector.ends.iter().any(|key| is(one, key, YES))) {
                continue;
            }
            let mut enabling = labels.iter().filter(|_| injector.label).chain(&annotations).copied();
            if let Some((.., at)) = enabling.find(|one| is(one, injector.key, injector.values))
                && found.iter().all(|(known, _)| *known != at)
            {
                found.push((at, injector));
            }
        }
    }
    found.into_iter().map(|(at, injector)| never_exits(context, at, injector)).collect()
}

fn never_exits(context: &Context<'_>, at: Span, injector: &Injector) -> Diagnostic {
    let fact = format!(
        "{}: {} injects a sidecar that does not exit with the program, so the pod never completes and the job never finishes",
        context.kind.target, injector.name
    );
    Diagnostic::new(&SIDECAR_NEVER_EXITS, at, fact).here("injects a sidecar").help(injector.help)
}
