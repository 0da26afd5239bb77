//! Checks that concern several requirements together: the master and its options, data that Spark feeds, and Spark settings.
mod conf;
mod feed;
mod gpus;
mod java;
mod nodes;
mod pairs;
pub(in crate::spark) mod pod;
mod readers;

use super::context::{Context, Manager};
use super::options::{DeployMode, Options};
use super::support::storage::sent::clashes;
use super::{python, text};
use crate::codes::{MISSING_OPTION, SPARK_MISSING_IMAGE};
use crate::delivered::Start;
use crate::paths::{self, Named};
use crate::shim_source::{self, ShimSource};
use crate::{containers, cores, delivered, names as grammar};
use tfjob_contract::RENDEZVOUS;
use tfjob_lang::at::At;
use tfjob_lang::codes::{BAD_OPTION, UNUSED_OPTION};
use tfjob_lang::diagnostic::{Diagnostic, Fix, nearest};
use tfjob_lang::escape::Escaped;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{Network, Required, Requirement, Resources};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::Class;

/// Returns the diagnostics of the checks in this module and its submodules.
pub fn judge(context: &Context<'_>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    if !master(context.options, &mut out) {
        // The other checks depend on the cluster manager, so they are skipped if `master` is invalid.
        return out;
    }
    mode(context, &mut out);
    unused(context, &mut out);
    missing(context, &mut out);
    feed::judge(context, &mut out);
    values(context, &mut out);
    python(context, &mut out);
    gpus::judge(context, &mut out);
    conf::judge(context, &mut out);
    names(context, &mut out);
    objects(context, &mut out);
    out.extend(paths::judge(context.plan, &files(context.options)));
    let settings: Vec<&str> = context.options.conf.0.iter().map(|(_, text)| text.value.as_str()).collect();
    out.extend(delivered::alone("spark", context.plan, &settings));
    if context.manager != Manager::Kubernetes {
        if let (Manager::Yarn, Some(queue)) = (context.manager, &context.options.queue) {
            out.extend(containers::queue_path(queue.value.as_str(), queue.span, Some("")));
        }
        // On a standalone master, no program runs in an image, so the value of `start` does not matter.
        let start = if context.manager == Manager::Yarn { containers::START } else { Start::Image };
        out.extend(delivered::judge("spark", context.plan, start, &settings, "hdfs://default/ml/job.zip"));
        let tasks = |required: &&Required| {
            matches!(required.requirement, Requirement::Resources(Resources::Cpus { .. }))
        };
        out.extend(cores::rounded("spark", context.plan.requirements.iter().filter(tasks)));
    }
    out
}

/// Returns whether the spec sets no rendezvous port for a role. `TensorFlowOnSpark` then picks a free port.
pub fn unstated_port(plan: &Plan, id: RoleId) -> bool {
    let of_role = |requirement: &Requirement| matches!(requirement, Requirement::Network(Network::Port { role, name, .. }) if *role == id && name == RENDEZVOUS);
    plan.requirements.iter().any(|required| required.default && of_role(&required.requirement))
}

fn master(options: &Options, out: &mut Vec<Diagnostic>) -> bool {
    let Some(master) = options.master.as_ref().filter(|m| Manager::of(m.value.as_str()).is_none()) else {
        return true;
    };
    let word = master.value.as_str();
    // Names of masters that run Spark in one process or on one machine (`SparkContext.createTaskScheduler`).
    let local = word == "local" || ["local[", "local-cluster["].iter().any(|start| word.starts_with(start));
    let shown = word.escaped();
    let (fact, here) = if local {
        (
            format!(
                "master `{shown}` is not supported: it runs Spark on one machine without a cluster manager"
            ),
            "unsupported",
        )
    } else if word.starts_with("mesos://") {
        // A URL with this prefix is that of a Mesos master, which Spark supported until 3.5.
        (format!("master `{shown}` is not supported: Spark 4 has removed Mesos"), "unsupported")
    } else {
        (format!("`{shown}` is not a valid Spark master"), "invalid master")
    };
    let help = if local {
        "to run the job on one machine, use the target `local`"
    } else if word.starts_with("spark://") && word.contains('_') {
        "Spark refuses a host name with `_`: use another name of the host or its IP address, as `spark://HOST:PORT`"
    } else if word == "yarn-client" {
        "write `master \"yarn\"` and `deploy-mode \"client\"`"
    } else {
        "write `yarn`, `spark://HOST:PORT`, or `k8s://https://HOST:PORT`"
    };
    let mut found = Diagnostic::new(&BAD_OPTION, master.span, fact).here(here).help(help);
    let is_mode = |mode| options.deploy_mode.as_ref().is_some_and(|required| required.value == mode);
    let same = match word {
        "YARN" => true,
        "yarn-client" => is_mode(DeployMode::Client),
        "yarn-cluster" => !is_mode(DeployMode::Client),
        _ => false,
    };
    if same {
        // The fix is applied automatically only for another spelling of `yarn`. For `yarn-client`, the fix would lose the deploy
        // mode.
        found = found.fix(Fix::replace(master.span, "\"yarn\"").if_sure(word == "YARN"));
    }
    out.push(found);
    false
}

