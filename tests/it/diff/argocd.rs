//! `tfjob diff` of jobs with the option `argocd`.
use super::{JOB, compared, folder, json};
use crate::program::{code, err, out, run};
use serde_json::{Value, json};
use tfjob_driver::{Driver, Request};

fn job(option: &str) -> String {
    JOB.replace("target \"kubernetes\"", &format!("target \"kubernetes\" {{ {option}; }}"))
}

/// Returns the documents of a spec.
fn documents(spec: &str) -> Vec<Value> {
    let target = tfjob_targets::REGISTRY.target("kubernetes").unwrap();
    let request = Request::new("a.tfjob.kdl", spec).targets(std::slice::from_ref(&target)).artifacts(true);
    let checked = Driver::new(tfjob_targets::REGISTRY).check(&request);
    let (_, lowered) = &checked.compiled[0];
    let artifacts = &lowered.as_ref().unwrap().artifacts;
    artifacts.iter().flat_map(|artifact| &artifact.documents).map(|document| document.value.clone()).collect()
}

const KUBERNETES: [&str; 2] = ["--target", "kubernetes"];

/// Argo CD replaces the job, so no person deletes it, and the name is not why a value has this effect.
#[test]
fn the_report_says_what_argo_cd_does() {
    let (_, told) = compared(&job("argocd"), &job("argocd").replace("a:1", "a:2"), &KUBERNETES);
    assert!(told.contains("  kubernetes: Argo CD replaces the job, if the application prunes\n"), "{told}");
    assert!(told.contains("with `argocd`, the name of the job ends with a digest of its spec"), "{told}");
    assert!(told.contains("image: \"example/a:1\" -> \"example/a:2\""), "{told}");
    assert!(!told.contains("another name") && !told.contains("metadata.name"), "{told}");
    let (_, told) = compared(
        &job("argocd hook=\"Sync\""),
        &job("argocd hook=\"Sync\"").replace("a:1", "a:2"),
        &KUBERNETES,
    );
    assert!(told.contains("kubernetes: Argo CD replaces the job at each synchronization\n"), "{told}");
    let renamed = |option: &str| job(option).replace("job \"a\"", "job \"b\"");
    let moved = |option: &str| job(&format!("{option}; namespace \"other\""));
    // The old job stays.
    for (old, new, why) in [
        (JOB.replace("job \"a\"", "job \"a-deadbeef\""), JOB.to_owned(), "another name is another object"),
        (job("argocd"), renamed("argocd"), "another name is another object"),
        (job("argocd hook=\"Sync\""), renamed("argocd hook=\"Sync\""), "another name is another object"),
        (job("argocd"), moved("argocd"), "metadata.namespace: \"default\" -> \"other\""),
        (
            job("argocd hook=\"Sync\""),
            moved("argocd hook=\"Sync\""),
            "another namespace means another object",
        ),
    ] {
        let (_, told) = compared(&old, &new, &KUBERNETES);
        assert!(told.contains(why) && told.contains("delete the old job, then submit the new one"), "{told}");
        assert!(told.contains("metadata.name"), "{told}");
    }
}

/// docs/gitops.md lists these changes.
#[test]
fn a_change_of_the_option_runs_both_jobs() {
    for (old, new) in [
        (JOB.to_owned(), job("argocd")),
        (job("argocd wave=5"), job("argocd wave=4")),
        (job("argocd wave=1"), job("argocd")),
        (job("argocd hook=\"Sync\""), job("argocd")),
        (job("argocd"), job("argocd hook=\"PreSync\"")),
        (job("argocd"), job("argocd hook=\"PostSync\"")),
        (job("argocd"), JOB.to_owned()),
    ] {
        let (_, told) = compared(&old, &new, &KUBERNETES);
        let line = "  kubernetes: delete the old job before you merge the change: Argo CD would run both\n";
        assert!(told.contains(line) && !told.contains("Argo CD replaces"), "{told}");
    }
    let (_, told) = compared(&job("argocd"), &job("argocd wave=1"), &KUBERNETES);
    assert!(told.contains("Argo CD replaces the job, if the application prunes"), "{told}");
}

/// Each synchronization starts a hook again, so the report names the change that has this effect.
#[test]
fn the_greatest_effect_has_a_value() {
    for option in ["argocd hook=\"Sync\"", "argocd"] {
        let old = job(option);
        let new = old.replace("    run", "    description \"x\"\n    run");
        let (_, told) = compared(&old, &new, &KUBERNETES);
        let is_recreated = told.contains("1 recreate\n");
        assert_eq!(is_recreated, option.contains("hook"), "{told}");
        assert_eq!(told.contains("    recreate: "), is_recreated, "{told}");
    }
}

