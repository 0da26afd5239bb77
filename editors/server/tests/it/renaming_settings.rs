//! Renaming of names in the settings of a project file.
use crate::editor::Editor;
use crate::editor::texts::edited;
use serde_json::{Value, json};

const SPEC: &str = "job \"a\" {
    param \"lr\" 0.1
    port \"web\" 80
    env { LEVEL \"1\"; }
    role \"alpha\" { run \"x\" \"{param.lr}\" \"{port.web}\" \"$LEVEL\"; port \"own\" 81; }
}
";

/// Renames the name at the end of a text of the spec.
fn renamed(project: &str, at: &str, new: &str) -> Result<Value, String> {
    let editor = Editor::new(&[("a.tfjob.kdl", SPEC), ("tfjob.kdl", project)]);
    let position = editor.open("a.tfjob.kdl", &SPEC.replacen(at, &format!("{at}$0"), 1));
    let params =
        json!({"textDocument": {"uri": Editor::uri("a.tfjob.kdl")}, "position": position, "newName": new});
    editor.request("textDocument/rename", &params)
}

fn project(settings: &str) -> String {
    format!(
        "// \u{e9}\nproject {{\n    environment \"s\" {{\n        {settings}\n        target \"kubernetes\"\n    }}\n}}\n"
    )
}

/// In each notation, a name is `lr`, and its new name is `rate`.
#[test]
fn a_name_changes_in_every_notation_of_a_setting() {
    for (settings, wanted) in [
        ("set \"param.lr=2\"", "set \"param.rate=2\""),
        ("set \"deadline=2d\" \"param.lr=2\"", "set \"deadline=2d\" \"param.rate=2\""),
        ("set \"param.\\\"lr\\\"=2\"", "set \"param.\\\"rate\\\"=2\""),
        ("set #\"param.\"lr\"=2\"#", "set #\"param.\"rate\"=2\"#"),
        ("set ##\"param.lr=2\"##", "set ##\"param.rate=2\"##"),
        ("set \"param.\\u{6c}r=2\"", "set \"param.rate=2\""),
        ("set \"para\\u{6d}.lr=2\"", "set \"para\\u{6d}.rate=2\""),
        ("set \"env.Z={param.lr}\"", "set \"env.Z={param.rate}\""),
        ("set \"env.Z=\\u{e9}\\\"{param.lr}\"", "set \"env.Z=\\u{e9}\\\"{param.rate}\""),
        (
            "set \"role.alpha.env.Z={param.lr}-{param.lr}\"",
            "set \"role.alpha.env.Z={param.rate}-{param.rate}\"",
        ),
        ("set \"env.Z=$TFJOB_PARAM_LR\"", "set \"env.Z=$TFJOB_PARAM_RATE\""),
        ("set \"workdir=/{param.lr}\"", "set \"workdir=/{param.rate}\""),
        // A text without references.
        ("set \"description={param.lr}\"", "set \"description={param.lr}\""),
    ] {
        let project = project(settings);
        let edit = renamed(&project, "param \"lr", "rate").expect("edits");
        let edits = &edit["changes"][Editor::uri("tfjob.kdl")];
        let new = if edits.is_null() { project.clone() } else { edited(&project, edits) };
        assert_eq!(new, project.replace(settings, wanted), "{settings}");
    }
}

#[test]
fn other_names_of_a_setting_change_too() {
    for (at, new, settings, wanted) in [
        ("role \"alpha", "beta", "set \"role.alpha.count=2\"", "set \"role.beta.count=2\""),
        ("env { LEVEL", "QUIET", "set \"role.alpha.env.LEVEL=2\"", "set \"role.alpha.env.QUIET=2\""),
        ("env { LEVEL", "QUIET", "set \"env.\\\"LEVEL\\\"=2\"", "set \"env.\\\"QUIET\\\"=2\""),
        ("port \"own", "new", "set \"role.alpha.port.own=2\"", "set \"role.alpha.port.new=2\""),
        ("port \"own", "new", "set \"role.alpha.ready.tcp=own\"", "set \"role.alpha.ready.tcp=new\""),
        ("port \"web", "new", "set \"ready.http=web/x\"", "set \"ready.http=new/x\""),
    ] {
        let project = project(settings);
        let edit = renamed(&project, at, new).expect("edits");
        let edits = &edit["changes"][Editor::uri("tfjob.kdl")];
        assert_eq!(edited(&project, edits), project.replace(settings, wanted), "{settings}");
    }
}

/// Otherwise, the settings of the file would keep the old name.
#[test]
fn a_rename_is_refused_if_a_project_file_with_errors_may_contain_the_name() {
    let set = "set \"param.lr=2\"";
    for settings in [
        "set \"param.lr=2\" \"nope\"",
        "set \"param.lr=2\"; set \"param.lr=3\"",
        "set \"param.lr=2\"; cluser \"x\"",
        "set \"param.lr=2\" {",
        "set \"param.\\u{6c}r=2\"; cluser \"x\"",
    ] {
        let why = renamed(&project(settings), "param \"lr", "rate").expect_err(settings);
        assert!(why.contains("`project/tfjob.kdl`") && why.contains("has errors"), "{why}");
    }
    let other = project("set \"role.alpha.count=2\"; cluser \"x\"");
    assert!(renamed(&other, "param \"lr", "rate").is_ok());
    assert!(renamed(&project(set), "param \"lr", "rate").is_ok());
}

