//! The path of the job in the tree of services.
use super::Dcos;
use crate::names;
use tfjob_lang::plan::Plan;
use tfjob_lang::target::{Site, Support};

/// The last step of a path that Marathon keeps for its own API (`PathId.scala`, `reservedKeywords`).
const RESERVED: [&str; 3] = ["restart", "tasks", "versions"];

/// The path of the job's group, such as `/ml/mnist`. A folder that is none is told by a rule, and left out here.
pub fn group_path(plan: &Plan, site: &Site<Dcos>) -> String {
    let folder = site.job.group.as_ref().map_or("", |g| g.value.as_str());
    format!("{}/{}", if is_folder(folder) { folder } else { "" }, plan.name.value)
}

/// Whether a path is steps of labels, each of which becomes a part of each task's name.
pub fn is_folder(path: &str) -> bool {
    let steps =
        path.strip_prefix('/').map(|rest| rest.split('/').all(|step| names::label_fault(step).is_none()));
    steps.unwrap_or(false)
}

/// The refusal of a name that Marathon's API has other uses for.
pub fn reserved<M>(name: &str) -> Option<Support<M>> {
    RESERVED.contains(&name).then(|| {
        Support::impossible(
            format!("keeps `{name}` for its own use at the end of a path"),
            "give the job another name",
            "dcos#reserved-path-names",
        )
    })
}
