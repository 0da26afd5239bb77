//! Rules of a TFJob that no single requirement can see.
mod clock;

use super::context::Context;
use super::queues::kueue;
use super::{Kubernetes, operator, published};
use crate::codes::OUTSIDE_QUOTA;
use crate::names::SUBDOMAIN_FORM;
use crate::patch::{self, Place, Rule, Rules};
use crate::pod::grammar::{is_label_value, is_subdomain};
use crate::pod::mechanism::{DESCRIPTION, QUEUE};
use crate::pod::rules::{Job, bad, long};
use crate::pod::{self, expand};
use crate::shim_source;
use serde_json::Value;
use tfjob_contract::{LONGEST_TEXT as LONGEST, too_long};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{self, Requirement};
use tfjob_lang::sources::Span;
use tfjob_lang::target::{Site, Target};

/// The name of a LocalQueue that is also the value of a label.
const QUEUE_FORM: &str =
    "lowercase letters, digits, `-` and `.`, at most 63, with a letter or digit at both ends";

/// Every fault of the `target` blocks.
pub fn judge(plan: &Plan, site: &Site<Kubernetes>) -> Vec<Diagnostic> {
    let context = Context::new(plan, site).pod;
    let roles: Vec<_> = site.roles.iter().map(super::RoleOptions::pod).collect();
    let patched = |role: RoleId, place: &str| operator::patched(plan, role, &format!("/template{place}"));
    let mut out = patches(plan);
    shim_source::judge(Kubernetes::NAME, site.job.shim.as_ref(), Some(NO_URL), &mut out);
    out.extend(pod::rules::judge(&Job { context: &context, roles: &roles, patched: &patched }));
    out.extend(config(&context).into_iter().chain(twice(&context, site)));
    out.extend(uncounted(plan, site).into_iter().chain(clock::judge(plan, site)).chain(finished(plan)));
    // Volcano's queue is a field of the job, Kueue's the value of a label.
    let volcano = site.job.volcano_queue.as_ref().filter(|queue| !is_subdomain(queue.value.as_str()));
    let local = site.job.local_queue.as_ref().filter(|queue| !is_queue(queue.value.as_str()));
    for (queue, help) in [(volcano, SUBDOMAIN_FORM), (local, QUEUE_FORM)] {
        if let Some(queue) = queue {
            let fact = format!("`{}` is not the name of a queue", queue.value);
            out.push(bad(&context, queue.span, &fact, help));
        }
    }
    if let Some(queue) = site.job.volcano_queue.as_ref().filter(|_| !site.job.volcano()) {
        let fact = "`volcano-queue` needs Volcano, and `gang` does not name it";
        out.push(bad(
            &context,
            queue.span,
            fact,
            "add `gang \"volcano\"`, or write `local-queue` for a queue of Kueue",
        ));
    }
    out
}

/// The kubelet downloads no files into a container.
const NO_URL: shim_source::Missing = shim_source::Missing {
    property: "url",
    why: "the kubelet does not download files into a container",
    help: "remove `shim`: then the shim is mounted from a ConfigMap; or copy it into the image and write `shim path=\"/opt/tfjob-shim\"`",
};

/// Peers that have finished when a worker comes back in another Pod.
fn finished(plan: &Plan) -> Option<Diagnostic> {
    let replaced = |role| operator::is_worker(plan, role) && operator::dynamic(plan);
    crate::finished::judge(Kubernetes::NAME, plan, replaced)
}

/// Kueue counts what has its label: TensorBoard's Deployment, which never ends, has none.
fn uncounted(plan: &Plan, site: &Site<Kubernetes>) -> Option<Diagnostic> {
    let word = kueue(plan, &site.job)?;
    let board = plan.requirements.iter().find(|required| {
        matches!(required.requirement, Requirement::Job(requirement::Job::Tensorboard(_)))
    })?;
    let fact = format!(
        "kubernetes: TensorBoard's Deployment is not counted by Kueue: {word} is for the TFJob alone"
    );
    let help = "where Kueue's `manageJobsWithoutQueueName` is on it never starts: then remove `tensorboard`, and run one outside the job";
    Some(Diagnostic::new(&OUTSIDE_QUOTA, board.at, fact).here("starts outside the queue").help(help))
}

/// The operator writes TF_CONFIG into every Pod with more than one task, also where the shim replaces it.
fn config(context: &pod::context::Context<'_>) -> Option<Diagnostic> {
    let plan = context.plan;
    if !operator::distributed(plan) {
        return None;
    }
    let lists = (0..plan.roles.len()).map(|id| {
        let role = &plan.roles[id];
        let list = expand::addresses(context, id).map_or(0, |list| list.len());
        // Each address in quotes, the list in brackets, under the role's name.
        list + 2 * role.count.value as usize + role.name.value.len() + 6
    });
    let most = plan.roles.iter().max_by_key(|role| role.count.value)?;
    let frame = r#"TF_CONFIG={"cluster":{},"task":{"type":"","index":},"environment":"cloud"}"#;
    // One comma less than roles, and the largest index.
    let last = (most.count.value - 1).to_string();
    let length = frame.len() + lists.sum::<usize>() - 1 + most.name.value.len() + last.len();
    (length > LONGEST).then(|| {
        let fact = too_long(&"the variable TF_CONFIG", length).to_string();
        long(context, most.name.span, &fact)
            .help("fewer tasks: the addresses of all stand in the TF_CONFIG of each")
    })
}

/// What an ask and an option would write to one place.
fn twice(context: &pod::context::Context<'_>, site: &Site<Kubernetes>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut tell = |at: Span, other: Span, key: &str| {
        out.push(bad(context, at, &format!("`{key}` is said twice"), "say it once").label(other, "and here"));
    };
    for required in &context.plan.requirements {
        if let Requirement::Job(requirement::Job::Label { key, value }) = &required.requirement
            && let Some(queue) = site.job.local_queue.as_ref().filter(|_| key == QUEUE)
            && queue.value.as_str() != value
        {
            tell(queue.span, required.at, key);
        }
        if let Requirement::Job(requirement::Job::Description(words)) = &required.requirement
            && let Some((key, value)) =
                site.job.annotations.0.iter().find(|(key, _)| key.value == DESCRIPTION)
            && value.value.as_str() != words
        {
            tell(key.span, required.at, &key.value);
        }
    }
    out
}

/// A patch may set every field that the API has, but for those that everything else is named and counted after.
fn patches(plan: &Plan) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let roles: Vec<String> = (0..plan.roles.len()).map(|id| operator::key(plan, id)).collect();
    // A key in another case would be a second role, or overwrite the first.
    let rule = |place: &Place<'_>, value: &Value| match place.key {
        Some(key) if place.field == "tfReplicaSpecs" && !roles.iter().any(|role| role == key) => {
            Rule::Fault(format!("is not a role of the job: {}", roles.join(", ")))
        }
        _ => super::patched::rule(place, value),
    };
    for required in &plan.requirements {
        let Requirement::Job(requirement::Job::Patch { target, role, text }) = &required.requirement else {
            continue;
        };
        if target != Kubernetes::NAME {
            continue;
        }
        let rules = Rules {
            target: Kubernetes::NAME,
            root: if role.is_some() { &published::REPLICA_SPEC } else { &published::TF_JOB },
            rule: &rule,
            validator: (
                "the API server",
                "run `kubectl apply --dry-run=server -f job.yaml` before you submit the job",
            ),
        };
        out.extend(patch::check(&rules, text, required.at));
    }
    out
}

fn is_queue(text: &str) -> bool {
    !text.is_empty() && is_label_value(text) && is_subdomain(text)
}
