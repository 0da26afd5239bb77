//! Symbols, folding, selection ranges, and semantic tokens.
use crate::editor::Editor;
use crate::editor::texts::{byte, slice};
use lsp_types::{DocumentSymbol, FoldingRange, Position, SelectionRange, SymbolInformation};
use serde_json::{Value, json};

const SPEC: &str = "// One.
// Two.
job \"mnist\" {
    framework \"tensorflow\" version=\"2.15\"
    /* a
       b */
    param \"lr\" 0.1
    role \"worker\" count=2 min=1 {
        run \"é😀{param.lr}\" \\
            \"y\"
        rseources cpus=1 memory=\"16GiB\" gpsu=1
        shell \"\"\"
            x $TFJOB_PARAM_LR
            \"\"\"
        /- user \"x\"
    }
    start gang=#true timeout=\"1h30m\"
    env { LEVEL \"a\"; B 1; }
    target \"kubernetes\" {
        queue \"ml\"
    }
}
";

fn asked(method: &str, text: &str, more: &Value) -> Value {
    let editor = Editor::new(&[]);
    editor.open("a.tfjob.kdl", text);
    let mut params = json!({"textDocument": {"uri": Editor::uri("a.tfjob.kdl")}});
    for (key, value) in more.as_object().into_iter().flatten() {
        params[key] = value.clone();
    }
    editor.request(method, &params).expect("an answer")
}

/// Returns symbols as `DEPTH name (detail)`.
fn symbols(all: &[DocumentSymbol], depth: usize, out: &mut Vec<String>) {
    for one in all {
        let detail = one.detail.as_ref().map_or_else(String::new, |detail| format!(" ({detail})"));
        out.push(format!("{}{}{detail}", " ".repeat(depth), one.name));
        assert!(one.range.start <= one.selection_range.start && one.selection_range.end <= one.range.end);
        for inner in one.children.iter().flatten() {
            assert!(
                one.range.start <= inner.range.start && inner.range.end <= one.range.end,
                "{}",
                inner.name
            );
        }
        symbols(one.children.as_deref().unwrap_or_default(), depth + 1, out);
    }
}

#[test]
fn document_symbols_contain_no_credential() {
    let spec = "job \"a\" {\n    description \"ghp_a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6a7b8\"\n    param \"db-password\" \"hunter2zq\"\n    \
                env { API_TOKEN \"hunter2zq\"; }\n    run \"x\" \"--password=hunter2zq\"\n    \
                data \"d\" \"https://u:hunter2zq@h/x\"\n    shell \"export DB_PASSWORD=hunter2zq; x\"\n    \
                role \"ghp_a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6a7b8\" count=\"https://u:hunter2zq@h/x\" {}\n}\n";
    let editor = Editor::new(&[]);
    let yaml = "job:\n  env:\n    API_TOKEN: hunter2zq\n  run: [x, --password=hunter2zq]\n";
    // The fields from which the detail of an object is taken, and a key.
    let objects = "job:\n  secret:\n    T:\n      name: ghp_a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6a7b8\n  role:\n    \
                   worker:\n      count: \"https://u:hunter2zq@h/x\"\n    ghp_a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6a7b8:\n      count: 2\n";
    let json = "{\"job\": {\"secret\": {\"T\": {\"name\": \"ghp_a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6a7b8\"}}, \
                \"role\": {\"worker\": {\"count\": \"https://u:hunter2zq@h/x\"}}}}\n";
    for (name, text) in
        [("a.tfjob.kdl", spec), ("b.tfjob.yaml", yaml), ("c.tfjob.yaml", objects), ("d.tfjob.json", json)]
    {
        editor.open(name, text);
        let params = json!({"textDocument": {"uri": Editor::uri(name)}});
        let found = editor.request("textDocument/documentSymbol", &params).expect("symbols").to_string();
        assert!(found.contains("****") && !found.contains("hunter2") && !found.contains("a1b2c3"), "{found}");
    }
}

