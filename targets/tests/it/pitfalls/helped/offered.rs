//! The ports that helps name are those that the agents of DC/OS offer, so that the next check accepts the edit.
use super::all;
use crate::pitfalls::judged::Judged;
use crate::pitfalls::{dcos, on_all_cores};
use std::collections::{BTreeMap, BTreeSet};

/// Targets with an IP address per pod, so that their helps may name any port.
const OWN_ADDRESS: [&str; 1] = ["kubernetes"];

/// Returns the numbers of the ports that a help declares, such as 8000 in `port "web" 8000`.
fn ports(help: &str) -> Vec<u16> {
    let after =
        |mark: &str| help.match_indices(mark).map(|(at, mark)| &help[at + mark.len()..]).collect::<Vec<_>>();
    let named =
        after("port \"").into_iter().filter_map(|rest| rest.split_once("\" ").map(|(_, number)| number));
    let all = named.chain(after("tensorboard port="));
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>();
    all.filter_map(|text| digits(text).parse().ok()).collect()
}

/// Returns whether DC/OS accepts a port of a role on the host network.
fn is_offered(number: u16) -> bool {
    let spec = dcos::marathon("", &format!("port \"rendezvous\" 2221; port \"web\" {number}"));
    let findings = &Judged::of(&spec, "dcos").findings;
    let refused =
        findings.iter().any(|found| found.message.contains(&format!("do not offer host port {number}")));
    assert_eq!(refused, findings.iter().any(|found| found.is_error()), "{number}: {findings:#?}");
    !refused
}

#[test]
fn agents_offer_the_ports_of_the_helps() {
    let specs: Vec<_> = all().iter().filter(|(target, _)| !OWN_ADDRESS.contains(target)).collect();
    let helps = on_all_cores(&specs, |(target, text)| {
        let helps = Judged::of(text, target).findings.iter().filter_map(|found| found.help.clone());
        helps.filter(|help| !ports(help).is_empty()).collect::<BTreeSet<_>>()
    });
    let mut named: BTreeMap<u16, BTreeSet<String>> = BTreeMap::new();
    for help in helps.into_iter().flatten() {
        for number in ports(&help) {
            named.entry(number).or_default().insert(help.clone());
        }
    }
    let texts: BTreeSet<_> = named.values().flatten().collect();
    assert!(texts.len() >= 8, "the helps are not read: {texts:#?}");
    let refused: Vec<_> = named.iter().filter(|(number, _)| !is_offered(**number)).collect();
    assert!(refused.is_empty(), "{refused:#?}");
    // Each of these ports is between or outside the ranges that agents offer.
    for number in [443, 1024, 2181, 3888, 5050, 8080, 8181, 32001] {
        assert!(!is_offered(number), "{number}");
    }
}

#[test]
fn ports_of_a_help_are_read() {
    assert_eq!(ports("add `port \"web\" 8000`, or `tensorboard port=6006`"), [8000, 6006]);
    assert_eq!(ports("write `port \"web\" \"auto\"`; set `port \"rendezvous\" 2222`"), [2222]);
    assert_eq!(ports("use another port"), [0; 0]);
}
