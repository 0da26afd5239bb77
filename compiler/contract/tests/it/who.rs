//! Tests how a container determines its task, with environment variables as real platforms set them.
use crate::job::{env, hosts, role, task, tensorflow};
use std::collections::BTreeMap;
use tfjob_contract::{Contract, Failure, Peers, Source, StrategyName};

/// `TF_CONFIG` that the Kubeflow operator 1.9 sets in worker 1 of the job `plain`, which has 2 workers.
const OPERATOR: &str = r#"{"cluster":{"worker":["plain-worker-0.default.svc:2222","plain-worker-1.default.svc:2222"]},"task":{"type":"worker","index":1},"environment":"cloud"}"#;
/// `TF_CONFIG` that TensorFlowOnSpark 2.2.5 sets in the evaluator.
const SPARK: &str = r#"{"cluster": {"chief": ["127.0.0.1:46059"], "evaluator": ["127.0.0.1:37117"], "worker": ["127.0.0.1:45617"]}, "task": {"type": "evaluator", "index": 0}, "environment": "cloud"}"#;
/// `TF_CONFIG` that TonY 0.4.7 sets in worker 1.
const TONY: &str = r#"{"task":{"type":"worker","index":1},"cluster":{"ps":["localhost:46739"],"chief":["localhost:44951"],"worker":["localhost:38517","localhost:38203"]}}"#;

fn source(env: &str) -> Source {
    Source::Env(env.to_owned())
}

fn tail(env: &str, after: char) -> Source {
    Source::EnvTail { env: env.to_owned(), after }
}

fn json(env: &str, pointer: &str) -> Source {
    Source::EnvJson { env: env.to_owned(), pointer: pointer.to_owned() }
}

fn contract(role_from: Source, index_from: Source) -> Contract {
    let roles = vec![role("chief", 1), role("worker", 4), role("ps", 2), role("evaluator", 1)];
    Contract { role: role_from, index: index_from, ..tensorflow(StrategyName::ParameterServer, roles) }
}

