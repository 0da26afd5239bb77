//! Paths in a container: the paths of the job's files, and the paths at which nothing can be mounted.
use super::context::Context;
use super::support::storage::Form;
use crate::contract_builder::Places;
use crate::mounts::{is_directory, is_system};
use tfjob_lang::plan::{Plan, Volume};

/// The directory that tfjob reserves in each container.
pub const OWN: &str = "/tfjob";

/// Files that the kubelet mounts into each container.
pub const SYSTEM_FILES: [&str; 4] =
    ["/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/dev/termination-log"];

/// The directory of the service account token. The kubelet mounts it into each container. The kubelet cannot mount it if a
/// read-only volume is mounted at a parent directory.
pub const TOKEN: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// Returns the paths of the job's files in a container.
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

/// Returns why nothing can be mounted at a path, or `None` if a mount is possible. There are three kinds of reasons. The path
/// itself is reserved or invalid. The path is below a file or in a read-only volume, where the container runtime cannot create the
/// mount point. Or the spec mounts a file there, but images usually have a directory there.
pub fn unmountable_in(context: &Context<'_>, at: &str) -> Option<String> {
    let above = at.match_indices('/').map(|(end, _)| &at[..end]);
    let inside = above.rev().find_map(|outer| match context.forms().get(outer)? {
        Form::File => Some(format!("`{at}` is inside `{outer}`, which is a file")),
        Form::ReadOnly => Some(format!("`{at}` is inside `{outer}`, which is mounted read-only")),
        Form::Directory => None,
    });
    let file = || context.forms().get(at) == Some(&Form::File);
    unmountable(at).or(inside).or_else(|| over_directory(at).filter(|_| file()))
}

/// Returns why no file can be mounted at a path: images usually have a directory there. `None` if they do not.
pub fn over_directory(at: &str) -> Option<String> {
    is_directory(at).then(|| format!("`{at}` is a directory of the image, so no file can be mounted there"))
}

/// Returns why nothing can be mounted at a path: the path is reserved or invalid. `None` if it is neither.
pub fn unmountable(at: &str) -> Option<String> {
    let at = if at == "/" { at } else { at.trim_end_matches('/') };
    let below = |folder: &str| at.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    if at.contains(':') {
        return Some(format!("the kubelet refuses a mount path with a colon: `{at}`"));
    }
    if is_system(at) {
        return Some(format!("a mount at `{at}` would hide system files of the container"));
    }
    if let Some(file) = SYSTEM_FILES.iter().find(|file| at == **file || below(file)) {
        return Some(format!("`{file}` is reserved: the kubelet writes it in each container"));
    }
    if TOKEN.strip_prefix(at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
        return Some(format!(
            "a mount at `{at}` conflicts with the service account token, which the kubelet mounts at `{TOKEN}`"
        ));
    }
    if at == "/dev/shm" || at.starts_with("/dev/shm/") {
        return Some("`/dev/shm` is reserved for shared memory".to_owned());
    }
    let ours = at == OWN || at.strip_prefix(OWN).is_some_and(|rest| rest.starts_with('/'));
    ours.then(|| format!("`{OWN}` is reserved for code, staged files, and the shim"))
}
