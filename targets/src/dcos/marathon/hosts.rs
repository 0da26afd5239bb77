//! Host names of the tasks.
use crate::dcos::Dcos;
use crate::dcos::group::group_path;
use tfjob_lang::plan::Plan;
use tfjob_lang::target::Site;

/// Returns the DNS name of a task; the template for the shim has `{role}` and `{index}` in it. Marathon names a task by the reversed
/// segments of its path, separated by dots (`PathId.scala`, `toHostname`). DC/OS turns that name into one DNS label: dots become
/// dashes, and it is cut after 63 characters (`mesos_state.erl`, `label`). The name resolves to the IP address of the agent on the
/// host network, and of the container on a container network (`dcos_dns_mesos.erl`, `task_autoip`).
pub fn host(task: &str, group: &str) -> String {
    let mut steps: Vec<&str> = group.split('/').filter(|step| !step.is_empty()).collect();
    steps.reverse();
    format!("{task}-{}.marathon.autoip.dcos.thisdcos.directory", steps.join("-"))
}

/// Returns the DNS names of all tasks. Dots become dashes, so names of different jobs can be equal: `b` in `/c-a` and `b-c` in `/a`.
pub fn hosts(plan: &Plan, site: &Site<Dcos>) -> Vec<String> {
    let group = group_path(plan, site);
    let tasks = plan
        .roles
        .iter()
        .flat_map(|role| (0..role.count.value).map(move |index| format!("{}-{index}", role.name.value)));
    tasks.map(|task| host(&task, &group)).collect()
}
