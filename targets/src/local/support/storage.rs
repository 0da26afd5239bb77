//! Support of code, data, and checkpoints. All are used in place: nothing is downloaded or mounted.
use super::Support;
use crate::contract_builder::Location;
use crate::local::mechanism::{Duty, Mechanism, OnDisk};
use crate::local::schema::{HERE, SCRATCH};
use crate::pack;
use tfjob_lang::plan::{DataRef, Plan};
use tfjob_lang::requirement;
use tfjob_lang::spec::values::{Archive, Class, Uri};

/// Returns the support of one requirement about code, data, and checkpoints.
pub fn support(requirement: &requirement::Storage, plan: &Plan) -> Support {
    match requirement {
        requirement::Storage::Code { uri, at, .. } => code(uri, at.as_deref()),
        requirement::Storage::Stage { index, uri, at } => stage(*index, uri, at.as_deref()),
        requirement::Storage::DataUri { index, uri, .. } => address(DataRef::Data(*index), uri),
        requirement::Storage::DataMount { index, uri, at, writable } => {
            mounted(DataRef::Data(*index), uri, at, *writable)
        }
        requirement::Storage::CheckpointsUri { uri } => address(DataRef::Checkpoints, uri),
        requirement::Storage::CheckpointsMount { uri, at } => mounted(DataRef::Checkpoints, uri, at, true),
        requirement::Storage::CheckpointsEvery { seconds } => {
            Support::Native(Mechanism::Duty(Duty::Every(*seconds)))
        }
        requirement::Storage::CheckpointsFresh { .. } => fresh(plan),
        requirement::Storage::Scratch { .. } => scratch(),
    }
}

/// Evidence for the refusal of downloads.
const UNFETCHED: &str = "`job.json`, the file that tfjob compiles for a local run, has only paths for `code` and `files`, no URIs";
/// Evidence for the refusal of mounts.
const UNMOUNTED: &str = "capabilities(7): only root (`CAP_SYS_ADMIN`) can mount storage";

/// Returns the support of `code`: a directory of this machine. If `code` is a file, the directory that contains it is used.
fn code(uri: &Uri, at: Option<&str>) -> Support {
    if let Some(refused) = unfit(uri) {
        return refused;
    }
    let source = path(uri);
    let parent = pack::directory_of(&source).filter(|_| pack::is_file(uri.path()));
    let folder = parent.unwrap_or(&source);
    if let Some(refused) = other_path(uri, folder, at) {
        return refused;
    }
    let mechanism = here(DataRef::Code, folder, Some(OnDisk::Needed(source.clone())));
    if folder == source {
        return Support::Native(mechanism);
    }
    let how = format!("`{{code}}` expands to the directory that contains the file `{uri}`");
    Support::Emulated(mechanism, how)
}

fn stage(index: usize, uri: &Uri, at: Option<&str>) -> Support {
    if let Some(refused) = unfit(uri) {
        return refused;
    }
    let path = path(uri);
    if let Some(refused) = other_path(uri, &path, at) {
        return refused;
    }
    Support::Native(here(DataRef::Stage(index), &path, Some(OnDisk::Needed(path.clone()))))
}

/// Returns the path of a URI on this machine, such as `./src` relative to the directory of the spec, without a trailing slash.
fn path(uri: &Uri) -> String {
    let path = uri.path().trim_end_matches('/');
    if uri.scheme().class() == Class::Spec {
        return format!("./{path}").trim_end_matches('/').to_owned();
    }
    if path.is_empty() { "/".to_owned() } else { path.to_owned() }
}

/// Returns the mechanism for an entry whose path is used in place. `on_disk`: whether the path must exist, or is created.
fn here(place: DataRef, path: &str, on_disk: Option<OnDisk>) -> Mechanism {
    let location = match path.strip_prefix('.') {
        Some(below) => Location::under(HERE, below),
        None => Location::from(path),
    };
    Mechanism::At { place, location, path: on_disk }
}

/// Refuses a URI that cannot be used in place, because it is remote or names an archive.
fn unfit(uri: &Uri) -> Option<Support> {
    let why = match uri.scheme().class() {
        Class::Node | Class::Spec if Archive::of(uri).is_some() => {
            return Some(Support::impossible(
                format!("files are used in place, so the archive `{uri}` is not unpacked"),
                format!("unpack it, and write the directory: `{}/`", pack::unpacked(uri)),
                UNFETCHED,
            ));
        }
        Class::Node | Class::Spec => return None,
        Class::Hadoop | Class::Bucket | Class::Web | Class::Repository | Class::Volume => {
            format!("a local run downloads nothing from `{}:`", uri.scheme().word())
        }
    };
    Some(Support::impossible(
        why,
        "copy the files to this machine, unpack archives, and write the path instead of the URI: `./…` next to the spec, or `file:///…`",
        UNFETCHED,
    ))
}

