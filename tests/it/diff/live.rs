//! `tfjob diff --live`: a spec, and what a platform reports. `targets/conformance/live` tests answers of real platforms.
use super::{JOB, folder, json};
use crate::program::{code, err, out, run};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;
use tfjob_driver::{Driver, Request};

/// Returns the TFJob of `JOB` as an API server reports it.
fn reported() -> Value {
    let target = tfjob_targets::REGISTRY.target("kubernetes").unwrap();
    let request = Request::new("a.tfjob.kdl", JOB).targets(std::slice::from_ref(&target)).artifacts(true);
    let checked = Driver::new(tfjob_targets::REGISTRY).check(&request);
    let (_, lowered) = &checked.compiled[0];
    let mut live = lowered.as_ref().unwrap().artifacts[0].documents[0].value.clone();
    live["metadata"]["uid"] = json!("0");
    live["metadata"]["resourceVersion"] = json!("17");
    live["status"] = json!({"conditions": []});
    live
}

fn told(live: &Value) -> (i32, String, String) {
    let dir = folder(&[("a.tfjob.kdl", JOB), ("live.json", &live.to_string())]);
    let said = run(dir.path(), &["diff", "a.tfjob.kdl", "--target", "kubernetes", "--live", "live.json"]);
    (code(&said), out(&said).to_owned(), err(&said).to_owned())
}

#[test]
fn values_of_the_server_are_no_difference() {
    let live = reported();
    let mut untyped = live.clone();
    let fields = untyped.as_object_mut().unwrap();
    let (kind, version) = (fields.remove("kind").unwrap(), fields.remove("apiVersion").unwrap());
    for answer in [
        live.clone(),
        json!({"kind": "List", "apiVersion": "v1", "items": [{"kind": "Pod"}, live]}),
        json!({"kind": format!("{}List", kind.as_str().unwrap()), "apiVersion": version, "items": [untyped]}),
    ] {
        assert_eq!(told(&answer), (0, "no difference in 1 job\n".to_owned(), String::new()));
    }
}

/// Returns the objects of a spec in the form in which a platform reports them.
pub(super) fn objects(spec: &str, target: &str) -> Vec<Value> {
    let target = tfjob_targets::REGISTRY.target(target).unwrap();
    let request = Request::new("a.tfjob.kdl", spec).targets(std::slice::from_ref(&target)).artifacts(true);
    let checked = Driver::new(tfjob_targets::REGISTRY).check(&request);
    let lowered = checked.compiled[0].1.as_ref().unwrap();
    lowered.artifacts.iter().flat_map(|file| &file.documents).map(|document| document.value.clone()).collect()
}

/// Returns the report about a spec and an answer of a platform.
pub(super) fn compared(spec: &str, target: &str, answer: &Value) -> (i32, String) {
    let dir = folder(&[("a.tfjob.kdl", spec), ("live.json", &answer.to_string())]);
    let said = run(dir.path(), &["diff", "a.tfjob.kdl", "--target", target, "--live", "live.json"]);
    assert_eq!(err(&said), "");
    (code(&said), out(&said).to_owned())
}

