//! Tests contracts as text: golden files, versions, encodings, and size limits.
use crate::job::{job, role, tensorflow};
use tfjob_contract::{Contract, FrameworkName, LARGEST, NEWEST, StrategyName, Success};

const START: &str = include_str!("../contracts/start.json");

fn refusal(text: &str) -> String {
    Contract::read(text).unwrap_err().to_string()
}

#[test]
fn a_contract_is_read_and_written_the_same() {
    let contract = Contract::read(START).unwrap();
    assert_eq!(contract.version, 1);
    assert_eq!(contract.roles.len(), 4);
    assert_eq!(contract.write(), START.trim_end());
}

#[test]
fn the_version_of_this_release_is_written_whatever_the_field_says() {
    let mut contract = tensorflow(StrategyName::Single, vec![role("worker", 1)]);
    contract.version = NEWEST + 7;
    assert!(contract.write().starts_with(r#"{"version":1,"#));
}

#[test]
fn a_newer_contract_is_refused_by_the_side_that_is_old() {
    let fault = refusal(r#"{"version":2,"elastic":true}"#);
    assert!(fault.contains("version 2 of the job contract is not supported by this tfjob-shim"), "{fault}");
    assert!(fault.contains("use the tfjob-shim of the tfjob release that compiled the job"), "{fault}");
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
        let text = START.replacen(known, unknown, 1);
        assert_ne!(text, START, "{known}");
        let fault = refusal(&text);
        assert!(
            fault.starts_with("the job contract, which `tfjob compile` writes for tfjob-shim, is invalid: "),
            "{unknown}: {fault}"
        );
    }
}

#[test]
fn what_is_no_contract_is_called_so() {
    for text in ["", "{", "[]", "null", "{}", r#"{"version":null}"#, r#"{"version":0}"#, r#"{"version":-1}"#]
    {
        let fault = refusal(text);
        assert!(fault.starts_with("not a job contract ("), "{text}: {fault}");
    }
}

#[test]
fn a_text_without_end_is_refused_before_it_is_parsed() {
    let fault = refusal(&" ".repeat(LARGEST + 1));
    assert!(fault.contains("(it has more than 1048576 bytes)"), "{fault}");
    let fault = refusal(&format!("{{\"version\":1,\"job\":{}", "[".repeat(1_000_000)));
    assert!(fault.contains("EOF"), "{fault}");
}

#[test]
fn a_variable_carries_json_or_base64() {
    let contract = Contract::read(START).unwrap();
    let carried = contract.write_base64();
    assert!(carried.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte)));
    for text in [START, &carried, &format!(" {carried}\n"), carried.trim_end_matches('=')] {
        assert_eq!(Contract::read_encoded(text).as_ref(), Ok(&contract));
    }
    for text in ["", "version: 1", "eA"] {
        assert!(Contract::read_encoded(text).unwrap_err().0.starts_with("not a job contract ("), "{text}");
    }
}

#[test]
fn a_name_means_nothing_where_the_framework_has_none() {
    for (names, meant) in [
        (["a", "ps"], ["a ps", "a"]),
        (["server", "b"], ["server b", "server"]),
        (["a", "worker"], ["a worker", "worker"]),
        (["a", "master"], ["a master", "a"]),
        (["chief", "worker"], ["chief worker", "chief"]),
        (["a", "b"], ["a b", "a"]),
    ] {
        let contract = job(FrameworkName::Custom, None, names.map(|name| role(name, 1)).into());
        let tasks = |success| {
            contract.deciding(success).into_iter().map(|task| task.role).collect::<Vec<_>>().join(" ")
        };
        assert_eq!([Success::Workers, Success::Chief].map(tasks), meant, "{names:?}");
    }
}
