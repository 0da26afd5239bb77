//! Checks of settings whose values the node expands, because Spark does not escape them. YARN writes these values into the launch
//! script of a container, and Kubernetes into environment variables of a pod.
use super::super::context::Manager;

/// Where YARN writes a value in `launch_container.sh`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spot {
    /// In `export NAME="…"`, or in the name of a link.
    Export,
    /// As `Export`. In addition, Spark's client opens the value as an address on the submitting host, without expanding it.
    Opened,
    /// As `Export`, but references to environment variables of the node are allowed, because the default value of the setting has
    /// some.
    Variables,
    /// In an argument in `bash -c "…"`. `YarnSparkHadoopUtil.escapeForShell` escapes `$` and quotes.
    Word,
    /// In an argument in `bash -c "…"`, without escaping.
    Bare,
}

/// Keys of settings, each with the place where YARN writes its value. `*` in a key stands for any text (`Client` and
/// `ExecutorRunnable` of Spark 3.5, `ContainerLaunch` of Hadoop).
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

/// Returns why the value of a setting does not reach the process unchanged, and a help. `None` if the value reaches the process
/// unchanged.
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

/// Returns whether Spark writes a setting into the launch command of executors (`SparkConf.isExecutorStartupConf`).
fn startup(key: &str) -> bool {
    let families = ["spark.auth", "spark.rpc", "spark.network", "spark.port."];
    families.iter().any(|family| key.starts_with(family))
        || key.starts_with("spark.ssl") && !key.contains("Password")
        || key.ends_with(".port")
}

/// Returns how the launch script of YARN changes a value, and a help. `None` if it does not change the value.
fn script(spot: Spot, value: &str) -> Option<(String, &'static str)> {
    let active: &[char] = match spot {
        Spot::Export | Spot::Opened | Spot::Bare => &['`', '\\', '"', '$'],
        Spot::Variables => &['`', '\\', '"'],
        Spot::Word => &['`', '\\'],
    };
    let found = value.chars().find(|c| active.contains(c));
    if found.is_none() && spot == Spot::Variables && !variables(value) {
        return Some((
            "YARN writes the value into a shell script, in which `$` must be followed by a variable name"
                .to_owned(),
            "write variables as `$NAME`",
        ));
    }
    if spot == Spot::Opened && (found == Some('$') || value.contains("{{")) {
        return Some((
            "Spark's client opens the address as written, but YARN's launch script expands variables in it"
                .to_owned(),
            "write the address without variables",
        ));
    }
    let (does, help) = match found {
        Some('`') => ("executes text between backticks", "remove the backticks"),
        Some('$') => (
            "expands `$` and the text after it",
            "write a variable of the node as `{{NAME}}`, which YARN expands",
        ),
        Some('"') => ("ends the value at `\"`", "remove the double quotes"),
        Some(_) if spot == Spot::Word => {
            ("reads `\\` as an escape", "remove the backslash; quote an option that contains spaces with `'`")
        }
        Some(_) => ("reads `\\` as an escape", "remove the backslash"),
        None if !references(value) => {
            ("reads `{{` and `}}` as `$`", "write a variable of the node as `{{NAME}}`")
        }
        None => return None,
    };
    Some((
        format!("YARN writes the value into the launch script of a container, in which the shell {does}"),
        help,
    ))
}

/// Returns whether each `{{` begins a reference `{{NAME}}`. YARN replaces such a reference by the value of an environment variable
/// of the node.
fn references(value: &str) -> bool {
    let mut rest = value.split("{{");
    let free = |text: &str| !text.contains("}}");
    rest.next().is_none_or(free)
        && rest.all(|part| part.split_once("}}").is_some_and(|(name, after)| is_name(name) && free(after)))
}

/// Returns whether each `$` begins a reference to an environment variable.
fn variables(value: &str) -> bool {
    value.split('$').skip(1).all(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

fn is_name(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit())
        && !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Returns how Kubernetes changes a value that Spark writes into an environment variable of a pod, such as `SPARK_JAVA_OPT_0`, and
/// a help. `None` if it does not change the value.
fn pod(key: &str, value: &str) -> Option<(String, &'static str)> {
    let variable = startup(key)
        || key.starts_with("spark.kubernetes.driverEnv.")
        || key.starts_with("spark.executorEnv.")
        || key.ends_with(".extraClassPath")
        || key.starts_with("spark.executor.") && key.ends_with("JavaOptions");
    (variable && (value.contains("$(") || value.contains("$$"))).then(|| {
        let fact =
            "Spark writes the value into a variable of a pod, where Kubernetes expands `$(NAME)` and `$$`";
        (fact.to_owned(), "do not write `(` or `$` after `$`")
    })
}

#[cfg(test)]
mod tests {
    use super::{Manager, SCRIPT, Spot, fault};

    /// Texts that the shell or YARN expands in `launch_container.sh`, or that make this script invalid.
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
