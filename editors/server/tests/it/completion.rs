//! Completion at hand-written cursors.
use crate::editor::Editor;
use crate::editor::texts::edited;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A job whose names the tests use. `#` stands for the text under test.
const JOB: &str = "job \"a\" {
    framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"
    image \"registry/team/a:1\"
    data \"train-set\" \"hdfs://default/train\"
    files \"venv\" \"https://host/venv.zip\"
    param \"lr\" 0.1
    secret \"TOKEN\" from=\"store\" at=\"/run/token\"
    port \"web\" 8080
    role \"chief\" { resources cpus=1 memory=\"1GiB\"; env { LOG_LEVEL \"info\"; } }
    role \"worker\" count=2 {
        port \"own\" 8081
        #
    }
    target \"yarn\" { queue \"ml\"; }
    #top
}
";

/// Returns the items at the mark of a text, which is put into [`JOB`] if it is only a part of a role.
pub fn items(editor: &Editor, name: &str, marked: &str) -> Vec<Value> {
    let position = editor.open(name, marked);
    let list = editor.at("textDocument/completion", name, position);
    list["items"].as_array().cloned().unwrap_or_default()
}

pub fn labels(items: &[Value]) -> Vec<String> {
    let mut sorted: Vec<&Value> = items.iter().collect();
    sorted.sort_by_key(|item| item["sortText"].as_str().unwrap_or_default().to_owned());
    sorted.iter().map(|item| item["label"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Returns the labels at a mark inside the role `worker` of [`JOB`].
fn in_role(marked: &str) -> Vec<String> {
    labels(&items(&Editor::new(&[]), "a.tfjob.kdl", &JOB.replace("#top", "").replace('#', marked)))
}

/// Returns the labels at a mark in a text.
fn in_text(name: &str, marked: &str) -> Vec<String> {
    labels(&items(&Editor::new(&[]), name, marked))
}

/// Returns the text after the item with this label is accepted. Placeholders are replaced by their values; `|` marks the end.
fn accepted(name: &str, marked: &str, label: &str) -> String {
    let editor = Editor::new(&[]);
    let all = items(&editor, name, marked);
    let item = all.iter().find(|item| item["label"] == label);
    let item = item.unwrap_or_else(|| panic!("{label} is not offered at {marked}: {:?}", labels(&all)));
    accept(&marked.replacen("$0", "", 1), item)
}

/// Returns a text after an item is accepted, as an editor does.
pub fn accept(text: &str, item: &Value) -> String {
    let mut edit = item["textEdit"].clone();
    let line = edit["range"]["start"]["line"].as_u64().unwrap_or_default() as usize;
    let line = text.split('\n').nth(line).unwrap_or_default();
    let indent = &line[..line.len() - line.trim_start().len()];
    let new = edit["newText"].as_str().unwrap_or_default().replace('\n', &format!("\n{indent}"));
    let new = if item["insertTextFormat"] == 2 { expanded(&new) } else { new };
    edit["newText"] = json!(new);
    let mut edits = item["additionalTextEdits"].as_array().cloned().unwrap_or_default();
    edits.push(edit);
    edited(text, &json!(edits))
}

/// Replaces the placeholders of a snippet by their values.
fn expanded(snippet: &str) -> String {
    let mut out = String::new();
    let mut rest = snippet;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let next = rest.chars().next().unwrap_or_default();
                out.push(next);
                rest = &rest[next.len_utf8()..];
            }
            '$' if rest.starts_with('{') => {
                let mut end = 1;
                while !rest[end..].starts_with('}') || rest[..end].ends_with('\\') {
                    end += 1;
                }
                let body = rest[1..end].trim_start_matches(|c: char| c.is_ascii_digit());
                let value = match body.strip_prefix('|') {
                    Some(choices) => choices.trim_end_matches('|').split(',').next().unwrap_or_default(),
                    None => body.strip_prefix(':').unwrap_or_default(),
                };
                out.push_str(&expanded(value));
                rest = &rest[end + 1..];
            }
            '$' => rest = rest.trim_start_matches(|c: char| c.is_ascii_digit()),
            c => out.push(c),
        }
    }
    out
}

