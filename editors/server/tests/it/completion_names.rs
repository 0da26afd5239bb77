//! Completion of names in other files: base files, the cluster file, and the project.
use crate::completion::{items, labels};
use crate::editor::Editor;
use serde_json::json;

#[test]
fn names_come_from_bases_and_paths_from_the_project() {
    let base = "job {\n    param \"lr\" 0.1\n    data \"train\" \"hdfs://default/x\"\n}\n";
    let files = [
        ("shared/base.tfjob.kdl", base),
        ("jobs/base.tfjob.kdl", base),
        ("jobs/b.tfjob.kdl", "job \"b\" {}\n"),
        ("c.cluster.kdl", ""),
    ];
    let editor = Editor::new(&files);
    let spec = "extends \"base.tfjob.kdl\"\njob \"a\" {\n    run \"a\" \"{$0\"\n}\n";
    let all = labels(&items(&editor, "jobs/a.tfjob.kdl", spec));
    assert!(all.contains(&"param.lr".to_owned()) && all.contains(&"data.train".to_owned()), "{all:?}");
    let all = labels(&items(&editor, "jobs/d.tfjob.kdl", "extends \"$0\"\n"));
    assert!(
        all.starts_with(&["base.tfjob.kdl".to_owned(), "a.tfjob.kdl".to_owned(), "b.tfjob.kdl".to_owned()]),
        "{all:?}"
    );
    assert!(
        all.contains(&"../shared/base.tfjob.kdl".to_owned())
            && !all.iter().any(|path| path.contains("cluster")),
        "{all:?}"
    );
    let all =
        labels(&items(&editor, "tfjob.kdl", "project {\n    environment \"x\" { cluster \"$0\"; }\n}\n"));
    assert_eq!(all, ["c.cluster.kdl"]);
}

/// An editor without directories may have opened a file of a home directory.
#[test]
fn without_a_directory_of_the_workspace_only_files_next_to_the_document_are_offered() {
    let files = [
        ("base.tfjob.kdl", "job {}\n"),
        ("c.cluster.kdl", ""),
        ("x.py", ""),
        ("inner/deep.tfjob.kdl", "job {}\n"),
    ];
    let editor = Editor::with(&files, &json!({"capabilities": {}, "workspaceFolders": []}));
    assert_eq!(labels(&items(&editor, "a.tfjob.kdl", "extends \"$0\"\n")), ["base.tfjob.kdl"]);
}

#[test]
fn the_cluster_file_of_the_project_names_its_queues_and_gpus() {
    let cluster = "cluster \"east\" target=\"yarn\" {
    nodes \"big\" count=2 cpus=8 memory=\"64GiB\" gpus=8 gpu-model=\"a100\" partition=\"gpu\" {
        node \"disk\" \"ssd\"
        device \"rdma/hca\" 1
    }
    queue \"ml\"
    queue \"dev\"
    registry \"registry.example.com\"
    shared \"file:///mnt/nfs\"
}
";
    let editor = Editor::new(&[("all.cluster.kdl", cluster)]);
    let head = "job \"a\" {\n    framework \"pytorch\"\n    target \"yarn\" {}\n";
    for (marked, wanted) in [
        ("resources cpus=1 gpu-model=\"$0\"", "a100"),
        ("resources cpus=1 memory=\"1GiB\" { device \"$0\" 1; }", "rdma/hca"),
        ("placement { partition \"$0\"; }", "gpu"),
        ("placement { node \"$0\"; }", "disk"),
        ("placement { node \"disk\" \"$0\"; }", "ssd"),
        ("image \"$0\"", "registry.example.com/"),
        ("checkpoints \"$0\"", "file:///mnt/nfs"),
        ("target \"yarn\" { queue \"$0\"; }", "dev"),
    ] {
        let all = labels(&items(&editor, "a.tfjob.kdl", &format!("{head}    {marked}\n}}\n")));
        assert!(all.contains(&wanted.to_owned()), "{wanted} at {marked}: {all:?}");
    }
    let all = labels(&items(&editor, "b.cluster.kdl", "cluster \"b\" target=\"yarn\" {\n    $0\n}\n"));
    assert!(all.contains(&"yarn".to_owned()) && !all.contains(&"kubernetes".to_owned()), "{all:?}");
}

