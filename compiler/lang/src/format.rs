//! The formatter. It gives every spec the same layout, keeps its meaning and all comments, and is idempotent.
use crate::codes::BARE_TEXT;
use crate::diagnostic::{Diagnostic, Fix};
use crate::sources::Source;
use crate::syntax::read_kdl;

mod layout;
mod print;

/// Maximum width in columns of a line that contains a complete block.
pub const WIDTH: usize = 100;

/// Indentation of a block, in columns.
pub const INDENT: usize = 4;

/// Formats a KDL source. Each level is indented by four columns, each node begins a line, strings are quoted, empty lines are
/// merged, and line endings are `\n`. Short blocks that were on one line, and line continuations, are kept.
///
/// # Errors
/// Returns the diagnostics of a text with syntax errors other than unquoted strings.
pub fn format(source: &Source) -> Result<String, Vec<Diagnostic>> {
    // The formatter quotes unquoted strings. If a string contains one of these characters, it remains an error, because it may be
    // meant as a property, a type, or an unterminated string.
    let signs =
        |d: &Diagnostic| source.slice(d.span()).contains(['"', '=', '(', ')', '{', '}', '[', ']', ';']);
    let plain = |d: &Diagnostic| !d.fixes.is_empty() && d.fixes.iter().all(Fix::is_automatic) && !signs(d);
    let (_, diagnostics) = read_kdl(source);
    let (bare, wrong): (Vec<_>, Vec<_>) =
        diagnostics.into_iter().partition(|d| d.code == &BARE_TEXT && plain(d));
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let mut text = source.text.clone();
    let mut edits: Vec<_> = bare.into_iter().flat_map(|d| d.fixes).flat_map(|fix| fix.edits).collect();
    edits.sort_by_key(|edit| edit.span.start);
    for edit in edits.iter().rev() {
        text.replace_range(source.local(edit.span), &edit.text);
    }
    // Also inside comments and strings over several lines: other tokens are written anew.
    Ok(print::print(&layout::read(&text.replace("\r\n", "\n"))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{Format, Sources};
    use crate::syntax::lexer::{Kind, lex};
    use crate::syntax::{Node, Random, document, meaning, rounds, slipped};

    fn formatted(text: &str) -> String {
        let mut all = Sources::default();
        let number = all.add("a", Format::Kdl, text);
        format(all.get(number)).unwrap_or_else(|wrong| panic!("{wrong:?}"))
    }

    #[test]
    fn a_spec_is_formatted() {
        let text = "\u{feff}// lead\n\n\njob   \"mnist\"   {\n\n\n   // c1\n role worker   count=1_000 ; role \"ps\" /* c2 */ \
                    count=2 // tail\n env { A \"a\";   B \"b\" }\n\n\n\n run \"python\" \\\n \"x\"  \\ // why\n \"y\"\n\
                    /- skip 1\n  d {\n\n e 1 ; f 2\n\n }\n\n  // last\n\n} // after\r\n// end";
        let wanted = "// lead

job \"mnist\" {
    // c1
    role \"worker\" count=1_000
    role \"ps\" /* c2 */ count=2 // tail
    env { A \"a\"; B \"b\" }

    run \"python\" \\
        \"x\" \\ // why
        \"y\"
    /-skip 1
    d {
        e 1
        f 2
    }

    // last
} // after
// end
";
        assert_eq!(formatted(text), wanted);
        assert_eq!(formatted(wanted), wanted);
    }

    #[test]
    fn a_block_stays_on_one_line_only_if_it_was_and_fits() {
        assert_eq!(formatted("a { b 1;c { d } }\n"), "a { b 1; c { d } }\n");
        assert_eq!(formatted("a {\n b 1 }\n"), "a {\n    b 1\n}\n");
        assert_eq!(formatted("a {\n\n}\nb{ }"), "a {}\nb {}\n");
        let long = format!("a {{ b \"{}\"; c {{ d 1 }} }}", "x".repeat(90));
        let broken = format!("a {{\n    b \"{}\"\n    c {{ d 1 }}\n}}\n", "x".repeat(90));
        assert_eq!(formatted(&long), broken);
    }

    #[test]
    fn a_multi_line_string_is_indented_with_its_node() {
        let text = "a {\n  b {\nshell \"\"\"\n  set -e\n\n    x \\\n  y\n  \"\"\"\n}\n}\n";
        let wanted = "a {\n    b {\n        shell \"\"\"\n            set -e\n\n              x \\\n            y\n            \"\"\"\n    }\n}\n";
        assert_eq!(formatted(text), wanted);
        assert_eq!(formatted(wanted), wanted);
    }

    #[test]
    fn all_line_ends_are_the_same() {
        let text = "a { /* c\n d */\n  shell \"\"\"\n  x\n  \"\"\"; b #\"\"\"\n y\n \"\"\"#\n}\n";
        assert_eq!(formatted(&text.replace('\n', "\r\n")), formatted(text));
    }

    #[test]
    fn comments_in_unusual_places_are_kept() {
        for text in [
            "/* a */ b /* c */ 1 /* d */\n",
            "a { // head\n    b\n}\n",
            "a /- // why\n    1 2\n",
            "/- // why\n    a 1\n",
            "a k /* e */= 1\n",
            "a {\n    b\n    // last\n}\n",
            "a 1 /-{ b } { c } /-{ d } // e\n",
            "a {\n    /* only */\n}\n",
        ] {
            assert_eq!(formatted(text).replace("= ", "="), text.replace("= ", "="));
        }
        assert_eq!(formatted("a 1 \\ // c\n\nb"), "a 1 // c\nb\n");
        assert_eq!(formatted("a; // c\nb"), "a // c\nb\n");
    }

    #[test]
    fn a_text_with_errors_is_not_formatted() {
        let mut all = Sources::default();
        let number = all.add("a", Format::Kdl, "a b\ncount = 4\n");
        let wrong = format(all.get(number)).unwrap_err();
        assert_eq!(wrong.iter().map(|d| d.code.name).collect::<Vec<_>>(), ["equals-sign"]);
        for text in [
            "resources cpus=1 me(mory=\"128GiB\"\n",
            "a m)k=\"x\"\n",
            "a k(=\"x\" b\n",
            "a k[0]=\"x\"\n",
            "a x(y\n",
            "me(mory \"128GiB\"\n",
            "a k=\"x\"y=\"z\"\n",
        ] {
            let number = all.add("a", Format::Kdl, text);
            assert!(format(all.get(number)).is_err(), "{text}: {:?}", format(all.get(number)));
        }
    }

    /// Asserts that formatting keeps the meaning.
    fn kept(text: &str) {
        let mut all = Sources::default();
        let before = all.add("a", Format::Kdl, text);
        let Ok(after) = format(all.get(before)) else { return };
        let number = all.add("b", Format::Kdl, after.as_str());
        let meanings =
            |number: usize| read_kdl(all.get(number)).0.nodes.iter().map(meaning).collect::<Vec<_>>();
        assert_eq!(meanings(before), meanings(number), "{text:?} -> {after:?}");
    }

    #[test]
    fn random_documents_with_signs_between_are_kept_or_left() {
        for seed in 0..rounds(3_000) {
            let mut random = Random::new(seed);
            let mut text = document(&mut random);
            for _ in 0..=random.below(2) {
                let mut at = random.below(text.len().max(1)).min(text.len());
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                text.insert_str(at, random.pick(&["(", ")", "[", "]", "=", "\"", "{", ","]));
            }
            kept(&text);
        }
    }

    /// Returns all comments and `/-` of a text, in order.
    fn comments(text: &str) -> Vec<&str> {
        let kept = |kind: Kind| kind.is_comment() || kind == Kind::Slashdash;
        lex(text).into_iter().filter(|t| kept(t.kind)).map(|t| text[t.range()].trim_end()).collect()
    }

    #[test]
    fn random_documents_keep_their_meaning_and_their_comments() {
        let mut tried = 0;
        for seed in 0..rounds(3_000) {
            let mut random = Random::new(seed);
            let text = if seed % 3 == 0 { slipped(&mut random) } else { document(&mut random) };
            let mut all = Sources::default();
            let before = all.add("a", Format::Kdl, text.as_str());
            let Ok(after) = format(all.get(before)) else { continue };
            tried += 1;
            let number = all.add("b", Format::Kdl, after.as_str());
            let (read, again) = (read_kdl(all.get(before)).0, read_kdl(all.get(number)));
            assert!(again.1.is_empty(), "{text:?} -> {after:?}: {:?}", again.1);
            let meanings = |nodes: &[Node]| nodes.iter().map(meaning).collect::<Vec<_>>();
            assert_eq!(meanings(&read.nodes), meanings(&again.0.nodes), "{text:?} -> {after:?}");
            assert_eq!(comments(&text), comments(&after), "{text:?} -> {after:?}");
            assert_eq!(formatted(&after), after, "from {text:?}");
        }
        assert!(tried >= 2_000, "{tried}");
    }
}
