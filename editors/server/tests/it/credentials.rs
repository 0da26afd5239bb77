//! No answer shows a credential, wherever it was recognized: in the document, a base file, a cluster file, or a project file.
use crate::editor::Editor;
use serde_json::{Value, json};

/// The value that is a credential. It has no known format, so only the name of a variable tells.
const HIDDEN: &str = "hunter2secret";

const KDL: &str = "extends \"base.tfjob.kdl\"
job \"a\" {
    framework \"custom\"
    image \"a:1\"
    param \"tone\" \"x\"
    env { COLOR \"{param.tone}\"; OTHER \"{param.shade}\"; }
    run \"x\" \"{param.shade}\" \"--n={param.tone}\"
    secret \"TOKEN\" from=\"store\" key=\"token\"
    role \"worker\" count=2 {
        env { LEVEL \"\"; }
        workdir \"{}\"
        resources cpus=1 memory=\"1GiB\"
    }
    role \"other\" {
        shell \"echo $\"
    }
    target \"kubernetes\" {}
}
";

const YAML: &str = "extends: base.tfjob.kdl
job:
  name: a
  framework: custom
  image: a:1
  param: { tone: x }
  env:
    COLOR: \"{param.tone}\"
    OTHER: \"{param.shade}\"
  run: [x, \"{param.shade}\", \"\"]
  role:
    worker:
      workdir: \"{}\"
      env: { LEVEL: \"\" }
      resources: { cpus: 1, memory: 1GiB }
  target: { kubernetes: {} }
";

const JSON: &str = r#"{"extends": "base.tfjob.kdl", "job": {
  "name": "a", "framework": "custom", "image": "a:1",
  "param": {"tone": "x"},
  "env": {"COLOR": "{param.tone}", "OTHER": "{param.shade}"},
  "run": ["x", "{param.shade}", ""],
  "role": {"worker": {
    "workdir": "{}", "env": {"LEVEL": ""},
    "resources": {"cpus": 1, "memory": "1GiB"}
  }},
  "target": {"kubernetes": {}}
}}
"#;

/// Files that are not open. The same value is a parameter in one place, and a password in another one.
const FILES: [(&str, &str); 3] = [
    (
        "base.tfjob.kdl",
        "job {
    param \"shade\" \"hunter2secret\"
    param \"tone\" \"hunter2secret\"
    env { SHADE \"hunter2secret\"; COLOR \"hunter2secret\"; }
    labels { team \"hunter2secret\"; }
    data \"train\" \"gs://hunter2secret/train\"
    code \"gs://bucket/hunter2secret\"
    role \"other\" { image \"registry/hunter2secret:1\"; run \"x\" \"hunter2secret\"; workdir \"/hunter2secret\"; }
}
",
    ),
    (
        "tfjob.kdl",
        "project {
    environment \"one\" {
        target \"kubernetes\"
        set \"param.tone=hunter2secret\"
    }
    environment \"two\" {
        target \"kubernetes\"
        set \"env.DB_PASSWORD=hunter2secret\"
        set \"role.other.workdir=/hunter2secret\"
    }
}
",
    ),
    (
        "all.cluster.kdl",
        "cluster \"east\" target=\"kubernetes\" {
    nodes \"cpu\" count=4 cpus=8 memory=\"32GiB\"
    registry \"hunter2secret\"
}
",
    ),
];

/// Returns the answers to all requests that show texts, at a position.
fn answers(editor: &Editor, name: &str, line: usize, character: usize) -> Vec<(&'static str, Value)> {
    let position = json!({"line": line, "character": character});
    let document = json!({"uri": Editor::uri(name)});
    let ask = |method| {
        let params = json!({"textDocument": document, "position": position});
        (method, editor.request(method, &params).expect("an answer"))
    };
    vec![ask("textDocument/completion"), ask("textDocument/hover")]
}

/// Returns the answers to all requests about a whole document.
fn of_document(editor: &Editor, name: &str) -> Vec<(&'static str, Value)> {
    let document = json!({"uri": Editor::uri(name)});
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let ask = |method, params: Value| (method, editor.request(method, &params).expect("an answer"));
    vec![
        ask("textDocument/inlayHint", json!({"textDocument": document, "range": range})),
        ask("textDocument/documentSymbol", json!({"textDocument": document})),
        ask("textDocument/documentLink", json!({"textDocument": document})),
    ]
}

/// Asks at each position of a text, and returns the answers that contain the credential.
fn leaks(files: &[(&str, &str)], name: &str, text: &str) -> Vec<String> {
    let markdown = json!({"capabilities": {"textDocument": {"hover": {"contentFormat": ["markdown"]}}}});
    let editor = Editor::with(files, &markdown);
    editor.open(name, text);
    let mut found = Vec::new();
    let mut asked = 0;
    for (line, content) in text.lines().enumerate() {
        for character in 0..=content.len() {
            for (method, answer) in answers(&editor, name, line, character) {
                asked += usize::from(!answer.is_null());
                if answer.to_string().contains(HIDDEN) {
                    found.push(format!("{name}:{line}:{character} {method}: {answer}"));
                }
            }
        }
    }
    assert!(asked > 100);
    for (method, answer) in of_document(&editor, name) {
        if answer.to_string().contains(HIDDEN) {
            found.push(format!("{name} {method}: {answer}"));
        }
    }
    for finding in editor.findings(name) {
        if finding.message.contains(HIDDEN) {
            found.push(format!("{name}: {}", finding.message));
        }
    }
    found
}

#[test]
fn no_answer_shows_a_credential_of_another_file() {
    for (name, text) in [("a.tfjob.kdl", KDL), ("a.tfjob.yaml", YAML), ("a.tfjob.json", JSON)] {
        let found = leaks(&FILES, name, text);
        assert!(found.is_empty(), "{} answers:\n{}", found.len(), found[..found.len().min(5)].join("\n"));
    }
}

/// The value is recognized by another entry of the document itself, which was typed after the last check.
#[test]
fn no_completion_shows_a_credential_of_the_document() {
    let editor = Editor::new(&[]);
    editor.open("a.tfjob.kdl", "job \"a\" {\n}\n");
    editor.findings("a.tfjob.kdl");
    let text = "job \"a\" {
    param \"tone\" \"hunter2secret\"
    env { DB_PASSWORD \"hunter2secret\"; COLOR \"hunter2secret\"; }
    data \"train\" \"gs://hunter2secret/train\"
    run \"x\" \"{$0}\"
    role \"worker\" { env { SHADE \"hunter2secret\"; }; }
}
";
    for marked in [text.to_owned(), text.replace("run \"x\" \"{$0}\"", "shell \"echo $$0\"")] {
        let position = editor.replace("a.tfjob.kdl", &marked);
        let list = editor.at("textDocument/completion", "a.tfjob.kdl", position);
        assert!(list["items"].as_array().is_some_and(|items| items.len() > 3), "{list}");
        assert!(!list.to_string().contains(HIDDEN), "{list}");
    }
}
