//! Rules of Pods that no single requirement can see: options that the API server would refuse.
mod drivers;
mod length;
mod owner;
mod sidecars;
pub mod size;

pub use length::long;

use super::annotations;
use super::context::Context;
use super::grammar::{is_extended_resource, is_label, is_label_value, is_qualified, is_subdomain};
use super::options::{RoleOptions, Toleration};
use super::schema::TaintEffect;
use crate::codes::{DISK_TOO_SMALL, ROOT_IMAGE};
use crate::delivered;
use crate::names::{LABEL_FORM, SUBDOMAIN_FORM};
use crate::paths::{self, Named};
use serde_json::Value;
use tfjob_lang::at::At;
use tfjob_lang::codes::{BAD_OPTION, IGNORED_FEATURE, NESTED_PATH};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{self, Identity, Requirement, Resources, Storage};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::{Class, Text, Uri};

/// A `disk` that most code and its archive fit in.
const ROOMY: u64 = 1 << 30;

const LABEL: &str = "letters, digits, `-`, `_` and `.`, at most 63, with a letter or digit at both ends";

const KEY: &str = "letters, digits, `-`, `_` and `.`, at most 63, maybe after a domain and `/`";

/// Options and requirements of a job that concern its Pods.
pub struct Job<'a> {
    /// What support looks at.
    pub context: &'a Context<'a>,
    /// What each role sets.
    pub roles: &'a [RoleOptions<'a>],
    /// What patches set at a pointer into the template of a role.
    pub patched: &'a dyn Fn(RoleId, &str) -> Option<Value>,
}

/// Every fault of the options, and of requirements that Pods do not meet together.
pub fn judge(job: &Job<'_>) -> Vec<Diagnostic> {
    let Job { context, roles, .. } = job;
    let (plan, target, options) = (context.plan, context.kind.target, context.options);
    let mut out = crate::helper_environment::lone_secrets(target, plan);
    out.extend(length::judge(context, roles));
    out.extend(root(context).into_iter().chain(disk(context)).chain(nested(context)));
    out.extend(drivers::judge(job));
    out.extend(unused_stage_image(context).into_iter().chain(shim(context)));
    // A driver mounts the directory of the file.
    let code = plan.storage.code.as_ref();
    if code.and_then(|code| options.driver(code.uri.value.scheme().word())).is_none() {
        out.extend(delivered::alone(target, plan, &[]));
    }
    out.extend(delivered::board(target, plan, delivered::Files::None));
    out.extend(names(context, roles));
    out.extend(annotated(context, roles));
    out.extend(sidecars::judge(context, roles));
    out.extend(drivers::names(context));
    if let Some(group) = options.fs_group.filter(|group| i32::try_from(group.value).is_err()) {
        let fact = format!("`fsGroup` is at most {}, not {}", i32::MAX, group.value);
        let help = "the number of the group, as `id -g` prints it: `fs-group 1000`";
        out.push(bad(context, group.span, &fact, help));
    }
    out.extend(tolerated(context, roles));
    out
}

/// Options that name objects of the cluster.
fn names(context: &Context<'_>, roles: &[RoleOptions<'_>]) -> Vec<Diagnostic> {
    let (mut out, job) = (Vec::new(), context.options);
    let mut check = |value: Option<&At<Text>>, what: &str, good: fn(&str) -> bool, help: &str| {
        if let Some(value) = value.filter(|v| !good(v.value.as_str())) {
            out.push(bad(context, value.span, &format!("`{}` is not {what}", value.value), help));
        }
    };
    check(job.namespace, "the name of a namespace", is_label, LABEL_FORM);
    check(job.gpu_resource, "a counted resource", is_extended_resource, "such as `nvidia.com/gpu`");
    for label in [job.gpu_model_label, job.gpu_memory_label, job.rack_label] {
        check(label, "the key of a label", is_qualified, KEY);
    }
    for priority in [job.priority].into_iter().chain(roles.iter().map(|r| r.priority)) {
        check(priority, "the name of a priority class", is_subdomain, SUBDOMAIN_FORM);
    }
    for account in [job.service_account].into_iter().chain(roles.iter().map(|r| r.service_account)) {
        check(account, "the name of a service account", is_subdomain, SUBDOMAIN_FORM);
    }
    out
}

