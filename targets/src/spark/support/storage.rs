//! Support of code, data, and checkpoints: archives that Spark unpacks, URIs that programs open, and mounts of containers.
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

/// Returns the support of one requirement about code, data, and checkpoints.
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
        requirement::Storage::CheckpointsEvery { .. } => {
            Support::inherent("only the program controls when it writes checkpoints")
        }
        requirement::Storage::CheckpointsFresh { mounted } => fresh(context, *mounted),
        requirement::Storage::Scratch { .. } => scratch(context),
    }
}

fn code(context: &Context<'_>, uri: &Uri, at: Option<&str>) -> Support {
    fetch(context, DataRef::Code, "code", uri, at)
}

fn stage(context: &Context<'_>, index: usize, uri: &Uri, at: Option<&str>) -> Support {
    let name = context.plan.storage.stage.get(index).map_or("", |v| v.name.value.as_str());
    fetch(context, DataRef::Stage(index), &format!("files-{name}"), uri, at)
}

fn fetch(context: &Context<'_>, place: DataRef, alias: &str, uri: &Uri, at: Option<&str>) -> Support {
    let form = Archive::of(uri);
    if let Some(form) = form.filter(|form| !text::unpacks(*form)) {
        return Support::impossible(
            format!("Spark cannot unpack `{}` (only zip, tar, and gzip)", form.suffix()),
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
            "`at` cannot be used: archives are unpacked into the working directory of an executor, and its path differs from node to node",
            "remove `at`, and use the reference `{code}` or `{files.NAME}`",
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
            return Support::impossible(why, fetchable(uri, alias), fetching(uri));
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
        let how = "spark-submit reads the archive on the submitting host and sends it to the executors";
        return Support::Emulated(mechanism, how.to_owned());
    }
    Support::Native(mechanism)
}

/// Returns the evidence that Spark cannot fetch a file from its URI.
fn fetching(uri: &Uri) -> &'static str {
    match uri.scheme().class() {
        Class::Repository | Class::Volume => {
            "Spark's page on submitting applications: the supported URIs of files are `hdfs:`, `https:`, `ftp:`, and others"
        }
        Class::Node | Class::Spec | Class::Hadoop | Class::Bucket | Class::Web => "spark#file-addresses",
    }
}

/// Returns the help for a file that Spark cannot fetch from its URI.
fn fetchable(uri: &Uri, alias: &str) -> String {
    match uri.to_string().split_once('#') {
        Some((_, name)) => format!(
            "remove `#{name}`, and use the reference `{{{}}}` in the program",
            alias.replacen('-', ".", 1)
        ),
        None if uri.scheme().word() == "s3" => {
            format!("write `{}`", uri.to_string().replacen("s3:", "s3a:", 1))
        }
        None if uri.scheme().class() == Class::Repository => {
            "pack the files of this commit into an archive, and copy the archive to `hdfs:`, `s3a:`, `gs:`, `abfs:`, or `https:`".to_owned()
        }
        None if uri.scheme().class() == Class::Volume => {
            "copy the file to storage that Spark can read: `hdfs:`, `s3a:`, `gs:`, `abfs:`, or `https:`"
                .to_owned()
        }
        None => "rename the file or directory: use letters, digits, and `._-+@=`".to_owned(),
    }
}

/// Mount path for the directory that contains a script. If this directory were mounted at its path on the node, it could hide a
/// directory of the image.
const SCRIPTS: &str = "/tfjob/code";

/// Returns the support of a file or directory that exists on every node and is used in place. If `code` is a script, `{code}` is
/// the directory that contains the script.
fn in_place(context: &Context<'_>, place: DataRef, uri: &Uri, at: Option<&str>) -> Support {
    let script = (place == DataRef::Code).then(|| pack::directory_of(uri.path())).flatten();
    let Some(directory) = script else { return node_folder(context, place, uri.path(), at) };
    let at = at.or_else(|| context.contained().then_some(SCRIPTS));
    node_folder(context, place, directory, at)
        .emulated(format!("`{{code}}` expands to the directory that contains the file `{uri}`"))
}

/// Returns the support of a directory that exists on every node.
fn node_folder(context: &Context<'_>, place: DataRef, path: &str, at: Option<&str>) -> Support {
    if context.contained() {
        return mount(context, place, path, at.unwrap_or(path), false);
    }
    if at.is_some_and(|at| at != path) {
        return no_mount(context, path);
    }
    Support::Native(Mechanism::At(place, Location::from(path)))
}

