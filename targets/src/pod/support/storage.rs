//! Support of code, data, and checkpoints. The kubelet mounts them, an init container downloads them, or the program opens them.
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

/// Returns the support of one requirement about code, data, and checkpoints.
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

const EVIDENCE: &str = "kubernetes#volume-types";

/// Returns the support of a volume that is mounted into all Pods. `writable`: whether the program writes to the volume.
fn mount(context: &Context<'_>, name: &str, uri: &Uri, at: &str, writable: bool) -> Support {
    if let Some(why) = unmountable_in(context, at) {
        return Support::impossible(why, "use another path: `at=\"/mnt/data\"`", "kubernetes#mount-paths");
    }
    let storage = match mountable(context, uri) {
        Ok(storage) => storage,
        Err((why, _)) if writable && uri.scheme().class() == Class::Spec => {
            let help = "use a volume that all pods mount: `pvc://CLAIM/DIR` or `nfs://HOST/EXPORT`";
            return Support::impossible(why, help, EVIDENCE);
        }
        Err((why, help)) => return Support::impossible(why, help, EVIDENCE),
    };
    let must_exist = writable && matches!(storage, Storage::Nfs { .. });
    let mechanism = Mechanism::Mount(Mount { name: name.to_owned(), storage, at: at.to_owned(), writable });
    if must_exist {
        // If the directory does not exist, `mount.nfs` fails with `No such file or directory`, and the Pods stay in
        // `ContainerCreating`.
        return Support::Emulated(
            mechanism,
            "the directory must already exist on the NFS server: the kubelet mounts it but does not create it, and the pods wait until it exists"
                .to_owned(),
        );
    }
    Support::Native(mechanism)
}

/// What is at the mount path of a volume: a file or a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One file.
    File,
    /// A directory that the kubelet mounts read-only, for `code` or `files`. The container runtime cannot create a mount point in
    /// it.
    ReadOnly,
    /// A directory that is not mounted read-only: it contains data, or an init container has filled it.
    Directory,
}

/// The use of a volume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Code of the program.
    Code,
    /// A file or directory that is copied into each Pod.
    Stage,
    /// Data that the program reads in place.
    Data,
}

/// Returns whether a file or a directory is at the mount path of a volume.
fn form(context: &Context<'_>, volume: &Volume, kind: Kind) -> Form {
    let (uri, path) = (&volume.uri.value, volume.uri.value.path());
    let archive = Pack::of(uri).is_some();
    let single_file = is_file(path) || uri.scheme().class() == Class::Web;
    let mounted = uri.scheme().class().is_disk() || context.options.driver(uri.scheme().word()).is_some();
    match kind {
        Kind::Data if names_file(uri) => Form::File,
        Kind::Stage if single_file && !archive => Form::File,
        Kind::Data => Form::Directory,
        Kind::Code if archive || is_file(path) || !mounted => Form::Directory,
        Kind::Stage if archive || !mounted => Form::Directory,
        Kind::Code | Kind::Stage => Form::ReadOnly,
    }
}

/// Returns the mount path of every `code`, `files`, and `data` entry that has one, and whether a file or a directory is there.
pub fn forms<'a>(context: &Context<'a>) -> BTreeMap<&'a str, Form> {
    let storage = &context.plan.storage;
    let code = storage.code.iter().map(|volume| (volume, Kind::Code));
    let stage = storage.stage.iter().map(|volume| (volume, Kind::Stage));
    let data = storage.data.iter().map(|volume| (volume, Kind::Data));
    let all = code.chain(stage).chain(data);
    all.filter_map(|(volume, kind)| Some((volume.at.as_ref()?.value.as_str(), form(context, volume, kind))))
        .collect()
}

/// Returns the name of the volume for an entry of the spec. It contains the name of the entry, or its index if the name cannot be
/// part of a volume name.
fn volume(kind: &str, name: &str, index: usize) -> String {
    let named = format!("{kind}-{name}");
    if is_label(&named) { named } else { format!("{kind}-{index}") }
}

/// Returns the support of data with a mount path. `writable`: whether the program writes to the data.
pub fn data(context: &Context<'_>, index: usize, uri: &Uri, at: &str, writable: bool) -> Support {
    let name = context.plan.storage.data.get(index).map_or("", |v| v.name.value.as_str());
    mount(context, &volume("data", name, index), uri, at, writable)
}

/// Returns the support of checkpoints with a mount path.
pub fn checkpoints(context: &Context<'_>, uri: &Uri, at: &str) -> Support {
    mount(context, "checkpoints", uri, at, true)
}

/// Returns the support of data that the program opens by its URI.
fn data_uri(context: &Context<'_>, index: usize, uri: &Uri) -> Support {
    let name = context.plan.storage.data.get(index).map_or("", |v| v.name.value.as_str());
    opened(uri, &format!("data \"{name}\" \"{uri}\" at=\"/data/{name}\""))
}

