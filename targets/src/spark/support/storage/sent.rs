//! Files that spark-submit sends to executors. They keep their names, so two files with the same name may conflict.
use crate::pack;
use crate::shim_source::ShimSource;
use crate::spark::context::{Context, Manager};
use crate::spark::support::Support;
use crate::spark::text;
use std::collections::BTreeMap;
use tfjob_lang::plan::DataRef;
use tfjob_lang::requirement::{Identity, Requirement};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::{Archive, Class, Uri};

/// Names of files that tfjob generates in the working directory of every executor.
const GENERATED: [&str; 7] =
    ["job.json", "contract.json", "driver.py", "tfjob_lead.py", "tfjob_node.py", "gpus.sh", "tfjob-shim"];

/// Returns whether Spark itself sends a file with this name to YARN containers (`Client.findPySparkArchives`,
/// `LOCALIZED_CONF_DIR`, and others). If two files have the same name, Spark sends only the first one.
fn is_of_spark(name: &str) -> bool {
    matches!(name, "pyspark.zip" | "__spark_conf__.zip" | "__spark_libs__.zip" | "sparkr.zip")
        || name.starts_with("py4j-") && name.ends_with("-src.zip")
}

/// A file that spark-submit sends.
pub struct Sent {
    /// Name of the entry in the spec, for messages.
    entry: String,
    name: String,
    from: String,
    archive: bool,
    /// The `code` or `files` entry. `None` for other files.
    place: Option<DataRef>,
    /// Span of the option or the keytab that names the file. If set, a check of the options reports the conflicts of this file.
    at: Option<Span>,
}

/// A file that an option or the keytab names, with the same name as another file of the job.
pub struct Clash {
    /// Span of the option or the keytab.
    pub at: Span,
    /// The name that both files have.
    pub name: String,
    /// The entry of the other file, for messages.
    pub other: String,
}

/// Returns all files that are sent, grouped by name. Within a group, the files have the order in which `everything` returns them.
pub fn by_name(context: &Context<'_>) -> BTreeMap<String, Vec<Sent>> {
    let mut all: BTreeMap<String, Vec<Sent>> = BTreeMap::new();
    for sent in everything(context) {
        all.entry(sent.name.clone()).or_default().push(sent);
    }
    all
}

/// Returns whether a file conflicts with `other`, which has the same name. `archive`: whether the file is an archive.
fn conflict(context: &Context<'_>, from: &str, archive: bool, other: &Sent) -> bool {
    let local = !from.contains("://") && !other.from.contains("://");
    let same = from.trim_start_matches("./") == other.from.trim_start_matches("./");
    match context.manager {
        // If two files have the same name, `Client.distribute` fails: "Attempt to add (…) multiple times to the distributed cache".
        Manager::Yarn => true,
        // In cluster mode, the pod of the driver downloads all files into one directory.
        Manager::Kubernetes if !context.client() => true,
        // Two files with the same name conflict for two reasons: all files of an executor are in one directory, and the file server
        // of the driver refuses two paths with the same name.
        Manager::Kubernetes | Manager::Standalone => !archive && !other.archive || local && !same,
    }
}

/// Refuses a `code` or `files` entry, if a file before it has the same name.
pub fn same_name(context: &Context<'_>, place: DataRef, alias: &str, from: &str) -> Option<Support> {
    let name = text::sent_name(from);
    let archive = Archive::of_name(&name).is_some();
    if context.manager == Manager::Yarn && is_of_spark(&name) {
        return Some(Support::impossible(
            format!(
                "all files of a Spark job are sent to the same directory, but `{name}` is a file of Spark itself"
            ),
            format!("rename it, for example to `{alias}-{name}`"),
            "Spark's Client.prepareLocalResources and findPySparkArchives",
        ));
    }
    let earlier = context.sent(&name).iter().take_while(|other| other.place != Some(place));
    let other = { earlier }.find(|other| conflict(context, from, archive, other))?;
    Some(Support::impossible(
        format!(
            "all files of a Spark job are sent to the same directory, but {} is also named `{name}`",
            other.entry
        ),
        format!("rename one of the two files, for example to `{alias}-{name}`"),
        "Spark's Client.distribute and NettyStreamManager.addFile",
    ))
}

