//! Renaming: all places change, the findings stay, and wrong names are refused.
use crate::editor::texts::{edited, unmarked};
use crate::editor::{Editor, ROOT};
use crate::memory::check;
use lsp_types::Position;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use tfjob_lang::mentions::{self, Kind, Mention};
use tfjob_server::Options;

type Files = BTreeMap<String, String>;

/// Returns the texts after an edit of the workspace.
fn applied(files: &Files, edit: &Value) -> Files {
    let mut files = files.clone();
    for (uri, edits) in edit["changes"].as_object().into_iter().flatten() {
        let name = uri.rsplit('/').next().expect("a name").to_owned();
        let text = edited(&files[&name], edits);
        files.insert(name, text);
    }
    files
}

/// Returns the findings of a file without their places and texts, which may contain the name.
fn codes(files: &Files, name: &str) -> Vec<String> {
    let read = |path: &Path| files.get(path.file_name()?.to_str()?).cloned();
    let checked = check(&Path::new(ROOT).join(name), &Options::default(), &read).expect("a result");
    checked.batch.diagnostics.iter().map(|one| one.code.name.to_owned()).collect()
}

/// The examples, and the spec with every field. Names are unique without their directories.
fn examples() -> Files {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Files::new();
    for folder in ["examples", "examples/line", "examples/overlays", "docs"] {
        for entry in std::fs::read_dir(root.join(folder)).expect("a directory").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".tfjob.kdl") {
                let text = std::fs::read_to_string(entry.path()).expect("a text");
                files.insert(name, text.replace("../examples/overlays/", ""));
            }
        }
    }
    assert!(files.len() > 12, "{:?}", files.keys());
    files
}

fn mentions_of(name: &str, text: &str) -> Vec<Mention> {
    let loaded = tfjob_driver::Loaded {
        name: name.to_owned(),
        text: text.to_owned(),
        format: tfjob_driver::files::format_of(name),
    };
    mentions::read(&loaded, &tfjob_targets::REGISTRY)
}

fn position(text: &str, byte: u32) -> Position {
    let byte = byte as usize;
    unmarked(&format!("{}$0{}", &text[..byte], &text[byte..])).1
}

fn rename(editor: &Editor, name: &str, at: Position, new: &str) -> Result<Value, String> {
    let params = json!({"textDocument": {"uri": Editor::uri(name)}, "position": at, "newName": new});
    editor.request("textDocument/rename", &params)
}

/// Renames each name of each example at each of its places.
#[test]
fn the_findings_stay_the_same_for_every_name_of_the_examples() {
    let files = examples();
    let list: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let editor = Editor::new(&list);
    let before: BTreeMap<&String, Vec<String>> =
        files.keys().map(|name| (name, codes(&files, name))).collect();
    let (mut renamed, mut refused) = (0, 0);
    for (name, text) in &files {
        editor.open(name, text);
        for mention in mentions_of(name, text) {
            let at = position(text, mention.word.unwrap_or(mention.span).start);
            // Of the same length, because some platforms limit the length of names.
            let letter = if mention.kind == Kind::Variable { "Z" } else { "z" };
            let new = letter.repeat(mention.name.len().max(1));
            match rename(&editor, name, at, &new) {
                Ok(edit) => {
                    let after = applied(&files, &edit);
                    assert_ne!(after, files, "{name}: {mention:?}");
                    // The package of DC/OS passes a parameter by its name, which the option must have too.
                    let by_name = mention.kind == Kind::Param && name.starts_with("dcos-");
                    for (file, before) in before.iter().filter(|_| !by_name) {
                        assert_eq!(
                            codes(&after, file),
                            *before,
                            "{file} after {mention:?} of {name}: {edit}"
                        );
                    }
                    renamed += 1;
                }
                Err(why) => {
                    let declared = [
                        "target",
                        "keyword",
                        "role of the framework",
                        "rendezvous",
                        "is declared in this spec",
                    ];
                    assert!(declared.iter().any(|text| why.contains(text)), "{name} {mention:?}: {why}");
                    refused += 1;
                }
            }
        }
    }
    assert!(renamed >= 40 && refused >= 40, "{renamed} renamed, {refused} refused");
}

