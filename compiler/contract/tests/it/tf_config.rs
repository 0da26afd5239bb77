//! Tests `TF_CONFIG` of each strategy, byte for byte. TensorFlow 2.15 and 2.21 were observed to accept the expected values.
use crate::job::{env, helper, hosts, role, shown, task, tensorflow, value};
use tfjob_contract::{
    Contract, Failure, Peers, PlaceholderMachine, Rendered, Role, StrategyName, TfConfig, render,
};

fn tf_config(contract: &Contract, role: &str, index: u32) -> Option<String> {
    let rendered = shown(contract, role, index);
    let text = value(&rendered, "TF_CONFIG").map(str::to_owned);
    assert_eq!(rendered.unset, if text.is_some() { vec![] } else { vec!["TF_CONFIG"] });
    text
}

fn all() -> Vec<Role> {
    vec![role("worker", 2), role("ps", 1), role("chief", 1), role("evaluator", 1), helper("tensorboard")]
}

const SERVERS: &str =
    r#""chief":["chief-0:2222"],"ps":["ps-0:2222"],"worker":["worker-0:2222","worker-1:2222"]"#;

#[test]
fn workers_in_step_without_a_chief() {
    let contract = tensorflow(StrategyName::MultiWorkerMirrored, vec![role("worker", 2)]);
    let contract = Contract { peers: hosts("w{index}"), ..contract };
    let expected = r#"{"cluster":{"worker":["w0:2222","w1:2222"]},"task":{"type":"worker","index":1}}"#;
    assert_eq!(tf_config(&contract, "worker", 1).unwrap(), expected);
}