fn mode(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let cluster = context.options.deploy_mode.as_ref().filter(|m| m.value == DeployMode::Cluster);
    if let (Some(mode), Manager::Standalone) = (cluster, context.manager) {
        out.push(
            Diagnostic::new(
                &UNUSED_OPTION,
                mode.span,
                "a standalone master does not support cluster mode for Python drivers",
            )
            .here("refused by spark-submit")
            .help("write `deploy-mode \"client\"`, or remove `deploy-mode`")
            .suggest(Fix::replace(mode.span, "\"client\"")),
        );
    }
}

/// Reports a file that an option names, or the keytab, if another file of the job has the same name.
fn names(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for clash in clashes(context) {
        let fact = format!(
            "all files of a Spark job are sent to the same directory, but {} is also named `{}`",
            clash.other, clash.name
        );
        out.push(
            Diagnostic::new(&BAD_OPTION, clash.at, fact).here("duplicate file name").help("rename the file"),
        );
    }
}

/// Returns the options whose value is the path of a file on the nodes.
fn files(o: &Options) -> Vec<Named<'_>> {
    // `shim` is not included, because its path is on the submitting host.
    let files = [
        o.python.as_ref().map(|o| ("python", o.value.as_str(), o.span)),
        o.gpu_discovery.as_ref().map(|o| ("gpu-discovery", o.value.as_str(), o.span)),
    ];
    files.into_iter().flatten().map(|(field, path, at)| Named { field, path, at }).collect()
}

/// Checks options that are names of Kubernetes objects.
fn objects(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    type Good = fn(&str) -> bool;
    let o = context.options;
    if context.manager != Manager::Kubernetes {
        return;
    }
    let names = [
        (&o.namespace, grammar::is_label as Good, "namespace", grammar::LABEL_FORM),
        (&o.service_account, grammar::is_subdomain as Good, "service account", grammar::SUBDOMAIN_FORM),
    ];
    for (name, good, what, help) in names {
        let wrong = name.as_ref().filter(|name| !good(name.value.as_str()));
        out.extend(wrong.map(|name| {
            let fact = format!("`{}` is not a valid name of a Kubernetes {what}", name.value.escaped());
            Diagnostic::new(&BAD_OPTION, name.span, fact).here("refused by Kubernetes").help(help)
        }));
    }
}

fn at<T>(option: &Option<At<T>>) -> Option<Span> {
    option.as_ref().map(|o| o.span)
}

