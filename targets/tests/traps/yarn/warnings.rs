//! Traps that may be none on a cluster: said as a warning, and not where they cannot be; and one of great length.
use super::{many, one};
use crate::{analysed, compiled};
use tfjob_targets::ALL;

fn said(text: &str) -> Vec<(&'static str, String)> {
    let analysis = analysed(text);
    let found = analysis.compile(*ALL.iter().find(|t| t.name() == "yarn").unwrap());
    assert!(found.lowered.is_some(), "{:#?}", found.diagnostics);
    found.diagnostics.iter().map(|d| (d.code.name, d.message.clone())).collect()
}

/// yarn-submarine-tony §5, trap 17: the node's network is the default.
#[test]
pub fn tasks_that_may_share_a_node_and_a_port_are_named() {
    let shared = |text: &str| said(text).into_iter().filter(|(code, _)| *code == "shared-port").count();
    assert_eq!(shared(&many("", "", "").replace("network \"overlay\"", "")), 1);
    assert_eq!(shared(&many("", "", "").replace("overlay", "host")), 1);
    assert_eq!(shared(&many("", "", "")), 0);
    // One task has its ports to itself, and one that is alone has no rendezvous.
    assert_eq!(shared(&one("", "port \"web\" 8080", "")), 0);
    let helper = "helper \"h\" { run \"x\"; resources cpus=1 memory=\"1GiB\"; port \"web\" 8080 }";
    assert_eq!(shared(&one(helper, "port \"page\" 8080", "hadoop \"3.3\"")), 1);
}

/// yarn-submarine-tony §5, trap 4: only from 3.3 on can one component's end be the service's.
#[test]
pub fn an_older_engine_leaves_the_end_of_the_job_to_the_shim() {
    let old = said(&many("", "", "hadoop \"3.2\""));
    let stops =
        |(code, text): &(&str, String)| *code == "feature-emulated" && text.contains("hadoop \"3.3\"");
    assert!(old.iter().any(stops), "{old:#?}");
    let new = said(&many("", "", "hadoop \"3.3\""));
    assert!(new.iter().all(|(_, text)| !text.contains("stop what only serves")), "{new:#?}");
}

#[test]
pub fn labels_are_left_out_with_a_word() {
    assert!(said(&one("labels { team \"ml\" }", "", "")).iter().any(|(code, _)| *code == "feature-ignored"));
}

/// yarn-observed §5: the command is one word for bash, unless the shim reads it from its contract.
#[test]
pub fn a_command_beyond_128_kib_needs_the_shim() {
    let words = |text: String, length: usize| text.replace("train.py", &"x".repeat(length));
    let told = |text: &str| {
        compiled(&analysed(text), "yarn").0.iter().map(|d| d.message.clone()).collect::<Vec<_>>()
    };
    let long = told(&words(one("", "", ""), 131_000));
    assert!(
        matches!(long.as_slice(), [fact] if fact.contains("one word of at most 120000 bytes")),
        "{long:#?}"
    );
    assert!(told(&words(one("", "", ""), 100_000)).is_empty());
    assert!(told(&words(many("", "", "hadoop \"3.3\""), 131_000)).is_empty());
}
