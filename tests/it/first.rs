//! Tests of the first steps of a new user: starter specs have no errors, and terms of other systems get hints.

use crate::program::{GOOD, code, err, folder, out, run};
use std::fs;
use tfjob_lang::spec::StrategyName;

#[test]
fn a_starter_spec_is_valid_and_overwrites_nothing() {
    let dir = tempfile::tempdir().unwrap();
    for args in [&["init"][..], &["init", "My Job"], &["init", "c.tfjob.kdl"]] {
        assert_eq!(code(&run(dir.path(), args)), 0, "{args:?}");
        assert_eq!(code(&run(dir.path(), args)), 2, "{args:?}");
    }
    let mut names: Vec<_> =
        fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["My Job.tfjob.kdl", "c.tfjob.kdl", "job.tfjob.kdl"]);
    let output = run(dir.path(), &["check", "--format", "short"]);
    assert_eq!((code(&output), out(&output)), (0, ""));
    assert_eq!(code(&run(dir.path(), &["fmt", "--check"])), 0);
    let output = run(dir.path(), &["init", "--", "-a b"]);
    assert!(err(&output).contains("next: tfjob check './-a b.tfjob.kdl'"), "{}", err(&output));
}

#[test]
fn every_strategy_has_a_valid_starter_spec_also_with_its_optional_entries() {
    let dir = tempfile::tempdir().unwrap();
    for strategy in StrategyName::ALL.map(StrategyName::keyword) {
        let name = &format!("{strategy}-job");
        let file = dir.path().join(format!("{name}.tfjob.kdl"));
        assert_eq!(code(&run(dir.path(), &["init", name, "--strategy", strategy])), 0);
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(&format!("strategy=\"{strategy}\"")), "{text}");
        let offered = |line: &str| match line.trim_start().strip_prefix("// ") {
            Some(words) if words.starts_with(|c: char| c.is_ascii_lowercase()) => format!("{words}\n"),
            // A suggested entry follows the entry that it replaces.
            _ => format!("{line}\n"),
        };
        let both: String = text.lines().map(offered).collect();
        let small = "        resources cpus=2 memory=\"4GiB\"\nresources cpus=4";
        fs::write(dir.path().join("offers.tfjob.kdl"), both.replace(small, "resources cpus=4")).unwrap();
        let spec = format!("{name}.tfjob.kdl");
        let output = run(dir.path(), &["check", "--format", "short", &spec]);
        assert_eq!((code(&output), out(&output)), (0, ""), "{text}");
        assert_eq!(code(&run(dir.path(), &["fmt", "--check", &spec])), 0);
        for (name, target) in [(name.as_str(), "kubernetes"), ("offers", "yarn")] {
            let output = run(dir.path(), &["check", &format!("{name}.tfjob.kdl"), "--target", target]);
            assert_eq!(code(&output), 0, "{}{both}", out(&output));
        }
    }
}

