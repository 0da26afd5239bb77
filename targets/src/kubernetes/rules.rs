//! Rules that no single ask can see: options that the API server would refuse.
mod clock;
mod drivers;
mod length;
mod owner;
mod sidecars;
pub mod size;

use super::means::DESCRIPTION;
use super::queues::kueue;
use super::{Kubernetes, operator, published};
use crate::codes::{OUTSIDE_QUOTA, ROOT_IMAGE, SMALL_DISK};
use crate::delivered;
use crate::names::{LABEL_FORM, SUBDOMAIN_FORM};
use crate::patch::{self, Place, Rule, Rules};
use crate::paths::{self, Named};
use crate::pod::annotations;
use crate::pod::grammar::{is_extended_resource, is_label, is_label_value, is_qualified, is_subdomain};
use crate::pod::means::QUEUE;
use crate::pod::schema::TaintEffect;
use serde_json::Value;
use tfjob_lang::ask::{Ask, Identity, Job, Resources, Storage};
use tfjob_lang::at::At;
use tfjob_lang::codes::{BAD_OPTION, FEATURE_IGNORED, NESTED_PATH};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::{Class, Text, Uri};
use tfjob_lang::target::{Site, Target};

/// A `disk` that most code and its archive fit in.
const ROOMY: u64 = 1 << 30;
const LABEL: &str = "letters, digits, `-`, `_` and `.`, at most 63, with a letter or digit at both ends";
/// The name of a LocalQueue that is also the value of a label.
const QUEUE_FORM: &str =
    "lowercase letters, digits, `-` and `.`, at most 63, with a letter or digit at both ends";
const KEY: &str = "letters, digits, `-`, `_` and `.`, at most 63, maybe after a domain and `/`";

/// Every fault of the `target` blocks.
pub fn judge(plan: &Plan, site: &Site<Kubernetes>) -> Vec<Diagnostic> {
    let mut out = patches(plan);
    out.extend(crate::beside::lone_secrets(Kubernetes::NAME, plan));
    out.extend(length::judge(plan, site));
    out.extend(twice(plan, site));
    out.extend(root(plan, site).into_iter().chain(disk(plan)).chain(nested(plan)));
    out.extend(uncounted(plan, site).into_iter().chain(clock::judge(plan, site)));
    out.extend(drivers::judge(plan, site).into_iter().chain(finished(plan)));
    out.extend(unused_stage_image(plan, site).into_iter().chain(shim(plan, site)));
    // A driver mounts the directory of the file.
    let driven =
        plan.storage.code.as_ref().and_then(|code| site.job.pod().driver(code.uri.value.scheme().word()));
    if driven.is_none() {
        out.extend(delivered::alone(Kubernetes::NAME, plan, &[]));
    }
    out.extend(delivered::board(Kubernetes::NAME, plan, delivered::Files::None));
    let job = &site.job;
    let mut check = |value: Option<&At<Text>>, what: &str, good: fn(&str) -> bool, help: &str| {
        if let Some(value) = value.filter(|v| !good(v.value.as_str())) {
            out.push(bad(value.span, &format!("`{}` is not {what}", value.value), help));
        }
    };
    check(job.namespace.as_ref(), "the name of a namespace", is_label, LABEL_FORM);
    // Volcano's queue is a field of the job, Kueue's the value of a label.
    if job.volcano() {
        check(job.queue.as_ref(), "the name of a queue", is_subdomain, SUBDOMAIN_FORM);
    } else {
        check(job.queue.as_ref(), "the name of a queue", is_queue, QUEUE_FORM);
    }
    check(job.gpu_resource.as_ref(), "a counted resource", is_extended_resource, "such as `nvidia.com/gpu`");
    for label in [&job.gpu_model_label, &job.gpu_memory_label, &job.rack_label] {
        check(label.as_ref(), "the key of a label", is_qualified, KEY);
    }
    let roles = || site.roles.iter();
    for priority in [&job.priority].into_iter().chain(roles().map(|r| &r.priority)) {
        check(priority.as_ref(), "the name of a priority class", is_subdomain, SUBDOMAIN_FORM);
    }
    for account in [&job.service_account].into_iter().chain(roles().map(|r| &r.service_account)) {
        check(account.as_ref(), "the name of a service account", is_subdomain, SUBDOMAIN_FORM);
    }
    out.extend(annotated(plan, site));
    out.extend(sidecars::judge(plan, site));
    out.extend(drivers::names(site));
    if let Some(group) = job.fs_group.as_ref().filter(|group| i32::try_from(group.value).is_err()) {
        let fact = format!("`fsGroup` is at most {}, not {}", i32::MAX, group.value);
        out.push(bad(group.span, &fact, "the number of the group, as `id -g` prints it: `fs-group 1000`"));
    }
    out.extend(tolerated(site));
    out
}

