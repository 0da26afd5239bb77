//! Definition, references, and highlights.
use crate::editor::Editor;
use crate::editor::texts::{slice, unmarked};
use lsp_types::{Location, Position};
use serde_json::{Value, json};
use tfjob_driver::Loaded;
use tfjob_lang::mentions;
use tfjob_lang::sources::Format;
use tfjob_lang::syntax::lexer;

const BASE: &str = "job {
    image \"registry/team/a:1\"
    resources cpus=1 memory=\"1GiB\"
    checkpoints \"gs://bucket/c\"
    env { LEVEL \"{data.train}\"; }
    data \"common\" \"gs://bucket/common\"
    port \"web\" 8080
    role \"worker\" { after \"ps\"; }
}
";

const SPEC: &str = "extends \"base.tfjob.kdl\"
job \"mnist\" {
    framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"
    data \"train\" \"gs://bucket/train\"
    param \"lr\" 0.1
    secret \"KEYTAB\" from=\"kerberos\" key=\"k\" at=\"/etc/k\"
    kerberos principal=\"ml@EXAMPLE.COM\" keytab=\"secret:KEYTAB\"
    role \"worker\" count=2 {
        run \"python\" \"/é😀{data.train}/x\" \"--lr={param.lr}\" \"{addresses.ps}\" \"{checkpoints}\" \"{job}\" \"{role}\" \"{port.own}\"
        port \"own\" 2000
        ready http=\"own/health\"
    }
    role \"ps\" {
        shell \"exec a $TFJOB_DATA_TRAIN ${LEVEL} $TFJOB_PARAM_LR $TFJOB_COUNT_WORKER\"
        ready tcp=\"web\"
    }
    allow \"gang\" on=\"kubernetes\" because=\"x\"
    target \"kubernetes\" {}
}
";

/// Returns the text of a file of these tests.
fn text_of(uri: &str) -> (&'static str, &'static str) {
    if uri.ends_with("base.tfjob.kdl") { ("base", BASE) } else { ("spec", SPEC) }
}

/// Returns locations as `file line text`.
fn shown(locations: &Value) -> Vec<String> {
    let all: Vec<Location> = serde_json::from_value(locations.clone()).expect("locations");
    let show = |one: &Location| {
        let (name, text) = text_of(one.uri.as_str());
        format!("{name} {} {}", one.range.start.line + 1, slice(text, one.range))
    };
    all.iter().map(show).collect()
}

/// Returns the position after the first occurrence of a text in the spec.
fn after(text: &str) -> Position {
    let at = SPEC.find(text).unwrap_or_else(|| panic!("no {text}")) + text.len();
    unmarked(&format!("{}$0{}", &SPEC[..at], &SPEC[at..])).1
}

fn editor() -> Editor {
    let editor = Editor::new(&[("base.tfjob.kdl", BASE), ("a.tfjob.kdl", SPEC)]);
    editor.open("a.tfjob.kdl", SPEC);
    assert_eq!(
        editor.told("a.tfjob.kdl").into_iter().filter(|one| one.contains("unknown")).collect::<Vec<_>>(),
        [""; 0]
    );
    editor
}

#[test]
fn a_use_leads_to_its_declaration() {
    let editor = editor();
    for (at, wanted) in [
        ("{data.tr", &["spec 4 train"][..]),
        ("{da", &["spec 4 train"]),
        ("😀{data.train}", &["spec 4 train"]),
        ("{param.", &["spec 5 lr"]),
        ("{addresses.p", &["spec 13 ps"]),
        ("{checkpoints", &["base 4 checkpoints"]),
        ("{job", &["spec 2 mnist"]),
        ("{role", &["base 8 worker", "spec 8 worker"]),
        ("{port.ow", &["spec 10 own"]),
        ("http=\"own", &["spec 10 own"]),
        ("http=\"own/hea", &[]),
        ("tcp=\"we", &["base 7 web"]),
        ("$TFJOB_DATA_TR", &["spec 4 train"]),
        ("$TFJOB_PARAM", &["spec 5 lr"]),
        ("$TFJOB_COUNT_WORK", &["base 8 worker", "spec 8 worker"]),
        ("${LEV", &["base 5 LEVEL"]),
        ("secret:KEY", &["spec 6 KEYTAB"]),
        ("on=\"kube", &["spec 18 kubernetes"]),
        ("extends \"ba", &["base 1 "]),
        // A declaration leads to itself, and to those in its bases.
        ("data \"tr", &["spec 4 train"]),
        ("role \"work", &["base 8 worker", "spec 8 worker"]),
        // No names.
        ("frame", &[]),
        ("framework \"tens", &[]),
        ("cou", &[]),
        ("run \"pyt", &[]),
        ("job \"mnist\" {\n", &[]),
    ] {
        let mut found = shown(&editor.at("textDocument/definition", "a.tfjob.kdl", after(at)));
        found.sort();
        assert_eq!(found, wanted, "{at}");
    }
}

