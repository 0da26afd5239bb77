//! Tests of entries that a line break or a comma divides.
use super::{fixed, mistake, read};

/// In the notation of JSON, each pair is an entry of its own.
#[test]
fn a_comma_in_a_block_of_pairs_ends_the_entry() {
    for (text, after) in [
        ("target \"x\" { queue: \"a\", user: \"b\" }", "target \"x\" { queue \"a\"; user \"b\" }"),
        ("target \"x\" { queue = \"a\", user = \"b\", }", "target \"x\" { queue \"a\"; user \"b\" }"),
        ("resources { cpus: 4, memory: \"1GiB\" }", "resources { cpus 4; memory \"1GiB\" }"),
        ("env { A = \"1\", /* c */ B = \"2\" }", "env { A \"1\"; /* c */ B \"2\" }"),
        ("resources { cpus 4, memory \"1GiB\" }", "resources { cpus 4; memory \"1GiB\" }"),
        ("framework: \"tensorflow\", version: \"2.15\"", "framework \"tensorflow\" version=\"2.15\""),
    ] {
        let mut now = text.to_owned();
        for _ in 0..8 {
            let (source, _, diagnostics) = read(&now);
            let Some(next) = diagnostics.first().and_then(|one| fixed(&source, one)) else { break };
            now = next;
        }
        assert_eq!(now, after, "{text}");
    }
}

/// A fix that is applied alone must not change the meaning of the rest of the line.
#[test]
fn an_uncertain_edit_is_only_a_suggestion() {
    for (text, part) in [
        ("resources cpus=1 memory=$MEM", "unquoted string"),
        ("resources cpus={cpus} memory=\"1GiB\"", "expected a new line"),
    ] {
        let (_, _, diagnostics) = read(text);
        let told = diagnostics.iter().find(|one| one.message.contains(part)).expect("it is reported");
        assert!(told.fixes.iter().all(|fix| !fix.is_automatic()), "{text}: {diagnostics:?}");
    }
    for text in ["env { A $MEM; }", "run \"a\" $MEM", "env A=$MEM"] {
        let (_, _, diagnostics) = read(text);
        assert!(diagnostics.iter().flat_map(|one| &one.fixes).any(|fix| fix.is_automatic()), "{text}");
    }
}

#[test]
fn a_comma_after_a_block_is_one_mistake() {
    for text in ["env { A \"1\"; },\nimage \"x\"\n", "env {\n  A \"1\"\n}, \n"] {
        let (source, _, diagnostics) = read(text);
        let [only] = diagnostics.as_slice() else { panic!("{text}: {diagnostics:?}") };
        assert_eq!(fixed(&source, only), Some(text.replace(',', "")));
    }
}

/// Without spaces, the commas of pairs may be parts of values, so `--fix` does not change them. In `env` and `labels`, the
/// suggestion keeps all pairs.
#[test]
fn pairs_without_spaces_have_no_automatic_fix() {
    for (text, after) in [
        ("env { A=1,B=2 }", "env { A \"1\"; B \"2\" }"),
        ("env { A=1,B=2,C=\"3\" }", "env { A \"1\"; B \"2\"; C \"3\" }"),
        ("env { A:1,B:2 }", "env { A \"1\"; B \"2\" }"),
        ("env { A 1,B=2 }", "env { A \"1\"; B \"2\" }"),
        ("labels { a:x,b:y }", "labels { a \"x\"; b \"y\" }"),
        ("conf { s.a=1,s.b=2 }", "conf { s.a \"1,s.b=2\" }"),
        ("env A=1,B=2", "env A=\"1,B=2\""),
    ] {
        let (source, _, diagnostics) = read(text);
        let is_automatic = diagnostics.iter().flat_map(|one| &one.fixes).any(|fix| fix.is_automatic());
        assert!(!diagnostics.is_empty() && !is_automatic, "{text}: {diagnostics:?}");
        assert_eq!(fixed(&source, &diagnostics[0]).as_deref(), Some(after));
    }
}

#[test]
fn an_option_at_the_end_of_a_list_does_not_contain_the_bracket() {
    for list in ["[python, /a.py, --x=1]", "[\"python\" \"/a.py\" --x=1 ]", "[python, /a.py, --x=1,]"] {
        let (_, kdl, _) = read(&format!("run {list}\nresources cpus=4 memory=\"4GiB\"\n"));
        let names: Vec<_> = kdl.nodes.iter().map(|node| (node.name.as_str(), node.entries.len())).collect();
        assert_eq!(names, [("run", 3), ("resources", 2)], "{list}");
    }
}

#[test]
fn a_property_on_the_next_line_continues_the_entry() {
    for (text, word, after) in [
        ("resources\n    cpus=4", "cpus", "resources \\\n    cpus=4"),
        ("resources gpus=1 // all\n\tcpus=4", "cpus", "resources gpus=1 \\ // all\n\tcpus=4"),
        (
            "framework \"tensorflow\"\r\n  version=\"2.15\"",
            "version",
            "framework \"tensorflow\" \\\r\n  version=\"2.15\"",
        ),
        (
            "job \"a\" {\n  port \"web\" 80\n    link=\"a\"\n}",
            "link",
            "job \"a\" {\n  port \"web\" 80 \\\n    link=\"a\"\n}",
        ),
    ] {
        mistake(text, "syntax", word, Some(after));
    }
    // All lines are parts of the entry: no value is lost.
    let (_, kdl, diagnostics) = read("resources\n    cpus=4\n    memory=\"1GiB\"\nimage \"a\"");
    let names: Vec<_> = kdl.nodes.iter().map(|node| (node.name.as_str(), node.entries.len())).collect();
    assert_eq!((names, diagnostics.len()), (vec![("resources", 2), ("image", 1)], 2));
    // Not a property of the line before: a variable, the same indentation, a line between, a block, and arguments.
    for text in
        ["A \"1\"\n  B=2", "a \"1\"\nb=2", "a\n\n  b=2", "a { }\n  b=2", "run \"a\"\n  b=2", "/-a\n  b=2"]
    {
        let (_, _, diagnostics) = read(text);
        assert!(
            !diagnostics.iter().any(|d| d.message.contains("is on a new line")),
            "{text}: {diagnostics:?}"
        );
    }
}