const SPEC: &str = "job \"a\" {
    framework \"custom\"
    data tr_ain \"gs://b/t\"
    data \"other\" \"gs://b/o\"
    param \"lr\" 0.1
    port \"web\" 80
    env { LEVEL \"{param.lr}\"; }
    secret \"TOKEN\" from=\"hub\" key=\"token\"
    role \"alpha\" { run \"x\" \"-t={env.TOKEN}\" #\"{data.tr_ain}\"# \"\\\"{data.tr_ain}\"; port \"own\" 81; ready tcp=\"own\"; }
    role \"beta\" { shell \"\"\"
        x $TFJOB_DATA_TR_AIN $LEVEL
        y ${TFJOB_DATA_TR_AIN} ${LEVEL:-}
        \"\"\"; port \"own\" 82; ready tcp=\"own\"; after \"alpha\"; }
}
";

#[test]
fn all_notations_of_a_name_change() {
    let editor = Editor::new(&[("a.tfjob.kdl", SPEC)]);
    editor.open("a.tfjob.kdl", SPEC);
    let files = Files::from([("a.tfjob.kdl".to_owned(), SPEC.to_owned())]);
    let renamed = |at: &str, new: &str| {
        let byte = SPEC.find(at).expect("the text") + at.len();
        let edit = rename(&editor, "a.tfjob.kdl", position(SPEC, byte as u32), new).expect("edits");
        applied(&files, &edit)["a.tfjob.kdl"].clone()
    };
    let data = SPEC.replace("tr_ain", "b-2").replace("TR_AIN", "B_2");
    assert_eq!(renamed("data tr_", "b-2"), data);
    assert_eq!(renamed("$TFJOB_DATA_TR", "b-2"), data);
    assert_eq!(renamed("#\"{data.", "b-2"), data);
    assert_eq!(
        renamed("data tr_", "true"),
        data.replace("data b-2", "data \"true\"").replace("b-2", "true").replace("B_2", "TRUE")
    );
    assert_eq!(renamed("$LEV", "QUIET"), SPEC.replace("LEVEL", "QUIET"));
    // `{env.NAME}` is the value of a variable that the job sets.
    assert_eq!(renamed("{env.TOK", "KEY"), SPEC.replace("TOKEN", "KEY"));
    assert_eq!(renamed("secret \"TOK", "KEY"), SPEC.replace("TOKEN", "KEY"));
    assert_eq!(renamed("role \"al", "gamma"), SPEC.replace("alpha", "gamma"));
    // A port of one role is not the port of another one.
    assert_eq!(renamed("81; ready tcp=\"o", "new"), SPEC.replacen("\"own\"", "\"new\"", 2));
}

#[test]
fn wrong_names_are_refused() {
    let editor = Editor::new(&[("a.tfjob.kdl", SPEC)]);
    editor.open("a.tfjob.kdl", SPEC);
    for (at, new, wanted) in [
        ("data tr_", "other", "already has"),
        ("data \"oth", "tr-ain", "the data `tr_ain`, and `tr-ain` would have the same environment variable"),
        ("data tr_", "Ä", "name"),
        ("data tr_", "", "name"),
        ("data tr_", "a b", "name"),
        ("role \"al", "beta", "already has"),
        ("role \"al", "UPPER", "name"),
        ("port \"we", "rendezvous", "rendezvous"),
        ("port \"we", "own", "already has"),
        ("env { LEV", "9A", "variable"),
        ("frame", "x", "no name here"),
        ("count", "x", "no name here"),
    ] {
        let byte = SPEC.find(at).map_or(0, |byte| byte + at.len());
        let answer = rename(&editor, "a.tfjob.kdl", position(SPEC, byte as u32), new);
        assert!(answer.as_ref().is_err_and(|why| why.contains(wanted)), "{at} {new}: {answer:?}");
    }
    let at = position(SPEC, SPEC.find("{data.tr_").expect("the text") as u32 + 3);
    let answer = editor.at("textDocument/prepareRename", "a.tfjob.kdl", at);
    assert_eq!(answer["placeholder"], "tr_ain");
    assert_eq!(
        answer["range"]["end"]["character"]
            .as_u64()
            .zip(answer["range"]["start"]["character"].as_u64())
            .map(|(a, b)| a - b),
        Some(6)
    );
}

