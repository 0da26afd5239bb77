//! Keywords of other systems, for `explain` and for completion.
use super::theirs::{EXAMPLES, VALUES, WORDS, example, of_target, ours};

/// Words by which users look for several fields, or for a field in a list, although none of them is its equivalent.
const SEARCHED: &[(&str, &[&str])] = &[
    ("bucket", &["checkpoints", "data"]),
    ("retry", &["restart"]),
    ("storage", &["checkpoints", "data"]),
    ("volume", &["checkpoints"]),
    ("wait", &["after", "start"]),
];

/// Returns the field that is the equivalent of a keyword or command-line flag of another system; `None` if there is none.
#[must_use]
pub fn keyword_of(word: &str) -> Option<&'static str> {
    let field = |word: &str| ours(word).map(|(ours, _)| ours);
    // Many systems use the plural for a list, such as `roles`.
    field(word)
        .or_else(|| EXAMPLES.iter().map(|(name, _)| *name).find(|name| word.strip_suffix('s') == Some(name)))
}

/// Returns the keywords of other systems that have an equivalent field, in kebab case.
pub fn foreign_keywords<'a>() -> impl Iterator<Item = &'a str> + Clone {
    WORDS.iter().map(|(word, ..)| *word)
}

/// Returns the keywords of other systems for a field, in kebab case, and other words by which users look for it, so that completion
/// finds the field by them.
pub fn foreign_names(field: &str) -> impl Iterator<Item = &'static str> {
    let theirs = WORDS.iter().filter(move |(_, ours, _)| *ours == field).map(|(theirs, ..)| *theirs);
    theirs.chain(SEARCHED.iter().filter(move |(_, ours)| ours.contains(&field)).map(|(word, _)| *word))
}

/// Returns the values of other systems for a keyword of the spec, in kebab case.
pub fn foreign_values(keyword: &str) -> impl Iterator<Item = &'static str> {
    VALUES.iter().filter(move |(_, ours)| *ours == keyword).map(|(theirs, _)| *theirs)
}

/// Returns an example of a field or of an option of a target, in KDL: `deadline "1d"`. For a property, the example is its entry:
/// `stop grace="60s"` for `grace`. `None` if there is no example.
#[must_use]
pub fn example_of(field: &str) -> Option<&'static str> {
    example(field).or_else(|| of_target(field))
}
