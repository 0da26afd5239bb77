//! Host names of the tasks.
use crate::dcos::Dcos;
use crate::dcos::group::group_path;
use tfjob_lang::plan::Plan;
use tfjob_lang::target::Site;

/// The host of a task, with `{role}` and `{index}` where the shim reads it. Marathon names a task by the reversed steps of
/// its path with dots between (`PathId.scala`, `toHostname`). DC/OS makes one DNS label of that name: dots become dashes,
/// and it is cut after 63 characters (`mesos_state.erl`, `label`). The name has the agent's address on the host's network
/// and the container's own on another (`dcos_dns_mesos.erl`, `task_autoip`).
pub fn host(task: &str, group: &str) -> String {
    let mut steps: Vec<&str> = group.split('/').filter(|step| !step.is_empty()).collect();
    steps.reverse();
    format!("{task}-{}.marathon.autoip.dcos.thisdcos.directory", steps.join("-"))
}

/// The hosts of all tasks. Dots become dashes, so a name does not say where its job and its folders begin: `b` in `/c-a` and
/// `b-c` in `/a` are one.
pub fn hosts(plan: &Plan, site: &Site<Dcos>) -> Vec<String> {
    let group = group_path(plan, site);
    let tasks = plan
        .roles
        .iter()
        .flat_map(|role| (0..role.count.value).map(move |index| format!("{}-{index}", role.name.value)));
    tasks.map(|task| host(&task, &group)).collect()
}