/// Tolerations that the API server refuses, of the job and of its roles.
fn tolerated(site: &Site<Kubernetes>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for toleration in site.job.toleration.iter().chain(site.roles.iter().flat_map(|r| &r.toleration)) {
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

/// Peers that have finished when a worker comes back in another Pod.
fn finished(plan: &Plan) -> Option<Diagnostic> {
    let replaced = |role| operator::is_worker(plan, role) && operator::dynamic(plan);
    crate::finished::judge(Kubernetes::NAME, plan, replaced)
}

/// Files of secrets inside what TensorBoard alone mounts for reading only: no runtime can make the file there.
fn nested(plan: &Plan) -> Vec<Diagnostic> {
    let board = plan.asks.iter().find_map(|asked| {
        let Ask::Job(Job::Tensorboard(board)) = &asked.ask else { return None };
        crate::pod::places::places(plan).fixed(&board.logs)
    });
    let Some(logs) = board else { return Vec::new() };
    let inside =
        |path: &str, folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let writable = plan.storage.data.iter().filter(|volume| volume.writable);
    let mounts = plan.storage.checkpoints.iter().chain(writable).filter_map(|volume| volume.at.as_ref());
    let mounts: Vec<_> = mounts.filter(|at| logs == at.value || inside(&logs, &at.value)).collect();
    let one = |(secret, span): (crate::beside::Secret, Span)| {
        let path = secret.at?;
        let outer = mounts.iter().find(|outer| inside(&path, &outer.value))?;
        let fact = format!(
            "kubernetes: `{path}` is inside `{}`, which TensorBoard mounts for reading only",
            outer.value
        );
        let found = Diagnostic::new(&NESTED_PATH, span, fact).here("must be there already");
        let help = "where no such file is in it TensorBoard does not start: give this a path of its own";
        Some(found.label(outer.span, "mounted here").help(help))
    };
    crate::beside::secrets(plan).into_iter().filter_map(one).collect()
}

/// The shim of an image is a file, and Hadoop is a directory.
fn shim(plan: &Plan, site: &Site<Kubernetes>) -> Vec<Diagnostic> {
    let shim = site.job.shim.as_ref();
    let shim = shim.map(|shim| Named { field: "shim", path: shim.value.as_str(), at: shim.span });
    paths::judge(plan, shim.as_slice())
}

/// Annotations that the API server refuses, of the job and of its Pods.
fn annotated(plan: &Plan, site: &Site<Kubernetes>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut met = std::collections::BTreeSet::new();
    let all = site.job.annotations.0.iter().map(|annotation| (None, annotation));
    let roles = site
        .roles
        .iter()
        .enumerate()
        .flat_map(|(id, role)| role.annotations.0.iter().map(move |annotation| (Some(id), annotation)));
    for (role, (key, value)) in all.chain(roles) {
        if !met.insert(value.span) {
            continue;
        }
        if !is_qualified(&key.value.to_lowercase()) {
            out.push(bad(key.span, &format!("`{}` is not the key of an annotation", key.value), KEY));
        } else if let Some(why) = annotations::fault(&key.value, value.value.as_str()) {
            let help = "correct the value, or remove the annotation";
            out.push(bad(value.span, &format!("`{}` {why}", key.value), help));
        } else if let Some(name) = annotations::container(&key.value)
            && !contains(plan, name, role)
        {
            let help = "the container of the program is `tensorflow`";
            out.push(bad(key.span, &format!("`{name}` is not a container of the Pods"), help));
        }
    }
    out
}

/// Whether the Pods of a role, or of all, have a container of that name. A patch may add any.
fn contains(plan: &Plan, name: &str, role: Option<RoleId>) -> bool {
    let patched = plan.asks.iter().any(|asked| {
        let Ask::Job(Job::Patch { target, role: of, .. }) = &asked.ask else { return false };
        target == Kubernetes::NAME && (of.is_none() || role.is_none() || *of == role)
    });
    let storage = &plan.storage;
    patched
        || name == "tensorflow"
        || name == "code" && storage.code.is_some()
        || name == "fresh" && storage.checkpoints.is_some()
        || name.starts_with("stage-") && !storage.stage.is_empty()
}

/// `runAsNonRoot` starts no container of root, and an image starts as root unless its Dockerfile has a numeric `USER`.
fn root(plan: &Plan, site: &Site<Kubernetes>) -> Option<Diagnostic> {
    let restricted = site.job.restricted.as_ref().filter(|restricted| restricted.value)?;
    let has_user = |id| {
        plan.asks
            .iter()
            .any(|asked| matches!(asked.ask, Ask::Identity(Identity::User { role, .. }) if role == id))
    };
    let role = (0..plan.roles.len()).find(|id| !has_user(*id)).map(|id| &plan.roles[id].name)?;
    let fact = format!(
        "kubernetes: `restricted` sets `runAsNonRoot`, and `{}` has no `user`: an image that runs as root does not start",
        role.value
    );
    let found = Diagnostic::new(&ROOT_IMAGE, restricted.span, fact).here("refuses root");
    let help = "add `user 1000` to the job, or another number that the image can run as";
    Some(found.label(role.span, "runs as the user of its image").help(help))
}

/// Kueue counts what has its label: TensorBoard's Deployment, which never ends, has none.
fn uncounted(plan: &Plan, site: &Site<Kubernetes>) -> Option<Diagnostic> {
    let word = kueue(plan, &site.job)?;
    let board = plan.asks.iter().find(|asked| matches!(asked.ask, Ask::Job(Job::Tensorboard(_))))?;
    let fact = format!(
        "kubernetes: TensorBoard's Deployment is not counted by Kueue: {word} is for the TFJob alone"
    );
    let help = "where Kueue's `manageJobsWithoutQueueName` is on it never starts: then remove `tensorboard`, and run one outside the job";
    Some(Diagnostic::new(&OUTSIDE_QUOTA, board.at, fact).here("starts outside the queue").help(help))
}

/// `hadoop` says where each role's image has Hadoop's client; of the stage image nothing is known.
fn unused_stage_image(plan: &Plan, site: &Site<Kubernetes>) -> Option<Diagnostic> {
    let image = site.job.stage_image.as_ref()?;
    let by_hadoop = |uri: &Uri| {
        uri.scheme().class() == Class::Hadoop && site.job.pod().driver(uri.scheme().word()).is_none()
    };
    let asked = plan.asks.iter().find(|asked| {
        let Ask::Storage(Storage::Code { uri, .. } | Storage::Stage { uri, .. }) = &asked.ask else {
            return false;
        };
        by_hadoop(uri)
    })?;
    let fact = "kubernetes: `stage-image` is ignored for `hdfs:` and `viewfs:`, which Hadoop's client of each role's image fetches";
    let help =
        "install Hadoop's client in the role's image, where `hadoop home=` says; or put the file on `https:`";
    let found = Diagnostic::new(&FEATURE_IGNORED, image.span, fact).here("not used for this fetch");
    Some(found.label(asked.at, "fetched by the role's image").help(help))
}

/// What init containers fetch is in an `emptyDir`, which counts against the Pod's `ephemeral-storage`.
fn disk(plan: &Plan) -> Vec<Diagnostic> {
    let fetched = plan.asks.iter().find(|asked| {
        let Ask::Storage(Storage::Code { uri, .. } | Storage::Stage { uri, .. }) = &asked.ask else {
            return false;
        };
        !uri.scheme().class().is_disk()
    });
    let Some(fetched) = fetched else { return Vec::new() };
    // One line may set the disk of several roles.
    let mut small: std::collections::BTreeMap<Span, Vec<String>> = std::collections::BTreeMap::new();
    for asked in &plan.asks {
        let Ask::Resources(Resources::Disk { role, bytes }) = &asked.ask else { continue };
        if *bytes < ROOMY {
            small.entry(asked.at).or_default().push(format!("`{}`", plan.roles[*role].name.value));
        }
    }
    let told = |(at, roles): (Span, Vec<String>)| {
        let fact = format!(
            "kubernetes: `disk` is the `ephemeral-storage` limit of {}, and fetched files count against it",
            roles.join(", ")
        );
        Diagnostic::new(&SMALL_DISK, at, fact)
            .here("the Pod is evicted above this, and the job fails")
            .label(fetched.at, "fetched into the Pod, archive and files")
            .help("allow for the archive, the unpacked files and the logs: `disk=\"2GiB\"`")
    };
    small.into_iter().map(told).collect()
}

/// What an ask and an option would write to one place.
fn twice(plan: &Plan, site: &Site<Kubernetes>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut tell = |at: Span, other: Span, key: &str| {
        out.push(bad(at, &format!("`{key}` is said twice"), "say it once").label(other, "and here"));
    };
    for asked in &plan.asks {
        if let Ask::Job(Job::Label { key, value }) = &asked.ask
            && let Some(queue) = site.job.queue.as_ref().filter(|_| key == QUEUE && !site.job.volcano())
            && queue.value.as_str() != value
        {
            tell(queue.span, asked.at, key);
        }
        if let Ask::Job(Job::Description(words)) = &asked.ask
            && let Some((key, value)) =
                site.job.annotations.0.iter().find(|(key, _)| key.value == DESCRIPTION)
            && value.value.as_str() != words
        {
            tell(key.span, asked.at, &key.value);
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
    for asked in &plan.asks {
        let Ask::Job(Job::Patch { target, role, text }) = &asked.ask else { continue };
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
        out.extend(patch::check(&rules, text, asked.at));
    }
    out
}

fn is_queue(text: &str) -> bool {
    !text.is_empty() && is_label_value(text) && is_subdomain(text)
}

fn evicts(toleration: &super::Toleration) -> bool {
    toleration.effect.as_ref().is_some_and(|e| e.value == TaintEffect::NoExecute)
}

fn bad(at: Span, fact: &str, help: &str) -> Diagnostic {
    Diagnostic::new(&BAD_OPTION, at, fact).here("kubernetes refuses it").help(help)
}