#[test]
fn values_of_other_files_show_no_credentials() {
    let base = "job {\n    env { API_TOKEN \"hunter2hunter2\"; PLAIN \"x\"; }\n    param \"password\" \"s3cr3t-a1b2c3\"\n}\n";
    let editor = Editor::new(&[("base.tfjob.kdl", base)]);
    let head = "extends \"base.tfjob.kdl\"\njob \"a\" {\n    framework \"pytorch\"\n";
    for marked in
        ["run \"a\" \"{$0\"", "env { $0 }", "env { API_TOKEN \"$0\"; }", "param \"password\" \"$0\""]
    {
        let all = items(&editor, "a.tfjob.kdl", &format!("{head}    {marked}\n}}\n"));
        let text = json!(all).to_string();
        assert!(!text.contains("hunter2") && !text.contains("s3cr3t"), "{marked}: {text}");
    }
    let editor = Editor::new(&[("all.cluster.kdl", CLUSTER)]);
    let head = "job \"a\" {\n    framework \"pytorch\"\n    target \"yarn\" {}\n";
    for (marked, wanted) in VALUES {
        let all = items(&editor, "a.tfjob.kdl", &format!("{head}    {marked}\n}}\n"));
        let text = json!(all).to_string();
        let is_hidden = ["hunter2", "ghp_", "AKIA"].iter().all(|secret| !text.contains(secret));
        assert!(is_hidden && labels(&all).contains(&(*wanted).to_owned()), "{marked}: {text}");
    }
}

/// Credentials in each value that a spec may take from its cluster file.
const CLUSTER: &str = "cluster \"east\" target=\"yarn\" {
    nodes \"a\" count=2 cpus=8 memory=\"64GiB\" gpus=8 gpu-model=\"ghp_a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6a7b8\" partition=\"AKIAIOSFODNN7EXAMPLE\" {
        node \"AKIAIOSFODNN7EXAMPLE\" \"x\"
        node \"disk\" \"ghp_a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6a7b8\"
        device \"AKIAIOSFODNN7EXAMPLE/x\" 1
    }
    nodes \"b\" count=2 cpus=8 memory=\"64GiB\" gpus=8 gpu-model=\"a100\" partition=\"gpu\" {
        node \"disk\" \"ssd\"
        device \"rdma/hca\" 1
    }
    queue \"AKIAIOSFODNN7EXAMPLE\"
    queue \"dev\"
    registry \"registry.example.com/ghp_a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6a7b8\"
    registry \"registry.example.com\"
    shared \"file:///mnt/ghp_a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6a7b8\"
    shared \"file:///mnt/nfs\"
}
";

/// Places of a spec, each with the value that is no credential.
const VALUES: &[(&str, &str)] = &[
    ("resources cpus=1 gpu-model=\"$0\"", "a100"),
    ("resources cpus=1 memory=\"1GiB\" { device \"$0\" 1; }", "rdma/hca"),
    ("placement { partition \"$0\"; }", "gpu"),
    ("placement { node \"$0\"; }", "disk"),
    ("placement { node \"disk\" \"$0\"; }", "ssd"),
    ("image \"$0\"", "registry.example.com/"),
    ("checkpoints \"$0\"", "file:///mnt/nfs"),
    ("target \"yarn\" { queue \"$0\"; }", "dev"),
];

#[test]
fn features_that_a_target_does_not_support_come_first() {
    let editor = Editor::new(&[]);
    let text = "job \"a\" {
    framework \"tensorflow\" version=\"2.15\"
    image \"registry/team/a:1\"
    resources cpus=1 memory=\"1GiB\"
    run \"python\" \"/a.py\"
    restart \"on-failure\" limit=3
    role \"worker\" {}
    target \"kubernetes\" {}
    MARK
}
";
    editor.open("a.tfjob.kdl", &text.replace("MARK", ""));
    let told = editor.told("a.tfjob.kdl");
    assert!(told.iter().any(|one| one.contains("unsupported-feature")), "{told:?}");
    let all = labels(&items(&editor, "a.tfjob.kdl", &text.replace("MARK", "allow \"$0\"")));
    assert_eq!(all.first().map(String::as_str), Some("restart"), "{told:?}: {all:?}");
}

