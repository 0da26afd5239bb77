//! Names of Kubernetes objects, which can begin with a digit.
use super::specs::{lone, options};
use crate::pitfalls::{In, Pitfall, rows};

#[rustfmt::skip]
pub fn pitfalls() -> Vec<Pitfall> {
    let space = |name: &str| lone(&options(&format!("namespace \"{name}\"")), "");
    let account = |name: &str| lone(&options(&format!("service-account \"{name}\"")), "");
    let volcano = |name: &str| lone(&format!("start gang=#true\n{}", options(&format!("gang \"volcano\"; volcano-queue \"{name}\""))), "");
    rows("bad-option", vec![
        ("a namespace with a dot", "ValidateNamespaceName", In("ValidateNamespaceName of apimachinery, which requires an RFC 1123 label"),
            "Kubernetes refuses the name, because a namespace name cannot contain a dot",
            space("2024.ml"), "\"2024.ml\"", "not a valid namespace name", space("2024-ml")),
        ("a service account name in uppercase", "ValidateServiceAccountName", In("ValidateServiceAccountName of apimachinery, which requires an RFC 1123 subdomain"),
            "the API server accepts the TFJob, but refuses its pods each time the operator creates them",
            account("Trainer"), "\"Trainer\"", "not a valid service account name", account("2024.trainer")),
        ("a Volcano queue name in uppercase", "ValidateCustomResource of Queue", In("apiextensions-apiserver, which requires an RFC 1123 subdomain as object name"),
            "no Volcano queue can have this name, so no pod starts",
            volcano("ML"), "\"ML\"", "not a valid queue name", volcano(&"q".repeat(100))),
    ])
}
