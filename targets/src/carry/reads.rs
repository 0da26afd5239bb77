//! Data of the node itself: a platform that mounts nothing starts a task also where it is not there.
use super::{Places, Spot};
use tfjob_contract::{RoleDuties, variable};
use tfjob_lang::plan::{Command, Part, Place, Plan, Role, RoleId};
use tfjob_lang::sources::Span;

/// What the shim looks for before a task of that role starts, and the first of the words behind it: the paths that the
/// role's own words name. A role with an image sees what the platform mounts, and no more.
pub fn of(plan: &Plan, places: &Places, id: RoleId) -> Option<(RoleDuties, Span)> {
    let role = &plan.roles[id];
    let data = plan.storage.data.iter().enumerate();
    // A folder that is written may be the program's to make.
    let read = data.filter(|(index, volume)| !volume.writable && names(role, *index, &volume.name.value));
    let paths =
        read.filter_map(|(index, volume)| Some((path(places.of(Place::Data(index)))?, volume.name.span)));
    let (reads, at): (Vec<String>, Vec<Span>) = paths.filter(|_| role.image.is_none()).unzip();
    Some((RoleDuties { reads, ..RoleDuties::default() }, *at.first()?))
}

/// Whether the words of a role name that data.
fn names(role: &Role, index: usize, name: &str) -> bool {
    let (words, shell) = match &role.command {
        Command::Run(words) => (words.as_slice(), false),
        Command::Shell(text) => (&[][..], mentions(&text.value, &variable(&["data", name]))),
    };
    let all = words.iter().chain(&role.workdir).chain(role.env.iter().map(|(_, value)| value));
    shell
        || all.flat_map(|text| &text.parts).any(|part| match part {
            Part::Place(Place::Data(named), _) => *named == index,
            Part::Place(Place::Code | Place::Stage(_) | Place::Checkpoints | Place::Scratch, _)
            | Part::Text(_)
            | Part::Own(..) => false,
        })
}

/// Whether a text has that variable, and not only one that begins like it.
fn mentions(text: &str, variable: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|c: char| c == '_' || c.is_ascii_alphanumeric());
    text.match_indices(variable).any(|(at, _)| ends(&text[at + variable.len()..]))
}

/// The path of the node, where it is one.
fn path(spot: &Spot) -> Option<String> {
    let path = spot.path.strip_prefix("file://").unwrap_or(&spot.path);
    // What is percent-encoded would have to be read as its platform reads it.
    (spot.under.is_none() && path.starts_with('/') && !path.contains('%')).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn a_longer_name_is_another_variable() {
        for text in
            ["$TFJOB_DATA_A", "cat \"${TFJOB_DATA_A}/x\"", "$TFJOB_DATA_A_B $TFJOB_DATA_A", "$TFJOB_DATA_A/b"]
        {
            assert!(mentions(text, "TFJOB_DATA_A"), "{text}");
        }
        for text in ["$TFJOB_DATA_A_B", "$TFJOB_DATA_AB", "${TFJOB_DATA_A1}", "$DATA_A"] {
            assert!(!mentions(text, "TFJOB_DATA_A"), "{text}");
        }
    }
}