#[test]
fn findings_are_published_although_completion_checked_the_document_first() {
    let editor = Editor::new(&[]);
    let position = editor.open("a.tfjob.kdl", "job \"a\" {\n    cuont 1\n}\n");
    // Not in the list of the specs on disk, so this request checks the document.
    editor.at("textDocument/completion", "a.tfjob.kdl", position);
    let told = editor.told("a.tfjob.kdl");
    assert!(told.iter().any(|one| one.contains("cuont")), "{told:?}");
}

#[test]
fn files_next_to_the_spec_and_variables_of_its_tasks_are_offered() {
    let editor =
        Editor::new(&[("src/a.py", ""), ("src/lib/b.py", ""), ("train.py", ""), ("../secret.txt", "")]);
    let job = |marked: &str| {
        let head = "job \"a\" {\n    framework \"pytorch\"\n    data \"train-set\" \"s3://a/b\"\n    env { LOG_LEVEL \"info\"; }\n    secret \"TOKEN\" from=\"store\" key=\"token\"\n";
        labels(&items(&editor, "a.tfjob.kdl", &format!("{head}    {marked}\n    role \"worker\" {{}}\n}}\n")))
    };
    for (marked, wanted) in [
        ("code \"$0\"", "./src/"),
        ("code \"./$0\"", "./train.py"),
        ("code \"./src/l$0\"", "./src/lib/"),
        ("files \"venv\" \"./src/$0", "./src/a.py"),
        ("data \"x\" \"./$0\"", "./src/"),
        ("run \"a\" \"{env.$0\"", "env.TOKEN"),
        ("shell \"echo $TF$0\"", "TFJOB_DATA_TRAIN_SET"),
        ("shell \"echo ${$0}\"", "LOG_LEVEL"),
        ("shell \"\"\"\n    a\n    echo $TF$0\n    \"\"\"", "TFJOB_INDEX"),
    ] {
        let all = job(marked);
        assert!(all.contains(&wanted.to_owned()), "{wanted} at {marked}: {all:?}");
    }
    // `{env.LOG_LEVEL}` is not the value that the job sets.
    assert!(!job("run \"a\" \"{$0").contains(&"env.LOG_LEVEL".to_owned()));
    for marked in ["code \"../$0\"", "code \"./../$0\"", "shell \"echo TF$0\""] {
        let all = job(marked);
        assert!(
            !all.iter().any(|one| one.contains("secret.txt") || one.starts_with("TFJOB")),
            "{marked}: {all:?}"
        );
    }
}

/// A role gets the variables and the secrets of the job, so a name may be in only one of both.
#[test]
fn a_secret_has_no_name_of_a_variable_in_the_same_scope() {
    let editor = Editor::new(&[]);
    let offered = |text: &str| labels(&items(&editor, "a.tfjob.kdl", text));
    let of_job =
        "job \"a\" {\n    env { A \"1\"; }\n    secret \"$0\"\n    role \"w\" { env { B \"1\"; }; }\n}\n";
    assert_eq!(offered(of_job), [] as [&str; 0]);
    let of_role = "job \"a\" {\n    env { A \"1\"; }\n    role \"w\" { env { B \"1\"; }; secret \"$0\"; }\n    role \"v\" { env { C \"1\"; }; }\n}\n";
    assert_eq!(offered(of_role), ["C"]);
    let all = items(&editor, "b.tfjob.kdl", &of_job.replace("secret \"$0\"", "$0"));
    let secret = all.iter().find(|item| item["label"] == "secret").expect("an item");
    assert!(!secret["textEdit"]["newText"].to_string().contains("A"), "{secret}");
}

