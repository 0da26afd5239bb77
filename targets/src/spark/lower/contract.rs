//! The shim's contract: it finds its role, index and peers in variables that each node sets for its child.
use super::draft::Draft;
use crate::carry::{self, Carry};
use crate::spark::place::{Ground, Manager};
use crate::spark::support::storage::HERE;
use std::collections::BTreeMap;
use tfjob_contract::{Contract, Peers, SUBMISSION, Source};
use tfjob_lang::lowered::{TaskView, reference};
use tfjob_lang::origin::{Origins, Traced};
use tfjob_lang::plan::RoleId;

/// Which role the child is.
const ROLE: &str = "TFJOB_TASK_ROLE";
/// Which of its tasks.
const INDEX: &str = "TFJOB_TASK_INDEX";
/// The addresses of all tasks by role: `TensorFlowOnSpark` found them.
const PEERS: &str = "TFJOB_PEERS";

/// The contract and where its lines came from. It is drawn up also where the shim stays at home, for its words.
pub fn of(draft: &Draft<'_>) -> (Contract, Origins) {
    let peers = Peers::Given { env: PEERS.to_owned(), pointer: String::new() };
    let (role, index) = (Source::Env(ROLE.to_owned()), Source::Env(INDEX.to_owned()));
    let mut carry = Carry::new(draft.ground.plan, &draft.places, role, index, peers);
    for (role, name, path, at) in &draft.secret_files {
        carry.variable(*role, name, path, *at);
    }
    if let Some((home, java, conf, at)) = &draft.hadoop {
        carry.hadoop(home, java, conf.as_deref(), *at);
    }
    for (role, at) in &draft.heard {
        carry.hears(*role, *at);
    }
    if let Some((Traced(seconds, at), true)) = &draft.wait {
        carry.wait(*seconds, *at);
    }
    for (role, terms, at) in &draft.restarts {
        carry.restart(*role, terms, *at);
    }
    let folder = draft.ground.plan.storage.checkpoints.as_ref().and_then(|c| c.at.as_ref());
    if let (Some(folder), Some(_)) = (folder, draft.restarts.first()) {
        carry.checkpoints(&folder.value, None, false, folder.span);
    }
    carry.done()
}

/// What one task sees, with `<…>` where only its node knows.
pub fn view(draft: &Draft<'_>, role: RoleId, index: u32) -> TaskView {
    let plan = draft.ground.plan;
    let name = &plan.roles[role].name.value;
    let peers: BTreeMap<&str, Vec<String>> = plan
        .roles
        .iter()
        .map(|r| {
            let name = r.name.value.as_str();
            (name, (0..r.count.value).map(|i| format!("<{name}-{i}>:<port>")).collect())
        })
        .collect();
    let mut platform = BTreeMap::from([
        (HERE.to_owned(), "<executor>".to_owned()),
        (ROLE.to_owned(), name.clone()),
        (INDEX.to_owned(), index.to_string()),
        (PEERS.to_owned(), serde_json::to_string(&peers).expect("texts are JSON")),
    ]);
    if draft.shim && draft.ground.manager == Manager::Yarn {
        // Spark's own jars, and the folder that the node manager hands on to its containers.
        let inherited =
            ["CLASSPATH", "HADOOP_CONF_DIR"].map(|name| (name.to_owned(), reference(&format!("${name}"))));
        platform.extend(draft.hadoop.iter().flat_map(|_| inherited.clone()));
    }
    let (contract, _) = of(draft);
    let mut view = carry::view(&contract, platform, name, index);
    if draft.shim {
        view.env.insert("TFJOB_CONTRACT".to_owned(), "<executor>/contract.json".to_owned());
        view.env.insert(SUBMISSION.to_owned(), "<application>".to_owned());
    } else {
        // The node does the same for words that need no shim, and describes the task no further.
        let own = |name: &str| contract.roles[role].env.iter().any(|(env, _)| env == name);
        view.env.retain(|name, _| {
            own(name) || !name.starts_with("TFJOB_") || [HERE, ROLE, INDEX, PEERS].contains(&name.as_str())
        });
        view.rendezvous = "nobody".to_owned();
    }
    if draft.ground.feeds() && Ground::is_fed(plan.roles[role].kind) {
        for name in ["TFJOB_FEED", "TFJOB_FEED_KEY"] {
            view.env.insert(name.to_owned(), "<node>".to_owned());
        }
    }
    view
}
