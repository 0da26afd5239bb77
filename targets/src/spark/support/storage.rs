//! Code, data and checkpoints: archives that Spark unpacks, addresses, and what containers can mount.
mod executable;
pub mod sent;

use super::Answer;
use super::mount_paths::hidden;
use super::resources::SCRATCH;
use crate::carry::Spot;
use crate::pack;
use crate::spark::context::{Context, Manager};
use crate::spark::means::Means;
use crate::spark::schema::HERE;
use crate::spark::text;
use sent::{packs, same_name};
use tfjob_lang::ask::{self, Ask, Identity, Resources};
use tfjob_lang::plan::Place;
use tfjob_lang::spec::values::{Archive, Class, Scheme, Uri};

/// Answers one requirement: code, data and checkpoints.
pub fn answer(ask: &ask::Storage, case: &Context<'_>) -> Answer {
    match ask {
        ask::Storage::Code { uri, at, .. } => code(case, uri, at.as_deref()),
        ask::Storage::Stage { index, uri, at } => stage(case, *index, uri, at.as_deref()),
        ask::Storage::DataUri { index, uri, .. } => address(case, Place::Data(*index), uri),
        ask::Storage::DataMount { index, uri, at, writable } => {
            mounted(case, Place::Data(*index), uri, at, *writable)
        }
        ask::Storage::CheckpointsUri { uri } => address(case, Place::Checkpoints, uri),
        ask::Storage::CheckpointsMount { uri, at } => mounted(case, Place::Checkpoints, uri, at, true),
        ask::Storage::CheckpointsEvery { .. } => Answer::inherent("the program's own promise"),
        ask::Storage::CheckpointsFresh { mounted } => fresh(case, *mounted),
        ask::Storage::Scratch { .. } => scratch(case),
    }
}

/// The program.
fn code(case: &Context<'_>, uri: &Uri, at: Option<&str>) -> Answer {
    fetch(case, Place::Code, "code", uri, at)
}

/// Something copied into every task.
fn stage(case: &Context<'_>, index: usize, uri: &Uri, at: Option<&str>) -> Answer {
    let name = case.plan.storage.stage.get(index).map_or("", |v| v.name.value.as_str());
    fetch(case, Place::Stage(index), &format!("stage-{name}"), uri, at)
}

fn fetch(case: &Context<'_>, place: Place, alias: &str, uri: &Uri, at: Option<&str>) -> Answer {
    let form = Archive::of(uri);
    if let Some(form) = form.filter(|form| !text::unpacks(*form)) {
        return Answer::impossible(
            format!("cannot unpack `{}` (`Utils.unpack` reads zip, tar and gzip only)", form.suffix()),
            format!("repack it as `{}`", Archive::repacked(uri, Archive::TarGz)),
            "Utils.unpack of Spark 3.5, FSDownload of Hadoop 3.4",
        );
    }
    if let Some(refused) = form.and_then(|form| executable::lost(case, place, (form, uri))) {
        return refused;
    }
    let archive = form.is_some();
    if uri.scheme().class() == Class::Node && !archive {
        return in_place(case, place, uri, at);
    }
    if at.is_some() {
        return Answer::refused(
            "unpacks into a folder of the executor, which has another path on each node",
            "remove `at`, and name the folder as `{code}` or `{stage.NAME}`",
            "spark-dcos §2.1",
        );
    }
    if packs(place, uri) {
        let from = pack::archive(alias);
        if let Some(refused) = same_name(case, place, alias, &from) {
            return refused;
        }
        let pack = Some(Box::new(pack::step(uri, &from)));
        let means = Means::Archive { place, alias: alias.to_owned(), from, pack };
        return Answer::Emulated(means, pack::how(uri));
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
            return Answer::impossible(why, help, "spark-dcos-observed §3");
        }
    };
    if let Some(refused) = same_name(case, place, alias, &from) {
        return refused;
    }
    if !archive {
        return file(place, uri, from);
    }
    let means = Means::Archive { place, alias: alias.to_owned(), from, pack: None };
    if uri.scheme().class() == Class::Node {
        let how = "spark-submit reads the archive on the host that submits, and sends it to the executors";
        return Answer::Emulated(means, how.to_owned());
    }
    Answer::Native(means)
}

