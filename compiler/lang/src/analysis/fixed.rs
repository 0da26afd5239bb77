//! Tests of automatic fixes: after all fixes, either an error remains, or the text has the meaning that its author intended.
//!
//! Each kind of entry is tested with many mistakes. If the fixes lead to an accepted text, its meaning must be that of the
//! correct text: no value is lost, no lines are joined, and no entry name becomes an argument.
use super::*;
use crate::shape::EXAMPLES;
use crate::syntax::lexer::{Kind, lex};
use crate::tree::{Entry, Value};

pub(super) fn read(text: &str, format: Format) -> Analysis {
    analyze(&alone::request("a", text, format))
}

/// Returns the text after all automatic fixes, applied one by one. Each fix must leave a valid document.
fn fixed(text: &str, format: Format) -> (String, Analysis) {
    const ROUNDS: usize = 40;
    let mut text = text.to_owned();
    for _ in 0..ROUNDS {
        let analysis = read(&text, format);
        let only = |d: &&Diagnostic| matches!(d.fixes.as_slice(), [fix] if fix.is_automatic());
        let Some(found) = analysis.diagnostics.iter().find(only) else { return (text, analysis) };
        let mut edits = found.fixes[0].edits.clone();
        edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
        let before = text.clone();
        for edit in edits.iter().rev() {
            let source = analysis.sources.find(edit.span).unwrap();
            text.replace_range(source.local(edit.span), &edit.text);
        }
        if format != Format::Kdl {
            let parsed = read(&text, format).tree.get("job").is_some();
            assert!(parsed, "{before}\n-> by `{}` ->\n{text}", found.message);
        }
    }
    panic!("the fixes of this text never finish:\n{text}");
}

/// Returns the content of a tree, without spans.
fn meaning(tree: &Tree) -> String {
    match &tree.value {
        Value::Map(entries) => {
            let entry = |entry: &Entry| format!("{}={}", entry.key, meaning(&entry.tree));
            let mut all: Vec<String> = entries.iter().map(entry).collect();
            all.sort();
            format!("{{{}}}", all.join(" "))
        }
        Value::List(items) => format!("[{}]", items.iter().map(meaning).collect::<Vec<_>>().join(" ")),
        scalar => format!("{scalar:?}"),
    }
}

/// Returns a job that contains `lines` after a command: after the command of the role if `in_role`, otherwise after that of the
/// job.
pub(super) fn job(in_role: bool, lines: &str) -> String {
    let (command, at_role) = ("run \"python\" \"train.py\"", if in_role { lines } else { "" });
    let at_job = if in_role { String::new() } else { format!("{command}{lines}") };
    let at_role = if in_role { format!("{command}{at_role}") } else { String::new() };
    let image = if lines.contains("image") { "" } else { "image \"a:1\"" };
    let own = if lines.contains("resources") { "" } else { "resources cpus=1 memory=\"1GiB\"" };
    format!(
        "job \"a\" {{\n    framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"\n    {image}\n    {at_job}\n    role \"worker\" {{\n        {own}\n        {at_role}\n    }}\n    role \"chief\" {{\n        resources cpus=1 memory=\"1GiB\"\n        run \"python\" \"c.py\"\n    }}\n    role \"ps\" {{\n        resources cpus=1 memory=\"1GiB\"\n        run \"python\" \"ps.py\"\n    }}\n}}\n"
    )
}

/// Returns the byte ranges of the values of an entry.
fn values(entry: &str) -> Vec<std::ops::Range<usize>> {
    let value = |kind| matches!(kind, Kind::Text | Kind::Word | Kind::Keyword);
    let tokens: Vec<_> = lex(entry).into_iter().take_while(|token| token.kind != Kind::Open).collect();
    (tokens.windows(2).filter(|pair| value(pair[1].kind) && pair[0].kind == Kind::Blank))
        .filter(|pair| !entry[pair[1].end..].starts_with('='))
        .map(|pair| pair[1].range())
        .collect()
}

const QUOTES: [char; 5] = ['\'', '`', '"', '“', '”'];

