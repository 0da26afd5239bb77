//! A replacement of a lost container has no files of that container. With `start timeout`, it waits again for peers that may have
//! finished, and a warning says so.
use crate::lifecycle::platforms::json;
use crate::lifecycle::{SUBJECTS, spec, terms};
use crate::request::{analyze, request};
use tfjob_contract::{Contract, FrameworkName, StrategyName, Success, TaskId};
use tfjob_lang::lowered::Lowered;
use tfjob_targets::ALL;

/// Jobs of frameworks whose tasks depend on each other in other ways.
const FRAMEWORKS: [(&str, &str); 8] = [
    ("worker", r#"TENSORFLOW="estimator"; role "chief"; role "worker" count=2 { TERMS }"#),
    ("worker", r#"TENSORFLOW="custom"; role "chief"; role "worker" count=2 { TERMS }"#),
    ("worker", r#"TENSORFLOW="mirrored"; role "worker" { TERMS }"#),
    ("worker", r#"framework "pytorch"; role "master"; role "worker" count=2 { TERMS }"#),
    ("worker", r#"framework "mxnet"; role "scheduler"; role "server"; role "worker" count=2 { TERMS }"#),
    ("worker", r#"framework "xgboost"; role "master"; role "worker" count=2 { TERMS }"#),
    ("worker", r#"framework "horovod"; role "worker" count=2 { TERMS }"#),
    ("worker", r#"framework "caffe"; role "worker" count=2 { TERMS }"#),
];

/// Returns whether the platform replaces a lost task of the role by a new container.
fn replaces(target: &str, lowered: &Lowered, role: &str) -> bool {
    match target {
        "yarn" => {
            let service = json(lowered, ".json");
            let component =
                service["components"].as_array().unwrap().iter().find(|c| c["name"] == role).unwrap();
            component["restart_policy"] != "NEVER"
        }
        "kubernetes" => {
            let dynamic = json(lowered, "tfjob.yaml")["spec"]["enableDynamicWorker"] == true;
            dynamic && role == "worker"
        }
        other => panic!("{other}"),
    }
}

/// Returns whether task 0 of a role waits at its start for a peer that may have finished, and that its own program no longer
/// needs.
fn waits_in_vain(contract: &Contract, role: &str) -> bool {
    // With this strategy, workers serve the coordinator, and never exit on their own.
    let led = contract.framework.strategy == Some(StrategyName::ParameterServer);
    // With these frameworks, training is synchronous, so all tasks finish together.
    let in_step = matches!(
        contract.framework.name,
        FrameworkName::Pytorch | FrameworkName::Mxnet | FrameworkName::Xgboost | FrameworkName::Horovod
    );
    if led || in_step {
        return false;
    }
    let task = TaskId { role: role.to_owned(), index: 0 };
    let awaited = contract.required_peers(&task, true);
    let ends = contract.deciding(Success::Workers);
    let last = contract.deciding(Success::Chief);
    let chief = contract.roles.iter().any(|role| role.name == "ps" || role.name == "chief");
    let early = |peer: &&TaskId| ends.contains(peer) && !(chief && last.contains(peer));
    contract.rendezvous_peers(&task).iter().filter(|peer| !awaited.contains(peer)).any(|peer| early(&peer))
}

#[test]
fn a_task_in_place_of_a_lost_one_that_waits_for_the_finished_is_told() {
    let mut told = std::collections::BTreeMap::new();
    let mut frameworks = std::collections::BTreeSet::new();
    for (role, job) in SUBJECTS.into_iter().chain(FRAMEWORKS) {
        for (written, _) in terms() {
            let text = spec(job, written, "start timeout=\"30s\"");
            let analysis = analyze(&request(&text));
            for target in ALL.iter().filter(|target| ["yarn", "kubernetes"].contains(&target.name())) {
                let compiled = analysis.compile(*target);
                let Some(lowered) = compiled.lowered else { continue };
                let known = lowered.contract.iter().map(|(contract, _)| &contract.framework);
                frameworks.extend(known.map(|framework| format!("{framework:?}")));
                let waits = lowered.contract.as_ref().is_some_and(|(contract, _)| {
                    contract.duties.as_ref().is_some_and(|duties| duties.wait.is_some())
                        && waits_in_vain(contract, role)
                });
                let expected = waits && replaces(target.name(), &lowered, role);
                let found = compiled.diagnostics.iter().any(|d| d.code.name == "finished-peers");
                assert_eq!(found, expected, "{}: {text}", target.name());
                *told.entry(target.name()).or_insert(0) += u32::from(found);
            }
        }
    }
    assert!(told.values().all(|count| *count > 0), "{told:?}");
    assert_eq!(frameworks.len(), 12, "{frameworks:#?}");
}
