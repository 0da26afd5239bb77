//! What several areas share: values that all executors have in common, variables of containers, labels of pods.
use super::Support;
use crate::spark::context::Context;

/// Something that roles have in different ways, and executors only in one.
pub fn alike(what: &str) -> Support {
    Support::unsupported(
        format!("has one kind of executor for all roles, so {what} cannot differ"),
        "write the same in every role, or in the job",
        "spark#uniform-executors",
    )
}

/// Variables of YARN's containers: the executors', and the driver's where it is one.
pub fn everywhere<const N: usize>(
    context: &Context<'_>,
    settings: impl Fn(&str) -> [(String, String); N],
) -> Vec<(String, String)> {
    let mut all = settings("spark.executorEnv").to_vec();
    if !context.client() {
        all.extend(settings("spark.yarn.appMasterEnv"));
    }
    all
}

/// Labels that Spark gives its pods (`KubernetesConf`, `Constants`).
const RESERVED: [&str; 7] = [
    "spark-app-name",
    "spark-app-selector",
    "spark-exec-id",
    "spark-exec-inactive",
    "spark-exec-resourceprofile-id",
    "spark-role",
    "spark-version",
];

/// Why a job cannot give Spark's pods a label of that key.
pub fn reserved_label(key: &str) -> Option<String> {
    RESERVED.contains(&key).then(|| format!("Spark gives each pod its own label `{key}`"))
}

/// What keeps a pair from being a label of Kubernetes.
pub fn label_fault(key: &str, value: &str) -> Option<String> {
    let edge = |b: Option<u8>| b.is_some_and(|b| b.is_ascii_alphanumeric());
    let word = |text: &str| {
        let inner = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
        text.len() <= 63 && inner && edge(text.bytes().next()) && edge(text.bytes().last())
    };
    let (prefix, name) = key.split_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name));
    if !word(name) || prefix.is_some_and(|p| !crate::names::is_subdomain(p)) {
        return Some(format!("`{key}` is no key of a label"));
    }
    (!value.is_empty() && !word(value)).then(|| format!("`{value}` is no value of a label"))
}
