//! Checks of settings that become part of a Kubernetes pod, or that assume that the driver runs on a certain node.
use super::super::context::{Context, Manager};
use super::super::settings::host;
use crate::codes::{SPARK_SETTING_UNKNOWN, SPARK_SETTING_VALUE};
use std::collections::BTreeMap;
use tfjob_lang::at::At;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::Text;

/// Oldest Spark release that tfjob supports.
pub const OLDEST: (u32, u32) = (3, 1);

/// Settings that were introduced after the oldest supported Spark release, each with the release that introduced it. A key that
/// ends in `.` is a prefix. Sources: `ConfigEntry.version` and, for the prefix, SPARK-36075.
pub const SINCE: [(&str, (u32, u32)); 4] = [
    ("spark.driver.memoryOverheadFactor", (3, 3)),
    ("spark.kubernetes.driver.node.selector.", (3, 3)),
    ("spark.kubernetes.scheduler.name", (3, 3)),
    ("spark.log.level", (3, 5)),
];

/// Settings of the ports of the driver's pod and Service, with their defaults (`BasicDriverFeatureStep`,
/// `DriverServiceFeatureStep`).
const PORTS: [(&[&str], u32); 3] = [
    (&["spark.driver.port"], 7078),
    (&["spark.driver.blockManager.port", "spark.blockManager.port"], 7079),
    (&["spark.ui.port"], 4040),
];

/// Adds the diagnostics of all checks in this module. `mounts`: the mount paths of the job, each with its span.
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
        let is_new = context.options.spark.as_ref().is_some_and(|set| set.value.at_least((major, minor)));
        let is_named = |key: &str| key == name || (name.ends_with('.') && key.starts_with(name));
        for (key, _) in context.options.conf.iter().filter(|(key, _)| !is_new && is_named(&key.value)) {
            let fact = format!("before Spark {major}.{minor}, `{}` does not exist and is ignored", key.value);
            let found = Diagnostic::new(&SPARK_SETTING_UNKNOWN, key.span, fact).here("ignored");
            out.push(found.help(format!(
                "if the cluster runs Spark {major}.{minor} or later, add `spark \"{major}.{minor}\"` to `target \"spark\"`; otherwise remove the setting"
            )));
        }
    }
}

/// Reports a bind address of the driver in cluster mode. On Kubernetes, spark-submit refuses any bind address. On YARN and on a
/// standalone master, the node of the driver is not known before the driver runs. So only addresses that are valid on every node
/// are accepted: `0.0.0.0` and `[::]`.
fn address(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    const NAME: &str = "spark.driver.bindAddress";
    let Some((_, value)) = given(context, NAME).filter(|_| !context.client()) else { return };
    let fact = match context.manager {
        Manager::Kubernetes => {
            "spark-submit refuses `spark.driver.bindAddress`, because the driver binds to the address of its pod"
        }
        Manager::Yarn | Manager::Standalone
            if host(value.value.as_str()) && !matches!(value.value.as_str(), "0.0.0.0" | "[::]") =>
        {
            "in cluster mode, the cluster chooses the node of the driver, and the driver fails if the node does not have this address"
        }
        Manager::Yarn | Manager::Standalone => return,
    };
    let found = Diagnostic::new(&SPARK_SETTING_VALUE, value.span, fact).here("not allowed in cluster mode");
    out.push(found.help("remove it, or write `deploy-mode \"client\"`"));
}

/// Reports a local directory of Spark at a mount path of the job or of Spark's configuration. A pod has at most one mount per path
/// (`LocalDirsFeatureStep`).
fn folders(context: &Context<'_>, mounts: &BTreeMap<String, Span>, out: &mut Vec<Diagnostic>) {
    let Some((_, value)) = given(context, "spark.local.dir") else { return };
    let text = value.value.as_str();
    for path in text.split(',').map(|path| path.trim().trim_end_matches('/')) {
        let found = match mounts.get(path) {
            Some(at) => {
                let fact = format!(
                    "the job already has a mount at `{path}`, and Kubernetes refuses a second mount at the same path"
                );
                Diagnostic::new(&SPARK_SETTING_VALUE, value.span, fact).label(*at, "mounted here")
            }
            None if path == "/opt/spark/conf" => {
                let fact = "Spark mounts its configuration at `/opt/spark/conf`, and Kubernetes refuses a second mount there";
                Diagnostic::new(&SPARK_SETTING_VALUE, value.span, fact)
            }
            None => continue,
        };
        out.push(found.here("duplicate mount path").help("use another path, such as `/var/data/spark`"));
    }
}

/// Checks the ports of the driver's pod. Each port must be at least 1, and unique in the driver's Service.
fn ports(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let mut taken: Vec<(u32, Option<Span>)> = Vec::new();
    let mut all: Vec<(u32, Option<Span>)> = Vec::new();
    for (names, default) in PORTS {
        let values: Vec<_> = names.iter().filter_map(|name| given(context, name)).collect();
        for (key, value) in &values {
            if value.value.as_str() == "0" {
                let fact = format!(
                    "Kubernetes refuses port 0, but `{}` becomes a port of the driver's pod",
                    key.value
                );
                let found = Diagnostic::new(&SPARK_SETTING_VALUE, value.span, fact).here("invalid port");
                out.push(found.help(format!("remove it: Spark's default is {default}")));
            }
        }
        let first = values.first();
        let number = first.map_or(Some(default), |(_, value)| value.value.as_str().parse().ok());
        all.extend(number.filter(|port| *port > 0).map(|port| (port, first.map(|(_, value)| value.span))));
    }
    for (port, at) in all {
        let other = taken.iter().find(|(other, _)| *other == port).map(|(_, other)| *other);
        if let (Some(other), Some(at)) = (other, at.or(other.flatten())) {
            let fact =
                format!("Kubernetes refuses the Service of the driver, which would have port {port} twice");
            let mut found = Diagnostic::new(&SPARK_SETTING_VALUE, at, fact).here("duplicate port");
            if let Some(other) = other.filter(|other| *other != at) {
                found = found.label(other, "the same port");
            }
            out.push(found.help(
                "use different ports; Spark's defaults are 7078 (driver), 7079 (block manager), and 4040 (web UI)",
            ));
        }
        taken.push((port, at));
    }
}