#[test]
fn document_symbols_are_nested() {
    let found = asked("textDocument/documentSymbol", SPEC, &json!({}));
    let found: Vec<DocumentSymbol> = serde_json::from_value(found).expect("symbols");
    let mut shown = Vec::new();
    symbols(&found, 0, &mut shown);
    let wanted = [
        "job mnist",
        " framework (\"tensorflow\" version=\"2.15\")",
        " param lr (0.1)",
        " role worker (count=2 min=1)",
        "  run (\"é😀{param.lr}\" \"y\")",
        "  rseources (cpus=1 memory=\"16GiB\" gpsu=1)",
        "  shell (\"\"\" x $TFJOB_PARAM_LR \"\"\")",
        " start (gang=#true timeout=\"1h30m\")",
        " env",
        "  LEVEL (\"a\")",
        "  B (1)",
        " target kubernetes",
        "  queue (\"ml\")",
    ];
    assert_eq!(shown, wanted);
}

#[test]
fn workspace_symbols_are_the_declared_names() {
    let other = "job \"other\" {\n    data \"train\" \"gs://b/t\"\n}\n";
    let editor = Editor::new(&[("a.tfjob.kdl", SPEC), ("b.tfjob.kdl", other)]);
    let names = |query: &str| {
        let found = editor.request("workspace/symbol", &json!({"query": query})).expect("symbols");
        let found: Vec<SymbolInformation> = serde_json::from_value(found).expect("symbols");
        found
            .into_iter()
            .map(|one| format!("{} in {}", one.name, one.container_name.unwrap_or_default()))
            .collect::<Vec<_>>()
    };
    assert_eq!(names("TRN"), ["train in other"]);
    assert_eq!(names("wrk"), ["worker in mnist"]);
    assert_eq!(names("zzz"), [""; 0]);
    assert!(names("").len() >= 6);
    // The names of closed files are kept until the files change.
    editor.write("b.tfjob.kdl", &other.replace("train", "images"));
    let changes = |kind: u32| json!({"changes": [{"uri": Editor::uri("b.tfjob.kdl"), "type": kind}]});
    editor.notify("workspace/didChangeWatchedFiles", changes(2));
    assert_eq!(names("img"), ["images in other"]);
    assert_eq!(names("TRN"), [""; 0]);
}

#[test]
fn blocks_comments_and_strings_are_folded() {
    let found = asked("textDocument/foldingRange", SPEC, &json!({}));
    let found: Vec<FoldingRange> = serde_json::from_value(found).expect("ranges");
    let shown: Vec<_> = found.iter().map(|one| (one.start_line, one.end_line, one.kind.is_some())).collect();
    let wanted =
        [(0, 1, true), (2, 20, false), (4, 5, true), (7, 14, false), (11, 12, false), (18, 19, false)];
    let wanted: Vec<_> = wanted.into_iter().collect();
    let without_run: Vec<_> = shown.iter().copied().filter(|one| one.0 != 8).collect();
    assert_eq!(without_run, wanted);
    let open = asked("textDocument/foldingRange", "job \"a\" {\n role \"w\" {\n  run \"x\"\n\n", &json!({}));
    assert_eq!(open.as_array().map(Vec::len), Some(2), "{open}");
}

#[test]
fn a_selection_grows_from_the_name_to_the_file() {
    let at = |line: u32, character: u32| json!({"positions": [Position::new(line, character)]});
    // In `{param.lr}`.
    let found = asked("textDocument/selectionRange", SPEC, &at(8, 24));
    let found: Vec<SelectionRange> = serde_json::from_value(found).expect("ranges");
    let mut texts = Vec::new();
    let mut next = Some(found.into_iter().next().expect("a range"));
    while let Some(one) = next {
        texts.push(slice(SPEC, one.range));
        next = one.parent.map(|parent| *parent);
    }
    assert_eq!(texts[..4], ["lr", "{param.lr}", "é😀{param.lr}", "\"é😀{param.lr}\""]);
    assert!(texts[4].starts_with("run \"é") && texts[4].ends_with("\"y\""), "{texts:?}");
    assert!(
        texts.windows(2).all(|pair| pair[1].contains(&pair[0]) && pair[1].len() > pair[0].len()),
        "{texts:?}"
    );
    assert_eq!(texts.last().map(String::as_str), Some(SPEC));
    for text in ["", "job", "job \"a\" {", "\u{feff}job \"é"] {
        let found = asked("textDocument/selectionRange", text, &at(0, 3));
        assert_eq!(found.as_array().map(Vec::len), Some(1), "{text}");
    }
}

