//! Code, data and checkpoints: used where they are; nothing is fetched and nothing is mounted.
use super::Support;
use crate::contract_builder::Location;
use crate::local::mechanism::{Duty, Mechanism, OnDisk};
use crate::local::schema::{HERE, SCRATCH};
use crate::pack;
use tfjob_lang::plan::{DataRef, Plan};
use tfjob_lang::requirement;
use tfjob_lang::spec::values::{Archive, Class, Uri};

/// Answers one requirement: code, data and checkpoints.
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

const UNFETCHED: &str = "the job.json of this target: it names paths alone";
const UNMOUNTED: &str = "capabilities(7): mount needs CAP_SYS_ADMIN";

/// The program: a folder of this machine. Of a file, the folder that holds it.
fn code(uri: &Uri, at: Option<&str>) -> Support {
    if let Some(refused) = unfit(uri) {
        return refused;
    }
    let whole = path(uri);
    let held = pack::directory_of(&whole).filter(|_| pack::is_file(uri.path()));
    let folder = held.unwrap_or(&whole);
    if let Some(refused) = elsewhere(uri, folder, at) {
        return refused;
    }
    let mechanism = here(DataRef::Code, folder, Some(OnDisk::Needed(whole.clone())));
    if folder == whole {
        return Support::Native(mechanism);
    }
    let how = format!("`{{code}}` is the folder that holds the file `{uri}`");
    Support::Emulated(mechanism, how)
}

/// Something beside the program.
fn stage(index: usize, uri: &Uri, at: Option<&str>) -> Support {
    if let Some(refused) = unfit(uri) {
        return refused;
    }
    let path = path(uri);
    if let Some(refused) = elsewhere(uri, &path, at) {
        return refused;
    }
    Support::Native(here(DataRef::Stage(index), &path, Some(OnDisk::Needed(path.clone()))))
}

/// The path of what is on this machine: `./src` beside the spec, without a slash at its end.
fn path(uri: &Uri) -> String {
    let path = uri.path().trim_end_matches('/');
    if uri.scheme().class() == Class::Spec {
        return format!("./{path}").trim_end_matches('/').to_owned();
    }
    if path.is_empty() { "/".to_owned() } else { path.to_owned() }
}

/// Where a program finds a path of this machine.
fn here(place: DataRef, path: &str, on_disk: Option<OnDisk>) -> Mechanism {
    let location = match path.strip_prefix('.') {
        Some(below) => Location::under(HERE, below),
        None => Location::from(path),
    };
    Mechanism::At { place, location, path: on_disk }
}

/// What cannot be used as it is: it is somewhere else, or packed.
fn unfit(uri: &Uri) -> Option<Support> {
    let why = match uri.scheme().class() {
        Class::Node | Class::Spec if Archive::of(uri).is_some() => {
            return Some(Support::impossible(
                format!("uses files in place and does not unpack the archive `{uri}`"),
                format!("unpack it and name the directory: `{}/`", pack::unpacked(uri)),
                UNFETCHED,
            ));
        }
        Class::Node | Class::Spec => return None,
        Class::Hadoop | Class::Bucket | Class::Web | Class::Repository | Class::Volume => {
            format!("fetches nothing from `{}:`", uri.scheme().word())
        }
    };
    Some(Support::impossible(
        why,
        "bring it to this machine, and name it beside the spec, `./…`, or by its path, `file:///…`",
        UNFETCHED,
    ))
}

/// Another path than the one where it is.
fn elsewhere(uri: &Uri, path: &str, at: Option<&str>) -> Option<Support> {
    let at = at.filter(|at| at.trim_end_matches('/') != path)?;
    let help = if uri.scheme().class() == Class::Node {
        format!("write `at=\"{path}\"`, or remove it")
    } else {
        "remove `at`: references in braces say where it is".to_owned()
    };
    Some(Support::impossible(
        format!("uses `{uri}` where it is, and puts nothing at `{at}`"),
        help,
        UNMOUNTED,
    ))
}

/// Something that the program opens by its address. Of a path beside the spec the program is told the whole path.
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
            format!("gives a program no way to open `{uri}`"),
            "name the folder as this machine has it: `file:///…`, or `./…` beside the spec",
            UNMOUNTED,
        ),
    }
}

/// State is made where there is none yet; what is only read must be there.
fn on_disk(place: DataRef, path: String) -> OnDisk {
    match place {
        DataRef::Checkpoints => OnDisk::Made(path),
        DataRef::Code | DataRef::Stage(_) | DataRef::Data(_) | DataRef::Scratch => OnDisk::Needed(path),
    }
}

/// Something whose files must appear at a path.
fn mounted(place: DataRef, uri: &Uri, at: &str, writable: bool) -> Support {
    let path = path(uri);
    let help = match uri.scheme().class() {
        Class::Spec => "remove `at`: references in braces say where it is".to_owned(),
        Class::Node if path == at.trim_end_matches('/') => {
            let mechanism = here(place, &path, Some(on_disk(place, path.clone())));
            if writable {
                return Support::Native(mechanism);
            }
            let how = "the program promises not to write there: nothing keeps it from doing so";
            return Support::Emulated(mechanism, how.to_owned());
        }
        Class::Node => format!("write `at=\"{path}\"`"),
        Class::Hadoop | Class::Bucket | Class::Web => {
            "remove `at`, and let the program open the address".to_owned()
        }
        Class::Volume | Class::Repository => {
            format!("name the folder where this machine has it: `file://{at}` if it is there")
        }
    };
    Support::impossible(format!("mounts nothing: a program sees no `{uri}` at `{at}`"), help, UNMOUNTED)
}

/// The folder of the job's state, as the shim sees it; it runs in the folder of the spec.
pub fn state(plan: &Plan) -> Option<String> {
    let uri = &plan.storage.checkpoints.as_ref()?.uri.value;
    (uri.scheme().class().is_path()).then(|| path(uri))
}

/// Whether old state keeps the job from starting.
fn fresh(plan: &Plan) -> Support {
    if state(plan).is_some() {
        let how = "the shim looks into the folder before the first start";
        return Support::Emulated(Mechanism::Duty(Duty::Fresh), how.to_owned());
    }
    Support::unsupported(
        "looks for old state in folders of this machine alone",
        "name such a folder, `file:///…` or `./…`; or remove `if-exists`, and let the program look",
        "the shim looks into folders alone",
    )
}

/// A folder of the task's own.
fn scratch() -> Support {
    let location = Location::under(SCRATCH, "");
    let how = "a folder below that of the run";
    Support::Emulated(Mechanism::At { place: DataRef::Scratch, location, path: None }, how.to_owned())
}
