//! Completion of values that fit the targets, the names, and the files of a job.
use crate::completion::{accept, items, labels};
use crate::editor::{Editor, ROOT};
use crate::memory::check;
use std::path::Path;
use tfjob_server::Options;

/// Returns the text of the line at the mark after the item with this label is accepted.
fn accepted(editor: &Editor, name: &str, marked: &str, label: &str) -> String {
    let all = items(editor, name, marked);
    let item = all.iter().find(|item| item["label"] == label);
    let item = item.unwrap_or_else(|| panic!("{label} at {marked}: {:?}", labels(&all)));
    let line = marked.split("$0").next().unwrap_or_default().matches('\n').count();
    let text = accept(&marked.replacen("$0", "", 1), item);
    text.lines().nth(line).unwrap_or_default().trim().to_owned()
}

fn job(target: &str, marked: &str) -> String {
    format!("job \"a\" {{\n    framework \"tensorflow\"\n    target \"{target}\"\n    {marked}\n}}\n")
}

#[test]
fn examples_are_in_the_storage_of_the_targets() {
    let editor = Editor::new(&[]);
    let node = |target: &str, label: &str| accepted(&editor, "a.tfjob.kdl", &job(target, "$0"), label);
    for (target, scheme) in
        [("kubernetes", "gs://bucket/"), ("local", "gs://bucket/"), ("yarn", "hdfs://default/")]
    {
        assert_eq!(node(target, "data"), format!("data \"train\" \"{scheme}train\""));
        assert_eq!(node(target, "checkpoints"), format!("checkpoints \"{scheme}checkpoints\""));
        assert_eq!(node(target, "tensorboard"), format!("tensorboard logs=\"{scheme}logs\""));
        let values = labels(&items(&editor, "a.tfjob.kdl", &job(target, "data \"x\" \"$0\"")));
        assert!(
            values.first().is_some_and(|first| first.starts_with("hdfs:") == (target == "yarn")),
            "{values:?}"
        );
    }
    let hadoop = job("kubernetes", "hadoop home=\"/h\" java=\"/j\"\n    $0");
    assert!(accepted(&editor, "a.tfjob.kdl", &hadoop, "checkpoints").contains("hdfs://"));
    let both = job("kubernetes", "target \"yarn\"\n    $0");
    assert!(accepted(&editor, "a.tfjob.kdl", &both, "checkpoints").contains("hdfs://"));
    // In the other formats too.
    let yaml = "job:\n  target: { kubernetes: {} }\n  $0\n";
    assert!(accepted(&editor, "a.tfjob.yaml", yaml, "checkpoints").contains("gs://bucket/checkpoints"));
}

#[test]
fn the_logs_are_those_of_the_checkpoints() {
    let editor = Editor::new(&[]);
    let text = job("yarn", "checkpoints \"hdfs://default/x\"\n    $0");
    let logs = "tensorboard logs=\"{checkpoints}\"";
    assert_eq!(accepted(&editor, "a.tfjob.kdl", &text, "tensorboard"), logs);
    let property = text.replace("$0", "tensorboard $0");
    assert_eq!(accepted(&editor, "a.tfjob.kdl", &property, "logs"), logs);
}

#[test]
fn values_that_are_replaced_stay_as_they_are() {
    let base = "job \"b\" {\n    checkpoints \"hdfs://default/base\"\n    target \"kubernetes\"\n}\n";
    let editor = Editor::new(&[("base.tfjob.kdl", base)]);
    let text = "extends \"base.tfjob.kdl\"\njob \"a\" {\n    $0\n}\n";
    let line = accepted(&editor, "a.tfjob.kdl", text, "checkpoints");
    assert_eq!(line, "checkpoints \"hdfs://default/base\"");
}

#[test]
fn a_value_of_the_user_stays_as_it_is() {
    let editor = Editor::new(&[]);
    let text = "job:\n  target: { kubernetes: {} }\n  checkpoints: hdfs://default/mine$0\n";
    let line = accepted(&editor, "a.tfjob.yaml", text, "{ … }");
    assert!(line.contains("hdfs://default/mine"), "{line}");
}

