//! Code, data and checkpoints.
pub mod upload;

use super::Answer;
use super::SAY_DOMAIN;
use crate::carry::Spot;
use crate::libhdfs;
use crate::mounts::is_system;
use crate::names::reference_fault;
use crate::pack;
use crate::yarn::context::Context;
use crate::yarn::means::{Duty, Means};
use tfjob_lang::ask;
use tfjob_lang::ask::{Ask, Lifecycle, Resources};
use tfjob_lang::lowered::{Phase, Step};
use tfjob_lang::plan::{Place, RoleId};
use tfjob_lang::spec::values::{Archive, Class, Uri};
use upload::{Wanted, localise};

/// Answers one requirement: code, data and checkpoints.
pub fn answer(ask: &ask::Storage, case: &Context<'_>) -> Answer {
    match ask {
        ask::Storage::Code { uri, reference, at } => code(case, uri, reference.as_deref(), at.as_deref()),
        ask::Storage::Stage { index, uri, at } => stage(case, *index, uri, at.as_deref()),
        ask::Storage::DataUri { index, uri, writable: _ } => self::uri(case, Place::Data(*index), uri),
        ask::Storage::DataMount { index, uri, at, writable } => {
            self::at(case, Place::Data(*index), uri, at, *writable)
        }
        ask::Storage::CheckpointsUri { uri } => self::uri(case, Place::Checkpoints, uri),
        ask::Storage::CheckpointsMount { uri, at } => self::at(case, Place::Checkpoints, uri, at, true),
        ask::Storage::CheckpointsEvery { seconds } => every(case, *seconds),
        ask::Storage::CheckpointsFresh { mounted } => fresh(case, *mounted),
        ask::Storage::Scratch { role } => Answer::Native(Means::Scratch { role: *role }),
    }
}

fn code(case: &Context<'_>, uri: &Uri, reference: Option<&str>, at: Option<&str>) -> Answer {
    if let Some((reference, why)) = reference.and_then(|r| Some((r, reference_fault(r)?))) {
        return Answer::refused(
            format!("fetches the code by `{reference}`, and {why}"),
            "write a branch, a tag, or the whole commit",
            "git-check-ref-format(1), git-fetch(1)",
        );
    }
    copy(case, &Wanted { reference, ..Wanted::new(case, Place::Code, uri, at) })
}

fn stage(case: &Context<'_>, index: usize, uri: &Uri, at: Option<&str>) -> Answer {
    let own = Place::Stage(index);
    if let Some(twin) = case.copies().same_file(&upload::canonical(case, uri), own) {
        return Answer::impossible(
            format!(
                "copies one file into a container under one name only, and {} is the same file",
                called(case, twin)
            ),
            "stage it once, and use its reference twice",
            "yarn-observed §6",
        );
    }
    copy(case, &Wanted::new(case, Place::Stage(index), uri, at))
}

/// A file of the node is there already; anything else is copied.
fn copy(case: &Context<'_>, wanted: &Wanted<'_>) -> Answer {
    if let Some(refused) = wanted.at.and_then(|at| bare(case, at)) {
        return refused;
    }
    if let Some(path) = case.node_path(wanted.uri) {
        return in_place(case, wanted, &path);
    }
    if let Some(refused) = wanted.at.and_then(|at| unmountable(case, at)).or_else(|| same_link(case, wanted))
    {
        return refused;
    }
    localise(case, wanted)
}

/// The directory of a script in a container that mounts it: at its own path it would hide the image's directory.
const SCRIPTS: &str = "/tfjob/code";

/// What every node has is used as it is: no one unpacks an archive, and the directory of a script is the code.
fn in_place(case: &Context<'_>, wanted: &Wanted<'_>, path: &str) -> Answer {
    if Archive::of(wanted.uri).is_some() {
        return Answer::impossible(
            format!("uses files of the node in place and does not unpack the archive `{}`", wanted.uri),
            format!(
                "unpack it on each node and name the directory: `{}/`; or copy it to `hdfs:`",
                pack::unpacked(wanted.uri)
            ),
            "DockerLinuxContainerRuntime: mounts are docker run's",
        );
    }
    let script = (wanted.place == Place::Code).then(|| pack::directory_of(path)).flatten();
    let Some(directory) = script else {
        return mount(case, wanted.place, path, wanted.at.unwrap_or(path), false);
    };
    let images = (0..case.plan.roles.len()).all(|id| case.docker(id));
    let at = wanted.at.unwrap_or(if images { SCRIPTS } else { directory });
    mount(case, wanted.place, directory, at, false)
        .emulated(format!("`{{code}}` is the directory that holds the file `{}`", wanted.uri))
}