#[test]
fn an_alias_of_a_target_gets_its_name() {
    let dir = folder();
    let output = run(dir.path(), &["check", "--target", "k8s"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("did you mean `kubernetes`?"), "{}", err(&output));
    let spec = GOOD.replace(
        "    role ",
        "    target \"mesos\"\n    allow \"env\" on=\"k8s\" because=\"a test\"\n    role ",
    );
    fs::write(dir.path().join("good.tfjob.kdl"), spec).unwrap();
    let output = run(dir.path(), &["check"]);
    for name in ["dcos", "kubernetes"] {
        assert!(out(&output).contains(&format!("did you mean `{name}`?")), "{}", out(&output));
    }
}

#[test]
fn a_property_of_another_system_is_not_replaced_without_a_person() {
    let dir = folder();
    let path = dir.path().join("good.tfjob.kdl");
    let with = |words: &str| GOOD.replace("memory=\"4GiB\"", &format!("memory=\"4GiB\" {words}"));
    assert_ne!(with("x"), GOOD);
    for words in
        ["nvidia.com/gpu=1", "amd.com/gpu=1", "a/b=1", "nvidia.com/gpu=all", "gpus=2 nvidia.com/gpu=1"]
    {
        fs::write(&path, with(words)).unwrap();
        let output = run(dir.path(), &["check", "good.tfjob.kdl", "--fix", "--format", "short"]);
        assert_eq!((code(&output), out(&output).lines().count()), (1, 1), "{}", out(&output));
        assert_eq!(fs::read_to_string(&path).unwrap(), with(words));
    }
}

#[test]
fn a_fix_leaves_a_text_that_is_right() {
    let dir = folder();
    let path = dir.path().join("good.tfjob.kdl");
    for (from, wrong, right) in [
        ("cpus=2", "cpus=500m", "cpus=0.5"),
        ("    image ", "    labels a.b/c=d\n    image ", "    labels { \"a.b/c\" \"d\" }\n    image "),
        ("    image ", "    restart OnFailure\n    image ", "    restart \"on-failure\"\n    image "),
    ] {
        fs::write(&path, GOOD.replace(from, wrong)).unwrap();
        let before = run(dir.path(), &["check", "good.tfjob.kdl", "--format", "short"]);
        assert_eq!((code(&before), out(&before).lines().count()), (1, 1), "{}", out(&before));
        let output = run(dir.path(), &["check", "good.tfjob.kdl", "--fix", "--format", "short"]);
        assert_eq!((code(&output), out(&output)), (0, ""), "{wrong}");
        assert_eq!(fs::read_to_string(&path).unwrap(), GOOD.replace(from, right));
    }
}

#[test]
fn an_accepted_refusal_is_shown_with_its_reason() {
    let dir = folder();
    let requirements = "    restart \"on-failure\" limit=3\n    framework ";
    let allows = format!("    allow \"restart\" because=\"it resumes\"\n{requirements}");
    for (words, told) in [(requirements, "unsupported"), (&allows, "allowed")] {
        fs::write(dir.path().join("good.tfjob.kdl"), GOOD.replace("    framework ", words)).unwrap();
        let output = run(dir.path(), &["show", "good.tfjob.kdl", "--target", "kubernetes"]);
        let other = if told == "unsupported" { "allowed" } else { "unsupported" };
        assert!(out(&output).contains(&format!("  {told}:\n    restart ")), "{}", out(&output));
        assert!(!out(&output).contains(&format!("  {other}:\n")), "{}", out(&output));
        assert_eq!(
            out(&output).contains("(accepted: \"it resumes\")"),
            told == "allowed",
            "{}",
            out(&output)
        );
    }
}

#[test]
fn after_a_helper_gets_help_with_possible_states() {
    let dir = folder();
    for (words, told) in [
        ("after \"tensorboard\"", "declare TensorBoard as"),
        ("after \"prep\" when=\"done\"", "as a separate job"),
    ] {
        let helper = "    helper \"prep\" { run \"prep\"; }\n    checkpoints \"hdfs://a/b\"\n    tensorboard\n    framework ";
        let spec = GOOD
            .replace("    framework ", helper)
            .replace("resources ", &format!("{words}\n        resources "));
        fs::write(dir.path().join("good.tfjob.kdl"), spec).unwrap();
        let output = run(dir.path(), &["check", "good.tfjob.kdl", "--format", "json"]);
        assert!(code(&output) == 1 && out(&output).contains(told), "{}", out(&output));
        assert!(!out(&output).contains("replace with"), "{}", out(&output));
    }
}

#[test]
fn help_for_a_json_spec_is_json() {
    let dir = folder();
    let spec = r#"{ "job": { "name": "a", "framework": { "name": "tensorflow" }, "role": { "chief": {}, "worker": {} } } }"#;
    fs::write(dir.path().join("a.tfjob.json"), spec).unwrap();
    let output = run(dir.path(), &["check", "a.tfjob.json"]);
    let words: Vec<&str> = out(&output).split_whitespace().collect();
    let told = words.join(" ");
    for form in [
        r#"add `"run": ["python", "train.py"]` to this role"#,
        r#"add `"resources": { "cpus": 4, "memory": "16GiB" }` to this role"#,
        r#"add `"strategy": "multi-worker-mirrored"`"#,
    ] {
        assert!(told.contains(form), "{told}");
    }
}

#[test]
fn an_unquoted_reference_in_yaml_is_fixed() {
    let dir = folder();
    let path = dir.path().join("a.tfjob.yaml");
    let spec = "job:\n  name: a\n  framework: { name: tensorflow, version: \"2.15\" }\n  image: { name: \"ml/a:1\" }\n  \
                checkpoints: { uri: \"gs://a/b\" }\n  run: [python3, train.py, REFERENCE]\n  role:\n    worker:\n      \
                resources: { cpus: 1, memory: 1GiB }\n";
    fs::write(&path, spec.replace("REFERENCE", "{checkpoints}")).unwrap();
    let told = run(dir.path(), &["check", "a.tfjob.yaml", "--target", "kubernetes"]);
    assert!(out(&told).contains("`{` starts an object in YAML"), "{}", out(&told));
    assert_eq!(code(&run(dir.path(), &["check", "a.tfjob.yaml", "--fix", "--target", "kubernetes"])), 0);
    assert_eq!(fs::read_to_string(&path).unwrap(), spec.replace("REFERENCE", "\"{checkpoints}\""));
}

#[test]
fn help_for_fields_of_other_systems_uses_the_format_of_the_spec() {
    let dir = folder();
    for (written, yaml, json) in [
        ("\"activeDeadlineSeconds\": 3600", "write `deadline: 3600s`", "write `\"deadline\": \"3600s\"`"),
        (
            "\"nodeSelector\": {\"gpu\": \"a\"}",
            "write `placement: { node: { gpu: a } }`",
            "write `\"placement\": { \"node\": { \"gpu\": \"a\" } }`",
        ),
        (
            "\"constraints\": [[\"hostname\", \"UNIQUE\"]]",
            "write `placement: { spread: host }`",
            "write `\"placement\": { \"spread\": \"host\" }`",
        ),
        (
            "\"namespace\": \"prod\"",
            "write `namespace: prod` in `target: { kubernetes: { … } }`",
            "write `\"namespace\": \"prod\"` in `\"target\": { \"kubernetes\": { … } }`",
        ),
        ("\"livenessProbe\": {}", "liveness probes are not supported", "liveness probes are not supported"),
    ] {
        let spec = format!("{{\"job\": {{\"name\": \"a\", {written}}}}}");
        for (file, told) in [("a.tfjob.yaml", yaml), ("a.tfjob.json", json)] {
            fs::write(dir.path().join(file), &spec).unwrap();
            let output = run(dir.path(), &["check", file]);
            let shown = out(&output).split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(shown.contains(told), "{shown}");
        }
    }
}

#[test]
fn a_list_of_roles_is_reported_without_missing_roles() {
    let dir = folder();
    let spec = "job:\n  name: a\n  framework: { name: tensorflow, version: \"2.15\" }\n  image: { name: \"ml/a:1\" }\n  \
                role:\n    - name: worker\n      run: [python, train.py]\n";
    fs::write(dir.path().join("a.tfjob.yaml"), spec).unwrap();
    let output = run(dir.path(), &["check", "a.tfjob.yaml", "--format", "short"]);
    assert_eq!(out(&output).lines().count(), 1, "{}", out(&output));
    assert!(out(&output).contains("`role` must be an object, not a list"), "{}", out(&output));
}

#[test]
fn the_steps_of_a_job_with_secrets_show_whether_they_exist() {
    let dir = folder();
    let secrets = "    secret \"WANDB_API_KEY\" from=\"wandb\" key=\"api-key\"\n    framework ";
    let spec = GOOD.replace("    framework ", secrets).replacen(
        "\"ml/mnist:1.0\"",
        "\"ml/mnist:1.0\" pull-secret=\"regcred\"",
        1,
    );
    assert!(spec.contains("regcred"), "{spec}");
    fs::write(dir.path().join("good.tfjob.kdl"), spec).unwrap();
    let output = run(dir.path(), &["compile", "good.tfjob.kdl", "--target", "kubernetes", "--out", "o"]);
    for secret in ["regcred", "wandb"] {
        let step = format!("kubectl --namespace default get secret {secret}  # ");
        assert!(err(&output).contains(&step), "{}{}", out(&output), err(&output));
    }
}

#[test]
fn data_that_the_platform_feeds_needs_no_hadoop_in_the_program() {
    let dir = folder();
    let fed = "    data \"events\" \"hdfs://default/events\"\n    target \"spark\" { input \"spark\"; feed \"events\" format=\"csv\"; }\n    framework ";
    let opened = "    data \"events\" \"hdfs://default/events\"\n    env { EVENTS \"{data.events}\"; }\n    framework ";
    for (words, told) in [(fed, false), (opened, true)] {
        fs::write(dir.path().join("good.tfjob.kdl"), GOOD.replace("    framework ", words)).unwrap();
        let output = run(dir.path(), &["check", "good.tfjob.kdl", "--format", "short"]);
        assert_eq!(out(&output).contains("hdfs-without-hadoop"), told, "{}", out(&output));
    }
}

#[test]
fn the_schema_and_the_parser_accept_the_same() {
    let dir = folder();
    let schema: serde_json::Value = serde_json::from_str(out(&run(dir.path(), &["schema"]))).unwrap();
    let checker = jsonschema::validator_for(&schema).unwrap();
    let job = |roles: serde_json::Value| {
        let framework = serde_json::json!({"name": "tensorflow", "version": "2.15"});
        serde_json::json!({"job": {"name": "mnist", "framework": framework, "role": roles}})
    };
    let resources = serde_json::json!({"cpus": 2, "memory": "4GiB"});
    assert!(checker.is_valid(&job(serde_json::json!({"worker": {"resources": resources}}))));
    assert!(!checker.is_valid(&job(serde_json::json!({"worker": {"resorces": resources}}))));
    // A base file may provide required fields.
    let part = serde_json::json!({"name": "b", "role": {"worker": {"count": 4}}});
    assert!(checker.is_valid(&serde_json::json!({"extends": "a.tfjob.kdl", "job": part})));
    assert!(!checker.is_valid(&serde_json::json!({"job": part})));
}