/// Returns the conflicts of the shim, the keytab, and the jars with files that `everything` returns before them.
pub fn clashes(context: &Context<'_>) -> Vec<Clash> {
    let all = everything(context);
    let later = all.iter().enumerate().filter_map(|(i, sent)| Some((i, sent, sent.at?)));
    let found = later.filter_map(|(i, sent, at)| {
        let other = all[..i].iter().find(|other| {
            // Two jars with the same name are no error: the YARN client skips the later one, with a log message.
            let jars = sent.archive && other.archive;
            other.name == sent.name && !jars && conflict(context, &sent.from, false, other)
        })?;
        Some(Clash { at, name: sent.name.clone(), other: other.entry.clone() })
    });
    found.collect()
}

/// Returns all files that are sent: generated files, the shim, the keytab, jars, `code`, and `files`.
fn everything(context: &Context<'_>) -> Vec<Sent> {
    let plain = |name: &str, entry: &str| Sent {
        entry: entry.to_owned(),
        name: text::sent_name(name),
        from: name.to_owned(),
        archive: false,
        place: None,
        at: None,
    };
    let shim = ShimSource::location(context.options.shim.as_ref());
    let shim = shim.map(|shim| Sent { at: Some(shim.span), ..plain(&shim.value, "the shim") });
    let keytab = context.plan.requirements.iter().find_map(|required| match &required.requirement {
        Requirement::Identity(Identity::Kerberos { keytab, .. }) if context.manager == Manager::Yarn => {
            Some(Sent { at: Some(required.at), ..plain(keytab, "the keytab") })
        }
        _ => None,
    });
    let jars = ["spark.jars", "spark.yarn.archive", "spark.yarn.jars"];
    let jars = context
        .options
        .conf
        .iter()
        .filter(|(key, _)| context.manager == Manager::Yarn && jars.contains(&key.value.as_str()));
    let jars = jars.flat_map(|(key, value)| {
        let sent = value.value.as_str().split(',').filter(|jar| !jar.starts_with("local:"));
        sent.map(|jar| Sent {
            at: Some(value.span),
            archive: true,
            ..plain(jar.trim(), &format!("a file of `{}`", key.value))
        })
    });
    let storage = &context.plan.storage;
    let code = storage.code.iter().map(|v| (DataRef::Code, "", v));
    let stages = storage.stage.iter().enumerate();
    let stages = stages.map(|(i, v)| (DataRef::Stage(i), v.name.value.as_str(), v));
    let volumes = code.chain(stages).filter_map(|(place, name, volume)| {
        let (alias, entry) = match place {
            DataRef::Stage(_) => (format!("files-{name}"), format!("`files \"{name}\"`")),
            DataRef::Code | DataRef::Data(_) | DataRef::Checkpoints | DataRef::Scratch => {
                ("code".to_owned(), "`code`".to_owned())
            }
        };
        let uri = &volume.uri.value;
        let archive = Archive::of(uri).is_some();
        let on_nodes = uri.scheme().class() == Class::Node && !archive;
        let from = if packs(place, uri) {
            pack::archive(&alias)
        } else {
            text::fetched(uri).ok().filter(|_| !on_nodes)?
        };
        let archive = archive || packs(place, uri);
        Some(Sent { entry, name: text::sent_name(&from), from, archive, place: Some(place), at: None })
    });
    // The option `shim` may name a file called `tfjob-shim`. This file then replaces the generated one, so the two do not
    // conflict.
    let free = shim.as_ref().map(|shim| shim.name.clone());
    let generated = GENERATED
        .iter()
        .filter(|name| **name != "tfjob-shim" || free.as_deref() != Some(**name))
        .map(|name| plain(name, "a file that tfjob generates"));
    generated.chain(shim).chain(keytab).chain(jars).chain(volumes).collect()
}

/// Returns whether a step must pack a file or directory next to the spec into an archive: any directory, and any file of `code`
/// that is not an archive.
pub fn packs(place: DataRef, uri: &Uri) -> bool {
    let directory = place == DataRef::Code || uri.path().ends_with('/');
    uri.scheme().class() == Class::Spec && directory && Archive::of(uri).is_none()
}
