//! Quoting of shell arguments.

/// Quotes an argument so that sh, dash, and bash read it as one argument. An argument with NUL cannot be quoted. An earlier check
/// reports such an argument, so this function never gets one.
#[must_use]
pub fn quote(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| "''".to_owned(), std::borrow::Cow::into_owned)
}

/// Returns a command line that consists of the quoted arguments.
#[must_use]
pub fn join<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(quote).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn a_quoted_argument_is_one_argument() {
        assert_eq!(quote("a b"), "'a b'");
        assert_eq!(quote(""), "''");
        assert_eq!(quote("$(id)`id`"), "'$(id)`id`'");
    }
}
