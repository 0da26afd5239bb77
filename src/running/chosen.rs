//! Which tasks are run: all of them, or those that `--task` names.
use crate::outcome::Failure;
use tfjob_targets::local::Job;

/// Tasks by the number of their role and their index there, in the order of the job.
pub type Chosen = Vec<(usize, u32)>;

/// The tasks of these words: `worker` is all of a role, `worker:1` one of them; no word is all of the job.
///
/// # Errors
/// A word that is no role or no task of the job.
pub fn choose(job: &Job, words: &[String]) -> Result<Chosen, Failure> {
    let named: Result<Vec<_>, _> = words.iter().map(|words| find(job, words)).collect();
    let named = named?;
    let asked = |(role, index): &(usize, u32)| {
        let same = |(named, one): &(usize, Option<u32>)| named == role && one.is_none_or(|one| one == *index);
        named.is_empty() || named.iter().any(same)
    };
    Ok(job.tasks().filter(asked).collect())
}

fn find(job: &Job, words: &str) -> Result<(usize, Option<u32>), Failure> {
    let (name, index) = match words.split_once(':') {
        Some((name, index)) => (name, Some(index)),
        None => (words, None),
    };
    let Some(role) = job.roles.iter().position(|role| role.name.0 == name) else {
        let names: Vec<&str> = job.roles.iter().map(|role| role.name.0.as_str()).collect();
        return Err(Failure::new(format!("no role `{name}`; the job has {}", names.join(", "))));
    };
    let count = job.roles[role].count.0;
    match index.map(str::parse::<u32>) {
        None => Ok((role, None)),
        Some(Ok(index)) if index < count => Ok((role, Some(index))),
        Some(Ok(_) | Err(_)) => {
            Err(Failure::new(format!("no task `{words}`; `{name}` has {count}, counted from 0")))
        }
    }
}
