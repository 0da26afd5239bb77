//! Tests that every kind of token is recognized, and that every byte is in a token.
use super::*;

fn kinds(text: &str) -> Vec<(Kind, &str)> {
    lex(text).iter().map(|t| (t.kind, &text[t.range()])).filter(|(k, _)| *k != Kind::Blank).collect()
}

#[test]
fn every_kind_of_token_is_told_apart() {
    let text = "\u{feff}job \"a\\\"b\" x=#true /-1.5 { // c\n(t)y; /* a /* b */ */ \\\n } [ ]";
    assert_eq!(
        kinds(text),
        [
            (Kind::Word, "job"),
            (Kind::Text, "\"a\\\"b\""),
            (Kind::Word, "x"),
            (Kind::Equals, "="),
            (Kind::Keyword, "#true"),
            (Kind::Slashdash, "/-"),
            (Kind::Word, "1.5"),
            (Kind::Open, "{"),
            (Kind::LineComment, "// c"),
            (Kind::Newline, "\n"),
            (Kind::ParenOpen, "("),
            (Kind::Word, "t"),
            (Kind::ParenClose, ")"),
            (Kind::Word, "y"),
            (Kind::Semicolon, ";"),
            (Kind::BlockComment, "/* a /* b */ */"),
            (Kind::Backslash, "\\"),
            (Kind::Newline, "\n"),
            (Kind::Close, "}"),
            (Kind::Stray, "["),
            (Kind::Stray, "]"),
        ]
    );
}

#[test]
fn words_of_other_languages_are_one_token_each() {
    for text in [
        "/data/*.csv",
        "hdfs://nn/x?a=b",
        "${HOME}/x",
        "{data.train}/x",
        "reg.io/a:b[0](c)",
        "C:\\dir",
        "a#b",
        "s3://b/*",
    ] {
        assert_eq!(kinds(text), [(Kind::Odd, text)]);
    }
    for text in ["'a {b} // c'", "\u{201c}a b\u{201d}", "`a b`"] {
        assert_eq!(kinds(text), [(Kind::Foreign, text)]);
    }
    for text in ["\"a\nb\"", "\"a\n\n  b \""] {
        assert_eq!(kinds(text), [(Kind::Spread, text)]);
    }
    for text in ["r\"a\\\"", "r##\"a\"#\"##"] {
        assert_eq!(kinds(text), [(Kind::OldRaw, text)]);
    }
    assert_eq!(kinds("a # b {"), [(Kind::Word, "a"), (Kind::HashComment, "# b {")]);
    assert_eq!(kinds("#a {"), [(Kind::HashComment, "#a {")]);
    assert_eq!(kinds("a // c"), [(Kind::Word, "a"), (Kind::LineComment, "// c")]);
    assert_eq!(kinds("a/* c */"), [(Kind::Word, "a"), (Kind::BlockComment, "/* c */")]);
    assert_eq!(kinds("\"a {")[1], (Kind::Open, "{"));
    assert_eq!(kinds("don't"), [(Kind::Word, "don't")]);
}

#[test]
fn raw_and_long_texts_end_at_their_own_quotes() {
    for text in
        ["#\"a\"b\"#", "##\"a\"#b\"##", "\"\"\"\n  a \" b\n  \"\"\"", "#\"\"\"\n \\ \"\"\" \n\"\"\"#", "\"\""]
    {
        assert_eq!(kinds(text), [(Kind::Text, text)]);
    }
    assert_eq!(kinds("\"a\\\n   b\""), [(Kind::Text, "\"a\\\n   b\"")]);
}

#[test]
fn what_does_not_close_is_told() {
    assert_eq!(kinds("\"a\nb"), [(Kind::OpenText, "\"a"), (Kind::Newline, "\n"), (Kind::Word, "b")]);
    assert_eq!(kinds("\"\"\"\na\nb\""), [(Kind::OpenText, "\"\"\"\na\nb\"")]);
    assert_eq!(kinds("/* a /* b */"), [(Kind::OpenComment, "/* a /* b */")]);
    assert_eq!(kinds("\"a\\"), [(Kind::OpenText, "\"a\\")]);
}

#[test]
fn every_byte_of_any_text_lies_in_one_token() {
    let parts = [
        "a", " ", "\n", "\r\n", "{", "}", "/-", "\"", "\"\"\"", "#", "\\", "é", "//", "/*", "*/", "=", "(",
        ")", "\0", "\u{feff}", "[", "1.", ";", "\u{2028}", "\u{3000}", "😀", "'", ",",
    ];
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..5_000 {
        let mut text = String::new();
        for _ in 0..40 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            text.push_str(parts[(seed % parts.len() as u64) as usize]);
        }
        let mut at = 0;
        for token in Lexer::new(&text) {
            assert_eq!(token.start, at);
            assert!(token.end > at && text.is_char_boundary(token.end), "{text:?}");
            at = token.end;
        }
        assert_eq!(at, text.len());
    }
}
