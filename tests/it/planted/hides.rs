//! Which planted faults hide others, and why that is right.
use super::mutant::Planted;

/// What a fault hides.
enum Reach {
    /// Small slips behind it on its line.
    Slips,
    /// All that stands behind it on its line.
    Line,
    /// What seems to be missing where words were lost: those that say where in [`super::planter::Planter::tears`].
    Missing,
    /// A node by name that seems to be missing there.
    Names,
}

/// The code that hides, what it hides, and the reason.
const HIDES: &[(&str, Reach, &str)] = &[
    (
        "comma",
        Reach::Slips,
        "a line in the manner of JSON is one slip: its fix mends the small ones on it too",
    ),
    (
        "colon-after-name",
        Reach::Slips,
        "a line in the manner of YAML is one slip: its fix mends the small ones on it too",
    ),
    (
        "equals-sign",
        Reach::Slips,
        "a line in the manner of TOML is one slip: its fix mends the small ones on it too",
    ),
    (
        "square-brackets",
        Reach::Slips,
        "a list in the manner of JSON is one slip: its fix mends the small ones on it too",
    ),
    ("syntax", Reach::Line, "where a value cannot begin, nobody knows what the rest of the line is"),
    ("unclosed", Reach::Line, "what stands in an open text is no word of the language"),
    ("dash-item", Reach::Line, "nobody knows which node the item belongs to"),
    ("syntax", Reach::Missing, "what seems to be missing may stand in the words that were lost"),
    ("unclosed", Reach::Missing, "what seems to be missing may stand in the words that were lost"),
    ("dash-item", Reach::Missing, "what seems to be missing may stand in the item"),
    ("unbalanced-braces", Reach::Missing, "what seems to be missing may stand behind the wrong brace"),
    (
        "duplicate-node",
        Reach::Names,
        "the role that seems to be missing may be what one of the two is meant to be",
    ),
    ("bad-number", Reach::Missing, "the value that seems to be missing may be this one"),
    ("missing-value", Reach::Missing, "the name that seems to be missing may be this one's"),
    ("unreadable-base", Reach::Missing, "what seems to be missing may stand in the file that was not read"),
];

/// What is told, and mended, as a small part of a greater slip of its line.
const SLIPS: &[&str] = &[
    "bare-text",
    "bare-keyword",
    "bare-uri",
    "bare-variable",
    "wrong-quotes",
    "kdl-version-1",
    "flag-property",
    "comma",
    "equals-sign",
    "bad-number",
];

/// Whether `by` hides `other` in these texts.
pub fn hides(by: &Planted, other: &Planted, texts: &[(String, String)]) -> bool {
    if std::ptr::eq(by.planter, other.planter) {
        return false;
    }
    let ways = HIDES.iter().filter(|(code, ..)| *code == by.planter.code);
    ways.into_iter().any(|(_, reach, _)| match reach {
        Reach::Slips => SLIPS.contains(&other.planter.code) && behind(by, other, texts),
        Reach::Line => by.planter.ends_line && behind(by, other, texts),
        Reach::Names => match (by.planter.tears, other.planter.lacks) {
            (Some(torn), Some(path)) => path.rsplit_once('.').is_some_and(|(parent, _)| parent == torn),
            _ => false,
        },
        Reach::Missing => match (by.planter.tears, other.planter.lacks) {
            (Some(torn), Some(path)) => within(torn, path),
            _ => false,
        },
    })
}

fn behind(by: &Planted, other: &Planted, texts: &[(String, String)]) -> bool {
    let (name, start, ..) = &by.told;
    let text = texts.iter().find(|(file, _)| file == name).map_or("", |(_, text)| text.as_str());
    let end = text[*start..].find('\n').map_or(text.len(), |length| start + length);
    other.words.iter().any(|(file, words)| file.name() == name && (*start..end).contains(&words.start))
}

fn within(torn: &str, path: &str) -> bool {
    match path.split_once('/') {
        Some((node, _)) => torn == node,
        None => torn.is_empty() || path == torn || path.starts_with(&format!("{torn}.")),
    }
}

#[test]
fn each_code_that_hides_is_one_of_the_language() {
    for (code, _, why) in HIDES {
        assert!(tfjob_lang::codes::ALL.iter().any(|c| c.name == *code), "{code}: {why}");
    }
}