/// Texts with every kind of string, space, and comment.
const HARD: [(&str, &str); 4] = [
    (
        "a.tfjob.kdl",
        "job \"mnist\" {\n    image \"a:1\"\n\n   \n    // c\n    env { A #\"#a#\"#; B \"'x'\"; C \"\"; }\n    shell \"\"\"\n        \"q\"\n        \"\"\"\n}\n\n",
    ),
    ("a.tfjob.kdl", "  job \"a\" {\n  env {\n\n  }\n  image \"x\n"),
    ("a.tfjob.yaml", "\njob:\n  env: { A: \"'a'\" }\n\n  run: [ x , y ]\n  # c\n"),
    ("a.tfjob.json", "{\n  \"job\": {\n\n    \"run\": [ \"x\" , \"y\" ]\n  }\n}\n"),
];

/// Each range contains the requested position, and the next smaller range.
#[test]
fn a_selection_contains_its_position() {
    for (name, text) in HARD {
        let editor = Editor::new(&[]);
        editor.open(name, text);
        let lines = text.split('\n').enumerate();
        let at = |line: usize, column: usize| Position::new(line as u32, column as u32);
        let positions: Vec<Position> =
            lines.flat_map(|(line, text)| (0..=text.len()).map(move |column| at(line, column))).collect();
        let params = json!({"textDocument": {"uri": Editor::uri(name)}, "positions": positions});
        let found = editor.request("textDocument/selectionRange", &params).expect("ranges");
        let found: Vec<SelectionRange> = serde_json::from_value(found).expect("ranges");
        assert_eq!(found.len(), positions.len());
        for (one, position) in found.into_iter().zip(positions) {
            let mut inner = position..position;
            let mut next = Some(Box::new(one));
            while let Some(one) = next {
                let is_around = one.range.start <= inner.start && inner.end <= one.range.end;
                assert!(is_around, "{position:?} {:?} in {text}", one.range);
                inner = one.range.start..one.range.end;
                next = one.parent;
            }
        }
    }
    let found =
        asked("textDocument/selectionRange", HARD[0].1, &json!({"positions": [Position::new(5, 15)]}));
    let found: Vec<SelectionRange> = serde_json::from_value(found).expect("ranges");
    assert_eq!(slice(HARD[0].1, found[0].range), "#a#", "the delimiters of a raw string are not selected");
}

/// Two ranges never overlap in part.
#[test]
fn folding_ranges_are_nested() {
    let open = "job \"a\" {\n /* x\n role \"w\" {\n } */\n env {\n /* y\n }\n}\n";
    for text in [SPEC, HARD[0].1, HARD[1].1, open] {
        let found = asked("textDocument/foldingRange", text, &json!({}));
        let folds: Vec<FoldingRange> = serde_json::from_value(found).expect("ranges");
        for (one, other) in folds.iter().flat_map(|one| folds.iter().map(move |other| (one, other))) {
            let crosses = one.start_line < other.start_line
                && other.start_line <= one.end_line
                && one.end_line < other.end_line;
            assert!(!crosses, "{one:?} {other:?} in {text}");
        }
    }
}

