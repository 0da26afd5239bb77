//! Tests the rendezvous variables of the frameworks other than TensorFlow.
use crate::job::{but, helper, job, role, shown, value};
use tfjob_contract::{Contract, FrameworkName, Peers, RESERVED, owner};

fn variables(contract: &Contract, role: &str, index: u32) -> Vec<String> {
    but(&shown(contract, role, index), &["TFJOB_"])
}

#[test]
fn pytorch_counts_the_master_first() {
    let contract =
        job(FrameworkName::Pytorch, None, vec![role("worker", 2), helper("logs"), role("master", 1)]);
    let expected =
        |rank| ["MASTER_ADDR=master-0", "MASTER_PORT=2222", rank, "WORLD_SIZE=3"].map(str::to_owned).to_vec();
    assert_eq!(variables(&contract, "master", 0), expected("RANK=0"));
    assert_eq!(variables(&contract, "worker", 0), expected("RANK=1"));
    assert_eq!(variables(&contract, "worker", 1), expected("RANK=2"));
    assert_eq!(variables(&contract, "logs", 0), [""; 0]);
}

#[test]
fn without_a_master_worker_0_leads() {
    let contract = job(FrameworkName::Pytorch, None, vec![role("worker", 2)]);
    let expected = ["MASTER_ADDR=worker-0", "MASTER_PORT=2222", "RANK=1", "WORLD_SIZE=2"];
    assert_eq!(variables(&contract, "worker", 1), expected);
}

#[test]
fn a_task_that_is_alone_leads_itself() {
    let contract = job(FrameworkName::Pytorch, None, vec![role("worker", 1)]);
    let mut contract = Contract { peers: Peers::Alone, ..contract };
    let expected = ["MASTER_ADDR=localhost", "MASTER_PORT=2222", "RANK=0", "WORLD_SIZE=1"];
    assert_eq!(variables(&contract, "worker", 0), expected);
    contract.roles[0].port = 0;
    assert_eq!(value(&shown(&contract, "worker", 0), "MASTER_PORT"), Some("<port rendezvous>"));
}

#[test]
fn xgboost_is_told_of_its_tracker_in_both_tongues() {
    let contract = job(FrameworkName::Xgboost, None, vec![role("master", 1), role("worker", 2)]);
    let expected = [
        "MASTER_ADDR=master-0",
        "MASTER_PORT=2222",
        "RANK=2",
        "WORLD_SIZE=3",
        "DMLC_TRACKER_URI=master-0",
        "DMLC_TRACKER_PORT=2222",
        "DMLC_TASK_ID=2",
        "DMLC_NUM_WORKER=3",
    ];
    assert_eq!(variables(&contract, "worker", 1), expected);
}

#[test]
fn mxnet_is_told_of_its_scheduler() {
    let contract =
        job(FrameworkName::Mxnet, None, vec![role("worker", 4), role("server", 2), role("scheduler", 1)]);
    for name in ["worker", "server", "scheduler"] {
        let expected = [
            &format!("DMLC_ROLE={name}"),
            "DMLC_PS_ROOT_URI=scheduler-0",
            "DMLC_PS_ROOT_PORT=2222",
            "DMLC_NUM_SERVER=2",
            "DMLC_NUM_WORKER=4",
        ];
        assert_eq!(variables(&contract, name, 0), expected);
    }
    assert_eq!(variables(&job(FrameworkName::Mxnet, None, vec![role("worker", 1)]), "worker", 0), [""; 0]);
}

#[test]
fn horovod_has_one_rank_a_task() {
    let contract = job(FrameworkName::Horovod, None, vec![role("worker", 3)]);
    let expected = [
        "HOROVOD_RANK=2",
        "HOROVOD_SIZE=3",
        "HOROVOD_LOCAL_RANK=0",
        "HOROVOD_LOCAL_SIZE=1",
        "HOROVOD_CROSS_RANK=2",
        "HOROVOD_CROSS_SIZE=3",
        "HOROVOD_CONTROLLER=gloo",
        "HOROVOD_CPU_OPERATIONS=gloo",
        "HOROVOD_HOSTNAME=worker-2",
        "HOROVOD_GLOO_RENDEZVOUS_ADDR=worker-0",
        "HOROVOD_GLOO_RENDEZVOUS_PORT=2222",
    ];
    assert_eq!(variables(&contract, "worker", 2), expected);
    let alone = shown(&job(FrameworkName::Horovod, None, vec![role("worker", 1)]), "worker", 0);
    assert_eq!(value(&alone, "HOROVOD_GLOO_RENDEZVOUS_ADDR"), None, "it would wait for a server");
}

#[test]
fn caffe_and_custom_find_each_other_by_themselves() {
    for family in [FrameworkName::Caffe, FrameworkName::Custom] {
        assert_eq!(variables(&job(family, None, vec![role("actor", 3)]), "actor", 2), [""; 0]);
    }
}

#[test]
fn all_that_is_set_is_owned_and_all_that_is_owned_is_set() {
    let roles = |family: FrameworkName| match family {
        FrameworkName::Pytorch | FrameworkName::Xgboost => vec![role("master", 1), role("worker", 1)],
        FrameworkName::Mxnet => vec![role("scheduler", 1), role("server", 1), role("worker", 1)],
        FrameworkName::Tensorflow | FrameworkName::Horovod | FrameworkName::Caffe | FrameworkName::Custom => {
            vec![role("worker", 2)]
        }
    };
    for family in FrameworkName::ALL {
        let strategy = (family == FrameworkName::Tensorflow).then_some(tfjob_contract::StrategyName::Custom);
        let rendered = shown(&job(family, strategy, roles(family)), "worker", 0);
        for (name, _) in &rendered.env {
            assert!(owner(name, family, false).is_some(), "{}: {name}", family.keyword());
        }
        let own = format!("framework {}", family.keyword());
        for (name, _) in RESERVED.iter().filter(|(_, owner)| *owner == own) {
            assert!(value(&rendered, name).is_some(), "{own}: {name}");
        }
    }
}
