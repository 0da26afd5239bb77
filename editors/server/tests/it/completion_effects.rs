//! What an accepted item does to a valid spec: it never causes an error that the server could have known.
use crate::completion::accept;
use crate::editor::texts::byte;
use crate::editor::{Editor, ROOT};
use crate::memory::check;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use tfjob_server::Options;

const KDL: &str = r#"job "a" {
    framework "tensorflow" version="2.15" strategy="multi-worker-mirrored"
    image "registry/a:1"
    description "a job"
    param "lr" 0.1
    data "train" "gs://bucket/train"
    checkpoints "gs://bucket/state" every="10m"
    env { LEVEL "info"; PATH "/opt:{env.PATH}"; }
    secret "TOKEN" from="store" key="token"
    run "python" "/a.py" "{data.train}" "--lr={param.lr}"
    restart "on-failure" limit=3
    resources cpus=1 memory="1GiB"
    role "worker" count=2 {
        ready tcp="rendezvous"
        workdir "/work"
        env { OWN "1"; }
    }
    helper "log" {
        image "registry/b:1"
        run "log" "--n={index}"
        port "web" 8080
        ready tcp="web"
    }
    tensorboard logs="gs://bucket/logs" {
        secrets "TOKEN"
        resources cpus=1 memory="1GiB"
    }
    allow "restart" on="kubernetes" because="it resumes"
    target "kubernetes" { namespace "ml"; }
}
"#;

const YAML: &str = r#"job:
  name: a
  framework: { name: "tensorflow", version: "2.15", strategy: "multi-worker-mirrored" }
  image: { name: "registry/a:1" }
  param: { lr: 0.1 }
  data: { train: { uri: "gs://bucket/train" } }
  checkpoints:
    uri: "gs://bucket/state"
    every: 10m
  env:
    LEVEL: info
    LONG: |
      a
      b
    FOLDED: >-
      a
      b
    PLAIN: a
      b
  secret: { TOKEN: { from: "store", key: "token" } }
  run: [python, "/a.py", "{data.train}", "--lr={param.lr}"]
  restart: { policy: "on-failure", limit: 3 }
  resources: { cpus: 1, memory: 1GiB }
  role:
    worker:
      count: 2
      ready: { tcp: "rendezvous" }
  helper:
    log:
      run: ["log"]
      port: { web: 8080 }
      ready: { tcp: web }
  tensorboard: { logs: "gs://bucket/logs", secrets: ["TOKEN"] }
  allow:
    - feature: restart
      on: kubernetes
      because: it resumes
  target: { kubernetes: { namespace: ml } }
"#;

const JSON: &str = r#"{"job": {
  "name": "a",
  "framework": {"name": "tensorflow", "version": "2.15", "strategy": "multi-worker-mirrored"},
  "image": {"name": "registry/a:1"},
  "param": {"lr": 0.1},
  "data": {"train": {"uri": "gs://bucket/train"}},
  "checkpoints": {"uri": "gs://bucket/state", "every": "10m"},
  "env": {"LEVEL": "info"},
  "secret": {"TOKEN": {"from": "store", "key": "token"}},
  "run": ["python", "/a.py", "{data.train}", "--lr={param.lr}"],
  "restart": {"policy": "on-failure", "limit": 3},
  "resources": {"cpus": 1, "memory": "1GiB"},
  "role": {"worker": {"count": 2, "ready": {"tcp": "rendezvous"}}},
  "helper": {"log": {"run": ["log"], "port": {"web": 8080}, "ready": {"tcp": "web"}}},
  "tensorboard": {"logs": "gs://bucket/logs", "secrets": ["TOKEN"]},
  "allow": [{"feature": "restart", "on": "kubernetes", "because": "it resumes"}],
  "target": {"kubernetes": {"namespace": "ml"}}
}}
"#;

/// Returns the number of findings of each code that an item must not cause.
fn findings(name: &str, text: &str) -> BTreeMap<&'static str, usize> {
    let path = Path::new(ROOT).join(name);
    let read = |other: &Path| (other == path).then(|| text.to_owned());
    let checked = check(&path, &Options::default(), &read).expect("a result");
    let wrong = |code: &str| {
        let kinds = ["wrong-type", "unknown-", "unexpected-", "shadowed-variable", "duplicate-"];
        kinds.iter().any(|kind| code.starts_with(kind))
    };
    let mut counts = BTreeMap::new();
    for one in checked.batch.diagnostics.iter().filter(|one| wrong(one.code.name)) {
        *counts.entry(one.code.name).or_default() += 1;
    }
    counts
}

