//! Checks for settings that a cluster manager or a deploy mode ignores or overrides.
use super::super::context::{Context, Manager};
use crate::codes::SPARK_SETTING_OVERRIDDEN;
use tfjob_lang::at::At;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::escape::Escaped;

/// The component that reads a setting, if there is only one.
#[derive(Clone, Copy)]
enum Reader {
    /// YARN's application master in client mode.
    YarnClient,
    /// YARN's application master in cluster mode. It runs the driver.
    YarnCluster,
    /// A driver in cluster mode.
    Cluster,
    /// The pod of a driver in cluster mode on Kubernetes.
    DriverPod,
    /// A standalone worker.
    Standalone,
}

/// Keys, each with the only component that reads the setting. A key that ends in `*` is a prefix. Sources: Spark's pages
/// `running-on-yarn`, `running-on-kubernetes`, and `configuration`, and its classes `Client`, `ApplicationMaster`, and
/// `FileAppender`.
const ONLY: &[(&str, Reader)] = &[
    ("spark.driver.cores", Reader::Cluster),
    ("spark.driver.memoryOverhead", Reader::Cluster),
    ("spark.driver.memoryOverheadFactor", Reader::Cluster),
    ("spark.executor.logs.rolling.*", Reader::Standalone),
    ("spark.kubernetes.driver.annotation.*", Reader::DriverPod),
    ("spark.kubernetes.driver.label.*", Reader::DriverPod),
    ("spark.kubernetes.driver.limit.cores", Reader::DriverPod),
    ("spark.kubernetes.driver.node.selector.*", Reader::DriverPod),
    ("spark.kubernetes.driver.podTemplateFile", Reader::DriverPod),
    ("spark.kubernetes.driver.request.cores", Reader::DriverPod),
    ("spark.kubernetes.driver.secretKeyRef.*", Reader::DriverPod),
    ("spark.kubernetes.driver.secrets.*", Reader::DriverPod),
    ("spark.kubernetes.driverEnv.*", Reader::DriverPod),
    ("spark.yarn.am.cores", Reader::YarnClient),
    ("spark.yarn.am.memory", Reader::YarnClient),
    ("spark.yarn.am.memoryOverhead", Reader::YarnClient),
    ("spark.yarn.am.waitTime", Reader::YarnCluster),
];

fn is(key: &str, name: &str) -> bool {
    name.strip_suffix('*').map_or(name == key, |prefix| key.starts_with(prefix))
}

/// Returns why no component of this job reads a setting, or `None` if a component reads it.
pub fn unread(context: &Context<'_>, key: &str) -> Option<String> {
    let (_, reader) = ONLY.iter().find(|(name, _)| is(key, name))?;
    let (manager, cluster) = (context.manager, !context.client());
    let (read, by) = match reader {
        Reader::YarnClient => (manager == Manager::Yarn && !cluster, "the application master in client mode"),
        Reader::YarnCluster => {
            (manager == Manager::Yarn && cluster, "the application master in cluster mode")
        }
        Reader::Cluster => (cluster, "a driver in cluster mode"),
        Reader::DriverPod => (manager == Manager::Kubernetes && cluster, "the driver's pod in cluster mode"),
        Reader::Standalone => (manager == Manager::Standalone, "a worker of a standalone master"),
    };
    let mode = if cluster { "cluster" } else { "client" };
    (!read).then(|| {
        let shown = key.escaped();
        format!("`{shown}` is read only by {by}, but this job runs on {} in {mode} mode", manager.word())
    })
}

/// Warns of a setting that Spark accepts, but whose value the cluster manager overrides.
pub fn overridden(context: &Context<'_>, key: &At<String>) -> Option<Diagnostic> {
    let (manager, cluster) = (context.manager, !context.client());
    let by = match (key.value.as_str(), manager) {
        ("spark.local.dir", Manager::Yarn) => {
            "the NodeManager's `yarn.nodemanager.local-dirs` (`LOCAL_DIRS` of each container)"
        }
        ("spark.local.dir", Manager::Standalone) => "the directories of the worker (`SPARK_EXECUTOR_DIRS`)",
        ("spark.ui.port", Manager::Yarn) if cluster => "port 0, so that drivers on one node do not conflict",
        ("spark.driver.host", Manager::Yarn | Manager::Kubernetes) if cluster => {
            "the address of the node or pod that runs the driver"
        }
        _ => return None,
    };
    let fact = format!("{} overrides `{}` with {by}", manager.word(), key.value);
    Some(Diagnostic::new(&SPARK_SETTING_OVERRIDDEN, key.span, fact).here("overridden").help("remove it"))
}
