//! What spark-submit sends under its own file name: two files of one name cannot travel together.
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

/// Files that every executor's directory has besides those of the job.
const TAKEN: [&str; 7] =
    ["job.json", "contract.json", "driver.py", "tfjob_lead.py", "tfjob_node.py", "gpus.sh", "tfjob-shim"];

/// Whether Spark itself sends a file of that name to YARN's containers (`Client.findPySparkArchives`, `LOCALIZED_CONF_DIR` and
/// the like): of two files of one name the earlier is sent.
fn is_of_spark(name: &str) -> bool {
    matches!(name, "pyspark.zip" | "__spark_conf__.zip" | "__spark_libs__.zip" | "sparkr.zip")
        || name.starts_with("py4j-") && name.ends_with("-src.zip")
}

/// Something that spark-submit sends: what it is to the job, its file name, where it comes from, whether it is unpacked.
pub struct Sent {
    whose: String,
    name: String,
    from: String,
    archive: bool,
    /// The code or `files`; `None` for what the job sends besides.
    place: Option<DataRef>,
    /// Where it is said, if a rule tells what is wrong with it.
    at: Option<Span>,
}

/// Something of the target's own block, or the keytab, that has the name of another file of the job.
pub struct Clash {
    /// Where it is said.
    pub at: Span,
    /// The name.
    pub name: String,
    /// What has the name already.
    pub other: String,
}

/// Everything that is sent, by its file name, each in the order in which the spec has it.
pub fn by_name(context: &Context<'_>) -> BTreeMap<String, Vec<Sent>> {
    let mut all: BTreeMap<String, Vec<Sent>> = BTreeMap::new();
    for sent in everything(context) {
        all.entry(sent.name.clone()).or_default().push(sent);
    }
    all
}

/// Whether two files of one name cannot travel together.
fn conflict(context: &Context<'_>, from: &str, archive: bool, other: &Sent) -> bool {
    let local = !from.contains("://") && !other.from.contains("://");
    let same = from.trim_start_matches("./") == other.from.trim_start_matches("./");
    match context.manager {
        // Client.distribute: "Attempt to add (…) multiple times to the distributed cache".
        Manager::Yarn => true,
        // The driver's pod downloads all of them into one directory.
        Manager::Kubernetes if !context.client() => true,
        // Files lie in one directory; the driver's file server refuses two paths of one name.
        Manager::Kubernetes | Manager::Standalone => !archive && !other.archive || local && !same,
    }
}

/// Why the file name of something that is sent is not free. Said once, at the later of two.
pub fn same_name(context: &Context<'_>, place: DataRef, alias: &str, from: &str) -> Option<Support> {
    let name = text::sent_name(from);
    let archive = Archive::of_name(&name).is_some();
    if context.manager == Manager::Yarn && is_of_spark(&name) {
        return Some(Support::impossible(
            format!("sends all files of a job by their names, and `{name}` is a file of its own"),
            format!("rename it, for example to `{alias}-{name}`"),
            "Spark's Client.prepareLocalResources and findPySparkArchives",
        ));
    }
    let earlier = context.sent(&name).iter().take_while(|other| other.place != Some(place));
    let other = { earlier }.find(|other| conflict(context, from, archive, other))?;
    Some(Support::impossible(
        format!(
            "sends all files of a job by their names, and `{name}` is already the name of {}",
            other.whose
        ),
        format!("rename one of the two, for example to `{alias}-{name}`"),
        "Spark's Client.distribute and NettyStreamManager.addFile",
    ))
}

/// The shim, the keytab and the jars that have the name of a file before them.
pub fn clashes(context: &Context<'_>) -> Vec<Clash> {
    let all = everything(context);
    let later = all.iter().enumerate().filter_map(|(i, sent)| Some((i, sent, sent.at?)));
    let found = later.filter_map(|(i, sent, at)| {
        let other = all[..i].iter().find(|other| {
            // YARN's client leaves out the later of two jars, and says so in its log.
            let jars = sent.archive && other.archive;
            other.name == sent.name && !jars && conflict(context, &sent.from, false, other)
        })?;
        Some(Clash { at, name: sent.name.clone(), other: other.whose.clone() })
    });
    found.collect()
}

/// What is sent: the script's own files, the shim, the keytab, the code and the files.
fn everything(context: &Context<'_>) -> Vec<Sent> {
    let own = |name: &str, whose: &str| Sent {
        whose: whose.to_owned(),
        name: text::sent_name(name),
        from: name.to_owned(),
        archive: false,
        place: None,
        at: None,
    };
    let shim = ShimSource::location(context.options.shim.as_ref());
    let shim = shim.map(|shim| Sent { at: Some(shim.span), ..own(&shim.value, "the shim") });
    let keytab = context.plan.requirements.iter().find_map(|required| match &required.requirement {
        Requirement::Identity(Identity::Kerberos { keytab, .. }) if context.manager == Manager::Yarn => {
            Some(Sent { at: Some(required.at), ..own(keytab, "the keytab") })
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
            ..own(jar.trim(), &format!("a file of `{}`", key.value))
        })
    });
    let storage = &context.plan.storage;
    let code = storage.code.iter().map(|v| (DataRef::Code, "", v));
    let stages = storage.stage.iter().enumerate();
    let stages = stages.map(|(i, v)| (DataRef::Stage(i), v.name.value.as_str(), v));
    let volumes = code.chain(stages).filter_map(|(place, name, volume)| {
        let (alias, whose) = match place {
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
        Some(Sent { whose, name: text::sent_name(&from), from, archive, place: Some(place), at: None })
    });
    // The shim itself may well be called so.
    let free = shim.as_ref().map(|shim| shim.name.clone());
    let script = TAKEN
        .iter()
        .filter(|name| **name != "tfjob-shim" || free.as_deref() != Some(**name))
        .map(|name| own(name, "a file of the job itself"));
    script.chain(shim).chain(keytab).chain(jars).chain(volumes).collect()
}

/// Whether a step packs what lies beside the spec: the code, and a directory.
pub fn packs(place: DataRef, uri: &Uri) -> bool {
    let directory = place == DataRef::Code || uri.path().ends_with('/');
    uri.scheme().class() == Class::Spec && directory && Archive::of(uri).is_none()
}
