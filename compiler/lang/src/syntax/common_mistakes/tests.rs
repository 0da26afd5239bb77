//! Tests each common mistake alone: it has one diagnostic, with the right span, and a fix with the right result.
use crate::diagnostic::{Applicability, Diagnostic, Fix};
use crate::sources::{Format, Source, Sources};
use crate::syntax::{Kdl, Random, read_kdl};

mod lines;

fn source(text: &str) -> Source {
    let mut all = Sources::default();
    all.add("before", Format::Kdl, "moves the offsets");
    let number = all.add("a", Format::Kdl, text);
    all.get(number).clone()
}

fn read(text: &str) -> (Source, Kdl, Vec<Diagnostic>) {
    let source = source(text);
    let (read, diagnostics) = read_kdl(&source);
    (source, read, diagnostics)
}

fn fixed(source: &Source, diagnostic: &Diagnostic) -> Option<String> {
    let mut edits = diagnostic.fixes.first()?.edits.clone();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut text = source.text.clone();
    for edit in edits.iter().rev() {
        text.replace_range(source.local(edit.span), &edit.text);
    }
    Some(text)
}

/// Asserts that `text` has one mistake with this code and span. `after`: the text after the fix.
fn mistake(text: &str, code: &str, words: &str, after: Option<&str>) {
    let (source, _, diagnostics) = read(text);
    let told: Vec<_> = diagnostics.iter().map(|d| (d.code.name, source.slice(d.span()))).collect();
    assert_eq!(told, [(code, words)], "{text}");
    let made = fixed(&source, &diagnostics[0]);
    assert_eq!(made.as_deref(), after, "{text}");
    if let Some(after) = after {
        assert!(read(after).2.is_empty(), "{after}: {:?}", read(after).2);
    }
}

#[test]
fn an_entry_after_a_continued_line_is_found_with_and_without_a_comment() {
    for line in ["\\", "\\ ", "\\ // why", "\\ # why"] {
        let (_, _, diagnostics) = read(&format!("job \"a\" {{\n run \"a\" {line}\n deadline \"2h\"\n}}\n"));
        let told = diagnostics.iter().filter(|d| d.code.name == "syntax");
        let told: Vec<_> = told.map(|d| d.message.as_str()).collect();
        assert_eq!(
            told,
            ["`deadline` looks like a new entry, but the previous line ends with `\\`"],
            "{line}"
        );
    }
}

#[test]
fn bare_text_is_told_whether_kdl_takes_it_or_not() {
    mistake("framework tensorflow", "bare-text", "tensorflow", Some("framework \"tensorflow\""));
    for text in [
        "framework tensorflow//x",
        "framework /opt//",
        "x k=tensorflow//x",
        "x a: tensorflow//x",
        "x data/*.csv*/",
        "run \"a\" && \"b\"",
        "run \"a\" | \"b\"",
        "run \"a\" >> \"b\"",
        "run \"a\" 2>&1",
    ] {
        let (_, _, diagnostics) = read(text);
        let sure = |fix: &Fix| fix.applicability == Applicability::Automatic;
        assert!(diagnostics.len() == 1 && !diagnostics[0].fixes.iter().any(sure), "{text}: {diagnostics:?}");
    }
    mistake("framework /opt // x", "bare-text", "/opt", Some("framework \"/opt\" // x"));
    for word in [
        "/opt//lib",
        "{data.train}//x//y",
        "/data/*.csv*/b",
        "16GiB",
        "10m",
        "1.2.3",
        "/data/x",
        "50%",
        "10:30",
        "/data/*.csv",
        "a/b:1.0",
        "C:\\dir",
        "-v",
        "inf",
        "a#b",
    ] {
        let after = format!("x \"{}\" 1", word.replace('\\', "\\\\"));
        mistake(&format!("x {word} 1"), "bare-text", word, Some(&after));
        mistake(&format!("x k={word} 1"), "bare-text", word, Some(&after.replacen(' ', " k=", 1)));
    }
    mistake("x A=B=C", "bare-text", "B=C", Some("x A=\"B=C\""));
    mistake("run {data.train}/x", "bare-text", "{data.train}/x", Some("run \"{data.train}/x\""));
    mistake("l { a.b/c \"1\" }", "bare-text", "a.b/c", Some("l { \"a.b/c\" \"1\" }"));
}