#[test]
fn a_job_and_a_cluster_have_the_name_of_their_file() {
    let editor = Editor::new(&[]);
    assert_eq!(accepted(&editor, "My_ps.tfjob.kdl", "$0", "job"), "job \"my-ps\" {");
    assert!(accepted(&editor, "gpu.cluster.kdl", "$0", "cluster").starts_with("cluster \"gpu\" "));
    assert_eq!(labels(&items(&editor, "ps.tfjob.kdl", "job \"$0\" {}\n")), ["ps"]);
}

#[test]
fn files_of_tfjob_are_no_data() {
    let files = [
        ("a.tfjob.kdl", ""),
        ("b.cluster.yaml", ""),
        ("tfjob.kdl", ""),
        ("train.csv", ""),
        ("images/1.png", ""),
    ];
    let editor = Editor::new(&files);
    let all = labels(&items(&editor, "a.tfjob.kdl", &job("local", "data \"x\" \"$0\"")));
    assert_eq!(all[..2], ["./images/", "./train.csv"]);
    assert!(!all.iter().any(|path| path.contains(".kdl") || path.contains(".cluster.")), "{all:?}");
}

#[test]
fn a_probe_has_only_ports_that_exist() {
    let editor = Editor::new(&[]);
    let role = |more: &str| {
        let text = job("local", &format!("role \"worker\" {{\n        {more}\n    }}"));
        labels(&items(&editor, "a.tfjob.kdl", &text))
    };
    assert_eq!(role("ready tcp=\"$0\""), ["rendezvous"]);
    assert_eq!(role("port \"own\" 80; ready tcp=\"$0\""), ["own", "rendezvous"]);
    let ready = |block: &str, port: &str| {
        let marked = job("local", &format!("{block} {{\n        {port}$0\n    }}"));
        accepted(&editor, "a.tfjob.kdl", &marked, "ready")
    };
    assert_eq!(ready("role \"worker\"", ""), "ready tcp=\"rendezvous\"");
    assert_eq!(ready("helper \"log\"", "port \"web\" 80; "), "port \"web\" 80; ready tcp=\"web\"");
    // A helper has no port of the rendezvous.
    let without = ready("helper \"log\"", "");
    assert!(
        without.starts_with("ready ") && !without.contains("tcp") && !without.contains("http"),
        "{without}"
    );
}

/// Also while the name is empty, so that the spec has another error.
#[test]
fn the_features_that_an_allow_needs_come_first() {
    let editor = Editor::new(&[]);
    let spec = |allow: &str| {
        format!(
            "job \"a\" {{\n    framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\n    image \"r/a:1\"\n    run \"x\"\n    resources cpus=1 memory=\"1GiB\"\n    restart \"on-failure\" limit=3\n    role \"worker\" count=2\n    target \"kubernetes\"\n    {allow}\n}}\n"
        )
    };
    let yaml = |allow: &str| {
        format!(
            "job:\n  name: a\n  framework: {{ name: tensorflow, version: \"2.15\", strategy: multi-worker-mirrored }}\n  image: r/a:1\n  run: [x]\n  resources: {{ cpus: 1, memory: 1GiB }}\n  restart: {{ policy: on-failure, limit: 3 }}\n  role: {{ worker: {{ count: 2 }} }}\n  target: {{ kubernetes: {{}} }}\n  allow:\n    - {allow}\n"
        )
    };
    for (name, marked) in [
        ("a.tfjob.kdl", spec("allow $0")),
        ("b.tfjob.kdl", spec("allow \"$0")),
        ("c.tfjob.kdl", spec("allow \"$0\"")),
        ("d.tfjob.kdl", spec("allow \"re$0\" on=\"kubernetes\"")),
        ("a.tfjob.yaml", yaml("feature: $0")),
        ("b.tfjob.yaml", yaml("feature: \"$0\"")),
    ] {
        let all = labels(&items(&editor, name, &marked));
        assert_eq!(all.first().map(String::as_str), Some("restart"), "{marked}: {all:?}");
    }
}