/// Returns tokens as `text type`, with `!` for declarations.
fn tokens(text: &str, method: &str, more: &Value) -> Vec<String> {
    let editor = Editor::new(&[]);
    let names = &editor.offered["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"];
    let found = asked(method, text, more);
    let data: Vec<u64> = serde_json::from_value(found["data"].clone()).expect("numbers");
    let (mut line, mut column) = (0, 0);
    let mut shown = Vec::new();
    for token in data.chunks_exact(5) {
        column = if token[0] == 0 { column + token[1] } else { token[1] };
        line += token[0];
        let start = byte(text, Position::new(line as u32, column as u32));
        let end = byte(text, Position::new(line as u32, (column + token[2]) as u32));
        let sign = if token[4] == 1 { "!" } else { "" };
        shown.push(format!(
            "{}{sign} {}",
            &text[start..end],
            names[token[3] as usize].as_str().expect("a name")
        ));
    }
    shown
}

fn asked_tokens(text: &str) -> Vec<String> {
    tokens(text, "textDocument/semanticTokens/full", &json!({}))
}

#[test]
fn tokens_know_fields_names_references_and_units() {
    let found = tokens(SPEC, "textDocument/semanticTokens/full", &json!({}));
    for wanted in [
        "// One. comment",
        "job keyword",
        "\"mnist\"! namespace",
        "\"tensorflow\" enumMember",
        "version property",
        "/* a comment",
        "       b */ comment",
        "\"lr\"! parameter",
        "0.1 number",
        "\"worker\"! class",
        "count property",
        "2 number",
        "\"é😀 string",
        "{param.lr} parameter",
        "rseources unresolvedReference",
        "TFJOB_PARAM_LR parameter",
        "/- user \"x\" comment",
        "#true keyword",
        "1 number",
        "h type",
        "m type",
        "LEVEL! variable",
        "\"kubernetes\"! namespace",
        "queue unresolvedReference",
    ] {
        assert!(found.iter().any(|one| one == wanted), "{wanted}: {found:#?}");
    }
    for (text, wanted) in [
        ("job \"a\" { run \"sh\" \"echo {index}; {{index}\"; }", "{index} variable"),
        ("job \"a\" { env { A \"{job}-{address}\"; }; }", "{address} variable"),
        ("job \"a\" { tensorboard logs=\"{checkpoints}/{job}\"; }", "{job} namespace"),
        ("job \"a\" { description \"{index}\"; }", "\"{index}\" string"),
        ("job \"a\" { run \"{nothing}\"; }", "\"{nothing}\" string"),
        ("job \"a\" { role \"w\" count=2 /-min=1; }", "/-min=1 comment"),
        ("job \"a\" { role \"w\" /- { user \"x\"; }; }", "/- { user \"x\"; } comment"),
    ] {
        let found = asked_tokens(text);
        assert_eq!(found.iter().filter(|one| *one == wanted).count(), 1, "{wanted}: {found:#?}");
    }
    let range = json!({"range": {"start": {"line": 6, "character": 0}, "end": {"line": 7, "character": 0}}});
    let part = tokens(SPEC, "textDocument/semanticTokens/range", &range);
    assert_eq!(part, ["param keyword", "\"lr\"! parameter", "0.1 number"]);
}

#[test]
fn broken_texts_have_tokens() {
    for text in [
        "",
        "job",
        "job \"a",
        "job \"a\" {\n role \"w\n count=",
        "}{",
        "\"\"\"\né\n",
        "job \"a\" { env { A \"{param.x",
        "\r\r\n😀",
    ] {
        tokens(text, "textDocument/semanticTokens/full", &json!({}));
    }
}