#[test]
fn an_address_does_not_hide_what_follows_it() {
    mistake("path hdfs://nn/data", "bare-uri", "hdfs://nn/data", Some("path \"hdfs://nn/data\""));
    let text = "data \"x\" at=s3://b/k?v=1 writable=#true // c";
    let after = "data \"x\" at=\"s3://b/k?v=1\" writable=#true // c";
    mistake(text, "bare-uri", "s3://b/k?v=1", Some(after));
    assert_eq!(read(text).1.nodes[0].entries.len(), 3);
    mistake("a { b file:///x }", "bare-uri", "file:///x", Some("a { b \"file:///x\" }"));
}

#[test]
fn a_variable_of_a_shell_becomes_a_reference() {
    mistake("run ${HOME}/x \"y\"", "bare-variable", "${HOME}/x", Some("run \"{env.HOME}/x\" \"y\""));
    mistake("run $HOME", "bare-variable", "$HOME", Some("run \"{env.HOME}\""));
    mistake("d s3://b/${USER:-x}", "bare-variable", "s3://b/${USER:-x}", Some("d \"s3://b/{env.USER}\""));
}

#[test]
fn signs_of_other_languages_go() {
    mistake("count: 4", "colon-after-name", ":", Some("count 4"));
    mistake("count:4", "colon-after-name", ":", Some("count 4"));
    mistake("\"count\": 4,", "colon-after-name", ":", Some("\"count\" 4"));
    mistake("image: repo/x:1", "colon-after-name", ":", Some("image \"repo/x:1\""));
    mistake("role: { x; }", "colon-after-name", ":", Some("role { x; }"));
    mistake("count = 4", "equals-sign", "=", Some("count 4"));
    mistake("count=4", "equals-sign", "=", Some("count 4"));
    mistake("name = b", "equals-sign", "=", Some("name \"b\""));
    mistake("resources cpus = 2", "equals-sign", "=", Some("resources cpus=2"));
    mistake("run \"a\", \"b\", \"c\"", "comma", ",", Some("run \"a\" \"b\" \"c\""));
    mistake("run \"a\",\"b\"", "comma", ",", Some("run \"a\" \"b\""));
    mistake("ports 80, 90", "comma", ",", Some("ports 80 90"));
    mistake("- item \"b\"", "dash-item", "-", None);
    mistake("- item: true", "dash-item", "-", None);
    mistake("run [\"a\", b, 1]", "square-brackets", "[", Some("run \"a\" \"b\" 1"));
    mistake("run [\n\"a\",\n\"b\"\n]\nx", "square-brackets", "[", Some("run  \"a\" \"b\" \nx"));
    mistake("run [\n\"a\", // c\n\"b\"]", "square-brackets", "[", None);
    mistake("count : 4", "colon-after-name", ":", Some("count 4"));
    mistake("\"B\" : \"2\"", "colon-after-name", ":", Some("\"B\" \"2\""));
    mistake("C :\"3\"", "colon-after-name", ":", Some("C \"3\""));
    mistake("run : \"python\" \"t.py\"", "colon-after-name", ":", Some("run \"python\" \"t.py\""));
    mistake("param \"x\" : 1", "colon-after-name", ":", Some("param \"x\" 1"));
    mistake("param \"x\": 1", "colon-after-name", ":", Some("param \"x\" 1"));
    mistake("param \"x\":1", "colon-after-name", ":", Some("param \"x\" 1"));
    mistake("resources cpus : 2", "colon-after-name", ":", Some("resources cpus=2"));
    mistake("role \"w\": { x; }", "colon-after-name", ":", Some("role \"w\" { x; }"));
    mistake("role w: { x; }", "colon-after-name", ":", Some("role \"w\" { x; }"));
    mistake("role w:\n  x", "colon-after-name", ":", None);
    mistake("role \"w\":\n  x", "colon-after-name", ":", None);
    mistake("role \"w\" = { x; }", "equals-sign", "=", Some("role \"w\" { x; }"));
    mistake("x k=[1]", "square-brackets", "[", None);
    mistake("# a {\nb", "hash-comment", "#", Some("// a {\nb"));
    mistake("a \"b\" \\ # c\n \"d\"", "hash-comment", "#", Some("a \"b\" \\ // c\n \"d\""));
    mistake("b # a {\nc", "hash-comment", "#", Some("b // a {\nc"));
    mistake("#role \"x\" {\nb", "hash-comment", "#", Some("//role \"x\" {\nb"));
}

