//! Contracts of the right shape that no shim can serve.
use crate::job::{helper, hosts, job, role, tensorflow, text};
use std::collections::BTreeMap;
use tfjob_contract::{Contract, FrameworkName, Membership, Peers, Piece, Run, StrategyName};

fn fault(contract: &Contract) -> String {
    let fault = contract.check().unwrap_err().to_string();
    assert_eq!(Contract::read(&contract.write()).unwrap_err().to_string(), fault, "reading checks too");
    fault.strip_prefix("the contract is wrong: ").unwrap().to_owned()
}

fn plain() -> Contract {
    tensorflow(StrategyName::Custom, vec![role("worker", 2)])
}

#[test]
fn names_of_roles_are_there_and_unique() {
    assert_eq!(fault(&Contract { roles: Vec::new(), ..plain() }), "it has no role");
    assert_eq!(fault(&Contract { roles: vec![role("worker", 0)], ..plain() }), "role `worker` has no task");
    for roles in [vec![role("worker", 100_001)], vec![role("worker", u32::MAX), role("chief", u32::MAX)]] {
        assert_eq!(fault(&Contract { roles, ..plain() }), "it has more than 100000 tasks");
    }
    let twice = vec![role("worker", 1), role("worker", 1)];
    assert_eq!(fault(&Contract { roles: twice, ..plain() }), "it has two roles `worker`");
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
        assert_eq!(fault(&contract), "tensorflow cannot have 1 tasks of role `master`");
    }
    let chiefs = tensorflow(StrategyName::ParameterServer, vec![role("chief", 2), role("ps", 1)]);
    assert_eq!(fault(&chiefs), "tensorflow cannot have 2 tasks of role `chief`");
    let ps = job(FrameworkName::Pytorch, None, vec![role("worker", 1), role("ps", 1)]);
    assert_eq!(fault(&ps), "pytorch cannot have 1 tasks of role `ps`");
    let evaluator = job(FrameworkName::Horovod, None, vec![role("worker", 1), role("evaluator", 1)]);
    assert_eq!(fault(&evaluator), "horovod cannot have 1 tasks of role `evaluator`");
    let headless = job(FrameworkName::Mxnet, None, vec![role("server", 1), role("worker", 1)]);
    assert_eq!(fault(&headless), "mxnet with several tasks needs a `scheduler`");
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
    assert_eq!(fault(&contract), "pytorch has no strategy");
}

#[test]
fn an_address_that_cannot_be_rendered_is_refused() {
    let with = |host: &str| fault(&Contract { peers: hosts(host), ..plain() });
    assert_eq!(with("{role}-{zone}"), "the address `{role}-{zone}` uses `{zone}`, which names nothing");
    assert_eq!(with("{role"), "the address `{role` has a brace that is not closed");
    let renamed = |pairs: &[(&str, &str)]| {
        let Peers::Template(mut address) = hosts("{role}") else { unreachable!() };
        address.roles = pairs.iter().map(|(ours, theirs)| ((*ours).into(), (*theirs).into())).collect();
        let roles = vec![role("worker", 1), role("ps", 1)];
        fault(&Contract { peers: Peers::Template(address), roles, ..plain() })
    };
    assert_eq!(renamed(&[("chef", "x")]), "it renames the role `chef`, which is not there");
    assert_eq!(renamed(&[("worker", "ps")]), "`ps` stands for more than one role");
    assert_eq!(renamed(&[("worker", "x"), ("ps", "x")]), "`x` stands for more than one role");
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
        assert_eq!(fault(&alone(contract)), "its tasks must meet and it does not say where");
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
    assert_eq!(fault(&contract), "role `worker` asks for an address and there is none");
}

#[test]
fn a_role_that_cannot_be_started_is_refused() {
    let with = |change: &dyn Fn(&mut tfjob_contract::Role)| {
        let mut worker = role("worker", 2);
        change(&mut worker);
        fault(&Contract { roles: vec![worker, helper("logs")], ..plain() })
    };
    assert_eq!(with(&|r| r.run = Run::Argv(Vec::new())), "role `worker` has nothing to run");
    assert_eq!(
        with(&|r| r.ports = BTreeMap::from([("cluster".to_owned(), 1)])),
        "role `worker` names a port `cluster`, which is the rendezvous"
    );
    for name in ["", "1A", "A-B", "A B", "É", "A=B", "A\0"] {
        let fault = with(&|r| r.env = vec![(name.to_owned(), text("x"))]);
        assert_eq!(fault, format!("role `worker` sets `{name}`, which is no name of a variable"));
    }
    assert_eq!(
        with(&|r| r.env = vec![("TF_CONFIG".to_owned(), text("{}"))]),
        "role `worker` sets TF_CONFIG, which belongs to `framework`"
    );
    let runs = |piece: Piece| with(&|r| r.run = Run::Argv(vec![vec![piece.clone()]]));
    assert_eq!(runs(Piece::Port("web".into())), "role `worker` asks for the port `web` and has none");
    assert_eq!(runs(Piece::Done), "role `worker` names the file `{done}`, and no duty of it looks there");
    assert_eq!(
        runs(Piece::Addresses("ps".into())),
        "role `worker` asks for the addresses of `ps`, which is no role"
    );
    assert_eq!(
        runs(Piece::Addresses("logs".into())),
        "role `worker` asks for the addresses of `logs`, which listens on no port"
    );
}

#[test]
fn helpers_may_have_any_name_and_number() {
    let mut chiefs = helper("chief");
    chiefs.count = 3;
    assert_eq!(chiefs.kind, Membership::Helper);
    assert_eq!(Contract { roles: vec![role("worker", 1), chiefs], ..plain() }.check(), Ok(()));
}
