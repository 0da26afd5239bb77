//! Code, data and checkpoints: archives that Spark unpacks, addresses, and what containers can mount.
mod executable;
pub mod sent;

use super::Support;
use super::mount_paths::hidden;
use super::resources::SCRATCH;
use crate::contract_builder::Location;
use crate::pack;
use crate::spark::context::{Context, Manager};
use crate::spark::mechanism::Mechanism;
use crate::spark::schema::HERE;
use crate::spark::text;
use sent::{packs, same_name};
use tfjob_lang::plan::DataRef;
use tfjob_lang::requirement::{self, Identity, Requirement, Resources};
use tfjob_lang::spec::values::{Archive, Class, Scheme, Uri};

/// Answers one requirement: code, data and checkpoints.
pub fn support(requirement: &requirement::Storage, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Storage::Code { uri, at, .. } => code(context, uri, at.as_deref()),
        requirement::Storage::Stage { index, uri, at } => stage(context, *index, uri, at.as_deref()),
        requirement::Storage::DataUri { index, uri, .. } => address(context, DataRef::Data(*index), uri),
        requirement::Storage::DataMount { index, uri, at, writable } => {
            mounted(context, DataRef::Data(*index), uri, at, *writable)
        }
        requirement::Storage::CheckpointsUri { uri } => address(context, DataRef::Checkpoints, uri),
        requirement::Storage::CheckpointsMount { uri, at } => {
            mounted(context, DataRef::Checkpoints, uri, at, true)
        }
        requirement::Storage::CheckpointsEvery { .. } => Support::inherent("the program's own promise"),
        requirement::Storage::CheckpointsFresh { mounted } => fresh(context, *mounted),
        requirement::Storage::Scratch { .. } => scratch(context),
    }
}

/// The program.
fn code(context: &Context<'_>, uri: &Uri, at: Option<&str>) -> Support {
    fetch(context, DataRef::Code, "code", uri, at)
}

/// Something copied into every task.
fn stage(context: &Context<'_>, index: usize, uri: &Uri, at: Option<&str>) -> Support {
    let name = context.plan.storage.stage.get(index).map_or("", |v| v.name.value.as_str());
    fetch(context, DataRef::Stage(index), &format!("files-{name}"), uri, at)
}

fn fetch(context: &Context<'_>, place: DataRef, alias: &str, uri: &Uri, at: Option<&str>) -> Support {
    let form = Archive::of(uri);
    if let Some(form) = form.filter(|form| !text::unpacks(*form)) {
        return Support::impossible(
            format!("cannot unpack `{}` (`Utils.unpack` reads zip, tar and gzip only)", form.suffix()),
            format!("repack it as `{}`", Archive::repacked(uri, Archive::TarGz)),
            "Utils.unpack of Spark 3.5, FSDownload of Hadoop 3.4",
        );
    }
    if let Some(refused) = form.and_then(|form| executable::lost(context, place, (form, uri))) {
        return refused;
    }
    let archive = form.is_some();
    if uri.scheme().class() == Class::Node && !archive {
        return in_place(context, place, uri, at);
    }
    if at.is_some() {
        return Support::unsupported(
            "unpacks into a folder of the executor, which has another path on each node",
            "remove `at`, and name the folder as `{code}` or `{files.NAME}`",
            "spark#archives",
        );
    }
    if packs(place, uri) {
        let from = pack::archive(alias);
        if let Some(refused) = same_name(context, place, alias, &from) {
            return refused;
        }
        let pack = Some(Box::new(pack::step(uri, &from)));
        let mechanism = Mechanism::Archive { place, alias: alias.to_owned(), from, pack };
        return Support::Emulated(mechanism, pack::how(uri));
    }
    let from = match text::fetched(uri) {
        Ok(from) => from,
        Err(why) => {
            let help = match uri.to_string().split_once('#') {
                Some((_, name)) => format!(
                    "remove `#{name}`; the program finds the files by the reference `{{{}}}`",
                    alias.replacen('-', ".", 1)
                ),
                None => "put an archive where Hadoop finds it: `hdfs:`, `s3a:`, `gs:`, `abfs:`, or `https:`"
                    .to_owned(),
            };
            return Support::impossible(why, help, "spark#file-addresses");
        }
    };
    if let Some(refused) = same_name(context, place, alias, &from) {
        return refused;
    }
    if !archive {
        return file(place, uri, from);
    }
    let mechanism = Mechanism::Archive { place, alias: alias.to_owned(), from, pack: None };
    if uri.scheme().class() == Class::Node {
        let how = "spark-submit reads the archive on the host that submits, and sends it to the executors";
        return Support::Emulated(mechanism, how.to_owned());
    }
    Support::Native(mechanism)
}

