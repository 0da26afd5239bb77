//! Keywords of other systems, for the explanation of a topic.
use super::theirs::{EXAMPLES, WORDS, ours};

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
