//! Checks of the mounts of a patched Pod. A patch must not change mounts of the job, and the paths of the mounts that it adds must
//! be usable.
use super::word;
use crate::mounts::is_system;
use crate::pack::is_file;
use crate::patch::Merged;
use crate::pod::context::Context;
use crate::pod::places::{OWN, SYSTEM_FILES, TOKEN};
use crate::pod::support::storage;
use serde_json::Value;
use tfjob_lang::requirement::{Identity, Requirement};

/// Name of the volume with the contract, the scripts, and the shim.
const FILES: &str = "tfjob";
/// Names of the job's volumes into which the program writes.
const WRITTEN: [&str; 3] = ["checkpoints", "tfjob-scratch", "shared-memory"];

/// What is at the path of a mount: a file or a directory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    File,
    /// A read-only directory, in which the container runtime cannot create a mount point.
    ReadOnly,
    Directory,
}

struct Mount<'v> {
    /// JSON pointer to the mount.
    at: String,
    /// Mount path without `.`, `..`, and double slashes.
    path: String,
    name: &'v str,
    ours: bool,
    form: Form,
    /// Paths of the files in the volume, if the source of the volume lists them.
    inner: Vec<&'v str>,
    /// Whether the volume is a `hostPath` whose path on the node is the mount path.
    same: bool,
}

/// Checks the mounts of one container. `ours`: whether the container comes from the job and not from a patch.
pub fn judge(context: &Context<'_>, container: &str, ours: bool, spec: &str, merged: &mut Merged<'_>) {
    let volumes = merged.at(&format!("{spec}/volumes")).as_array().map_or(&[][..], Vec::as_slice);
    let list = merged.items(&format!("{container}/volumeMounts"));
    let all: Vec<Mount<'_>> = list.map(|(at, value)| mount(context, at, value, volumes, merged)).collect();
    for mount in &all {
        if mount.ours {
            kept(mount, merged);
        } else {
            system(mount, ours, spec, merged);
        }
    }
    for (number, one) in all.iter().enumerate() {
        for other in &all[number + 1..] {
            pair(one, other, merged);
            pair(other, one, merged);
            let raw = |mount: &Mount<'_>| merged.at(&mount.at)["mountPath"].clone();
            if one.path == other.path && raw(one) != raw(other) {
                let fact = format!("`{}` and `{}` are both mounted at `{}`", one.name, other.name, one.path);
                merged.fault(&[&other.at, &one.at], &fact);
            }
        }
    }
}

/// Reports a patch that changes the volume with the contract, the scripts, and the shim.
pub fn files(spec: &str, merged: &mut Merged<'_>) {
    let ours = merged.items(&format!("{spec}/volumes")).find(|(_, volume)| volume["name"] == FILES);
    let Some((at, _)) = ours.filter(|(at, _)| !merged.wrote(&format!("{at}/name"))) else { return };
    if let Some(changed) = merged.changed_below(&at) {
        merged.changed(&changed, "a patch cannot change volume `tfjob`, which contains the files of the job");
    }
}

fn mount<'v>(
    context: &Context<'_>,
    at: String,
    value: &'v Value,
    volumes: &'v [Value],
    merged: &Merged<'_>,
) -> Mount<'v> {
    let name = word(value, "name");
    let volume = volumes.iter().find(|volume| volume["name"] == name).unwrap_or(&Value::Null);
    let path = clean(word(value, "mountPath"));
    let ours = !merged.wrote(&format!("{at}/mountPath"));
    let kinds = ["configMap", "secret", "projected", "downwardAPI"];
    let source = kinds.iter().find_map(|kind| volume.get(*kind));
    let inner = source.map(items).unwrap_or_default();
    let known = if ours { of_spec(context, &path) } else { None };
    let form = known.unwrap_or_else(|| guessed(value, volume, source.is_some(), &inner));
    let same = clean(word(&volume["hostPath"], "path")) == path;
    Mount { at, path, name, ours, form, inner, same }
}

/// Returns the paths of the files in a volume, if the source of the volume lists them.
fn items(source: &Value) -> Vec<&str> {
    let own = source["items"].as_array().into_iter().flatten();
    let projected = source["sources"].as_array().into_iter().flatten();
    let below = projected.flat_map(|source| source.as_object().into_iter().flat_map(|kinds| kinds.values()));
    let token = |source: &'_ Value| source.get("path").is_some();
    let (tokens, lists): (Vec<_>, Vec<_>) = below.partition(|source| token(source));
    let lists = lists.into_iter().flat_map(|source| source["items"].as_array().into_iter().flatten());
    own.chain(lists).chain(tokens).map(|item| word(item, "path")).collect()
}