/// Returns variants of an entry: with common mistakes in the entry, and with various texts before the entry.
pub(super) fn common_mistakes(entry: &str) -> Vec<String> {
    let mut out = Vec::new();
    for before in
        [" \\\n        ", " ", ", ", " \\ // why\n  ", " \"--x\" \\\n", " --lr 0.1 ", " {}\n", " [1] \\\n"]
    {
        out.push(format!("{before}{entry}"));
    }
    let name = entry.split(' ').next().unwrap_or_default();
    let bare = entry.replace('"', "");
    out.extend(
        [bare.clone(), entry.replacen(' ', ": ", 1), entry.replacen(' ', " = ", 1)].map(|e| format!("\n{e}")),
    );
    out.extend([
        format!(" \\\n{bare}"),
        format!(" \\\n{}", entry.replacen(' ', ": ", 1)),
        format!(" \\\n{}", entry.replacen(' ', " = ", 1)),
        format!(" {}", entry.replacen(' ', ": ", 1)),
    ]);
    if let Some(rest) = entry.strip_prefix(name) {
        out.push(format!("\n{name} name={}", rest.trim_start()));
        out.push(format!("\n{name}({rest})"));
    }
    for bytes in values(entry) {
        let (head, value, tail) = (&entry[..bytes.start], &entry[bytes.clone()], &entry[bytes.end..]);
        let words = value.trim_matches('"');
        for mistake in [
            format!("({value})"),
            format!("( {value} )"),
            format!("[{value}]"),
            format!("{value},"),
            format!("'{words}'"),
            format!("`{words}`"),
            format!("“{words}”"),
            format!("'{words}"),
            format!("{words}'"),
            format!("`{words}"),
            format!("“{words}"),
            format!("{words}”"),
            format!("\"{words}"),
            format!("{words}\""),
            format!("{{{value}}}"),
            words.to_owned(),
        ] {
            // A number in quotes would be a correct string, so for numbers only mistakes without quotes are tested.
            if value.starts_with('"') || mistake.contains(value) && !mistake.contains(QUOTES) {
                out.push(format!("\n{head}{mistake}{tail}"));
            }
        }
    }
    out
}

#[test]
fn after_all_fixes_an_error_remains_or_the_meaning_is_unchanged() {
    let (mut clean, mut kinds) = (0, 0);
    for (field, example) in EXAMPLES {
        if matches!(*field, "run" | "shell") {
            continue;
        }
        let good = [false, true]
            .map(|in_role| (in_role, read(&job(in_role, &format!("\n        {example}")), Format::Kdl)));
        let Some((in_role, good)) = good.into_iter().find(|(_, good)| good.accepted()) else { continue };
        kinds += 1;
        for mistake in common_mistakes(example) {
            let text = job(in_role, &mistake);
            let (after, analysis) = fixed(&text, Format::Kdl);
            if analysis.accepted() {
                clean += 1;
                assert_eq!(meaning(&analysis.tree), meaning(&good.tree), "\n{text}\n->\n{after}");
            }
        }
    }
    assert!(kinds > 20 && clean > 200, "{kinds} entries, {clean} texts were clean");
}

#[test]
fn fixes_keep_line_endings() {
    let blocks = [
        "env { A \"1\" }\n        env { B \"2\" }",
        "env {\n            A \"1\"\n        }\n        env {\n            B \"2\"\n            C \"3\"\n        }\n        user 1",
        "env { A \"1\" }; env { B \"2\" }\n        user 1",
    ];
    let examples = EXAMPLES.iter().map(|(_, example)| *example).filter(|example| !example.starts_with("run"));
    let slipped = examples.flat_map(|example| common_mistakes(example).into_iter().step_by(5));
    for lines in slipped.chain(blocks.map(|block| format!("\n        {block}"))) {
        let text = job(false, &lines);
        let (after, _) = fixed(&text, Format::Kdl);
        let (crlf, _) = fixed(&text.replace('\n', "\r\n"), Format::Kdl);
        assert_eq!(crlf, after.replace('\n', "\r\n"), "{text}");
    }
}

