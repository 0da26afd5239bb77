//! Checks of references `$(NAME)` in environment variables that a patch sets in the container of the program.
use super::word;
use crate::patch::Merged;
use crate::pod::expand::{escape, references};
use std::collections::BTreeSet;
use tfjob_contract::owner;
use tfjob_lang::lowered::Lowered;
use tfjob_lang::plan::{Part, Plan, Role, RoleId, Template};
use tfjob_lang::requirement::{Program, Requirement};

/// Reports references that the kubelet does not expand. The kubelet expands references to earlier variables in `env`, to variables
/// from `envFrom`, and to variables of Services. It does not expand variables of the image, or variables that only the shim sets.
pub fn judge(plan: &Plan, lowered: &Lowered, id: RoleId, container: &str, merged: &mut Merged<'_>) {
    if merged.at(&format!("{container}/envFrom")).as_array().is_some_and(|from| !from.is_empty()) {
        return;
    }
    let role = &plan.roles[id];
    let list: Vec<_> = merged.items(&format!("{container}/env")).collect();
    let mut above = BTreeSet::new();
    for (number, (at, variable)) in list.iter().enumerate() {
        let (name, value) = (word(variable, "name"), word(variable, "value"));
        let at = format!("{at}/value");
        let unexpanded = |other: &&str| is_name(other) && !above.contains(other) && !of_service(other);
        let judged = merged.wrote(&at) && (lowered.contract.is_none() || set(role, name).is_none());
        // If a value contains a name several times, the name is reported only once.
        let found: BTreeSet<&str> = references(value).filter(unexpanded).filter(|_| judged).collect();
        for other in found {
            let below = list[number + 1..].iter().any(|(_, variable)| word(variable, "name") == other);
            let spec = set(role, other);
            let why = match () {
                () if other == name => "but this is the variable itself".to_owned(),
                () if below => format!("but `{other}` is below it"),
                () if spec.is_some() => format!("but only the shim sets `{other}`, later"),
                () => format!("but none of them is `{other}`"),
            };
            let fact = format!(
                "the kubelet does not expand `$({other})` in `{name}`: it expands only variables that are set above `{name}` in `env`, {why}"
            );
            let help = match spec {
                Some((_, template)) => with_value(value, other, template),
                None if below => format!("move `{other}` above `{name}`"),
                None => with_image(plan, (name, value), other),
            };
            merged.unexpanded(&at, spec.map(|(at, _)| at), &fact, &help);
        }
        above.insert(name);
    }
}

/// Returns the span and the value of the environment variable `name` that `env` of the spec sets for a role, if any.
fn set<'p>(role: &'p Role, name: &str) -> Option<(tfjob_lang::sources::Span, &'p Template)> {
    role.env.iter().find(|(own, _)| own.value == name).map(|(own, template)| (own.span, template))
}

/// Returns whether the text in the parentheses of `$(…)` can be the name of an environment variable. `nproc --all` cannot.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b))
}

/// Returns whether a name can be an environment variable of a Service in the namespace. The kubelet expands references to such
/// variables, although `env` of the container does not contain them.
fn of_service(name: &str) -> bool {
    name.ends_with("_SERVICE_HOST")
        || name.contains("_SERVICE_PORT")
        || name.ends_with("_PORT")
        || name.contains("_PORT_")
}

fn with_value(value: &str, other: &str, template: &Template) -> String {
    let text: Option<String> = template.parts.iter().map(|part| plain(part)).collect();
    let whole = text.map(|text| value.replace(&format!("$({other})"), &escape(&text)));
    match whole.filter(|whole| is_short(whole)) {
        Some(whole) => format!("write the value of `{other}` in the patch: `value: '{whole}'`"),
        None => format!("write the value of `{other}` in the patch"),
    }
}

fn plain(part: &Part) -> Option<&str> {
    match part {
        Part::Text(text) => Some(text),
        Part::Data(..) | Part::Task(..) => None,
    }
}

fn with_image(plan: &Plan, (name, value): (&str, &str), other: &str) -> String {
    let rest = value.replace(&format!("$({other})"), "");
    // The help must not suggest to set a reserved variable in `env`, because the language refuses this. Some variables are reserved
    // only if the job uses `hadoop`.
    let hadoop = plan
        .requirements
        .iter()
        .any(|required| matches!(required.requirement, Requirement::Program(Program::Hadoop { .. })));
    let framework = plan.framework.name.value;
    let ours = [name, other].into_iter().any(|name| owner(name, framework, hadoop).is_some());
    if ours || rest.contains(['$', '{', '}', '"', '\\']) || !is_short(&rest) {
        return format!("if the program expands it, write `$$({other})`; otherwise remove it from the patch");
    }
    let text = value.replace(&format!("$({other})"), &format!("{{env.{other}}}"));
    format!(
        "to use the variable of the image, write `env {{ {name} \"{text}\"; }}` in the role, and remove the variable from the patch"
    )
}

/// Returns whether a text is short enough, and simple enough for single quotes of YAML, to appear in a help.
fn is_short(text: &str) -> bool {
    text.len() <= 100 && !text.contains(|c: char| c.is_control() || c == '\'' || c == '`')
}
