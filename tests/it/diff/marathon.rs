//! `tfjob diff --live` with an answer of Marathon.
use super::JOB;
use super::live::{compared, objects};
use serde_json::{Value, json};

/// Returns what Marathon writes for the unset fields of an object of an app. Source: the RAML types of Marathon 1.11 and
/// `AppConversion.scala`. `pointer`: the object in the app, with `*` for an index.
fn defaults() -> [(&'static str, Value); 7] {
    [
        (
            "",
            json!({
                "disk": 0.0, "gpus": 0, "executor": "", "killSelection": "YOUNGEST_FIRST", "labels": {}, "requirePorts": false,
                "role": "*", "tty": false, "version": "2026-11-30T10:00:00.000Z",
                "versionInfo": {"lastScalingAt": "2026-11-30T10:00:00.000Z", "lastConfigChangeAt": "2026-11-30T10:00:00.000Z"},
            }),
        ),
        ("container", json!({"volumes": []})),
        ("container/docker", json!({"forcePullImage": false, "parameters": [], "privileged": false})),
        (
            "container/portMappings/*",
            json!({"hostPort": 0, "labels": {}, "protocol": "tcp", "servicePort": 10_000}),
        ),
        ("portDefinitions/*", json!({"labels": {}, "protocol": "tcp"})),
        ("fetch/*", json!({"cache": false})),
        ("healthChecks/*", json!({"ipProtocol": "IPv4"})),
    ]
}

/// Adds the fields that an object does not have, and returns how many objects there are.
fn fill(at: &mut Value, path: &[&str], added: &Value) -> usize {
    match (path, at) {
        ([], Value::Object(own)) => {
            for (key, value) in added.as_object().unwrap() {
                own.entry(key).or_insert_with(|| value.clone());
            }
            1
        }
        (["*", rest @ ..], Value::Array(items)) => items.iter_mut().map(|item| fill(item, rest, added)).sum(),
        ([key, rest @ ..], Value::Object(own)) => own.get_mut(*key).map_or(0, |at| fill(at, rest, added)),
        (_, _) => 0,
    }
}

/// The answer has a value for each unset field, also for those of a container.
#[test]
fn the_defaults_of_marathon_are_no_difference() {
    let edits = [
        ("    env {", "    code \"https://example.com/a.tar.gz\"\n    env {"),
        ("count=2 {", "count=2 {\n        port \"metrics\" 9000\n        ready tcp=\"metrics\""),
        ("    target \"kubernetes\"\n    target \"yarn\"\n", "    target \"dcos\" { version \"2.1\"; }\n"),
    ];
    let on_host = edits.iter().fold(JOB.to_owned(), |spec, (from, to)| spec.replace(from, to));
    let on_network = on_host.replace("    env {", "    network \"dcos\"\n    env {");
    let mut seen = [0; 7];
    for spec in [on_host, on_network] {
        let mut live = objects(&spec, "dcos").remove(0);
        let group = json!({"version": "2026-11-30T10:00:00.000Z", "dependencies": [], "groups": [], "pods": [], "enforceRole": false});
        fill(&mut live, &[], &group);
        for ((pointer, added), seen) in defaults().iter().zip(&mut seen) {
            let path: Vec<&str> =
                ["apps", "*"].into_iter().chain(pointer.split('/').filter(|step| !step.is_empty())).collect();
            *seen += fill(&mut live, &path, added);
        }
        assert_eq!(compared(&spec, "dcos", &live), (0, "no difference in 1 job\n".to_owned()));
        live["apps"][0]["container"]["docker"]["privileged"] = json!(true);
        let (code, report) = compared(&spec, "dcos", &live);
        assert!(code == 1 && report.contains("container.docker.privileged: true -> (unset)"), "{report}");
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}