/// Returns the places that a request names: the file, and the text from there to the end of its line.
fn places(editor: &Editor, project: &str, method: &str, marked: &str) -> Vec<String> {
    assert!(project.contains(&marked.replace("$0", "")), "{marked}");
    let position = editor.open("tfjob.kdl", &project.replacen(&marked.replace("$0", ""), marked, 1));
    editor.settled("tfjob.kdl");
    let mut params = json!({"textDocument": {"uri": Editor::uri("tfjob.kdl")}, "position": position});
    params["context"] = json!({"includeDeclaration": true});
    let found = editor.request(method, &params).expect("an answer");
    let place = |one: &Value| {
        let uri = one["uri"].as_str().unwrap_or("tfjob.kdl");
        let name = uri.rsplit('/').next().unwrap_or_default();
        let text = if name == "tfjob.kdl" { project } else { SPEC };
        let start = &one["range"]["start"];
        let at = |what: &str| start[what].as_u64().expect("a number") as usize;
        let rest: String =
            text.lines().nth(at("line")).unwrap_or_default().chars().skip(at("character")).collect();
        format!("{name}: {}", rest.chars().take(9).collect::<String>())
    };
    found.as_array().into_iter().flatten().map(place).collect()
}

/// A name in a setting is one with those of the specs.
#[test]
fn a_setting_leads_to_the_spec() {
    let project = project(
        "set \"param.lr=2\" \"role.alpha.count=3\" \"env.Z={param.lr}\" \"role.alpha.env.\\u{4c}EVEL=x\"",
    );
    let editor = Editor::new(&[("a.tfjob.kdl", SPEC), ("tfjob.kdl", &project)]);
    let at = |method: &str, marked: &str| places(&editor, &project, method, marked);
    let define = "textDocument/definition";
    assert_eq!(at(define, "param.l$0r=2"), ["a.tfjob.kdl: lr\" 0.1"]);
    assert_eq!(at(define, "{param.l$0r}"), ["a.tfjob.kdl: lr\" 0.1"]);
    assert_eq!(at(define, "role.al$0pha.count"), ["a.tfjob.kdl: alpha\" { "]);
    // A field, without a value in the spec, and with one.
    assert_eq!(at(define, "role.alpha.cou$0nt"), [""; 0]);
    assert_eq!(at(define, "para$0m.lr=2"), ["a.tfjob.kdl: param \"lr"]);
    let references = at("textDocument/references", "param.l$0r=2");
    assert_eq!(references.len(), 4, "{references:?}");
    let mut highlights = at("textDocument/documentHighlight", "param.l$0r=2");
    highlights.sort();
    assert_eq!(highlights, ["tfjob.kdl: lr=2\" \"ro", "tfjob.kdl: lr}\" \"rol"]);
    let position = editor.open("tfjob.kdl", &project.replacen("param.lr", "param.l$0r", 1));
    let params =
        json!({"textDocument": {"uri": Editor::uri("tfjob.kdl")}, "position": position, "newName": "rate"});
    let edit = editor.request("textDocument/rename", &params).expect("edits");
    assert_eq!(edit["changes"].as_object().map(|files| files.len()), Some(2), "{edit}");
}

#[test]
fn a_hover_on_a_setting_describes_its_field() {
    let spec = SPEC.replace("role \"alpha\"", "role \"alpha\" count=4");
    let project = project("set \"role.alpha.count=3\" \"param.lr=2\"");
    let markdown = json!({"capabilities": {"textDocument": {"hover": {"contentFormat": ["markdown"]}}}});
    let editor = Editor::with(&[("a.tfjob.kdl", &spec), ("tfjob.kdl", &project)], &markdown);
    for (marked, wanted) in [
        ("role.alpha.cou$0nt", ["Number of tasks", "Accepted: ", "`count=4`", "([a.tfjob.kdl:5]("]),
        ("count=$03", ["Number of tasks", "Accepted: ", "`count=4`", "([a.tfjob.kdl:5]("]),
        ("role.al$0pha", ["role.alpha\n", "Replaces", "role \"alpha\"", "([a.tfjob.kdl:5]("]),
        ("param.l$0r", ["param.lr", "Accepted: ", "`param \"lr\" 0.1`", "([a.tfjob.kdl:2]("]),
    ] {
        let position = editor.open("tfjob.kdl", &project.replacen(&marked.replace("$0", ""), marked, 1));
        let hover = editor.at("textDocument/hover", "tfjob.kdl", position);
        let text = hover["contents"]["value"].as_str().unwrap_or_default();
        assert!(wanted.iter().all(|one| text.contains(one)), "{marked}: {text}");
    }
}
