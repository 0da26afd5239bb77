//! What the job reads and writes: what the kubelet mounts, what an init container fetches, what the program opens.
mod mountable;

use self::mountable::{beside, driven, mountable, names_file};
use super::Context;
use super::Support;
use crate::names::reference_fault;
use crate::pack::is_file;
use crate::pod::grammar::is_label;
use crate::pod::mechanism::{Duty, Fetch, From, Mechanism, Mount, Pack, Storage};
use crate::pod::places::{OWN, unmountable_in};
use std::collections::BTreeMap;
use tfjob_lang::plan::Volume;
use tfjob_lang::requirement;
use tfjob_lang::requirement::{Lifecycle, Requirement};
use tfjob_lang::spec::StrategyName;
use tfjob_lang::spec::values::{Class, Uri};

/// Answers one requirement: code, data and checkpoints.
pub fn support(requirement: &requirement::Storage, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Storage::Code { uri, reference, at } => {
            code(context, uri, reference.as_deref(), at.as_deref())
        }
        requirement::Storage::Stage { index, uri, at } => stage(context, *index, uri, at.as_deref()),
        requirement::Storage::DataUri { index, uri, writable: _ } => data_uri(context, *index, uri),
        requirement::Storage::DataMount { index, uri, at, writable } => {
            data(context, *index, uri, at, *writable)
        }
        requirement::Storage::CheckpointsUri { uri } => checkpoints_uri(uri),
        requirement::Storage::CheckpointsMount { uri, at } => checkpoints(context, uri, at),
        requirement::Storage::CheckpointsEvery { seconds } => every(context, *seconds),
        requirement::Storage::CheckpointsFresh { mounted } => fresh(context, *mounted),
        requirement::Storage::Scratch { role } => Support::Native(Mechanism::Scratch { role: *role }),
    }
}

const PROOF: &str = "kubernetes#volume-types";

/// A mount of all Pods.
fn mount(context: &Context<'_>, name: &str, uri: &Uri, at: &str, writable: bool) -> Support {
    if let Some(why) = unmountable_in(context, at) {
        return Support::impossible(why, "another path", "kubernetes#mount-paths");
    }
    let storage = match mountable(context, uri) {
        Ok(storage) => storage,
        Err((why, help)) => return Support::impossible(why, help, PROOF),
    };
    let made = writable && matches!(storage, Storage::Nfs { .. });
    let mechanism = Mechanism::Mount(Mount { name: name.to_owned(), storage, at: at.to_owned(), writable });
    if made {
        // `mount.nfs: … No such file or directory`: the Pods stay in `ContainerCreating`.
        return Support::Emulated(
            mechanism,
            "mounts the folder of the server, which must be there before the job".to_owned(),
        );
    }
    Support::Native(mechanism)
}

/// What a container finds at the path of a volume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One file.
    File,
    /// A directory that nothing can be mounted in: `code` and `files` that the kubelet mounts.
    ReadOnly,
    /// A directory that an init container filled, or data, of which the language warns.
    Directory,
}

/// What a volume is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The directory that the program starts in.
    Code,
    /// A file or directory that each Pod gets.
    Stage,
    /// What the program reads, as it is stored.
    Data,
}

/// What a container finds at the path of a volume.
fn form(context: &Context<'_>, volume: &Volume, kind: Kind) -> Form {
    let (uri, path) = (&volume.uri.value, volume.uri.value.path());
    let archive = Pack::of(uri).is_some();
    let alone = is_file(path) || uri.scheme().class() == Class::Web;
    let mounted = uri.scheme().class().is_disk() || context.options.driver(uri.scheme().word()).is_some();
    match kind {
        Kind::Data if names_file(uri) => Form::File,
        Kind::Stage if alone && !archive => Form::File,
        Kind::Data => Form::Directory,
        Kind::Code if archive || is_file(path) || !mounted => Form::Directory,
        Kind::Stage if archive || !mounted => Form::Directory,
        Kind::Code | Kind::Stage => Form::ReadOnly,
    }
}

/// Everything that the spec puts at a path of its own, and what is there.
pub fn forms<'a>(context: &Context<'a>) -> BTreeMap<&'a str, Form> {
    let storage = &context.plan.storage;
    let code = storage.code.iter().map(|volume| (volume, Kind::Code));
    let stage = storage.stage.iter().map(|volume| (volume, Kind::Stage));
    let data = storage.data.iter().map(|volume| (volume, Kind::Data));
    let all = code.chain(stage).chain(data);
    all.filter_map(|(volume, kind)| Some((volume.at.as_ref()?.value.as_str(), form(context, volume, kind))))
        .collect()
}

/// The name of a volume: the user's word where a volume may have it.
fn volume(kind: &str, name: &str, index: usize) -> String {
    let named = format!("{kind}-{name}");
    if is_label(&named) { named } else { format!("{kind}-{index}") }
}

