//! Environment, command, and working directory of one task, for `tfjob show`.
use super::Spark;
use super::context::{Context, Manager};
use super::lower::{self, contract};
use super::schema::{HERE, INDEX, PEERS, ROLE};
use crate::contract_builder;
use std::collections::BTreeMap;
use tfjob_contract::SUBMISSION;
use tfjob_lang::lowered::{TaskView, reference};
use tfjob_lang::plan::RoleId;
use tfjob_lang::target::Accepted;

/// Returns the view of a task. Values that only the node knows are shown as `<…>`.
pub fn view(accepted: &Accepted<'_, Spark>, role: RoleId, index: u32) -> TaskView {
    let draft = lower::draft(accepted);
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
        // YARN sets these two variables in every container. They contain Spark's JARs and the configuration directory that the
        // NodeManager passes on.
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
        // Without the shim, `tfjob_node.py` sets the variables of the role, and only the four `TFJOB_` variables listed below.
        let of_role = |name: &str| contract.roles[role].env.iter().any(|(env, _)| env == name);
        view.env.retain(|name, _| {
            of_role(name)
                || !name.starts_with("TFJOB_")
                || [HERE, ROLE, INDEX, PEERS].contains(&name.as_str())
        });
        view.rendezvous = "none".to_owned();
    }
    if draft.context.feeds() && Context::is_fed(plan.roles[role].kind) {
        for name in ["TFJOB_FEED", "TFJOB_FEED_KEY"] {
            view.env.insert(name.to_owned(), "<node>".to_owned());
        }
    }
    view
}
