//! Lower bounds for the size of arguments and environment variables. The bounds are checked before tasks are built, because the
//! list of addresses that a reference expands to grows with the number of tasks. Targets check the exact size.
use super::reference::Scope;
use crate::at::At;
use crate::codes::TEXT_TOO_LONG;
use crate::diagnostic::Diagnostic;
use crate::plan::{Command, DataRef, Part, Role, TaskRef, Template};
use crate::sources::Span;
use crate::spec;
use std::cell::Cell;
use std::collections::BTreeMap;
use tfjob_contract::{LONGEST_TEXT as LONGEST, MOST_BYTES as ALL};

/// Minimum length of one address in a list, in bytes: a letter, a colon, a digit, and a comma.
const ADDRESS: usize = 4;

/// Typical length of one address in a list, in bytes. An address with its comma has 25 to 65 bytes in the compiled examples
/// (`snapshots/`).
const LIKELY: usize = 40;

/// Maximum total size, in bytes, of the values that the references of all roles expand to.
const MOST_REFERENCED: usize = 4 << 20;

/// Expanded size of the references of all roles so far, in bytes, and the first reference beyond the limit. The size needs
/// a limit, because a value of 64 KiB can contain thousands of references to a parameter of 30 KiB.
#[derive(Debug, Default)]
pub(super) struct Spent(Cell<(usize, Option<Span>)>);

impl Spent {
    /// Adds the expanded length of one reference to the total. Returns whether the total then exceeds the limit. If so, the caller
    /// must expand the reference to an empty string.
    pub fn is_over(&self, length: usize, at: Span) -> bool {
        let (bytes, first) = self.0.get();
        let bytes = bytes.saturating_add(length);
        let over = bytes > MOST_REFERENCED;
        self.0.set((bytes, first.or(over.then_some(at))));
        over
    }
}

/// Maximum lengths of the paths and URIs that references expand to, in bytes.
#[derive(Debug, Default)]
pub(super) struct Lengths {
    code: usize,
    stage: Vec<usize>,
    data: Vec<usize>,
    checkpoints: usize,
}

impl Lengths {
    pub fn new(job: &spec::Job) -> Self {
        type At<T> = Option<crate::at::At<T>>;
        let length = |uri: &spec::values::Uri, at: &At<spec::values::AbsolutePath>| {
            uri.to_string().len() + at.as_ref().map_or(0, |at| at.value.as_str().len())
        };
        Self {
            code: job.code.as_ref().map_or(0, |code| length(&code.value.uri.value, &code.value.at)),
            stage: job.files.0.iter().map(|(_, s)| length(&s.value.uri.value, &s.value.at)).collect(),
            data: job.data.0.iter().map(|(_, d)| length(&d.value.uri.value, &d.value.at)).collect(),
            checkpoints: job.checkpoints.as_ref().map_or(0, |c| length(&c.value.uri.value, &c.value.at)),
        }
    }

    /// Returns the maximum length of the path or URI that a reference to this location expands to.
    pub fn get(&self, location: DataRef) -> usize {
        match location {
            DataRef::Code => self.code,
            DataRef::Stage(index) => self.stage.get(index).copied().unwrap_or_default(),
            DataRef::Data(index) => self.data.get(index).copied().unwrap_or_default(),
            DataRef::Checkpoints => self.checkpoints,
            DataRef::Scratch => 0,
        }
    }
}

/// If the references of a job expand to more than [`MOST_REFERENCED`] bytes in total, reports this. Then removes the environment
/// variables of all roles and all arguments after the program, because some of their references were not expanded.
pub(super) fn bound_job(roles: &mut [Role], spent: &Spent, out: &mut Vec<Diagnostic>) {
    let (bytes, Some(at)) = spent.0.get() else { return };
    roles.iter_mut().for_each(drop_texts);
    let fact = format!(
        "the references in this job expand to {bytes} bytes in total; the limit is {MOST_REFERENCED} bytes"
    );
    out.push(
        Diagnostic::new(&TEXT_TOO_LONG, at, fact).here("first reference beyond the limit").help(IN_A_FILE),
    );
}

