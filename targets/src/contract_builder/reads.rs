//! Checks for data on the disks of the nodes. A platform that mounts nothing starts a task even on a node without the data, so the
//! shim checks that the data exists.
use super::{Location, Places};
use tfjob_contract::{RoleDuties, variable};
use tfjob_lang::plan::{Command, DataRef, Part, Plan, Role, RoleId, RoleKind, Template};
use tfjob_lang::sources::Span;

/// Returns the paths of the `data` entries to which a role refers, and the span of the first of these entries. The shim checks that
/// the paths exist before a task of the role starts. `None` if the role refers to no such path, is a helper, or has an image: a
/// container sees only what the platform mounts.
pub fn of(plan: &Plan, places: &Places, id: RoleId) -> Option<(RoleDuties, Span)> {
    let role = &plan.roles[id];
    let is_helper = |role: &Role| role.kind == RoleKind::Helper;
    if role.image.is_some() || is_helper(role) {
        return None;
    }
    // The shim must not check data that is writable, or to which a helper refers, because the job itself may create it.
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

/// Returns whether a role refers to the data `name`, or to a path in it. A glob pattern such as `{data.train}*` is not such a path.
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

/// Returns whether a `shell` text uses an environment variable at the end of an argument or before `/`.
fn mentions(text: &str, variable: &str) -> bool {
    let ends = |rest: &str| {
        let rest = rest.strip_prefix('}').unwrap_or(rest);
        let rest = rest.strip_prefix('"').unwrap_or(rest);
        rest.starts_with(|c: char| c.is_whitespace() || matches!(c, '/' | ';' | ')' | '&' | '|' | '<' | '>'))
            || rest.is_empty()
    };
    text.match_indices(variable).any(|(at, _)| ends(&text[at + variable.len()..]))
}

/// Returns a location as a path on the node, or `None` if the location is a URI or a pattern.
fn path(location: &Location) -> Option<String> {
    let path = location.path.strip_prefix("file://").unwrap_or(&location.path);
    // Only a literal path can be checked. The platform would decode percent-encoding, and the program would expand glob patterns
    // and comma-separated lists.
    let plain = path.starts_with('/') && !path.contains(['%', '*', '?', '[', '{', ',']);
    (location.under.is_none() && plain).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn a_longer_name_or_a_pattern_does_not_count() {
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
