//! Checks of settings that must agree with each other, or with the cluster manager.
use super::super::context::{Context, Manager};
use super::super::settings::{Unit, millicores};
use super::java::ports::listened;
use crate::codes::{SPARK_SETTING_UNCHECKED, SPARK_SETTING_VALUE};
use tfjob_contract::RENDEZVOUS;
use tfjob_lang::at::At;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::escape::Escaped;
use tfjob_lang::spec::values::Text;

/// Checks that the CPU limit of the driver's pod is not below its request. The API server refuses such a pod
/// (`BasicDriverFeatureStep`).
pub fn driver_cores(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let given =
        |name: &str| context.options.conf.iter().find(|(key, _)| key.value == name).map(|(_, value)| value);
    let milli = |value: &At<Text>| millicores(value.value.as_str());
    let Some(limit) = given("spark.kubernetes.driver.limit.cores") else { return };
    let needed = given("spark.kubernetes.driver.request.cores").or_else(|| given("spark.driver.cores"));
    let (Some(most), Some(least)) = (milli(limit), needed.map_or(Some(1000), milli)) else { return };
    if context.manager != Manager::Kubernetes || least <= most {
        return;
    }
    let fact = format!("the pod of the driver requests {least}m of CPU, which exceeds its limit of {most}m");
    let mut found = Diagnostic::new(&SPARK_SETTING_VALUE, limit.span, fact)
        .here("below the request")
        .help(format!("set a limit of at least {least}m"));
    if let Some(needed) = needed {
        found = found.label(needed.span, "the request");
    }
    out.push(found);
}

/// Warns of an event log whose directory may not exist. Without the directory, the driver does not start (`EventLogFileWriter`).
pub fn events(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let given =
        |name: &str| context.options.conf.iter().find(|(key, _)| key.value == name).map(|(_, value)| value);
    let Some(on) = given("spark.eventLog.enabled").filter(|value| is_true(value)) else { return };
    if given("spark.eventLog.dir").is_some() {
        return;
    }
    let fact = "without `spark.eventLog.dir`, the driver writes events to /tmp/spark-events, and the job fails if this directory does not exist";
    out.push(
        Diagnostic::new(&SPARK_SETTING_UNCHECKED, on.span, fact)
            .here("writes events to /tmp/spark-events")
            .help("add `spark.eventLog.dir \"hdfs:///spark-events\"` with a directory of the cluster, unless its spark-defaults.conf sets it"),
    );
}

/// Warns if the job sets `JAVA_HOME` only for the driver. On YARN, the driver and the executors have separate environment
/// variables (Spark's page running-on-yarn).
pub fn java(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let given =
        |name: &str| context.options.conf.iter().find(|(key, _)| key.value == name).map(|(_, value)| value);
    let Some(driver) = given("spark.yarn.appMasterEnv.JAVA_HOME") else { return };
    if context.manager != Manager::Yarn || given("spark.executorEnv.JAVA_HOME").is_some() {
        return;
    }
    let fact = "only the driver uses this Java: executors use the Java of their NodeManager";
    out.push(Diagnostic::new(&SPARK_SETTING_UNCHECKED, driver.span, fact).here("Java of the driver").help(
        format!("add `spark.executorEnv.JAVA_HOME \"{}\"` to `conf`", driver.value.as_str().escaped()),
    ));
}

/// Checks that all executors of the job would find a free port if they ran on one node. If a port is in use, an executor tries the
/// next one, at most `spark.port.maxRetries` times (`Utils.startServiceOnPort`).
pub fn ports(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let given =
        |name: &str| context.options.conf.iter().find(|(key, _)| key.value == name).map(|(_, value)| value);
    let number = |value: &At<Text>| value.value.as_str().parse::<u32>().ok();
    let (Some(port), Some(retries)) = (given("spark.blockManager.port"), given("spark.port.maxRetries"))
    else {
        return;
    };
    let tasks = context.plan.tasks();
    let (Some(1..), Some(times)) = (number(port), number(retries)) else { return };
    if context.manager == Manager::Kubernetes || tasks <= times.saturating_add(1) {
        return;
    }
    let fact = format!(
        "{tasks} executors may share a node, but each tries only {} ports from `spark.blockManager.port` on",
        times.saturating_add(1)
    );
    out.push(
        Diagnostic::new(&SPARK_SETTING_VALUE, retries.span, fact)
            .here("too few retries")
            .label(port.span, "the first port")
            .help(format!("write `spark.port.maxRetries \"{}\"` or more, or remove the port", tasks - 1)),
    );
}