/// The directory of a script in a container that mounts it: at its own path it would hide the image's directory.
const SCRIPTS: &str = "/tfjob/code";

/// What every node has is used as it is; the directory of a script is the code.
fn in_place(context: &Context<'_>, place: DataRef, uri: &Uri, at: Option<&str>) -> Support {
    let script = (place == DataRef::Code).then(|| pack::directory_of(uri.path())).flatten();
    let Some(directory) = script else { return node_folder(context, place, uri.path(), at) };
    let at = at.or_else(|| context.contained().then_some(SCRIPTS));
    node_folder(context, place, directory, at)
        .emulated(format!("`{{code}}` is the directory that holds the file `{uri}`"))
}

/// A folder that is on every node already.
fn node_folder(context: &Context<'_>, place: DataRef, path: &str, at: Option<&str>) -> Support {
    if context.contained() {
        return mount(context, place, path, at.unwrap_or(path), false);
    }
    if at.is_some_and(|at| at != path) {
        return elsewhere(context, path);
    }
    Support::Native(Mechanism::At(place, Location::from(path)))
}

/// A file that is no archive: it keeps its name.
fn file(place: DataRef, uri: &Uri, from: String) -> Support {
    if place == DataRef::Code || !text::sent_name(&from).contains('.') {
        return Support::impossible(
            format!("unpacks archives, and `{uri}` does not look like one"),
            "name a file that ends in `.zip`, `.tar.gz`, `.tgz` or `.tar`",
            "spark#archives",
        );
    }
    Support::Native(Mechanism::Archive { place, alias: String::new(), from, pack: None })
}

fn elsewhere(context: &Context<'_>, path: &str) -> Support {
    Support::unsupported(
        format!("mounts nothing into the processes of {}: they see `{path}` there", context.manager.word()),
        format!("write `at=\"{path}\"`"),
        "spark#volumes",
    )
}

/// What Spark reads rows from where the driver, which lists the files, has none of the executors' mounts.
pub const FED_FROM: &str = "feed from `hdfs:`, `viewfs:`, `s3a:`, `gs:` or `abfs:`, without `at`: the driver mounts no directory of a node";

/// Whether Spark feeds the rows of that data.
fn is_fed(context: &Context<'_>, place: DataRef) -> bool {
    let DataRef::Data(index) = place else { return false };
    let volume = context.plan.storage.data.get(index);
    let feed = context.options.feed.as_ref().filter(|_| context.feeds());
    feed.zip(volume).is_some_and(|(feed, volume)| feed.value.data.value.as_str() == volume.name.value)
}