/// The directory of a script in a container that mounts it: at its own path it would hide the image's directory.
const SCRIPTS: &str = "/tfjob/code";

/// What every node has is used as it is; the directory of a script is the code.
fn in_place(case: &Context<'_>, place: Place, uri: &Uri, at: Option<&str>) -> Answer {
    let script = (place == Place::Code).then(|| pack::directory_of(uri.path())).flatten();
    let Some(directory) = script else { return node_folder(case, place, uri.path(), at) };
    let at = at.or_else(|| case.contained().then_some(SCRIPTS));
    node_folder(case, place, directory, at)
        .emulated(format!("`{{code}}` is the directory that holds the file `{uri}`"))
}

/// A folder that is on every node already.
fn node_folder(case: &Context<'_>, place: Place, path: &str, at: Option<&str>) -> Answer {
    if case.contained() {
        return mount(case, place, path, at.unwrap_or(path), false);
    }
    if at.is_some_and(|at| at != path) {
        return elsewhere(case, path);
    }
    Answer::Native(Means::At(place, Spot::from(path)))
}

/// A file that is no archive: it keeps its name.
fn file(place: Place, uri: &Uri, from: String) -> Answer {
    if place == Place::Code || !text::sent_name(&from).contains('.') {
        return Answer::impossible(
            format!("unpacks archives, and `{uri}` does not look like one"),
            "name a file that ends in `.zip`, `.tar.gz`, `.tgz` or `.tar`",
            "spark-dcos §2.1",
        );
    }
    Answer::Native(Means::Archive { place, alias: String::new(), from, pack: None })
}

fn elsewhere(case: &Context<'_>, path: &str) -> Answer {
    Answer::refused(
        format!("mounts nothing into the processes of {}: they see `{path}` there", case.manager.word()),
        format!("write `at=\"{path}\"`"),
        "spark-dcos §2.3",
    )
}

/// What Spark reads rows from where the driver, which lists the files, has none of the executors' mounts.
pub const FED_FROM: &str = "feed from `hdfs:`, `viewfs:`, `s3a:`, `gs:` or `abfs:`, without `at`: the driver mounts no directory of a node";

/// Whether Spark feeds the rows of that data.
fn is_fed(case: &Context<'_>, place: Place) -> bool {
    let Place::Data(index) = place else { return false };
    let volume = case.plan.storage.data.get(index);
    let feed = case.options.feed.as_ref().filter(|_| case.feeds());
    feed.zip(volume).is_some_and(|(feed, volume)| feed.value.data.value.as_str() == volume.name.value)
}

/// Something that the program opens by its address.
fn address(case: &Context<'_>, place: Place, uri: &Uri) -> Answer {
    let at = || Answer::Native(Means::At(place, Spot::from(uri.opened())));
    match uri.scheme().class() {
        Class::Hadoop | Class::Bucket | Class::Web => at(),
        Class::Node if case.contained() => Answer::refused(
            "starts the program in a container, which does not see the node's folders by themselves",
            if is_fed(case, place) { FED_FROM.to_owned() } else { format!("add `at=\"{}\"`", uri.path()) },
            "spark-dcos §2.3",
        ),
        Class::Node => at(),
        Class::Volume if case.manager == Manager::Kubernetes => Answer::impossible(
            format!("gives a program no way to open `{uri}`"),
            "add `at=\"/…\"`: the executors' pods mount it there",
            "spark-dcos §2.3",
        ),
        Class::Volume | Class::Spec | Class::Repository => Answer::impossible(
            format!("gives a program no way to open `{uri}`"),
            within_reach(uri),
            "spark-dcos §2.3",
        ),
    }
}