/// Reports options that have no effect with this master, or in a job without GPUs or without `feed`. Spark would ignore them
/// silently.
fn unused(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let o = context.options;
    let (yarn, kubernetes) = ("YARN", "Kubernetes");
    let only = |manager, name| (context.manager != manager).then_some(name);
    let words = [
        ("queue", at(&o.queue), only(Manager::Yarn, yarn)),
        ("priority", at(&o.priority), only(Manager::Yarn, yarn)),
        ("namespace", at(&o.namespace), only(Manager::Kubernetes, kubernetes)),
        ("service-account", at(&o.service_account), only(Manager::Kubernetes, kubernetes)),
        ("upload", at(&o.upload), only(Manager::Kubernetes, kubernetes)),
        ("gpu-vendor", at(&o.gpu_vendor), only(Manager::Kubernetes, kubernetes)),
    ];
    for (word, at, name) in words {
        if let (Some(at), Some(name)) = (at, name) {
            let fact = format!("`{word}` applies only to {name}, but the master is `{}`", context.master());
            out.push(unused_option(at, fact));
        }
    }
    let gpus = context.executor().gpus > 0;
    for (word, at) in [("gpu-vendor", at(&o.gpu_vendor)), ("gpu-discovery", at(&o.gpu_discovery))] {
        if let (Some(at), false) = (at, gpus) {
            out.push(unused_option(at, format!("`{word}` has no effect in a job without GPUs")));
        }
    }
    if let (Some(at), true, Manager::Standalone) = (at(&o.gpu_discovery), gpus, context.manager) {
        let fact = "`gpu-discovery` has no effect: a standalone worker finds its GPUs by its own settings";
        out.push(unused_option(at, fact.to_owned()));
    }
    if let (Some(at), true, Manager::Kubernetes) = (at(&o.upload), context.client(), context.manager) {
        let fact =
            "`upload` has no effect in client mode: the driver sends its files to the executors itself";
        out.push(unused_option(at, fact.to_owned()));
    }
    if let (Some(at), true, Manager::Kubernetes) = (at(&o.service_account), context.client(), context.manager)
    {
        let fact = "`service-account` has no effect in client mode: the driver does not run in a pod";
        out.push(unused_option(at, fact.to_owned()));
    }
    if let (Some(feed), false) = (&o.feed, context.feeds()) {
        let found = unused_option(feed.span, "`feed` has no effect without `input \"spark\"`".to_owned());
        out.push(found.help("add `input \"spark\"`, or remove `feed`"));
    }
}

fn unused_option(at: Span, fact: String) -> Diagnostic {
    Diagnostic::new(&UNUSED_OPTION, at, fact).here("has no effect").help("remove it")
}

fn missing(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let (o, plan) = (context.options, context.plan);
    if let (Some(input), None, true) = (&o.input, &o.feed, context.feeds()) {
        out.push(
            Diagnostic::new(&MISSING_OPTION, input.span, "`input \"spark\"` requires `feed`")
                .here("no `feed`")
                .help("add `feed \"NAME\" format=\"csv\"`, with the name of a `data` block of the job"),
        );
    }
    if context.manager != Manager::Kubernetes {
        return;
    }
    let master = o.master.as_ref().map_or(plan.name.span, |m| m.span);
    if o.upload.is_none() && !context.client() {
        let fact =
            "in cluster mode on Kubernetes, spark-submit needs an upload directory for the files of the job";
        out.push(
            Diagnostic::new(&MISSING_OPTION, master, fact)
                .here("no `upload`")
                .help("add `upload` with the URI of a directory that the driver can read, such as `upload \"s3a://bucket/tmp\"`"),
        );
    }
    for role in plan.roles.iter().filter(|r| r.image.is_none()) {
        let fact = format!("`{}` has no `image`, but executors on Kubernetes need one", role.name.value);
        out.push(
            Diagnostic::new(&SPARK_MISSING_IMAGE, role.name.span, fact)
                .here("no `image`")
                .help("add an `image` that is based on Spark's image and contains TensorFlowOnSpark"),
        );
    }
}

/// Checks the values of options: versions, Spark settings, and paths.
fn values(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let o = context.options;
    let wrong = |at: Span, fact: String, help: &str| {
        Diagnostic::new(&BAD_OPTION, at, fact).here("invalid value").help(help)
    };
    let versions = [
        ("spark", &o.spark, pod::OLDEST, "before Spark 3.1, `--archives` does not reach executors"),
        ("tfos", &o.tfos, (2, 0), "the driver requires TensorFlowOnSpark 2"),
    ];
    for (word, version, (major, minor), why) in versions {
        if let Some(version) = version.as_ref().filter(|v| !v.value.at_least((major, minor))) {
            let fact = format!("`{word} \"{}\"` is too old: {why}", version.value);
            let help = format!("install a newer version, and write `{word} \"{major}.{minor}\"` or later");
            out.push(Diagnostic::new(&BAD_OPTION, version.span, fact).here("too old").help(help));
        }
    }
    for (word, text) in [("queue", &o.queue), ("gpu-vendor", &o.gpu_vendor)] {
        if let Some(text) = text
            && let Some(fault) = text::plain_fault(text.value.as_str())
        {
            let fact = format!("`{}` is not a valid `{word}`: {fault}", text.value.escaped());
            out.push(wrong(text.span, fact, "use a name that contains only these characters"));
        }
    }
    if let Some(path) = &o.gpu_discovery
        && let Some(fault) = text::plain_fault(path.value.as_str())
    {
        out.push(wrong(
            path.span,
            format!("Spark cannot run the discovery script `{}`: {fault}", path.value.escaped()),
            "use a path without special characters",
        ));
    }
    if let Some(upload) = &o.upload
        && let Some(why) = text::upload_fault(&upload.value)
    {
        let help = "write `upload \"s3a://bucket/tmp\"`, or a directory on `hdfs:`, `gs:`, or `abfs:`";
        out.push(wrong(upload.span, why, help));
    }
    shim(o.shim.as_ref(), out);
}