#[test]
fn json_and_yaml_have_nested_symbols_folds_and_selections() {
    let yaml = "job:\n  name: a\n  role:\n    worker:\n      count: 2\n      run: [x, y]\n  # c\n";
    let json = "{\n  \"job\": {\n    \"name\": \"a\",\n    \"role\": {\"worker\": {\"count\": 2,\n \"run\": [\"x\", \"y\"]}}\n  }\n}\n";
    for (name, text) in [("a.tfjob.yaml", yaml), ("a.tfjob.json", json)] {
        let editor = Editor::new(&[]);
        editor.open(name, text);
        let document = json!({"uri": Editor::uri(name)});
        let ask = |method: &str| {
            let at = Position::new(3, if name.ends_with("yaml") { 5 } else { 15 });
            let params = json!({"textDocument": document, "positions": [at]});
            editor.request(method, &params).expect("an answer")
        };
        let found: Vec<DocumentSymbol> =
            serde_json::from_value(ask("textDocument/documentSymbol")).expect("symbols");
        let mut shown = Vec::new();
        symbols(&found, 0, &mut shown);
        let names: Vec<&str> = shown.iter().map(|one| one.trim_start()).collect();
        assert_eq!(names[0], "job (a)", "{name}");
        assert!(
            names.contains(&"worker (count=2)") && names.iter().any(|one| one.starts_with("run (")),
            "{names:?}"
        );
        let folds: Vec<FoldingRange> =
            serde_json::from_value(ask("textDocument/foldingRange")).expect("ranges");
        assert!(folds.len() >= 2, "{name}: {folds:?}");
        let ranges: Vec<SelectionRange> =
            serde_json::from_value(ask("textDocument/selectionRange")).expect("ranges");
        assert_eq!(slice(text, ranges[0].range).trim_matches('"'), "worker", "{name}");
    }
}

fn is_balanced(text: &str) -> bool {
    let count = |wanted| text.matches(wanted).count();
    count('{') == count('}') && count('[') == count(']')
}

/// A text is cut or moved by its selection, and by the range of its symbol.
#[test]
fn ranges_contain_their_closing_brackets() {
    let json = "{\n  \"job\": {\n    \"run\": [\n      \"a\"\n    ],\n    \"role\": {\"w\": {\"resources\": { \"cpus\": 1 }}, \"ps\": {}}\n  }\n}\n";
    let yaml = "job:\n  run: [x, \"{index}\"]\n  role:\n    w: { count: 2, resources: { cpus: 1 } }\n    ps: {}\n  files: [\n    {a: b}\n  ]\n";
    for (name, text) in [("a.tfjob.json", json), ("a.tfjob.yaml", yaml)] {
        let editor = Editor::new(&[]);
        editor.open(name, text);
        let (offset, document) = (text.find("cpus").expect("a key"), json!({"uri": Editor::uri(name)}));
        let line = text[..offset].matches('\n').count() as u32;
        let column = (offset - text[..offset].rfind('\n').map_or(0, |at| at + 1)) as u32;
        let params = json!({"textDocument": document, "positions": [Position::new(line, column)]});
        let ask = |method: &str| editor.request(method, &params).expect("an answer");
        let mut all: Vec<SelectionRange> =
            serde_json::from_value(ask("textDocument/selectionRange")).expect("ranges");
        let mut next = all.pop().map(Box::new);
        let mut shown = Vec::new();
        while let Some(range) = next {
            shown.push(slice(text, range.range).to_owned());
            next = range.parent;
        }
        let mut open: Vec<DocumentSymbol> =
            serde_json::from_value(ask("textDocument/documentSymbol")).expect("symbols");
        while let Some(one) = open.pop() {
            shown.push(slice(text, one.range).to_owned());
            open.extend(one.children.into_iter().flatten());
        }
        assert!(shown.len() > 8 && shown.iter().all(|one| is_balanced(one)), "{name}: {shown:#?}");
        let folds: Vec<FoldingRange> =
            serde_json::from_value(ask("textDocument/foldingRange")).expect("ranges");
        for fold in folds {
            let lines = text.lines().skip(fold.start_line as usize).collect::<Vec<_>>();
            let last = lines[(fold.end_line - fold.start_line + 1) as usize..].first().unwrap_or(&"");
            let folded = lines[..=(fold.end_line - fold.start_line) as usize].join("\n");
            assert!(is_balanced(&folded) || last.trim().starts_with(['}', ']']), "{name}: {fold:?}");
        }
    }
}
