//! Tests that contracts with valid JSON but inconsistent content are rejected.
use crate::job::{helper, hosts, job, role, tensorflow, text};
use std::collections::BTreeMap;
use tfjob_contract::{Contract, FrameworkName, Membership, Peers, Piece, Run, StrategyName};

fn fault(contract: &Contract) -> String {
    let fault = contract.check().unwrap_err().to_string();
    assert_eq!(Contract::read(&contract.write()).unwrap_err().to_string(), fault, "reading checks too");
    fault.strip_prefix("invalid job contract: ").unwrap().to_owned()
}

fn plain() -> Contract {
    tensorflow(StrategyName::Custom, vec![role("worker", 2)])
}

#[test]
fn names_of_roles_are_there_and_unique() {
    assert_eq!(fault(&Contract { roles: Vec::new(), ..plain() }), "no roles");
    assert_eq!(fault(&Contract { roles: vec![role("worker", 0)], ..plain() }), "role `worker` has no tasks");
    for roles in [vec![role("worker", 100_001)], vec![role("worker", u32::MAX), role("chief", u32::MAX)]] {
        assert_eq!(fault(&Contract { roles, ..plain() }), "more than 100000 tasks");
    }
    let twice = vec![role("worker", 1), role("worker", 1)];
    assert_eq!(fault(&Contract { roles: twice, ..plain() }), "duplicate role `worker`");
}

#[test]
fn a_framework_has_only_its_own_roles() {
    let strategies = [
        StrategyName::Single,
        StrategyName::MultiWorkerMirrored,
        StrategyName::ParameterServer,
        StrategyName::Estimator,
        StrategyName::Custom,
    ];
    for strategy in strategies {
        let contract = tensorflow(strategy, vec![role("master", 1), role("worker", 1)]);
        assert_eq!(fault(&contract), "framework tensorflow does not allow 1 tasks of role `master`");
    }
    let chiefs = tensorflow(StrategyName::ParameterServer, vec![role("chief", 2), role("ps", 1)]);
    assert_eq!(fault(&chiefs), "framework tensorflow does not allow 2 tasks of role `chief`");
    let ps = job(FrameworkName::Pytorch, None, vec![role("worker", 1), role("ps", 1)]);
    assert_eq!(fault(&ps), "framework pytorch does not allow 1 tasks of role `ps`");
    let evaluator = job(FrameworkName::Horovod, None, vec![role("worker", 1), role("evaluator", 1)]);
    assert_eq!(fault(&evaluator), "framework horovod does not allow 1 tasks of role `evaluator`");
    let headless = job(FrameworkName::Mxnet, None, vec![role("server", 1), role("worker", 1)]);
    assert_eq!(fault(&headless), "mxnet with several tasks needs a role `scheduler`");
    assert_eq!(job(FrameworkName::Custom, None, vec![role("actor", 3)]).check(), Ok(()));
    assert_eq!(job(FrameworkName::Mxnet, None, vec![role("worker", 1)]).check(), Ok(()));
}

#[test]
fn several_tensorflow_tasks_need_a_strategy_and_nobody_else_has_one() {
    let contract = job(FrameworkName::Tensorflow, None, vec![role("worker", 2)]);
    assert_eq!(fault(&contract), "TensorFlow with several tasks needs a strategy");
    assert_eq!(job(FrameworkName::Tensorflow, None, vec![role("worker", 1), helper("logs")]).check(), Ok(()));
    assert_eq!(
        job(FrameworkName::Tensorflow, None, vec![role("worker", 1), role("evaluator", 1)]).check(),
        Ok(())
    );
    let contract = job(FrameworkName::Pytorch, Some(StrategyName::Custom), vec![role("worker", 2)]);
    assert_eq!(fault(&contract), "framework pytorch does not support `strategy`");
}