/// Returns what the spec mounts at a path: a file or a directory. `None` if it mounts nothing there.
fn of_spec(context: &Context<'_>, path: &str) -> Option<Form> {
    let plan = context.plan;
    let secret = |requirement: &Requirement| matches!(requirement, Requirement::Identity(Identity::SecretFile { at, .. }) if clean(at) == path);
    if plan.requirements.iter().any(|required| secret(&required.requirement)) {
        return Some(Form::File);
    }
    context.forms().iter().find(|(at, _)| clean(at) == path).map(|(_, form)| match form {
        storage::Form::File => Form::File,
        storage::Form::ReadOnly => Form::ReadOnly,
        storage::Form::Directory => Form::Directory,
    })
}

/// Guesses from names in the mount and in its volume whether the mount is a file or a directory. `projected`: whether the source of
/// the volume is a ConfigMap, a Secret, the downward API, or a projected volume. `items`: paths of the files that the source lists.
fn guessed(mount: &Value, volume: &Value, projected: bool, items: &[&str]) -> Form {
    let part = word(mount, "subPath");
    let host = &volume["hostPath"];
    let file = match part {
        "" => !host.is_null() && (word(host, "type") == "File" || is_file(word(host, "path"))),
        part if projected && items.is_empty() => !part.contains('/'),
        part if projected => items.contains(&part),
        part => is_file(part),
    };
    match (file, projected) {
        (true, _) => Form::File,
        (false, true) => Form::ReadOnly,
        (false, false) => Form::Directory,
    }
}

/// Reports a patch that changes a mount of the job.
fn kept(mount: &Mount<'_>, merged: &mut Merged<'_>) {
    for key in ["name", "subPath", "subPathExpr"] {
        let fact =
            format!("the job needs its mount at `{}`; a patch cannot set `{key}` of this mount", mount.path);
        merged.changed(&format!("{}/{key}", mount.at), &fact);
    }
    let at = format!("{}/readOnly", mount.at);
    let written = WRITTEN.contains(&mount.name) || mount.name.starts_with("data-");
    if written && merged.at(&at) == true {
        let fact = format!("the job writes to `{}`; a patch cannot set `readOnly` of this mount", mount.path);
        merged.changed(&at, &fact);
    }
}

/// Reports mounts at paths that the container or the kubelet needs. `ours`: whether the container comes from the job and not from a
/// patch.
fn system(mount: &Mount<'_>, ours: bool, spec: &str, merged: &mut Merged<'_>) {
    let Mount { at, path, name, form, .. } = mount;
    let node = mount.same && path != "/" && !within(path, "/proc");
    let token = merged.at(&format!("{spec}/automountServiceAccountToken")) != false;
    let fact = if is_system(path) && !node {
        format!("`{name}` is mounted at `{path}`, which hides system files of the container")
    } else if let Some(file) = SYSTEM_FILES.iter().find(|file| inside(path, file)) {
        format!("`{name}` is mounted inside `{file}`, which is a file")
    } else if SYSTEM_FILES.contains(&path.as_str()) && *form != Form::File {
        format!("`{name}` is a directory, but it is mounted at the file `{path}`")
    } else if ours && within(path, OWN) {
        format!(
            "`{name}` is mounted at `{path}`, but `{OWN}` is reserved for code, staged files, and the shim"
        )
    } else if token && *form == Form::ReadOnly && inside(TOKEN, path) {
        format!(
            "`{name}` is read-only at `{path}`, but the kubelet must mount the service account token at `{TOKEN}`"
        )
    } else {
        return;
    };
    merged.fault(&[at], &fact);
}

/// Reports a mount inside a file or inside a read-only mount. Two mounts of the spec are not compared here, because another check
/// compares them.
fn pair(outer: &Mount<'_>, inner: &Mount<'_>, merged: &mut Merged<'_>) {
    if outer.ours && inner.ours || !inside(&inner.path, &outer.path) {
        return;
    }
    let rest = inner.path[outer.path.len()..].trim_start_matches('/');
    let made = outer.inner.iter().any(|path| *path == rest || inside(path, rest));
    let what = match outer.form {
        Form::File => "which is a file",
        Form::ReadOnly if !made => "which is read-only",
        Form::ReadOnly | Form::Directory => return,
    };
    let fact = format!("`{}` is mounted at `{}`, inside `{}`, {what}", inner.name, inner.path, outer.path);
    merged.fault(&[&inner.at, &outer.at], &fact);
}

/// Returns whether a path equals another path or is below it.
fn within(path: &str, above: &str) -> bool {
    path == above || inside(path, above)
}

/// Returns whether a path is below another path.
fn inside(path: &str, above: &str) -> bool {
    let rest = path.strip_prefix(above.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.len() > 1 && rest.starts_with('/'))
}

/// Normalizes a path as the container runtime does.
fn clean(path: &str) -> String {
    let mut steps: Vec<&str> = Vec::new();
    for step in path.split('/') {
        match step {
            "" | "." => {}
            ".." => drop(steps.pop()),
            step => steps.push(step),
        }
    }
    if path.is_empty() { String::new() } else { format!("/{}", steps.join("/")) }
}
