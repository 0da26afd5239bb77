//! A refusal of a part of a feature, such as `limit` of `restart`, marks the property that requests this part.
use crate::request::{analyze, request};
use tfjob_driver::Request;
use tfjob_lang::codes::{ALLOWED_FEATURE, UNSUPPORTED_FEATURE};
use tfjob_targets::ALL;

fn kdl(of_job: &str, of_worker: &str) -> String {
    format!(
        r#"job "a" {{
    framework "tensorflow" version="2.15" strategy="multi-worker-mirrored"
    image "ml/a:1"
    run "python" "a.py"
    resources cpus=1 memory="1GiB"
    {of_job}
    role "worker" count=2 {{
        {of_worker}
    }}
}}"#
    )
}

/// Returns the marked text of each refusal of `restart` on Kubernetes.
fn marked(request: &Request<'_>) -> Vec<String> {
    let analysis = analyze(request);
    let target = ALL.iter().find(|each| each.name() == "kubernetes").expect("a target");
    let found = analysis.check(*target).diagnostics;
    let refused = found.iter().filter(|d| d.code == &UNSUPPORTED_FEATURE || d.code == &ALLOWED_FEATURE);
    let text = |span| analysis.sources.find(span).map_or("", |source| source.slice(span)).to_owned();
    refused.map(|d| text(d.span())).collect()
}

#[test]
fn the_property_is_marked_in_each_format() {
    let limit = "restart \"on-failure\" limit=3";
    for (text, wanted) in [
        (kdl("", limit), "limit=3"),
        (kdl(limit, ""), "limit=3"),
        (kdl("allow \"restart\" on=\"kubernetes\" because=\"short\"", limit), "limit=3"),
        (kdl("", "restart \"on-failure\" { codes 1 42; }"), "codes 1 42"),
    ] {
        assert_eq!(marked(&request(&text)), [wanted], "{text}");
    }
    let yaml = "job:\n  name: a\n  framework: {name: tensorflow, version: '2.15', strategy: multi-worker-mirrored}\n  \
                image: ml/a:1\n  run: [python, a.py]\n  resources: {cpus: 1, memory: 1GiB}\n  role:\n    worker:\n      \
                count: 2\n      restart: {policy: on-failure, limit: 3}\n";
    assert_eq!(marked(&Request::new("a.tfjob.yaml", yaml)), ["limit: 3"]);
}

/// The property is in a setting, and the policy in the spec.
#[test]
fn a_setting_is_marked() {
    let text = kdl("", "restart \"on-failure\"");
    let settings = ["role.worker.restart.limit=3".to_owned()];
    assert_eq!(marked(&request(&text).settings(&settings)), ["limit=3"]);
}
