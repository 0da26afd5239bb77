//! Code, data and checkpoints.
pub mod upload;

use super::SAY_DOMAIN;
use super::Support;
use crate::contract_builder::Location;
use crate::libhdfs;
use crate::mounts::is_system;
use crate::names::reference_fault;
use crate::pack;
use crate::yarn::context::Context;
use crate::yarn::mechanism::{Duty, Mechanism};
use tfjob_lang::lowered::{Phase, Step};
use tfjob_lang::plan::{DataRef, RoleId};
use tfjob_lang::requirement;
use tfjob_lang::requirement::{Lifecycle, Requirement, Resources};
use tfjob_lang::spec::values::{Archive, Class, Uri};
use upload::{Wanted, localise};

/// Answers one requirement: code, data and checkpoints.
pub fn support(requirement: &requirement::Storage, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Storage::Code { uri, reference, at } => {
            code(context, uri, reference.as_deref(), at.as_deref())
        }
        requirement::Storage::Stage { index, uri, at } => stage(context, *index, uri, at.as_deref()),
        requirement::Storage::DataUri { index, uri, writable: _ } => {
            self::uri(context, DataRef::Data(*index), uri)
        }
        requirement::Storage::DataMount { index, uri, at, writable } => {
            self::at(context, DataRef::Data(*index), uri, at, *writable)
        }
        requirement::Storage::CheckpointsUri { uri } => self::uri(context, DataRef::Checkpoints, uri),
        requirement::Storage::CheckpointsMount { uri, at } => {
            self::at(context, DataRef::Checkpoints, uri, at, true)
        }
        requirement::Storage::CheckpointsEvery { seconds } => every(context, *seconds),
        requirement::Storage::CheckpointsFresh { mounted } => fresh(context, *mounted),
        requirement::Storage::Scratch { role } => Support::Native(Mechanism::Scratch { role: *role }),
    }
}

fn code(context: &Context<'_>, uri: &Uri, reference: Option<&str>, at: Option<&str>) -> Support {
    if let Some((reference, why)) = reference.and_then(|r| Some((r, reference_fault(r)?))) {
        return Support::unsupported(
            format!("fetches the code by `{reference}`, and {why}"),
            "write a branch, a tag, or the whole commit",
            "git-check-ref-format(1), git-fetch(1)",
        );
    }
    copy(context, &Wanted { reference, ..Wanted::new(context, DataRef::Code, uri, at) })
}

fn stage(context: &Context<'_>, index: usize, uri: &Uri, at: Option<&str>) -> Support {
    let own = DataRef::Stage(index);
    if let Some(twin) = context.copies().same_file(&upload::canonical(context, uri), own) {
        return Support::impossible(
            format!(
                "copies one file into a container under one name only, and {} is the same file",
                called(context, twin)
            ),
            "write `files` once, and use its reference twice",
            "yarn#one-link-per-source",
        );
    }
    copy(context, &Wanted::new(context, DataRef::Stage(index), uri, at))
}

/// A file of the node is there already; anything else is copied.
fn copy(context: &Context<'_>, wanted: &Wanted<'_>) -> Support {
    if let Some(refused) = wanted.at.and_then(|at| bare(context, at)) {
        return refused;
    }
    if let Some(path) = context.node_path(wanted.uri) {
        return in_place(context, wanted, &path);
    }
    if let Some(refused) =
        wanted.at.and_then(|at| unmountable(context, at)).or_else(|| same_link(context, wanted))
    {
        return refused;
    }
    localise(context, wanted)
}

/// The directory of a script in a container that mounts it: at its own path it would hide the image's directory.
const SCRIPTS: &str = "/tfjob/code";

/// What every node has is used as it is: no one unpacks an archive, and the directory of a script is the code.
fn in_place(context: &Context<'_>, wanted: &Wanted<'_>, path: &str) -> Support {
    if Archive::of(wanted.uri).is_some() {
        return Support::impossible(
            format!("uses files of the node in place and does not unpack the archive `{}`", wanted.uri),
            format!(
                "unpack it on each node and name the directory: `{}/`; or copy it to `hdfs:`",
                pack::unpacked(wanted.uri)
            ),
            "DockerLinuxContainerRuntime: mounts are docker run's",
        );
    }
    let script = (wanted.place == DataRef::Code).then(|| pack::directory_of(path)).flatten();
    let Some(directory) = script else {
        return mount(context, wanted.place, path, wanted.at.unwrap_or(path), false);
    };
    let images = (0..context.plan.roles.len()).all(|id| context.docker(id));
    let at = wanted.at.unwrap_or(if images { SCRIPTS } else { directory });
    mount(context, wanted.place, directory, at, false)
        .emulated(format!("`{{code}}` is the directory that holds the file `{}`", wanted.uri))
}