#[test]
fn words_that_kdl_reads_as_a_value_and_a_comment_are_not_fixed_automatically() {
    for value in ["1//2", "1.5//", "-1/*x*/", "#true//x", "true//x", "a//b", "#a//b", "x/*y*/z"] {
        for entry in
            [format!("env {{ A {value}\n }}"), format!("env A {value}\n"), format!("env {{ A={value}\n }}")]
        {
            let (after, analysis) = fixed(&job(false, &format!("\n    {entry}")), Format::Kdl);
            assert!(!analysis.accepted(), "{entry}\n->\n{after}");
        }
    }
    let (after, analysis) = fixed(&job(false, "\n    env { C:\\data\n }"), Format::Kdl);
    assert!(!analysis.accepted(), "{after}");
    let (after, analysis) = fixed(&job(false, "\n    env { A 1 // why\n }"), Format::Kdl);
    assert!(analysis.accepted() && after.contains("A \"1\" // why"), "{after}");
}

#[test]
fn no_program_argument_is_lost_changed_or_split() {
    let good = ["python", "t.py", "--x", "0.1"];
    for (line, wanted) in [
        ("run \"python\" (\"t.py\" \"--x\")", None),
        ("run \"python\" \"t.py\" \"--x\" (5)", None),
        ("run (\"python\" \"t.py\")", None),
        ("run (python)t.py \"--x\"", None),
        ("run \"python\" \"t.py\" (str)\"--x\" \"0.1\"", Some(&good)),
        ("run \"python\" \"t.py\" {\"a\":1}", None),
        ("run \"python\" \"t.py\" --x={\"a\":1}", None),
        ("run \"python\" \"t.py\" --x=[\"a\",\"b\"]", None),
        ("run \"python\" \"t.py\" --x=\"a\",\"b\"", None),
        ("run \"python\" \"t.py\" [1, 2]", None),
        ("run \"python\" \"t.py\" \"--x\" [\"0.1\"]", None),
        ("run “python \"t.py\"", None),
        ("run `python t.py", None),
        ("run `python t.py`", None),
        ("run \"python\" 't.py \"x\"", None),
        ("run \"python\" t.py' \"x\"", None),
        ("run \"python\" t.py\" \"x\"", None),
        ("run \"python\" --dir=${OUT:-/tmp}", None),
        ("run python t.py --x 0.1", Some(&good)),
        ("run [\"python\", \"t.py\", \"--x\", \"0.1\"]", Some(&good)),
        ("run \"python\", \"t.py\", \"--x\", \"0.1\"", Some(&good)),
        ("run: [\"python\", \"t.py\", \"--x\", \"0.1\"]", Some(&good)),
        ("run 'python' 't.py' '--x' '0.1'", Some(&good)),
        ("run “python” “t.py” “--x” “0.1”", Some(&good)),
        ("run \"python t.py --x 0.1\"", Some(&good)),
        ("run \"python\" \\\n \"t.py\" \\\n --x 0.1", Some(&good)),
        ("run \"python\" \\ # why\n \"t.py\" \\\n --x 0.1", Some(&good)),
        ("run : python t.py --x 0.1", Some(&good)),
        ("run [\n\"python\", \"t.py\",\n\"--x\", \"0.1\"\n]", Some(&good)),
        ("run [\"python\", \"t.py\", # why\n\"--x\", \"0.1\"]", None),
        ("run: [ # why\n\"python\", \"t.py\",\n\"--x\", \"0.1\"]", None),
        ("run [\"python\", \"t.py\", // why\n\"--x\", \"0.1\"]", None),
        ("run \"python\" \"t.py\" \"\\d\\s\"", None),
        ("run \"python\" : \"t.py\"", None),
    ] {
        let text = job(false, "").replace("run \"python\" \"train.py\"", line);
        let (after, analysis) = fixed(&text, Format::Kdl);
        let run = analysis.tree.get("job").and_then(|job| job.get("run")).map(meaning);
        let said = |words: &&[&str; 4]| meaning_of(words.as_slice());
        assert_eq!(
            analysis.accepted().then_some(run).flatten(),
            wanted.as_ref().map(said),
            "{line}\n->\n{after}"
        );
    }
}

fn meaning_of(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("Text({word:?})")).collect();
    format!("[{}]", words.join(" "))
}