/// Something whose files must appear at a path.
fn mounted(case: &Context<'_>, place: Place, uri: &Uri, at: &str, writable: bool) -> Answer {
    match (uri.scheme().class(), case.manager) {
        (Class::Node, Manager::Yarn | Manager::Standalone) if !case.contained() => {
            if uri.path() != at {
                return elsewhere(case, uri.path());
            }
            Answer::Native(Means::At(place, Spot::from(at)))
        }
        (Class::Node, _) => mount(case, place, uri.path(), at, writable),
        (Class::Volume, Manager::Kubernetes) => claim(case, place, uri, at, writable),
        (Class::Volume | Class::Hadoop | Class::Bucket | Class::Web | Class::Repository | Class::Spec, _) => {
            Answer::refused(
                format!("mounts no {} on {}", uri.scheme().storage(), case.manager.word()),
                within_reach(uri),
                "spark-dcos §2.3",
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
fn volume(place: Place) -> String {
    match place {
        Place::Data(index) => format!("tfjob-data-{index}"),
        Place::Stage(index) => format!("tfjob-stage-{index}"),
        Place::Checkpoints => "tfjob-checkpoints".to_owned(),
        Place::Code => "tfjob-code".to_owned(),
        Place::Scratch => "tfjob-scratch".to_owned(),
    }
}

/// A folder of the node in the container.
fn mount(case: &Context<'_>, place: Place, from: &str, at: &str, writable: bool) -> Answer {
    let bad = [from, at].into_iter().find(|p| text::plain_fault(p).is_some() || p.contains([':', '=']));
    if let Some(path) = bad {
        return unpassable(path);
    }
    if let Some(taken) = taken(case, at) {
        return taken;
    }
    if case.manager == Manager::Yarn {
        let (from, to) = (from.to_owned(), at.to_owned());
        return Answer::Native(Means::Bind { place, from, to, writable });
    }
    let volume = format!("spark.kubernetes.executor.volumes.hostPath.{}", volume(place));
    let settings = vec![
        (format!("{volume}.mount.path"), at.to_owned()),
        (format!("{volume}.mount.readOnly"), (!writable).to_string()),
        (format!("{volume}.options.path"), from.to_owned()),
    ];
    Answer::Native(Means::Mounted(place, Spot::from(at), settings))
}

/// A claim or an export in the executors' pods.
fn claim(case: &Context<'_>, place: Place, uri: &Uri, at: &str, writable: bool) -> Answer {
    let sub = uri.path().trim_start_matches('/');
    let bad = [uri.path(), at].into_iter().find(|p| !p.is_empty() && text::plain_fault(p).is_some());
    if let Some(path) = bad {
        return unpassable(path);
    }
    if let Some(taken) = taken(case, at) {
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
    Answer::Native(Means::Mounted(place, Spot::from(at), settings))
}

/// Why nothing can be mounted at a path: it is the system's or Spark's own, or another word of the job mounts there.
fn taken(case: &Context<'_>, at: &str) -> Option<Answer> {
    let secret = case.plan.asks.iter().any(|asked| match &asked.ask {
        Ask::Identity(Identity::SecretFile { at: file, .. }) => {
            file.rsplit_once('/').is_some_and(|(folder, _)| folder == at)
        }
        _ => false,
    });
    let secret = secret.then_some("the folder of a `secret` is mounted there");
    let why = hidden(case, at).or(secret)?;
    let why = format!("cannot mount at `{at}`: {why}");
    Some(Answer::impossible(why, "name another path with `at=\"/…\"`", "spark-dcos §2.3"))
}

fn unpassable(path: &str) -> Answer {
    Answer::refused(
        format!("passes `{path}` through readers of its own, which take no such path"),
        "use letters, digits, `.`, `_`, `-` and `/`",
        "spark-dcos §2.5",
    )
}

/// Whether old state keeps the job from starting.
fn fresh(case: &Context<'_>, mounted: bool) -> Answer {
    let how = if mounted {
        "each node looks into the folder before any program starts"
    } else {
        "the driver looks at the address before any program starts"
    };
    let given = Answer::Emulated(Means::Fresh { mounted }, how.to_owned());
    let Some(checkpoints) = case.plan.storage.checkpoints.as_ref().filter(|_| !mounted) else {
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
    Answer::refused(
        "looks at checkpoints before any program starts, and cannot look there",
        fault,
        "Spark's driver: FileSystem.get says `No FileSystem for scheme`",
    )
}

/// A folder of the task's own.
fn scratch(case: &Context<'_>) -> Answer {
    let disk = case.plan.asks.iter().any(|asked| matches!(asked.ask, Ask::Resources(Resources::Disk { .. })));
    let spot = if disk && case.manager == Manager::Kubernetes {
        Spot::from(SCRATCH)
    } else {
        Spot::under(HERE, "/scratch")
    };
    Answer::Native(Means::At(Place::Scratch, spot))
}