/// Returns the ports that Java opens because of Java options of executors, each with the option and the setting that contains it.
fn of_java<'g>(context: &Context<'g>) -> impl Iterator<Item = (u16, String, &'g At<Text>)> + use<'g> {
    let of = |key: &str| key.starts_with("spark.executor.") && key.ends_with("JavaOptions");
    let settings = context.options.conf.iter().filter(move |(key, _)| of(&key.value));
    settings.flat_map(|(_, value)| {
        listened(value.value.as_str()).into_iter().map(move |(port, option)| (port, option, value))
    })
}

/// Reports a fixed port in Java options of executors. Java tries no other port, so a second executor on the same node does not
/// start.
pub fn shared(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let tasks = context.plan.tasks();
    if context.manager == Manager::Kubernetes || tasks < 2 {
        return;
    }
    if let Some((port, option, value)) = of_java(context).next() {
        let fact = format!(
            "the {tasks} executors may share a node, where only one Java process can bind port {port}: the other executors do not start"
        );
        let shown = option.escaped();
        let free = option.starts_with("-Dcom.sun");
        let free = if free { ", or write port 0, so that each executor finds a free port" } else { "" };
        out.push(
            Diagnostic::new(&SPARK_SETTING_VALUE, value.span, fact)
                .here("the same port for all executors")
                .help(format!("remove `{shown}`{free}")),
        );
    }
}

/// Reports a port of a task, if the Java process of its executor opens the same port before the task starts.
pub fn taken(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let mut conf = context.options.conf.iter();
    let block = conf.find(|(key, _)| key.value == "spark.blockManager.port").map(|(_, value)| value);
    let block = block.and_then(|value| Some((value.value.as_str().parse::<u16>().ok()?, value)));
    let options = of_java(context).map(|(port, _, value)| (port, value));
    for (number, value) in block.into_iter().chain(options) {
        for (id, role) in context.plan.roles.iter().enumerate() {
            // A rendezvous port that the spec does not set is picked from the free ports, so it causes no conflict.
            let is_found = |name: &str| name == RENDEZVOUS && super::unstated_port(context.plan, id);
            let mut ports = role.ports.iter().filter(|port| !is_found(&port.name.value));
            if let Some(port) = ports.find(|port| port.number == Some(number)) {
                let fact = format!(
                    "the Java process of each executor binds port {number}, so tasks of `{}` cannot bind it",
                    role.name.value
                );
                out.push(
                    Diagnostic::new(&SPARK_SETTING_VALUE, value.span, fact)
                        .here("the same port")
                        .label(port.name.span, "port of the task")
                        .help("remove the setting, so that Spark finds a free port, or use another number"),
                );
            }
        }
    }
}

/// Returns whether a setting is `true`, in upper or lower case, as in Scala's `toBoolean`.
fn is_true(value: &At<Text>) -> bool {
    value.value.as_str().eq_ignore_ascii_case("true")
}

/// Reports settings that turn on encryption without authentication, because Spark refuses them (`SparkConf.validateSettings`).
pub fn encryption(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let is_on = |name: &str| {
        let on = |(key, value): &&(At<String>, At<Text>)| key.value == name && is_true(value);
        context.options.conf.iter().find(on).map(|(_, value)| value.span)
    };
    if is_on("spark.authenticate").is_some() {
        return;
    }
    for name in ["spark.network.crypto.enabled", "spark.authenticate.enableSaslEncryption"] {
        let fact = format!("Spark refuses `{name}` without `spark.authenticate`");
        out.extend(is_on(name).map(|at| {
            let found = Diagnostic::new(&SPARK_SETTING_VALUE, at, fact).here("needs authentication");
            found.help("add `\"spark.authenticate\" \"true\"` to `conf`")
        }));
    }
}

/// Reports authentication without a secret on a standalone master. Spark itself creates a secret for each application only on YARN
/// and Kubernetes (`SecurityManager.initializeAuth`).
pub fn secret(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let given =
        |name: &str| context.options.conf.iter().find(|(key, _)| key.value == name).map(|(_, value)| value);
    let Some(value) = given("spark.authenticate").filter(|value| is_true(value)) else {
        return;
    };
    if context.manager != Manager::Standalone || given("spark.authenticate.secret").is_some() {
        return;
    }
    let fact = "the driver does not start without `spark.authenticate.secret`, because Spark creates no secret on a standalone master";
    out.push(Diagnostic::new(&SPARK_SETTING_VALUE, value.span, fact).here("needs a secret").help(
        "remove it, or use YARN or Kubernetes, where Spark creates a secret for each job: `master \"yarn\"`",
    ));
}

/// Checks that the heartbeat interval is shorter than the network timeout (`SparkConf.validateSettings`). Spark reads the timeout
/// in whole seconds.
pub fn silence(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    const TIMEOUT: (&str, Unit, i64) = ("spark.network.timeout", Unit::Second, 120);
    const BEAT: (&str, Unit, i64) = ("spark.executor.heartbeatInterval", Unit::Milli, 10_000);
    let given =
        |name: &str| context.options.conf.iter().find(|(key, _)| key.value == name).map(|(_, value)| value);
    let (timeout, beat) = (given(TIMEOUT.0), given(BEAT.0));
    let read = |value: Option<&At<Text>>, (_, unit, default): (&str, Unit, i64)| {
        value.map_or(Some(default), |value| unit.read(value.value.as_str()))
    };
    let (Some(longest), Some(between)) = (read(timeout, TIMEOUT), read(beat, BEAT)) else { return };
    if longest.saturating_mul(1000) > between {
        return;
    }
    let Some(at) = beat.or(timeout) else { return };
    let mut found = Diagnostic::new(
        &SPARK_SETTING_VALUE,
        at.span,
        "`spark.network.timeout` must be longer than `spark.executor.heartbeatInterval`; otherwise executors count as lost between two heartbeats",
    )
    .here("timeout not longer than the interval")
    .help("write a longer timeout or a shorter interval; the defaults are `120s` and `10s`");
    if let (Some(_), Some(timeout)) = (beat, timeout) {
        found = found.label(timeout.span, "the timeout");
    }
    out.push(found);
}
