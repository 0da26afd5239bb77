//! The least size of what a task is given, counted before anything is built: references to the addresses of a role
//! multiply by its tasks. Targets judge the exact size.
use super::reference::Scope;
use crate::at::At;
use crate::codes::LONG_TEXT;
use crate::diagnostic::Diagnostic;
use crate::plan::{Command, Own, Part, Role, Template};
use crate::sources::Span;
use std::collections::BTreeMap;
use tfjob_contract::{LONGEST_TEXT as LONGEST, MOST_BYTES as ALL};

/// The least bytes of one address in a list: a letter, a colon, a digit and a comma.
const ADDRESS: usize = 4;

/// Cuts a text that no process can be given, and reports it.
pub(super) fn bound(made: &mut Template, scope: &Scope<'_>, out: &mut Vec<Diagnostic>) {
    let references = |part: &&Part| matches!(part, Part::Own(Own::Addresses(_), _));
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
    out.push(Diagnostic::new(&LONG_TEXT, made.span, fact).here("too long").help(
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
        role.env.clear();
        if let Command::Run(arguments) = &mut role.command {
            arguments.truncate(1);
        }
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
    Diagnostic::new(&LONG_TEXT, at, fact)
        .here("the largest")
        .help("pass long lists in a file of `code` or `stage`")
}

fn least(part: &Part, count: &dyn Fn(usize) -> u32) -> usize {
    match part {
        Part::Text(text) => text.len(),
        Part::Own(Own::Addresses(role), _) => count(*role) as usize * ADDRESS,
        Part::Place(..)
        | Part::Own(Own::Index | Own::Address | Own::Port(_) | Own::Env(_) | Own::Done, _) => 0,
    }
}
