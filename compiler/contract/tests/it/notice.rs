//! Tests when a shim answers on the rendezvous port in place of the program, and which tasks wait until it stops answering.
use crate::job::{helper, job, role, task};
use tfjob_contract::{
    After, Contract, Duties, FrameworkName, Notice, Piece, Ready, Role, RoleDuties, Run, StrategyName, Value,
    When,
};

fn after(role: Role, first: &str, when: When) -> Role {
    let after = vec![After { role: first.to_owned(), when }];
    Role { duties: Some(RoleDuties { after, ..RoleDuties::default() }), ..role }
}

fn pytorch(change: impl FnOnce(&mut Contract)) -> Contract {
    let mut contract = job(FrameworkName::Pytorch, None, vec![role("master", 1), role("worker", 2)]);
    contract.duties = Some(Duties { wait: Some(60), ..Duties::default() });
    change(&mut contract);
    contract
}

fn is_ready(contract: &mut Contract, ready: Ready) {
    contract.roles[0].duties = Some(RoleDuties { ready: Some(ready), ..RoleDuties::default() });
}

/// Returns the [`Notice`] of the first role, and the state of its task that a worker waits for, if any.
fn seen(contract: &Contract) -> (Notice, Option<When>) {
    let waits = contract.rendezvous_prerequisite(&task("worker", 1));
    assert!(waits.iter().all(|(first, _)| *first == task("master", 0)));
    (contract.notice(&contract.roles[0]), waits.map(|(_, when)| when))
}

#[test]
fn clients_start_after_the_line_on_the_port_that_they_call_is_gone() {
    use Notice::{BeforeStart, Never};
    let rendezvous = || Ready::Tcp("rendezvous".to_owned());
    assert_eq!(seen(&pytorch(|_| ())), (Never, None));
    assert_eq!(seen(&pytorch(|job| is_ready(job, rendezvous()))), (BeforeStart, Some(When::Ready)));
    assert_eq!(seen(&pytorch(|job| is_ready(job, Ready::Tcp("web".to_owned())))), (Never, None));
    let board = |when| pytorch(|job| job.roles.push(after(helper("board"), "master", when)));
    for when in [When::Started, When::Ready] {
        assert_eq!(seen(&board(when)), (BeforeStart, Some(When::Started)));
    }
    // Without the duty `wait`, the shim of the first task starts the program immediately, so no task waits for it.
    let mut alone = board(When::Started);
    alone.duties = None;
    assert_eq!(seen(&alone), (BeforeStart, None));
    // The first task starts after its own clients, so they cannot wait for it.
    let mut circle = board(When::Started);
    circle.roles[0] = after(circle.roles[0].clone(), "data", When::Started);
    circle.roles.push(after(helper("data"), "worker", When::Started));
    assert_eq!(seen(&circle), (BeforeStart, None));
    assert_eq!(board(When::Started).rendezvous_prerequisite(&task("master", 0)), None);
    assert_eq!(board(When::Started).rendezvous_prerequisite(&task("board", 0)), None);
}

#[test]
fn without_a_framework_those_are_clients_that_name_the_addresses_of_a_role() {
    let named = vec![vec![Piece::Text("--master=".to_owned()), Piece::Addresses("chief".to_owned())]];
    let calls: [fn(&mut Role, Vec<Value>); 3] = [
        |role, named| role.run = Run::Argv(named),
        |role, mut named| role.env = vec![("MASTER".to_owned(), named.remove(0))],
        |role, _| role.run = Run::Shell("python t.py ${TFJOB_ADDRESSES_CHIEF%%:*}".to_owned()),
    ];
    for family in [FrameworkName::Custom, FrameworkName::Caffe] {
        for call in calls {
            let roles = vec![role("other", 1), role("chief", 1), role("worker", 2)];
            let mut contract = job(family, None, roles);
            contract.duties = Some(Duties { wait: Some(60), ..Duties::default() });
            let seen = |contract: &Contract, who: &str| contract.rendezvous_prerequisite(&task(who, 0));
            contract.roles.push(after(helper("board"), "chief", When::Started));
            assert_eq!(seen(&contract, "worker"), None);
            call(&mut contract.roles[2], named.clone());
            let chief = |when| Some((task("chief", 0), when));
            assert_eq!(seen(&contract, "worker"), chief(When::Started));
            assert_eq!((seen(&contract, "other"), seen(&contract, "board")), (None, None));
            is_probed(&mut contract);
            assert_eq!(seen(&contract, "worker"), chief(When::Ready));
            // Both roles use the addresses of each other. The rendezvous task, `chief`, does not wait for itself.
            call(&mut contract.roles[1], named.clone());
            assert_eq!(seen(&contract, "chief"), None);
            // Without the helper and the probe, the shim never answers on the port.
            contract.roles.pop();
            contract.roles[1].duties = None;
            assert_eq!(seen(&contract, "worker"), None);
        }
    }
}

fn is_probed(contract: &mut Contract) {
    contract.roles[1].duties =
        Some(RoleDuties { ready: Some(Ready::Tcp("rendezvous".to_owned())), ..RoleDuties::default() });
}

#[test]
fn each_task_that_listens_by_tensorflow_says_that_it_is_down() {
    let roles = vec![role("chief", 1), role("worker", 2)];
    let contract = job(FrameworkName::Tensorflow, Some(StrategyName::MultiWorkerMirrored), roles);
    assert_eq!(contract.notice(&contract.roles[1]), Notice::WheneverDown);
    assert_eq!(contract.rendezvous_prerequisite(&task("worker", 0)), None);
}
