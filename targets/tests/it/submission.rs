//! Identifies the submission to which a container belongs. If the shim stores its restart count, the artifact gives the shim a
//! value from the platform. All containers of one submission have the same value, and each submission has another one.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::request::{analyze, request};
use std::process::Command;
use tfjob_targets::ALL;

/// Returns the text of the artifacts of a target, for a job with this `restart` of the worker.
fn compiled(target: &str, restart: &str) -> String {
    let text = format!(
        r#"job "again" {{
    framework "custom"
    image "ml/own:1.0"
    run "./own"
    checkpoints "file:///mnt/ck" at="/mnt/ck"
    role "worker" {{ resources cpus=1 memory="1GiB"; {restart} }}
    target "yarn" {{ hadoop "3.3.6"; dns-domain "ycluster"; user "ada" }}
    target "dcos" {{ version "2.1"; shim url="https://files.example/tfjob-shim" }}
    allow "restart" on="kubernetes" because="a Pod that is lost ends the job"
}}"#
    );
    let target = ALL.iter().find(|known| known.name() == target).unwrap();
    let analysis = analyze(&request(&text));
    let compiled = analysis.compile(*target);
    let lowered = compiled.lowered.unwrap_or_else(|| panic!("{}: refused", target.name()));
    lowered.artifacts.into_iter().map(|artifact| artifact.text).collect()
}

const TERMS: &str = r#"restart "on-failure" limit=2 backoff="1s""#;

#[test]
fn the_shim_is_told_which_submission_it_is_of_where_that_counts() {
    for (target, says) in [
        ("yarn", "CONTAINER_ID"),
        // The version of the Marathon app, which all of its tasks have (`taskContextEnv`).
        ("dcos", r#"TFJOB_SUBMISSION=\"$MARATHON_APP_VERSION\""#),
        // With a limit of restarts, the operator never recreates a Pod. So the UID of the Pod identifies the submission.
        ("kubernetes", "- name: TFJOB_SUBMISSION valueFrom: fieldRef: fieldPath: metadata.uid"),
    ] {
        let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let told = words(compiled(target, TERMS));
        assert!(told.contains("TFJOB_SUBMISSION") && told.contains(says), "{target}: {told}");
        let none = compiled(
            target,
            "after \"db\"\n}\nhelper \"db\" { port \"db\" 2223; ready tcp=\"db\"; resources cpus=1 memory=\"1GiB\"",
        );
        assert!(!none.contains("TFJOB_SUBMISSION"), "{target}: {none}");
    }
}

#[test]
fn all_containers_of_a_service_are_of_one_submission_and_of_another_one_after_it() {
    let service: serde_json::Value = serde_json::from_str(&compiled("yarn", TERMS)).unwrap();
    let command = service["components"][0]["launch_command"].as_str().unwrap();
    let folder = std::env::temp_dir().join(format!("tfjob-submission-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("tfjob-shim"), "printf %s \"$TFJOB_SUBMISSION\"\n").unwrap();
    let told = |container: &str| {
        // The script starts the command as the NodeManager does.
        let script =
            format!("bash -c \"{}\"", command.replace("exec ./tfjob-shim", "exec bash ./tfjob-shim"));
        let mut bash = Command::new("bash");
        bash.args(["-c", &script]).current_dir(&folder).env("CONTAINER_ID", container);
        let output = bash.output().unwrap();
        assert!(output.status.success(), "{output:?}\n{script}");
        String::from_utf8(output.stdout).unwrap()
    };
    let first = "1795327892304_0001";
    // The first number is the start time of the ResourceManager (`ContainerId.toString`). The last two belong to this container.
    for container in ["container_1795327892304_0001_01_000004", "container_e17_1795327892304_0001_02_000009"]
    {
        assert_eq!(told(container), first, "{container}");
    }
    assert_eq!(told("container_e17_1795327892304_0002_01_000004"), "1795327892304_0002");
    std::fs::remove_dir_all(folder).unwrap();
}
