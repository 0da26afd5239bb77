//! A contract as text: golden files, versions, carriers, bounds.
use crate::job::{role, tensorflow};
use tfjob_contract::{Contract, LARGEST, NEWEST, StrategyName, Success};

const V1: &str = include_str!("../contracts/v1.json");

fn refusal(text: &str) -> String {
    Contract::read(text).unwrap_err().to_string()
}

#[test]
fn version_1_is_read_for_ever_and_written_the_same() {
    let contract = Contract::read(V1).unwrap();
    assert_eq!(contract.version, 1);
    assert_eq!(contract.roles.len(), 4);
    assert_eq!(contract.write(), V1.trim_end());
}

#[test]
fn the_lowest_version_is_written_whatever_the_field_says() {
    let mut contract = tensorflow(StrategyName::Single, vec![role("worker", 1)]);
    contract.version = NEWEST + 7;
    assert!(contract.write().starts_with(r#"{"version":1,"#));
}

#[test]
fn a_newer_contract_is_refused_by_the_side_that_is_old() {
    let fault = refusal(r#"{"version":5,"elastic":true}"#);
    assert!(fault.contains("the contract has version 5 and this shim reads up to 4"), "{fault}");
    assert!(fault.contains("the shim is old"), "{fault}");
}

#[test]
fn unknown_words_are_refused_at_every_depth() {
    for (known, unknown) in [
        (r#""job":"#, r#""jobb":1,"job":"#),
        (r#""strategy":"#, r#""stratagem":1,"strategy":"#),
        (r#""count":1"#, r#""count":1,"min":1"#),
        (r#""kind":"helper""#, r#""kind":"sidecar""#),
        (r#""name":"tensorflow""#, r#""name":"keras""#),
        (r#"{"env":"TFJOB_ROLE"}"#, r#"{"file":"/role"}"#),
        (r#""after":"-""#, r#""after":"-","before":"-""#),
        (r#""pointer":"/zone""#, r#""pointer":"/zone","else":"a""#),
        (r#""home":"#, r#""yard":"","home":"#),
        (r#"{"text":"python"}"#, r#"{"text":"python","raw":true}"#),
        (r#""address"]"#, r#""adress"]"#),
    ] {
        let text = V1.replacen(known, unknown, 1);
        assert_ne!(text, V1, "{known}");
        let fault = refusal(&text);
        assert!(fault.contains("altered or is the work of a faulty compiler"), "{unknown}: {fault}");
    }
}

#[test]
fn words_of_a_later_version_do_not_slip_in_under_an_earlier_one() {
    let text = V1.replacen(r#""roles":[{"#, r#""duties":{},"roles":[{"#, 1);
    assert_ne!(text, V1);
    let fault = refusal(&text);
    assert!(fault.contains("altered or is the work of a faulty compiler"), "{fault}");
    let mut duty: serde_json::Value = serde_json::from_str(V1).unwrap();
    duty["roles"][0]["duties"] = serde_json::json!({});
    let fault = refusal(&duty.to_string());
    assert!(fault.contains("claims version 1 and has words of version 2"), "{fault}");
}

#[test]
fn what_is_no_contract_is_called_so() {
    for text in ["", "{", "[]", "null", "{}", r#"{"version":null}"#, r#"{"version":0}"#, r#"{"version":-1}"#]
    {
        let fault = refusal(text);
        assert!(fault.starts_with("the text is not a contract of tfjob: "), "{text}: {fault}");
    }
}

#[test]
fn a_text_without_end_is_refused_before_it_is_parsed() {
    let fault = refusal(&" ".repeat(LARGEST + 1));
    assert!(fault.starts_with("the contract is 1048577 bytes long"), "{fault}");
    let fault = refusal(&format!("{{\"version\":1,\"job\":{}", "[".repeat(1_000_000)));
    assert!(fault.contains("EOF"), "{fault}");
}

#[test]
fn a_variable_carries_json_or_base64() {
    let contract = Contract::read(V1).unwrap();
    let carried = contract.write_carried();
    assert!(carried.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte)));
    for text in [V1, &carried, &format!(" {carried}\n"), carried.trim_end_matches('=')] {
        assert_eq!(Contract::read_carried(text).as_ref(), Ok(&contract));
    }
    for text in ["", "version: 1", "eA"] {
        assert!(
            Contract::read_carried(text).unwrap_err().0.starts_with("the text is not a contract"),
            "{text}"
        );
    }
}

/// Up to version 3 a name of TensorFlow's or MXNet's meant the same with every framework.
#[test]
fn a_name_means_what_it_meant_when_the_contract_was_written() {
    let text = |version: u32, names: [&str; 2]| {
        let role = |name: &str| {
            format!(
                r#"{{"name":"{name}","kind":"member","count":1,"port":1,"run":{{"argv":[[{{"text":"a"}}]]}}}}"#
            )
        };
        format!(
            r#"{{"version":{version},"job":"a","framework":{{"name":"custom"}},"role":{{"env":"R"}},"index":{{"env":"I"}},"peers":{{"template":{{"host":"h"}}}},"roles":[{}],"duties":{{"ends_with":"workers"}}}}"#,
            names.map(role).join(",")
        )
    };
    let read = |version, names| Contract::read(&text(version, names)).unwrap();
    let tasks = |contract: &Contract, ends| {
        contract.deciding(ends).into_iter().map(|task| task.role).collect::<Vec<_>>().join(" ")
    };
    for (names, before, now) in [
        (["a", "ps"], ["a", "a"], ["a ps", "a"]),
        (["server", "b"], ["b", "b"], ["server b", "server"]),
        (["a", "worker"], ["a worker", "a"], ["a worker", "worker"]),
        (["a", "master"], ["a master", "master"], ["a master", "a"]),
        (["chief", "worker"], ["chief worker", "chief"], ["chief worker", "chief"]),
        (["a", "b"], ["a b", "a"], ["a b", "a"]),
    ] {
        for (version, meant) in [(2, before), (3, before), (4, now)] {
            let contract = read(version, names);
            let found = [Success::Workers, Success::Chief].map(|ends| tasks(&contract, ends));
            assert_eq!(found, meant, "{names:?} {version}");
        }
        // An older shim takes only what it reads in the same way.
        assert_eq!(read(4, names).needs(), if before == now { 2 } else { 4 }, "{names:?}");
    }
}