pub fn data(context: &Context<'_>, index: usize, uri: &Uri, at: &str, writable: bool) -> Support {
    let name = context.plan.storage.data.get(index).map_or("", |v| v.name.value.as_str());
    mount(context, &volume("data", name, index), uri, at, writable)
}

pub fn checkpoints(context: &Context<'_>, uri: &Uri, at: &str) -> Support {
    mount(context, "checkpoints", uri, at, true)
}

/// Data that the program opens by its uri.
fn data_uri(context: &Context<'_>, index: usize, uri: &Uri) -> Support {
    let name = context.plan.storage.data.get(index).map_or("", |v| v.name.value.as_str());
    opened(uri, &format!("data \"{name}\" \"{uri}\" at=\"/data/{name}\""))
}

/// Checkpoints that the program opens by their uri.
fn checkpoints_uri(uri: &Uri) -> Support {
    if uri.scheme().class() == Class::Spec {
        return Support::impossible(
            "has no folder of the spec's machine in its Pods, so checkpoints cannot be written there",
            "write them to a claim that all Pods mount: `checkpoints \"pvc://CLAIM\" at=\"/checkpoints\"`",
            PROOF,
        );
    }
    opened(uri, &format!("checkpoints \"{uri}\" at=\"/checkpoints\""))
}

/// Something that the program opens by its uri; `mounted`: how it would be written to stand at a path.
fn opened(uri: &Uri, mounted: &str) -> Support {
    if uri.scheme().class() == Class::Spec {
        let (why, help) = beside(uri);
        return Support::impossible(why, help, PROOF);
    }
    if uri.scheme().class().is_disk() {
        return Support::impossible(
            format!("shows a program no `{}:` but at a path", uri.scheme().word()),
            format!("say where it appears: `{mounted}`"),
            PROOF,
        );
    }
    Support::inherent("the program opens the uri itself")
}

fn code(context: &Context<'_>, uri: &Uri, reference: Option<&str>, at: Option<&str>) -> Support {
    if let Some((reference, why)) = reference.and_then(|r| Some((r, reference_fault(r)?))) {
        return Support::unsupported(
            format!("fetches the code by `{reference}`, and {why}"),
            "write a branch, a tag, or the whole commit",
            "git-check-ref-format(1), git-fetch(1)",
        );
    }
    let default = format!("{OWN}/code");
    fetched(context, "code", uri, reference, (at, &default), Pack::Folder)
}

fn stage(context: &Context<'_>, index: usize, uri: &Uri, at: Option<&str>) -> Support {
    let name = context.plan.storage.stage.get(index).map_or("", |v| v.name.value.as_str());
    let default = format!("{OWN}/files/{name}");
    fetched(context, &volume("files", name, index), uri, None, (at, &default), Pack::Plain)
}

/// What each Pod gets of its own: a folder that can be mounted is, all else an init container fetches.
fn fetched(
    context: &Context<'_>,
    name: &str,
    uri: &Uri,
    reference: Option<&str>,
    (at, default): (Option<&str>, &str),
    plain: Pack,
) -> Support {
    if let Some(why) = at.and_then(|at| unmountable_in(context, at)) {
        return Support::impossible(why, "another path", "kubernetes#mount-paths");
    }
    let at = at.unwrap_or(default).to_owned();
    let pack = Pack::of(uri);
    let image = context.options.stage_image.as_ref().map(|i| i.value.to_string());
    let (from, how) = match source(context, uri, reference) {
        Ok(found) => found,
        Err(refused) => return *refused,
    };
    // The program starts in its code: a file is put into a directory.
    let whole = pack.is_none() && !(plain == Pack::Folder && is_file(uri.path()));
    if let (From::Mounted(storage), true) = (&from, whole) {
        let storage = storage.clone();
        return Support::Native(Mechanism::Mount(Mount {
            name: name.to_owned(),
            storage,
            at,
            writable: false,
        }));
    }
    let image = image.filter(|_| !matches!(from, From::Hadoop { .. }));
    let fetch =
        Fetch { name: name.to_owned(), to: name.to_owned(), at, from, pack: pack.unwrap_or(plain), image };
    Support::Emulated(Mechanism::Fetch(fetch), how)
}