const IN_A_FILE: &str =
    "pass long values in a file, such as `files \"config\" \"https://HOST/config.json\" at=\"/config\"`";

fn drop_texts(role: &mut Role) {
    role.env.clear();
    if let Command::Run(arguments) = &mut role.command {
        arguments.truncate(1);
    }
}

/// Reports a value that is too long for any process, and truncates it.
pub(super) fn bound(made: &mut Template, scope: &Scope<'_>, out: &mut Vec<Diagnostic>) {
    let references = |part: &&Part| matches!(part, Part::Task(TaskRef::Addresses(_), _));
    if made.parts.iter().filter(references).count() == 0 {
        return;
    }
    let counts: BTreeMap<_, _> = scope.roles.values().copied().collect();
    let size = |part: &Part| least(part, &|role| counts.get(&role).copied().unwrap_or_default());
    let length: usize = made.parts.iter().map(size).sum();
    if length <= LONGEST {
        return;
    }
    let fact = format!(
        "this value expands to at least {length} bytes in each task; Linux allows at most {LONGEST} bytes per argument or environment variable"
    );
    let help = match made.parts.iter().find(references).map(size) {
        Some(one) if one < length && one.saturating_mul(LIKELY / ADDRESS) <= LONGEST => {
            "reference the addresses only once, or use fewer tasks"
        }
        Some(_) | None => {
            "use fewer tasks: a reference to the addresses of a role expands to one address per task"
        }
    };
    out.push(Diagnostic::new(&TEXT_TOO_LONG, made.span, fact).here("too long").help(help));
    made.parts.truncate(1);
    made.parts.retain(|part| !references(&part));
}

/// Reports roles with arguments and environment variables that are too long in total for any process. Removes these arguments and
/// variables.
pub(super) fn bound_roles(roles: &mut [Role], out: &mut Vec<Diagnostic>) {
    let counts: Vec<u32> = roles.iter().map(|role| role.count.value).collect();
    let size = |text: &Template| -> usize {
        text.parts.iter().map(|part| least(part, &|role| counts.get(role).copied().unwrap_or_default())).sum()
    };
    let mut reported = Vec::new();
    for role in roles {
        let arguments: usize = match &role.command {
            Command::Run(arguments) => arguments.iter().map(size).sum(),
            Command::Shell(text) => text.value.len(),
        };
        let variables = |(name, value): &(At<String>, Template)| name.value.len() + size(value);
        let all = arguments + role.env.iter().map(variables).sum::<usize>();
        if all <= ALL {
            continue;
        }
        let at = role
            .env
            .iter()
            .max_by_key(|entry| variables(entry))
            .map_or(role.name.span, |(_, text)| text.span);
        drop_texts(role);
        if !reported.contains(&at) {
            reported.push(at);
            out.push(too_much(at, all));
        }
    }
}

fn too_much(at: Span, all: usize) -> Diagnostic {
    let fact = format!(
        "the arguments and environment variables of a task add up to at least {all} bytes; Linux allows at most {ALL} bytes"
    );
    Diagnostic::new(&TEXT_TOO_LONG, at, fact).here("longest value").help(IN_A_FILE)
}

/// Returns the minimum expanded length of a part, in bytes. `count`: returns the number of tasks of a role.
fn least(part: &Part, count: &dyn Fn(usize) -> u32) -> usize {
    match part {
        Part::Text(text) => text.len(),
        Part::Task(TaskRef::Addresses(role), _) => count(*role) as usize * ADDRESS,
        Part::Data(..)
        | Part::Task(
            TaskRef::Index | TaskRef::Address | TaskRef::Port(_) | TaskRef::Env(_) | TaskRef::Done,
            _,
        ) => 0,
    }
}
