//! The least size of what a task is given, counted before anything is built: references to the addresses of a role
//! multiply by its tasks. Targets judge the exact size.
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

/// The least bytes of one address in a list: a letter, a colon, a digit and a comma.
const ADDRESS: usize = 4;

/// Bytes that the references of all roles may stand for together.
const MOST_REFERENCED: usize = 4 << 20;

/// Bytes that the references of all roles stand for so far, and the first reference beyond the limit: a text of 64 KiB
/// can refer thousands of times to a parameter of 30 KiB.
#[derive(Debug, Default)]
pub(super) struct Spent(Cell<(usize, Option<Span>)>);

impl Spent {
    /// Counts one reference, and returns whether it is beyond the limit and stands for nothing.
    pub fn is_over(&self, length: usize, at: Span) -> bool {
        let (bytes, first) = self.0.get();
        let bytes = bytes.saturating_add(length);
        let over = bytes > MOST_REFERENCED;
        self.0.set((bytes, first.or(over.then_some(at))));
        over
    }
}

/// Bytes of the paths and addresses that references stand for.
#[derive(Debug, Default)]
pub(super) struct Lengths {
    code: usize,
    stage: Vec<usize>,
    data: Vec<usize>,
    checkpoints: usize,
}

impl Lengths {
    pub fn of(job: &spec::Job) -> Self {
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

    pub fn of_place(&self, place: DataRef) -> usize {
        match place {
            DataRef::Code => self.code,
            DataRef::Stage(index) => self.stage.get(index).copied().unwrap_or_default(),
            DataRef::Data(index) => self.data.get(index).copied().unwrap_or_default(),
            DataRef::Checkpoints => self.checkpoints,
            DataRef::Scratch => 0,
        }
    }
}

/// Drops the texts of all roles where their references stand for more than any job needs, and reports it.
pub(super) fn bound_job(roles: &mut [Role], spent: &Spent, out: &mut Vec<Diagnostic>) {
    let (bytes, Some(at)) = spent.0.get() else { return };
    roles.iter_mut().for_each(drop_texts);
    let fact = format!(
        "the references of this job stand for {bytes} bytes in all roles together: more than {MOST_REFERENCED}"
    );
    out.push(
        Diagnostic::new(&TEXT_TOO_LONG, at, fact)
            .here("the first one beyond the limit")
            .help("pass long texts in a file of `code` or `files`"),
    );
}

fn drop_texts(role: &mut Role) {
    role.env.clear();
    if let Command::Run(arguments) = &mut role.command {
        arguments.truncate(1);
    }
}

/// Cuts a text that no process can be given, and reports it.
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
        "this text would be at least {length} bytes long in each task; Linux passes at most {LONGEST}"
    );
    out.push(Diagnostic::new(&TEXT_TOO_LONG, made.span, fact).here("too long").help(
        "reference the addresses once, or read them from the framework's own variable such as `TF_CONFIG`",
    ));
    made.parts.truncate(1);
    made.parts.retain(|part| !references(&part));
}

/// Drops the variables of roles whose arguments and variables are together more than a process can be given.
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
        let at =
            role.env.iter().max_by_key(|one| variables(one)).map_or(role.name.span, |(_, text)| text.span);
        drop_texts(role);
        if !reported.contains(&at) {
            reported.push(at);
            out.push(too_much(at, all));
        }
    }
}

fn too_much(at: Span, all: usize) -> Diagnostic {
    let fact = format!(
        "the arguments and variables of a task would be at least {all} bytes long together; Linux passes at most {ALL}"
    );
    Diagnostic::new(&TEXT_TOO_LONG, at, fact)
        .here("the largest")
        .help("pass long lists in a file of `code` or `files`")
}

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