#[test]
fn nodes_of_a_block_are_offered_required_ones_first() {
    let all = in_text("a.tfjob.kdl", "job \"a\" {\n    $0\n}\n");
    assert_eq!(all.first().map(String::as_str), Some("framework"), "{all:?}");
    for name in ["role", "data", "target", "resources", "env", "allow"] {
        assert!(all.contains(&name.to_owned()), "{name}: {all:?}");
    }
    assert!(!all.contains(&"name".to_owned()) && !all.contains(&"count".to_owned()), "{all:?}");
    let all = in_role("$0");
    assert!(all.contains(&"after".to_owned()) && all.contains(&"port".to_owned()), "{all:?}");
    assert!(!all.contains(&"framework".to_owned()), "{all:?}");
    let all = in_text("a.tfjob.kdl", "$0");
    assert_eq!(all, ["job", "extends"]);
}

#[test]
fn a_field_that_is_set_and_cannot_repeat_is_left_out() {
    let all =
        in_text("a.tfjob.kdl", "job \"a\" {\n  image \"x\"\n  role \"w\" {}\n  /-deadline \"1d\"\n  $0\n}\n");
    assert!(!all.contains(&"image".to_owned()), "{all:?}");
    assert!(all.contains(&"role".to_owned()) && all.contains(&"deadline".to_owned()), "{all:?}");
    let all = in_role("resources cpus=1 $0");
    assert_eq!(all.first().map(String::as_str), Some("memory"), "required: {all:?}");
    assert!(!all.contains(&"cpus".to_owned()) && all.contains(&"gpu-model".to_owned()), "{all:?}");
    // The property at the cursor itself.
    assert!(in_role("resources cpu$0s=1").contains(&"cpus".to_owned()));
}

#[test]
fn values_names_and_references_are_offered_in_kdl() {
    let cases: &[(&str, &[&str])] = &[
        ("restart $0", &["on-failure", "never", "always", "limit"]),
        ("restart \"$0\"", &["on-failure"]),
        ("restart \"on$0", &["on-failure"]),
        ("restart on$0", &["on-failure"]),
        ("restart \"on-failure\" $0", &["limit", "backoff"]),
        ("restart \"on-failure\" scope=$0", &["task", "job"]),
        ("restart \"on-failure\" scope=\"$0\"", &["task", "job"]),
        ("after \"$0\"", &["chief"]),
        ("after \"chief\" when=$0", &["ready", "started", "done"]),
        ("after \"chief\" $0", &["when"]),
        ("ready tcp=\"$0\"", &["own", "web", "rendezvous"]),
        ("ready http=\"w$0\"", &["web/"]),
        (
            "run \"python\" \"{$0\"",
            &["data.train-set", "param.lr", "files.venv", "port.own", "index", "count.worker"],
        ),
        ("run \"python\" \"--x={da$0", &["data.train-set"]),
        ("run \"python\" \"--x={data.$0}\"", &["data.train-set"]),
        ("run \"python\" \"{$0", &["data.train-set", "index"]),
        ("run \"python\" \"{$0}", &["data.train-set", "index"]),
        ("run \"python\" \"--x={da$0} 1", &["data.train-set", "index"]),
        ("run \"python\" \"$0\"", &["{data.train-set}", "{index}"]),
        ("workdir \"{$0\"", &["scratch", "data.train-set"]),
        ("env { A \"{$0\"; }", &["env.A", "env.TOKEN", "param.lr"]),
        ("env { $0 }", &["LOG_LEVEL"]),
        ("env {\n            LOG$0\n        }", &["LOG_LEVEL"]),
        ("resources memory=16$0", &["16GiB", "16MiB", "16TiB"]),
        ("resources memory=\"16$0\"", &["16GiB"]),
        ("resources memory=$0", &["16GiB", "1GiB"]),
        ("restart \"on-failure\" backoff=\"10$0\"", &["10s", "10m", "10h"]),
        ("restart \"on-failure\" within=1h3$0", &["1h3m"]),
        ("image \"$0\"", &["registry/team/a:1"]),
        ("image \"x\" pull=$0", &["missing", "always", "never"]),
        ("port \"x\" $0", &["auto", "link"]),
        ("secret \"X\" from=\"$0\"", &["store"]),
        ("target \"$0\"", &["yarn", "kubernetes", "dcos"]),
        ("target \"kubernetes\" { $0 }", &["priority"]),
        ("placement { $0 }", &["node", "partition", "spread"]),
        ("placement { spread $0 }", &["host", "rack"]),
        ("resources cpus=1 memory=\"1GiB\" { $0 }", &["device"]),
    ];
    for (marked, wanted) in cases {
        let all = in_role(marked);
        for name in *wanted {
            assert!(all.contains(&(*name).to_owned()), "{name} at {marked}: {all:?}");
        }
    }
    let own = in_role("after \"$0\"");
    assert!(!own.contains(&"worker".to_owned()), "a role does not wait for itself: {own:?}");
}

