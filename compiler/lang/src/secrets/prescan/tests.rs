//! Tests that the fast check matches every text in which the search by names finds a credential.
use super::may_name;
use crate::secrets::judge::within;
use crate::secrets::lex::Manner;
use crate::sources::Format;
use proptest::prelude::*;
use std::collections::BTreeSet;

const PARTS: [&str; 49] = [
    "auth",
    "password",
    "passwords",
    "passwd",
    "passphrase",
    "passcode",
    "pass",
    "pwd",
    "secret",
    "secrets",
    "token",
    "tokens",
    "apikey",
    "apikeys",
    "credentials",
    "cred",
    "creds",
    "credential",
    "sig",
    "signature",
    "sas",
    "pat",
    "api",
    "key",
    "keys",
    "access",
    "ssh",
    "wandb",
    "db",
    "old",
    "eos",
    "stringdata",
    "string_data",
    "env",
    "param",
    "path",
    "name",
    "value",
    "kind",
    "data",
    "from",
    "user",
    "file",
    "2",
    "scret",
    "serret",
    "sercet",
    "seceret",
    "x",
];
const SIGNS: [&str; 26] = [
    " ", " ", "\n", "=", "=\"", "\"", ": ", ":", "_", "-", "--", ".", "?", "/", "{ ", " }", "://", "@", "'",
    "; ", "\n  ", ", ", "\\", "\u{17f}", "@tcp(", ")/",
];
const VALUES: [&str; 9] = [
    "cm9ib3Q6aHVudGVyMg==",
    "hunter2",
    "abc123XYZ9",
    "{param.x}",
    "$TFJOB_PARAM_A",
    "true",
    "Ab1Ab1Ab1Ab1Ab1Ab1Ab1",
    "a",
    "|",
];

/// Texts of names, signs, and values. Each part may be in capitals, or begin with a capital. In some texts, a letter of a part is
/// missing, repeated, or changed.
fn texts() -> impl Strategy<Value = String> {
    let part = (0..PARTS.len(), 0..4_u8, 0..6_u8, any::<prop::sample::Index>()).prop_map(
        |(part, case, mistake, at)| {
            let mut part: Vec<char> = PARTS[part].chars().collect();
            let at = at.index(part.len());
            match mistake {
                0 => drop(part.remove(at)),
                1 => part.insert(at, 'e'),
                2 => part[at] = 'q',
                3 if at > 0 => part.swap(at - 1, at),
                _ => {}
            }
            let part: String = part.into_iter().collect();
            match case {
                0 => part.to_uppercase(),
                1 => part.chars().take(1).flat_map(char::to_uppercase).chain(part.chars().skip(1)).collect(),
                _ => part,
            }
        },
    );
    let sign = (0..SIGNS.len()).prop_map(|sign| SIGNS[sign].to_owned());
    let value = (0..VALUES.len()).prop_map(|value| VALUES[value].to_owned());
    prop::collection::vec(prop_oneof![3 => part, 3 => sign, 1 => value], 1..14)
        .prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_text_that_it_passes_over_holds_nothing(text in texts()) {
        if !may_name(&text) {
            let manners = [Format::Kdl, Format::Json, Format::Yaml].map(Manner::Of).into_iter().chain([Manner::Inner]);
            for manner in manners {
                let found = within(&text, manner, 0, &BTreeSet::new());
                prop_assert!(found.at.is_empty() && found.params.is_empty(), "{manner:?}: {text:?}: {found:?}");
            }
        }
    }
}

#[test]
fn plain_words_are_passed_over() {
    for text in [
        "env { PYTHONPATH \"/opt\"; SIGNAL \"x\" }",
        "design section seconds security path patch retry secondary",
        "toleration key=\"gpu\"\nport \"metrics\" 9000",
        "data \"train\" \"hdfs://n:8020/a\"",
    ] {
        assert!(!may_name(text), "{text}");
    }
}