/// Tolerations that the API server refuses, of the job and of its roles.
fn tolerated(context: &Context<'_>, roles: &[RoleOptions<'_>]) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for toleration in context.options.toleration.iter().chain(roles.iter().flat_map(|r| r.toleration)) {
        let t = &toleration.value;
        if !is_qualified(t.key.value.as_str()) {
            out.push(bad(context, t.key.span, &format!("`{}` is not the key of a taint", t.key.value), KEY));
        }
        if let Some(value) = t.value.as_ref().filter(|v| !is_label_value(v.value.as_str())) {
            out.push(bad(
                context,
                value.span,
                &format!("`{}` is not the value of a taint", value.value),
                LABEL,
            ));
        }
        if let Some(seconds) = t.seconds.as_ref().filter(|_| !evicts(t)) {
            let fact = "a taint that does not evict has no time to bear it";
            out.push(bad(context, seconds.span, fact, "`effect=\"NoExecute\"`, or no `seconds`"));
        }
    }
    out
}

/// Files of secrets inside what TensorBoard alone mounts for reading only: no runtime can make the file there.
fn nested(context: &Context<'_>) -> Vec<Diagnostic> {
    let plan = context.plan;
    let board = plan.requirements.iter().find_map(|required| {
        let Requirement::Job(requirement::Job::Tensorboard(board)) = &required.requirement else {
            return None;
        };
        context.places.fixed(&board.logs)
    });
    let Some(logs) = board else { return Vec::new() };
    let inside =
        |path: &str, folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let writable = plan.storage.data.iter().filter(|volume| volume.writable);
    let mounts = plan.storage.checkpoints.iter().chain(writable).filter_map(|volume| volume.at.as_ref());
    let mounts: Vec<_> = mounts.filter(|at| logs == at.value || inside(&logs, &at.value)).collect();
    let one = |(secret, span): (crate::helper_environment::Secret, Span)| {
        let path = secret.at?;
        let outer = mounts.iter().find(|outer| inside(&path, &outer.value))?;
        let fact = format!(
            "{}: `{path}` is inside `{}`, which TensorBoard mounts for reading only",
            context.kind.target, outer.value
        );
        let found = Diagnostic::new(&NESTED_PATH, span, fact).here("must be there already");
        let help = "where no such file is in it TensorBoard does not start: give this a path of its own";
        Some(found.label(outer.span, "mounted here").help(help))
    };
    crate::helper_environment::secrets(plan).into_iter().filter_map(one).collect()
}

/// The shim of an image is a file, and Hadoop is a directory.
fn shim(context: &Context<'_>) -> Vec<Diagnostic> {
    let shim = context.options.shim;
    let shim = shim.map(|shim| Named { field: "shim", path: shim.value.as_str(), at: shim.span });
    paths::judge(context.plan, shim.as_slice())
}

/// Annotations that the API server refuses, of the job and of its Pods.
fn annotated(context: &Context<'_>, roles: &[RoleOptions<'_>]) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut met = std::collections::BTreeSet::new();
    let all = context.options.annotations.0.iter().map(|annotation| (None, annotation));
    let roles = roles
        .iter()
        .enumerate()
        .flat_map(|(id, role)| role.annotations.0.iter().map(move |annotation| (Some(id), annotation)));
    for (role, (key, value)) in all.chain(roles) {
        if !met.insert(value.span) {
            continue;
        }
        if !is_qualified(&key.value.to_lowercase()) {
            out.push(bad(
                context,
                key.span,
                &format!("`{}` is not the key of an annotation", key.value),
                KEY,
            ));
        } else if let Some(why) = annotations::fault(&key.value, value.value.as_str()) {
            let help = "correct the value, or remove the annotation";
            out.push(bad(context, value.span, &format!("`{}` {why}", key.value), help));
        } else if let Some(name) = annotations::container(&key.value)
            && !contains(context, name, role)
        {
            let help = format!("the container of the program is `{}`", context.kind.container);
            out.push(bad(context, key.span, &format!("`{name}` is not a container of the Pods"), &help));
        }
    }
    out
}

/// Whether the Pods of a role, or of all, have a container of that name. A patch may add any.
fn contains(context: &Context<'_>, name: &str, role: Option<RoleId>) -> bool {
    let plan = context.plan;
    let patched = plan.requirements.iter().any(|required| {
        let Requirement::Job(requirement::Job::Patch { target, role: of, .. }) = &required.requirement else {
            return false;
        };
        target == context.kind.target && (of.is_none() || role.is_none() || *of == role)
    });
    let storage = &plan.storage;
    patched
        || name == context.kind.container
        || name == "code" && storage.code.is_some()
        || name == "fresh" && storage.checkpoints.is_some()
        || name.starts_with("files-") && !storage.stage.is_empty()
}