/// Returns the bytes between the quotes of each string that is a value.
fn strings(text: &str) -> Vec<Range<usize>> {
    let quotes: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
    let all = quotes.chunks_exact(2).map(|pair| pair[0] + 1..pair[1]);
    let is_key = |range: &Range<usize>| text[range.end + 1..].starts_with(':');
    // A name on which other entries depend.
    let declares = |range: &Range<usize>| {
        let line = text[..range.start - 1].rsplit(['\n', ';', '{']).next().unwrap_or_default();
        ["job", "param", "data", "role", "helper", "port", "secret", "target", "framework", "\"name\":"]
            .contains(&line.trim())
    };
    all.filter(|range| !is_key(range) && !declares(range)).collect()
}

/// Accepts each item at a position. `valid`: the text before the string at the position was changed. `done`: the texts that were
/// checked.
fn accept_all(
    editor: &Editor,
    (name, valid): (&str, &str),
    text: &str,
    at: usize,
    done: &mut BTreeSet<String>,
) -> usize {
    let position = editor.open(name, &format!("{}$0{}", &text[..at], &text[at..]));
    let list = editor.at("textDocument/completion", name, position);
    let items = list["items"].as_array().cloned().unwrap_or_default();
    let (before, original) = (findings(name, text), findings(name, valid));
    for item in &items {
        let range: lsp_types::Range =
            serde_json::from_value(item["textEdit"]["range"].clone()).expect("a range");
        let place = format!("{} at {}$0{}", item["label"], &text[..at], &text[at..]);
        assert!(range.start.line == position.line && range.end.line == position.line, "{place}");
        assert!(byte(text, range.start) <= at && at <= byte(text, range.end), "{place}");
        let new = accept(text, item);
        if !done.insert(new.clone()) {
            continue;
        }
        for (code, count) in findings(name, &new) {
            let known = before.get(code).max(original.get(code)).copied().unwrap_or_default();
            assert!(count <= known, "{code}: {place}\n=>\n{new}");
        }
    }
    items.len()
}

fn each_string(name: &str, text: &str) {
    let editor = Editor::new(&[]);
    assert_eq!(findings(name, text), BTreeMap::new(), "{text}");
    let (mut accepted, mut done) = (0, BTreeSet::new());
    for range in strings(text) {
        accepted += accept_all(&editor, (name, text), text, range.start, &mut done);
        accepted += accept_all(&editor, (name, text), text, range.end, &mut done);
        for typed in ["", "{"] {
            let mut other = text.to_owned();
            other.replace_range(range.clone(), typed);
            accepted += accept_all(&editor, (name, text), &other, range.start + typed.len(), &mut done);
        }
    }
    assert!(accepted > 300, "only {accepted} items");
}

#[test]
fn an_item_in_a_string_of_kdl_causes_no_finding() {
    each_string("a.tfjob.kdl", KDL);
}

#[test]
fn an_item_in_a_string_of_yaml_causes_no_finding() {
    each_string("a.tfjob.yaml", YAML);
}

#[test]
fn an_item_in_a_string_of_json_causes_no_finding() {
    each_string("a.tfjob.json", JSON);
}

/// Values without quotes, and over several lines.
#[test]
fn an_item_in_a_plain_value_of_yaml_causes_no_finding() {
    let editor = Editor::new(&[]);
    for (before, typed) in [
        ("LONG: |\n      a", " {"),
        ("LONG: |\n      a\n      b", "{"),
        ("FOLDED: >-\n      a", " {"),
        ("PLAIN: a", " {"),
        ("PLAIN: a\n      b", " {"),
        ("LEVEL: info", "{"),
        ("feature: ", ""),
        ("      on: ", ""),
        ("tcp: ", ""),
        ("every: ", ""),
    ] {
        let at = YAML.find(before).expect(before) + before.len();
        let rest = if typed.is_empty() {
            &YAML[at + YAML[at..].find(['\n', ' ', '}']).expect("an end")..]
        } else {
            &YAML[at..]
        };
        let text = format!("{}{typed}{rest}", &YAML[..at]);
        let count =
            accept_all(&editor, ("a.tfjob.yaml", YAML), &text, at + typed.len(), &mut BTreeSet::new());
        // The later lines of a plain value have no items.
        assert!(count > 0 || before.starts_with("PLAIN: a\n"), "no items at {before}{typed}");
    }
}