/// Where to fetch from, and how in words.
fn source(context: &Context<'_>, uri: &Uri, reference: Option<&str>) -> Result<(From, String), Box<Support>> {
    let staged = context.options.stage_image.is_some();
    let whose = if staged { "the stage image" } else { "the role's image" };
    let how = format!("an init container unpacks it with unzip, tar or python of {whose}");
    if let Some(csi) = context.options.driver(uri.scheme().word()) {
        return Ok((From::Mounted(driven(csi, uri)), how));
    }
    match uri.scheme().class() {
        Class::Hadoop => hadoop(context, uri),
        Class::Web => Ok((
            From::Http { uri: uri.to_string() },
            format!("an init container fetches it with curl, python or wget of {whose}"),
        )),
        Class::Repository if staged => {
            let uri = uri.to_string();
            let uri = uri.strip_prefix("git+").unwrap_or(&uri).to_owned();
            let reference = reference.unwrap_or("HEAD").to_owned();
            Ok((From::Git { uri, reference }, format!("an init container fetches it with git of {whose}")))
        }
        Class::Repository => Err(Box::new(Support::impossible(
            "fetches from git only with an image that has git, and none is named",
            format!(
                "`target \"{}\" {{ stage-image \"alpine/git:2.47.2\" }}`, or an archive by `https:`",
                context.kind.target,
            ),
            "kubernetes#fetched-files",
        ))),
        Class::Volume | Class::Node | Class::Spec => match mountable(context, uri) {
            Ok(storage) => Ok((From::Mounted(storage), how)),
            Err((why, help)) => Err(Box::new(Support::impossible(why, help, PROOF))),
        },
        Class::Bucket => Err(Box::new(Support::impossible(
            format!("has no image that is known to read `{}:`", uri.scheme().word()),
            "a claim of a driver for this storage: `pvc://…`; or the same file by `https:` or `hdfs:`",
            "kubernetes#fetched-files",
        ))),
    }
}

/// Hadoop's client of the role's image. `default` is libhdfs' word for the site's own file system; Hadoop's client
/// calls that no host at all.
fn hadoop(context: &Context<'_>, uri: &Uri) -> Result<(From, String), Box<Support>> {
    let Some((home, java, conf)) = context.hadoop() else {
        return Err(Box::new(Support::impossible(
            format!(
                "fetches `{}:` only with Hadoop's client, and nothing says where the image has one",
                uri.scheme().word()
            ),
            "`hadoop home=\"/opt/hadoop\" java=\"/opt/java\"`; or the same file by `https:`, `pvc:` or `nfs:`",
            "kubernetes#fetched-files",
        )));
    };
    if let Some(c) = uri.path().chars().find(|c| "*?[]{}\\".contains(*c)) {
        return Err(Box::new(Support::impossible(
            format!("fetches `{uri}` with `hdfs dfs -get`, which reads `{c}` as part of a pattern"),
            "rename the file: use letters, digits and `._-`",
            "FsShell of Hadoop 3.4.2",
        )));
    }
    let host = if uri.host() == "default" { "" } else { uri.host() };
    let uri = format!("{}://{host}{}", uri.scheme().word(), uri.path());
    let how = "an init container fetches it with `hdfs dfs` of the role's image".to_owned();
    Ok((From::Hadoop { uri, home, java, conf }, how))
}

/// A promise of the program, which only restarts that watch for progress look at.
fn every(context: &Context<'_>, seconds: u64) -> Support {
    let path =
        context.plan.storage.checkpoints.as_ref().and_then(|c| c.at.as_ref()).map(|at| at.value.clone());
    match path.filter(|_| watches(context)) {
        Some(path) => Support::Emulated(
            Mechanism::Shim(Duty::Checkpoints { path, every: Some(seconds) }),
            "the program keeps it: the shim compares checkpoints between two starts only".to_owned(),
        ),
        None => Support::inherent("the program's promise"),
    }
}

/// Whether some restart asks for progress.
fn watches(context: &Context<'_>) -> bool {
    context.plan.requirements.iter().any(|required| {
        let Requirement::Lifecycle(Lifecycle::Restart { restart, .. }) = &required.requirement else {
            return false;
        };
        restart.stalls.is_some()
    })
}

/// The Pod whose program leads looks before it starts. A kind that makes Pods anew has to refuse it: the Pod would find the
/// checkpoints of its own job.
fn fresh(context: &Context<'_>, mounted: bool) -> Support {
    let at = context.plan.storage.checkpoints.as_ref().and_then(|c| c.at.as_ref());
    let (Some(at), true, Some(role)) = (at, mounted, context.leader) else {
        return Support::unsupported(
            "cannot look into storage that is not mounted",
            "`checkpoints \"pvc://…\" at=\"/ckpt\"`, or let the program look",
            PROOF,
        );
    };
    let own = context.plan.framework.strategy == Some(StrategyName::Custom)
        || context.plan.framework.strategy.is_none();
    if own && context.plan.rendezvous_tasks() > 1 {
        return Support::unsupported(
            "looks before the first task starts, and in a program of its own another task may write before",
            "let the program check for old checkpoints, or write the `strategy` that it uses, such as `strategy=\"multi-worker-mirrored\"`",
            "kubernetes#start-order",
        );
    }
    let waits = context.plan.peers() > 1;
    let others = if waits { ", and the shims of the other tasks wait for its address" } else { "" };
    Support::Emulated(
        Mechanism::Fresh { role, at: at.value.clone(), waits },
        format!("an init container of `{}` looks into the folder{others}", context.role(role)),
    )
}
