//! Task selection: all tasks, or those of `--task`.
use crate::outcome::Failure;
use crate::task_name::slash_tip;
use tfjob_targets::local::Job;

/// Tasks by role number and index, in the order of the job.
pub type Chosen = Vec<(usize, u32)>;

/// Returns the tasks that the `--task` values select: `worker` selects all tasks of a role, `worker:1` selects one. Without
/// values, returns all tasks.
///
/// # Errors
/// Returns an error for an unknown role or task.
pub fn choose(job: &Job, values: &[String]) -> Result<Chosen, Failure> {
    let named: Result<Vec<_>, _> = values.iter().map(|value| find(job, value)).collect();
    let named = named?;
    let asked = |(role, index): &(usize, u32)| {
        let same = |(named, one): &(usize, Option<u32>)| named == role && one.is_none_or(|one| one == *index);
        named.is_empty() || named.iter().any(same)
    };
    Ok(job.tasks().filter(asked).collect())
}

fn find(job: &Job, value: &str) -> Result<(usize, Option<u32>), Failure> {
    let (name, index) = match value.split_once(':') {
        Some((name, index)) => (name, Some(index)),
        None => (value, None),
    };
    let Some(role) = job.roles.iter().position(|role| role.name.0 == name) else {
        let names: Vec<&str> = job.roles.iter().map(|role| role.name.0.as_str()).collect();
        let tip = slash_tip(value).unwrap_or_default();
        return Err(Failure::new(format!("no role `{name}`; roles of this job: {}{tip}", names.join(", "))));
    };
    let count = job.roles[role].count.0;
    match index.map(str::parse::<u32>) {
        None => Ok((role, None)),
        Some(Ok(index)) if index < count => Ok((role, Some(index))),
        Some(Ok(_) | Err(_)) => {
            let tasks = if count == 1 { "task" } else { "tasks" };
            Err(Failure::new(format!(
                "no task `{value}`; role `{name}` has {count} {tasks}, numbered from 0"
            )))
        }
    }
}
