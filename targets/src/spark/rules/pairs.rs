//! Settings that must agree with each other, or with what the cluster manager makes.
use super::super::context::{Context, Manager};
use super::super::settings::{Unit, millicores};
use super::java::ports::listened;
use crate::codes::{SPARK_SETTING_UNCHECKED, SPARK_SETTING_VALUE};
use tfjob_lang::at::At;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::spec::values::Text;

/// The API server refuses a pod that needs more than its limit (`BasicDriverFeatureStep`).
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
    let fact = format!("the driver's pod needs {least} thousandths of a core, and its limit is {most}");
    let mut found = Diagnostic::new(&SPARK_SETTING_VALUE, limit.span, fact)
        .here("below the request")
        .help(format!("write a limit of at least {least}m"));
    if let Some(needed) = needed {
        found = found.label(needed.span, "the request");
    }
    out.push(found);
}

/// Spark writes its log of events into a folder that is there, or the driver does not start (`EventLogFileWriter`).
pub fn events(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let given =
        |name: &str| context.options.conf.iter().find(|(key, _)| key.value == name).map(|(_, value)| value);
    let Some(on) = given("spark.eventLog.enabled").filter(|value| is_true(value)) else { return };
    if given("spark.eventLog.dir").is_some() {
        return;
    }
    let fact = "without `spark.eventLog.dir` the driver writes to /tmp/spark-events, and ends if no such folder is there";
    out.push(
        Diagnostic::new(&SPARK_SETTING_UNCHECKED, on.span, fact)
            .here("not checked")
            .help("add `spark.eventLog.dir \"hdfs:///spark-events\"` with a folder of the cluster, unless its spark-defaults.conf names one"),
    );
}

/// YARN starts the driver and each executor in containers with variables of their own (Spark's running-on-yarn page).
pub fn java(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let given =
        |name: &str| context.options.conf.iter().find(|(key, _)| key.value == name).map(|(_, value)| value);
    let Some(driver) = given("spark.yarn.appMasterEnv.JAVA_HOME") else { return };
    if context.manager != Manager::Yarn || given("spark.executorEnv.JAVA_HOME").is_some() {
        return;
    }
    let fact = "the driver alone runs in this Java: executors run in the Java of their node manager";
    out.push(Diagnostic::new(&SPARK_SETTING_UNCHECKED, driver.span, fact).here("not checked").help(format!(
        "add `spark.executorEnv.JAVA_HOME \"{}\"` to `conf`",
        driver.value.as_str().escape_debug()
    )));
}

/// Each executor of a host takes the next port after the one that is taken, so often (`Utils.startServiceOnPort`).
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
        "{tasks} executors may share a host, where each tries {} ports from `spark.blockManager.port` on",
        times.saturating_add(1)
    );
    out.push(
        Diagnostic::new(&SPARK_SETTING_VALUE, retries.span, fact)
            .here("too few")
            .label(port.span, "the first port")
            .help(format!("write `spark.port.maxRetries \"{}\"` or more, or remove the port", tasks - 1)),
    );
}

/// The ports that the Java machine of each executor listens on by its options, with the option and its setting.
fn of_java<'g>(context: &Context<'g>) -> impl Iterator<Item = (u16, String, &'g At<Text>)> + use<'g> {
    let of = |key: &str| key.starts_with("spark.executor.") && key.ends_with("JavaOptions");
    let settings = context.options.conf.iter().filter(move |(key, _)| of(&key.value));
    settings.flat_map(|(_, value)| {
        listened(value.value.as_str()).into_iter().map(move |(port, option)| (port, option, value))
    })
}

/// A port of an option is not tried again: the second Java machine of a host ends.
pub fn shared(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let tasks = context.plan.tasks();
    if context.manager == Manager::Kubernetes || tasks < 2 {
        return;
    }
    if let Some((port, option, value)) = of_java(context).next() {
        let fact = format!(
            "{tasks} executors may share a host, where only one Java process can listen on port {port}: the others do not start"
        );
        let shown = option.escape_debug();
        let free = option.starts_with("-Dcom.sun");
        let free = if free { ", or write port 0, so that each finds a free one" } else { "" };
        out.push(
            Diagnostic::new(&SPARK_SETTING_VALUE, value.span, fact)
                .here("one port for all executors")
                .help(format!("remove `{shown}`{free}")),
        );
    }
}

/// The Java machine of an executor opens its ports before the task starts, in the same network.
pub fn taken(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let mut conf = context.options.conf.iter();
    let block = conf.find(|(key, _)| key.value == "spark.blockManager.port").map(|(_, value)| value);
    let block = block.and_then(|value| Some((value.value.as_str().parse::<u16>().ok()?, value)));
    let options = of_java(context).map(|(port, _, value)| (port, value));
    for (number, value) in block.into_iter().chain(options) {
        for (id, role) in context.plan.roles.iter().enumerate() {
            // A port of the rendezvous that nobody wrote is a free one.
            let is_found = |name: &str| name == "rendezvous" && super::unstated_port(context.plan, id);
            let mut ports = role.ports.iter().filter(|own| !is_found(&own.name.value));
            if let Some(own) = ports.find(|own| own.number == Some(number)) {
                let fact = format!(
                    "each executor's Java process listens on port {number}, so that no task of `{}` can",
                    role.name.value
                );
                out.push(
                    Diagnostic::new(&SPARK_SETTING_VALUE, value.span, fact)
                        .here("the same port")
                        .label(own.name.span, "the task's port")
                        .help("remove the setting, so that Spark finds a free port, or write another number"),
                );
            }
        }
    }
}

/// `toBoolean` of Scala reads upper case too.
fn is_true(value: &At<Text>) -> bool {
    value.value.as_str().eq_ignore_ascii_case("true")
}

/// Encryption is of connections that have a secret (`SparkConf.validateSettings`).
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
            let found = Diagnostic::new(&SPARK_SETTING_VALUE, at, fact).here("needs a secret");
            found.help("add `\"spark.authenticate\" \"true\"` to `conf`")
        }));
    }
}

/// YARN and Kubernetes make a secret for each application; elsewhere Spark takes it from a setting
/// (`SecurityManager.initializeAuth`).
pub fn secret(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let given =
        |name: &str| context.options.conf.iter().find(|(key, _)| key.value == name).map(|(_, value)| value);
    let Some(value) = given("spark.authenticate").filter(|value| is_true(value)) else {
        return;
    };
    if context.manager != Manager::Standalone || given("spark.authenticate.secret").is_some() {
        return;
    }
    let fact = "a standalone master makes no secret: the driver refuses to start without `spark.authenticate.secret`";
    out.push(
        Diagnostic::new(&SPARK_SETTING_VALUE, value.span, fact).here("needs a secret").help(
            "remove it, or use YARN or Kubernetes, which make a secret for each job: `master \"yarn\"`",
        ),
    );
}

/// An executor must be heard more often than it is given up (`SparkConf.validateSettings`). Spark reads the longer time in
/// whole seconds.
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
        "Spark gives an executor up after `spark.network.timeout`, and hears it only each `spark.executor.heartbeatInterval`",
    )
    .here("the longer of the two must be the timeout")
    .help("unless given, the timeout is `120s` and the heartbeat `10s`");
    if let (Some(_), Some(timeout)) = (beat, timeout) {
        found = found.label(timeout.span, "the timeout");
    }
    out.push(found);
}