/// A role has no options of a target that starts no tasks of its own.
#[test]
fn only_targets_with_options_for_the_place_are_offered() {
    let editor = Editor::new(&[]);
    let offered = |text: &str| labels(&items(&editor, "a.tfjob.kdl", text));
    let of_job = offered("job \"a\" { target \"$0\"; }");
    let of_role = offered("job \"a\" { role \"w\" { target \"$0\"; }; }");
    assert!(of_job.contains(&"spark".to_owned()) && of_job.contains(&"local".to_owned()), "{of_job:?}");
    assert!(!of_role.contains(&"spark".to_owned()) && !of_role.contains(&"local".to_owned()), "{of_role:?}");
    assert!(of_role.contains(&"kubernetes".to_owned()), "{of_role:?}");
}

/// A list opens only for several values. Otherwise the value would be selected, and Enter would replace it with a line break.
#[test]
fn the_only_value_is_written_without_a_placeholder() {
    let snippets = json!({"textDocument": {"completion": {"completionItem": {"snippetSupport": true}}}});
    let written = |files: &[(&str, &str)], name: &str, text: &str, label: &str| {
        let editor = Editor::with(files, &json!({"capabilities": snippets}));
        let all = items(&editor, name, text);
        let item =
            all.iter().find(|item| item["label"] == label).unwrap_or_else(|| panic!("{label}: {all:?}"));
        item["textEdit"]["newText"].as_str().unwrap_or_default().to_owned()
    };
    let base = ("base.tfjob.kdl", "job {}\n");
    assert_eq!(written(&[base], "a.tfjob.kdl", "$0\n", "extends"), "extends \"base.tfjob.kdl\"");
    assert_eq!(written(&[base], "a.tfjob.yaml", "$0\n", "extends"), "extends: base.tfjob.kdl");
    let two = written(&[base, ("b.tfjob.kdl", "job {}\n")], "a.tfjob.kdl", "$0\n", "extends");
    assert!(two.contains("${1|") && two.contains("base.tfjob.kdl"), "{two}");
    // Without a base, the placeholder is the name of a file, which the user replaces.
    assert_eq!(written(&[], "a.tfjob.kdl", "$0\n", "extends"), "extends \"${1:base.tfjob.kdl}\"");
    let project = "project {\n    environment \"x\" { $0; }\n}\n";
    assert_eq!(
        written(&[("c.cluster.kdl", "")], "tfjob.kdl", project, "cluster"),
        "cluster \"c.cluster.kdl\""
    );
}

#[test]
fn an_empty_document_is_no_base() {
    let editor = Editor::new(&[]);
    editor.open("empty.tfjob.kdl", "\n");
    editor.open("base.tfjob.kdl", "job {}\n");
    assert_eq!(labels(&items(&editor, "a.tfjob.kdl", "extends \"$0\"\n")), ["base.tfjob.kdl"]);
}

/// The names of one block are no names of another one: an environment variable is no setting of Spark.
#[test]
fn names_of_pairs_are_those_of_the_same_field() {
    let editor = Editor::new(&[]);
    let job = |block: &str| {
        let head = "job:\n  name: a\n  framework: custom\n  env: { LOG_LEVEL: info }\n  labels: { team: ml }\n  role:\n    worker: { count: 1, env: { HOME: /x } }\n";
        labels(&items(&editor, &format!("{}.tfjob.yaml", block.len()), &format!("{head}{block}")))
    };
    let conf = job("  target:\n    spark:\n      conf:\n        $0\n");
    assert!(!conf.iter().any(|name| ["LOG_LEVEL", "HOME", "team"].contains(&name.as_str())), "{conf:?}");
    let annotations = job("  target:\n    kubernetes:\n      annotations:\n        $0\n");
    assert!(annotations.is_empty(), "{annotations:?}");
}

#[test]
fn an_empty_json_file_gets_an_object() {
    let editor = Editor::new(&[]);
    for text in ["", "\n\n", "  \n"] {
        let all = items(&editor, "a.tfjob.json", &format!("$0{text}"));
        assert_eq!(labels(&all), ["job", "extends"]);
        for item in all {
            let new = crate::completion::accept(text, &item);
            let made: serde_json::Value =
                serde_json::from_str(&new).unwrap_or_else(|why| panic!("{new:?}: {why}"));
            assert!(made.get(item["label"].as_str().unwrap_or_default()).is_some(), "{new}");
        }
    }
}