/// Something that the program opens by its address.
fn address(context: &Context<'_>, place: DataRef, uri: &Uri) -> Support {
    let at = || Support::Native(Mechanism::At(place, Location::from(uri.opened())));
    match uri.scheme().class() {
        Class::Hadoop | Class::Bucket | Class::Web => at(),
        Class::Node if context.contained() => Support::unsupported(
            "starts the program in a container, which does not see the node's folders by themselves",
            if is_fed(context, place) { FED_FROM.to_owned() } else { format!("add `at=\"{}\"`", uri.path()) },
            "spark#volumes",
        ),
        Class::Node => at(),
        Class::Volume if context.manager == Manager::Kubernetes => Support::impossible(
            format!("gives a program no way to open `{uri}`"),
            "add `at=\"/…\"`: the executors' pods mount it there",
            "spark#volumes",
        ),
        Class::Volume | Class::Spec | Class::Repository => Support::impossible(
            format!("gives a program no way to open `{uri}`"),
            within_reach(uri),
            "spark#volumes",
        ),
    }
}

/// Something whose files must appear at a path.
fn mounted(context: &Context<'_>, place: DataRef, uri: &Uri, at: &str, writable: bool) -> Support {
    match (uri.scheme().class(), context.manager) {
        (Class::Node, Manager::Yarn | Manager::Standalone) if !context.contained() => {
            if uri.path() != at {
                return elsewhere(context, uri.path());
            }
            Support::Native(Mechanism::At(place, Location::from(at)))
        }
        (Class::Node, _) => mount(context, place, uri.path(), at, writable),
        (Class::Volume, Manager::Kubernetes) => claim(context, place, uri, at, writable),
        (Class::Volume | Class::Hadoop | Class::Bucket | Class::Web | Class::Repository | Class::Spec, _) => {
            Support::unsupported(
                format!("mounts no {} on {}", uri.scheme().storage(), context.manager.word()),
                within_reach(uri),
                "spark#volumes",
            )
        }
    }
}

/// What would be accepted in place of something that these executors neither mount nor open.
fn within_reach(uri: &Uri) -> &'static str {
    match uri.scheme().class() {
        Class::Hadoop | Class::Bucket | Class::Web => "remove `at`, and let the program open the address",
        Class::Volume => {
            "put it where the program opens it, such as `hdfs:` or `gs:`, without `at`; or name the folder as every node has it, `file:///mnt/…`, which a cluster file has to call `shared` if several tasks keep checkpoints there; or let Kubernetes mount it, with `at=\"/…\"` and `target \"spark\" { master \"k8s://…\" }`"
        }
        Class::Node | Class::Spec | Class::Repository => {
            "put it where the program opens it by its address: `hdfs:` or `gs:`, without `at`"
        }
    }
}

/// The name of a pod's volume.
fn volume(place: DataRef) -> String {
    match place {
        DataRef::Data(index) => format!("tfjob-data-{index}"),
        DataRef::Stage(index) => format!("tfjob-files-{index}"),
        DataRef::Checkpoints => "tfjob-checkpoints".to_owned(),
        DataRef::Code => "tfjob-code".to_owned(),
        DataRef::Scratch => "tfjob-scratch".to_owned(),
    }
}

/// A folder of the node in the container.
fn mount(context: &Context<'_>, place: DataRef, from: &str, at: &str, writable: bool) -> Support {
    let bad = [from, at].into_iter().find(|p| text::plain_fault(p).is_some() || p.contains([':', '=']));
    if let Some(path) = bad {
        return unpassable(path);
    }
    if let Some(taken) = taken(context, at) {
        return taken;
    }
    if context.manager == Manager::Yarn {
        let (from, to) = (from.to_owned(), at.to_owned());
        return Support::Native(Mechanism::Bind { place, from, to, writable });
    }
    let volume = format!("spark.kubernetes.executor.volumes.hostPath.{}", volume(place));
    let settings = vec![
        (format!("{volume}.mount.path"), at.to_owned()),
        (format!("{volume}.mount.readOnly"), (!writable).to_string()),
        (format!("{volume}.options.path"), from.to_owned()),
    ];
    Support::Native(Mechanism::Mounted(place, Location::from(at), settings))
}

