//! Traps that no spec can walk into, because of how the artefacts are made.
use super::{bare, component, lowered, many, one, yarnfile};
use serde_json::{Value, json};
use tfjob_lang::lowered::Phase;

const RETRIES: &str = "yarn.service.container-failure.retry.max";
const THRESHOLD: &str = "yarn.service.container-failure-per-component.threshold";

fn properties(component: &Value) -> &Value {
    &component["configuration"]["properties"]
}

/// §5, trap 5; yarn-observed §7: a failing program is tried again for ever, and a failed service runs a second time.
#[test]
fn a_failure_has_an_end_and_happens_once() {
    let service = yarnfile(&one("", "restart \"on-failure\" limit=3 within=\"1h\"", ""));
    assert_eq!(service["configuration"]["properties"]["yarn.service.am-restart.max-attempts"], "1");
    let worker = &service["components"][0];
    assert_eq!(worker["restart_policy"], "ON_FAILURE");
    assert_eq!(properties(worker)[RETRIES], "3");
    assert_eq!(properties(worker)["yarn.service.container-failure.validity-interval-ms"], "3600000");
    assert_eq!(properties(worker)[THRESHOLD], "0");
    assert!(worker["launch_command"].as_str().unwrap().contains("137|143"), "a killed program counts too");
    let once = component(&one("", "", ""), "worker");
    assert_eq!((&once["restart_policy"], properties(&once)), (&json!("NEVER"), &Value::Null));
}

/// yarn-observed §7: eleven failures of a component that does not count would end the service.
#[test]
fn failures_that_do_not_count_end_nothing() {
    let service = yarnfile(&many("", "", "hadoop \"3.3\"").replace("count=2", "count=20"));
    assert_eq!(service["configuration"]["properties"][THRESHOLD], "2147483647");
}

/// A node manager has one pause, in a sliding window; what it cannot count is the shim's.
#[test]
fn growing_pauses_and_codes_are_the_shims() {
    for terms in ["limit=3 backoff=\"10s\"", "min-uptime=\"10s\"", "{ codes 42 }"] {
        let lowered = lowered(&one("", &format!("restart \"on-failure\" {terms}"), ""));
        let (contract, _) = lowered.contract.unwrap();
        assert!(contract.roles[0].duties.is_some(), "{terms}");
        let service: Value = serde_json::from_str(&lowered.artefacts[0].text).unwrap();
        assert_eq!(properties(&service["components"][0])[RETRIES], "0", "{terms}");
    }
    for terms in ["limit=1 backoff=\"10s\"", "backoff=\"10s\" max-backoff=\"10s\""] {
        let worker = component(&one("", &format!("restart \"on-failure\" {terms}"), ""), "worker");
        assert_eq!(
            properties(&worker)["yarn.service.container-failure.retry-interval-ms"],
            "10000",
            "{terms}"
        );
    }
}

/// §5, trap 4.
#[test]
fn the_chiefs_end_is_the_services() {
    let service = yarnfile(&many("", "", "hadoop \"3.3\""));
    let dominant =
        |c: &&Value| properties(c)["yarn.service.container-state-report-as-service-state"] == "true";
    let found: Vec<_> = service["components"].as_array().unwrap().iter().filter(dominant).collect();
    assert_eq!(found.iter().map(|c| &c["name"]).collect::<Vec<_>>(), ["chief"]);
}

/// §5, trap 6: a unit passes the checks, fails at submission and blocks the name.
#[test]
fn memory_is_whole_mebibytes_as_text() {
    let amounts = [("4GiB", "4096"), ("512MiB", "512"), ("1KiB", "1"), ("1025KiB", "2"), ("1TiB", "1048576")];
    for (written, sent) in amounts {
        let text = one("", "", "").replace("4GiB", written);
        assert_eq!(component(&text, "worker")["resource"]["memory"], sent);
    }
}

/// §5, trap 7; yarn-observed §4.
#[test]
fn gpus_are_a_plain_count_of_the_engines_own_type() {
    let worker = component(&one("", "", "").replace("cpus=1", "cpus=1 gpus=2"), "worker");
    assert_eq!(worker["resource"]["additional"], json!({"yarn.io/gpu": {"value": 2, "unit": ""}}));
    let none = component(&one("", "", ""), "worker");
    assert_eq!(none["configuration"]["env"]["CUDA_VISIBLE_DEVICES"], "");
}

