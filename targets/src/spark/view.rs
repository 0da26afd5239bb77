//! What one task sees.
use super::Spark;
use super::context::{Context, Manager};
use super::lower::{contract, drawn};
use super::schema::{HERE, INDEX, PEERS, ROLE};
use crate::contract_builder;
use std::collections::BTreeMap;
use tfjob_contract::SUBMISSION;
use tfjob_lang::lowered::{TaskView, reference};
use tfjob_lang::plan::RoleId;
use tfjob_lang::target::Accepted;

/// What one task sees, with `<…>` where only its node knows.
pub fn view(accepted: &Accepted<'_, Spark>, role: RoleId, index: u32) -> TaskView {
    let draft = drawn(accepted);
    let plan = draft.context.plan;
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
    if draft.shim && draft.context.manager == Manager::Yarn {
        // Spark's own jars, and the folder that the node manager hands on to its containers.
        let inherited =
            ["CLASSPATH", "HADOOP_CONF_DIR"].map(|name| (name.to_owned(), reference(&format!("${name}"))));
        platform.extend(draft.hadoop.iter().flat_map(|_| inherited.clone()));
    }
    let (contract, _) = contract::of(&draft);
    let mut view = contract_builder::view(&contract, platform, name, index);
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
    if draft.context.feeds() && Context::is_fed(plan.roles[role].kind) {
        for name in ["TFJOB_FEED", "TFJOB_FEED_KEY"] {
            view.env.insert(name.to_owned(), "<node>".to_owned());
        }
    }
    view
}