fn labels(editor: &Editor, name: &str, marked: &str) -> Vec<String> {
    let position = editor.open(name, marked);
    let list = editor.at("textDocument/completion", name, position);
    let label = |item: &Value| item["label"].as_str().unwrap_or_default().to_owned();
    list["items"].as_array().expect("a list").iter().map(label).collect()
}

/// The values of an argument are the same in each format.
#[test]
fn an_argument_with_a_name_has_the_values_of_the_argument() {
    let editor = Editor::new(&[]);
    for (kdl, json, yaml) in [
        ("allow \"$0\"", "\"allow\": [{\"feature\": \"$0\"}]", "allow:\n    - feature: $0\n"),
        (
            "allow \"x\" on=\"$0\"",
            "\"allow\": [{\"on\": \"$0\"}]",
            "allow:\n    - feature: x\n      on: $0\n",
        ),
        ("restart \"$0\"", "\"restart\": {\"policy\": \"$0\"}", "restart: { policy: $0 }"),
        ("framework \"$0\"", "\"framework\": {\"name\": \"$0\"}", "framework:\n    name: $0"),
    ] {
        let wanted = labels(&editor, "a.tfjob.kdl", &format!("job \"a\" {{ {kdl}; }}\n"));
        assert!(!wanted.is_empty(), "{kdl}");
        assert_eq!(labels(&editor, "a.tfjob.json", &format!("{{\"job\": {{{json}}}}}")), wanted, "{json}");
        assert_eq!(labels(&editor, "a.tfjob.yaml", &format!("job:\n  {yaml}")), wanted, "{yaml}");
    }
}

#[test]
fn the_secrets_of_the_job_are_offered_to_tensorboard() {
    let editor = Editor::new(&[]);
    let of_job = KDL.replace("secrets \"TOKEN\"", "secrets \"$0\"");
    assert_eq!(labels(&editor, "a.tfjob.kdl", &of_job), ["TOKEN"]);
    let of_role = of_job.replace("    secret \"TOKEN\" from=\"store\" key=\"token\"\n", "");
    let of_role = of_role.replace("env { OWN \"1\"; }", "secret \"OWN\" from=\"store\" key=\"token\"");
    assert_eq!(labels(&editor, "b.tfjob.kdl", &of_role), ["OWN"]);
    let yaml = YAML.replace("secrets: [\"TOKEN\"]", "secrets: [\"$0\"]");
    assert_eq!(labels(&editor, "a.tfjob.yaml", &yaml), ["TOKEN"]);
}

/// A reference is offered if and only if it is valid at the place.
#[test]
fn the_references_of_each_place_are_offered() {
    let editor = Editor::new(&[]);
    for (old, new) in [
        ("logs=\"gs://bucket/logs\"", "logs=\"gs://bucket/@\""),
        ("run \"python\" \"/a.py\"", "run \"python\" \"/@\""),
        ("workdir \"/work\"", "workdir \"/@\""),
        ("run \"log\" \"--n={index}\"", "run \"log\" \"/@\""),
    ] {
        let text = KDL
            .replace(old, new)
            .replace("    tensorboard", "    code \"gs://bucket/code\"\n    tensorboard");
        let offered = labels(&editor, "a.tfjob.kdl", &text.replace('@', "{$0}"));
        for form in tfjob_lang::references::ALL.iter().flat_map(|one| one.forms) {
            let head = form.trim_matches(['{', '}']).split('.').next().unwrap_or_default();
            let name = match head {
                "data" => "train",
                "param" => "lr",
                "count" | "addresses" => "worker",
                "port" => "rendezvous",
                "env" => "TOKEN",
                _ => "none",
            };
            let form = form.replace("NAME", name).replace("ROLE", name);
            let is_valid = findings("a.tfjob.kdl", &text.replace('@', &form)).is_empty();
            let is_offered = offered.contains(&form.trim_matches(['{', '}']).to_owned());
            assert_eq!(is_offered, is_valid, "{form} at {new}: {offered:?}");
        }
    }
}