#[test]
fn workers_in_step_with_a_chief_and_an_evaluator() {
    let roles = vec![role("evaluator", 1), role("worker", 1), role("chief", 1)];
    let contract = tensorflow(StrategyName::MultiWorkerMirrored, roles);
    let cluster = r#""chief":["chief-0:2222"],"worker":["worker-0:2222"]"#;
    let expected = format!(r#"{{"cluster":{{{cluster}}},"task":{{"type":"chief","index":0}}}}"#);
    assert_eq!(tf_config(&contract, "chief", 0).unwrap(), expected);
    let own = r#""chief":["chief-0:2222"],"evaluator":["evaluator-0:2222"],"worker":["worker-0:2222"]"#;
    let expected = format!(r#"{{"cluster":{{{own}}},"task":{{"type":"evaluator","index":0}}}}"#);
    assert_eq!(tf_config(&contract, "evaluator", 0).unwrap(), expected);
}

#[test]
fn workers_in_step_never_see_a_ps_and_a_ps_sees_nothing() {
    let contract = tensorflow(StrategyName::MultiWorkerMirrored, vec![role("worker", 2), role("ps", 1)]);
    let text = tf_config(&contract, "worker", 0).unwrap();
    assert!(!text.contains("ps"), "{text}");
    assert_eq!(tf_config(&contract, "ps", 0), None);
}

#[test]
fn servers_stand_with_chief_and_workers_but_the_evaluator_only_in_its_own() {
    for strategy in [StrategyName::ParameterServer, StrategyName::Estimator] {
        let contract = tensorflow(strategy, all());
        for (name, index) in [("chief", 0), ("worker", 0), ("worker", 1), ("ps", 0)] {
            let expected =
                format!(r#"{{"cluster":{{{SERVERS}}},"task":{{"type":"{name}","index":{index}}}}}"#);
            assert_eq!(tf_config(&contract, name, index).unwrap(), expected);
        }
        let own = SERVERS.replace(r#""ps":"#, r#""evaluator":["evaluator-0:2222"],"ps":"#);
        let expected = format!(r#"{{"cluster":{{{own}}},"task":{{"type":"evaluator","index":0}}}}"#);
        assert_eq!(tf_config(&contract, "evaluator", 0).unwrap(), expected);
    }
}

#[test]
fn a_custom_strategy_has_every_role_in_every_one() {
    let contract = tensorflow(StrategyName::Custom, all());
    let cluster = SERVERS.replace(r#""ps":"#, r#""evaluator":["evaluator-0:2222"],"ps":"#);
    for (name, index) in [("chief", 0), ("worker", 1), ("ps", 0), ("evaluator", 0)] {
        let expected = format!(r#"{{"cluster":{{{cluster}}},"task":{{"type":"{name}","index":{index}}}}}"#);
        assert_eq!(tf_config(&contract, name, index).unwrap(), expected);
    }
}

#[test]
fn a_helper_has_none() {
    for strategy in [StrategyName::Custom, StrategyName::ParameterServer, StrategyName::MultiWorkerMirrored] {
        assert_eq!(tf_config(&tensorflow(strategy, all()), "tensorboard", 0), None);
    }
}

#[test]
fn a_task_that_trains_by_itself_has_none() {
    let strategies = [
        StrategyName::Single,
        StrategyName::Mirrored,
        StrategyName::MultiWorkerMirrored,
        StrategyName::Estimator,
        StrategyName::Custom,
    ];
    for strategy in strategies {
        let contract = tensorflow(strategy, vec![role("worker", 1), helper("tensorboard")]);
        assert_eq!(tf_config(&contract, "worker", 0), None);
        let contract = Contract { peers: Peers::Alone, ..contract };
        assert_eq!(tf_config(&contract, "worker", 0), None);
    }
    let contract = tensorflow(StrategyName::Mirrored, vec![role("worker", 1), role("evaluator", 1)]);
    assert_eq!(tf_config(&contract, "evaluator", 0), None);
}

#[test]
fn one_worker_beside_an_evaluator_still_says_who_it_is() {
    let contract = tensorflow(StrategyName::Estimator, vec![role("worker", 1), role("evaluator", 1)]);
    let expected = r#"{"cluster":{"worker":["worker-0:2222"]},"task":{"type":"worker","index":0}}"#;
    assert_eq!(tf_config(&contract, "worker", 0).unwrap(), expected);
}

/// A `TF_CONFIG` as an operator sets it: the evaluator is in the cluster of every task, and there is a field `environment`.
const GIVEN: &str = r#"{"cluster":{"chief":["j-chief-0.default.svc:2222"],"evaluator":["j-evaluator-0.default.svc:2222"],"ps":["j-ps-0.default.svc:3333"],"worker":["j-worker-0.default.svc:2222","j-worker-1.default.svc:2222"]},"task":{"type":"chief","index":0},"environment":"cloud"}"#;

fn given(text: &str, name: &str, index: u32) -> Result<Rendered, Failure> {
    let peers = Peers::Given { env: "TF_CONFIG".to_owned(), pointer: "/cluster".to_owned() };
    let contract = Contract { peers, ..tensorflow(StrategyName::ParameterServer, all()) };
    contract.check().unwrap();
    render(&contract, &task(name, index), &env(&[("TF_CONFIG", text)]), &mut PlaceholderMachine)
}

#[test]
fn what_an_operator_wrote_is_written_anew() {
    let chief = given(GIVEN, "chief", 0).unwrap();
    let expected = r#"{"cluster":{"chief":["j-chief-0.default.svc:2222"],"ps":["j-ps-0.default.svc:3333"],"worker":["j-worker-0.default.svc:2222","j-worker-1.default.svc:2222"]},"task":{"type":"chief","index":0}}"#;
    assert_eq!(value(&chief, "TF_CONFIG"), Some(expected));
    assert_eq!(value(&chief, "TFJOB_ADDRESS"), Some("j-chief-0.default.svc"));
    let ps = given(GIVEN, "ps", 0).unwrap();
    assert_eq!(value(&ps, "TFJOB_PORT_RENDEZVOUS"), Some("3333"));
    let text = value(&given(GIVEN, "evaluator", 0).unwrap(), "TF_CONFIG").unwrap().to_owned();
    let own: TfConfig = serde_json::from_str(&text).unwrap();
    let all: TfConfig = serde_json::from_str(GIVEN).unwrap();
    assert_eq!((own.cluster, own.task), (all.cluster, task("evaluator", 0)));
}

#[test]
fn lists_that_the_platform_left_out_are_named() {
    let fault = |text: &str| given(text, "worker", 1).unwrap_err().to_string();
    assert_eq!(
        fault("{}"),
        "the JSON in environment variable TF_CONFIG has no value at JSON pointer `/cluster`"
    );
    assert_eq!(
        fault(r#"{"cluster":[]}"#),
        "the JSON in environment variable TF_CONFIG, at JSON pointer `/cluster`, is not an object with the addresses of each role"
    );
    let sparse = GIVEN.replace(
        r#"["j-worker-0.default.svc:2222","j-worker-1.default.svc:2222"]"#,
        r#"{"1":"j-worker-1.default.svc:2222"}"#,
    );
    assert_eq!(fault(&sparse), "environment variable TF_CONFIG has no list of host:port for role `worker`");
    let short = GIVEN.replace(r#","j-worker-1.default.svc:2222""#, "");
    assert_eq!(fault(&short), "environment variable TF_CONFIG has no host:port for task 1 of role `worker`");
    for wrong in ["j-worker-1", "j-worker-1:", "j-worker-1:99999", ":2222"] {
        let wrong = GIVEN.replace("j-worker-1.default.svc:2222", wrong);
        assert_eq!(
            fault(&wrong),
            "environment variable TF_CONFIG has no host:port for task 1 of role `worker`"
        );
    }
}

#[test]
fn the_host_of_an_address_in_brackets_has_none() {
    let given =
        |address: &str| given(&GIVEN.replace("j-worker-1.default.svc", address), "worker", 1).unwrap();
    for address in ["[::1]", "::1"] {
        let told = given(address);
        assert_eq!(value(&told, "TFJOB_ADDRESS"), Some("::1"), "{address}");
        assert!(value(&told, "TF_CONFIG").unwrap().contains(&format!("\"{address}:2222\"")), "{address}");
    }
}

#[test]
fn a_helper_needs_nothing_of_what_the_members_are_told() {
    let rendered = given("{}", "tensorboard", 0).unwrap();
    assert_eq!(value(&rendered, "TF_CONFIG"), None);
    assert_eq!(rendered.unset, ["TF_CONFIG"]);
}