/// Refuses a mount path that differs from the path on this machine.
fn other_path(uri: &Uri, path: &str, at: Option<&str>) -> Option<Support> {
    let at = at.filter(|at| at.trim_end_matches('/') != path)?;
    let help = if uri.scheme().class() == Class::Node {
        format!("write `at=\"{path}\"`, or remove `at`")
    } else {
        "remove `at`; a reference such as `{code}` expands to the path".to_owned()
    };
    Some(Support::impossible(
        format!("`{uri}` is used in place, so it does not appear at `{at}`"),
        help,
        UNMOUNTED,
    ))
}

/// Returns the support of a URI that the program opens. If the URI is a path next to the spec, the program gets an absolute path.
fn address(place: DataRef, uri: &Uri) -> Support {
    match uri.scheme().class() {
        Class::Hadoop | Class::Bucket | Class::Web => {
            Support::Native(Mechanism::At { place, location: Location::from(uri.to_string()), path: None })
        }
        Class::Spec => {
            let path = path(uri);
            Support::Native(here(place, &path, Some(on_disk(place, path.clone()))))
        }
        Class::Node => Support::Native(Mechanism::At {
            place,
            location: Location::from(path(uri)),
            path: Some(on_disk(place, path(uri))),
        }),
        Class::Volume | Class::Repository => Support::impossible(
            format!("a program cannot open `{uri}` without a mount, and a local run mounts nothing"),
            "write the path of the directory on this machine: `file:///…`, or `./…` next to the spec",
            UNMOUNTED,
        ),
    }
}

/// Returns what happens if the path of an entry is missing: a checkpoint directory is created, and any other path is an error.
fn on_disk(place: DataRef, path: String) -> OnDisk {
    match place {
        DataRef::Checkpoints => OnDisk::Made(path),
        DataRef::Code | DataRef::Stage(_) | DataRef::Data(_) | DataRef::Scratch => OnDisk::Needed(path),
    }
}

/// Returns the support of a volume with a mount path.
fn mounted(place: DataRef, uri: &Uri, at: &str, writable: bool) -> Support {
    let path = path(uri);
    let help = match uri.scheme().class() {
        Class::Spec => {
            "remove `at`; a reference such as `{checkpoints}` or `{data.NAME}` expands to the path".to_owned()
        }
        Class::Node if path == at.trim_end_matches('/') => {
            let mechanism = here(place, &path, Some(on_disk(place, path.clone())));
            if writable {
                return Support::Native(mechanism);
            }
            let how = "read-only access is not enforced, because nothing is mounted";
            return Support::Emulated(mechanism, how.to_owned());
        }
        Class::Node => format!("write `at=\"{path}\"`, the path of the directory itself"),
        Class::Hadoop | Class::Bucket | Class::Web => {
            "remove `at`, so that the program opens the URI".to_owned()
        }
        Class::Volume | Class::Repository => {
            format!(
                "if this storage is mounted at `{at}` on this machine, write `file://{at}` instead of the URI"
            )
        }
    };
    Support::impossible(
        format!("a local run mounts nothing, so `{uri}` does not appear at `{at}`"),
        help,
        UNMOUNTED,
    )
}

/// Returns the checkpoint directory if it is on this machine, otherwise `None`. The path may be relative to the directory of the
/// spec, because the shim runs there.
pub fn state(plan: &Plan) -> Option<String> {
    let uri = &plan.storage.checkpoints.as_ref()?.uri.value;
    (uri.scheme().class().is_path()).then(|| path(uri))
}

/// Returns the support of `if-exists`, the check for existing checkpoints.
fn fresh(plan: &Plan) -> Support {
    if state(plan).is_some() {
        let how = "the shim checks for existing checkpoints before the first start";
        return Support::Emulated(Mechanism::Duty(Duty::Fresh), how.to_owned());
    }
    Support::unsupported(
        "the shim checks for existing checkpoints only in a directory of this machine, but `checkpoints` is the URI of remote storage",
        "set `checkpoints` to a directory of this machine (`file:///…` or `./…`), or remove `if-exists` and let the program check that the directory is empty",
        "source code of tfjob-shim: it checks only directories",
    )
}

fn scratch() -> Support {
    let location = Location::under(SCRATCH, "");
    let how = "each task gets its own scratch directory, inside the directory of the run";
    Support::Emulated(Mechanism::At { place: DataRef::Scratch, location, path: None }, how.to_owned())
}