#[test]
fn quotes_keywords_and_raw_texts_of_others_are_rewritten() {
    mistake("run 'a {b} // c'", "wrong-quotes", "'a {b} // c'", Some("run \"a {b} // c\""));
    mistake("run 'it\"s'", "wrong-quotes", "'it\"s'", Some("run \"it\\\"s\""));
    mistake("run \u{201c}a b\u{201d}", "wrong-quotes", "\u{201c}a b\u{201d}", Some("run \"a b\""));
    mistake("x true", "bare-keyword", "true", Some("x #true"));
    mistake("x k=False", "bare-keyword", "False", Some("x k=#false"));
    mistake("x #NULL", "bare-keyword", "#NULL", Some("x #null"));
    mistake("x r\"a\\b\"", "kdl-version-1", "r\"a\\b\"", Some("x #\"a\\b\"#"));
    mistake("x r#\"a\"b\"#", "kdl-version-1", "r#\"a\"b\"#", Some("x #\"a\"b\"#"));
    mistake("x r\"a\nb\"", "kdl-version-1", "r\"a\nb\"", Some("x \"a\\nb\""));
}

/// Word processors change two hyphens into dashes.
#[test]
fn dashes_before_an_option_become_hyphens() {
    mistake("run \"x\" ––epochs \"1\"", "bare-text", "––epochs", Some("run \"x\" \"--epochs\" \"1\""));
    mistake("run \"x\" —epochs", "bare-text", "—epochs", Some("run \"x\" \"--epochs\""));
    mistake("run \"x\" –e", "bare-text", "–e", Some("run \"x\" \"-e\""));
    mistake("run \"x\" –", "bare-text", "–", Some("run \"x\" \"–\""));
    let is_sure = |text: &str| read(text).2[0].fixes[0].is_automatic();
    assert!(is_sure("run \"x\" ––epochs") && !is_sure("run \"x\" –epochs"));
}

#[test]
fn a_flag_is_one_argument() {
    mistake("run \"x\" --steps=9", "flag-property", "--steps=9", Some("run \"x\" \"--steps=9\""));
    mistake("run --a=\"b c\"d", "flag-property", "--a=\"b c\"d", Some("run \"--a=b cd\""));
    mistake("run --a={gpus}", "flag-property", "--a={gpus}", Some("run \"--a={gpus}\""));
    mistake("run --a=s3://b/x=1", "flag-property", "--a=s3://b/x=1", Some("run \"--a=s3://b/x=1\""));
    mistake("run --a=", "flag-property", "--a=", Some("run \"--a=\""));
}

#[test]
fn what_kdl_has_and_the_language_has_not_is_told() {
    mistake("a k=1 j=2 k=3", "duplicate-property", "k", None);
    let (source, read_, diagnostics) = read("a k=1 \"k\"=3");
    assert_eq!(diagnostics[0].labels.len(), 2);
    assert_eq!(source.slice(read_.nodes[0].span), "a k=1");
    mistake("(t)a 1", "type-annotation", "(t)", Some("a 1"));
    mistake("a (u8)5", "type-annotation", "(u8)", Some("a 5"));
    mistake("a x=(u8)5", "type-annotation", "(u8)", Some("a x=5"));
    mistake("a x=( \"u8\" ) 5", "syntax", "(", None);
    mistake("a (\"b\" \"c\") 5", "syntax", "(\"b\" \"c\")", Some("a \"b\" \"c\" 5"));
    mistake("a 1e400 2", "bad-number", "1e400", None);
    mistake("a k=#inf 2", "bad-number", "#inf", None);
    mistake("a 1,000", "bad-number", "1,000", None);
    mistake("a \"x\\u{0}\" 1", "forbidden-character", "\\u{0}", None);
    mistake("a \"x\u{202e}\" 1", "forbidden-character", "\u{202e}", Some("a \"x\" 1"));
}

