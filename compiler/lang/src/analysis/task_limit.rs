//! Limits the number of tasks of a job, because later stages may do work per task.
use crate::codes::TOO_MANY_TASKS;
use crate::diagnostic::Diagnostic;
use crate::recovery::Recovery;
use crate::sources::Span;
use crate::tree::{Entry, Tree, Value};

/// Maximum number of tasks of a job, including helpers. In the schema, it is also the `maximum` of `count`.
const MAX_TASKS: i128 = 10_000;
/// The count of each role after an error about too many tasks. It is not 1, because some rules apply only to jobs with one task,
/// and others only to jobs with several.
const PLACEHOLDER: i128 = 2;

/// Returns an error if a job has more than [`MAX_TASKS`] tasks. Then the counts are replaced by placeholders, so that later stages
/// do not work on that many tasks. `tree` must be valid for the shape of specs.
pub(super) fn apply(tree: &mut Tree, recovery: &mut Recovery) -> Option<Diagnostic> {
    let roles = || {
        let blocks = ["role", "helper"].into_iter().filter_map(|block| tree.get("job")?.get(block));
        blocks.flat_map(Tree::entries)
    };
    let tasks: i128 = roles().map(|role| count(role).map_or(1, |(_, count)| count)).sum();
    if tasks <= MAX_TASKS {
        return None;
    }
    let largest = roles().max_by_key(|role| count(role).map_or(1, |(_, count)| count))?;
    let at = count(largest).map_or(largest.key_span, |(at, _)| at);
    let found = Diagnostic::new(
        &TOO_MANY_TASKS,
        at,
        format!("this job has {tasks} tasks, including helpers; the limit is {MAX_TASKS}"),
    )
    .here("largest `count`")
    .help("lower `count`, or split the work into several jobs");
    for count in counts(tree) {
        if matches!(count.value, Value::Int(number) if number > PLACEHOLDER) {
            recovery.guess(count.span);
            count.value = Value::Int(PLACEHOLDER);
        }
    }
    Some(found)
}

/// Returns the `count` of a role and its span, if set.
fn count(role: &Entry) -> Option<(Span, i128)> {
    let count = role.tree.get("count")?;
    match count.value {
        Value::Int(number) => Some((count.span, number)),
        Value::Null
        | Value::Bool(_)
        | Value::Float(_)
        | Value::Text(_)
        | Value::List(_)
        | Value::Map(_)
        | Value::Hole => None,
    }
}

/// Returns each `count` of a role or helper.
fn counts(tree: &mut Tree) -> impl Iterator<Item = &mut Tree> {
    let job = tree.entries_mut().iter_mut().filter(|entry| entry.key == "job");
    let blocks = job.flat_map(|job| job.tree.entries_mut());
    let roles = blocks.filter(|block| matches!(block.key.as_str(), "role" | "helper"));
    let fields = roles.flat_map(|roles| roles.tree.entries_mut()).flat_map(|role| role.tree.entries_mut());
    fields.filter(|field| field.key == "count").map(|field| &mut field.tree)
}
