//! Rules that no single ask can see: options that the API server would refuse.
use super::Kubernetes;
use super::grammar::{is_extended_resource, is_label_value, is_qualified, is_subdomain};
use crate::codes::BAD_OPTION;
use tfjob_lang::at::At;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::Plan;
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::Text;
use tfjob_lang::target::Site;

const LABEL: &str = "letters, digits, `-`, `_` and `.`, at most 63, with a letter or digit at both ends";
const KEY: &str = "letters, digits, `-`, `_` and `.`, at most 63, maybe after a domain and `/`";
const NAME: &str = "`a` to `z`, digits, `-` and `.`, at most 253";

/// Every fault of the `target` blocks.
pub fn judge(_plan: &Plan, site: &Site<Kubernetes>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let job = &site.job;
    let mut check = |value: Option<&At<Text>>, what: &str, good: fn(&str) -> bool, help: &str| {
        if let Some(value) = value.filter(|v| !good(v.value.as_str())) {
            out.push(bad(value.span, &format!("`{}` is not {what}", value.value), help));
        }
    };
    check(job.queue.as_ref(), "the name of a queue", is_queue, LABEL);
    check(job.gpu_resource.as_ref(), "a counted resource", is_extended_resource, "such as `nvidia.com/gpu`");
    for label in [&job.gpu_model_label, &job.gpu_memory_label, &job.rack_label] {
        check(label.as_ref(), "the key of a label", is_qualified, KEY);
    }
    let roles = || site.roles.iter();
    for priority in [&job.priority].into_iter().chain(roles().map(|r| &r.priority)) {
        check(priority.as_ref(), "the name of a priority class", is_subdomain, NAME);
    }
    for account in [&job.service_account].into_iter().chain(roles().map(|r| &r.service_account)) {
        check(account.as_ref(), "the name of a service account", is_subdomain, NAME);
    }
    for (key, _) in job.annotations.0.iter().chain(roles().flat_map(|r| &r.annotations.0)) {
        if !is_qualified(&key.value.to_lowercase()) {
            out.push(bad(key.span, &format!("`{}` is not the key of an annotation", key.value), KEY));
        }
    }
    for toleration in job.toleration.iter().chain(roles().flat_map(|r| &r.toleration)) {
        let t = &toleration.value;
        if !is_qualified(t.key.value.as_str()) {
            out.push(bad(t.key.span, &format!("`{}` is not the key of a taint", t.key.value), KEY));
        }
        if let Some(value) = t.value.as_ref().filter(|v| !is_label_value(v.value.as_str())) {
            out.push(bad(value.span, &format!("`{}` is not the value of a taint", value.value), LABEL));
        }
        if let Some(seconds) = t.seconds.as_ref().filter(|_| !evicts(t)) {
            let fact = "a taint that does not evict has no time to bear it";
            out.push(bad(seconds.span, fact, "`effect=\"NoExecute\"`, or no `seconds`"));
        }
    }
    out
}

fn is_queue(text: &str) -> bool {
    !text.is_empty() && is_label_value(text) && is_subdomain(text)
}

fn evicts(toleration: &super::Toleration) -> bool {
    toleration.effect.as_ref().is_some_and(|e| e.value == super::shape::TaintEffect::NoExecute)
}

fn bad(at: Span, fact: &str, help: &str) -> Diagnostic {
    Diagnostic::new(&BAD_OPTION, at, fact).here("kubernetes refuses it").help(help)
}