#[test]
fn a_comma_between_pairs_ends_the_entry() {
    for (block, wanted) in [
        ("env { A \"1\", B \"2\" }", "env {A=\"1\" B=\"2\"}"),
        ("env { A \"1\", B \"2\", }", "env {A=\"1\" B=\"2\"}"),
        ("labels { team: ml, owner: me }", "labels {owner=\"me\" team=\"ml\"}"),
        ("labels { team=\"ml\", owner=\"me\" }", "labels {owner=\"me\" team=\"ml\"}"),
        ("env \"A=1\" \"B=2\"", "env {A=\"1\" B=\"2\"}"),
        ("labels: { team: ml, owner: me }", "labels {owner=\"me\" team=\"ml\"}"),
    ] {
        let (after, analysis) = fixed(&job(false, &format!("\n    {block}")), Format::Kdl);
        let (name, values) = wanted.split_once(' ').unwrap();
        let said = analysis.tree.get("job").and_then(|job| job.get(name)).map(meaning).unwrap_or_default();
        assert!(analysis.accepted(), "{after}: {:?}", analysis.diagnostics);
        assert_eq!(said.replace("Text(", "").replace(')', ""), values, "{after}");
    }
}

#[test]
fn name_and_value_pairs_of_other_systems_are_not_two_entries() {
    // Other systems write one environment variable as two pairs: `name: LR, value: 0.1`. A fix must not turn these pairs into two
    // variables.
    for entry in [
        "env name=\"LR\" value=\"0.1\"",
        "env \"name\"=\"LR\" \"value\"=\"0.1\"",
        "env name=\"LR\"",
        "env { name=\"LR\", value=\"0.1\" }",
        "env { name: LR, value: 0.1 }",
        "env { name: LR\n value: 0.1 }",
        "env { name \"LR\", value \"0.1\" }",
        "env: { key = LR; value = 0.1 }",
        "labels key=\"LR\" value=\"0.1\"",
        "labels value=\"0.1\" key=\"LR\"",
        "param name=\"LR\"",
        "param name=\"LR\" value=0.1",
        "data name=\"hdfs://a/b\"",
    ] {
        let (after, analysis) = fixed(&job(false, &format!("\n    {entry}")), Format::Kdl);
        assert!(!analysis.accepted(), "{entry}\n->\n{after}");
        let shown = analysis.diagnostics.iter().flat_map(|d| &d.fixes);
        let shown: Vec<&str> = shown.flat_map(|fix| &fix.edits).map(|edit| edit.text.as_str()).collect();
        if let [name, value] = ["\"LR\"", "\"0.1\""].map(|words| entry.contains(&format!("={words}")))
            && name
            && value
            && !entry.contains('{')
        {
            assert_eq!(shown, ["{ \"LR\" \"0.1\" }"], "{entry}");
        }
    }
}

