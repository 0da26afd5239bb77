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