/// The ConfigMap has annotations because of the option, not because of the name of the job.
#[test]
fn annotations_of_the_configmap_have_the_place_of_the_option() {
    let dir = folder(&[("old.tfjob.kdl", &job("argocd wave=1")), ("new.tfjob.kdl", &job("argocd wave=2"))]);
    let report = json(dir.path(), &["old.tfjob.kdl", "new.tfjob.kdl", "--target", "kubernetes"]);
    let changes = report["jobs"][0]["targets"][0]["changes"].as_array().unwrap();
    let wave = |object: &str| {
        let all = changes.iter().filter(|change| change["object"].as_str().unwrap().starts_with(object));
        let mut waves = all.filter(|change| change["pointer"].as_str().unwrap().ends_with("sync-wave"));
        waves.next().unwrap_or_else(|| panic!("{object}: {report}"))["place"]["line"].clone()
    };
    let line = JOB.lines().position(|line| line.contains("target \"kubernetes\"")).unwrap() + 1;
    assert_eq!((wave("TFJob "), wave("ConfigMap ")), (json!(line), json!(line)), "{report}");
}

/// With the policy of docs/gitops.md, a rejected change of the tasks replaces the job.
#[test]
fn an_annotation_lets_a_tool_replace_the_job() {
    for (annotation, tool) in [
        ("\"kustomize.toolkit.fluxcd.io/force\" \"enabled\"", Some("Flux")),
        ("\"argocd.argoproj.io/sync-options\" \"ServerSideApply=true, Force=true\"", Some("Argo CD")),
        ("\"kustomize.toolkit.fluxcd.io/force\" \"disabled\"", None),
        ("\"argocd.argoproj.io/sync-options\" \"Replace=true\"", None),
    ] {
        let old = job(&format!("annotations {{ {annotation}; }}"));
        let (_, told) = compared(&old, &old.replace("a:1", "a:2"), &KUBERNETES);
        let action = match tool {
            Some(tool) => format!(
                "{tool} deletes the job and creates it again, if the cluster has the policy `immutable-jobs.yaml`"
            ),
            None => "delete the old job, then submit the new one".to_owned(),
        };
        assert!(told.contains(&format!("  kubernetes: {action}\n")), "{told}");
        // The policy also rejects changes that the API server applies without restarting Pods, and changes of only the ConfigMap.
        let kept = old.replace("    run", "    keep \"all\"\n    run");
        let (_, told) = compared(&old, &kept, &KUBERNETES);
        assert!(told.contains("cleanPodPolicy") && told.contains("1 in place") == tool.is_none(), "{told}");
        let lines = "    restart \"on-failure\" limit=3\n    allow \"restart\" because=\"x\"\n    run";
        let with_shim = old.replace("    run", lines);
        let (_, told) = compared(&with_shim, &with_shim.replace("steps=10", "steps=20"), &KUBERNETES);
        assert!(told.contains(&format!("  kubernetes: {action}\n")), "{told}");
    }
}

/// A description or a TensorBoard is for people: it does not start the training again.
#[test]
fn values_that_no_task_sees_are_updated_in_place() {
    let old = job("argocd").replace("    run", "    checkpoints \"gs://a/b\"\n    run");
    for field in [
        "description \"x\"",
        "tensorboard logs=\"gs://logs/a\"",
        "allow \"restart\" on=\"kubernetes\" because=\"x\"",
    ] {
        let new = old.replace("    run", &format!("    {field}\n    run"));
        let dir = folder(&[("old.tfjob.kdl", &old), ("new.tfjob.kdl", &new)]);
        let of_tasks = |spec: &str| -> Vec<Value> {
            let all = documents(spec).into_iter();
            all.filter(|one| ["TFJob", "ConfigMap"].contains(&one["kind"].as_str().unwrap()))
                .map(|one| json!([one["metadata"]["name"], one["spec"], one["data"]]))
                .collect()
        };
        assert_eq!(of_tasks(&old), of_tasks(&new), "{field}");
        let report = json(dir.path(), &["old.tfjob.kdl", "new.tfjob.kdl", "--target", "kubernetes"]);
        let changes = report["jobs"][0]["targets"][0]["changes"].as_array().unwrap();
        let of_job = changes.iter().filter(|change| change["file"] != "tensorboard.yaml");
        assert!(of_job.into_iter().all(|change| change["effect"] == "in place"), "{field}: {report}");
    }
}

