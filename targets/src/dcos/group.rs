//! The path of the job in the tree of service groups.
use super::Dcos;
use crate::names;
use tfjob_lang::plan::Plan;
use tfjob_lang::target::{Site, Support};

/// Names that cannot be the last segment of the path of an app or a group, because Marathon's API uses them (`PathId.scala`,
/// `reservedKeywords`).
const RESERVED: [&str; 3] = ["restart", "tasks", "versions"];

/// Returns the path of the job's service group, such as `/ml/mnist`. An invalid option `group` is ignored here, because another
/// check reports it.
pub fn group_path(plan: &Plan, site: &Site<Dcos>) -> String {
    let folder = site.job.group.as_ref().map_or("", |g| g.value.as_str());
    format!("{}/{}", if is_folder(folder) { folder } else { "" }, plan.name.value)
}

/// Returns whether a path begins with `/` and each of its segments is a DNS label. The segments become part of the DNS names of
/// tasks.
pub fn is_folder(path: &str) -> bool {
    let steps =
        path.strip_prefix('/').map(|rest| rest.split('/').all(|step| names::label_fault(step).is_none()));
    steps.unwrap_or(false)
}

/// Refuses a job name that is equal to a keyword of Marathon's API (`RESERVED`).
pub fn reserved<M>(name: &str) -> Option<Support<M>> {
    RESERVED.contains(&name).then(|| {
        Support::impossible(
            format!("Marathon reserves `{name}` at the end of a path for its API, so a service group with this name cannot be managed"),
            format!("rename the job, for example to `{name}-job`"),
            "dcos#reserved-path-names",
        )
    })
}
