//! Limits of `execve` on the length of arguments and environment variables. A task beyond the limits fails to start with
//! "Argument list too long". This message does not name the argument.
use super::{Accepted, Target};
use crate::codes::TEXT_TOO_LONG;
use crate::diagnostic::Diagnostic;
use crate::plan::{Command, DataRef, Part, Plan, Role, RoleId, RoleKind, TaskRef, Template, Volume};
use std::cmp::Reverse;
use tfjob_contract::{LONGEST_TEXT as LONGEST, too_long};

/// Length in bytes up to which an argument or environment variable needs no exact check. Linux allows 131071 bytes. The
/// difference covers the parts that are not known yet.
pub const SAFE: usize = 100_000;
/// Maximum length of an address in a list, in bytes: a host name of 253, a port, quotes, and a comma.
const ADDRESS: usize = 270;
/// Assumed maximum length, in bytes, of the value of a reference to a name, number, or directory: `PATH_MAX` of Linux.
const REFERENCE: usize = 4096;
/// Maximum difference in bytes between the longest environment variables of two roles with the same addresses. These variables
/// differ in the name and index of the task.
const TASK: usize = 512;
/// Maximum length of the prefix that a platform puts before the name of a directory, in bytes.
const FOLDER: usize = 256;

/// Reports roles with arguments or environment variables that are too long for a process to start. Checks the last task of each
/// role, because it has the longest arguments.
pub fn judge<T: Target + ?Sized>(target: &T, job: &Accepted<'_, T>) -> Vec<Diagnostic> {
    // A fast upper bound is checked first, so that for most jobs no task must be rendered.
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
            found.here("a task of this role would not start").help(shorter(&fault))
        });
        Judged { longest, found: found.into_iter().collect() }
    })
}

/// Returns the help for an argument or environment variable that is too long. `fault` names it.
#[must_use]
pub fn shorter(fault: &str) -> &'static str {
    if fault.contains("the variable TF_CONFIG") {
        "use fewer tasks: TF_CONFIG of each task lists the addresses of all tasks"
    } else {
        "if the job itself contains this long text, move it into a file in `code`; otherwise, use fewer tasks, because each task \
         gets the addresses of all tasks"
    }
}

/// Result of the length check of one role.
pub struct Judged<F> {
    /// Length in bytes of the longest argument or environment variable of the tasks.
    pub longest: usize,
    /// Findings about the role.
    pub found: Vec<F>,
}

/// Returns the findings of the roles, starting with the role with the most tasks. Calls `judge` for as few roles as
/// possible, because `judge` renders their tasks.
///
/// The generated variables of all roles are nearly the same. So if one role is well below the limit, or above it, the other
/// roles are checked only if their own texts are long. Helpers have fewer variables. So the result of a helper applies only
/// to other helpers.
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

/// Returns an upper bound for the length of all arguments and environment variables of all roles, in bytes.
#[must_use]
pub fn at_most(plan: &Plan) -> usize {
    let tasks: usize = plan.roles.iter().map(|role| role.count.value as usize).sum();
    let storage = &plan.storage;
    let volumes = storage.code.iter().chain(&storage.stage).chain(&storage.data).chain(&storage.checkpoints);
    let params = plan.params.iter().map(|(_, value)| value.to_string().len());
    let texts = plan.roles.iter().map(|role| of_role(role, plan)).chain(params).chain(volumes.map(volume));
    tasks * ADDRESS + texts.sum::<usize>()
}

/// Returns an upper bound for the length of the arguments and environment variables that the spec sets for a role, in bytes.
fn of_role(role: &Role, plan: &Plan) -> usize {
    let command: usize = match &role.command {
        Command::Run(argv) => argv.iter().map(|argument| most(argument, plan)).sum(),
        Command::Shell(text) => text.value.len(),
    };
    command + role.env.iter().map(|(name, value)| name.value.len() + most(value, plan)).sum::<usize>()
}

/// Returns an upper bound for the length of a text in a task, in bytes. An environment variable that the image sets has an
/// unknown length; 4096 bytes are assumed for it.
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

/// Returns an upper bound for the length of the URI or path of a volume, in bytes.
fn volume(volume: &Volume) -> usize {
    FOLDER + volume.uri.value.to_string().len() + volume.at.as_ref().map_or(0, |at| at.value.len())
}
