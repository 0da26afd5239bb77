//! One word for sh.

/// `word` so that sh, dash and bash read it as one word. It holds no NUL: the language refuses that.
#[must_use]
pub fn quote(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| "''".to_owned(), std::borrow::Cow::into_owned)
}

/// A command line of several words.
#[must_use]
pub fn join<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(quote).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn a_word_stays_one_word() {
        assert_eq!(quote("a b"), "'a b'");
        assert_eq!(quote(""), "''");
        assert_eq!(quote("$(id)`id`"), "'$(id)`id`'");
    }
}