/// Returns the support of a file that is not an archive. Spark copies the file under its own name.
fn file(place: DataRef, uri: &Uri, from: String) -> Support {
    const ARCHIVES: &str = "use an archive that ends in `.zip`, `.tar.gz`, `.tgz`, or `.tar`";
    if place == DataRef::Code {
        let why = format!("`code` must be an archive that Spark unpacks, but `{uri}` has no archive suffix");
        return Support::impossible(why, ARCHIVES, "spark#archives");
    }
    if !text::sent_name(&from).contains('.') {
        let why = format!(
            "`{uri}` may be a directory, because its name has no extension, but Spark sends only files and archives"
        );
        return Support::impossible(why, ARCHIVES, "spark#archives");
    }
    Support::Native(Mechanism::Archive { place, alias: String::new(), from, pack: None })
}

/// Returns the refusal of `at` for a directory of the node: executors without containers cannot mount the directory.
fn no_mount(context: &Context<'_>, path: &str) -> Support {
    Support::unsupported(
        format!(
            "executors on {} run without containers, so they see this directory of the node only at its own path, `{path}`",
            context.manager.word()
        ),
        format!("write `at=\"{path}\"`"),
        "spark#volumes",
    )
}

/// Help that lists the file systems from which Spark can feed data. The driver lists the files, and has none of the mounts of the
/// executors.
pub const FED_FROM: &str = "feed from `hdfs:`, `viewfs:`, `s3a:`, `gs:`, or `abfs:`, without `at`: the driver cannot mount directories of a node";

/// Returns whether Spark feeds the rows of this data to the programs.
fn is_fed(context: &Context<'_>, place: DataRef) -> bool {
    let DataRef::Data(index) = place else { return false };
    let volume = context.plan.storage.data.get(index);
    let feed = context.options.feed.as_ref().filter(|_| context.feeds());
    feed.zip(volume).is_some_and(|(feed, volume)| feed.value.data.value.as_str() == volume.name.value)
}

/// Returns the support of data or checkpoints that the program opens by their URI.
fn address(context: &Context<'_>, place: DataRef, uri: &Uri) -> Support {
    let at = || Support::Native(Mechanism::At(place, Location::from(uri.opened())));
    match uri.scheme().class() {
        Class::Hadoop | Class::Bucket | Class::Web => at(),
        Class::Node if context.contained() => Support::unsupported(
            format!(
                "executors run in containers, which cannot see the node's path `{}` unless the path is mounted",
                uri.path()
            ),
            if is_fed(context, place) { FED_FROM.to_owned() } else { format!("add `at=\"{}\"`", uri.path()) },
            "spark#volumes",
        ),
        Class::Node => at(),
        Class::Volume if context.manager == Manager::Kubernetes => Support::impossible(
            format!("without `at`, the program gets the URI `{uri}`, which programs cannot open"),
            "add `at=\"/…\"`, so that the executor pods mount it",
            "spark#volumes",
        ),
        Class::Volume | Class::Spec | Class::Repository => Support::impossible(
            format!("without `at`, the program gets the URI `{uri}`, which programs cannot open"),
            reachable_without_at(uri),
            "spark#volumes",
        ),
    }
}

/// Returns the support of data or checkpoints with a mount path. `writable`: whether programs write to the mount.
fn mounted(context: &Context<'_>, place: DataRef, uri: &Uri, at: &str, writable: bool) -> Support {
    match (uri.scheme().class(), context.manager) {
        (Class::Node, Manager::Yarn | Manager::Standalone) if !context.contained() => {
            if uri.path() != at {
                return no_mount(context, uri.path());
            }
            Support::Native(Mechanism::At(place, Location::from(at)))
        }
        (Class::Node, _) => mount(context, place, uri.path(), at, writable),
        (Class::Volume, Manager::Kubernetes) => claim(context, place, uri, at, writable),
        (Class::Volume | Class::Hadoop | Class::Bucket | Class::Web | Class::Repository | Class::Spec, _) => {
            Support::unsupported(
                format!("executors on {} cannot mount {}", context.manager.word(), uri.scheme().storage()),
                reachable(place, uri),
                "spark#volumes",
            )
        }
    }
}