/// Annotations of tools, `null` for unset values, and what Kueue sets in an admitted job.
#[test]
fn values_of_tools_are_no_difference() {
    let spec = JOB
        .replace("    target \"yarn\"\n", "    checkpoints \"gs://b/c\"\n    tensorboard\n")
        .replace("target \"kubernetes\"", "target \"kubernetes\" { local-queue \"q\"; }");
    let mut live = objects(&spec, "kubernetes");
    let foreign =
        json!({"kubectl.kubernetes.io/last-applied-configuration": "{}", "example.com/owner": "bob"});
    for object in &mut live {
        // Tools that convert answers write null for a missing time.
        object["metadata"]["deletionTimestamp"] = json!(null);
        match object["kind"].as_str().unwrap() {
            "TFJob" => {
                let template = &mut object["spec"]["tfReplicaSpecs"]["Worker"]["template"];
                template["metadata"] =
                    json!({"creationTimestamp": null, "labels": {"kueue.x-k8s.io/podset": "w"}});
                template["spec"]["tolerations"] = json!([{"key": "spot", "operator": "Exists"}]);
            }
            "Deployment" => {
                object["spec"]["template"]["metadata"]["creationTimestamp"] = json!(null);
                let annotations = &mut object["metadata"]["annotations"];
                annotations["autopilot.gke.io/warden-version"] = json!("3.0.1");
                annotations["autopilot.gke.io/resource-adjustment"] = json!("{\"output\":{}}");
            }
            "Service" => {
                object["metadata"]["annotations"] = json!({"cloud.google.com/neg": "{\"ingress\":true}"});
            }
            _ => {}
        }
    }
    let same = (0, "no difference in 1 job\n".to_owned());
    assert_eq!(compared(&spec, "kubernetes", &json!({"items": live})), same);
    // One annotation of another tool is the only difference.
    let service = live.iter_mut().find(|object| object["kind"] == "Service").unwrap();
    service["metadata"]["annotations"] = foreign;
    let (code, report) = compared(&spec, "kubernetes", &json!({"items": live}));
    assert!(
        code == 1 && report.contains("example.com/owner") && !report.contains("last-applied"),
        "{report}"
    );
}

/// The jobs of a namespace share the ConfigMap with the shim. An answer that a name or a label selects need not have it.
#[test]
fn a_missing_shim_is_reported_if_the_answer_has_all_config_maps() {
    let spec = JOB
        .replace("count=2 {", "count=2 {\n        restart \"on-failure\" limit=3")
        .replace("    target \"yarn\"\n", "    allow \"restart\" on=\"kubernetes\" because=\"x\"\n");
    let own = objects(&spec, "kubernetes");
    let map = |name: &str, space: &str, labels: Value| json!({"kind": "ConfigMap", "metadata": {"name": name, "namespace": space, "labels": labels}});
    let ca = |space: &str| json!({"kind": "ConfigMap", "metadata": {"name": "kube-root-ca.crt", "namespace": space}});
    let shim = concat!("tfjob-shim-", env!("CARGO_PKG_VERSION"));
    let label = json!({"app.kubernetes.io/managed-by": "tfjob"});
    for (others, is_missing) in [
        (vec![], false),
        (vec![map("b-contract", "default", label.clone())], false),
        (vec![ca("another")], false),
        (vec![ca("default"), map(shim, "default", label.clone())], false),
        (vec![ca("default")], true),
        (
            vec![
                ca("default"),
                map(shim, "another", label.clone()),
                map("tfjob-shim-0.0.1", "default", label),
            ],
            true,
        ),
    ] {
        let items = [own.clone(), others].concat();
        let (code, report) = compared(&spec, "kubernetes", &json!({ "items": items }));
        assert_eq!(code, i32::from(is_missing), "{report}");
        assert_eq!(report.contains(&format!("  not submitted: ConfigMap {shim}\n")), is_missing, "{report}");
        assert_eq!(report.contains("submit the missing objects"), is_missing, "{report}");
    }
    let mut deleted = map(shim, "default", json!({}));
    deleted["metadata"]["deletionTimestamp"] = json!("2026-11-30T12:00:00Z");
    let items = [own, vec![deleted]].concat();
    let (code, report) = compared(&spec, "kubernetes", &json!({ "items": items }));
    assert!(code == 1 && report.contains(&format!("  is being deleted: ConfigMap {shim}\n")), "{report}");
}