#[test]
fn every_platform_is_read_with_the_same_four_words() {
    let config = |text: &'static str| ("TF_CONFIG", text);
    let by_config = || contract(json("TF_CONFIG", "/task/type"), json("TF_CONFIG", "/task/index"));
    let rows = [
        // The artifact sets `TFJOB_INDEX=${COMPONENT_ID}`, and the platform replaces `${COMPONENT_ID}` by the index.
        (
            contract(source("TFJOB_ROLE"), source("TFJOB_INDEX")),
            vec![("TFJOB_ROLE", "ps"), ("TFJOB_INDEX", "1")],
            task("ps", 1),
        ),
        (by_config(), vec![config(OPERATOR)], task("worker", 1)),
        (by_config(), vec![config(SPARK)], task("evaluator", 0)),
        (by_config(), vec![config(TONY)], task("worker", 1)),
        (
            contract(source("JOB_NAME"), source("TASK_INDEX")),
            vec![("JOB_NAME", "chief"), ("TASK_INDEX", "0")],
            task("chief", 0),
        ),
        (
            contract(Source::Is("worker".to_owned()), source("JOB_COMPLETION_INDEX")),
            vec![("JOB_COMPLETION_INDEX", "2")],
            task("worker", 2),
        ),
        (
            contract(Source::Is("worker".to_owned()), tail("HOSTNAME", '-')),
            vec![("HOSTNAME", "mnist-worker-3")],
            task("worker", 3),
        ),
        (
            contract(Source::Is("worker".to_owned()), json("NODE", "/index")),
            vec![("NODE", r#"{"index":"3"}"#)],
            task("worker", 3),
        ),
    ];
    for (contract, variables, expected) in rows {
        assert_eq!(contract.task(&env(&variables)), Ok(expected), "{variables:?}");
    }
}

#[test]
fn the_platforms_word_for_a_role_is_understood_too() {
    let Peers::Template(mut address) = hosts("{role}-{index}.job") else { unreachable!() };
    address.roles = BTreeMap::from([("ps".to_owned(), "server".to_owned())]);
    let contract = contract(source("COMPONENT"), Source::Is("0".to_owned()));
    let contract = Contract { peers: Peers::Template(address), ..contract };
    assert_eq!(contract.task(&env(&[("COMPONENT", "server")])), Ok(task("ps", 0)));
    assert_eq!(contract.task(&env(&[("COMPONENT", "ps")])), Ok(task("ps", 0)));
}

#[test]
fn what_the_platform_did_not_say_is_named() {
    let by_config = || contract(json("TF_CONFIG", "/task/type"), json("TF_CONFIG", "/task/index"));
    let worker = |index: Source| contract(Source::Is("worker".to_owned()), index);
    let rows = [
        (by_config(), vec![], "environment variable TF_CONFIG is not set by the platform"),
        (
            by_config(),
            vec![("TF_CONFIG", "{}")],
            "the JSON in environment variable TF_CONFIG has no value at JSON pointer `/task/type`",
        ),
        (
            by_config(),
            vec![("TF_CONFIG", r#"{"task":{"type":[]}}"#)],
            "the JSON in environment variable TF_CONFIG has no string or number at JSON pointer `/task/type`",
        ),
        (
            by_config(),
            vec![("TF_CONFIG", r#"{"task":{"type":"master","index":0}}"#)],
            "the platform reports role `master` for this task, but the roles of the job are chief, worker, ps, evaluator",
        ),
        (
            worker(tail("HOST", '-')),
            vec![("HOST", "a.b")],
            "tfjob-shim needs the part of environment variable HOST after the last `-`, but the value of the variable does not contain `-`",
        ),
        (
            worker(source("I")),
            vec![("I", "${COMPONENT_ID}")],
            "the platform reports task index `${COMPONENT_ID}`, which is not a number",
        ),
        (
            worker(source("I")),
            vec![("I", "4")],
            "the platform reports task index 4 of role `worker`, but the indexes of this role are 0 to 3",
        ),
    ];
    for (contract, variables, expected) in rows {
        let fault = contract.task(&env(&variables)).unwrap_err();
        assert_eq!(fault, Failure::Platform(expected.to_owned()), "{variables:?}");
    }
}

#[test]
fn no_text_that_is_not_a_number_is_an_index() {
    for index in ["", " 1", "+1", "-1", "1.0", "0x1", "٣", "99999999999999999999", &"9".repeat(5000)] {
        let contract = contract(Source::Is("worker".to_owned()), source("I"));
        let fault = contract.task(&env(&[("I", index)])).unwrap_err().to_string();
        assert!(fault.contains("which is not a number") && fault.len() < 200, "{fault}");
    }
}

#[test]
fn json_without_end_neither_overflows_nor_is_understood() {
    let deep = "[".repeat(100_000);
    let fault = json("X", "/a").read(&env(&[("X", &deep)])).unwrap_err().to_string();
    assert!(
        fault.starts_with("environment variable X does not contain valid JSON: recursion limit"),
        "{fault}"
    );
}

#[test]
fn a_value_never_stands_in_a_message_of_a_source() {
    let secret = env(&[("TOKEN", "hunter2")]);
    for source in [json("TOKEN", "/a"), tail("TOKEN", '-')] {
        let fault = source.read(&secret).unwrap_err().to_string();
        assert!(fault.contains("TOKEN") && !fault.contains("hunter"), "{fault}");
    }
}

#[test]
fn all_tasks_are_listed_role_by_role() {
    let roles = vec![role("worker", 2), role("ps", 1)];
    let tasks: Vec<_> = tensorflow(StrategyName::Custom, roles).tasks().collect();
    assert_eq!(tasks, [task("worker", 0), task("worker", 1), task("ps", 0)]);
}
