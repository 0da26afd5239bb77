//! Hover.
use crate::editor::Editor;
use serde_json::{Value, json};

const JOB: &str = "// A job.
job \"mnist\" {
    framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"
    image \"ml/mnist:1.0\"
    param \"lr\" 0.001
    data \"train\" \"gs://datasets/mnist\"
    checkpoints \"gs://models/mnist\"
    run \"python\" \"/app/é.py\" \"😀 {data.train}\" \"--lr={param.lr}\" \"--of={count}\" \"--n={index}\"
    env { LOG_LEVEL \"{role}\"; }
    restart \"on-failure\" limit=3
    resources cpus=4 memory=\"16GiB\"
    role \"chief\"
    role \"worker\" count=4 {
        resources cpus=8 memory=\"32GiB\" gpus=2
    }
    role \"ps\" count=2
    allow \"restart\" because=\"it resumes\"
    target \"kubernetes\" {
        namespace \"ml\"
    }
}
";

fn markdown() -> Value {
    json!({"capabilities": {"textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}}}})
}

/// Returns the hover at the mark of a text; empty if there is none.
fn text(editor: &Editor, name: &str, marked: &str) -> String {
    let position = editor.open(name, marked);
    let hover = editor.at("textDocument/hover", name, position);
    hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

/// Marks the first occurrence of a text: `"memory=$0"`.
fn marked(job: &str, mark: &str) -> String {
    let plain = mark.replace("$0", "");
    assert!(job.contains(&plain), "{mark}");
    job.replacen(&plain, mark, 1)
}

#[test]
fn a_name_or_value_has_its_description() {
    let editor = Editor::with(&[], &markdown());
    for (mark, wanted) in [
        ("jo$0b \"mnist\"", "```kdl\njob NAME { … }\n```"),
        ("job \"mn$0ist\"", "a DNS label"),
        ("frame$0work", "strategy"),
        ("\"tensor$0flow\"", "**`\"tensorflow\"`**"),
        ("vers$0ion=", "a version, such as"),
        ("\"2.1$05\"", "Framework version"),
        ("strategy=\"param$0", "**`\"parameter-server\"`**"),
        ("im$0age \"ml", "Container image."),
        ("image \"ml/mn$0ist", "registry/repository:tag@digest"),
        ("par$0am \"lr\"", "Parameter of the job."),
        ("param \"l$0r\"", "Parameter of the job"),
        ("\"lr\" 0.0$001", "Default value."),
        ("ru$0n \"python", "Program and its arguments"),
        ("\"pyt$0hon\"", "a list of strings"),
        ("LOG_$0LEVEL", "Environment variables of the tasks"),
        ("restart \"on-fail$0ure\"", "**`\"on-failure\"`**"),
        ("lim$0it=3", "Maximum number of restarts. Default: unlimited."),
        ("limit=$03", "an integer from 1 to 10000"),
        ("memory=\"16G$0iB\"", "a size in `KiB`"),
        ("cpus=$04", "in increments of 0.1"),
        ("role \"chi$0ef\"", "coordinates the training"),
        ("ro$0le \"worker\"", "Fields: `count`"),
        ("cou$0nt=4", "Default: `1`"),
        ("allow \"rest$0art\"", "`restart`: Restart after"),
        ("becau$0se=", "Reason why the job can run"),
        ("target \"kuber$0netes\"", "TFJob"),
        ("tar$0get \"kub", "Options of one target."),
        ("name$0space", "amespace"),
    ] {
        let found = text(&editor, "a.tfjob.kdl", &marked(JOB, mark));
        assert!(found.contains(wanted), "{mark}: {found}");
    }
}

#[test]
fn nothing_is_said_where_nothing_is() {
    let editor = Editor::with(&[], &markdown());
    for mark in ["// A $0job", "{ LOG_LEVEL \"{role}\";$0 }", "\"ml/mnist:1.0\"\n$0"] {
        assert_eq!(text(&editor, "a.tfjob.kdl", &marked(JOB, mark)), "", "{mark}");
    }
    let found = text(&editor, "b.tfjob.kdl", "job \"a\" { unkno$0wn }");
    assert!(found.starts_with("`unknown-node`: "), "{found}");
}

#[test]
fn a_text_with_errors_has_descriptions_too() {
    let editor = Editor::with(&[], &markdown());
    for (broken, wanted) in [
        ("job \"a\" {\n  role \"w\" cou$0nt=", "Number of tasks."),
        ("job \"a\" {\n  resources cp$0us=1 memory=\n  role", "CPU cores"),
        ("job \"a\" { restart \"on-fail$0ure", "**`\"on-failure\"`**"),
        ("job \"a\" { target \"yarn\" { que$0ue", "ueue"),
        ("role \"w\" { run \"x$0\" }", ""),
        ("job \"a\" { framework \"tensorflow\"; role \"wor$0ker\" {", "trains the model"),
        ("job \"a\" { data \"t\" \"gs://x\"; run \"{data.t$0}\"", "Path of the data if it is mounted"),
        ("job \"a\" { run \"{inde$0x\" }", "Program and its arguments"),
    ] {
        let found = text(&editor, "a.tfjob.kdl", broken);
        assert!(found.contains(wanted), "{broken}: {found}");
    }
}

#[test]
fn a_reference_has_its_value() {
    let editor = Editor::with(&[], &markdown());
    for (mark, wanted) in [
        ("{data.tr$0ain}", "Value: `gs://datasets/mnist`"),
        (
            "{data.tr$0ain}",
            "`data \"train\" \"gs://datasets/mnist\"` ([line 6](file:///project/a.tfjob.kdl#L6))",
        ),
        ("{par$0am.lr}", "Value: `0.001`"),
        ("{param.lr$0}", "([line 5]"),
        ("{cou$0nt}", "Value: `7`"),
        ("$0{index}", "- kubernetes chief:0, kubernetes worker:0, kubernetes ps:0: `0`"),
        ("\"{ro$0le}\"", "- kubernetes worker:0: `worker`"),
    ] {
        let found = text(&editor, "a.tfjob.kdl", &marked(JOB, mark));
        assert!(found.contains(wanted), "{mark}: {found}");
    }
}

#[test]
fn support_is_that_of_this_job() {
    let editor = Editor::with(&[], &markdown());
    for (mark, wanted) in [
        ("gp$0us=2", "- kubernetes: native"),
        ("gpus=$02", "Other targets: "),
        ("rest$0art \"on-failure\"", "(accepted: \"it resumes\")"),
        ("name$0space", ""),
    ] {
        let found = text(&editor, "a.tfjob.kdl", &marked(JOB, mark));
        assert!(found.contains(wanted), "{mark}: {found}");
    }
    // A secret of another file is not shown.
    let whole = text(&editor, "a.tfjob.kdl", &marked(JOB, "role \"wor$0ker\""));
    assert!(!whole.contains("namespace"), "{whole}");
}

#[test]
fn inherited_values_have_their_source() {
    let base = "job {\n    env { API_TOKEN \"a1b2c3d4e5f6a7b8\"; }\n    image \"ml/a:1\"\n    resources cpus=1 memory=\"1GiB\"\n}\n";
    let spec = "extends \"base.tfjob.kdl\"\njob \"a\" {\n    framework \"tensorflow\" version=\"2.15\"\n    run \"python\" \"/a.py\"\n    role \"worker\" {\n        workdir \"/x\"\n    }\n    target \"kubernetes\" {}\n}\n";
    let editor = Editor::with(&[("base.tfjob.kdl", base)], &markdown());
    for mark in ["role \"wor$0ker\"", "ro$0le \"worker\""] {
        let found = text(&editor, "a.tfjob.kdl", &marked(spec, mark));
        for wanted in [
            "- `resources cpus=1 memory=\"1GiB\"` ([base.tfjob.kdl:4](file:///project/base.tfjob.kdl#L4))",
            "- `image \"ml/a:1\"` ([base.tfjob.kdl:3]",
            "- `run \"python\" \"/a.py\"` ([line 4]",
            "API_TOKEN",
        ] {
            assert!(found.contains(wanted), "{mark}: {wanted}: {found}");
        }
        assert!(!found.contains("a1b2c3d4") && !found.contains("workdir \"/x\""), "{found}");
    }
}

#[test]
fn an_editor_without_markdown_gets_plain_text() {
    let editor = Editor::new(&[]);
    let position = editor.open("a.tfjob.kdl", &marked(JOB, "cou$0nt=4"));
    let hover = editor.at("textDocument/hover", "a.tfjob.kdl", position);
    assert_eq!(hover["contents"]["kind"], "plaintext");
    let text = hover["contents"]["value"].as_str().expect("a text");
    assert!(text.starts_with("count=NUMBER\n\nNumber of tasks.") && !text.contains('`'), "{text}");
    assert_eq!(hover["range"]["start"], json!({"line": 12, "character": 18}));
}

#[test]
fn a_finding_has_the_first_paragraph_of_its_page() {
    let editor = Editor::with(&[], &markdown());
    let found = text(&editor, "a.tfjob.kdl", &JOB.replace("count=4", "count=$00"));
    assert!(found.contains("Number of tasks.") && found.contains("\n---\n"), "{found}");
    let found = text(&editor, "b.tfjob.kdl", &JOB.replace("count=4", "cu$0nt=4"));
    assert!(found.contains("`unknown-property`: "), "{found}");
}

#[test]
fn cluster_and_project_files_have_descriptions() {
    let editor = Editor::with(&[], &markdown());
    let cluster =
        "cluster \"east\" target=\"yarn\" {\n    nodes \"gpu\" count=2 cp$0us=64 memory=\"512GiB\"\n}\n";
    let found = text(&editor, "east.cluster.kdl", cluster);
    assert!(found.contains("cpus"), "{found}");
}

#[test]
fn explain_returns_the_page() {
    let editor = Editor::new(&[]);
    let page = editor.request("tfjob/explain", &json!({"topic": "unsupported-feature"})).expect("a page");
    assert!(page["markdown"].as_str().is_some_and(|text| text.contains("```kdl")), "{page}");
    assert!(page["text"].as_str().is_some_and(|text| !text.contains("```")), "{page}");
    assert!(editor.request("tfjob/explain", &json!({"topic": "x"})).is_err());
}

/// Several blocks have a field with the name `memory` or `queue`.
#[test]
fn explain_begins_with_the_field_at_the_cursor() {
    let editor = Editor::new(&[]);
    for (marked, topic, wanted) in [
        ("job \"a\" { resources cpus=1 mem$0ory=\"1GiB\"; }", "memory", "resources.memory"),
        ("job \"a\" { resources cpus=1 memory=\"1G$0iB\"; }", "memory", "resources.memory"),
        ("job \"a\" { target \"yarn\" { qu$0eue \"ml\"; }; }", "queue", "yarn.queue"),
        ("job \"a\" { res$0tart \"never\"; }", "unsupported-feature", "unsupported-feature"),
    ] {
        let position = editor.open("a.tfjob.kdl", marked);
        let params = json!({"topic": topic, "uri": Editor::uri("a.tfjob.kdl"), "position": position});
        let page = editor.request("tfjob/explain", &params).expect("a page");
        assert_eq!(page["topic"], wanted, "{marked}");
    }
}

const YAML: &str = "# A job.
job:
  name: mnist
  framework: { name: tensorflow, version: \"2.15\", strategy: multi-worker-mirrored }
  image: ml/mnist:1.0
  data: { train: \"gs://datasets/mnist\" }
  restart: on-failure
  env:
    LOG_LEVEL: \"😀 {data.train}\"
  resources: { cpus: 4, memory: 16GiB }
  role:
    worker:
      count: 2
      run: [python, \"/a.py\", \"--data={data.train}\"]
  target:
    kubernetes: { namespace: ml }
";

#[test]
fn json_and_yaml_have_the_same_descriptions() {
    let editor = Editor::with(&[], &markdown());
    for (mark, wanted) in [
        ("na$0me: mnist", "a DNS label"),
        ("tensor$0flow", "**`\"tensorflow\"`**"),
        ("ver$0sion", "Framework version"),
        ("ima$0ge: ml", "Container image."),
        ("image: ml/mn$0ist", "registry/repository:tag@digest"),
        ("restart: on-fail$0ure", "**`\"on-failure\"`**"),
        ("restart: on-fail$0ure", "- kubernetes: "),
        ("rest$0art: on", "- kubernetes: "),
        ("reso$0urces: {", "- kubernetes: native"),
        ("cpu$0s: 4", "CPU cores"),
        ("cpu$0s: 4", "- kubernetes: native"),
        ("cpus: $04", "- kubernetes: native"),
        ("wor$0ker:", "trains the model"),
        ("wor$0ker:", "`resources: { cpus: 4, memory: 16GiB }` ([line 10]"),
        ("cou$0nt: 2", "Number of tasks."),
        ("count: $02", "Number of tasks."),
        ("kuber$0netes", "TFJob"),
        ("LOG_$0LEVEL", "Environment variables"),
        ("😀 {data.tr$0ain}", "Value: `gs://datasets/mnist`"),
        ("--data={da$0ta.train}", "([line 6]"),
    ] {
        let found = text(&editor, "a.tfjob.yaml", &marked(YAML, mark));
        assert!(found.contains(wanted), "{mark}: {wanted}: {found}");
    }
    let json = "{\"job\": {\"name\": \"a\", \"role\": {\"worker\": {\"count\": 2, \"resources\": {\"cp$0us\": 1}}}}}";
    assert!(text(&editor, "a.tfjob.json", json).contains("CPU cores"));
    for broken in ["job:\n  role:\n    worker:\n      cou$0nt:", "job: {role: {worker: {cou$0nt: 2"] {
        assert!(text(&editor, "b.tfjob.yaml", broken).contains("Number of tasks."), "{broken}");
    }
}

#[test]
fn the_targets_of_all_environments_are_shown() {
    let project = "project {\n    environment \"a\" { target \"local\"; }\n    environment \"b\" { target \"kubernetes\"; }\n}\n";
    let editor = Editor::with(&[("tfjob.kdl", project)], &markdown());
    let shown = text(&editor, "a.tfjob.kdl", &marked(JOB, "restart \"on-fail$0ure\""));
    let others = shown.split_once("Other targets").expect(&shown).1;
    assert!(!others.contains("local") && !others.contains("kubernetes"), "{shown}");
    let shown = text(&editor, "a.tfjob.kdl", &marked(JOB, "{index$0}"));
    assert!(shown.contains("local") && shown.contains("kubernetes"), "{shown}");
}