/// Returns a help that lists what executors can mount, or what programs can open.
fn reachable(place: DataRef, uri: &Uri) -> &'static str {
    match uri.scheme().class() {
        Class::Hadoop | Class::Bucket | Class::Web => "remove `at`, and let the program open the URI",
        Class::Volume if matches!(place, DataRef::Checkpoints) => {
            "either write `checkpoints \"hdfs:///PATH\"` without `at`, and copy existing checkpoints there; or run on Kubernetes: `target \"spark\" { master \"k8s://…\" }`"
        }
        Class::Volume => {
            "either copy the files to `hdfs:` or `gs:`, write their URI, and remove `at`; or run on Kubernetes: `target \"spark\" { master \"k8s://…\" }`"
        }
        Class::Node | Class::Spec | Class::Repository => {
            "copy the files to `hdfs:` or `gs:`, and remove `at`, so that the program opens the URI"
        }
    }
}

/// Returns the help for a URI that the program cannot open, in an entry without `at`.
fn reachable_without_at(uri: &Uri) -> &'static str {
    match uri.scheme().class() {
        Class::Volume => {
            "copy the files to `hdfs:` or `gs:`; or run on Kubernetes, with `at=\"/…\"` and `target \"spark\" { master \"k8s://…\" }`"
        }
        Class::Hadoop | Class::Bucket | Class::Web | Class::Node | Class::Spec | Class::Repository => {
            "copy the files to `hdfs:` or `gs:`, so that the program opens the URI"
        }
    }
}

/// Returns the name of the pod volume for an entry.
fn volume(place: DataRef) -> String {
    match place {
        DataRef::Data(index) => format!("tfjob-data-{index}"),
        DataRef::Stage(index) => format!("tfjob-files-{index}"),
        DataRef::Checkpoints => "tfjob-checkpoints".to_owned(),
        DataRef::Code => "tfjob-code".to_owned(),
        DataRef::Scratch => "tfjob-scratch".to_owned(),
    }
}

/// Returns the support of a directory of the node that is mounted into the containers. `writable`: whether programs write to it.
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

/// Returns the support of a PersistentVolumeClaim or an NFS export that is mounted into the executor pods.
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

/// Refuses a mount path that the system, Spark, or another mount of the job already uses.
fn taken(context: &Context<'_>, at: &str) -> Option<Support> {
    let secret = context.plan.requirements.iter().any(|required| match &required.requirement {
        Requirement::Identity(Identity::SecretFile { at: file, .. }) => {
            file.rsplit_once('/').is_some_and(|(folder, _)| folder == at)
        }
        _ => false,
    });
    let secret = secret.then_some("a `secret` is mounted there");
    let why = hidden(context, at).or(secret)?;
    let why = format!("nothing can be mounted at `{at}`: {why}");
    Some(Support::impossible(why, "use another path: `at=\"/…\"`", "spark#mount-paths"))
}

fn unpassable(path: &str) -> Support {
    Support::unsupported(
        format!(
            "`{path}` cannot be used: Spark and YARN write the path into lists and scripts, which break on one of its characters"
        ),
        "use letters, digits, `.`, `_`, `-`, and `/`",
        "spark#paths-in-lists",
    )
}

/// Returns the support of `if-exists`. The check for existing checkpoints runs before any program starts.
fn fresh(context: &Context<'_>, mounted: bool) -> Support {
    let how = if mounted {
        "each executor checks that the checkpoint directory is empty; no program starts before these checks"
    } else {
        "the driver checks that the location of the checkpoints is empty; no program starts before this check"
    };
    let supported = Support::Emulated(Mechanism::Fresh { mounted }, how.to_owned());
    let Some(checkpoints) = context.plan.storage.checkpoints.as_ref().filter(|_| !mounted) else {
        return supported;
    };
    let scheme = checkpoints.uri.value.scheme();
    match scheme.class() {
        Class::Hadoop | Class::Bucket if scheme.has_hadoop_client() => supported,
        Class::Hadoop | Class::Bucket => Support::unsupported(
            "the driver checks for existing checkpoints with Hadoop, which cannot open `s3:` URIs",
            "write the URI with `s3a:`",
            "Spark's driver: FileSystem.get says `No FileSystem for scheme`",
        ),
        Class::Node => Support::unsupported(
            "the driver can check only the directory of its own node, but tasks on other nodes have their own directories",
            "add `at=\"/…\"`, so that each executor checks its own directory",
            "the driver of this target",
        ),
        // No second error is needed: the language reports web URLs, and the entry `checkpoints` is refused for the other classes.
        Class::Web | Class::Volume | Class::Spec | Class::Repository => supported,
    }
}

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
