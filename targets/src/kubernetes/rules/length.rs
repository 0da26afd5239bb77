//! Lengths of arguments, variables and annotations: with a longer one a container does not start, or an object is refused.
use crate::kubernetes::context::Context;
use crate::kubernetes::means::DESCRIPTION;
use crate::kubernetes::{Kubernetes, operator};
use crate::pod::annotations::MOST as ANNOTATIONS;
use crate::pod::means::ISTIO;
use crate::pod::{self, expand};
use tfjob_contract::{LONGEST_TEXT as LONGEST, too_long};
use tfjob_lang::ask::{Ask, Job};
use tfjob_lang::at::{At, Named};
use tfjob_lang::codes::LONG_TEXT;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::{Command, Plan, RoleId};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::Text;
use tfjob_lang::target::Site;

/// Every text that is too long.
pub fn judge(plan: &Plan, site: &Site<Kubernetes>) -> Vec<Diagnostic> {
    let case = Context::new(plan, site).pod;
    let mut out: Vec<Diagnostic> = config(&case).into_iter().collect();
    out.extend(annotations(plan, site));
    for role in 0..plan.roles.len() {
        for (what, length, at) in texts(&case, role) {
            if length > LONGEST {
                out.push(long(at, &too_long(&what, length).to_string()));
            }
        }
    }
    out
}

/// Annotations of the TFJob, the description among them, and of the Pods of each role. The first object that is too large
/// is reported: what the job sets is in all.
fn annotations(plan: &Plan, site: &Site<Kubernetes>) -> Option<Diagnostic> {
    let description = plan.asks.iter().find_map(|asked| {
        let Ask::Job(Job::Description(words)) = &asked.ask else { return None };
        Some((DESCRIPTION.len() + words.len(), asked.at))
    });
    let job = stated(&site.job.annotations).chain(description).collect::<Vec<_>>();
    let ours = (ISTIO.len() + "false".len(), plan.name.span);
    let roles = site.roles.iter().map(|role| stated(&role.annotations).chain([ours]).collect());
    let mut objects = [("the TFJob".to_owned(), job)].into_iter().chain(
        plan.roles.iter().zip(roles).map(|(role, all)| (format!("the Pods of `{}`", role.name.value), all)),
    );
    objects.find_map(|(what, all)| {
        let length: usize = all.iter().map(|(length, _)| length).sum();
        let (_, at) = all.iter().max_by_key(|(length, _)| length).filter(|_| length > ANNOTATIONS)?;
        let fact =
            format!("annotations of {what} would be {length} bytes long; the API server takes {ANNOTATIONS}");
        Some(long(*at, &fact).help("move long text into a file of `code` or `stage`"))
    })
}

fn stated(annotations: &Named<At<Text>>) -> impl Iterator<Item = (usize, Span)> {
    annotations.0.iter().map(|(key, value)| (key.value.len() + value.value.len(), value.span))
}

/// What each task of a role is given: what it is, its length, its words.
fn texts(case: &pod::context::Context<'_>, id: RoleId) -> Vec<(String, usize, Span)> {
    let role = &case.plan.roles[id];
    // Where only the task itself knows a part, that part is short.
    let length = |template| expand::word(template, case, id).map_or(0, |w| w.replace("$$", "$").len());
    let words = match &role.command {
        Command::Run(words) => {
            words.iter().map(|w| ("a word of the command".to_owned(), length(w), w.span)).collect()
        }
        Command::Shell(text) => vec![("the text for the shell".to_owned(), text.value.len(), text.span)],
    };
    let variables = role.env.iter().map(|(name, value)| {
        (format!("the variable {}", name.value), name.value.len() + 1 + length(value), value.span)
    });
    let mut all: Vec<_> = words;
    all.extend(variables);
    all
}

/// The operator writes TF_CONFIG into every Pod with more than one task, also where the shim replaces it.
fn config(case: &pod::context::Context<'_>) -> Option<Diagnostic> {
    let plan = case.plan;
    if !operator::distributed(plan) {
        return None;
    }
    let lists = (0..plan.roles.len()).map(|id| {
        let role = &plan.roles[id];
        let list = expand::addresses(case, id).map_or(0, |list| list.len());
        // Each address in quotes, the list in brackets, under the role's name.
        list + 2 * role.count.value as usize + role.name.value.len() + 6
    });
    let most = plan.roles.iter().max_by_key(|role| role.count.value)?;
    let frame = r#"TF_CONFIG={"cluster":{},"task":{"type":"","index":},"environment":"cloud"}"#;
    // One comma less than roles, and the largest index.
    let last = (most.count.value - 1).to_string();
    let length = frame.len() + lists.sum::<usize>() - 1 + most.name.value.len() + last.len();
    (length > LONGEST).then(|| {
        let fact = too_long(&"the variable TF_CONFIG", length).to_string();
        long(most.name.span, &fact).help("fewer tasks: the addresses of all stand in the TF_CONFIG of each")
    })
}

fn long(at: Span, fact: &str) -> Diagnostic {
    Diagnostic::new(&LONG_TEXT, at, format!("kubernetes: {fact}")).here("too long")
}