/// Without pruning, the old version of the job runs instead of the new one, or together with it.
#[test]
fn another_version_of_the_job_is_named_and_compared() {
    let (old, new) = (job("argocd"), job("argocd").replace("count=2", "count=3"));
    let dir = folder(&[("old.tfjob.kdl", &old), ("new.tfjob.kdl", &new)]);
    let name = |all: &[Value]| -> String {
        let job = all.iter().find(|one| one["kind"] == "TFJob").unwrap();
        job["metadata"]["name"].as_str().unwrap().to_owned()
    };
    let (before, after) = (documents(&old), documents(&new));
    let told = |live: &[Value]| {
        std::fs::write(dir.path().join("live.json"), json!({ "items": live }).to_string()).unwrap();
        let args = ["diff", "new.tfjob.kdl", "--target", "kubernetes", "--live", "live.json"];
        let said = run(dir.path(), &args);
        (code(&said), out(&said).to_owned(), err(&said).to_owned())
    };
    assert_eq!(told(&after), (0, "no difference in 1 job\n".to_owned(), String::new()));
    let (code, report, error) = told(&before);
    assert_eq!(code, 1, "{error}");
    for line in [
        &format!("not submitted: TFJob {}\n", name(&after)),
        &format!("submitted, but not in the spec: TFJob {}\n", name(&before)),
        "replicas: 2 -> 3",
    ] {
        assert!(report.contains(line), "{line}: {report}");
    }
    let (_, report, _) = told(&[before.clone(), after].concat());
    assert!(
        report.contains(&format!("submitted, but not in the spec: TFJob {}\n", name(&before)))
            && !report.contains("->"),
        "{report}"
    );
}

/// Compares a spec with these objects, and returns the exit code and the report.
fn live(spec: &str, objects: &[Vec<Value>], more: &[&str]) -> (i32, String) {
    let answer = json!({ "items": objects.concat() }).to_string();
    let dir = folder(&[("a.tfjob.kdl", spec), ("live.json", &answer)]);
    let args = ["diff", "a.tfjob.kdl", "--target", "kubernetes", "--live", "live.json"];
    let said = run(dir.path(), &[&args, more].concat());
    (code(&said), format!("{}{}", out(&said), err(&said)))
}

/// Another running version is the most dangerous difference, with any number of them.
#[test]
fn other_versions_and_missing_jobs_must_be_replaced() {
    let spec = job("argocd");
    let version = |count: &str| documents(&spec.replace("count=2", count));
    let (own, third, fourth) = (documents(&spec), version("count=3"), version("count=4"));
    let (code, told) = live(&spec, &[third.clone(), fourth.clone()], &[]);
    assert_eq!(code, 1, "{told}");
    assert_eq!(told.matches("not submitted: ").count(), 2, "{told}");
    assert_eq!(told.matches("submitted, but not in the spec: ").count(), 4, "{told}");
    let plain = |kind: &str| own.iter().filter(|one| one["kind"] == kind).cloned().collect::<Vec<_>>();
    for (objects, action) in [
        (vec![own.clone(), third], "delete the objects that are not in the spec\n"),
        (vec![plain("ConfigMap")], "submit the missing objects\n"),
        (vec![own.clone(), documents(JOB)], "delete the objects that are not in the spec\n"),
    ] {
        for least in ["restart", "recreate"] {
            let (code, told) = live(&spec, &objects, &["--fail-on", least]);
            assert_eq!(code, 1, "{told}");
            assert!(told.contains(&format!("kubernetes: {action}")) && told.contains("1 recreate"), "{told}");
        }
        let (_, told) = live(&spec, &objects, &["--format", "json"]);
        let target = &serde_json::from_str::<Value>(&told).unwrap()["jobs"][0]["targets"][0];
        assert_eq!((&target["state"], &target["effect"]), (&"changed".into(), &"recreate".into()), "{told}");
    }
    // What remains of a TensorBoard trains nothing.
    let board = spec.replace("    run", "    tensorboard logs=\"gs://logs/a\"\n    run");
    let (code, told) = live(&spec, &[documents(&board)], &[]);
    assert!(code == 1 && told.contains("submitted, but not in the spec: Deployment a-tensorboard"), "{told}");
    assert_eq!(live(&spec, &[documents(&board)], &["--fail-on", "restart"]).0, 0);
    // A ConfigMap without its TFJob, too.
    let left: Vec<Value> = version("count=3").into_iter().filter(|one| one["kind"] == "ConfigMap").collect();
    let (code, told) = live(&spec, &[own.clone(), left.clone()], &[]);
    assert!(code == 1 && told.contains("submitted, but not in the spec: ConfigMap a-"), "{told}");
    assert_eq!(live(&spec, &[own, left], &["--fail-on", "restart"]).0, 0);
}