/// A claim or an export in the executors' pods.
fn claim(context: &Context<'_>, place: DataRef, uri: &Uri, at: &str, writable: bool) -> Support {
    let sub = uri.path().trim_start_matches('/');
    let bad = [uri.path(), at].into_iter().find(|p| !p.is_empty() && text::plain_fault(p).is_some());
    if let Some(path) = bad {
        return unpassable(path);
    }
    if let Some(taken) = taken(context, at) {
        return taken;
    }
    let nfs = uri.scheme() == Scheme::Nfs;
    let kind = if nfs { "nfs" } else { "persistentVolumeClaim" };
    let volume = format!("spark.kubernetes.executor.volumes.{kind}.{}", volume(place));
    let mut settings = vec![
        (format!("{volume}.mount.path"), at.to_owned()),
        (format!("{volume}.mount.readOnly"), (!writable).to_string()),
    ];
    if nfs {
        settings.push((format!("{volume}.options.server"), uri.host().to_owned()));
        settings.push((format!("{volume}.options.path"), uri.path().to_owned()));
    } else {
        settings.push((format!("{volume}.options.claimName"), uri.host().to_owned()));
        if !sub.is_empty() {
            settings.push((format!("{volume}.mount.subPath"), sub.to_owned()));
        }
    }
    Support::Native(Mechanism::Mounted(place, Location::from(at), settings))
}

/// Why nothing can be mounted at a path: it is the system's or Spark's own, or another word of the job mounts there.
fn taken(context: &Context<'_>, at: &str) -> Option<Support> {
    let secret = context.plan.requirements.iter().any(|required| match &required.requirement {
        Requirement::Identity(Identity::SecretFile { at: file, .. }) => {
            file.rsplit_once('/').is_some_and(|(folder, _)| folder == at)
        }
        _ => false,
    });
    let secret = secret.then_some("the folder of a `secret` is mounted there");
    let why = hidden(context, at).or(secret)?;
    let why = format!("cannot mount at `{at}`: {why}");
    Some(Support::impossible(why, "name another path with `at=\"/…\"`", "spark#mount-paths"))
}

fn unpassable(path: &str) -> Support {
    Support::unsupported(
        format!("passes `{path}` through readers of its own, which take no such path"),
        "use letters, digits, `.`, `_`, `-` and `/`",
        "spark#paths-in-lists",
    )
}

/// Whether old state keeps the job from starting.
fn fresh(context: &Context<'_>, mounted: bool) -> Support {
    let how = if mounted {
        "each node looks into the folder before any program starts"
    } else {
        "the driver looks at the address before any program starts"
    };
    let given = Support::Emulated(Mechanism::Fresh { mounted }, how.to_owned());
    let Some(checkpoints) = context.plan.storage.checkpoints.as_ref().filter(|_| !mounted) else {
        return given;
    };
    let scheme = checkpoints.uri.value.scheme();
    let fault = match scheme.class() {
        Class::Hadoop | Class::Bucket if scheme.has_hadoop_client() => return given,
        Class::Hadoop | Class::Bucket => {
            "the driver looks through Hadoop, which has no file system for `s3:`; write `s3a:`"
        }
        Class::Node => {
            "the driver sees its own node's folder, which need not be the tasks'; write `at=\"/…\"` too"
        }
        // The language writes nothing to the web; the others are refused by themselves.
        Class::Web | Class::Volume | Class::Spec | Class::Repository => return given,
    };
    Support::unsupported(
        "looks at checkpoints before any program starts, and cannot look there",
        fault,
        "Spark's driver: FileSystem.get says `No FileSystem for scheme`",
    )
}

/// A folder of the task's own.
fn scratch(context: &Context<'_>) -> Support {
    let disk = context
        .plan
        .requirements
        .iter()
        .any(|required| matches!(required.requirement, Requirement::Resources(Resources::Disk { .. })));
    let location = if disk && context.manager == Manager::Kubernetes {
        Location::from(SCRATCH)
    } else {
        Location::under(HERE, "/scratch")
    };
    Support::Native(Mechanism::At(DataRef::Scratch, location))
}
