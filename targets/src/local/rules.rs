//! What no single ask can see: words that name a port which no task will have.
use super::Local;
use crate::codes::SHARED_PORT;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::{Command, Part, Plan, Role, Template};
use tfjob_lang::sources::Span;
use tfjob_lang::target::Target;

/// Warns of each role whose words hold the number of a rendezvous port: here each task has a free one.
pub fn judge(plan: &Plan) -> Vec<Diagnostic> {
    // A task that is alone meets nobody there.
    if plan.rendezvous_tasks() <= 1 {
        return Vec::new();
    }
    plan.roles.iter().filter_map(fixed).collect()
}

fn fixed(role: &Role) -> Option<Diagnostic> {
    let port = role.ports.iter().find(|port| port.name.value == "cluster")?;
    let number = port.number?;
    let at = names(role, &number.to_string())?;
    let role = &role.name.value;
    let fact = format!(
        "{}: a word of `{role}` says port {number}, and each of its tasks meets the others at a free one",
        Local::NAME
    );
    Some(
        Diagnostic::new(&SHARED_PORT, at, fact)
            .here("no task listens there")
            .label(port.name.span, "the rendezvous")
            .help("write `port \"cluster\" \"auto\"` and `{port.cluster}`"),
    )
}

/// The first words of a role that hold the number.
fn names(role: &Role, number: &str) -> Option<Span> {
    let (argv, shell) = match &role.command {
        Command::Run(words) => (words.as_slice(), None),
        Command::Shell(text) => (&[][..], Some(text)),
    };
    let texts = argv.iter().chain(&role.workdir).chain(role.env.iter().map(|(_, value)| value));
    let found = texts.into_iter().find(|text| said(text, number)).map(|text| text.span);
    found.or_else(|| shell.filter(|text| holds(&text.value, number)).map(|text| text.span))
}

fn said(text: &Template, number: &str) -> bool {
    text.parts.iter().any(|part| match part {
        Part::Text(words) => holds(words, number),
        Part::Place(..) | Part::Own(..) => false,
    })
}

/// Whether a text holds the number as one of its own, not as a part of a longer one.
fn holds(text: &str, number: &str) -> bool {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    text.match_indices(number).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + number.len()..]);
        !digit(before.chars().next_back()) && !digit(after.chars().next())
    })
}