/// Why no container can have something at a path: Docker's options would misread it, or the system is there.
fn unmountable(case: &Context<'_>, at: &str) -> Option<Answer> {
    let plain = |c: char| c.is_alphanumeric() || "/._-+@=%".contains(c);
    if !at.chars().all(plain) {
        return Some(Answer::impossible(
            format!("mounts paths in a list with `:` and `,` between, which `{at}` would break"),
            "use a path of letters, digits and `._-+@=%`",
            "yarn-submarine-tony §1.7",
        ));
    }
    if is_system(at) {
        return Some(Answer::impossible(
            format!("cannot mount anything at `{at}`: the container's own system is there"),
            "use another path, such as `at=\"/opt/data\"`",
            "docker run: invalid mount config",
        ));
    }
    let shared = case.asks(|ask| matches!(ask, Ask::Resources(Resources::SharedMemory { .. })));
    (shared && (at == "/dev/shm" || at.starts_with("/dev/shm/"))).then(|| {
        Answer::impossible(
            format!("mounts one thing at `/dev/shm`, and `shared-memory` is there: nothing can be at `{at}`"),
            "give it another path",
            "DockerLinuxContainerRuntime: mounts and tmpfs mounts are both docker run's",
        )
    })
}

/// Only a container of Docker can have something at a path of its own.
fn bare(case: &Context<'_>, at: &str) -> Option<Answer> {
    let bare = case.plan.roles.iter().find(|r| r.image.is_none())?;
    Some(Answer::refused(
        format!(
            "puts nothing at `{at}` for `{}`, which has no image: it would be the node's own `{at}`",
            bare.name.value
        ),
        "remove `at`, and use the reference; or give each role an image",
        "yarn-observed §3",
    ))
}

/// What the spec calls something that is copied.
fn called(case: &Context<'_>, place: Place) -> String {
    match place {
        Place::Stage(index) => format!("the stage `{}`", case.plan.storage.stage[index].name.value),
        Place::Code | Place::Data(_) | Place::Checkpoints | Place::Scratch => "`code`".to_owned(),
    }
}

/// The shim's name in the container's directory.
pub const SHIM: &str = "tfjob-shim";
/// The directory of `{scratch}` in the container's own.
pub const SCRATCH: &str = "scratch";

/// Names in a container's directory that the engine or the launch command makes.
const TAKEN: [&str; 6] = [SHIM, SCRATCH, "conf", "tmp", "launch_container.sh", "container_tokens"];

/// The engine knows a copied file by one name: the last step of its path. Of two with one name, one is lost.
fn same_link(case: &Context<'_>, wanted: &Wanted<'_>) -> Option<Answer> {
    let own = wanted.link();
    let owner = match case.copies().named(&own, wanted.place) {
        Some(twin) => called(case, twin),
        None if TAKEN.contains(&own.as_str()) => "the engine or the shim".to_owned(),
        None => return None,
    };
    Some(Answer::impossible(
        format!("names a copied file by the last step of its path, and {owner} has the name `{own}` already"),
        format!("use another last step, such as `at=\"/opt/{own}-2\"`"),
        "yarn-submarine-tony §5, trap 9",
    ))
}

/// A path of the node at a path of the containers.
fn mount(case: &Context<'_>, place: Place, source: &str, at: &str, writable: bool) -> Answer {
    let (docker, bare): (Vec<RoleId>, Vec<RoleId>) =
        (0..case.plan.roles.len()).partition(|id| case.docker(*id));
    if let Some(role) = bare.first().filter(|_| source != at) {
        return Answer::refused(
            format!(
                "shows `{}`, which has no image, the node's own folders: `{source}` is not at `{at}`",
                case.role(*role).name.value
            ),
            format!("write `at=\"{source}\"`, or give each role an image"),
            "yarn-submarine-tony §1.8",
        );
    }
    if !docker.is_empty()
        && let Some(refused) = [source, at].into_iter().find_map(|path| unmountable(case, path))
    {
        return refused;
    }
    let means =
        Means::Mount { place, roles: docker.clone(), source: source.to_owned(), at: at.to_owned(), writable };
    if docker.is_empty() {
        return Answer::Native(means);
    }
    let kind = if writable { "rw" } else { "ro" };
    Answer::Emulated(
        means,
        format!(
            "the node's `{source}` is mounted, which must be there before the job; its administrator must have `{source}` in `docker.allowed.{kind}-mounts`"
        ),
    )
}