#[test]
fn broken_texts_are_told_at_their_fault() {
    mistake("a \"x\\d\\w\" 1", "bad-escape", "\\d", Some("a \"x\\\\d\\\\w\" 1"));
    mistake("a \"\\d+\\s\\n\\ x\" 1", "bad-escape", "\\d", Some("a \"\\\\d+\\\\s\\\\n\\\\ x\" 1"));
    mistake("a \"x\\u{d800}\" 1", "bad-escape", "\\u{d800}", None);
    let spread = "\"one\n    two\n      three\"";
    let after = "  a \"\"\"\n      one\n      two\n        three\n      \"\"\" { }";
    mistake(&format!("  a {spread} {{ }}"), "multi-line-text", spread, Some(after));
    mistake("a \"\"\"x\"\"\"", "multi-line-text", "\"\"\"x\"\"\"", Some("a \"x\""));
    mistake("a \"b c\nd", "unclosed", "\"b c", None);
    mistake("a \"b {\n c\n}", "unclosed", "\"b", None);
    mistake("a { b \"c }\nd", "unclosed", "\"c", None);
    mistake("a {\n b \"\"\"\n c\n}", "unclosed", "\"\"\"", None);
    mistake("a {\n b /* c\n}", "unclosed", "/*", None);
}

/// In a regular expression or a path, each backslash is meant as one.
#[test]
fn an_escape_next_to_an_invalid_one_may_be_a_backslash() {
    let is_sure = |text: &str| read(text).2[0].fixes[0].is_automatic();
    for letter in "bfnrts".chars() {
        let text = format!("a \"\\{letter}x\\d\\{letter}\"");
        let fixed = format!("a \"\\\\{letter}x\\\\d\\\\{letter}\"");
        mistake(&text, "bad-escape", "\\d", Some(&fixed));
        assert!(!is_sure(&text), "{text}");
    }
    mistake("a \"\\d\\\"\\\\\"", "bad-escape", "\\d", Some("a \"\\\\d\\\"\\\\\""));
    assert!(is_sure("a \"\\d\\\"\\\\\\u{41}\"") && is_sure("a \"it\\'s\""));
    mistake("a 'it\\'s'", "wrong-quotes", "'it\\'s'", Some("a \"it's\""));
    mistake("a 'x\\ny'", "wrong-quotes", "'x\\ny'", Some("a \"x\\\\ny\""));
    assert!(is_sure("a 'it\\'s \\d'") && !is_sure("a 'x\\ny'") && !is_sure("a 'x\\\\y'"));
    mistake("a ''' b", "wrong-quotes", "'''", None);
    mistake("a '''b c''' d", "wrong-quotes", "'''b c'''", None);
    mistake("a 1\n'''b\n}''' { c 1 }\nd 1", "wrong-quotes", "'''b", None);
    mistake("a b='''\nc {\n''' d=1\n", "wrong-quotes", "'''", None);
    mistake("a \"b\" '''\npython\n  'x\n'''; c 1", "wrong-quotes", "'''", None);
    let lines = "\"{\n  \\\"a\\\": 3,\n  \\\"b\\\": 4\n}\"";
    let fixed = "a \"\"\"\n    {\n      \\\"a\\\": 3,\n      \\\"b\\\": 4\n    }\n    \"\"\"";
    mistake(&format!("a {lines}"), "multi-line-text", lines, Some(fixed));
}

