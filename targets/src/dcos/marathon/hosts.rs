//! Host names of the tasks.
use crate::dcos::Dcos;
use crate::dcos::group::group_path;
use tfjob_lang::plan::Plan;
use tfjob_lang::target::Site;

/// Returns the DNS name of a task. `task` may contain the placeholders `{role}` and `{index}`, which the shim replaces. Marathon
/// names a task by the reversed segments of its path, separated by dots (`PathId.scala`, `toHostname`). DC/OS turns that name into
/// one DNS label: dots become dashes, and the label is cut after 63 characters (`mesos_state.erl`, `label`). On the host network,
/// the name resolves to the IP address of the agent; on a container network, to that of the container (`dcos_dns_mesos.erl`,
/// `task_autoip`).
pub fn host(task: &str, group: &str) -> String {
    let mut steps: Vec<&str> = group.split('/').filter(|step| !step.is_empty()).collect();
    steps.reverse();
    format!("{task}-{}.marathon.autoip.dcos.thisdcos.directory", steps.join("-"))
}

/// Returns the DNS names of all tasks. Tasks of different jobs can have the same DNS name, because role, index, and group are
/// joined with dashes, which roles and groups can also contain. Example: task 0 of role `b` in the group `/1-a`, and task 1 of role
/// `b-0` in the group `/a`, both have the name `b-0-1-a`.
pub fn hosts(plan: &Plan, site: &Site<Dcos>) -> Vec<String> {
    let group = group_path(plan, site);
    let tasks = plan
        .roles
        .iter()
        .flat_map(|role| (0..role.count.value).map(move |index| format!("{}-{index}", role.name.value)));
    tasks.map(|task| host(&task, &group)).collect()
}
