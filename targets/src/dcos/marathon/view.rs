//! Environment, command, and working directory of one task, for `tfjob show`.
use super::lower::app;
use super::lower::command::Task;
use super::lower::draft::Draft;
use super::lower::group::Job;
use super::mechanism::Mechanism;
use super::schema::EnvValue;
use super::support::storage::fetch::SANDBOX;
use crate::contract_builder::view as shim_view;
use crate::dcos::Dcos;
use crate::libhdfs::JARS;
use std::collections::{BTreeMap, BTreeSet};
use tfjob_contract::{Piece, Run, variable};
use tfjob_lang::lowered::{TaskView, reference};
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::RoleId;
use tfjob_lang::sources::Span;
use tfjob_lang::target::Accepted;

/// Returns environment, command, and working directory of one task.
pub fn view<'a>(
    accepted: &Accepted<'_, Dcos>,
    mechanisms: impl Iterator<Item = (Span, &'a Mechanism)>,
    role: RoleId,
    index: u32,
) -> TaskView {
    let draft = Draft::read(accepted.plan, mechanisms);
    let job = Job::new(&draft, accepted.site);
    let app = app::write(&job, role, index).app;
    let mut env = BTreeMap::from([
        ("MARATHON_APP_ID".to_owned(), app.id.0.clone()),
        (SANDBOX.to_owned(), reference("${MESOS_SANDBOX}")),
    ]);
    for (port, draft) in draft.roles[role].ports.iter().enumerate() {
        let number = draft.number.map_or_else(|| reference(&format!("${{PORT{port}}}")), |n| n.to_string());
        env.insert(format!("PORT{port}"), number);
    }
    let mut given = BTreeSet::new();
    for (name, Traced(value, _)) in app.env {
        given.insert(name.clone());
        let text = match value {
            EnvValue::Text(text) => text,
            EnvValue::Secret { secret } => format!("<secret {secret}>"),
        };
        env.insert(name, text);
    }
    let contract = &job.contract.roles[role];
    let host = job.host(role, index);
    let addresses = |name: &str| job.addresses(name);
    let port = |name: &str| job.port_variable(role, name);
    let facts = Task { index, host: &host, addresses: &addresses, port: &port };
    for picked in accepted.plan.roles[role].ports.iter().filter(|port| port.number.is_none()) {
        let number = facts.shown(&vec![Piece::Port(picked.name.value.clone())]);
        env.insert(variable(&["port", &picked.name.value]), number);
    }
    if job.shim.is_some() {
        return shim_view(&job.contract, env, &contract.name, index);
    }
    for (name, value) in &contract.env {
        if !env.contains_key(name) {
            env.insert(name.clone(), facts.shown(value));
        }
    }
    for (name, value) in hadoop_variables(&job, role, index) {
        // In `value`, `${NAME}` stands for the value that `env` of the app sets. The command of the app appends text to that value.
        let before = format!("${{{name}}}");
        match env.get(&name).filter(|_| given.contains(&name)) {
            Some(current) => {
                let extended = value.replace(&before, current);
                env.insert(name, extended);
            }
            None => drop(env.entry(name).or_insert(value)),
        }
    }
    TaskView {
        rendezvous: if env.contains_key("TF_CONFIG") { "the app" } else { "nothing" }.to_owned(),
        env,
        argv: match &contract.run {
            Run::Argv(words) => words.iter().map(|word| facts.shown(word)).collect(),
            Run::Shell(text) => vec!["/bin/sh".to_owned(), "-ec".to_owned(), text.clone()],
        },
        workdir: contract.workdir.as_ref().map(|folder| facts.shown(folder)),
        fault: None,
    }
}

/// Returns the environment variables that the command sets for Hadoop. The shell finds the JAR files at run time.
fn hadoop_variables(job: &Job<'_>, role: RoleId, index: u32) -> Vec<(String, String)> {
    let Some(h) = &job.draft.hadoop else { return Vec::new() };
    let mut contract = job.contract.clone();
    contract.hadoop = Some(tfjob_contract::Hadoop {
        home: h.home.clone(),
        java: Some(h.java.clone()),
        conf: h.conf.clone(),
        jars: JARS.iter().map(|folder| format!("share/hadoop/{folder}")).collect(),
    });
    let without = app::rendered(&job.contract, role, index).unwrap_or_default();
    let mut with = app::rendered(&contract, role, index).unwrap_or_default();
    with.retain(|variable| !without.contains(variable));
    with
}
