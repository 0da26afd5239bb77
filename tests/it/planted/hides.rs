//! Planted faults that correctly hide other faults, with reasons.
use super::mutant::Planted;

/// The faults that a fault hides.
enum Reach {
    /// Syntax mistakes after the fault on the same line.
    Slips,
    /// Everything after the fault on the same line.
    Line,
    /// Missing fields in the block that lost text ([`super::planter::Planter::tears`]).
    Missing,
    /// Missing named blocks in the block that lost text.
    Names,
}

/// The code that hides, what it hides, and the reason.
const HIDES: &[(&str, Reach, &str)] = &[
    (
        "comma",
        Reach::Slips,
        "a line in JSON syntax is one mistake: its fix also corrects the smaller ones on the line",
    ),
    (
        "colon-after-name",
        Reach::Slips,
        "a line in YAML syntax is one mistake: its fix also corrects the smaller ones on the line",
    ),
    (
        "equals-sign",
        Reach::Slips,
        "a line in TOML syntax is one mistake: its fix also corrects the smaller ones on the line",
    ),
    (
        "square-brackets",
        Reach::Slips,
        "a list in JSON syntax is one mistake: its fix also corrects the smaller ones on the line",
    ),
    ("syntax", Reach::Line, "after a position where no value can start, the rest of the line is ambiguous"),
    ("unclosed", Reach::Line, "the contents of an unclosed string are not part of the language"),
    ("dash-item", Reach::Line, "the item could belong to any entry"),
    ("syntax", Reach::Missing, "the missing field may be in the text that was skipped"),
    ("unclosed", Reach::Missing, "the missing field may be in the text that was skipped"),
    ("dash-item", Reach::Missing, "the missing field may be in the item"),
    ("unbalanced-braces", Reach::Missing, "the missing field may be after the wrong brace"),
    ("duplicate-node", Reach::Names, "one of the two duplicates may be the missing role"),
    ("bad-number", Reach::Missing, "the invalid number may be the missing value"),
    ("missing-value", Reach::Missing, "the block without a name may be the missing one"),
    ("unreadable-base", Reach::Missing, "the missing field may be in the unreadable file"),
];

/// Codes that are reported and fixed as part of a larger mistake on the same line.
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

/// Returns whether `by` hides `other` in these texts.
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
