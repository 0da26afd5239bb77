//! Unicode white space at each place of a text: every request has an answer.
use crate::editor::Editor;
use crate::editor::texts::unmarked;
use serde_json::json;

/// White space that JSON, YAML, or KDL do not all treat alike: no-break space, ideographic space, line separator, next line.
const WHITE: [char; 4] = ['\u{a0}', '\u{3000}', '\u{2028}', '\u{85}'];

/// Requests that read a text with errors.
const REQUESTS: [&str; 5] = ["documentSymbol", "foldingRange", "hover", "completion", "selectionRange"];

const TEXTS: [(&str, &str); 3] = [
    ("a.tfjob.json", "{\"job\": {\"run\": [ \"x\", a], \"b\": 'c' }}"),
    ("a.tfjob.yaml", "job:\n  run: [ ]\n  a: {b: \"c\", d} # e\n  - f\n"),
    ("a.tfjob.kdl", "job \"a\" {\n    framework \"x\" strategy=\"y\"\n    run #\"b\"#\n}\n"),
];

#[test]
fn white_space_at_each_place_causes_no_panic() {
    let editor = Editor::new(&[]);
    for (name, text) in TEXTS {
        editor.open(name, text);
        for (at, white) in (0..=text.len()).flat_map(|at| WHITE.map(|white| (at, white))) {
            let marked = format!("{}$0{white}{}", &text[..at], &text[at..]);
            let start = editor.replace(name, &marked);
            let (_, end) = unmarked(&format!("{}{white}$0{}", &text[..at], &text[at..]));
            for method in REQUESTS {
                for position in [start, end] {
                    let document = json!({"uri": Editor::uri(name)});
                    let params =
                        json!({"textDocument": document, "position": position, "positions": [position]});
                    let answer = editor.request(&format!("textDocument/{method}"), &params);
                    assert!(answer.is_ok(), "{name}: {method} at {position:?} of {marked:?}: {answer:?}");
                }
            }
        }
    }
}