#[test]
fn values_of_the_job_are_offered() {
    let cases: &[(&str, &[&str])] = &[
        ("role \"$0\"", &["ps", "evaluator"]),
        ("role $0", &["ps", "count"]),
        ("allow \"$0\"", &["gang", "restart"]),
        ("allow \"gang\" on=\"$0\"", &["yarn", "kubernetes"]),
        ("allow \"gang\" $0", &["because", "on"]),
        ("target \"kub$0\" {}", &["kubernetes"]),
        ("data \"x\" \"$0\"", &["hdfs://default/data/train", "pvc://claim/train", "./train"]),
        ("checkpoints \"hd$0", &["hdfs://default/data/train"]),
        ("checkpoints \"x\" if-exists=$0", &["resume", "fail"]),
        ("start gang=$0", &["#true", "#false"]),
        ("start gang=#$0", &["#true", "#false"]),
        ("start gang=#t$0 timeout=\"1m\"", &["#true", "#false"]),
        ("success $0", &["workers", "chief"]),
        ("keep \"$0\"", &["failed", "all", "none"]),
        ("network \"$0\"", &["host"]),
        ("deadline $0", &["1d"]),
        ("deadline 2$0", &["2d", "2h"]),
        ("kerberos keytab=\"$0\"", &["secret:TOKEN"]),
        ("tensorboard logs=\"{$0\"", &["data.train-set"]),
        ("protocol $0", &["grpc"]),
    ];
    let editor = Editor::new(&[]);
    for (marked, wanted) in cases {
        let text = JOB.replace("#top", marked).replace('#', "");
        let all = labels(&items(&editor, "a.tfjob.kdl", &text));
        for name in *wanted {
            assert!(all.contains(&(*name).to_owned()), "{name} at {marked}: {all:?}");
        }
    }
    let roles = labels(&items(&editor, "a.tfjob.kdl", &JOB.replace("#top", "role \"$0\"").replace('#', "")));
    assert_eq!(roles, ["ps", "evaluator"], "roles that the job has already are left out");
}

#[test]
fn nothing_is_offered_where_nothing_can_be_written() {
    for marked in ["// $0", "role \"w\" {} $0", "run \"a\" \"{{$0\"", "shell \"x $0\""] {
        let all = in_role(marked);
        assert!(all.is_empty(), "{marked}: {all:?}");
    }
    let editor = Editor::new(&[]);
    for (marked, character) in [
        ("restart \"on-failure\"$0", "\""),
        ("image \"a.$0\"", "."),
        ("role \"w\" {$0", "{"),
        ("run \"--x=$0\"", "="),
    ] {
        let text = JOB.replace("#top", "").replace('#', marked);
        let position = editor.open("a.tfjob.kdl", &text);
        let params = json!({
            "textDocument": {"uri": Editor::uri("a.tfjob.kdl")}, "position": position,
            "context": {"triggerKind": 2, "triggerCharacter": character},
        });
        let list = editor.request("textDocument/completion", &params).expect("an answer");
        assert_eq!(list["items"], json!([]), "{marked}");
    }
}