/// Why no container can have something at a path: Docker's options would misread it, or the system is there.
fn unmountable(context: &Context<'_>, at: &str) -> Option<Support> {
    let plain = |c: char| c.is_alphanumeric() || "/._-+@=%".contains(c);
    if !at.chars().all(plain) {
        return Some(Support::impossible(
            format!("mounts paths in a list with `:` and `,` between, which `{at}` would break"),
            "use a path of letters, digits and `._-+@=%`",
            "yarn#mount-lists",
        ));
    }
    if is_system(at) {
        return Some(Support::impossible(
            format!("cannot mount anything at `{at}`: the container's own system is there"),
            "use another path, such as `at=\"/opt/data\"`",
            "docker run: invalid mount config",
        ));
    }
    let shared = context.requirements(|requirement| {
        matches!(requirement, Requirement::Resources(Resources::SharedMemory { .. }))
    });
    (shared && (at == "/dev/shm" || at.starts_with("/dev/shm/"))).then(|| {
        Support::impossible(
            format!("mounts one thing at `/dev/shm`, and `shared-memory` is there: nothing can be at `{at}`"),
            "give it another path",
            "DockerLinuxContainerRuntime: mounts and tmpfs mounts are both docker run's",
        )
    })
}

/// Only a container of Docker can have something at a path of its own.
fn bare(context: &Context<'_>, at: &str) -> Option<Support> {
    let bare = context.plan.roles.iter().find(|r| r.image.is_none())?;
    Some(Support::unsupported(
        format!(
            "puts nothing at `{at}` for `{}`, which has no image: it would be the node's own `{at}`",
            bare.name.value
        ),
        "remove `at`, and use the reference; or give each role an image",
        "yarn#destination-paths",
    ))
}

/// What the spec calls something that is copied.
fn called(context: &Context<'_>, place: DataRef) -> String {
    match place {
        DataRef::Stage(index) => format!("`files \"{}\"`", context.plan.storage.stage[index].name.value),
        DataRef::Code | DataRef::Data(_) | DataRef::Checkpoints | DataRef::Scratch => "`code`".to_owned(),
    }
}

/// The shim's name in the container's directory.
pub const SHIM: &str = "tfjob-shim";
/// The directory of `{scratch}` in the container's own.
pub const SCRATCH: &str = "scratch";

/// Names in a container's directory that the engine or the launch command makes.
const TAKEN: [&str; 6] = [SHIM, SCRATCH, "conf", "tmp", "launch_container.sh", "container_tokens"];

/// The engine knows a copied file by one name: the last step of its path. Of two with one name, one is lost.
fn same_link(context: &Context<'_>, wanted: &Wanted<'_>) -> Option<Support> {
    let own = wanted.link();
    let owner = match context.copies().named(&own, wanted.place) {
        Some(twin) => called(context, twin),
        None if TAKEN.contains(&own.as_str()) => "the engine or the shim".to_owned(),
        None => return None,
    };
    Some(Support::impossible(
        format!("names a copied file by the last step of its path, and {owner} has the name `{own}` already"),
        format!("use another last step, such as `at=\"/opt/{own}-2\"`"),
        "yarn#destination-names",
    ))
}

/// A path of the node at a path of the containers.
fn mount(context: &Context<'_>, place: DataRef, source: &str, at: &str, writable: bool) -> Support {
    let (docker, bare): (Vec<RoleId>, Vec<RoleId>) =
        (0..context.plan.roles.len()).partition(|id| context.docker(*id));
    if let Some(role) = bare.first().filter(|_| source != at) {
        return Support::unsupported(
            format!(
                "shows `{}`, which has no image, the node's own folders: `{source}` is not at `{at}`",
                context.role(*role).name.value
            ),
            format!("write `at=\"{source}\"`, or give each role an image"),
            "yarn#node-directories",
        );
    }
    if !docker.is_empty()
        && let Some(refused) = [source, at].into_iter().find_map(|path| unmountable(context, path))
    {
        return refused;
    }
    let mechanism = Mechanism::Mount {
        place,
        roles: docker.clone(),
        source: source.to_owned(),
        at: at.to_owned(),
        writable,
    };
    if docker.is_empty() {
        return Support::Native(mechanism);
    }
    let kind = if writable { "rw" } else { "ro" };
    Support::Emulated(
        mechanism,
        format!(
            "the node's `{source}` is mounted, which must be there before the job; its administrator must have `{source}` in `docker.allowed.{kind}-mounts`"
        ),
    )
}

/// Something at a path: what the nodes have mounted.
fn at(context: &Context<'_>, place: DataRef, uri: &Uri, at: &str, writable: bool) -> Support {
    if let Some(path) = context.node_path(uri) {
        return mount(context, place, &path, at, writable);
    }
    let nodes = nodes_have(uri);
    let help = match uri.scheme().class() {
        Class::Hadoop | Class::Bucket | Class::Web => {
            format!("remove `at` and let the program open the uri; or {nodes}")
        }
        Class::Volume | Class::Node => format!("{nodes}; or copy it to `hdfs:`, without `at`"),
        Class::Spec | Class::Repository => "copy it to `hdfs:`, without `at`".to_owned(),
    };
    Support::unsupported(
        format!("mounts no {} into a container", uri.scheme().storage()),
        help,
        "yarn#docker-mounts",
    )
}

