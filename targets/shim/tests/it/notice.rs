//! On whose rendezvous port a shim answers while the program is down: where other shims look, and no client of a program is hurt.
use crate::job::{Folder, until};
use crate::peers::{NOWHERE, after, at, done, go, here, stop, task};
use std::io::Read;
use std::net::TcpStream;
use std::time::Duration;
use tfjob_contract::{
    Contract, Duties, FrameworkName, Membership, Ready, Role, RoleDuties, StrategyName, When,
};

/// What a client reads there; `None`: the port is closed.
fn read(port: u16) -> Option<String> {
    let mut caller = TcpStream::connect(("127.0.0.1", port)).ok()?;
    caller.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
    let mut part = [0; 17];
    caller.read_exact(&mut part).ok()?;
    Some(String::from_utf8_lossy(&part).into_owned())
}

/// A job of each framework and strategy whose tasks meet; clients call the first task of it.
fn jobs(script: &str) -> Vec<(String, Contract)> {
    let tensorflow = [
        StrategyName::MultiWorkerMirrored,
        StrategyName::ParameterServer,
        StrategyName::Estimator,
        StrategyName::Custom,
    ];
    let strategies = |family| match family {
        FrameworkName::Tensorflow => tensorflow.map(Some).to_vec(),
        FrameworkName::Pytorch
        | FrameworkName::Mxnet
        | FrameworkName::Xgboost
        | FrameworkName::Horovod
        | FrameworkName::Caffe
        | FrameworkName::Custom => vec![None],
    };
    let names = |family, strategy| match family {
        FrameworkName::Tensorflow if strategy == Some(StrategyName::MultiWorkerMirrored) => {
            vec!["chief", "worker"]
        }
        FrameworkName::Tensorflow => vec!["chief", "worker", "ps"],
        FrameworkName::Pytorch | FrameworkName::Xgboost => vec!["master", "worker"],
        FrameworkName::Mxnet => vec!["scheduler", "server", "worker"],
        FrameworkName::Horovod => vec!["worker"],
        FrameworkName::Caffe | FrameworkName::Custom => vec!["first", "worker"],
    };
    let mut jobs = Vec::new();
    for family in FrameworkName::ALL {
        for strategy in strategies(family) {
            let of = |name: &str| Role { count: 2, ..task(name, Membership::Member, script) };
            let mut roles: Vec<Role> = names(family, strategy).into_iter().map(of).collect();
            if roles.len() > 1 {
                roles[0].count = 1;
            }
            let mut contract = here(roles, Duties { wait: Some(600), ..Duties::default() });
            contract.framework.name = family;
            contract.framework.strategy = strategy;
            jobs.push((format!("{} {strategy:?}", family.keyword()), contract));
        }
    }
    jobs
}

/// Whose clients take a foreign line for a server that is not there yet.
fn bears_it(contract: &Contract) -> bool {
    contract.framework.name == FrameworkName::Tensorflow
}

/// What stands on the port of the first task once each of these has come so far; `None`: it is closed.
fn lines(jobs: &[(String, Contract)], came: &dyn Fn(&Folder) -> bool) -> Vec<(String, Option<String>)> {
    let started: Vec<_> = jobs
        .iter()
        .map(|(name, contract)| {
            let folder = Folder::new();
            let mut contract = contract.clone();
            let mark = folder.0.join("ran");
            for role in &mut contract.roles {
                role.env = vec![("MARK".to_owned(), crate::job::text(mark.to_str().unwrap()))];
            }
            let child = go(&folder, &contract, &contract.roles[0].name);
            (name, folder, contract.roles[0].port, child)
        })
        .collect();
    started.iter().for_each(|(_, folder, ..)| until(|| came(folder)));
    std::thread::sleep(Duration::from_millis(1500));
    let seen = started.iter().map(|(name, _, port, _)| ((*name).clone(), read(*port))).collect();
    for (.., child) in started {
        stop(&child);
        done(child);
    }
    seen
}

fn expected(jobs: &[(String, Contract)], told: impl Fn(&Contract) -> bool) -> Vec<(String, Option<String>)> {
    let line = |contract| told(contract).then(|| "tfjob-shim waits\n".to_owned());
    jobs.iter().map(|(name, contract)| (name.clone(), line(contract))).collect()
}

fn restarted(role: &mut Role) {
    let restart = serde_json::from_str(r#"{"limit":1,"backoff":60}"#).unwrap();
    role.duties.get_or_insert_default().restart = Some(restart);
}

#[test]
fn a_port_that_no_shim_looks_at_is_closed_until_the_program_opens_it() {
    let mut jobs = jobs("true");
    jobs.iter_mut().for_each(|(_, contract)| contract.peers = at(NOWHERE));
    assert_eq!(lines(&jobs, &|_| true), expected(&jobs, bears_it));
    // Unless somebody looks there before the first start.
    for ready in [None, Some(Ready::Tcp("rendezvous".to_owned()))] {
        for (_, contract) in &mut jobs {
            let first = contract.roles[0].name.clone();
            let looks =
                Role { duties: after(&first, When::Started), ..task("board", Membership::Helper, "true") };
            contract.roles.retain(|role| role.name != "board");
            contract.roles[0].duties = Some(RoleDuties { ready: ready.clone(), ..RoleDuties::default() });
            if ready.is_none() {
                contract.roles.push(Role { port: 0, ..looks });
            }
        }
        assert_eq!(lines(&jobs, &|_| true), expected(&jobs, |_| true));
    }
}

#[test]
fn in_a_pause_only_a_port_of_tensorflow_is_open() {
    let mut jobs = jobs("echo >$MARK; exit 1");
    for (_, contract) in &mut jobs {
        contract.roles.iter_mut().for_each(restarted);
        let first = contract.roles[0].name.clone();
        let looks =
            Role { duties: after(&first, When::Started), ..task("board", Membership::Helper, "true") };
        contract.roles.push(Role { port: 0, ..looks });
    }
    assert_eq!(lines(&jobs, &|folder| folder.0.join("ran").exists()), expected(&jobs, bears_it));
}
