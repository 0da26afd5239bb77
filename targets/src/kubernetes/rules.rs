//! Checks of a TFJob that concern several requirements together.
pub mod argocd;
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
use tfjob_lang::requirement::{self, Feature, Requirement};
use tfjob_lang::sources::Span;
use tfjob_lang::target::{Site, Target};

/// Help that says what a Kueue queue name may contain. The name is also a label value.
const QUEUE_FORM: &str =
    "use lowercase letters, digits, `-`, and `.`, at most 63 characters, with a letter or digit at both ends";

/// Returns the diagnostics about the `target` blocks, and about the job as a whole.
pub fn judge(plan: &Plan, site: &Site<Kubernetes>) -> Vec<Diagnostic> {
    let context = Context::new(plan, site).pod;
    let roles: Vec<_> = site.roles.iter().map(super::RoleOptions::pod).collect();
    let patched = |role: RoleId, place: &str| operator::patched(plan, role, &format!("/template{place}"));
    let mut out = patches(plan);
    shim_source::judge(Kubernetes::NAME, site.job.shim.as_ref(), &[NO_URL], true, &mut out);
    out.extend(hidden_shim(&context));
    out.extend(pod::rules::judge(&Job { context: &context, roles: &roles, patched: &patched }));
    out.extend(tf_config_length(&context).into_iter().chain(conflicts(&context, site)));
    out.extend(argocd::judge(&context, &site.job));
    out.extend(uncounted(plan, site).into_iter().chain(clock::judge(plan, site)).chain(finished(plan)));
    // Volcano reads the queue name from a field, so the name may be longer than the name of a Kueue queue, which is a label value.
    let volcano = site.job.volcano_queue.as_ref().filter(|queue| !is_subdomain(queue.value.as_str()));
    let local = site.job.local_queue.as_ref().filter(|queue| !is_queue(queue.value.as_str()));
    for (queue, help) in [(volcano, SUBDOMAIN_FORM), (local, QUEUE_FORM)] {
        if let Some(queue) = queue {
            let fact = format!("`{}` is not a valid queue name", queue.value);
            out.push(bad(&context, queue.span, &fact, help));
        }
    }
    if let Some(queue) = site.job.volcano_queue.as_ref().filter(|_| !site.job.volcano()) {
        let fact = "`volcano-queue` needs `gang \"volcano\"`, which is not set";
        out.push(bad(
            &context,
            queue.span,
            fact,
            "add `gang \"volcano\"`, or use `local-queue` for a Kueue queue",
        ));
    }
    out
}

/// Texts of the error for `shim url=…`, which this target does not support.
const NO_URL: shim_source::Missing = shim_source::Missing {
    property: shim_source::Property::Url,
    why: "the kubelet does not download files into a container",
    help: "remove `shim`: then the shim is mounted from a ConfigMap; or copy it into the image of the tasks and write `shim path=\"/opt/tfjob-shim\"`",
};