#[test]
fn a_path_leads_to_its_file() {
    let files = [("jobs/a.tfjob.kdl", "job \"a\" {}\n"), ("gpu.cluster.kdl", ""), ("b.tfjob.yaml", "")];
    let editor = Editor::new(&files);
    let file = |name: &str, marked: &str| {
        let position = editor.open(name, marked);
        let found = editor.at("textDocument/definition", name, position);
        let files = found.as_array().into_iter().flatten().filter_map(|one| one["uri"].as_str());
        files.map(|uri| uri.rsplit('/').next().unwrap_or_default().to_owned()).collect::<Vec<_>>().join(" ")
    };
    for (name, marked, wanted) in [
        ("tfjob.kdl", "project { environment \"x\" { cluster \"gp$0u.cluster.kdl\"; }; }", "gpu.cluster.kdl"),
        ("tfjob.kdl", "project { specs \"b.tfjob.yaml\" \"jobs/a$0.tfjob.kdl\"; }", "a.tfjob.kdl"),
        ("tfjob.kdl", "project { specs \"jo$0bs\"; }", ""),
        ("tfjob.kdl", "project { environment \"x\" { cluster \"no$0ne.cluster.kdl\"; }; }", ""),
        ("c.tfjob.kdl", "extends \"./jobs/a$0.tfjob.kdl\"\njob {}\n", "a.tfjob.kdl"),
        ("c.tfjob.yaml", "extends: jobs/a.tf$0job.kdl\njob: {}\n", "a.tfjob.kdl"),
        ("c.tfjob.json", "{\"extends\": \"jobs/$0a.tfjob.kdl\"}", "a.tfjob.kdl"),
        ("d.tfjob.kdl", "job \"d\" { code \"gpu.cl$0uster.kdl\"; }", ""),
    ] {
        assert_eq!(file(name, marked), wanted, "{marked}");
    }
}

#[test]
fn a_use_in_a_base_leads_to_the_spec_that_extends_it() {
    let editor = editor();
    let at = editor.open("base.tfjob.kdl", &BASE.replace("{data.train", "{data.tr$0ain"));
    let found = shown(&editor.at("textDocument/definition", "base.tfjob.kdl", at));
    assert_eq!(found, ["spec 4 train"]);
    let at = editor.replace("base.tfjob.kdl", &BASE.replace("after \"ps", "after \"p$0s"));
    let found = shown(&editor.at("textDocument/definition", "base.tfjob.kdl", at));
    assert_eq!(found, ["spec 13 ps"]);
}

#[test]
fn references_are_those_of_all_files() {
    let editor = editor();
    let references = |at: Position, declarations: bool| {
        let document = json!({"uri": Editor::uri("a.tfjob.kdl")});
        let params = json!({"textDocument": document, "position": at, "context": {"includeDeclaration": declarations}});
        shown(&editor.request("textDocument/references", &params).expect("references"))
    };
    let all = ["spec 4 train", "spec 9 train", "spec 14 TFJOB_DATA_TRAIN", "base 5 train"];
    assert_eq!(references(after("data \"tr"), true), all);
    assert_eq!(references(after("$TFJOB_DATA"), false), all[1..]);
    assert_eq!(references(after("{addresses.p"), false), ["spec 9 ps", "base 8 ps"]);
    assert_eq!(references(after("{checkp"), true), ["spec 9 {checkpoints}", "base 4 checkpoints"]);
    let found = editor.at("textDocument/documentHighlight", "a.tfjob.kdl", after("{param."));
    let found: Vec<lsp_types::DocumentHighlight> = serde_json::from_value(found).expect("highlights");
    let shown: Vec<_> =
        found.iter().map(|one| (one.range.start.line + 1, slice(SPEC, one.range), one.kind)).collect();
    let (read, write) = (lsp_types::DocumentHighlightKind::READ, lsp_types::DocumentHighlightKind::WRITE);
    let wanted = [
        (5, "lr".to_owned(), Some(write)),
        (9, "lr".to_owned(), Some(read)),
        (14, "TFJOB_PARAM_LR".to_owned(), Some(read)),
    ];
    assert_eq!(shown, wanted);
}