/// Following the help leads to the intended arguments.
#[test]
fn the_help_of_a_list_with_comments_continues_its_lines() {
    for comment in ["# why", "// why"] {
        let (_, _, diagnostics) = read(&format!("run [\"a\", {comment}\n \"b\"]"));
        let list = diagnostics.iter().find(|d| d.code.name == "square-brackets").unwrap();
        assert!(list.fixes.is_empty() && list.help.as_deref().unwrap().contains("` \\`"), "{list:?}");
    }
    let (_, read_, diagnostics) = read("run \"a\" \\ // why\n \"b\"");
    assert!(diagnostics.is_empty() && read_.nodes[0].entries.len() == 2);
}

#[test]
fn a_string_with_valid_and_invalid_escapes_has_only_a_suggestion() {
    for (text, sure) in [
        (r#"a "\d+\s""#, false),
        (r#"a "D:\work\train\new""#, false),
        (r#"a "\w\ ""#, false),
        (r#"a "\d\\s\"""#, true),
        (r#"a "\d\u{e9}""#, true),
        (r#"a "\/\n""#, true),
    ] {
        let (_, _, diagnostics) = read(text);
        let fixes: Vec<_> = diagnostics.iter().flat_map(|d| &d.fixes).map(Fix::is_automatic).collect();
        assert_eq!(fixes, [sure], "{text}");
    }
}

#[test]
fn what_is_left_of_a_broken_line_is_kept() {
    let (source, read, _) =
        read("a {\n role \"x\" count=4 \"w {\n  b 1\n }\n c k= 2 j= \n e \"\\u{d800}\" 3\n}");
    let a = &read.nodes[0];
    let children = a.children.as_deref().unwrap();
    let names: Vec<_> = children.iter().map(|n| (n.name.as_str(), n.entries.len())).collect();
    assert_eq!(names, [("role", 2), ("c", 1), ("e", 1)]);
    let whole: Vec<_> =
        children.iter().map(|n| read.is_whole(n.span, n.children.as_deref().unwrap_or_default())).collect();
    assert_eq!(whole, [false, false, false]);
    assert!(read.is_whole(a.span, children) && read.is_whole(source.span(), &read.nodes));
    assert_eq!(children[0].children.as_deref().map(<[_]>::len), Some(1));
}

#[test]
fn one_line_broken_hides_no_other() {
    let good = "job \"a\" {\n    image \"x\"\n    role \"w\" {\n        run \"p\" \"q\"\n        count 4\n    }\n    stop grace=\"1s\"\n}\n";
    let bad = [
        "count 1.",
        "count=",
        "count x=",
        "count x=1.",
        "count \"4",
        "cache true",
        "memory 32Gi",
        "memory x=32Gi",
        "count = 4",
        "command [\"a\",\"b\"]",
        "command \"a\", \"b\"",
        "# comment {",
        "path /data/train",
        "image reg.io/a:b-c",
        "env A=B=C",
        "x \"a\\d\"",
        "x 0x",
        "x (u8)5",
        "x\"y\"",
        "x 1e",
        "x #True",
        "x \"y\"z",
        "- item",
        "${HOME}",
        "path hdfs://a/b {",
        "run --x=1",
        "1 2",
        "true",
        "x 'a b'",
        "x r\"a\"",
        "a: b",
        "\"a\": 1,",
        "x (",
        "x ]",
        "x )",
        "= 4",
        "x \\y",
        "x k=1 k=2",
    ];
    let mut random = Random::new(11);
    for _ in 0..400 {
        let mut lines: Vec<String> = good.lines().map(str::to_owned).collect();
        let mut planted = std::collections::BTreeSet::new();
        for _ in 0..3 {
            let at = 1 + random.below(6);
            let line = random.pick(&bad);
            // A line that opens a block would change the meaning of the lines after it.
            if ![2, 5].contains(&at) && !line.ends_with('{') || line.starts_with('#') && ![2, 5].contains(&at)
            {
                lines[at] = format!("        {line}");
                planted.insert(at as u32 + 1);
            }
        }
        let text = lines.join("\n");
        let (source, _, diagnostics) = read(&text);
        let told: Vec<_> = diagnostics.iter().map(|d| source.position(d.span().start).line).collect();
        assert_eq!(told, planted.into_iter().collect::<Vec<_>>(), "{text}\n{diagnostics:?}");
    }
}
