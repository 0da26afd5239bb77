//! Tests that contracts with valid JSON but inconsistent content are rejected.
use crate::job::{helper, hosts, job, role, tensorflow, text};
use std::collections::BTreeMap;
use tfjob_contract::{Contract, FrameworkName, Membership, Peers, Piece, Run, StrategyName};

fn fault(contract: &Contract) -> String {
    let fault = contract.check().unwrap_err().to_string();
    assert_eq!(Contract::read(&contract.write()).unwrap_err().to_string(), fault, "reading checks too");
    let fault =
        fault.strip_prefix("the job contract, which `tfjob compile` writes for tfjob-shim, is invalid: ");
    fault.unwrap().strip_suffix("; compile the job again").unwrap().to_owned()
}

fn plain() -> Contract {
    tensorflow(StrategyName::Custom, vec![role("worker", 2)])
}

#[test]
fn names_of_roles_are_there_and_unique() {
    assert_eq!(fault(&Contract { roles: Vec::new(), ..plain() }), "it has no roles");
    assert_eq!(fault(&Contract { roles: vec![role("worker", 0)], ..plain() }), "role `worker` has no tasks");
    for roles in [vec![role("worker", 100_001)], vec![role("worker", u32::MAX), role("chief", u32::MAX)]] {
        assert_eq!(fault(&Contract { roles, ..plain() }), "its roles have more than 100000 tasks in total");
    }
    let twice = vec![role("worker", 1), role("worker", 1)];
    assert_eq!(fault(&Contract { roles: twice, ..plain() }), "it has several roles with the name `worker`");
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
        assert_eq!(fault(&contract), "role `master` is not a role of framework tensorflow");
    }
    let chiefs = tensorflow(StrategyName::ParameterServer, vec![role("chief", 2), role("ps", 1)]);
    assert_eq!(
        fault(&chiefs),
        "role `chief` has 2 tasks, but framework tensorflow allows only one task of this role"
    );
    let ps = job(FrameworkName::Pytorch, None, vec![role("worker", 1), role("ps", 1)]);
    assert_eq!(fault(&ps), "role `ps` is not a role of framework pytorch");
    let evaluator = job(FrameworkName::Horovod, None, vec![role("worker", 1), role("evaluator", 1)]);
    assert_eq!(
        fault(&evaluator),
        "role `evaluator` has kind `evaluator`, but framework horovod has no evaluator role of this name"
    );
    let headless = job(FrameworkName::Mxnet, None, vec![role("server", 1), role("worker", 1)]);
    assert_eq!(fault(&headless), "framework mxnet with several tasks requires a role `scheduler`");
    assert_eq!(job(FrameworkName::Custom, None, vec![role("actor", 3)]).check(), Ok(()));
    assert_eq!(job(FrameworkName::Mxnet, None, vec![role("worker", 1)]).check(), Ok(()));
}

#[test]
fn several_tensorflow_tasks_need_a_strategy_and_nobody_else_has_one() {
    let contract = job(FrameworkName::Tensorflow, None, vec![role("worker", 2)]);
    assert_eq!(fault(&contract), "framework tensorflow with several tasks requires a `strategy`");
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
    assert_eq!(
        with("{role}-{zone}"),
        "address template `{role}-{zone}` in `peers` uses `{zone}`, but `names` in `peers` does not contain `zone`"
    );
    assert_eq!(with("{role"), "address template `{role` in `peers` has an unclosed brace");
    let renamed = |pairs: &[(&str, &str)]| {
        let Peers::Template(mut address) = hosts("{role}") else { unreachable!() };
        address.roles = pairs.iter().map(|(ours, theirs)| ((*ours).into(), (*theirs).into())).collect();
        let roles = vec![role("worker", 1), role("ps", 1)];
        fault(&Contract { peers: Peers::Template(address), roles, ..plain() })
    };
    assert_eq!(renamed(&[("chef", "x")]), "`peers` maps unknown role `chef` to a name on the platform");
    assert_eq!(renamed(&[("worker", "ps")]), "on the platform, more than one role would have the name `ps`");
    assert_eq!(
        renamed(&[("worker", "x"), ("ps", "x")]),
        "on the platform, more than one role would have the name `x`"
    );
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
            "tasks of this framework connect to each other, but `peers` of the job contract has no addresses"
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
        "role `worker` uses the address of a task, but `peers` of the job contract has no addresses"
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
        "the contract lists port `rendezvous` of role `worker` in `ports`, but the number of this port belongs in the field `port` of the role"
    );
    for name in ["", "1A", "A-B", "A B", "É", "A=B", "A\0"] {
        let fault = with(&|r| r.env = vec![(name.to_owned(), text("x"))]);
        assert_eq!(
            fault,
            format!("role `worker` sets environment variable `{name}`, which is not a valid name")
        );
    }
    assert_eq!(
        with(&|r| r.env = vec![("TF_CONFIG".to_owned(), text("{}"))]),
        "role `worker` sets environment variable TF_CONFIG, which tfjob sets for `framework`"
    );
    let runs = |piece: Piece| with(&|r| r.run = Run::Argv(vec![vec![piece.clone()]]));
    assert_eq!(
        runs(Piece::Port("web".into())),
        "role `worker` uses port `web`, which this role does not declare"
    );
    assert_eq!(
        runs(Piece::Done),
        "role `worker` uses the completion file (`{done}`), but its `duties` do not contain `done`, so tfjob-shim would not watch the file"
    );
    assert_eq!(runs(Piece::Addresses("ps".into())), "role `worker` uses the addresses of unknown role `ps`");
    assert_eq!(
        runs(Piece::Addresses("logs".into())),
        "role `worker` uses the addresses of helper `logs`, but helpers have no addresses"
    );
    let own = |r: &mut tfjob_contract::Role| {
        (r.port, r.run) = (0, Run::Argv(vec![vec![Piece::Port("rendezvous".into())]]));
    };
    assert_eq!(with(&own), "role `worker` uses port `rendezvous`, which this role does not have");
    let without = |r: &mut tfjob_contract::Role| {
        (r.port, r.run) = (0, Run::Argv(vec![vec![Piece::Addresses("worker".into())]]));
    };
    assert_eq!(
        with(&without),
        "role `worker` uses the addresses of role `worker`, which has no rendezvous port"
    );
}

#[test]
fn helpers_may_have_any_name_and_number() {
    let mut chiefs = helper("chief");
    chiefs.count = 3;
    assert_eq!(chiefs.kind, Membership::Helper);
    assert_eq!(Contract { roles: vec![role("worker", 1), chiefs], ..plain() }.check(), Ok(()));
}