#[test]
fn json_and_yaml_have_definitions_and_references() {
    let json = "{\"job\": {\"name\": \"a\", \"data\": {\"train\": \"gs://b/t\"}, \"role\": {\"worker\": {\"run\": [\"x\", \"é{data.tr$0ain}\"]}}}}\n";
    let yaml = "job:\n  name: a\n  data:\n    train: 'gs://b/t'\n  role:\n    worker:\n      shell: |\n        # é😀\n        x $TFJOB_DATA_TR$0AIN\n";
    for (name, marked, wanted) in [("j.tfjob.json", json, (0, 32)), ("y.tfjob.yaml", yaml, (3, 4))] {
        let editor = Editor::new(&[]);
        let at = editor.open(name, marked);
        let found = editor.at("textDocument/definition", name, at);
        let found: Vec<Location> = serde_json::from_value(found).expect("locations");
        let starts: Vec<_> =
            found.iter().map(|one| (one.range.start.line, one.range.start.character)).collect();
        assert_eq!(starts, [wanted], "{name}");
        let params = json!({"textDocument": {"uri": Editor::uri(name)}, "position": at, "context": {"includeDeclaration": true}});
        let found = editor.request("textDocument/references", &params).expect("references");
        assert_eq!(found.as_array().map(Vec::len), Some(2), "{name}");
        let symbols = editor
            .request("textDocument/documentSymbol", &json!({"textDocument": {"uri": Editor::uri(name)}}));
        assert!(symbols.expect("symbols").to_string().contains("worker"), "{name}");
    }
}

#[test]
fn names_in_broken_texts_are_found() {
    for (marked, wanted) in [
        ("job \"a\" {\n data \"train\" \"gs://b\"\n role \"w\" { run \"{data.tr$0ain}\"", 1),
        ("job \"a\" {\n data \"train\" \"gs://b\"\n role \"w\" count= { run \"{data.tr$0ain}\" }", 1),
        (
            "job \"a\" {\n data \"train\" \"gs://b\"\n rol \"w\"\n role \"x\" { run \"{data.train$0}\"; }\n}}}",
            1,
        ),
        ("job \"a\" {\n data \"train\" \"gs://b\"\n role \"w\" { run \"a\" \"{data.tr$0", 0),
        ("job \"a\" {\n role \"worker\" {}\n role \"ps\" { after \"work$0er\" when= }", 1),
        ("job \"a\" {\n role worker {}\n role ps { after work$0er }", 1),
        ("$0", 0),
        ("job$0", 0),
        ("job \"a$0", 0),
    ] {
        let editor = Editor::new(&[]);
        let at = editor.open("a.tfjob.kdl", marked);
        let found = editor.at("textDocument/definition", "a.tfjob.kdl", at);
        assert_eq!(found.as_array().map(Vec::len), Some(wanted), "{marked}: {found}");
    }
}

/// A request before the findings are published must not suppress them.
#[test]
fn findings_are_published_after_a_request() {
    let editor = Editor::new(&[]);
    editor.open("a.tfjob.kdl", "job \"a\" {\n rloe \"x\" {}\n}\n");
    editor.at("textDocument/definition", "a.tfjob.kdl", Position::new(0, 5));
    assert!(!editor.told("a.tfjob.kdl").is_empty());
}

/// A string can contain references if the language reports an unknown one in it: the table of these strings is complete.
#[test]
fn references_are_found_in_all_strings_that_can_contain_them() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text =
        std::fs::read_to_string(root.join("docs/everything.tfjob.kdl")).expect("the spec with every field");
    // A base that cannot be read may declare any name.
    let text = text.replace("extends ", "// extends ");
    let driver = tfjob_driver::Driver::new(tfjob_targets::REGISTRY);
    let name = "a.tfjob.kdl";
    let (mut with, mut without) = (0, 0);
    for token in lexer::lex(&text).into_iter().filter(|token| token.kind == lexer::Kind::Text) {
        let mut changed = text.clone();
        let quotes = text[token.range()].chars().rev().take_while(|c| matches!(c, '"' | '#')).count();
        changed.insert_str(token.end - quotes, "{data.nope}");
        let loaded = Loaded { name: name.to_owned(), text: changed.clone(), format: Format::Kdl };
        let mentioned = mentions::read(&loaded, driver.registry()).iter().any(|one| one.name == "nope");
        let analysis = driver.analyze(&tfjob_driver::Request::new(name, &changed));
        let of_reference = |code: &str| ["unknown-reference", "unexpanded-syntax"].contains(&code);
        let reported = analysis
            .diagnostics
            .iter()
            .any(|one| of_reference(one.code.name) && one.message.contains("nope"));
        assert_eq!(mentioned, reported, "{}", &text[token.range()]);
        if mentioned { with += 1 } else { without += 1 }
    }
    assert!(with >= 15 && without >= 60, "{with} with references, {without} without");
}
