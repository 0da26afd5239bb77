//! Tests of the JSON parser.
use super::*;
use crate::sources::{Format, Sources};

fn read(text: &str) -> (Option<Tree>, Vec<String>) {
    let mut sources = Sources::default();
    let number = sources.add("x.json", Format::Json, text);
    let (tree, found) = read_json(sources.get(number));
    let told = found.iter().map(|d| format!("{} | {}: {}", sources.slice(d.span()), d.code.name, d.message));
    (tree, told.collect())
}

#[test]
fn keys_and_values_keep_their_words() {
    let (tree, told) = read("{ \"a\": [1, -2.5, \"x\\u00e9\"], \"b\": null }");
    assert_eq!(told, [""; 0]);
    let tree = tree.unwrap();
    let list = tree.get("a").unwrap();
    assert_eq!(list.span, Span::new(7, 27));
    assert_eq!(tree.entries()[1].key_span, Span::new(29, 32));
    let Value::List(items) = &list.value else { panic!("a list") };
    assert_eq!(items[0].value, Value::Int(1));
    assert_eq!(items[2].value, Value::Text("xé".to_owned()));
}

#[test]
fn syntax_errors_point_at_their_place() {
    assert_eq!(read("{\"a\" 1}").1, ["1 | syntax: unexpected `1`"]);
    assert_eq!(read("{\"a\": 012}").1, ["012 | bad-number: `012` is not a valid JSON number"]);
    assert_eq!(read("{\"a\": 1e999}").1, ["1e999 | bad-number: `1e999` is not a valid JSON number"]);
    assert_eq!(read("[1,]").1, [", | syntax: trailing comma"]);
    assert_eq!(read("{1 2}").1, ["1 | syntax: unexpected `1`"]);
    assert_eq!(read("{\"a\": $b}").1, ["$ | syntax: unexpected `$`"]);
    assert_eq!(read("[\"a").1, ["\"a | unclosed: unterminated string"]);
    assert_eq!(read("{} {}").1, ["{ | syntax: unexpected `{`"]);
    assert_eq!(read("").1, [" | syntax: unexpected end of file"]);
}

/// Keys and strings in the notations of other languages are read, so that the rest of the text is checked.
#[test]
fn keys_and_strings_without_double_quotes_have_a_fix() {
    for (text, wrong, fixed, is_sure) in [
        ("{'a': 1}", "'a'", "\"a\"", true),
        ("{a-b : 1}", "a-b", "\"a-b\"", true),
        ("{1: 1}", "1", "\"1\"", true),
        ("{\"k\": mnist}", "mnist", "\"mnist\"", false),
        ("{'a\\nb': 1}", "'a\\nb'", "\"a\\\\nb\"", false),
        ("{'it\\'s': 1}", "'it\\'s'", "\"it's\"", true),
        ("{\"k\": 'a\\nb'}", "'a\\nb'", "\"a\\\\nb\"", false),
        ("{\"k\": 'x\\\\'}", "'x\\\\'", "\"x\\\\\\\\\"", false),
        ("{\"k\": ['it\\'s', 1]}", "'it\\'s'", "\"it's\"", true),
        ("{\"k\": 'it's'}", "'it's'", "\"it's\"", true),
        ("{\"k\": '\\d \"x\"'}", "'\\d \"x\"'", "\"\\\\d \\\"x\\\"\"", true),
        ("{\"k\": 'x\\\"y'}", "'x\\\"y'", "\"x\\\\\\\"y\"", false),
        ("{\"k\": 'x\\/y'}", "'x\\/y'", "\"x\\\\/y\"", false),
        ("{\"k\": [gs://b/x, 1]}", "gs://b/x", "\"gs://b/x\"", false),
    ] {
        let mut sources = Sources::default();
        let number = sources.add("x.json", Format::Json, text);
        let (tree, found) = read_json(sources.get(number));
        let [one] = found.as_slice() else { panic!("{text}: {found:?}") };
        assert_eq!(sources.slice(one.span()), wrong, "{text}");
        let [fix] = one.fixes.as_slice() else { panic!("{text}: {one:?}") };
        assert_eq!((fix.edits[0].text.as_str(), fix.is_automatic()), (fixed, is_sure), "{text}");
        assert!(tree.is_some_and(|tree| tree.entries().len() == 1), "{text}");
    }
}