#[test]
fn an_address_that_cannot_be_rendered_is_refused() {
    let with = |host: &str| fault(&Contract { peers: hosts(host), ..plain() });
    assert_eq!(with("{role}-{zone}"), "address template `{role}-{zone}` uses undefined name `{zone}`");
    assert_eq!(with("{role"), "address template `{role` has an unclosed brace");
    let renamed = |pairs: &[(&str, &str)]| {
        let Peers::Template(mut address) = hosts("{role}") else { unreachable!() };
        address.roles = pairs.iter().map(|(ours, theirs)| ((*ours).into(), (*theirs).into())).collect();
        let roles = vec![role("worker", 1), role("ps", 1)];
        fault(&Contract { peers: Peers::Template(address), roles, ..plain() })
    };
    assert_eq!(renamed(&[("chef", "x")]), "platform name for unknown role `chef`");
    assert_eq!(renamed(&[("worker", "ps")]), "more than one role has the platform name `ps`");
    assert_eq!(renamed(&[("worker", "x"), ("ps", "x")]), "more than one role has the platform name `x`");
}

#[test]
fn tasks_that_must_meet_are_told_where() {
    let alone = |contract: Contract| Contract { peers: Peers::Alone, ..contract };
    let meeting = [
        tensorflow(StrategyName::MultiWorkerMirrored, vec![role("worker", 2)]),
        tensorflow(StrategyName::Custom, vec![role("worker", 1), role("evaluator", 1)]),
        job(FrameworkName::Horovod, None, vec![role("worker", 2)]),
    ];
    for contract in meeting {
        assert_eq!(
            fault(&alone(contract)),
            "the framework needs a rendezvous, but the job contract has no peer addresses"
        );
    }
    let free = [
        tensorflow(StrategyName::MultiWorkerMirrored, vec![role("worker", 1), helper("logs")]),
        tensorflow(StrategyName::Mirrored, vec![role("worker", 1)]),
        job(FrameworkName::Custom, None, vec![role("worker", 4)]),
    ];
    for contract in free {
        assert_eq!(alone(contract).check(), Ok(()));
    }
    let mut seeker = role("worker", 4);
    seeker.workdir = Some(vec![Piece::Address]);
    let contract = alone(job(FrameworkName::Caffe, None, vec![seeker]));
    assert_eq!(
        fault(&contract),
        "role `worker` references an address, but the job contract has no peer addresses"
    );
}

#[test]
fn a_role_that_cannot_be_started_is_refused() {
    let with = |change: &dyn Fn(&mut tfjob_contract::Role)| {
        let mut worker = role("worker", 2);
        change(&mut worker);
        fault(&Contract { roles: vec![worker, helper("logs")], ..plain() })
    };
    assert_eq!(with(&|r| r.run = Run::Argv(Vec::new())), "role `worker` has no command");
    assert_eq!(
        with(&|r| r.ports = BTreeMap::from([("rendezvous".to_owned(), 1)])),
        "role `worker` declares the reserved port name `rendezvous`"
    );
    for name in ["", "1A", "A-B", "A B", "É", "A=B", "A\0"] {
        let fault = with(&|r| r.env = vec![(name.to_owned(), text("x"))]);
        assert_eq!(fault, format!("role `worker` sets `{name}`, which is not a valid variable name"));
    }
    assert_eq!(
        with(&|r| r.env = vec![("TF_CONFIG".to_owned(), text("{}"))]),
        "role `worker` sets TF_CONFIG, which is reserved for `framework`"
    );
    let runs = |piece: Piece| with(&|r| r.run = Run::Argv(vec![vec![piece.clone()]]));
    assert_eq!(runs(Piece::Port("web".into())), "role `worker` references undeclared port `web`");
    assert_eq!(runs(Piece::Done), "role `worker` uses `{done}`, but does not declare the duty `done`");
    assert_eq!(
        runs(Piece::Addresses("ps".into())),
        "role `worker` references the addresses of unknown role `ps`"
    );
    assert_eq!(
        runs(Piece::Addresses("logs".into())),
        "role `worker` references the addresses of role `logs`, which has no rendezvous port"
    );
}

#[test]
fn helpers_may_have_any_name_and_number() {
    let mut chiefs = helper("chief");
    chiefs.count = 3;
    assert_eq!(chiefs.kind, Membership::Helper);
    assert_eq!(Contract { roles: vec![role("worker", 1), chiefs], ..plain() }.check(), Ok(()));
}
