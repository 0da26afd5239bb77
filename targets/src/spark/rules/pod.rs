//! Settings that become part of a pod of Kubernetes, or that suppose a node that the cluster chooses.
use super::super::context::{Context, Manager};
use super::super::settings::host;
use crate::codes::{SPARK_SETTING_UNKNOWN, SPARK_SETTING_VALUE};
use std::collections::BTreeMap;
use tfjob_lang::at::At;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::Text;

/// The oldest release that the target supports.
pub const OLDEST: (u32, u32) = (3, 1);

/// Settings that came after it (`ConfigEntry.version`; the family: SPARK-36075). A name that ends in `.` is a family's.
pub const SINCE: [(&str, (u32, u32)); 4] = [
    ("spark.driver.memoryOverheadFactor", (3, 3)),
    ("spark.kubernetes.driver.node.selector.", (3, 3)),
    ("spark.kubernetes.scheduler.name", (3, 3)),
    ("spark.log.level", (3, 5)),
];

/// Ports of the driver's pod and of its Service, each with its default (`BasicDriverFeatureStep`,
/// `DriverServiceFeatureStep`).
const PORTS: [(&[&str], u32); 3] = [
    (&["spark.driver.port"], 7078),
    (&["spark.driver.blockManager.port", "spark.blockManager.port"], 7079),
    (&["spark.ui.port"], 4040),
];

/// Every fault. `mounts` are the paths at which the job mounts something, each with the words that ask for it.
pub fn judge(context: &Context<'_>, mounts: &BTreeMap<String, Span>, out: &mut Vec<Diagnostic>) {
    since(context, out);
    address(context, out);
    if context.manager == Manager::Kubernetes {
        folders(context, mounts, out);
        if !context.client() {
            ports(context, out);
        }
    }
}

fn given<'a>(context: &Context<'a>, name: &str) -> Option<&'a (At<String>, At<Text>)> {
    context.options.conf.iter().find(|(key, _)| key.value == name)
}

fn since(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for (name, (major, minor)) in SINCE {
        let is_new = context.options.spark.as_ref().is_some_and(|said| said.value.at_least((major, minor)));
        let is_named = |key: &str| key == name || (name.ends_with('.') && key.starts_with(name));
        for (key, _) in context.options.conf.iter().filter(|(key, _)| !is_new && is_named(&key.value)) {
            let fact = format!("Spark has `{}` since {major}.{minor}, and ignores it before", key.value);
            let found = Diagnostic::new(&SPARK_SETTING_UNKNOWN, key.span, fact).here("ignored");
            out.push(found.help(format!(
                "add `spark \"{major}.{minor}\"` to `target \"spark\"` if the cluster is that new, or remove the setting"
            )));
        }
    }
}

/// The node of a driver in the cluster is not known before it runs.
fn address(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    const NAME: &str = "spark.driver.bindAddress";
    let Some((_, value)) = given(context, NAME).filter(|_| !context.client()) else { return };
    let fact = match context.manager {
        Manager::Kubernetes => {
            "spark-submit refuses `spark.driver.bindAddress`: the driver binds to the address of its pod"
        }
        Manager::Yarn | Manager::Standalone
            if host(value.value.as_str()) && !matches!(value.value.as_str(), "0.0.0.0" | "[::]") =>
        {
            "the cluster chooses the driver's node, and the driver ends where it does not have this address"
        }
        Manager::Yarn | Manager::Standalone => return,
    };
    let found = Diagnostic::new(&SPARK_SETTING_VALUE, value.span, fact).here("not to be set in cluster mode");
    out.push(found.help("remove it, or write `deploy-mode \"client\"`"));
}

/// The pod of an executor has one mount at each path (`LocalDirsFeatureStep`).
fn folders(context: &Context<'_>, mounts: &BTreeMap<String, Span>, out: &mut Vec<Diagnostic>) {
    let Some((_, value)) = given(context, "spark.local.dir") else { return };
    let text = value.value.as_str();
    for path in text.split(',').map(|path| path.trim().trim_end_matches('/')) {
        let found = match mounts.get(path) {
            Some(at) => {
                let fact = format!("the pod has another mount at `{path}`, and Kubernetes refuses two");
                Diagnostic::new(&SPARK_SETTING_VALUE, value.span, fact).label(*at, "mounted by this")
            }
            None if path == "/opt/spark/conf" => {
                let fact =
                    "Spark mounts its own configuration at `/opt/spark/conf`, and Kubernetes refuses two";
                Diagnostic::new(&SPARK_SETTING_VALUE, value.span, fact)
            }
            None => continue,
        };
        out.push(found.here("two mounts").help("write a path of its own, such as `/var/data/spark`"));
    }
}

/// A container and a Service have ports from 1 on, and a Service has each once.
fn ports(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let mut taken: Vec<(u32, Option<Span>)> = Vec::new();
    let mut all: Vec<(u32, Option<Span>)> = Vec::new();
    for (names, default) in PORTS {
        let values: Vec<_> = names.iter().filter_map(|name| given(context, name)).collect();
        for (key, value) in &values {
            if value.value.as_str() == "0" {
                let fact = format!(
                    "the driver's pod has the port of `{}`, and Kubernetes takes no port 0",
                    key.value
                );
                let found =
                    Diagnostic::new(&SPARK_SETTING_VALUE, value.span, fact).here("not a port of a pod");
                out.push(found.help(format!("remove it: Spark's own port is {default}")));
            }
        }
        let first = values.first();
        let number = first.map_or(Some(default), |(_, value)| value.value.as_str().parse().ok());
        all.extend(number.filter(|port| *port > 0).map(|port| (port, first.map(|(_, value)| value.span))));
    }
    for (port, at) in all {
        let other = taken.iter().find(|(other, _)| *other == port).map(|(_, other)| *other);
        if let (Some(other), Some(at)) = (other, at.or(other.flatten())) {
            let fact = format!("the driver's Service has port {port} twice, which Kubernetes refuses");
            let mut found = Diagnostic::new(&SPARK_SETTING_VALUE, at, fact).here("twice");
            if let Some(other) = other.filter(|other| *other != at) {
                found = found.label(other, "and here");
            }
            out.push(
                found.help(
                    "Spark's own ports are 7078 of the driver, 7079 of its blocks and 4040 of its page",
                ),
            );
        }
        taken.push((port, at));
    }
}
