//! Functions that several modules of `support` use. They concern values that must be equal in all roles, environment variables of
//! containers, and labels of pods.
use super::Support;
use crate::spark::context::Context;

/// Returns the refusal of a value that differs between roles: all executors are identical. `what`: name of the value.
pub fn must_be_uniform(what: &str) -> Support {
    Support::unsupported(
        format!("all executors of a Spark job are identical, so {what} must be the same for all roles"),
        "set the same value in every role, or once in the job",
        "spark#uniform-executors",
    )
}

/// Returns the settings for environment variables of YARN containers: those of the executors and, in cluster mode, of the driver.
/// `settings`: returns the settings for a key prefix, such as `spark.executorEnv`.
pub fn container_variables<const N: usize>(
    context: &Context<'_>,
    settings: impl Fn(&str) -> [(String, String); N],
) -> Vec<(String, String)> {
    let mut all = settings("spark.executorEnv").to_vec();
    if !context.client() {
        all.extend(settings("spark.yarn.appMasterEnv"));
    }
    all
}

/// Labels that Spark sets on its pods (`KubernetesConf`, `Constants`).
const RESERVED: [&str; 7] = [
    "spark-app-name",
    "spark-app-selector",
    "spark-exec-id",
    "spark-exec-inactive",
    "spark-exec-resourceprofile-id",
    "spark-role",
    "spark-version",
];

/// Returns why a job cannot set a label, if Spark itself sets this label on its pods.
pub fn reserved_label(key: &str) -> Option<String> {
    RESERVED.contains(&key).then(|| format!("Spark sets the label `{key}` of its pods itself"))
}

/// Returns why a Kubernetes label is invalid, or `None` if it is valid.
pub fn label_fault(key: &str, value: &str) -> Option<String> {
    let edge = |b: Option<u8>| b.is_some_and(|b| b.is_ascii_alphanumeric());
    let word = |text: &str| {
        let inner = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
        text.len() <= 63 && inner && edge(text.bytes().next()) && edge(text.bytes().last())
    };
    let (prefix, name) = key.split_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name));
    if !word(name) || prefix.is_some_and(|p| !crate::names::is_subdomain(p)) {
        return Some(format!("`{key}` is not a valid key of a Kubernetes label"));
    }
    (!value.is_empty() && !word(value))
        .then(|| format!("`{value}` is not a valid value of a Kubernetes label"))
}