#[test]
fn a_name_of_a_base_changes_in_all_specs_that_extend_it() {
    let base = "job {\n    data \"train\" \"gs://b/t\"\n}\n";
    let spec = |name: &str| {
        format!(
            "extends \"base.tfjob.kdl\"\njob \"{name}\" {{\n    role \"worker\" {{ run \"x\" \"{{data.train}}\"; }}\n}}\n"
        )
    };
    let alone = "job \"c\" {\n    data \"train\" \"gs://b/t\"\n    role \"worker\" { run \"x\" \"{data.train}\"; }\n}\n";
    let (a, b) = (spec("a"), spec("b"));
    let list = [("base.tfjob.kdl", base), ("a.tfjob.kdl", &a), ("b.tfjob.kdl", &b), ("c.tfjob.kdl", alone)];
    let editor = Editor::new(&list);
    let at = editor.open("a.tfjob.kdl", &a.replace("{data.train", "{data.$0train"));
    let edit = rename(&editor, "a.tfjob.kdl", at, "images").expect("edits");
    let files: Files = list.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let after = applied(&files, &edit);
    for name in ["base.tfjob.kdl", "a.tfjob.kdl", "b.tfjob.kdl"] {
        assert_eq!(after[name], files[name].replace("train", "images"), "{name}");
    }
    assert_eq!(after["c.tfjob.kdl"], alone);
}

#[test]
fn yaml_and_json_are_renamed_too() {
    let yaml = "job:\n  name: a\n  data: {train: 'gs://b/t', \"x\": 'gs://b/x'}\n  role:\n    worker:\n      run: [x, '{data.train}', \"é/{data.tr$0ain}\"]\n";
    let json = "{\"job\": {\"name\": \"a\", \"data\": {\"train\": \"gs://b/t\"}, \"role\": {\"worker\": {\"run\": [\"x\", \"\\u00e9{data.tr$0ain}\"]}}}}\n";
    for (name, marked, key) in [("a.tfjob.yaml", yaml, "\"true\""), ("a.tfjob.json", json, "true")] {
        let editor = Editor::new(&[]);
        let at = editor.open(name, marked);
        let text = unmarked(marked).0;
        let edit = rename(&editor, name, at, "true").expect("edits");
        let after = applied(&Files::from([(name.to_owned(), text.clone())]), &edit);
        let wanted = text.replace("{data.train}", "{data.true}").replacen("train", key, 1);
        assert_eq!(after[name], wanted, "{name}");
    }
}

#[test]
fn an_editor_with_versions_gets_versions() {
    let params = json!({"capabilities": {"workspace": {"workspaceEdit": {"documentChanges": true}}}});
    let editor = Editor::with(&[], &params);
    let at = editor.open("a.tfjob.kdl", &SPEC.replace("param \"lr", "param \"$0lr"));
    let edit = rename(&editor, "a.tfjob.kdl", at, "rate").expect("edits");
    assert_eq!(edit["documentChanges"][0]["textDocument"]["version"], 1, "{edit}");
    assert_eq!(edit["documentChanges"][0]["edits"].as_array().map(Vec::len), Some(2));
}

