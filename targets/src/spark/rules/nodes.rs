//! Settings whose value is read again on the node: YARN writes them into the script that starts a container, and
//! Kubernetes into the variables of a pod. Neither is escaped by Spark as its reader needs.
use super::super::context::Manager;

/// The place of a value in YARN's `launch_container.sh`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spot {
    /// `export NAME="…"`, or the name of a link.
    Export,
    /// The same, of addresses that Spark's client opens itself.
    Opened,
    /// The same as `Export`, of settings whose defaults name variables of the node.
    Variables,
    /// A word in `bash -c "…"`, in which `YarnSparkHadoopUtil.escapeForShell` escapes `$` and quotes.
    Word,
    /// A word in `bash -c "…"` as it stands.
    Bare,
}

/// Keys, or parts of keys beside a `*`, and where YARN's script has their values (`Client` and `ExecutorRunnable` of
/// Spark 3.5, `ContainerLaunch` of Hadoop).
const SCRIPT: &[(&str, Spot)] = &[
    ("spark.yarn.appMasterEnv.*", Spot::Export),
    ("spark.executorEnv.*", Spot::Export),
    ("*.extraClassPath", Spot::Export),
    ("spark.jars", Spot::Opened),
    ("spark.yarn.jars", Spot::Opened),
    ("spark.yarn.archive", Spot::Opened),
    ("spark.yarn.stagingDir", Spot::Opened),
    ("spark.yarn.config.*", Spot::Variables),
    ("spark.hadoop.yarn.application.classpath", Spot::Variables),
    ("spark.hadoop.mapreduce.application.classpath", Spot::Variables),
    ("*JavaOptions", Spot::Word),
    ("*.extraLibraryPath", Spot::Bare),
    ("spark.driver.host", Spot::Bare),
];

/// Why the value does not reach its process, and what to write.
pub fn fault(manager: Manager, key: &str, value: &str) -> Option<(String, &'static str)> {
    match manager {
        Manager::Yarn => {
            let listed = SCRIPT.iter().find(|(name, _)| is(key, name)).map(|(_, spot)| *spot);
            script(listed.or_else(|| startup(key).then_some(Spot::Word))?, value)
        }
        Manager::Kubernetes => pod(key, value),
        Manager::Standalone => None,
    }
}

fn is(key: &str, name: &str) -> bool {
    match (name.strip_prefix('*'), name.strip_suffix('*')) {
        (Some(end), _) => key.ends_with(end),
        (None, Some(start)) => key.starts_with(start),
        (None, None) => key == name,
    }
}

/// Whether an executor has the setting in its command (`SparkConf.isExecutorStartupConf`).
fn startup(key: &str) -> bool {
    let families = ["spark.auth", "spark.rpc", "spark.network", "spark.port."];
    families.iter().any(|family| key.starts_with(family))
        || key.starts_with("spark.ssl") && !key.contains("Password")
        || key.ends_with(".port")
}

/// What YARN's script does to a value.
fn script(spot: Spot, value: &str) -> Option<(String, &'static str)> {
    let active: &[char] = match spot {
        Spot::Export | Spot::Opened | Spot::Bare => &['`', '\\', '"', '$'],
        Spot::Variables => &['`', '\\', '"'],
        Spot::Word => &['`', '\\'],
    };
    let found = value.chars().find(|c| active.contains(c));
    if found.is_none() && spot == Spot::Variables && !variables(value) {
        return Some((
            "YARN writes it into a shell script, where `$` may only begin the name of a variable".to_owned(),
            "write variables as `$NAME`",
        ));
    }
    if spot == Spot::Opened && (found == Some('$') || value.contains("{{")) {
        return Some((
            "Spark's client opens the address as it is written, and YARN's script replaces variables in it"
                .to_owned(),
            "write the address without variables",
        ));
    }
    let (does, help) = match found {
        Some('`') => ("runs text between backticks on the node", "remove the backticks"),
        Some('$') => (
            "replaces `$` and what follows",
            "write a variable of the node as `{{NAME}}`, which YARN replaces",
        ),
        Some('"') => ("takes `\"` for the end of the value", "remove the double quotes"),
        Some(_) if spot == Spot::Word => {
            ("takes `\\` for an escape", "remove the backslash; quote an option that has blanks with `'`")
        }
        Some(_) => ("takes `\\` for an escape", "remove the backslash"),
        None if !references(value) => {
            ("reads `{{` and `}}` as `$`", "write a variable of the node as `{{NAME}}`")
        }
        None => return None,
    };
    Some((format!("YARN writes it into the shell script of a container, which {does}"), help))
}