/// A queue of YARN can give each service a lifetime.
#[test]
fn a_lifetime_that_the_spec_does_not_set_is_ignored() {
    let spec = JOB.replace("    target \"kubernetes\"\n", "");
    let mut live = objects(&spec, "yarn").remove(0);
    for lifetime in [-1, 80_000] {
        live["lifetime"] = json!(lifetime);
        assert_eq!(compared(&spec, "yarn", &live), (0, "no difference in 1 job\n".to_owned()));
    }
    let with = spec.replace("    image", "    deadline \"1h\"\n    image");
    assert_eq!(compared(&with, "yarn", &live).0, 1, "the service runs longer");
    // YARN cannot remove the lifetime of a running service.
    let (_, added) = super::compared(&spec, &with, &["--fail-on", "recreate"]);
    let (code, removed) = super::compared(&with, &spec, &["--fail-on", "recreate"]);
    assert!(added.contains("1 in place") && code == 1 && removed.contains("1 recreate"), "{added}{removed}");
}

/// YARN reports only how long the service still runs.
#[test]
fn a_remaining_lifetime_has_a_note() {
    let spec = JOB.replace("    target \"kubernetes\"\n", "    deadline \"2d\"\n");
    let mut live = objects(&spec, "yarn").remove(0);
    for (lifetime, note) in [
        (172_800, ""),
        (
            3000,
            "note: YARN stops the service in 3000 s, and does not report its whole lifetime: a shorter `deadline` of the submitted service is not found\n",
        ),
    ] {
        live["lifetime"] = json!(lifetime);
        let dir = folder(&[("a.tfjob.kdl", &spec), ("live.json", &live.to_string())]);
        let args = ["a.tfjob.kdl", "--target", "yarn", "--live", "live.json"];
        let said = run(dir.path(), &[&["diff"], &args[..]].concat());
        assert_eq!((code(&said), out(&said), err(&said)), (0, "no difference in 1 job\n", note));
        let notes = json(dir.path(), &args)["notes"].as_array().unwrap().len();
        assert_eq!(notes, usize::from(!note.is_empty()));
    }
}

/// Other versions of the job may be on the next page.
#[test]
fn a_page_of_a_list_is_an_error() {
    for (token, is_page) in [("", false), ("eyJ2IjoibWV0YS5r", true)] {
        let answer = json!({"kind": "List", "metadata": {"continue": token}, "items": [reported()]});
        let (code, report, error) = told(&answer);
        assert_eq!(code, if is_page { 2 } else { 0 }, "{report}{error}");
        assert_eq!(error.contains("it is one page of a list"), is_page, "{error}");
    }
}

#[test]
fn values_that_a_person_has_changed_are_differences() {
    let mut live = reported();
    live["spec"]["tfReplicaSpecs"]["Worker"]["replicas"] = json!(7);
    live["spec"]["tfReplicaSpecs"]["Worker"]["template"]["spec"]["hostNetwork"] = json!(true);
    let (code, report, _) = told(&live);
    assert_eq!(code, 1);
    assert!(report.contains("replicas: 7 -> 2  (a.tfjob.kdl:8)"), "{report}");
    assert!(report.contains("hostNetwork: true -> (unset)"), "{report}");
    let dir = folder(&[("a.tfjob.kdl", JOB), ("live.json", &live.to_string())]);
    let report = json(dir.path(), &["a.tfjob.kdl", "--target", "kubernetes", "--live", "live.json"]);
    assert_eq!(report["old"], "live.json");
}

/// `kubectl apply` keeps values that the manifest before did not contain, except in lists.
#[test]
fn a_value_that_was_not_applied_stays() {
    let applied = reported();
    let mut live = applied.clone();
    live["metadata"]["annotations"]["kubectl.kubernetes.io/last-applied-configuration"] =
        json!(applied.to_string());
    live["spec"]["runPolicy"]["backoffLimit"] = json!(7);
    let (code, report, _) = told(&live);
    assert_eq!(code, 1);
    assert!(
        report.contains("kubernetes: remove the value in the cluster, or write it in the spec"),
        "{report}"
    );
    assert!(
        report.contains("in place: the manifest that was applied last does not contain this value"),
        "{report}"
    );
    live["spec"]["tfReplicaSpecs"]["Worker"]["template"]["spec"]["containers"][0]["tty"] = json!(true);
    let (_, report, _) = told(&live);
    assert!(report.contains("kubernetes: delete the old job"), "{report}");
    let worker = &mut live["spec"]["tfReplicaSpecs"]["Worker"]["template"]["spec"];
    worker["containers"][0].as_object_mut().unwrap().remove("tty");
    worker["hostNetwork"] = json!(true);
    assert!(told(&live).1.contains("but running Pods keep the old value"), "{}", told(&live).1);
    let mut before = applied.clone();
    before["spec"]["runPolicy"]["backoffLimit"] = json!(7);
    live["metadata"]["annotations"]["kubectl.kubernetes.io/last-applied-configuration"] =
        json!(before.to_string());
    assert!(!told(&live).1.contains("applied last"));
}

