//! Arguments and environment variables of a container. The kubelet expands `$(NAME)` and `$$` in them. So tfjob escapes the text of
//! the user, and writes `$(TFJOB_INDEX)` where the kubelet must insert the index of the task.
//!
//! Rules and evidence: kubernetes#variable-expansion.
use super::context::Context;
use std::collections::BTreeMap;
use std::fmt::Write;
use tfjob_contract::{LONGEST_TEXT, RENDEZVOUS};
use tfjob_lang::plan::{Part, Plan, RoleId, TaskRef, Template};

/// Environment variable that contains the index of the task.
pub const INDEX: &str = "TFJOB_INDEX";

/// Escapes text for `command`, `args`, and `env`: doubles every `$`, since the kubelet always turns `$$` into `$`.
#[must_use]
pub fn escape(text: &str) -> String {
    text.replace('$', "$$")
}

/// Returns the host name of a task. `index` is a number, or a reference to the variable with the index.
#[must_use]
pub fn host(context: &Context<'_>, role: RoleId, index: &str) -> String {
    context.hosts.host(context.role(role), index)
}

/// Returns `host:port` of all tasks of a role, joined by commas. `None` if the port is picked when the tasks start.
#[must_use]
pub fn addresses(context: &Context<'_>, role: RoleId) -> Option<String> {
    let of = &context.plan.roles[role];
    let port = of.ports.iter().find(|p| p.name.value == RENDEZVOUS)?.number?;
    // The host name is built once and then repeated with each index, because a role may have ten thousand tasks.
    let whole = format!(",{}:{port}", host(context, role, "{"));
    let (before, after) = whole.split_once('{')?;
    let count = of.count.value;
    let mut list = String::with_capacity(count as usize * (whole.len() + 4));
    for index in 0..count {
        let before = if index == 0 { &before[1..] } else { before };
        write!(list, "{before}{index}{after}").expect("writing to a String never fails");
    }
    Some(list)
}

/// Returns the index of a task in a role as text: `0` for a single task, otherwise a reference to [`INDEX`].
#[must_use]
pub fn index(plan: &Plan, role: RoleId) -> String {
    if plan.roles[role].count.value == 1 { "0".to_owned() } else { format!("$({INDEX})") }
}

/// Returns a template as an argument or a value of the container spec. `None` if it refers to a value that is known only at
/// startup.
#[must_use]
pub fn word(template: &Template, context: &Context<'_>, role: RoleId) -> Option<String> {
    let mut out = String::new();
    for part in &template.parts {
        match part {
            Part::Text(text) => out.push_str(&escape(text)),
            Part::Data(place, _) => out.push_str(&escape(&context.places.of(*place).path)),
            Part::Task(own, _) => match own {
                TaskRef::Index => out.push_str(&index(context.plan, role)),
                TaskRef::Address => out.push_str(&host(context, role, &index(context.plan, role))),
                TaskRef::Addresses(other) => out.push_str(&addresses(context, *other)?),
                TaskRef::Port(_) | TaskRef::Env(_) | TaskRef::Done => return None,
            },
        }
    }
    Some(out)
}

/// Returns whether a template refers to the index of the task, in a role with several tasks. Its value then differs in each task.
#[must_use]
pub fn uses_index(template: &Template, plan: &Plan, role: RoleId) -> bool {
    let own = |part: &Part| match part {
        Part::Task(TaskRef::Index | TaskRef::Address, _) => true,
        Part::Text(_)
        | Part::Data(..)
        | Part::Task(TaskRef::Addresses(_) | TaskRef::Port(_) | TaskRef::Env(_) | TaskRef::Done, _) => false,
    };
    plan.roles[role].count.value > 1 && template.parts.iter().any(own)
}

/// Expands a text as the kubelet does. A reference to an unknown name stays unchanged. The text is cut at the length limit of an
/// argument, because a chain of variables could become too large for the memory: if each variable contains the previous one twice,
/// the length doubles at each step.
#[must_use]
pub fn expand(word: &str, env: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    let mut rest = word;
    while let Some(at) = rest.find('$').filter(|_| out.len() <= LONGEST_TEXT) {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        if let Some(after) = after.strip_prefix('$') {
            out.push('$');
            rest = after;
        } else if let Some((name, tail)) = after.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
            match env.get(name) {
                Some(value) => out.push_str(value),
                None => out.push_str(&rest[at..rest.len() - tail.len()]),
            }
            rest = tail;
        } else {
            out.push('$');
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// Returns the names of the references that the kubelet finds in a text, in order.
pub fn references(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        loop {
            let after = &rest[rest.find('$')? + 1..];
            if let Some((name, tail)) = after.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
                rest = tail;
                return Some(name);
            }
            rest = after.strip_prefix('$').unwrap_or(after);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{escape, expand, references};
    use std::collections::BTreeMap;

    #[test]
    fn texts_are_expanded_as_the_kubelet_does() {
        let env =
            BTreeMap::from([("A".to_owned(), "one".to_owned()), ("B".to_owned(), "one-$(C)".to_owned())]);
        let seen = [
            ("$(A)", "one"),
            ("$$(A)", "$(A)"),
            ("$(MISSING)", "$(MISSING)"),
            ("$A", "$A"),
            ("${A}", "${A}"),
            ("$$", "$"),
            ("$(A", "$(A"),
            ("a$", "a$"),
            ("$(B)", "one-$(C)"),
            ("x$(A)y$(A)", "xoneyone"),
            ("$$$(A)", "$one"),
        ];
        for (word, process) in seen {
            assert_eq!(expand(word, &env), process, "{word}");
        }
    }

    #[test]
    fn references_are_the_names_that_are_expanded() {
        for (word, names) in [
            ("a$(A)b$$(B)$$$(C)", &["A", "C"][..]),
            ("$A ${B} $(C $", &[]),
            ("$((A))", &["(A"]),
            ("$$$$(A)", &[]),
        ] {
            assert_eq!(references(word).collect::<Vec<_>>(), names, "{word}");
        }
    }

    #[test]
    fn an_escaped_text_expands_to_itself() {
        let env = BTreeMap::from([("A".to_owned(), "one".to_owned())]);
        for word in ["$(A)", "$$(A)", "$", "$$", "$$$", "a$", "$(A", "$((A))", "${A} $A `id` $(id)", "é$(A)é"]
        {
            assert_eq!(expand(&escape(word), &env), word);
        }
    }
}
