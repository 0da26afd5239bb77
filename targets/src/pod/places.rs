//! Paths in a container: where the job's files are put, and where nothing can be mounted.
use super::context::Context;
use super::support::storage::Form;
use crate::contract_builder::Places;
use crate::mounts::{is_directory, is_system};
use tfjob_lang::plan::{Plan, Volume};

/// The folder that is ours in each container.
pub const OWN: &str = "/tfjob";

/// Files that the kubelet mounts into each container.
pub const SYSTEM_FILES: [&str; 4] =
    ["/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/dev/termination-log"];

/// The directory that the kubelet mounts into each container: in a read-only volume above there is no place for it.
pub const TOKEN: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// Where everything is put, as a task sees it.
pub fn places(plan: &Plan) -> Places {
    let storage = &plan.storage;
    let at = |volume: &Volume, else_at: String| volume.at.as_ref().map_or(else_at, |at| at.value.clone());
    let uri = |volume: &Volume| at(volume, volume.uri.value.to_string());
    let stage = |volume: &Volume| at(volume, format!("{OWN}/files/{}", volume.name.value));
    Places {
        code: storage.code.as_ref().map_or_else(String::new, |v| at(v, format!("{OWN}/code"))).into(),
        stage: storage.stage.iter().map(|v| stage(v).into()).collect(),
        data: storage.data.iter().map(|v| uri(v).into()).collect(),
        checkpoints: storage.checkpoints.as_ref().map_or_else(String::new, uri).into(),
        scratch: format!("{OWN}/scratch").into(),
    }
}

/// Why nothing can be mounted at a path, if nothing can: because of the path itself, or because it is below a file or in
/// something read-only, where the container runtime cannot make a directory to mount on.
pub fn unmountable_in(context: &Context<'_>, at: &str) -> Option<String> {
    let above = at.match_indices('/').map(|(end, _)| &at[..end]);
    let inside = above.rev().find_map(|outer| match context.forms().get(outer)? {
        Form::File => Some(format!("cannot mount inside `{outer}`, which is a file")),
        Form::ReadOnly => Some(format!("cannot mount inside `{outer}`, which is read-only")),
        Form::Directory => None,
    });
    let file = || context.forms().get(at) == Some(&Form::File);
    unmountable(at).or(inside).or_else(|| over_directory(at).filter(|_| file()))
}

/// Why no file can be mounted at a path, if none can.
pub fn over_directory(at: &str) -> Option<String> {
    is_directory(at).then(|| format!("cannot mount a file at `{at}`, which is a directory of the image"))
}

/// Why nothing can be mounted at a path, if nothing can.
pub fn unmountable(at: &str) -> Option<String> {
    let at = if at == "/" { at } else { at.trim_end_matches('/') };
    let below = |folder: &str| at.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    if at.contains(':') {
        return Some(format!("cannot mount at `{at}`: the kubelet refuses a path with a colon"));
    }
    if is_system(at) {
        return Some(format!("cannot mount at `{at}`: it would hide the container's own system"));
    }
    if let Some(file) = SYSTEM_FILES.iter().find(|file| at == **file || below(file)) {
        return Some(format!("keeps `{file}`, which the kubelet writes for each Pod"));
    }
    if TOKEN.strip_prefix(at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
        return Some(format!("cannot mount at `{at}`: the kubelet mounts the service account at `{TOKEN}`"));
    }
    if at == "/dev/shm" || at.starts_with("/dev/shm/") {
        return Some("keeps `/dev/shm` for shared memory".to_owned());
    }
    let ours = at == OWN || at.strip_prefix(OWN).is_some_and(|rest| rest.starts_with('/'));
    ours.then(|| format!("keeps `{OWN}` for code, staged files and the shim"))
}