/// A spec can set the labels of `tfjob`, so they do not identify its objects.
#[test]
fn labels_mix_no_jobs() {
    let label = "    labels { \"app.kubernetes.io/part-of\" \"suite\"; }\n    run";
    for option in ["argocd", "namespace \"ml\""] {
        let named = |name: &str| {
            let board = "    tensorboard logs=\"gs://logs/a\"\n    run";
            let named = job(option).replace("job \"a\"", &format!("job \"{name}\""));
            named.replace("    run", board).replace("    run", label)
        };
        let own = documents(&named("a"));
        for other in ["b", "a-b", "a1", "aa"] {
            let both = [own.clone(), documents(&named(other))];
            assert_eq!(live(&named("a"), &both, &[]).0, 0, "{other}: {}", live(&named("a"), &both, &[]).1);
            let (code, told) = live(&named("a"), &both[1..], &[]);
            assert!(code == 2 && told.contains("the job is not submitted"), "{other}: {told}");
        }
        let other = [own.clone(), documents(&named("a-deadbeef").replace(label, "    run"))];
        assert_eq!(live(&named("a"), &other, &[]).0, 0, "{}", live(&named("a"), &other, &[]).1);
        // With another label, it is another version of the same job.
        let before = documents(&named("a").replace("suite", "other").replace("count=2", "count=3"));
        let (code, told) = live(&named("a"), &[before], &[]);
        assert!(code == 1 && told.contains("replicas: 3 -> 2"), "{told}");
    }
}

/// The state of the old version while Argo CD replaces a job.
#[test]
fn objects_that_are_being_deleted_are_named() {
    let spec = job("argocd");
    let deleted = |spec: &str| {
        let mut all = documents(spec);
        for object in &mut all {
            object["metadata"]["deletionTimestamp"] = json!("2026-11-30T12:00:00Z");
            object["metadata"]["deletionGracePeriodSeconds"] = json!(0);
            object["metadata"]["finalizers"] = json!(["foregroundDeletion"]);
        }
        all
    };
    let other = spec.replace("count=2", "count=3");
    for objects in [vec![deleted(&spec)], vec![deleted(&other)], vec![documents(&spec), deleted(&other)]] {
        let (code, told) = live(&spec, &objects, &["--fail-on", "recreate"]);
        assert_eq!(code, 1, "{told}");
        assert!(told.contains("  is being deleted: TFJob a-") && !told.contains("metadata"), "{told}");
        assert!(
            told.contains("kubernetes: wait until the objects are deleted, then compare again\n"),
            "{told}"
        );
        assert!(!told.contains("not in the spec"), "{told}");
        let (_, told) = live(&spec, &objects, &["--format", "json"]);
        let deleted = &serde_json::from_str::<Value>(&told).unwrap()["jobs"][0]["deleted"];
        assert_eq!(deleted.as_array().unwrap().len(), 2, "{told}");
    }
    // A finalizer of a person is a difference.
    let mut own = documents(&spec);
    own[0]["metadata"]["finalizers"] = json!(["foregroundDeletion", "example.com/keep"]);
    let (_, told) = live(&spec, &[own], &[]);
    assert!(told.contains("metadata.finalizers"), "{told}");
}

/// Argo CD and Flux mark each object that they apply, also one without labels and annotations.
#[test]
fn marks_of_gitops_tools_are_no_difference() {
    let spec = job("argocd");
    let dir = folder(&[("a.tfjob.kdl", &spec)]);
    for (part, key) in [
        ("annotations", "argocd.argoproj.io/tracking-id"),
        ("labels", "app.kubernetes.io/instance"),
        ("labels", "kustomize.toolkit.fluxcd.io/name"),
    ] {
        let mut live = documents(&spec);
        live.iter_mut().for_each(|object| object["metadata"][part][key] = json!("x"));
        std::fs::write(dir.path().join("live.json"), json!({ "items": live }).to_string()).unwrap();
        let args = ["diff", "a.tfjob.kdl", "--target", "kubernetes", "--live", "live.json"];
        let said = run(dir.path(), &args);
        assert_eq!((code(&said), out(&said)), (0, "no difference in 1 job\n"), "{key}: {}", err(&said));
    }
}

/// Only a name of which nothing but the digest differs says nothing about the change.
#[test]
fn a_name_without_its_digest_is_a_change() {
    for (old, new) in [(job("argocd"), job("argocd hook=\"Sync\"")), (job("argocd"), JOB.to_owned())] {
        let (_, told) = compared(&old, &new, &KUBERNETES);
        assert!(told.contains("metadata.name: \"a-"), "{told}");
    }
}