/// Reports a shim in the image at or below the mount path of a volume, because the volume hides the shim.
fn hidden_shim(context: &pod::context::Context<'_>) -> Option<Diagnostic> {
    let (path, storage) = (context.options.shim?, &context.plan.storage);
    let text = path.value.as_str();
    let mounts = storage.checkpoints.iter().chain(&storage.data).filter_map(|volume| volume.at.as_ref());
    let below = |at: &str| text.strip_prefix(at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let mount = mounts.map(|at| &at.value).find(|at| below(at.as_str()))?;
    let fact =
        format!("`{text}` cannot be a file of the image, because the job mounts a volume at `{mount}`");
    Some(bad(
        context,
        path.span,
        &fact,
        "copy the shim to another path of the image, such as `/opt/tfjob-shim`",
    ))
}

/// Warns if peers may have finished when the operator recreates a lost worker. The new worker would wait for a peer that has
/// finished, because such a peer has no address.
fn finished(plan: &Plan) -> Option<Diagnostic> {
    let replaced = |role| operator::is_worker(plan, role) && operator::dynamic(plan);
    crate::finished::judge(Kubernetes::NAME, plan, replaced)
}

/// Warns of TensorBoard in a job with a Kueue queue. The Deployment of TensorBoard never completes, so it has no Kueue label, and
/// Kueue does not count its resources toward the quota.
fn uncounted(plan: &Plan, site: &Site<Kubernetes>) -> Option<Diagnostic> {
    let word = kueue(plan, &site.job)?;
    let board = plan.requirements.iter().find(|required| {
        matches!(required.requirement, Requirement::Job(requirement::Job::Tensorboard(_)))
    })?;
    let fact = format!(
        "kubernetes: TensorBoard starts outside the quota of the queue, because {word} applies only to the TFJob, not to the Deployment of TensorBoard"
    );
    let help = "if Kueue runs with `manageJobsWithoutQueueName`, the Deployment never starts: remove `tensorboard`, and run TensorBoard outside the job; otherwise, add `allow \"tensorboard\" on=\"kubernetes\" because=\"…\"`";
    let found = Diagnostic::new(&OUTSIDE_QUOTA, board.at, fact).here("starts outside the queue");
    Some(found.help(help).acceptable(Feature::Tensorboard))
}

/// Reports a job with so many tasks that TF_CONFIG exceeds Linux's maximum length of an environment variable. In a job with
/// several tasks, the operator writes TF_CONFIG into every Pod, even if the shim replaces it.
fn tf_config_length(context: &pod::context::Context<'_>) -> Option<Diagnostic> {
    let plan = context.plan;
    if !operator::distributed(plan) {
        return None;
    }
    let lists = (0..plan.roles.len()).map(|id| {
        let role = &plan.roles[id];
        let list = expand::addresses(context, id).map_or(0, |list| list.len());
        // Length of `"ROLE":["ADDRESS",…],` in JSON. `list` already contains the commas between addresses. Each address adds two
        // quotes. The number 6 counts the two quotes of the role name, the colon, the two brackets, and the last comma.
        list + 2 * role.count.value as usize + role.name.value.len() + 6
    });
    let most = plan.roles.iter().max_by_key(|role| role.count.value)?;
    let frame = r#"TF_CONFIG={"cluster":{},"task":{"type":"","index":},"environment":"cloud"}"#;
    // `- 1`: the last role has no comma after it. The last index has the most digits.
    let last = (most.count.value - 1).to_string();
    let length = frame.len() + lists.sum::<usize>() - 1 + most.name.value.len() + last.len();
    (length > LONGEST).then(|| {
        let fact = too_long(&"the variable TF_CONFIG", length).to_string();
        long(context, most.name.span, &fact)
            .help("use fewer tasks: TF_CONFIG of each task lists the addresses of all tasks")
    })
}

/// Reports a label or an annotation with two different values: one from a field of the job, the other from an option of the target.
fn conflicts(context: &pod::context::Context<'_>, site: &Site<Kubernetes>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut report = |at: Span, other: Span, key: &str| {
        let fact = format!("`{key}` is set twice, to different values");
        out.push(bad(context, at, &fact, "remove one of the two").label(other, "also set here"));
    };
    for required in &context.plan.requirements {
        if let Requirement::Job(requirement::Job::Label { key, value }) = &required.requirement
            && let Some(queue) = site.job.local_queue.as_ref().filter(|_| key == QUEUE)
            && queue.value.as_str() != value
        {
            report(queue.span, required.at, key);
        }
        if let Requirement::Job(requirement::Job::Description(text)) = &required.requirement
            && let Some((key, value)) =
                site.job.annotations.0.iter().find(|(key, _)| key.value == DESCRIPTION)
            && value.value.as_str() != text
        {
            report(key.span, required.at, &key.value);
        }
    }
    out
}

/// Checks the patches. A patch may set any field of the API, except fields that must keep their values, such as names, `replicas`,
/// and `restartPolicy`.
fn patches(plan: &Plan) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let roles: Vec<String> = (0..plan.roles.len()).map(|id| operator::key(plan, id)).collect();
    // A key in `tfReplicaSpecs` must be exactly the key of a role. A key with other capitalization would create a second role, or
    // replace the role of the job.
    let rule = |place: &Place<'_>, value: &Value| match place.key {
        Some(key) if place.field == "tfReplicaSpecs" && !roles.iter().any(|role| role == key) => {
            Rule::Fault(format!("is not a role of the job; its roles are {}", roles.join(", ")))
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
                "run `kubectl apply --dry-run=server -f tfjob.yaml` before you submit the job",
            ),
        };
        out.extend(patch::check(&rules, text, required.at));
    }
    out
}

fn is_queue(text: &str) -> bool {
    !text.is_empty() && is_label_value(text) && is_subdomain(text)
}
