//! Names of objects of Kubernetes, which may begin with a digit.
use super::specs::{lone, options};
use crate::pitfalls::{In, Pitfall, rows};

#[rustfmt::skip]
pub fn pitfalls() -> Vec<Pitfall> {
    let space = |name: &str| lone(&options(&format!("namespace \"{name}\"")), "");
    let account = |name: &str| lone(&options(&format!("service-account \"{name}\"")), "");
    let volcano = |name: &str| lone(&format!("start gang=#true\n{}", options(&format!("gang \"volcano\"; volcano-queue \"{name}\""))), "");
    rows("bad-option", vec![
        ("a namespace with a dot", "ValidateNamespaceName", In("ValidateNamespaceName of apimachinery: an RFC 1123 label"),
            "refused: a namespace has no dot; it may begin with a digit",
            space("2024.ml"), "\"2024.ml\"", "not a valid namespace name", space("2024-ml")),
        ("a service account name in uppercase", "ValidateServiceAccountName", In("ValidateServiceAccountName of apimachinery: an RFC 1123 subdomain"),
            "the TFJob is accepted, but the API server refuses its pods at every attempt",
            account("Trainer"), "\"Trainer\"", "not a valid service account name", account("2024.trainer")),
        ("a Volcano queue name in uppercase", "ValidateCustomResource of Queue", In("apiextensions-apiserver: the name of an object is an RFC 1123 subdomain"),
            "no queue can have this name, and no pod starts",
            volcano("ML"), "\"ML\"", "not a valid queue name", volcano(&"q".repeat(100))),
    ])
}