#[test]
fn amounts_may_be_written_differently() {
    let mut live = reported();
    let container = &mut live["spec"]["tfReplicaSpecs"]["Worker"]["template"]["spec"]["containers"][0];
    container["resources"]["limits"]["memory"] = json!("1024Mi");
    container["resources"]["limits"]["cpu"] = json!("1000m");
    assert_eq!(told(&live).0, 0);
}

#[test]
fn an_answer_without_the_job_is_an_error() {
    for answer in [json!({"items": []}), json!([]), json!(1), json!(null)] {
        let (code, report, error) = told(&answer);
        assert_eq!((code, report.as_str()), (2, ""), "{answer}");
        assert!(error.contains("does not contain TFJob a"), "{error}");
    }
    let status = json!({"kind": "Status", "code": 404, "message": "tfjobs \"a\" not found"});
    assert!(
        told(&status).2.contains("the API server reports an error: tfjobs \"a\" not found"),
        "{}",
        told(&status).2
    );
    let status = json!({"kind": "Status", "message": "cannot pull https://bob:hunter2SecretX9@registry/a"});
    assert!(!told(&status).2.contains("hunter2SecretX9"), "{}", told(&status).2);
    let dir = folder(&[("a.tfjob.kdl", JOB)]);
    fs::write(dir.path().join("live.json"), "kind: TFJob\n").unwrap();
    let said = run(dir.path(), &["diff", "a.tfjob.kdl", "--target", "kubernetes", "--live", "live.json"]);
    assert!(
        code(&said) == 2
            && err(&said).contains("is YAML, not JSON: write it with `kubectl get --output json`"),
        "{}",
        err(&said)
    );
}

#[test]
fn one_job_and_one_target_are_compared() {
    let dir =
        folder(&[("a.tfjob.kdl", JOB), ("live.json", "{}"), ("b.tfjob.kdl", &JOB.replace("\"a\"", "\"b\""))]);
    let said = run(dir.path(), &["diff", "a.tfjob.kdl", "--live", "live.json"]);
    assert!(code(&said) == 2 && err(&said).contains("of one target: set `--target`"), "{}", err(&said));
    let said = run(dir.path(), &["diff", ".", "--live", "live.json", "--target", "yarn"]);
    assert!(code(&said) == 2 && err(&said).contains("compares one job"), "{}", err(&said));
}

#[test]
fn credentials_of_the_answer_are_masked() {
    let mut live = reported();
    let container = &mut live["spec"]["tfReplicaSpecs"]["Worker"]["template"]["spec"]["containers"][0];
    container["env"] =
        json!([{"name": "DB_PASSWORD", "value": "RotatedPw99x"}, {"name": "MODE", "value": "slow"}]);
    let (code, report, _) = told(&live);
    assert_eq!(code, 1);
    assert!(!report.contains("RotatedPw99x") && report.contains("\"slow\" -> \"fast\""), "{report}");
}

