//! Annotations and labels that let a webhook add a container next to the program's: one that does not end with the program
//! keeps the Pod running, and the job with it.
use crate::codes::SIDECAR_NEVER_EXITS;
use crate::pod::context::Context;
use crate::pod::options::RoleOptions;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::requirement::{Job, Requirement};
use tfjob_lang::sources::Span;

/// What adds a container, and what makes it end with the program.
struct Injector {
    name: &'static str,
    key: &'static str,
    /// In lower case.
    values: &'static [&'static str],
    /// Whether a label of the Pod asks for it too.
    label: bool,
    /// Annotations with which the container ends with the program or before it; `true`.
    ends: &'static [&'static str],
    help: &'static str,
}

const YES: &[&str] = &["true", "t", "1", "yes", "y", "on"];

/// After the documentation of each; Istio's label wins over its annotation (`injectRequired`).
const INJECTORS: [Injector; 5] = [
    Injector {
        name: "Istio",
        key: "sidecar.istio.io/inject",
        values: YES,
        label: true,
        ends: &["sidecar.istio.io/nativeSidecar"],
        help: "remove it; or, on Kubernetes 1.29 and Istio 1.24 or newer, add `\"sidecar.istio.io/nativeSidecar\" \"true\"` to `annotations`: a native sidecar ends with the program (newer releases of Istio make it one anyway)",
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
        help: "remove it; or, on Kubernetes 1.29 or newer, add `\"config.beta.linkerd.io/proxy-enable-native-sidecar\" \"true\"` to `annotations`: a native sidecar ends with the program",
    },
    Injector {
        name: "Vault",
        key: "vault.hashicorp.com/agent-inject",
        values: YES,
        label: false,
        ends: &["vault.hashicorp.com/agent-pre-populate-only"],
        help: "add `\"vault.hashicorp.com/agent-pre-populate-only\" \"true\"` to `annotations`: then an init container alone writes the secrets, before the program starts",
    },
    Injector {
        name: "Consul",
        key: "consul.hashicorp.com/connect-inject",
        values: YES,
        label: false,
        ends: &[],
        help: "remove it: tasks of a job do not need the mesh to meet each other",
    },
    Injector {
        name: "Dapr",
        key: "dapr.io/enabled",
        values: YES,
        label: false,
        ends: &[],
        help: "remove it; or let the program end the sidecar when it has finished: `POST http://localhost:3500/v1.0/shutdown`",
    },
];

/// Sidecars of tasks whose end the job waits for.
pub fn judge(context: &Context<'_>, roles: &[RoleOptions<'_>]) -> Vec<Diagnostic> {
    let plan = context.plan;
    let mut found: Vec<(Span, &Injector)> = Vec::new();
    for (_, options) in plan.roles.iter().zip(roles).filter(|(role, _)| !role.kind.never_exits()) {
        let annotations: Vec<(&str, &str, Span)> = options
            .annotations
            .iter()
            .map(|(key, value)| (key.value.as_str(), value.value.as_str(), value.span))
            .collect();
        let labels = plan.requirements.iter().filter_map(|required| {
            let Requirement::Job(Job::Label { key, value }) = &required.requirement else { return None };
            Some((key.as_str(), value.as_str(), required.at))
        });
        let is = |(key, value, _): &(&str, &str, Span), other: &str, values: &[&str]| {
            *key == other && values.contains(&value.to_lowercase().as_str())
        };
        for injector in &INJECTORS {
            if annotations.iter().any(|one| injector.ends.iter().any(|key| is(one, key, YES))) {
                continue;
            }
            let mut asking = labels.clone().filter(|_| injector.label).chain(annotations.iter().copied());
            if let Some((.., at)) = asking.find(|one| is(one, injector.key, injector.values))
                && found.iter().all(|(known, _)| *known != at)
            {
                found.push((at, injector));
            }
        }
    }
    found.into_iter().map(|(at, injector)| told(context, at, injector)).collect()
}

fn told(context: &Context<'_>, at: Span, injector: &Injector) -> Diagnostic {
    let fact = format!(
        "{}: {} adds a container that does not end with the program: the Pod never completes, and the job never finishes",
        context.kind.target, injector.name
    );
    Diagnostic::new(&SIDECAR_NEVER_EXITS, at, fact).here("adds a sidecar").help(injector.help)
}
