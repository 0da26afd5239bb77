//! Names of tasks on the command line, such as `worker:1`.

/// Returns the end of an error message about a task written with a slash, such as `worker/0`: how to write it.
pub fn slash_tip(value: &str) -> Option<String> {
    let (role, index) = value.split_once('/')?;
    index.parse::<u32>().is_ok().then(|| format!("; for a task, write `{role}:{index}`"))
}