/// An error message of a platform may quote any text of a job.
#[test]
fn credentials_of_error_messages_are_masked() {
    let secret = "hunter2Wxyz99";
    for form in [
        "password=VALUE",
        "password = VALUE",
        "password: VALUE",
        "password='VALUE'",
        "password=\"VALUE and more\"",
        "{\"password\": \"VALUE\"}",
        "AWS_SECRET_ACCESS_KEY=VALUE",
        "a=b;password=VALUE",
        "--password VALUE",
        "--password=VALUE",
        "token: VALUE",
        "https://bob:VALUE@registry/a",
        "https://h/?x=1&password=VALUE",
        "Authorization: Bearer VALUE",
    ] {
        let message = format!("cannot start `a`: {}, see below", form.replace("VALUE", secret));
        for (target, answer) in [
            ("kubernetes", json!({"kind": "Status", "message": message})),
            ("yarn", json!({"diagnostics": message})),
        ] {
            let dir = folder(&[("a.tfjob.kdl", JOB), ("live.json", &answer.to_string())]);
            let said = run(dir.path(), &["diff", "a.tfjob.kdl", "--target", target, "--live", "live.json"]);
            let told = err(&said);
            assert!(code(&said) == 2 && told.contains("cannot start `a`: "), "{form}: {told}");
            assert!(!told.contains("hunter2") && !told.contains("xyz99"), "{form}: {told}");
        }
    }
}

/// Also without white space.
#[test]
fn the_time_grows_like_the_length_of_a_message() {
    let secret = "hunter2Wxyz99";
    for part in ["a:", "CLASSPATH=/a/b.jar:", "token:", "a:\""] {
        let time = |length: usize| {
            let message = format!("{} password={secret}", part.repeat(length / part.len()));
            let answer = json!({"kind": "Status", "message": message});
            let dir = folder(&[("a.tfjob.kdl", JOB), ("live.json", &answer.to_string())]);
            let (said, time) =
                processor_time(dir.path(), "diff a.tfjob.kdl --target kubernetes --live live.json");
            assert!(said.starts_with("2\n") && !said.contains("hunter2"), "{part}: {said}");
            time
        };
        // A time that grows like the square would be 16 times as long.
        let (short, long) = (time(20_000), time(80_000));
        assert!(long < 6.0 * short, "{part}: {short} s, {long} s");
    }
}

/// Runs the program in a shell. Returns its exit code and its standard error, and its processor time in seconds, which other processes do
/// not change.
fn processor_time(dir: &Path, args: &str) -> (String, f64) {
    let script = format!("\"$0\" {args} > /dev/null 2> error; echo $?; cat error; echo; times");
    let mut shell = Command::new("sh");
    let said = shell.args(["-c", &script, env!("CARGO_BIN_EXE_tfjob")]).current_dir(dir).output().unwrap();
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    // The last line of `times` has the user time and the system time of the program, such as `0m1.500000s 0m0.020000s`.
    let seconds = |part: &str| {
        let (minutes, seconds) = part.trim_end_matches('s').split_once('m').unwrap();
        minutes.parse::<f64>().unwrap() * 60.0 + seconds.parse::<f64>().unwrap()
    };
    let time = text.split_whitespace().rev().take(2).map(seconds).sum();
    (text, time)
}

/// The settings of an environment may explain each difference.
#[test]
fn a_comparison_without_the_environments_of_the_project_has_a_note() {
    let spec = JOB.replace("    target \"yarn\"\n", "");
    let live = json!({"items": objects(&spec, "kubernetes")}).to_string();
    let environment = "project {\n    environment \"x\" {\n        set \"role.worker.count=2\"\n    }\n}\n";
    let note = "note: the spec is compiled without the settings and the cluster file of an environment: to use them, set `--env`\n";
    for (project, args, is_told) in [
        (environment, &[][..], true),
        (environment, &["--env", "x"], false),
        ("project {\n    specs \".\"\n}\n", &[], false),
    ] {
        let dir = folder(&[("tfjob.kdl", project), ("jobs/a.tfjob.kdl", &spec), ("live.json", &live)]);
        let said = run(dir.path(), &[&["diff", "jobs/a.tfjob.kdl", "--live", "live.json"], args].concat());
        assert_eq!((code(&said), out(&said)), (0, "no difference in 1 job\n"), "{}", err(&said));
        assert_eq!(err(&said), if is_told { note } else { "" });
    }
}
