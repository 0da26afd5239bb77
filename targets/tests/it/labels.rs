//! Node labels with an empty value: only Kubernetes has them, such as `node-role.kubernetes.io/gpu`. Other platforms can match
//! none.

use crate::request::{analyze, request};
use tfjob_targets::ALL;

const KEY: &str = "node-role.kubernetes.io/gpu";

fn spec(key: &str, block: &str) -> String {
    format!(
        r#"job "mnist" {{
    framework "tensorflow" version="2.15"
    image "ml/mnist:1.0"
    run "python" "train.py"
    resources cpus=1 memory="1GiB"
    role "worker" {{ placement {{ node "{key}" "" }} }}
    {block}
}}"#
    )
}

/// Returns the errors of a target, and its artifacts as text.
fn compiled(text: &str, target: &str) -> (Vec<String>, String) {
    let analysis = analyze(&request(text));
    let target = ALL.iter().find(|each| each.name() == target).expect("a target");
    let found = analysis.compile(*target);
    let errors = analysis.diagnostics.iter().chain(&found.diagnostics).filter(|d| d.is_error());
    let told = errors.map(|d| {
        let words = analysis.sources.find(d.span()).map_or("", |source| source.slice(d.span()));
        format!("{words}: {}", d.message)
    });
    let files = found.lowered.iter().flat_map(|lowered| &lowered.artifacts);
    (told.collect(), files.map(|file| file.text.clone()).collect())
}

#[test]
fn kubernetes_selects_nodes_by_a_label_with_an_empty_value() {
    let (told, text) = compiled(&spec(KEY, "target \"kubernetes\""), "kubernetes");
    assert_eq!(told, [""; 0]);
    let job: serde_json::Value = serde_saphyr::from_str(&text).expect("YAML");
    let pod = &job["spec"]["tfReplicaSpecs"]["Worker"]["template"]["spec"];
    assert_eq!(pod["nodeSelector"][KEY], "", "{text}");
}

#[test]
fn platforms_that_match_no_empty_value_refuse_it_where_it_stands() {
    for (target, key, block, fact) in [
        (
            "yarn",
            "rm.yarn.io/gpu",
            "target \"yarn\" { hadoop \"3.4.1\"; placement-constraints #true; resource-manager \"http://rm:8088\"; user \"ada\" }",
            "`\"\"` is not a valid value of a node attribute",
        ),
        ("dcos", "gpu", "target \"dcos\"", "`\"\"` is not a valid value"),
        ("spark", "gpu", "target \"spark\"", "cannot select nodes by attributes"),
    ] {
        let (told, _) = compiled(&spec(key, block), target);
        let found = told.iter().any(|told| told.starts_with("\"\"") && told.contains(fact));
        assert!(found, "{target}: {told:?}");
    }
}