/// An automatic fix must not delete text of the user.
#[test]
fn removing_a_comment_is_only_a_suggestion() {
    let mut sources = Sources::default();
    let number = sources.add("x.json", Format::Json, "{\n// c\n\"a\": 1 /* d */ }");
    let (_, found) = read_json(sources.get(number));
    let fixes: Vec<bool> = found.iter().flat_map(|d| &d.fixes).map(Fix::is_automatic).collect();
    assert_eq!(fixes, [false, false]);
}

/// The comma must not become part of a comment.
#[test]
fn a_missing_comma_is_inserted_after_the_value() {
    for (text, fixed) in [
        ("{\"a\": 1 // c\n\"b\": 2}", "{\"a\": 1, // c\n\"b\": 2}"),
        ("{\"a\": [1]\n# c\n\"b\": 2}", "{\"a\": [1],\n# c\n\"b\": 2}"),
        ("[\"a\" /* c */ \"b\"]", "[\"a\", /* c */ \"b\"]"),
        ("{\"a\": {\"c\": true} \"b\": 2}", "{\"a\": {\"c\": true}, \"b\": 2}"),
    ] {
        let mut sources = Sources::default();
        let number = sources.add("x.json", Format::Json, text);
        let source = sources.get(number);
        let (_, found) = read_json(source);
        let missing = found.iter().find(|d| d.message.contains("missing comma")).expect("it is reported");
        let [edit] = missing.fixes[0].edits.as_slice() else { panic!("{missing:?}") };
        let mut repaired = source.text.clone();
        repaired.replace_range(source.local(edit.span), &edit.text);
        assert_eq!(repaired, fixed);
    }
}

#[test]
fn a_slip_does_not_end_the_reading() {
    let text = "{\n// c\n\"a\": [1 2, 'b', True,], # d\n\"b\": \"\\q\" \"c\": 01, \"d\": \"x\\u0000\", \"e\": 1e999,\n}";
    let (tree, told) = read(text);
    let wanted = [
        "// c | syntax: comments are not allowed in JSON",
        " | syntax: missing comma between values",
        "'b' | syntax: `'b'` is not valid JSON",
        "True | syntax: `True` is not valid JSON",
        ", | syntax: trailing comma",
        "# d | syntax: comments are not allowed in JSON",
        "\\q | bad-escape: `\\q` is not a valid JSON escape",
        " | syntax: missing comma between values",
        "01 | bad-number: `01` is not a valid JSON number",
        "\\u0000 | forbidden-character: NUL character in a string",
        "1e999 | bad-number: `1e999` is not a valid JSON number",
        ", | syntax: trailing comma",
    ];
    assert_eq!(told, wanted);
    let tree = tree.unwrap();
    assert_eq!(tree.entries().len(), 5);
    let Some(Value::List(items)) = tree.get("a").map(|a| &a.value) else { panic!("a list") };
    assert_eq!(items[2].value, Value::Text("b".to_owned()));
    assert_eq!(tree.get("b").map(|b| &b.value), Some(&Value::Hole));
}

#[test]
fn a_key_that_is_there_twice_is_told_with_both_places() {
    let (tree, told) = read("{\"a\": 1, \"a\": 2}");
    assert_eq!(told, ["\"a\" | duplicate-key: duplicate key `a`"]);
    assert_eq!(tree.unwrap().get("a").unwrap().value, Value::Int(1));
}

#[test]
fn depth_is_bounded() {
    let told = read(&"[".repeat(60_000)).1;
    assert_eq!(told, ["[ | too-deep: values are nested more than 32 levels deep"]);
}

/// Without a space between the strings, quotes inside of a string may lack their `\`.
#[test]
fn adjacent_strings_may_be_one_string() {
    for text in [
        "[\"-c\", \"print(\"\", \"\")\"]",
        "{\"a\": \"x \"\" y\"}",
        "{\"a\": \"\"\"x\"\"\"}",
        "{\"a\": \"x\" \"y\"}",
    ] {
        let mut sources = Sources::default();
        let number = sources.add("x.json", Format::Json, text);
        let (_, found) = read_json(sources.get(number));
        let is_automatic = found.iter().flat_map(|one| &one.fixes).any(Fix::is_automatic);
        let has_help = found.iter().any(|one| one.help.as_ref().is_some_and(|help| help.contains("`\\\"`")));
        assert!(has_help && !is_automatic, "{text}: {found:?}");
    }
}
