//! Checks of the lengths of arguments, environment variables, and annotations. With an argument or a variable that is too long,
//! the container does not start. The API server refuses an object with annotations that are too long.
use crate::pod::annotations::MOST as ANNOTATIONS;
use crate::pod::context::Context;
use crate::pod::expand;
use crate::pod::mechanism::{DESCRIPTION, SPEC_DIGEST, TASK_DIGEST};
use crate::pod::options::RoleOptions;
use tfjob_contract::{LONGEST_TEXT as LONGEST, too_long};
use tfjob_lang::at::{At, Named};
use tfjob_lang::codes::TEXT_TOO_LONG;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::digest;
use tfjob_lang::plan::{Command, Part, RoleId, TaskRef, Template};
use tfjob_lang::requirement::{Job, Requirement};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::Text;

/// Reports every text that is too long.
pub fn judge(context: &Context<'_>, roles: &[RoleOptions<'_>]) -> Vec<Diagnostic> {
    let mut out: Vec<Diagnostic> = annotations(context, roles).into_iter().collect();
    for role in 0..context.plan.roles.len() {
        for (what, length, at, help) in texts(context, role) {
            if length > LONGEST {
                out.push(long(context, at, &too_long(&what, length).to_string()).help(help));
            }
        }
    }
    out
}

/// Checks the annotations of the job, including its description, and those of the Pods of each role. Only the first object whose
/// annotations are too long is reported, because all objects contain the annotations of the job.
fn annotations(context: &Context<'_>, roles: &[RoleOptions<'_>]) -> Option<Diagnostic> {
    let plan = context.plan;
    let description = plan.requirements.iter().find_map(|required| {
        let Requirement::Job(Job::Description(text)) = &required.requirement else { return None };
        Some((DESCRIPTION.len() + text.len(), required.at))
    });
    let digests = [SPEC_DIGEST, TASK_DIGEST].map(|key| (key.len() + digest::LENGTH, plan.name.span));
    let job = lengths(context.options.annotations).chain(description).chain(digests).collect::<Vec<_>>();
    let roles = roles.iter().map(|role| lengths(role.annotations).collect());
    let mut objects = [(format!("the {}", context.kind.name), job)].into_iter().chain(
        plan.roles.iter().zip(roles).map(|(role, all)| (format!("the pods of `{}`", role.name.value), all)),
    );
    objects.find_map(|(what, all)| {
        let length: usize = all.iter().map(|(length, _)| length).sum();
        let (_, at) = all.iter().max_by_key(|(length, _)| length).filter(|_| length > ANNOTATIONS)?;
        let fact =
            format!("the annotations of {what} would have {length} bytes; the API server accepts at most {ANNOTATIONS}");
        Some(long(context, *at, &fact).help(IN_A_FILE))
    })
}

fn lengths(annotations: &Named<At<Text>>) -> impl Iterator<Item = (usize, Span)> {
    annotations.0.iter().map(|(key, value)| (key.value.len() + value.value.len(), value.span))
}

/// Returns the arguments and environment variables of the tasks of a role. For each: a description, the length in bytes, the span,
/// and the help that applies if the length exceeds the limit.
fn texts(context: &Context<'_>, id: RoleId) -> Vec<(String, usize, Span, &'static str)> {
    let role = &context.plan.roles[id];
    // A value that is known only at startup is assumed to be short, so it counts as empty.
    let length = |template| expand::word(template, context, id).map_or(0, |w| w.replace("$$", "$").len());
    let words = match &role.command {
        Command::Run(words) => {
            words.iter().map(|w| ("an argument of `run`".to_owned(), length(w), w.span, shorter(w))).collect()
        }
        Command::Shell(text) => {
            vec![("the `shell` script".to_owned(), text.value.len(), text.span, IN_A_FILE)]
        }
    };
    let variables = role.env.iter().map(|(name, value)| {
        let what = format!("the variable {}", name.value);
        (what, name.value.len() + 1 + length(value), value.span, shorter(value))
    });
    let mut all: Vec<_> = words;
    all.extend(variables);
    all
}

/// Help for a long text that the job contains.
const IN_A_FILE: &str = "move the long text into a file of `code` or `files`";

/// Returns the help for a value that is too long.
fn shorter(value: &Template) -> &'static str {
    let lists = |part: &Part| matches!(part, Part::Task(TaskRef::Addresses(_), _));
    if value.parts.iter().any(lists) {
        "use fewer tasks: a reference to the addresses of a role expands to one address per task"
    } else {
        IN_A_FILE
    }
}

/// Returns an error with the code `text-too-long`.
pub fn long(context: &Context<'_>, at: Span, fact: &str) -> Diagnostic {
    Diagnostic::new(&TEXT_TOO_LONG, at, format!("{}: {fact}", context.kind.target)).here("too long")
}
