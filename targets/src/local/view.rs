//! Environment, command, and working directory of one task, for `tfjob show`.
use super::Local;
use super::lower;
use super::schema::{HERE, INDEX, PEERS, ROLE, RUN, SCRATCH};
use crate::contract_builder;
use std::collections::BTreeMap;
use tfjob_lang::lowered::TaskView;
use tfjob_lang::plan::{self, RoleId};
use tfjob_lang::target::Accepted;

/// Returns environment, command, and working directory of one task; values that are known only at run time are shown as `<…>`.
pub fn view(accepted: &Accepted<'_, Local>, role: RoleId, index: u32) -> TaskView {
    let draft = lower::draft(accepted);
    let name = &accepted.plan.roles[role].name.value;
    let peers: BTreeMap<&str, Vec<String>> = accepted.plan.roles.iter().map(addresses).collect();
    let platform = BTreeMap::from([
        (HERE.to_owned(), "<here>".to_owned()),
        (RUN.to_owned(), "<run>".to_owned()),
        (SCRATCH.to_owned(), format!("<run>/scratch/{name}-{index}")),
        (ROLE.to_owned(), name.clone()),
        (INDEX.to_owned(), index.to_string()),
        (PEERS.to_owned(), serde_json::to_string(&peers).expect("texts are JSON")),
    ]);
    contract_builder::view(&draft.contract().0, platform, name, index)
}

fn addresses(role: &plan::Role) -> (&str, Vec<String>) {
    let name = role.name.value.as_str();
    let address = |index| format!("127.0.0.1:<port of {name}-{index}>");
    (name, (0..role.count.value).map(address).collect())
}
