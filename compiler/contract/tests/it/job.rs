//! Small jobs for tests.
use std::collections::BTreeMap;
use tfjob_contract::{
    Address, Contract, Framework, FrameworkName, Membership, NEWEST, Peers, Piece, PlaceholderMachine,
    Rendered, Role, Run, Source, StrategyName, TaskId, Value, render,
};

pub fn env(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

pub fn text(text: &str) -> Value {
    vec![Piece::Text(text.to_owned())]
}

pub fn role(name: &str, count: u32) -> Role {
    Role {
        name: name.to_owned(),
        kind: if name == "evaluator" { Membership::Evaluator } else { Membership::Member },
        count,
        port: 2222,
        gpus: None,
        run: Run::Argv(vec![text("train")]),
        workdir: None,
        env: Vec::new(),
        ports: BTreeMap::new(),
        duties: None,
    }
}

pub fn helper(name: &str) -> Role {
    Role { kind: Membership::Helper, port: 0, ..role(name, 1) }
}

pub fn hosts(host: &str) -> Peers {
    Peers::Template(Address { host: host.to_owned(), names: BTreeMap::new(), roles: BTreeMap::new() })
}

/// Returns a job. Its tasks read their role and index from `TFJOB_ROLE` and `TFJOB_INDEX`, and have hosts such as `worker-0`.
pub fn job(name: FrameworkName, strategy: Option<StrategyName>, roles: Vec<Role>) -> Contract {
    Contract {
        version: NEWEST,
        job: "job".to_owned(),
        framework: Framework { name, strategy },
        role: Source::Env("TFJOB_ROLE".to_owned()),
        index: Source::Env("TFJOB_INDEX".to_owned()),
        peers: hosts("{role}-{index}"),
        hadoop: None,
        roles,
        duties: None,
    }
}

pub fn tensorflow(strategy: StrategyName, roles: Vec<Role>) -> Contract {
    job(FrameworkName::Tensorflow, Some(strategy), roles)
}

pub fn task(role: &str, index: u32) -> TaskId {
    TaskId { role: role.to_owned(), index }
}

/// Returns a task as `tfjob show` prints it, rendered in an empty environment. Asserts that the contract is valid.
pub fn shown(contract: &Contract, role: &str, index: u32) -> Rendered {
    contract.check().unwrap();
    render(contract, &task(role, index), &BTreeMap::new(), &mut PlaceholderMachine).unwrap()
}

pub fn value<'r>(rendered: &'r Rendered, name: &str) -> Option<&'r str> {
    rendered.env.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// Returns the rendered variables with a name that begins with none of the prefixes, as `NAME=value`.
pub fn but<'r>(rendered: &'r Rendered, prefixes: &[&str]) -> Vec<String> {
    let kept = |name: &&'r (String, String)| !prefixes.iter().any(|prefix| name.0.starts_with(prefix));
    rendered.env.iter().filter(kept).map(|(name, value)| format!("{name}={value}")).collect()
}
