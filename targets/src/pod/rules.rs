//! Checks of Pods that concern several requirements together, and checks of options that the API server would refuse.
mod drivers;
mod length;
mod models;
mod owner;
mod sidecars;
pub mod size;

pub use length::long;

use super::annotations;
use super::context::Context;
use super::grammar::{is_extended_resource, is_label, is_label_value, is_qualified, is_subdomain};
use super::mechanism::{BIN, OURS};
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
use tfjob_lang::unpinned::unpinned;

/// The smallest `disk` in bytes for which there is no warning. A disk of this size has space for most code and for the archive of
/// the code.
const ROOMY: u64 = 1 << 30;

const LABEL: &str =
    "use letters, digits, `-`, `_`, and `.`, at most 63 characters, with a letter or digit at both ends";

const KEY: &str =
    "use letters, digits, `-`, `_`, and `.`, at most 63 characters, optionally after a DNS domain and `/`";

/// A job with its options, and with the values that patches set in its Pods.
pub struct Job<'a> {
    /// The job and its options.
    pub context: &'a Context<'a>,
    /// Options of each role.
    pub roles: &'a [RoleOptions<'a>],
    /// Returns the value that patches set at a JSON pointer in the Pod template of a role.
    pub patched: &'a dyn Fn(RoleId, &str) -> Option<Value>,
}

/// Returns the diagnostics of all checks in this module.
pub fn judge(job: &Job<'_>) -> Vec<Diagnostic> {
    let Job { context, roles, .. } = job;
    let (plan, target, options) = (context.plan, context.kind.target, context.options);
    let mut out =
        Vec::from_iter(crate::helper_environment::missing_secrets(target, plan, board_account(job)));
    out.extend(length::judge(context, roles));
    out.extend(root(context).into_iter().chain(disk(context)).chain(nested(context)));
    out.extend(drivers::judge(job));
    out.extend(models::judge(context));
    out.extend(unused_stage_image(context).into_iter().chain(shim(context)));
    out.extend(options.stage_image.and_then(unpinned));
    // A script or module next to a single `code` file is missing only if the file is copied. If a CSI driver mounts the directory
    // of the file instead, nothing is missing, so there is no warning.
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
        let help = "write the group ID that `id -g` prints: `fs-group 1000`";
        out.push(bad(context, group.span, &fact, help));
    }
    out.extend(tolerated(context, roles));
    out
}

/// Returns whether TensorBoard has a service account: that of the first role, which an option or a patch sets. A spec that only
/// serves as a base for other specs may have no roles.
fn board_account(job: &Job<'_>) -> bool {
    let own = job.roles.first().and_then(|role| role.service_account).or(job.context.options.service_account);
    let patched = || (job.patched)(0, "/spec/serviceAccountName").is_some();
    own.is_some() || !job.context.plan.roles.is_empty() && patched()
}

/// Checks options that are names of cluster objects.
fn names(context: &Context<'_>, roles: &[RoleOptions<'_>]) -> Vec<Diagnostic> {
    let (mut out, job) = (Vec::new(), context.options);
    let mut check = |value: Option<&At<Text>>, what: &str, good: fn(&str) -> bool, help: &str| {
        if let Some(value) = value.filter(|v| !good(v.value.as_str())) {
            out.push(bad(context, value.span, &format!("`{}` is not {what}", value.value), help));
        }
    };
    check(job.namespace, "a valid namespace name", is_label, LABEL_FORM);
    check(
        job.gpu_resource,
        "a valid extended resource name",
        is_extended_resource,
        "write the resource of a device plugin: `gpu-resource \"nvidia.com/gpu\"`",
    );
    for label in [job.gpu_model_label, job.gpu_memory_label, job.rack_label] {
        check(label, "a valid label key", is_qualified, KEY);
    }
    for priority in [job.priority].into_iter().chain(roles.iter().map(|r| r.priority)) {
        check(priority, "a valid priority class name", is_subdomain, SUBDOMAIN_FORM);
    }
    for account in [job.service_account].into_iter().chain(roles.iter().map(|r| r.service_account)) {
        check(account, "a valid service account name", is_subdomain, SUBDOMAIN_FORM);
    }
    out
}

/// Checks the tolerations of the job and of its roles.
fn tolerated(context: &Context<'_>, roles: &[RoleOptions<'_>]) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for toleration in context.options.toleration.iter().chain(roles.iter().flat_map(|r| r.toleration)) {
        let t = &toleration.value;
        if !is_qualified(t.key.value.as_str()) {
            let fact = format!("`{}` is not a valid taint key", t.key.value);
            let help = taint(t.key.value.as_str()).unwrap_or_else(|| KEY.to_owned());
            out.push(bad(context, t.key.span, &fact, &help));
        }
        if let Some(value) = t.value.as_ref().filter(|v| !is_label_value(v.value.as_str())) {
            out.push(bad(
                context,
                value.span,
                &format!("`{}` is not a valid taint value", value.value),
                LABEL,
            ));
        }
        if let Some(seconds) = t.seconds.as_ref().filter(|_| !evicts(t)) {
            let fact = "`seconds` (`tolerationSeconds`) applies only to taints with effect `NoExecute`";
            out.push(bad(context, seconds.span, fact, "write `effect=\"NoExecute\"`, or remove `seconds`"));
        }
    }
    out
}