/// Something at a path: what the nodes have mounted.
fn at(case: &Context<'_>, place: Place, uri: &Uri, at: &str, writable: bool) -> Answer {
    if let Some(path) = case.node_path(uri) {
        return mount(case, place, &path, at, writable);
    }
    let nodes = nodes_have(uri);
    let help = match uri.scheme().class() {
        Class::Hadoop | Class::Bucket | Class::Web => {
            format!("remove `at` and let the program open the uri; or {nodes}")
        }
        Class::Volume | Class::Node => format!("{nodes}; or copy it to `hdfs:`, without `at`"),
        Class::Spec | Class::Repository => "copy it to `hdfs:`, without `at`".to_owned(),
    };
    Answer::refused(
        format!("mounts no {} into a container", uri.scheme().storage()),
        help,
        "yarn-submarine-tony §1.8",
    )
}

/// What to write where every node has it.
fn nodes_have(uri: &Uri) -> String {
    format!("say where every node has it: `target \"yarn\" {{ mounted {{ \"{uri}\" \"/mnt/…\" }} }}`")
}

/// Something that the program opens by its uri.
fn uri(case: &Context<'_>, place: Place, uri: &Uri) -> Answer {
    let there = |spot: Spot| Answer::Native(Means::There { place, spot });
    match uri.scheme().class() {
        Class::Hadoop | Class::Bucket | Class::Web => there(Spot::from(uri.to_string())),
        Class::Node if (0..case.plan.roles.len()).all(|id| !case.docker(id)) => {
            there(Spot::from(uri.opened()))
        }
        Class::Node => Answer::refused(
            "shows a container none of the node's folders unless it is mounted",
            "add `at=` with the path where it must appear",
            "yarn-submarine-tony §1.8",
        ),
        Class::Volume => Answer::refused(
            format!("hands the program `{uri}` as it stands, which no program opens"),
            format!("add `at=\"/…\"`, and {}; or copy it to `hdfs:`", nodes_have(uri)),
            "yarn-submarine-tony §1.8",
        ),
        Class::Spec | Class::Repository => Answer::refused(
            format!("hands the program `{uri}` as it stands, which no program opens"),
            match place {
                Place::Checkpoints => {
                    "write them to a file system of the cluster: `checkpoints \"hdfs://default/checkpoints\"`"
                }
                Place::Code | Place::Stage(_) | Place::Data(_) | Place::Scratch => "copy it to `hdfs:`",
            },
            "yarn-submarine-tony §1.8",
        ),
    }
}

fn every(case: &Context<'_>, seconds: u64) -> Answer {
    let watched = case.plan.storage.checkpoints.as_ref().is_some_and(|c| c.at.is_some());
    if watched {
        Answer::Native(Means::Every(seconds))
    } else {
        Answer::inherent("the program's own promise: no one else sees its state")
    }
}

/// A role that the platform itself starts again, in its container or in another.
fn restarted<'p>(case: &Context<'p>) -> Option<&'p str> {
    case.plan.asks.iter().find_map(|asked| {
        let Ask::Lifecycle(Lifecycle::Restart { role, after, restart }) = &asked.ask else { return None };
        let again = |means: &Means| matches!(means, Means::InPlace { .. } | Means::Replace { .. });
        let by_platform = match super::lifecycle::restart::restart(case, *role, *after, restart) {
            Answer::Native(means) | Answer::Emulated(means, _) => again(&means),
            Answer::Inherent { .. } | Answer::Ignored(_) | Answer::Refused(_) => false,
        };
        by_platform.then(|| case.role(*role).name.value.as_str())
    })
}

/// Before the job starts: afterwards its own state is there.
fn fresh(case: &Context<'_>, mounted: bool) -> Answer {
    let uri = case.plan.storage.checkpoints.as_ref().map(|c| &c.uri.value);
    if let Some(name) = restarted(case).filter(|_| mounted) {
        return Answer::refused(
            format!(
                "starts the shim of `{name}` anew at each restart, and it would find the job's own state"
            ),
            "remove `fresh`, and give each run a folder of its own; or remove `restart`",
            "yarn-observed §7",
        );
    }
    if mounted && case.expects() && case.domain().is_none() {
        return Answer::refused(
            "gives tasks no other address than the registry's DNS name, and no domain is stated: none can wait until the first has looked into the folder",
            format!("{SAY_DOMAIN}, or remove `fresh`"),
            "yarn-submarine-tony §1.8",
        );
    }
    if mounted {
        let how = if case.expects() {
            "the shim of the first task looks into the folder, and the others wait for its address"
        } else {
            "the shim looks into the folder before the first start"
        };
        return Answer::Emulated(Means::Duty(Duty::Fresh), how.to_owned());
    }
    let Some(uri) = uri.filter(|u| u.scheme().class() == Class::Hadoop) else {
        return Answer::refused(
            "sees nothing of what is in that storage",
            "remove `fresh`, and give each run a folder of its own",
            "yarn-submarine-tony §1.4",
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
    Answer::Emulated(Means::Fresh(steps), "a step makes the folder, and fails where it exists".to_owned())
}