/// A setting of a project changes with the names of the specs of this project, and of no other one.
#[test]
fn a_setting_changes_with_the_specs_of_its_project() {
    let spec = "job \"a\" {\n    param \"lr\" 0.1\n    role \"worker\" { run \"x\" \"{param.lr}\"; }\n}\n";
    let project = "project {\n    environment \"x\" {\n        set \"param.lr=0.5\"\n    }\n}\n";
    let list = [
        ("pa/a.tfjob.kdl", spec),
        ("pa/b.tfjob.kdl", spec),
        ("pa/tfjob.kdl", project),
        ("pb/c.tfjob.kdl", spec),
        ("pb/tfjob.kdl", project),
    ];
    let editor = Editor::new(&list);
    let at = editor.open("pa/a.tfjob.kdl", &spec.replace("{param.lr", "{param.$0lr"));
    let edit = rename(&editor, "pa/a.tfjob.kdl", at, "rate").expect("edits");
    let changes = edit["changes"].as_object().expect("changes");
    let changed: Vec<&str> = changes.keys().map(|uri| uri.trim_start_matches("file:///project/")).collect();
    assert_eq!(changed, ["pa/a.tfjob.kdl", "pa/b.tfjob.kdl", "pa/tfjob.kdl"]);
    for (name, text) in &list[..3] {
        assert_eq!(edited(text, &changes[&Editor::uri(name)]), text.replace("lr", "rate"), "{name}");
    }
}

/// An editor may not report that a file has changed on disk.
#[test]
fn a_rename_edits_the_texts_on_disk() {
    let base = "job {\n    data \"train\" \"gs://b/t\"\n}\n";
    let spec =
        "extends \"base.tfjob.kdl\"\njob \"a\" {\n    role \"worker\" { run \"x\" \"{data.train}\"; }\n}\n";
    let editor = Editor::new(&[("base.tfjob.kdl", base), ("a.tfjob.kdl", spec)]);
    let at = editor.open("a.tfjob.kdl", &spec.replace("{data.train", "{data.$0train"));
    editor.findings("a.tfjob.kdl");
    let new = format!("// One.\n// Two.\n{base}");
    editor.write("base.tfjob.kdl", &new);
    let edit = rename(&editor, "a.tfjob.kdl", at, "images").expect("edits");
    let edits = &edit["changes"][Editor::uri("base.tfjob.kdl")];
    assert_eq!(edited(&new, edits), new.replace("train", "images"));
}

/// A request directly after the opening of a document includes it.
#[test]
fn a_document_that_was_just_opened_is_renamed_too() {
    let base = "job {\n    data \"train\" \"gs://b/t\"\n}\n";
    let spec =
        "extends \"base.tfjob.kdl\"\njob \"a\" {\n    role \"worker\" { run \"x\" \"{data.train}\"; }\n}\n";
    let editor = Editor::new(&[("base.tfjob.kdl", base)]);
    editor.open("new.tfjob.kdl", spec);
    let at = editor.open("base.tfjob.kdl", &base.replace("train", "tr$0ain"));
    let edit = rename(&editor, "base.tfjob.kdl", at, "images").expect("edits");
    assert_eq!(edit["changes"].as_object().map(serde_json::Map::len), Some(2), "{edit}");
}

/// If a workspace has too many specs, some of them are unknown, and would keep the old name.
#[test]
fn a_rename_is_refused_if_not_all_specs_are_known() {
    let base = "job {\n    data \"train\" \"gs://b/t\"\n}\n";
    let names: Vec<String> = (0..1_001).map(|number| format!("{number}.tfjob.kdl")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    files.push(("base.tfjob.kdl", base));
    let logged =
        |editor: &Editor| editor.logged.borrow().iter().filter(|text| text.contains("specs")).count();
    let editor = Editor::new(&files);
    let at = editor.open("base.tfjob.kdl", &base.replace("train", "tr$0ain"));
    let why = rename(&editor, "base.tfjob.kdl", at, "images").expect_err("refused");
    assert!(why.contains("more than 1,000 specs"), "{why}");
    assert_eq!(logged(&editor), 1);
    drop(editor);
    // A file that is created later.
    let editor = Editor::new(&files[2..]);
    let at = editor.open("base.tfjob.kdl", &base.replace("train", "tr$0ain"));
    editor.write("new.tfjob.kdl", "extends \"base.tfjob.kdl\"\n");
    let change = json!({"uri": Editor::uri("new.tfjob.kdl"), "type": 1});
    for _ in 0..2 {
        editor.notify("workspace/didChangeWatchedFiles", json!({"changes": [change]}));
    }
    let why = rename(&editor, "base.tfjob.kdl", at, "images").expect_err("refused");
    assert!(why.contains("more than 1,000 specs"), "{why}");
    assert_eq!(logged(&editor), 1);
}