#[test]
fn an_item_replaces_the_word_and_its_quotes() {
    let accepted = |marked: &str, label: &str| accepted("a.tfjob.kdl", marked, label);
    for (marked, label, wanted) in [
        ("job \"é\u{1f600}\" { ro$0 }", "role", "job \"é\u{1f600}\" { role \"chief\" count=1 {\n    \n} }"),
        ("job \"a\" { ro$0 \"w\" count=2 }", "role", "job \"a\" { role \"w\" count=2 }"),
        (
            "job \"a\" { restart \"on$0\" limit=1 }",
            "on-failure",
            "job \"a\" { restart \"on-failure\" limit=1 }",
        ),
        ("job \"a\" { restart \"$0on-f\" }", "on-failure", "job \"a\" { restart \"on-failure\" }"),
        (
            "job \"a\" {\n  restart \"on$0\n  image \"x\"\n}",
            "on-failure",
            "job \"a\" {\n  restart \"on-failure\"\n  image \"x\"\n}",
        ),
        (
            "job \"a\" {\n  restart \"on$0 limit=1\n}",
            "on-failure",
            "job \"a\" {\n  restart \"on-failure\" limit=1\n}",
        ),
        ("job \"a\" { restart on$0 }", "on-failure", "job \"a\" { restart \"on-failure\" }"),
        ("job \"a\" { role \"w\" cou$0 {} }", "count", "job \"a\" { role \"w\" count=1 {} }"),
        ("job \"a\" { role \"w\" co$0=3 {} }", "count", "job \"a\" { role \"w\" count=3 {} }"),
        ("job \"a\" { resources memory=16$0 }", "16GiB", "job \"a\" { resources memory=\"16GiB\" }"),
        (
            "job \"a\" { param \"p\" 1; run \"{pa$0\" }",
            "param.p",
            "job \"a\" { param \"p\" 1; run \"{param.p}\" }",
        ),
        (
            "job \"a\" { param \"p\" 1; run \"{pa$0ram}/x\" }",
            "param.p",
            "job \"a\" { param \"p\" 1; run \"{param.p}/x\" }",
        ),
        ("job \"a\" { start gang=$0 }", "#true", "job \"a\" { start gang=#true }"),
    ] {
        assert_eq!(accepted(marked, label), wanted, "{marked}");
    }
}

#[test]
fn json_and_yaml_are_completed() {
    let json = |marked: &str, label: &str| accepted("a.tfjob.json", marked, label);
    let yaml = |marked: &str, label: &str| accepted("a.tfjob.yaml", marked, label);
    for (got, wanted) in [
        (json("{\"job\": {$0}}", "deadline"), "{\"job\": {\"deadline\": \"1d\"}}"),
        (json("{\"job\": {\"de$0\"}}", "deadline"), "{\"job\": {\"deadline\": \"1d\"}}"),
        (json("{\"job\": {\"de$0\": \"2d\"}}", "deadline"), "{\"job\": {\"deadline\": \"2d\"}}"),
        (
            json("{\"job\": {\n\"image\": \"x\"\n$0\n\"user\": 1}}", "deadline"),
            "{\"job\": {\n\"image\": \"x\",\n\"deadline\": \"1d\",\n\"user\": 1}}",
        ),
        (
            json("{\"job\": {\"resources\": {$0}}}", "memory"),
            "{\"job\": {\"resources\": {\"memory\": \"16GiB\"}}}",
        ),
        (json("{\"job\": {\"start\": {\"gang\": $0}}}", "true"), "{\"job\": {\"start\": {\"gang\": true}}}"),
        (json("{\"job\": {\"restart\": \"on$0", "on-failure"), "{\"job\": {\"restart\": \"on-failure\""),
        (
            json("{\"job\": {\"framework\": \"pytorch\", \"role\": {\"$0\"}}}", "worker"),
            "{\"job\": {\"framework\": \"pytorch\", \"role\": {\"worker\": {  }}}}",
        ),
        (json("{\"job\": {\"run\": $0}}", "[ … ]"), "{\"job\": {\"run\": [\"python\", \"train.py\"]}}"),
        (json("{\"job\": {\"target\": $0}}", "{ … }"), "{\"job\": {\"target\": { \"yarn\": {  } }}}"),
        (
            json("{\"job\": {\"param\": {\"p\": 1}, \"run\": [\"{$0\"]}}", "param.p"),
            "{\"job\": {\"param\": {\"p\": 1}, \"run\": [\"{param.p}\"]}}",
        ),
        (yaml("job:\n  de$0\n", "deadline"), "job:\n  deadline: 1d\n"),
        (yaml("job:\n  $0\n  image: x\n", "deadline"), "job:\n  deadline: 1d\n  image: x\n"),
        (yaml("job:\n  restart: $0\n", "on-failure"), "job:\n  restart: on-failure\n"),
        (yaml("job:\n  restart:$0\n", "on-failure"), "job:\n  restart: on-failure\n"),
        (yaml("job:\n  restart: { $0 }\n", "policy"), "job:\n  restart: { policy: on-failure }\n"),
        (yaml("job:\n  ro$0\n", "role"), "job:\n  role:\n    chief:\n      \n"),
        (
            yaml("job:\n  framework: pytorch\n  role:\n    wo$0\n", "worker"),
            "job:\n  framework: pytorch\n  role:\n    worker:\n      \n",
        ),
        (yaml("job:\n  res$0\n", "resources"), "job:\n  resources: { cpus: 4, memory: 16GiB }\n"),
        (
            yaml("job:\n  param: {p: 1}\n  run: [a, \"{$0\"]\n", "param.p"),
            "job:\n  param: {p: 1}\n  run: [a, \"{param.p}\"]\n",
        ),
        (yaml("job:\n  workdir: {$0}\n", "scratch"), "job:\n  workdir: \"{scratch}\"\n"),
        (yaml("job:\n  workdir: {scr$0\n", "scratch"), "job:\n  workdir: \"{scratch}\"\n"),
        (yaml("job:\n  run: [a, --x={$0}]\n", "index"), "job:\n  run: [a, \"--x={index}\"]\n"),
        (yaml("job:\n  run:\n    - {$0}\n", "index"), "job:\n  run:\n    - \"{index}\"\n"),
        (yaml("job:\n  allow:\n    - $0\n", "feature"), "job:\n  allow:\n    - feature: gang\n"),
        (
            yaml("job:\n  data:\n    train: $0\n", "pvc://claim/train"),
            "job:\n  data:\n    train: \"pvc://claim/train\"\n",
        ),
        (yaml("job:\n  resources:\n    memory: 16$0\n", "16GiB"), "job:\n  resources:\n    memory: 16GiB\n"),
    ] {
        assert_eq!(got, wanted);
    }
    assert_eq!(in_text("a.tfjob.yaml", "job:\n$0    name: a\n"), [] as [&str; 0], "wrong indentation");
}