/// Whether each `{{` opens the name of a variable, which YARN makes a reference.
fn references(value: &str) -> bool {
    let mut rest = value.split("{{");
    let free = |text: &str| !text.contains("}}");
    rest.next().is_none_or(free)
        && rest.all(|part| part.split_once("}}").is_some_and(|(name, after)| is_name(name) && free(after)))
}

/// Whether each `$` opens the name of a variable.
fn variables(value: &str) -> bool {
    value.split('$').skip(1).all(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

fn is_name(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit())
        && !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// What Kubernetes does to a variable of a pod: `SPARK_JAVA_OPT_…`, `SPARK_CLASSPATH` and those of the driver.
fn pod(key: &str, value: &str) -> Option<(String, &'static str)> {
    let variable = startup(key)
        || key.starts_with("spark.kubernetes.driverEnv.")
        || key.starts_with("spark.executorEnv.")
        || key.ends_with(".extraClassPath")
        || key.starts_with("spark.executor.") && key.ends_with("JavaOptions");
    (variable && (value.contains("$(") || value.contains("$$"))).then(|| {
        let fact = "Spark writes it into a variable of a pod, where Kubernetes replaces `$(NAME)` and `$$`";
        (fact.to_owned(), "write `$` followed by neither `(` nor `$`")
    })
}

#[cfg(test)]
mod tests {
    use super::{Manager, SCRIPT, Spot, fault};

    /// Text that does something in `launch_container.sh`, or breaks it.
    const ACTIVE: [&str; 5] = ["/a/`id`", "/a/{{(id)}}", "a\\", "{{A", "A}}"];

    #[test]
    fn a_shell_on_the_node_sees_no_active_text() {
        let refused = |key: &str, value: &str| fault(Manager::Yarn, key, value).is_some();
        for key in [
            "spark.driver.extraJavaOptions",
            "spark.driver.defaultJavaOptions",
            "spark.executor.extraJavaOptions",
            "spark.yarn.am.extraJavaOptions",
            "spark.driver.extraClassPath",
            "spark.executor.extraClassPath",
            "spark.driver.extraLibraryPath",
            "spark.executor.extraLibraryPath",
            "spark.yarn.am.extraLibraryPath",
            "spark.ssl.keyStore",
            "spark.network.crypto.cipher",
            "spark.authenticate.x",
            "spark.rpc.x",
            "spark.yarn.appMasterEnv.A",
            "spark.executorEnv.A",
            "spark.yarn.stagingDir",
            "spark.yarn.jars",
            "spark.yarn.archive",
            "spark.jars",
            "spark.driver.host",
            "spark.hadoop.yarn.application.classpath",
        ] {
            for value in ACTIVE {
                assert!(refused(key, value), "{key}={value}");
            }
            assert!(refused(key, "$(id)") || key.ends_with("Options") || super::startup(key), "{key}");
            let opened = SCRIPT.contains(&(key, Spot::Opened));
            assert!(!refused(key, "/opt/a b,c;d&e>f*/lib"), "{key}");
            assert_eq!(refused(key, "/opt/{{PWD}}/lib"), opened, "{key}");
        }
        assert!(!refused("spark.executor.extraJavaOptions", "-Da='x $y' -XX:HeapDumpPath=<LOG_DIR>"));
        assert!(!refused("spark.hadoop.yarn.application.classpath", "$HADOOP_CONF_DIR,$PWD/*"));
        assert!(!refused("spark.ui.view.acls", "`"));
    }

    #[test]
    fn kubernetes_replaces_references_in_variables() {
        let refused = |key: &str, value: &str| fault(Manager::Kubernetes, key, value).is_some();
        for key in [
            "spark.executor.extraJavaOptions",
            "spark.driver.extraClassPath",
            "spark.kubernetes.driverEnv.A",
            "spark.executorEnv.A",
            "spark.ssl.keyStore",
        ] {
            assert!(refused(key, "$(HOME)") && refused(key, "a$$b") && !refused(key, "`a` $b"), "{key}");
        }
        assert!(!refused("spark.driver.extraJavaOptions", "-Da=$(HOME)"));
        assert!(fault(Manager::Standalone, "spark.executor.extraJavaOptions", "`a`").is_none());
    }
}
