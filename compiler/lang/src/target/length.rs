//! Whether a task would be given more than a process can have: then it would not start, and `execve` say only that
//! something is too long.
use super::{Accepted, Target};
use crate::codes::TEXT_TOO_LONG;
use crate::diagnostic::Diagnostic;
use crate::plan::{Command, DataRef, Part, Plan, Role, RoleId, RoleKind, TaskRef, Template, Volume};
use std::cmp::Reverse;
use tfjob_contract::{LONGEST_TEXT as LONGEST, too_long};

/// Bytes of a word or a variable that every process can be given; Linux passes 131071. The rest is for their frame.
pub const SAFE: usize = 100_000;
/// Bytes of one address in a list, at most: a host name of 253, a port, quotes and a comma.
const ADDRESS: usize = 270;
/// Bytes of a reference to one name, number or folder, at most: Linux' `PATH_MAX`.
const REFERENCE: usize = 4096;
/// Bytes by which the longest variable of one role can exceed that of another, where both read the same addresses: the
/// name and index of the task.
const TASK: usize = 512;
/// Bytes of what a platform puts before the name of a folder, at most.
const FOLDER: usize = 256;

/// Roles whose last task could not start. The last one has the longest words.
pub fn judge<T: Target + ?Sized>(target: &T, job: &Accepted<'_, T>) -> Vec<Diagnostic> {
    // Most jobs need not be rendered for it.
    if at_most(job.plan) <= SAFE {
        return Vec::new();
    }
    each_once(job.plan, |id| {
        let role = &job.plan.roles[id];
        let view = target.view(job, id, role.count.value.saturating_sub(1)).plain();
        let (name, longest) = view
            .env
            .iter()
            .map(|(name, value)| (name.as_str(), name.len() + 1 + value.len()))
            .max_by_key(|(_, length)| *length)
            .unwrap_or(("", 0));
        let over = || too_long(&format_args!("the variable {name}"), longest).to_string();
        let fault = view.fault.clone().or_else(|| (longest > LONGEST).then(over));
        let found = fault.map(|fault| {
            let found = Diagnostic::new(&TEXT_TOO_LONG, role.name.span, format!("{}: {fault}", T::NAME));
            found.here("too long").help("fewer tasks, shorter names, or a file in `code`")
        });
        Judged { longest, found: found.into_iter().collect() }
    })
}

/// What is found in one role.
pub struct Judged<F> {
    /// Bytes of the longest word or variable of its tasks.
    pub longest: usize,
    /// The faults.
    pub found: Vec<F>,
}

/// What is found in the roles, the one with the most tasks first; `judge` may be costly, and is called seldom.
///
/// The generated variables of all roles are nearly the same. One role that stays well below the limit tells of the
/// others, and one that does not, too: they are looked at only where their own words are long. A helper has fewer
/// variables than the others, so that one tells of helpers alone.
pub fn each_once<F>(plan: &Plan, mut judge: impl FnMut(RoleId) -> Judged<F>) -> Vec<F> {
    let mut roles: Vec<(RoleId, &Role)> = plan.roles.iter().enumerate().collect();
    roles.sort_by_key(|(_, role)| Reverse(role.count.value));
    let (mut safe, mut helpers, mut found) = (false, false, Vec::new());
    for (id, role) in roles {
        let helper = role.kind == RoleKind::Helper;
        let known = safe || helper && helpers || !found.is_empty();
        if known && of_role(role, plan) <= SAFE {
            continue;
        }
        let judged = judge(id);
        let short = judged.found.is_empty() && judged.longest + TASK <= LONGEST;
        safe |= short && !helper;
        helpers |= short;
        found.extend(judged.found);
    }
    found
}

/// The most bytes that all words and variables of all roles can have together.
#[must_use]
pub fn at_most(plan: &Plan) -> usize {
    let tasks: usize = plan.roles.iter().map(|role| role.count.value as usize).sum();
    let storage = &plan.storage;
    let volumes = storage.code.iter().chain(&storage.stage).chain(&storage.data).chain(&storage.checkpoints);
    let params = plan.params.iter().map(|(_, word)| word.to_string().len());
    let texts = plan.roles.iter().map(|role| of_role(role, plan)).chain(params).chain(volumes.map(volume));
    tasks * ADDRESS + texts.sum::<usize>()
}

/// The most bytes that the role's own words and variables can have together.
fn of_role(role: &Role, plan: &Plan) -> usize {
    let command: usize = match &role.command {
        Command::Run(words) => words.iter().map(|word| most(word, plan)).sum(),
        Command::Shell(text) => text.value.len(),
    };
    command + role.env.iter().map(|(name, value)| name.value.len() + most(value, plan)).sum::<usize>()
}

/// The most bytes that a text can have in a task. What the image sets nobody knows.
fn most(text: &Template, plan: &Plan) -> usize {
    let storage = &plan.storage;
    let part = |part: &Part| match part {
        Part::Text(text) => text.len(),
        Part::Data(DataRef::Data(index), _) => storage.data.get(*index).map_or(0, volume),
        Part::Data(DataRef::Checkpoints, _) => storage.checkpoints.as_ref().map_or(0, volume),
        Part::Data(DataRef::Code | DataRef::Stage(_) | DataRef::Scratch, _) => REFERENCE,
        Part::Task(TaskRef::Addresses(role), _) => plan.roles[*role].count.value as usize * ADDRESS,
        Part::Task(
            TaskRef::Index | TaskRef::Address | TaskRef::Port(_) | TaskRef::Env(_) | TaskRef::Done,
            _,
        ) => REFERENCE,
    };
    text.parts.iter().map(part).sum()
}

/// The most bytes of where a volume lies, there or in a task.
fn volume(volume: &Volume) -> usize {
    FOLDER + volume.uri.value.to_string().len() + volume.at.as_ref().map_or(0, |at| at.value.len())
}
