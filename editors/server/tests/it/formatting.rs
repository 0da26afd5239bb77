//! Formatting.
use crate::editor::Editor;
use crate::editor::texts::edited;
use serde_json::json;

#[test]
fn a_document_is_formatted() {
    let editor = Editor::new(&[]);
    let text = "job \"a\" {\n  role worker   count=2\n}\n";
    editor.open("a.tfjob.kdl", text);
    let params = json!({"textDocument": {"uri": Editor::uri("a.tfjob.kdl")}, "options": {"tabSize": 4, "insertSpaces": true}});
    let edits = editor.request("textDocument/formatting", &params).expect("edits");
    assert_eq!(edited(text, &edits), "job \"a\" {\n    role \"worker\" count=2\n}\n");
    assert_eq!(edits.as_array().map(Vec::len), Some(1), "only the changed line");
}

#[test]
fn a_document_with_errors_is_not_formatted() {
    let editor = Editor::new(&[]);
    let params = json!({"textDocument": {"uri": Editor::uri("a.tfjob.kdl")}, "options": {"tabSize": 4, "insertSpaces": true}});
    // `tfjob fmt` refuses these texts too.
    for text in ["job \"a\" {\n  role \"w\n}\n", "jo", "   \n\n\n", "project {\n}"] {
        editor.open("a.tfjob.kdl", text);
        assert_eq!(editor.request("textDocument/formatting", &params), Ok(json!(null)), "{text}");
    }
}

fn range_edits(text: &str, from: u32, to: u32) -> String {
    let editor = Editor::new(&[]);
    editor.open("a.tfjob.kdl", text);
    let range = json!({"start": {"line": from, "character": 0}, "end": {"line": to, "character": 0}});
    let params = json!({"textDocument": {"uri": Editor::uri("a.tfjob.kdl")}, "range": range, "options": {"tabSize": 4, "insertSpaces": true}});
    let edits = editor.request("textDocument/rangeFormatting", &params).expect("edits");
    edited(text, &edits)
}

#[test]
fn only_the_lines_of_a_range_are_formatted() {
    let text = "job \"a\" {\n  role worker   count=2\n  user   \"x\"\n  // c\n      workdir \"/a\"\n}\n";
    let wanted = "job \"a\" {\n  role worker   count=2\n    user \"x\"\n  // c\n      workdir \"/a\"\n}\n";
    assert_eq!(range_edits(text, 2, 3), wanted);
    assert_eq!(range_edits(text, 2, 2), wanted, "a cursor without a selection");
    assert_eq!(range_edits(text, 0, 1), text, "the first line is formatted");
    let all = "job \"a\" {\n    role \"worker\" count=2\n    user \"x\"\n    // c\n    workdir \"/a\"\n}\n";
    assert_eq!(range_edits(text, 0, 6), all);
    assert_eq!(range_edits(text, 0, 99), all);
}

#[test]
fn a_part_of_a_string_is_not_formatted_alone() {
    let text = "job \"a\" {\n  shell \"\"\"\n      x\n        y\n      \"\"\"\n  user   \"x\"\n}\n";
    for line in 1..5 {
        let found = range_edits(text, line, line + 1);
        let whole =
            "job \"a\" {\n    shell \"\"\"\n        x\n          y\n        \"\"\"\n  user   \"x\"\n}\n";
        assert!([text, whole].contains(&found.as_str()), "{line}: {found}");
    }
}