/// A disabled part is like a comment.
#[test]
fn nothing_is_completed_in_a_disabled_part() {
    let editor = Editor::new(&[]);
    for role in ["role \"w\" /-co$0", "role \"w\" /- count=$0", "role \"w\" /-{ re$0; }"] {
        let all = labels(&items(&editor, "a.tfjob.kdl", &job("local", role)));
        assert_eq!(all, [] as [&str; 0], "{role}");
    }
    for role in ["role \"w\" /-count=1 mi$0", "/-role \"w\" co$0"] {
        let all = labels(&items(&editor, "a.tfjob.kdl", &job("local", role)));
        assert!(all.iter().any(|label| label == "min" || label == "count"), "{role}: {all:?}");
    }
}

#[test]
fn choices_of_placeholders_are_described() {
    let editor = Editor::new(&[]);
    let described = |marked: &str, label: &str| {
        let all = items(&editor, "a.tfjob.kdl", marked);
        let item = all.iter().find(|item| item["label"] == label).expect(label);
        item["documentation"].to_string()
    };
    for (marked, label, wanted) in [
        ("job \"a\" {\n    $0\n}\n", "target", "- kubernetes: a TFJob"),
        ("job \"a\" {\n    $0\n}\n", "role", "- worker: "),
        ("job \"a\" {\n    $0\n}\n", "framework", "- mirrored: "),
        ("job \"a\" {\n    $0\n}\n", "restart", "- on-failure: "),
        ("job \"a\" {\n    framework \"tensorflow\" $0\n}\n", "strategy", "- single: "),
    ] {
        let found = described(marked, label);
        assert!(found.contains(wanted), "{label}: {found}");
    }
}

/// A field that the target ignores would be a warning.
#[test]
fn a_cluster_file_offers_only_fields_that_its_target_uses() {
    let editor = Editor::new(&[]);
    for target in tfjob_targets::REGISTRY.targets {
        let mut offered = Vec::new();
        for block in [
            "$0",
            "nodes \"n\" count=1 cpus=8 memory=\"8GiB\" $0",
            "nodes \"n\" count=1 cpus=8 memory=\"8GiB\" {\n    $0\n}",
            "queue \"q\" $0",
        ] {
            let marked = format!("cluster \"c\" target=\"{}\" {{\n{block}\n}}\n", target.name());
            for item in items(&editor, "a.cluster.kdl", &marked) {
                let text = accept(&marked.replace("$0", ""), &item);
                let read = |_: &Path| Some(text.clone());
                let path = Path::new(ROOT).join("a.cluster.kdl");
                let checked = check(&path, &Options::default(), &read).expect("a cluster file");
                // A `queue` that the target ignores covers the fields in it.
                let found = checked.batch.diagnostics.iter().filter(|one| one.code.name == "unused-option");
                let found: Vec<&str> = found.map(|one| one.message.as_str()).collect();
                assert!(found.is_empty() || block.starts_with("queue"), "{text}{found:?}");
                offered.extend(item["label"].as_str().map(str::to_owned));
            }
        }
        let has_domain = offered.iter().any(|label| label == "dns-domain");
        assert_eq!(has_domain, target.name() == "yarn", "{}: {offered:?}", target.name());
        assert!(offered.iter().any(|label| label == "limits"), "{offered:?}");
    }
}

/// The settings that the target knows, without those that the block has already.
#[test]
fn the_settings_of_a_target_are_offered() {
    let editor = Editor::new(&[]);
    let kdl = "job \"a\" {\n    target \"spark\" { conf { spark.driver.cores \"2\"; $0; }; }\n}\n";
    let yaml = "job:\n  target:\n    spark:\n      conf:\n        spark.driver.cores: \"2\"\n        $0\n";
    for (name, marked) in [("a.tfjob.kdl", kdl), ("a.tfjob.yaml", yaml)] {
        let all = labels(&items(&editor, name, marked));
        let settings = tfjob_targets::REGISTRY.target("spark").expect("a target").settings("conf");
        assert!(settings.len() > 50, "{settings:?}");
        let wanted: Vec<&str> = settings.into_iter().filter(|key| *key != "spark.driver.cores").collect();
        assert_eq!(all, wanted, "{name}");
    }
    let env = labels(&items(&editor, "b.tfjob.kdl", &job("spark", "env { $0; }")));
    assert_eq!(env, [] as [&str; 0]);
    let memory = accepted(&editor, "a.tfjob.kdl", kdl, "spark.driver.memoryOverhead");
    assert!(memory.contains("spark.driver.memoryOverhead \""), "{memory}");
}