/// Returns a help with the `toleration` for a taint in the form of kubectl, `KEY=VALUE:EFFECT` or `KEY:EFFECT`. `None` if the text
/// has another form.
fn taint(text: &str) -> Option<String> {
    let (pair, effect) = text.split_once(':')?;
    let effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
    let (key, value) = pair.split_once('=').map_or((pair, None), |(key, value)| (key, Some(value)));
    if !is_qualified(key) || !effects.contains(&effect) || !value.is_none_or(is_label_value) {
        return None;
    }
    Some(match value {
        Some(value) => format!("write `toleration \"{key}\" value=\"{value}\" effect=\"{effect}\"`"),
        None => format!("write `toleration \"{key}\" effect=\"{effect}\"`"),
    })
}

/// Reports a secret file whose path is inside a volume that TensorBoard mounts read-only. The container runtime cannot create the
/// mount point of the file there.
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
            "{}: TensorBoard may not start, because the secret file `{path}` is inside `{}`, which it mounts read-only",
            context.kind.target, outer.value
        );
        let found = Diagnostic::new(&NESTED_PATH, span, fact).here("the file must exist in the volume");
        let help = "use a path outside the volume; a secret can be mounted there only if the volume already has a file at this path";
        Some(found.label(outer.span, "mounted here").help(help))
    };
    crate::helper_environment::secrets(plan).into_iter().filter_map(one).collect()
}

/// Checks the path of the shim in the image. The shim is a file, so the job must not use its path as a directory.
fn shim(context: &Context<'_>) -> Vec<Diagnostic> {
    let shim = context.options.shim;
    let shim = shim.map(|shim| Named { field: "shim", path: shim.value.as_str(), at: shim.span });
    paths::judge(context.plan, shim.as_slice())
}

/// Checks the annotations of the job and of its Pods.
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
            out.push(bad(context, key.span, &format!("`{}` is not a valid annotation key", key.value), KEY));
        } else if key.value.starts_with(OURS) {
            let fact =
                format!("`{}` is reserved: tfjob writes the annotations with the prefix `{OURS}`", key.value);
            let help = "use another prefix: `annotations { \"example.com/team\" \"vision\"; }`";
            out.push(bad(context, key.span, &fact, help));
        } else if let Some(why) = annotations::fault(&key.value, value.value.as_str()) {
            let help = "correct the value, or remove the annotation";
            out.push(bad(context, value.span, &format!("`{}` {why}", key.value), help));
        } else if let Some(name) = annotations::container(&key.value)
            && !contains(context, name, role)
        {
            let help = format!("use the name of the program's container: `{}`", context.kind.container);
            out.push(bad(context, key.span, &format!("the pods have no container `{name}`"), &help));
        }
    }
    out
}

/// Returns whether a Pod of a role has a container with this name. `role`: `None` for any role. The container may come from a
/// patch.
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
        || name == BIN && context.options.shim_image.is_some()
        || name == "code" && storage.code.is_some()
        || name == "fresh" && storage.checkpoints.is_some()
        || name.starts_with("files-") && !storage.stage.is_empty()
}

/// Warns of the option `restricted` in a job without `user`. The kubelet does not start a container that may run as root. An image
/// may run as root unless its Dockerfile has a numeric `USER`.
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
        "{}: `restricted` sets `runAsNonRoot`, but `{}` has no `user`, so its pods do not start if their image runs as root",
        context.kind.target, role.value
    );
    let found = Diagnostic::new(&ROOT_IMAGE, restricted.span, fact).here("forbids root");
    let help = "add `user 1000` to the job, or another user ID that the image supports";
    Some(found.label(role.span, "runs as the user of its image").help(help))
}

/// Warns if a download does not use `stage-image`. Downloads from HDFS use the Hadoop client in the image of the role, because
/// `hadoop` is a path in that image.
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
        "{}: `stage-image` is ignored for `hdfs:` and `viewfs:`, which the Hadoop client in the image of each role downloads",
        context.kind.target,
    );
    let help = "install the Hadoop client in the image of the role, at the path of `hadoop home=`; or serve the file over `https:`";
    let found = Diagnostic::new(&IGNORED_FEATURE, image.span, fact).here("not used for this download");
    Some(found.label(required.at, "downloaded by the image of the role").help(help))
}

/// Warns of a small `disk` in a job with downloads. Init containers download into an `emptyDir`, which counts toward
/// `ephemeral-storage`.
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
    // One `resources` entry may set `disk` for several roles, so the warning names all of them.
    let mut small: std::collections::BTreeMap<Span, Vec<String>> = std::collections::BTreeMap::new();
    for required in &plan.requirements {
        let Requirement::Resources(Resources::Disk { role, bytes }) = &required.requirement else { continue };
        if *bytes < ROOMY {
            small.entry(required.at).or_default().push(format!("`{}`", plan.roles[*role].name.value));
        }
    }
    let report = |(at, roles): (Span, Vec<String>)| {
        let fact = format!(
            "{}: `disk` of {} may be too small: `disk` becomes the `ephemeral-storage` limit of the pod, and downloaded files count toward it",
            context.kind.target,
            roles.join(", ")
        );
        Diagnostic::new(&DISK_TOO_SMALL, at, fact)
            .here("if the pod uses more, it is evicted, and the job fails")
            .label(fetched.at, "downloaded into the pod")
            .help("add space for the archive, the unpacked files, and the logs: `disk=\"2GiB\"`")
    };
    small.into_iter().map(report).collect()
}

fn evicts(toleration: &Toleration) -> bool {
    toleration.effect.as_ref().is_some_and(|e| e.value == TaintEffect::NoExecute)
}

/// Returns an error with the code `bad-option`.
pub fn bad(context: &Context<'_>, at: Span, fact: &str, help: &str) -> Diagnostic {
    Diagnostic::new(&BAD_OPTION, at, fact).here(format!("invalid for {}", context.kind.target)).help(help)
}
