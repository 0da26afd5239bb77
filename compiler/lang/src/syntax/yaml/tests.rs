//! Tests with accepted and rejected YAML texts.
use super::*;
use crate::sources::{Format, Sources};

fn read(text: &str) -> (Option<Tree>, Vec<String>) {
    let mut sources = Sources::default();
    sources.add("before", Format::Kdl, "moves the offsets");
    let number = sources.add("x.yaml", Format::Yaml, text);
    let (tree, found) = read_yaml(sources.get(number));
    let told = found.iter().map(|d| format!("{} | {}: {}", sources.slice(d.span()), d.code.name, d.message));
    (tree, told.collect())
}

#[test]
fn keys_and_values_keep_their_words() {
    let (tree, told) = read("é: x\njob:\n  name: mnist\n  run: [python, \"a b\"]\n");
    assert_eq!(told, [""; 0]);
    let tree = tree.unwrap();
    let job = tree.get("job").unwrap();
    let mut sources = Sources::default();
    sources.add("before", Format::Kdl, "moves the offsets");
    sources.add("x.yaml", Format::Yaml, "é: x\njob:\n  name: mnist\n  run: [python, \"a b\"]\n");
    assert_eq!(sources.slice(job.get("name").unwrap().span), "mnist");
    assert_eq!(sources.slice(job.entries()[1].key_span), "run");
    let Value::List(words) = &job.get("run").unwrap().value else { panic!("a list") };
    assert_eq!(sources.slice(words[1].span), "\"a b\"");
}

#[test]
fn ambiguous_scalars_are_errors() {
    for word in [
        "yes",
        "No",
        "on",
        "OFF",
        "y",
        "N",
        "TRUE",
        "012",
        "1_000",
        "0x1F",
        "0o17",
        "12:30:45",
        "1e3",
        "5.",
        ".5",
        "+1",
        ".inf",
        "2001-01-01",
        "08",
        "0b11",
    ] {
        let told = read(&format!("a: {word}\n")).1;
        assert_eq!(told, [format!("{word} | ambiguous-scalar: `{word}` is ambiguous in YAML")]);
    }
    for (text, key) in [("a: { off: b }", "off"), ("a:\n  On: b\n", "On"), ("- yes: 1\n", "yes")] {
        let mut sources = Sources::default();
        let number = sources.add("x.yaml", Format::Yaml, text);
        let [told] = &read_yaml(sources.get(number)).1[..] else { panic!("{text}") };
        assert_eq!(told.help, Some(format!("quote the key: `\"{key}\"`")), "{text}");
        let edit = &told.fixes[0].edits[0];
        assert_eq!((sources.slice(edit.span), edit.text.clone()), (key, format!("\"{key}\"")));
    }
    for (word, number) in [("3.0e-05", 3e-5), ("1.0E+6", 1e6), ("-1.5e-3", -1.5e-3)] {
        let (tree, told) = read(&format!("a: {word}\n"));
        assert_eq!(told, [""; 0], "{word}");
        assert_eq!(tree.unwrap().get("a").unwrap().value, Value::Float(number));
    }
    for (word, number) in
        [("1e-4", Some("1.0e-4")), ("1.5e3", Some("1.5e+3")), ("1E6", Some("1.0e+6")), ("yes", None)]
    {
        assert_eq!(power(word).as_deref(), number);
    }
    for word in ["16GiB", "1h30m", "a1", "2.15.1", "v1", "hdfs://x/y", "nil", "-x", "--flag", "1GB", "2d"] {
        let (tree, told) = read(&format!("a: {word}\n"));
        assert_eq!(told, [""; 0], "{word}");
        assert_eq!(tree.unwrap().get("a").unwrap().value, Value::Text(word.to_owned()));
    }
}

#[test]
fn the_key_on_needs_no_quotes() {
    for text in ["allow:\n  - on: t\n", "a: { on: b }", "a:\n  on:\n    b: c\n", "[on: b]"] {
        assert_eq!(read(text).1, [""; 0], "{text}");
    }
    assert_eq!(read("on: a\n").0.unwrap().get("on").unwrap().value, Value::Text("a".into()));
    assert_eq!(read("on: on\n").1, ["on | ambiguous-scalar: `on` is ambiguous in YAML"]);
    assert_eq!(read("on: 1\n\"on\": 2\n").1, ["\"on\" | duplicate-key: duplicate key `on`"]);
}

#[test]
fn a_number_that_nothing_holds_and_a_nul_are_refused() {
    let digits = "9".repeat(40);
    assert_eq!(read(&format!("a: {digits}\n")).1, [format!("{digits} | bad-number: number out of range")]);
    assert_eq!(read("a: \"x\\0\"\n").1, ["\"x\\0\" | forbidden-character: NUL character in a string"]);
}

#[test]
fn anchors_tags_and_second_documents_are_refused() {
    assert!(read("a: &x 1\nb: *x\n").1[0].contains("yaml-feature"));
    assert!(read("a: !!str 1\n").1[0].contains("yaml-feature"));
    assert!(read("a: 1\n---\nb: 2\n").1[0].contains("yaml-feature"));
}

#[test]
fn a_key_that_is_there_twice_is_told_with_both_places() {
    let mut sources = Sources::default();
    let number = sources.add("x.yaml", Format::Yaml, "a: { b: 1 }\na: { c: 1 }\n");
    let (_, told) = read_yaml(sources.get(number));
    assert_eq!(told[0].help.as_deref(), Some("merge both into one object, or remove one of them"));
    assert_eq!(read("a: 1\na: 2\n").1, ["a | duplicate-key: duplicate key `a`"]);
}

#[test]
fn a_reference_without_quotes_is_told_as_such() {
    let mut all = Sources::default();
    let number = all.add("a", Format::Yaml, "job:\n  run: [python, train.py, --task={index}]\n");
    let (_, found) = read_yaml(all.get(number));
    assert!(found[0].help.iter().any(|help| help.contains("`\"--task={index}\"`")), "{found:?}");
}

#[test]
fn depth_is_bounded() {
    let closed = format!("{}{}", "[".repeat(100), "]".repeat(100));
    assert!(read(&closed).1[0].contains("too-deep"));
    assert!(read(&"- ".repeat(1000)).1[0].contains("too-deep"));
    // This text exceeds the depth limit of the YAML parser itself.
    assert_eq!(read(&"[".repeat(60_000)).1.len(), 1);
}

#[test]
fn a_variable_or_reference_without_quotes_in_a_flow_collection_has_a_help() {
    for (text, word) in [
        ("run: [python, /a.py, ${HOME}]\n", "${HOME}"),
        ("run: [python, ${HOME}/a.py]\n", "${HOME}/a.py"),
        ("env: {A: ${HOME}, B: x}\n", "${HOME}"),
        ("env: {B: x, A: ${HOME}}\n", "${HOME}"),
        ("run: [python, --x={param.lr}]\n", "--x={param.lr}"),
    ] {
        let mut sources = Sources::default();
        let number = sources.add("x.yaml", Format::Yaml, text);
        let (_, found) = read_yaml(sources.get(number));
        let [only] = found.as_slice() else { panic!("{text}: {found:?}") };
        let quoted = format!("`\"{word}\"`");
        assert!(only.help.as_ref().is_some_and(|help| help.contains(&quoted)), "{text}: {only:?}");
        let fixed = text.replace(word, &format!("\"{word}\""));
        let mut sources = Sources::default();
        let number = sources.add("x.yaml", Format::Yaml, fixed.as_str());
        assert_eq!(read_yaml(sources.get(number)).1.len(), 0, "{fixed}");
    }
}