#[test]
fn an_editor_without_snippets_gets_plain_text() {
    let editor = Editor::with(&[], &json!({"capabilities": {}}));
    let all = items(&editor, "a.tfjob.kdl", "job \"a\" {\n    $0\n}\n");
    let text = |label: &str| {
        let item = all.iter().find(|item| item["label"] == label).expect(label);
        assert_eq!(item["insertTextFormat"], Value::Null);
        item["textEdit"]["newText"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(text("role"), "role \"chief\" count=1 {}");
    assert_eq!(text("deadline"), "deadline \"1d\"");
    assert_eq!(text("env"), "env {}");
    // The format of the documentation has its own capability.
    let kinds = |formats: &Value| {
        let item = json!({"documentationFormat": formats});
        let client = json!({"capabilities": {"textDocument": {"completion": {"completionItem": item}}}});
        let all = items(&Editor::with(&[], &client), "a.tfjob.kdl", "job \"a\" {\n    $0\n}\n");
        let kinds: BTreeSet<String> = all
            .iter()
            .map(|one| one["documentation"]["kind"].as_str().unwrap_or("text").to_owned())
            .collect();
        kinds.into_iter().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        (kinds(&json!([])), kinds(&json!(["plaintext", "markdown"]))),
        ("text".to_owned(), "markdown".to_owned())
    );
}

#[test]
fn names_of_other_systems_find_the_field() {
    let editor = Editor::new(&[]);
    let filter = |marked: &str, label: &str| {
        let all = items(&editor, "a.tfjob.kdl", marked);
        let item = all.iter().find(|item| item["label"] == label).expect(label);
        item["filterText"].as_str().unwrap_or(label).to_owned()
    };
    assert!(filter("job \"a\" { role \"w\" rep$0 }", "count").starts_with("replica"));
    assert_eq!(filter("job \"a\" { role \"w\" $0 }", "count"), "count");
    assert_eq!(filter("job \"a\" { resources gpu$0 }", "gpus"), "gpus");
    assert!(filter("job \"a\" { cpu$0 }", "resources").starts_with("cpu"));
    assert_eq!(filter("job \"a\" { replicas$0 }", "role"), "replicas");
    assert_eq!(filter("job \"a\" { rest$0 }", "restart"), "restart");
    assert!(filter("job \"a\" { restart \"unl$0\" }", "always").starts_with("unless-stopped"));
}