/// `runAsNonRoot` starts no container of root, and an image starts as root unless its Dockerfile has a numeric `USER`.
fn root(context: &Context<'_>) -> Option<Diagnostic> {
    let plan = context.plan;
    let restricted = context.options.restricted.filter(|restricted| restricted.value)?;
    let has_user = |id| {
        plan.requirements
            .iter()
            .any(|required| matches!(required.requirement, Requirement::Identity(Identity::User { role, .. }) if role == id))
    };
    let role = (0..plan.roles.len()).find(|id| !has_user(*id)).map(|id| &plan.roles[id].name)?;
    let fact = format!(
        "{}: `restricted` sets `runAsNonRoot`, and `{}` has no `user`: an image that runs as root does not start",
        context.kind.target, role.value
    );
    let found = Diagnostic::new(&ROOT_IMAGE, restricted.span, fact).here("refuses root");
    let help = "add `user 1000` to the job, or another number that the image can run as";
    Some(found.label(role.span, "runs as the user of its image").help(help))
}

/// `hadoop` says where each role's image has Hadoop's client; of the stage image nothing is known.
fn unused_stage_image(context: &Context<'_>) -> Option<Diagnostic> {
    let image = context.options.stage_image?;
    let by_hadoop = |uri: &Uri| {
        uri.scheme().class() == Class::Hadoop && context.options.driver(uri.scheme().word()).is_none()
    };
    let required = context.plan.requirements.iter().find(|required| {
        let Requirement::Storage(Storage::Code { uri, .. } | Storage::Stage { uri, .. }) =
            &required.requirement
        else {
            return false;
        };
        by_hadoop(uri)
    })?;
    let fact = format!(
        "{}: `stage-image` is ignored for `hdfs:` and `viewfs:`, which Hadoop's client of each role's image fetches",
        context.kind.target,
    );
    let help =
        "install Hadoop's client in the role's image, where `hadoop home=` says; or put the file on `https:`";
    let found = Diagnostic::new(&IGNORED_FEATURE, image.span, fact).here("not used for this fetch");
    Some(found.label(required.at, "fetched by the role's image").help(help))
}

/// What init containers fetch is in an `emptyDir`, which counts against the Pod's `ephemeral-storage`.
fn disk(context: &Context<'_>) -> Vec<Diagnostic> {
    let plan = context.plan;
    let fetched = plan.requirements.iter().find(|required| {
        let Requirement::Storage(Storage::Code { uri, .. } | Storage::Stage { uri, .. }) =
            &required.requirement
        else {
            return false;
        };
        !uri.scheme().class().is_disk()
    });
    let Some(fetched) = fetched else { return Vec::new() };
    // One line may set the disk of several roles.
    let mut small: std::collections::BTreeMap<Span, Vec<String>> = std::collections::BTreeMap::new();
    for required in &plan.requirements {
        let Requirement::Resources(Resources::Disk { role, bytes }) = &required.requirement else { continue };
        if *bytes < ROOMY {
            small.entry(required.at).or_default().push(format!("`{}`", plan.roles[*role].name.value));
        }
    }
    let told = |(at, roles): (Span, Vec<String>)| {
        let fact = format!(
            "{}: `disk` is the `ephemeral-storage` limit of {}, and fetched files count against it",
            context.kind.target,
            roles.join(", ")
        );
        Diagnostic::new(&DISK_TOO_SMALL, at, fact)
            .here("the Pod is evicted above this, and the job fails")
            .label(fetched.at, "fetched into the Pod, archive and files")
            .help("allow for the archive, the unpacked files and the logs: `disk=\"2GiB\"`")
    };
    small.into_iter().map(told).collect()
}

fn evicts(toleration: &Toleration) -> bool {
    toleration.effect.as_ref().is_some_and(|e| e.value == TaintEffect::NoExecute)
}

pub fn bad(context: &Context<'_>, at: Span, fact: &str, help: &str) -> Diagnostic {
    Diagnostic::new(&BAD_OPTION, at, fact).here(format!("{} refuses it", context.kind.target)).help(help)
}
