//! Support of code, data, and checkpoints.
pub mod upload;

use super::SET_DOMAIN;
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

/// Returns the support of one requirement about code, data, and checkpoints.
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
            format!("git cannot fetch the code by the reference `{reference}`: {why}"),
            "use a branch, a tag, or a full commit hash",
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
                "one of two entries would be missing: a file is linked only once into a container, and {} is the same file",
                entry_name(context, twin)
            ),
            "remove one of the two entries, and use the reference of the remaining entry twice",
            "yarn#one-link-per-source",
        );
    }
    copy(context, &Wanted::new(context, DataRef::Stage(index), uri, at))
}

/// Returns the support of a `code` or `files` entry. A file that is on every node is used in place. Any other file is copied.
fn copy(context: &Context<'_>, wanted: &Wanted<'_>) -> Support {
    if let Some(refused) = wanted.at.and_then(|at| without_image(context, at)) {
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

/// Mount path for the directory that contains a script. If this directory were mounted at its path on the node, it could hide a
/// directory of the image.
const SCRIPTS: &str = "/tfjob/code";

/// Returns the support of a path that exists on every node, which is used in place. An archive is refused, because nothing unpacks
/// it. If `code` is a script, `{code}` is the directory that contains the script.
fn in_place(context: &Context<'_>, wanted: &Wanted<'_>, path: &str) -> Support {
    if Archive::of(wanted.uri).is_some() {
        return Support::impossible(
            format!("a file on the node is used in place, so the archive `{}` is not unpacked", wanted.uri),
            format!(
                "unpack it on each node and use the directory `{}/`; or copy the archive to `hdfs:`",
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
        .emulated(format!("`{{code}}` expands to the directory that contains the file `{}`", wanted.uri))
}

/// Refuses a path at which nothing can be mounted into a container.
fn unmountable(context: &Context<'_>, at: &str) -> Option<Support> {
    let plain = |c: char| c.is_alphanumeric() || "/._-+@=%".contains(c);
    if !at.chars().all(plain) {
        let list = at.contains([',', ':']);
        return Some(Support::impossible(
            if list {
                format!(
                    "`{at}` cannot be mounted: Docker mounts are a list separated by `,` and `:`, and the path contains a character that breaks this list"
                )
            } else {
                format!(
                    "`{at}` cannot be mounted: YARN writes this path into shell commands and lists, which may change its special characters"
                )
            },
            "use letters, digits, and `/._-+@=%` in the path",
            "yarn#mount-lists",
        ));
    }
    if is_system(at) {
        return Some(Support::impossible(
            format!("nothing can be mounted at `{at}`, which is a system directory of the container"),
            "use another path, such as `at=\"/opt/data\"`",
            "docker run: invalid mount config",
        ));
    }
    let shared = context.requirements(|requirement| {
        matches!(requirement, Requirement::Resources(Resources::SharedMemory { .. }))
    });
    (shared && (at == "/dev/shm" || at.starts_with("/dev/shm/"))).then(|| {
        Support::impossible(
            format!("nothing can be mounted at `{at}`: `shared-memory` mounts a tmpfs at `/dev/shm`"),
            "use another path, such as `at=\"/opt/data\"`",
            "DockerLinuxContainerRuntime: mounts and tmpfs mounts are both options of docker run",
        )
    })
}

/// Refuses `at` for a role without an image. Only in a Docker container can YARN put a file at an absolute path.
fn without_image(context: &Context<'_>, at: &str) -> Option<Support> {
    let bare = context.plan.roles.iter().find(|r| r.image.is_none())?;
    Some(Support::unsupported(
        format!(
            "`{}` has no image, so its tasks would see the node's own `{at}`: files are copied to an absolute path only in Docker containers",
            bare.name.value
        ),
        "remove `at` and use the reference, such as `{code}`; or give each role an `image`",
        "yarn#destination-paths",
    ))
}

/// Returns the name of an entry that is copied, as the spec writes it.
fn entry_name(context: &Context<'_>, place: DataRef) -> String {
    match place {
        DataRef::Stage(index) => format!("`files \"{}\"`", context.plan.storage.stage[index].name.value),
        DataRef::Code | DataRef::Data(_) | DataRef::Checkpoints | DataRef::Scratch => "`code`".to_owned(),
    }
}

/// File name of the shim in the working directory of the container.
pub const SHIM: &str = "tfjob-shim";
/// Name of the scratch directory in the working directory of the container.
pub const SCRATCH: &str = "scratch";

/// Names of files and directories that YARN or the launch command creates in the working directory.
const RESERVED: [&str; 6] = [SHIM, SCRATCH, "conf", "tmp", "launch_container.sh", "container_tokens"];

/// Refuses a second file with the same link name. The link name is the last segment of the file's path.
fn same_link(context: &Context<'_>, wanted: &Wanted<'_>) -> Option<Support> {
    let link = wanted.link();
    let why = match context.copies().named(&link, wanted.place) {
        Some(twin) => format!(
            "two files would have the same name: a copied file is linked by the last element of its path, and {} is already linked as `{link}`",
            entry_name(context, twin)
        ),
        None if RESERVED.contains(&link.as_str()) => format!(
            "a copied file is linked by the last element of its path, but the name `{link}` is reserved for YARN and the shim"
        ),
        None => return None,
    };
    let help = format!("change the last element of the path, such as `at=\"/opt/{link}-2\"`");
    Some(Support::impossible(why, help, "yarn#destination-names"))
}

/// Returns the support of a directory of the node that is mounted into the containers of all roles with an image.
fn mount(context: &Context<'_>, place: DataRef, source: &str, at: &str, writable: bool) -> Support {
    let (docker, bare): (Vec<RoleId>, Vec<RoleId>) =
        (0..context.plan.roles.len()).partition(|id| context.docker(*id));
    if let Some(role) = bare.first().filter(|_| source != at) {
        return Support::unsupported(
            format!(
                "`{}` has no image, so its tasks see directories of the node only at their own paths: `{source}` cannot appear at `{at}`",
                context.role(*role).name.value
            ),
            format!("write `at=\"{source}\"`, or give each role an `image`"),
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
            "the node's directory `{source}` is mounted: it must exist on each node, and the NodeManager must allow it in `docker.allowed.{kind}-mounts`"
        ),
    )
}

/// Returns the support of data or checkpoints at a path in the containers. The storage must be mounted on every node.
fn at(context: &Context<'_>, place: DataRef, uri: &Uri, at: &str, writable: bool) -> Support {
    if let Some(path) = context.node_path(uri) {
        return mount(context, place, &path, at, writable);
    }
    let nodes = nodes_have(uri);
    let help = match uri.scheme().class() {
        Class::Hadoop | Class::Bucket | Class::Web => {
            format!("either remove `at`, and let the program open the URI; or, {nodes}")
        }
        Class::Volume | Class::Node => {
            format!("{nodes}; otherwise {}", on_hdfs(place))
        }
        Class::Spec | Class::Repository => on_hdfs(place).to_owned(),
    };
    Support::unsupported(
        format!("containers can mount only directories of the node, not {}", uri.scheme().storage()),
        help,
        "yarn#docker-mounts",
    )
}

/// Returns a help that suggests storage on HDFS, which programs open by its URI.
const fn on_hdfs(place: DataRef) -> &'static str {
    match place {
        DataRef::Checkpoints => {
            "write `checkpoints \"hdfs:///PATH\"` without `at`, so that the program opens the URI; copy existing checkpoints there first"
        }
        DataRef::Code | DataRef::Stage(_) | DataRef::Data(_) | DataRef::Scratch => {
            "copy the files to `hdfs:`, write their URI without `at`, and change the program so that it opens this URI"
        }
    }
}

/// Returns a help that suggests the option `mounted`, which declares a mount that every node has.
fn nodes_have(uri: &Uri) -> String {
    format!(
        "if this storage is mounted on every node, declare the mount point: `target \"yarn\" {{ mounted {{ \"{uri}\" \"/mnt/…\" }} }}`"
    )
}

/// Returns the support of data or checkpoints that the program opens by their URI.
fn uri(context: &Context<'_>, place: DataRef, uri: &Uri) -> Support {
    let there = |location: Location| Support::Native(Mechanism::There { place, location });
    match uri.scheme().class() {
        Class::Hadoop | Class::Bucket | Class::Web => there(Location::from(uri.to_string())),
        Class::Node if (0..context.plan.roles.len()).all(|id| !context.docker(id)) => {
            there(Location::from(uri.opened()))
        }
        Class::Node => Support::unsupported(
            format!(
                "a Docker container cannot see the node's path `{}` unless the path is mounted",
                uri.path()
            ),
            format!("add `at=\"{}\"`, or another path in the container", uri.path()),
            "yarn#docker-mounts",
        ),
        Class::Volume => Support::unsupported(
            format!("without `at`, the program gets the URI `{uri}`, which programs cannot open"),
            format!("add `at=\"/…\"`, and {}; or copy the files to `hdfs:`", nodes_have(uri)),
            "yarn#uris-in-commands",
        ),
        Class::Spec | Class::Repository => Support::unsupported(
            format!(
                "the program would get the URI `{uri}`, which it cannot open, because data and checkpoints are not copied"
            ),
            match place {
                DataRef::Checkpoints => {
                    "write checkpoints to a file system of the cluster: `checkpoints \"hdfs://default/checkpoints\"`"
                }
                DataRef::Code | DataRef::Stage(_) | DataRef::Data(_) | DataRef::Scratch => {
                    "copy it to `hdfs:`"
                }
            },
            "yarn#uris-in-commands",
        ),
    }
}

fn every(context: &Context<'_>, seconds: u64) -> Support {
    let watched = context.plan.storage.checkpoints.as_ref().is_some_and(|c| c.at.is_some());
    if watched {
        Support::Native(Mechanism::Every(seconds))
    } else {
        Support::inherent("only the program controls when it writes checkpoints")
    }
}

/// Returns the name of the first role, if any, whose tasks YARN itself restarts, in the same container or in a new one.
fn restarted_by_yarn<'p>(context: &Context<'p>) -> Option<&'p str> {
    context.plan.requirements.iter().find_map(|required| {
        let Requirement::Lifecycle(Lifecycle::Restart { role, after, restart }) = &required.requirement
        else {
            return None;
        };
        let restarts = |mechanism: &Mechanism| {
            matches!(mechanism, Mechanism::InPlace { .. } | Mechanism::Replace { .. })
        };
        let by_yarn = match super::lifecycle::restart::restart(context, *role, *after, restart) {
            Support::Native(mechanism) | Support::Emulated(mechanism, _) => restarts(&mechanism),
            Support::Inherent { .. } | Support::Ignored(_) | Support::Unsupported(_) => false,
        };
        by_yarn.then(|| context.role(*role).name.value.as_str())
    })
}

/// Returns the support of `if-exists`, the check that the checkpoint directory is empty. The check runs before the job starts,
/// because the job itself later writes checkpoints there. `mounted`: whether the directory is mounted into the containers.
fn fresh(context: &Context<'_>, mounted: bool) -> Support {
    let uri = context.plan.storage.checkpoints.as_ref().map(|c| &c.uri.value);
    if let Some(name) = restarted_by_yarn(context).filter(|_| mounted) {
        return Support::unsupported(
            format!(
                "a restart of `{name}` would fail, because it repeats the check for existing checkpoints and finds those of the job itself"
            ),
            "remove `if-exists` and use a new checkpoint directory for each run; or remove `restart`",
            "yarn#retried-commands",
        );
    }
    if mounted && context.waits_for_peers() && context.domain().is_none() {
        return Support::unsupported(
            format!(
                "while {} checks that the checkpoint directory is empty, the other tasks wait for its registry DNS name, but the domain of this name (`dns-domain`) is not set",
                context.leader_name()
            ),
            format!("{SET_DOMAIN}, or remove `if-exists`"),
            "yarn#registry-dns",
        );
    }
    if mounted {
        let how = if context.waits_for_peers() {
            format!(
                "the shim of {} checks that the checkpoint directory is empty; the other tasks start their programs only after this check",
                context.leader_name()
            )
        } else {
            "the shim checks that the checkpoint directory is empty, before it starts the program for the first time".to_owned()
        };
        return Support::Emulated(Mechanism::Duty(Duty::Fresh), how);
    }
    let Some(uri) = uri.filter(|u| u.scheme().class() == Class::Hadoop) else {
        return Support::unsupported(
            "existing checkpoints are found by a setup step, which can check only HDFS",
            "remove `if-exists`, and use a new checkpoint directory for each run",
            "the setup step that tfjob writes, which creates the directory with `hdfs dfs -mkdir`",
        );
    };
    let text = libhdfs::address(uri);
    let text = upload::literal(text.trim_end_matches('/'));
    let above = text.rsplit_once('/').map_or("", |(above, _)| above);
    let step = |argv: &[&str], why: &str| Step::new(Phase::Before, argv, why);
    let mut steps = Vec::new();
    if above.matches('/').count() > 2 {
        steps.push(step(
            &["hdfs", "dfs", "-mkdir", "-p", above],
            "creates the parent directory of the checkpoints",
        ));
    }
    steps.push(step(
        &["hdfs", "dfs", "-mkdir", &text],
        "creates the checkpoint directory; fails if it exists",
    ));
    Support::Emulated(
        Mechanism::Fresh(steps),
        "a setup step creates the directory and fails if it exists".to_owned(),
    )
}
