//! Data of the node itself: a platform that mounts nothing starts a task also where it is not there.
use super::{Location, Places};
use tfjob_contract::{RoleDuties, variable};
use tfjob_lang::plan::{Command, DataRef, Part, Plan, Role, RoleId, RoleKind, Template};
use tfjob_lang::sources::Span;

/// What the shim looks for before a task of that role starts, and the first of the words behind it: the paths that the
/// role's own words name. A role with an image sees what the platform mounts, and no more.
pub fn of(plan: &Plan, places: &Places, id: RoleId) -> Option<(RoleDuties, Span)> {
    let role = &plan.roles[id];
    let is_helper = |role: &Role| role.kind == RoleKind::Helper;
    if role.image.is_some() || is_helper(role) {
        return None;
    }
    // What is written, or what a helper names, may be the job's own to make.
    let made =
        |index, name: &str| plan.roles.iter().any(|other| is_helper(other) && names(other, index, name));
    let (mut reads, mut first) = (Vec::new(), None);
    for (index, volume) in plan.storage.data.iter().enumerate().filter(|(_, volume)| !volume.writable) {
        let name = &volume.name.value;
        if names(role, index, name)
            && !made(index, name)
            && let Some(path) = path(places.of(DataRef::Data(index)))
        {
            reads.push(path);
            first.get_or_insert(volume.name.span);
        }
    }
    Some((RoleDuties { reads, ..RoleDuties::default() }, first?))
}

/// Whether the words of a role name that data as it stands, or something in it: `{data.part}*` is a pattern.
fn names(role: &Role, index: usize, name: &str) -> bool {
    let (words, shell) = match &role.command {
        Command::Run(words) => (words.as_slice(), false),
        Command::Shell(text) => (&[][..], mentions(&text.value, &variable(&["data", name]))),
    };
    let all = words.iter().chain(&role.workdir).chain(role.env.iter().map(|(_, value)| value));
    shell || all.into_iter().any(|text| whole(text, index))
}

fn whole(text: &Template, index: usize) -> bool {
    let mut parts = text.parts.iter().peekable();
    while let Some(part) = parts.next() {
        let ends = match parts.peek() {
            None => true,
            Some(Part::Text(text)) => text.starts_with('/'),
            Some(Part::Data(..) | Part::Task(..)) => false,
        };
        match part {
            Part::Data(DataRef::Data(named), _) if *named == index && ends => return true,
            Part::Data(..) | Part::Text(_) | Part::Task(..) => {}
        }
    }
    false
}

/// Whether a shell's text has that variable as a word's end, or before a `/`.
fn mentions(text: &str, variable: &str) -> bool {
    let ends = |rest: &str| {
        let rest = rest.strip_prefix('}').unwrap_or(rest);
        let rest = rest.strip_prefix('"').unwrap_or(rest);
        rest.starts_with(|c: char| c.is_whitespace() || matches!(c, '/' | ';' | ')' | '&' | '|' | '<' | '>'))
            || rest.is_empty()
    };
    text.match_indices(variable).any(|(at, _)| ends(&text[at + variable.len()..]))
}

/// The path of the node, where it is one.
fn path(location: &Location) -> Option<String> {
    let path = location.path.strip_prefix("file://").unwrap_or(&location.path);
    // What is percent-encoded would have to be read as its platform reads it; a pattern or a list is the program's.
    let plain = path.starts_with('/') && !path.contains(['%', '*', '?', '[', '{', ',']);
    (location.under.is_none() && plain).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn a_longer_name_or_a_pattern_is_something_else() {
        for text in [
            "$TFJOB_DATA_A",
            "\"${TFJOB_DATA_A}/x\"",
            "$TFJOB_DATA_A_B $TFJOB_DATA_A",
            "\"$TFJOB_DATA_A\"; b",
        ] {
            assert!(mentions(text, "TFJOB_DATA_A"), "{text}");
        }
        for text in
            ["$TFJOB_DATA_A_B", "$TFJOB_DATA_A1", "\"${TFJOB_DATA_A}\"*", "$TFJOB_DATA_A-00001", "$DATA_A"]
        {
            assert!(!mentions(text, "TFJOB_DATA_A"), "{text}");
        }
    }
}
