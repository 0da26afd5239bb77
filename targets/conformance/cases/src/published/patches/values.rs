//! Values at and beyond the bounds of a kind, and keys of maps.
use serde_json::{Value, json};
use tfjob_targets::patch::published::Kind;

const TEXTS: &[&str] = &[
    "",
    "a",
    "A",
    "1",
    "a-b",
    "a.b",
    "a_b",
    "-a",
    "a..b",
    "..a",
    "..",
    "a/b",
    "a/../b",
    "/a",
    "/a/../b",
    "/a:b",
    "a:b",
    "a b",
    " a",
    "a=b",
    "é",
    "$(X)",
    "example.com/a",
    "training.kubeflow.org/job-name",
    "10.0.0.1",
    "010.0.0.1",
    "::1",
    "1.2.3",
    "v1",
    "linux",
    "windows",
    "Always",
    "Localhost",
    "Recursive",
    "NotRequired",
    "cpu",
    "limits.memory",
    "limits.gpu",
    "metadata.name",
    "metadata.labels",
    "metadata.labels['a']",
    "status.podIP",
    "spec.nodeName",
    "spec.node",
    "Memory",
    "HugePages-2Mi",
    "kernel.shm_rmid_forced",
    "net/core",
    "http",
    "In",
    "Exists",
    "AllWorkers",
    "Running",
];

/// Values for a scalar.
pub fn values(kind: Kind) -> Vec<Value> {
    match kind {
        Kind::Words(words) => {
            let known = words.0.iter().take(8).map(|word| json!(word));
            let lower = words.0.iter().take(1).map(|word| json!(word.to_lowercase()));
            known.chain(lower).chain([json!("x"), json!("")]).collect()
        }
        Kind::Text => {
            let long = [63, 64, 65, 253, 254].map(|length| json!("x".repeat(length)));
            TEXTS.iter().map(|text| json!(text)).chain(long).collect()
        }
        Kind::Boolean => vec![json!(true), json!(false)],
        Kind::Int32 | Kind::Int64 | Kind::Number => integers(),
        Kind::Quantity => [
            json!(1),
            json!(0),
            json!(-1),
            json!(2),
            json!(0.5),
            json!("1"),
            json!("500m"),
            json!("1.5"),
            json!("16Gi"),
            json!("5e9"),
            json!("2Mi"),
            json!("3Mi"),
            json!("-1"),
            json!("1gi"),
            json!(""),
            json!("1n"),
            json!("100E"),
        ]
        .into(),
        Kind::IntOrText => [
            json!(80),
            json!(0),
            json!(-1),
            json!(65_535),
            json!(65_536),
            json!("http"),
            json!("HTTP"),
            json!(""),
            json!("80"),
        ]
        .into(),
        Kind::Any => vec![json!(1)],
        Kind::Object(_) | Kind::Map(_) | Kind::List(_) => Vec::new(),
    }
}

fn integers() -> Vec<Value> {
    [
        -2_147_483_649,
        -1,
        0,
        1,
        2,
        30,
        31,
        80,
        100,
        101,
        511,
        512,
        599,
        600,
        4096,
        65_535,
        65_536,
        2_147_483_647,
        2_147_483_648,
        4_294_967_296,
        4_294_967_297,
        9_007_199_254_740_993,
        i64::MAX,
    ]
    .map(|number| json!(number))
    .into_iter()
    .chain([json!(u64::MAX), json!(1.5)])
    .collect()
}

/// Returns a value of another kind.
pub fn mistyped(kind: Kind) -> Value {
    match kind {
        Kind::Words(_) | Kind::Text => json!(1),
        Kind::Boolean => json!("true"),
        Kind::Int32 | Kind::Int64 | Kind::Number => json!("1"),
        Kind::Quantity | Kind::IntOrText => json!(true),
        Kind::Object(_) | Kind::Map(_) => json!([]),
        Kind::List(_) => json!({}),
        Kind::Any => json!(null),
    }
}

/// Keys of a map in this field.
pub fn keys(field: &str) -> &'static [&'static str] {
    match field {
        "limits" | "requests" | "minResources" | "overhead" => &[
            "cpu",
            "memory",
            "ephemeral-storage",
            "storage",
            "hugepages-2Mi",
            "hugepages-x",
            "nvidia.com/gpu",
            "kubernetes.io/x",
            "pods",
            "a",
            "",
        ],
        "tfReplicaSpecs" => &["Worker"],
        _ => &["a", "A.b_c", "example.com/a", "Example.com/a", "-a", "a b", "training.kubeflow.org/job-name"],
    }
}