#[test]
fn each_automatic_fix_leaves_a_valid_document() {
    let runs = [
        "\n        - python train.py\n        - --lr 0.1",
        "\n      - python train.py # why",
        "\n        - 'python train.py'\n        - x",
        "\n        - \"python train.py\"",
        "\n        - >-\n          python train.py\n        - x",
        "\n        - |\n          python train.py",
        "\n        - python\n          train.py",
        " [python train.py]",
        " ['python train.py', x]",
        " [\n        \"python train.py\"\n      ]",
        " python train.py",
        " 'python train.py'",
        " >-\n        python train.py",
        " |\n        python train.py",
        " [python, train.py, 0.1, true, null]",
        "\n        - python\n        - 1\n        - true",
        " {python: train.py}",
        " 5",
    ];
    let rest = [
        "image: a:1\n    role: {worker: {count: 2, resources: {cpus: 1, memory: 1GB}}}",
        "image: a:1\n    env: {A: 1, B: yes, C: 'on', D: 1e-4}\n    role: {worker: {resources: {cpus: '1', memory: 1Gi}}}",
        "image: 'a:1'\n    deadline: 2hours\n    restart: OnFailure\n    role: {worker: {resources: {cpu: 1m, mem: 1Gi}}}",
        "image: a:1\n    user: me\n    stop: 10\n    labels:\n    role:\n      worker:\n        resources: {cpus: 1, memory: 1g}\n        port: 80",
        "imagge: a:1\n    strat: {gang: yes}\n    role: {wroker: {resources: {cpus: 1, memory: \"1GiB\"}}}",
    ];
    for run in runs {
        for rest in rest {
            let text = format!(
                "job:\n    name: a\n    framework: {{name: tensorflow}}\n    run:{run}\n    {rest}\n"
            );
            drop(fixed(&text, Format::Yaml));
        }
    }
    for run in [
        "[\"python train.py --x 1\"]",
        "[\"python train.py\", \"x\"]",
        "\"python train.py\"",
        "[\"a\", 1, true]",
        "['python train.py']",
        "{\"a\": 1}",
    ] {
        for (mem, more) in [
            ("\"1GB\"", ""),
            ("1", ", \"imagge\": \"a:1\""),
            ("\"1Gi\"", ", \"deadline\": 5,"),
            ("\"1g\"", ", \"labels\": null, \"restart\": \"OnFailure\""),
        ] {
            let text = format!(
                "{{\"job\": {{\"name\": \"a\", \"framework\": {{\"name\": \"tensorflow\"}}, \"image\": \"a:1\", \"run\": {run}, \"role\": {{\"wroker\": {{\"resources\": {{\"cpu\": \"1\", \"memory\": {mem}}}}}}}{more}}}}}\n"
            );
            drop(fixed(&text, Format::Json));
        }
    }
}

#[test]
fn a_command_line_in_a_yaml_list_becomes_list_items() {
    let (after, analysis) = fixed(
        "job:\n  name: a\n  framework: {name: custom}\n  image: a:1\n  run:\n    - python train.py\n    - --lr 0.1\n  role: {w: {resources: {cpus: 1, memory: 1GiB}}}\n",
        Format::Yaml,
    );
    let run = analysis.tree.get("job").and_then(|job| job.get("run")).map(meaning);
    assert_eq!(run, Some(meaning_of(&["python", "train.py", "--lr 0.1"])), "{after}");
}

#[test]
fn a_fix_of_a_yaml_block_scalar_replaces_its_header() {
    let text = |run: &str, deadline: &str, restart: &str| {
        format!(
            "job:\n  name: a\n  framework: {{name: custom}}\n  image: a:1\n  run: {run}\n  deadline: {deadline}\n  restart: {restart}\n  role: {{w: {{resources: {{cpus: 1, memory: 1GiB}}}}}}\n"
        )
    };
    let good = read(&text("[python, t.py]", "1h30m", "on-failure"), Format::Yaml);
    assert!(good.accepted(), "{:?}", good.diagnostics);
    for header in [">", ">-", "|", "|-", "|+", "|2-"] {
        let block = |value: &str| format!("{header}\n    {value}");
        // Without `-`, the text ends with a line break, so it is no command line.
        let run = if header.ends_with('-') { block("python t.py") } else { "[python, t.py]".to_owned() };
        let faulty = text(&run, &block("90min"), &block("OnFailure"));
        let (after, analysis) = fixed(&faulty, Format::Yaml);
        assert!(analysis.accepted(), "{after}\n{:?}", analysis.diagnostics);
        assert_eq!(meaning(&analysis.tree), meaning(&good.tree), "{after}");
    }
}

#[test]
fn a_suggested_brace_is_inserted_at_the_brace() {
    for (line, at) in
        [("run \"echo\" '{\"a\": 1}'", "{"), ("run \"echo\" \"x {b\"", "{"), ("run \"echo\" `{a b}`", "{")]
    {
        let analysis = read(&job(false, "").replace("run \"python\" \"train.py\"", line), Format::Kdl);
        let found = analysis.diagnostics.iter().find(|d| d.code.name == "bad-reference").unwrap();
        assert_eq!(found.fixes.len(), 1, "{line}");
        let edit = &found.fixes[0].edits[0];
        let source = analysis.sources.find(found.span()).unwrap();
        assert!(source.text[source.local(edit.span).start..].starts_with(at), "{line}");
    }
}
