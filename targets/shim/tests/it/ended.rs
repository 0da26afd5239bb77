//! How others hear that a task has ended, and what they do then.
use crate::job::Folder;
use crate::peers::{after, done, go, here, stop, task};
use std::path::Path;
use std::time::{Duration, Instant};
use tfjob_contract::{Duties, Membership, RoleDuties, Run, Success, When};

#[test]
fn what_only_serves_ends_well_when_the_chief_is_done() {
    let folder = Folder::new();
    let serve = "while :; do sleep 0.1 || :; done";
    let roles = vec![
        task("chief", Membership::Member, "sleep 1"),
        task("worker", Membership::Member, serve),
        task("ps", Membership::Member, &format!("trap '' TERM; {serve}")),
    ];
    let duties = Duties { ends_with: Some(Success::Chief), grace: Some(2), ..Duties::default() };
    let contract = here(roles, duties);
    let tasks = ["chief", "worker", "ps"].map(|name| go(&folder, &contract, name));
    let begun = Instant::now();
    let ends = tasks.map(done);
    assert!(begun.elapsed() < Duration::from_secs(30));
    assert_eq!(ends.each_ref().map(|(code, ..)| *code), [Some(0); 3]);
    assert_eq!(ends[0].1, "tfjob-shim: chief:0: succeeded");
    assert_eq!(
        ends[2].1,
        "tfjob-shim: ps:0: stopped because the tasks that decide job success have finished"
    );
}

#[test]
fn what_only_serves_ends_with_a_chief_that_has_failed_unless_it_comes_back() {
    let folder = Folder::new();
    let roles = |returns| {
        let mut chief = task("chief", Membership::Member, "exit 3");
        chief.duties = Some(RoleDuties { returns, ..RoleDuties::default() });
        vec![
            chief,
            task("worker", Membership::Member, "true"),
            task("ps", Membership::Member, "exec sleep 60"),
        ]
    };
    let duties = Duties { ends_with: Some(Success::Chief), ..Duties::default() };
    for returns in [false, true] {
        let contract = here(roles(returns), duties.clone());
        let [chief, ps] = ["chief", "ps"].map(|name| go(&folder, &contract, name));
        let begun = Instant::now();
        assert_eq!(done(chief).0, Some(3));
        assert_eq!(begun.elapsed() < Duration::from_secs(5), returns);
        if returns {
            assert!(Path::new(&format!("/proc/{}/exe", ps.id())).exists());
            stop(&ps);
        }
        let (code, last, _) = done(ps);
        assert_eq!(
            (code == Some(0), last.contains("the tasks that decide job success have finished")),
            (!returns, !returns),
            "{last}"
        );
    }
}

#[test]
fn who_has_failed_is_not_taken_for_ready_and_nobody_waits_for_it() {
    let folder = Folder::new();
    let mut worker = task("worker", Membership::Member, "true");
    worker.duties = after("chief", When::Ready);
    let roles =
        vec![task("chief", Membership::Member, "exit 3"), worker, task("ps", Membership::Member, "true")];
    let duties = Duties { ends_with: Some(Success::Chief), ..Duties::default() };
    let contract = here(roles, duties);
    let [worker, chief] = ["worker", "chief"].map(|name| go(&folder, &contract, name));
    let (code, last, _) = done(worker);
    assert_eq!(code, Some(75), "{last}");
    assert!(
        last.contains(
            "because a peer failed: chief:0 (its tfjob-shim at 127.0.0.1 reports that the task has failed)"
        ),
        "{last}"
    );
    assert_eq!(done(chief).0, Some(3));
}

#[test]
fn a_program_that_runs_does_not_wait_for_a_peer_that_has_failed() {
    let folder = Folder::new();
    let mut contract = here(
        ["chief", "worker", "ps"].map(|name| task(name, Membership::Member, "exec sleep 60")).into(),
        Duties { ends_with: Some(Success::Workers), wait: Some(50), ..Duties::default() },
    );
    contract.roles[1].run = Run::Shell("exit 3".to_owned());
    let [chief, worker] = ["chief", "worker"].map(|name| go(&folder, &contract, name));
    let (code, last, _) = done(chief);
    assert_eq!(code, Some(75), "{last}");
    assert!(last.contains("peer failed: "), "{last}");
    assert_eq!(done(worker).0, Some(3));
}

#[test]
fn the_deciding_task_ends_only_after_those_that_it_outlives() {
    let folder = Folder::new();
    let roles = vec![
        task("chief", Membership::Member, "true"),
        task("worker", Membership::Member, "sleep 2"),
        task("ps", Membership::Member, "true"),
    ];
    let mut contract = here(roles, Duties::default());
    contract.duties = None;
    let outlives = vec!["worker".to_owned()];
    contract.roles[0].duties = Some(RoleDuties { outlives, ..RoleDuties::default() });
    let begun = Instant::now();
    let chief = go(&folder, &contract, "chief");
    let worker = go(&folder, &contract, "worker");
    let (code, last, _) = done(chief);
    assert_eq!(code, Some(0), "{last}");
    assert!(begun.elapsed() > Duration::from_secs(2) && begun.elapsed() < Duration::from_secs(30));
    assert_eq!(done(worker).0, Some(0));
}