/// §5, traps 10, 11, 14 and 15: the only tokens are those that are meant.
#[test]
fn no_token_stands_where_a_user_wrote_it() {
    let hostile = "${{COMPONENT_ID}${{USER}${{DOMAIN}{{{{HOME}}<LOG_DIR>";
    let text = many(&format!("env {{ A \"{hostile}\" }}"), "", "hadoop \"3.3\"").replace("train.py", hostile);
    let sent = lowered(&text).artefacts[0].text.clone();
    let tokens: Vec<_> = sent.match_indices("${").map(|(at, _)| &sent[at..at + 15]).collect();
    assert!(!tokens.is_empty() && tokens.iter().all(|token| *token == "${COMPONENT_ID}"), "{tokens:?}");
    let plain = lowered(&one(&format!("env {{ A \"{hostile}\" }}"), "", "").replace("train.py", hostile));
    assert!(!plain.artefacts[0].text.contains("${"), "{}", plain.artefacts[0].text);
}

/// §5, trap 13; yarn-observed §7.
#[test]
fn the_name_is_freed_by_a_step() {
    let steps = lowered(&one("", "", "")).steps;
    let after: Vec<_> = steps.iter().filter(|s| s.phase == Phase::After).map(|s| s.argv.join(" ")).collect();
    assert_eq!(after, ["yarn app -destroy mnist"]);
}

/// §5, trap 18; yarn-observed §1: only a posted service holds constraints, in upper case and about its own tasks.
#[test]
fn constraints_are_posted() {
    let block = "placement-constraints #true; resource-manager \"http://rm:8088/\"; user \"ada\"";
    let text = one("", "place { spread \"rack\" }", block);
    let constraint = &component(&text, "worker")["placement_policy"]["constraints"][0];
    assert_eq!(*constraint, json!({"type": "ANTI_AFFINITY", "scope": "RACK", "target_tags": ["worker"]}));
    let steps = lowered(&text).steps;
    let submit = steps.iter().find(|s| s.phase == Phase::Submit).unwrap().argv.join(" ");
    assert!(submit.starts_with("curl --fail-with-body"), "{submit}");
    assert!(submit.ends_with("http://rm:8088/app/v1/services?user.name=ada"), "{submit}");
    assert_eq!(lowered(&one("", "", "")).steps[0].argv.join(" "), "yarn app -launch mnist Yarnfile.json");
}

/// §5, trap 22; yarn-observed §5: the engine's own value would win, or its launcher would stumble.
#[test]
fn variables_that_the_engine_sets_are_set_by_the_command() {
    for name in ["LANG", "HOME", "PATH", "MALLOC_ARENA_MAX", "LD_LIBRARY_PATH"] {
        let worker = component(&bare(&format!("env {{ {name} \"/x y\" }}"), "", ""), "worker");
        let command = worker["launch_command"].as_str().unwrap();
        assert!(command.contains(&format!("export {name}='/x y' && exec python")), "{command}");
        assert_eq!(worker["configuration"]["env"][name], Value::Null);
    }
    let plain = component(&bare("env { TZ \"UTC\" }", "", ""), "worker");
    assert_eq!(plain["configuration"]["env"]["TZ"], "UTC");
}

/// §5, trap 12: an image's entry point would take the command for a list.
#[test]
fn the_images_entry_point_is_not_used() {
    assert!(!lowered(&many("", "", "hadoop \"3.3\"")).artefacts[0].text.contains("OVERRIDE_DISABLE"));
}

/// yarn-observed §6: one source appears once, and nothing is called `conf`.
#[test]
fn files_of_a_container_have_names_of_their_own() {
    let files = "code \"hdfs:///c.zip\"; stage \"conf\" \"hdfs:///conf.json\"";
    let service = yarnfile(&many(files, "", "hadoop \"3.3\""));
    let files = service["configuration"]["files"].as_array().unwrap();
    let names: Vec<_> = files.iter().map(|f| f["dest_file"].as_str().unwrap()).collect();
    assert_eq!(names, ["code", "stage-conf.json", "tfjob-contract.json", "tfjob-shim"]);
    let single = yarnfile(&one("", "", ""));
    assert_eq!(single["configuration"]["files"], Value::Null, "no shim where none is needed");
}