/// What to write where every node has it.
fn nodes_have(uri: &Uri) -> String {
    format!("say where every node has it: `target \"yarn\" {{ mounted {{ \"{uri}\" \"/mnt/…\" }} }}`")
}

/// Something that the program opens by its uri.
fn uri(context: &Context<'_>, place: DataRef, uri: &Uri) -> Support {
    let there = |location: Location| Support::Native(Mechanism::There { place, location });
    match uri.scheme().class() {
        Class::Hadoop | Class::Bucket | Class::Web => there(Location::from(uri.to_string())),
        Class::Node if (0..context.plan.roles.len()).all(|id| !context.docker(id)) => {
            there(Location::from(uri.opened()))
        }
        Class::Node => Support::unsupported(
            "shows a container none of the node's folders unless it is mounted",
            "add `at=` with the path where it must appear",
            "yarn#docker-mounts",
        ),
        Class::Volume => Support::unsupported(
            format!("hands the program `{uri}` as it stands, which no program opens"),
            format!("add `at=\"/…\"`, and {}; or copy it to `hdfs:`", nodes_have(uri)),
            "yarn#substitution",
        ),
        Class::Spec | Class::Repository => Support::unsupported(
            format!("hands the program `{uri}` as it stands, which no program opens"),
            match place {
                DataRef::Checkpoints => {
                    "write them to a file system of the cluster: `checkpoints \"hdfs://default/checkpoints\"`"
                }
                DataRef::Code | DataRef::Stage(_) | DataRef::Data(_) | DataRef::Scratch => {
                    "copy it to `hdfs:`"
                }
            },
            "yarn#substitution",
        ),
    }
}

fn every(context: &Context<'_>, seconds: u64) -> Support {
    let watched = context.plan.storage.checkpoints.as_ref().is_some_and(|c| c.at.is_some());
    if watched {
        Support::Native(Mechanism::Every(seconds))
    } else {
        Support::inherent("the program's own promise: no one else sees its state")
    }
}

/// A role that the platform itself starts again, in its container or in another.
fn restarted<'p>(context: &Context<'p>) -> Option<&'p str> {
    context.plan.requirements.iter().find_map(|required| {
        let Requirement::Lifecycle(Lifecycle::Restart { role, after, restart }) = &required.requirement
        else {
            return None;
        };
        let again = |mechanism: &Mechanism| {
            matches!(mechanism, Mechanism::InPlace { .. } | Mechanism::Replace { .. })
        };
        let by_platform = match super::lifecycle::restart::restart(context, *role, *after, restart) {
            Support::Native(mechanism) | Support::Emulated(mechanism, _) => again(&mechanism),
            Support::Inherent { .. } | Support::Ignored(_) | Support::Unsupported(_) => false,
        };
        by_platform.then(|| context.role(*role).name.value.as_str())
    })
}

/// Before the job starts: afterwards its own state is there.
fn fresh(context: &Context<'_>, mounted: bool) -> Support {
    let uri = context.plan.storage.checkpoints.as_ref().map(|c| &c.uri.value);
    if let Some(name) = restarted(context).filter(|_| mounted) {
        return Support::unsupported(
            format!(
                "starts the shim of `{name}` anew at each restart, and it would find the job's own state"
            ),
            "remove `if-exists`, and give each run a folder of its own; or remove `restart`",
            "yarn#retried-commands",
        );
    }
    if mounted && context.expects() && context.domain().is_none() {
        return Support::unsupported(
            "gives tasks no other address than the registry's DNS name, and no domain is stated: none can wait until the first has looked into the folder",
            format!("{SAY_DOMAIN}, or remove `if-exists`"),
            "yarn#registry-dns",
        );
    }
    if mounted {
        let how = if context.expects() {
            "the shim of the first task looks into the folder, and the others wait for its address"
        } else {
            "the shim looks into the folder before the first start"
        };
        return Support::Emulated(Mechanism::Duty(Duty::Fresh), how.to_owned());
    }
    let Some(uri) = uri.filter(|u| u.scheme().class() == Class::Hadoop) else {
        return Support::unsupported(
            "sees nothing of what is in that storage",
            "remove `if-exists`, and give each run a folder of its own",
            "yarn#source-files",
        );
    };
    let text = libhdfs::address(uri);
    let text = upload::literal(text.trim_end_matches('/'));
    let above = text.rsplit_once('/').map_or("", |(above, _)| above);
    let step = |words: &[&str], why: &str| Step::new(Phase::Before, words, why);
    let mut steps = Vec::new();
    if above.matches('/').count() > 2 {
        steps.push(step(&["hdfs", "dfs", "-mkdir", "-p", above], "the folder above the checkpoints"));
    }
    steps.push(step(
        &["hdfs", "dfs", "-mkdir", &text],
        "fails where the folder of the checkpoints exists already",
    ));
    Support::Emulated(
        Mechanism::Fresh(steps),
        "a step makes the folder, and fails where it exists".to_owned(),
    )
}