/// Texts of the error for `shim image=…`, which this target does not support. On Kubernetes, executors are pods, but Spark creates
/// them without an init container.
const NO_IMAGE: shim_source::Missing = shim_source::Missing {
    property: shim_source::Property::Image,
    why: "Spark starts its executors without an init container, which could copy the shim from its image",
    help: "write `shim url=\"hdfs://default/apps/tfjob-shim\"`",
};

/// Checks the source of the shim. It must be a file that spark-submit can upload, or a URI that executors can read.
fn shim(option: Option<&At<ShimSource>>, out: &mut Vec<Diagnostic>) {
    // A `url` that is a path on the submitting host is not checked here, because another check below reports it.
    if ShimSource::path(option).is_some()
        || !ShimSource::url(option).is_some_and(|url| url.value.scheme().class().is_path())
    {
        shim_source::judge("spark", option, &[NO_IMAGE], false, out);
    }
    if let Some(path) = ShimSource::path(option)
        && let Some(fault) = text::path_fault(path.value.as_str())
    {
        let fact = format!("spark-submit cannot upload the shim from `{}`: {fault}", path.value.as_str());
        let help = "rename the file or directory on the submitting host: use letters, digits, and `._-+@=`";
        out.push(Diagnostic::new(&BAD_OPTION, path.span, fact).here("cannot be uploaded").help(help));
    }
    if let Some(url) = ShimSource::url(option) {
        let local = "it is a path on the submitting host";
        let (fault, help) = match url.value.scheme().class() {
            Class::Spec | Class::Node => (
                Some(local.to_owned()),
                "write `shim path=\"/PATH/tfjob-shim\"`, so that spark-submit uploads the file; or copy it to the cluster and write `shim url=\"hdfs://default/apps/tfjob-shim\"`",
            ),
            Class::Hadoop | Class::Bucket | Class::Web | Class::Repository | Class::Volume => (
                text::fetched(&url.value).err(),
                "write a URI such as `shim url=\"hdfs://default/apps/tfjob-shim\"`",
            ),
        };
        let s3 = url
            .value
            .to_string()
            .strip_prefix("s3://")
            .map(|rest| format!("write `shim url=\"s3a://{rest}\"`"));
        let help = s3.filter(|_| fault.is_some()).unwrap_or_else(|| help.to_owned());
        out.extend(fault.map(|fault| {
            let fact = format!("executors cannot download the shim from `{}`: {fault}", url.value);
            Diagnostic::new(&BAD_OPTION, url.span, fact).here("cannot be downloaded").help(help)
        }));
    }
}

/// Checks the option `python`. If it is not set, checks the Python interpreter that the commands of the job run.
fn python(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let Some(option) = &context.options.python else {
        if let Err(unclear) = python::of_job(context) {
            let mut found = Diagnostic::new(&MISSING_OPTION, unclear.at, unclear.fact).here("this Python");
            if let Some(other) = unclear.other {
                found = found.label(other, "another Python");
            }
            out.push(found.help(
                "set the Python that has TensorFlowOnSpark: `target \"spark\" { python \"{files.NAME}/bin/python\" }`, or an absolute path",
            ));
        }
        return;
    };
    if python::named(context.plan, option).is_some() {
        return;
    }
    let stages = || context.plan.storage.stage.iter().map(|v| v.name.value.as_str());
    let word = option.value.as_str();
    let near = nearest(word, stages())
        .map_or_else(String::new, |near| format!("did you mean the `files` entry `{near}`? "));
    let help = format!(
        "{near}write the name of a `files` entry, a path in such an entry (`{{files.NAME}}/bin/python`), or an absolute path"
    );
    let fact = format!("`{}` is not a valid path of a Python interpreter", word.escaped());
    out.push(Diagnostic::new(&BAD_OPTION, option.span, fact).here("invalid value").help(help));
}