/// Returns the support of checkpoints that the program opens by their URI.
fn checkpoints_uri(uri: &Uri) -> Support {
    if uri.scheme().class() == Class::Spec {
        return Support::impossible(
            "pods cannot write to a directory next to the spec, because it is on another machine",
            "use a PersistentVolumeClaim that all pods mount: `checkpoints \"pvc://CLAIM\" at=\"/checkpoints\"`",
            EVIDENCE,
        );
    }
    opened(uri, &format!("checkpoints \"{uri}\" at=\"/checkpoints\""))
}

/// Returns the support of a URI that the program opens. `mounted`: the same entry with a mount path, which the help suggests.
fn opened(uri: &Uri, mounted: &str) -> Support {
    if uri.scheme().class() == Class::Spec {
        let (why, help) = beside(uri);
        return Support::impossible(why, help, EVIDENCE);
    }
    if uri.scheme().class().is_disk() {
        return Support::impossible(
            format!(
                "a program can access `{}:` only at a mount path, but `at` is not set",
                uri.scheme().word()
            ),
            format!("add the mount path: `{mounted}`"),
            EVIDENCE,
        );
    }
    Support::inherent("the program opens the URI")
}

fn code(context: &Context<'_>, uri: &Uri, reference: Option<&str>, at: Option<&str>) -> Support {
    if let Some((reference, why)) = reference.and_then(|r| Some((r, reference_fault(r)?))) {
        return Support::unsupported(
            format!("`{reference}` cannot be fetched from the repository: {why}"),
            "write a branch, a tag, or all 40 digits of a commit, such as `v1.0`",
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

/// Returns the support of `code` or a `files` entry. If Kubernetes has a volume type for the directory or file, the kubelet mounts
/// it. Otherwise, an init container downloads it. An init container also unpacks archives, and copies a single file of `code` into
/// a directory.
fn fetched(
    context: &Context<'_>,
    name: &str,
    uri: &Uri,
    reference: Option<&str>,
    (at, default): (Option<&str>, &str),
    plain: Pack,
) -> Support {
    if let Some(why) = at.and_then(|at| unmountable_in(context, at)) {
        return Support::impossible(why, "use another path: `at=\"/mnt/data\"`", "kubernetes#mount-paths");
    }
    let at = at.unwrap_or(default).to_owned();
    let pack = Pack::of(uri);
    let image = context.options.stage_image.as_ref().map(|i| i.value.to_string());
    let (from, how) = match source(context, uri, reference) {
        Ok(found) => found,
        Err(refused) => return *refused,
    };
    // A single file of `code` is copied into a directory and not mounted, because the program starts in the directory of its code.
    let mountable = pack.is_none() && !(plain == Pack::Folder && is_file(uri.path()));
    if let (From::Mounted(storage), true) = (&from, mountable) {
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

/// Returns the source of a download, and a text that describes it. `reference`: branch, tag, or commit of a Git repository.
///
/// # Errors Returns a refusal if no init container can read the source.
fn source(context: &Context<'_>, uri: &Uri, reference: Option<&str>) -> Result<(From, String), Box<Support>> {
    let staged = context.options.stage_image.is_some();
    let image = if staged { "`stage-image`" } else { "the image of the role" };
    let how = format!(
        "an init container that runs {image} unpacks the archive; this image must contain unzip, tar, or python"
    );
    if let Some(csi) = context.options.driver(uri.scheme().word()) {
        return Ok((From::Mounted(driven(csi, uri)), how));
    }
    match uri.scheme().class() {
        Class::Hadoop => hadoop(context, uri),
        Class::Web => Ok((
            From::Http { uri: uri.to_string() },
            format!(
                "an init container that runs {image} downloads the file; this image must contain curl, python, or wget"
            ),
        )),
        Class::Repository if staged => {
            let uri = uri.to_string();
            let uri = uri.strip_prefix("git+").unwrap_or(&uri).to_owned();
            let reference = reference.unwrap_or("HEAD").to_owned();
            Ok((
                From::Git { uri, reference },
                format!(
                    "an init container that runs {image} clones the repository; this image must contain git"
                ),
            ))
        }
        Class::Repository => Err(Box::new(Support::impossible(
            "an init container with git must clone the repository, but its image, `stage-image`, is not set",
            format!(
                "set an image with git: `target \"{}\" {{ stage-image \"alpine/git:2.47.2\" }}`; or use an archive on `https:`",
                context.kind.target,
            ),
            "kubernetes#fetched-files",
        ))),
        Class::Volume | Class::Node | Class::Spec => match mountable(context, uri) {
            Ok(storage) => Ok((From::Mounted(storage), how)),
            Err((why, help)) => Err(Box::new(Support::impossible(why, help, EVIDENCE))),
        },
        Class::Bucket => Err(Box::new(Support::impossible(
            format!(
                "an init container can download from web servers, Git, and HDFS, but not from `{}:`",
                uri.scheme().word()
            ),
            "use a PersistentVolumeClaim (`pvc://…`) of a CSI driver for this storage, or serve the file over `https:` or `hdfs:`",
            "kubernetes#fetched-files",
        ))),
    }
}

/// Returns the source of a download, and a text that describes it. The Hadoop client of the role's image performs the download. For
/// the default file system, libhdfs needs the host `default` in the URI, but the Hadoop client needs an empty host.
fn hadoop(context: &Context<'_>, uri: &Uri) -> Result<(From, String), Box<Support>> {
    let Some((home, java, conf)) = context.hadoop() else {
        return Err(Box::new(Support::impossible(
            format!(
                "an init container downloads `{}:` files with the Hadoop client of the image, but the paths of this client (`hadoop`) are not set",
                uri.scheme().word()
            ),
            "set the paths in the image: `hadoop home=\"/opt/hadoop\" java=\"/opt/java\"`; or serve the file over `https:`, `pvc:`, or `nfs:`",
            "kubernetes#fetched-files",
        )));
    };
    if let Some(c) = uri.path().chars().find(|c| "*?[]{}\\".contains(*c)) {
        return Err(Box::new(Support::impossible(
            format!("`hdfs dfs -get` downloads `{uri}`, and treats `{c}` as a pattern character"),
            "rename the file: use letters, digits, `.`, `_`, and `-`",
            "FsShell of Hadoop 3.4.2",
        )));
    }
    let host = if uri.host() == "default" { "" } else { uri.host() };
    let uri = format!("{}://{host}{}", uri.scheme().word(), uri.path());
    let how = "an init container that runs the image of the role downloads the file with the command `hdfs dfs` of this image".to_owned();
    Ok((From::Hadoop { uri, home, java, conf }, how))
}

/// Returns the support of the checkpoint interval. Only the program can write checkpoints in this interval. With
/// `no-progress-limit`, the shim checks for new checkpoints.
fn every(context: &Context<'_>, seconds: u64) -> Support {
    let path =
        context.plan.storage.checkpoints.as_ref().and_then(|c| c.at.as_ref()).map(|at| at.value.clone());
    match path.filter(|_| watches(context)) {
        Some(path) => Support::Emulated(
            Mechanism::Shim(Duty::Checkpoints { path, every: Some(seconds) }),
            "the program must keep this interval itself, because the shim looks at the checkpoints only when it restarts the program"
                .to_owned(),
        ),
        None => Support::inherent("only the program controls when it writes checkpoints"),
    }
}

/// Returns whether any `restart` of the job has `no-progress-limit`.
fn watches(context: &Context<'_>) -> bool {
    context.plan.requirements.iter().any(|required| {
        let Requirement::Lifecycle(Lifecycle::Restart { restart, .. }) = &required.requirement else {
            return false;
        };
        restart.no_progress_limit.is_some()
    })
}

/// Returns the support of `if-exists`. An init container in the Pod of the chief, or of worker 0, checks the directory before the
/// program starts. `mounted`: whether the checkpoint directory is mounted. A kind of job that recreates Pods must refuse this
/// requirement, because a recreated Pod would find the checkpoints of its own job.
fn fresh(context: &Context<'_>, mounted: bool) -> Support {
    let at = context.plan.storage.checkpoints.as_ref().and_then(|c| c.at.as_ref());
    let Some(at) = at.filter(|_| mounted) else {
        return Support::unsupported(
            "the check for existing checkpoints needs a mounted directory, but these checkpoints are not mounted",
            "mount them: `checkpoints \"pvc://…\" at=\"/ckpt\"`; or remove `if-exists`, and let the program check that the directory is empty",
            EVIDENCE,
        );
    };
    let Some(role) = context.leader else {
        return Support::unsupported(
            "the chief or worker 0 checks for existing checkpoints, but this job has neither",
            "remove `if-exists`, and let the program check that the directory is empty",
            "kubernetes#start-order",
        );
    };
    if context.plan.rendezvous_tasks() > 1
        && matches!(context.plan.framework.strategy, Some(StrategyName::Custom) | None)
    {
        let help = if context.plan.framework.strategy.is_some() {
            "remove `if-exists`, and use a new checkpoint directory for each run; or set the strategy that the program uses: `strategy=\"multi-worker-mirrored\"`"
        } else {
            "remove `if-exists`, and use a new checkpoint directory for each run"
        };
        return Support::unsupported(
            "only the chief or worker 0 checks for existing checkpoints, but without a built-in TensorFlow strategy another task may write there first",
            help,
            "kubernetes#start-order",
        );
    }
    let waits = context.plan.peers() > 1;
    let wait = if waits {
        "; the shims of the other tasks wait for the DNS record of this pod, which appears only after the check"
    } else {
        ""
    };
    Support::Emulated(
        Mechanism::Fresh { role, at: at.value.clone(), waits },
        format!(
            "an init container of `{}` checks that the checkpoint directory is empty{wait}",
            context.role(role)
        ),
    )
}
