//! Forms of other tools, and values that are missing or empty: the help shows a form that is accepted.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::program::{err, out, run};
use crate::suggestions::{errors, findings, job};
use std::fs;
use tfjob_lang::shape::{Field, Object, Place};

/// Lines of the job, lines of the role, and a part of the only finding of this text.
const CASES: &[(&str, &str, &str)] = &[
    ("env { name \"A\"; value \"b\"; }", "", "not an entry `A` | write `env { \"A\" \"b\"; }`"),
    ("labels { key \"team\"; value \"ml\"; }", "", "write `labels { \"team\" \"ml\"; }`"),
    (
        "env { TOKEN from=\"s\" key=\"k\"; }",
        "",
        "write `secret \"TOKEN\" from=\"s\" key=\"k\"` outside of `env`",
    ),
    ("", "env { TOKEN secret=\"s\"; }", "write `secret \"TOKEN\" from=\"s\"` outside of `env`"),
    ("target \"kubernetes\" { priority 100; }", "", "write the name of a priority class, such as `\"high\"`"),
    ("variable \"lr\" { default 0.1; }", "", "use `param` instead, for example `param \"lr\" 0.001`"),
    ("param \"lr\" default=0.1", "", "write `param \"lr\" 0.1`"),
    (
        "restart \"on-failure\" { codes; }",
        "",
        "`codes` has no values | write `codes NUMBER …`, or remove this line",
    ),
    (
        "user 5\nallow \"user\" because=\"x\"\nallow \"user\" because=\"x\"",
        "",
        "another `allow` already accepts `user`",
    ),
    ("allow \"port-conflict\" because=\"x\"", "", "`allow` accepts no other errors or warnings"),
    (
        "",
        "resources cpus=1 memory=\"1GiB\" gpus=\"all\"",
        "write the number of GPUs per task, such as `gpus=1`",
    ),
    (
        "target \"yarn\" { shim url=\"hdfs://u:pw@default/x\"; dns-domain \"x.y\"; }\nnetwork \"overlay\"",
        "",
        "the URI contains credentials | remove them, and provide the file",
    ),
    ("restarts 3", "", "write `restart \"on-failure\" limit=3`"),
    ("", "restart #true", "write `restart \"on-failure\"`"),
    ("", "run \"sh -c 'echo a b' && x\"", "does not split `sh -c 'echo a b' && x` at spaces"),
    (
        "target \"yarn\" { mounted { \"nfs://h/e\" \"/y\"; \"nfs://h/e/\" \"/z\"; }; dns-domain \"x.y\"; }\nnetwork \"overlay\"",
        "",
        "`nfs://h/e` and `nfs://h/e/` are the same directory",
    ),
    ("target \"spark\" { shim url=\"s3://b/x\"; }", "", "write `shim url=\"s3a://b/x\"`"),
    ("user \"\"", "", "`user` is empty | expected a user name"),
    ("", "image \"\"", "`image` is empty | expected an image reference"),
    ("port \"\" 8080", "", "a name in `port` is empty"),
    (
        "keep \"failed\" for=\"0s\"\ntarget \"yarn\" { keep-delay \"0s\"; dns-domain \"x.y\"; }\nnetwork \"overlay\"",
        "",
        "duration `0s` must be greater than 0",
    ),
];

#[test]
fn one_finding_shows_the_form_that_was_meant() {
    let dir = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for (inside, role, wanted) in CASES {
        fs::write(dir.path().join("j.tfjob.kdl"), job(inside, role)).unwrap();
        let all = findings(dir.path(), "j.tfjob.kdl");
        if !matches!(all.as_slice(), [only] if only.contains(wanted)) {
            wrong.push(format!("{inside} {role}: {wanted}: {all:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_name_of_a_class_is_not_quoted_automatically() {
    let dir = tempfile::tempdir().unwrap();
    let text = job("target \"kubernetes\" { priority 100; shim \"/opt/x\"; }", "");
    fs::write(dir.path().join("j.tfjob.kdl"), &text).unwrap();
    run(dir.path(), &["check", "j.tfjob.kdl", "--fix"]);
    assert_eq!(fs::read_to_string(dir.path().join("j.tfjob.kdl")).unwrap(), text);
}

/// A `--set`, and a part of its only error.
const SETTINGS: &[(&str, &str)] = &[
    (
        "resources.cpus=16",
        "each of its roles sets its own | did you mean `role.worker.resources.cpus` or `helper.h.resources.cpus`?",
    ),
    ("start.gang=yes", "`gang` must be `true` or `false`, not a string | write `true` or `false`"),
    ("allow.gang.because=x", "`--set` cannot change one entry of `allow`"),
    ("target.kubernetes.labels.a=b", "did you mean `labels.a`?"),
    ("spark.eventLog.enabled=true", "did you mean `target.spark.conf.\"spark.eventLog.enabled\"`?"),
    ("kubernetes.namespace=ads", "did you mean `target.kubernetes.namespace`?"),
];

#[test]
fn a_setting_names_the_key_that_was_meant() {
    let dir = tempfile::tempdir().unwrap();
    let resources = "resources cpus=1 memory=\"1GiB\"";
    let helper = format!("helper \"h\" {{ run \"x\"; {resources}; }}\ntarget \"kubernetes\"");
    let text = job(&helper, resources).replacen(resources, "", 1);
    fs::write(dir.path().join("j.tfjob.kdl"), text).unwrap();
    for (setting, wanted) in SETTINGS {
        let all = errors(dir.path(), "j.tfjob.kdl", &["--set", setting]);
        assert!(matches!(all.as_slice(), [(_, said)] if said.contains(wanted)), "{setting}: {all:?}");
    }
}

#[test]
fn in_yaml_an_option_of_a_target_is_shown_in_its_block() {
    let dir = tempfile::tempdir().unwrap();
    let text = "job:\n  name: j\n  framework: custom\n  image: r/x:1\n  run: [a]\n  hadoop: \"3.3\"\n  \
                resources: { cpus: 1, memory: 1GiB }\n  role: { worker: {} }\n";
    fs::write(dir.path().join("j.tfjob.yaml"), text).unwrap();
    let all = errors(dir.path(), "j.tfjob.yaml", &[]);
    let wanted = "to set the option of the target, write `target: { yarn: { hadoop: \"3.3\" } }`; \
                  in `job`, the form is `hadoop: { home: PATH, java: PATH }`";
    assert!(matches!(all.as_slice(), [(_, said)] if said.contains(wanted)), "{all:?}");
}

/// Targets of a job, further arguments, and whether a cluster file for yarn is an error.
const CLUSTERS: &[(&str, &[&str], bool)] = &[
    ("", &[], false),
    ("target \"yarn\"", &[], false),
    ("target \"yarn\"; target \"spark\"", &[], false),
    ("target \"spark\"", &[], true),
    ("target \"spark\"; target \"local\"", &[], true),
    ("target \"spark\"", &["--target", "yarn"], false),
    ("target \"yran\"", &[], false),
];

#[test]
fn a_cluster_file_for_another_target_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(
        dir.path().join("c.cluster.kdl"),
        "cluster \"c\" target=\"yarn\" { yarn { queue \"ml\"; }; }\n",
    )
    .unwrap();
    for (targets, args, wrong) in CLUSTERS {
        fs::write(dir.path().join("j.tfjob.kdl"), job(targets, "")).unwrap();
        let all = errors(dir.path(), "j.tfjob.kdl", &[&["--cluster", "c.cluster.kdl"], *args].concat());
        let found = all.iter().filter(|(code, _)| code == "target-mismatch").count();
        assert_eq!(found == 1, *wrong, "{targets} {args:?}: {all:?}");
        // Nothing is reported for a target that is not checked.
        assert!(!wrong || all.len() == 1, "{targets}: {all:?}");
    }
}

#[test]
fn explain_knows_the_keywords_that_check_knows() {
    let dir = tempfile::tempdir().unwrap();
    for (word, wanted) in [
        ("patch", "In `target \"yarn\"` of a role."),
        ("k8s", "`k8s` is `kubernetes` here"),
        ("replicas", "`replicas` is `count` here"),
        ("restartPolicy", "`restartPolicy` is `restart` here"),
        ("volumes", "`volumes` is `data` here"),
        ("kueue", "local-queue"),
        ("KDL", "`*.tfjob.kdl`"),
        ("roles", "`roles` is `role` here"),
        ("units", "KiB"),
        ("GiB", "KiB"),
        ("duration", "1h30m"),
        ("--set", "KEY=VALUE"),
        ("exit-codes", "128"),
    ] {
        let output = run(dir.path(), &["explain", word]);
        assert!(
            output.status.success() && out(&output).contains(wanted),
            "{word}: {}{}",
            out(&output),
            err(&output)
        );
    }
    for (word, near) in [("hang", "`gang`"), ("volum", "`volume`")] {
        let output = run(dir.path(), &["explain", word]);
        let said = err(&output);
        assert!(said.contains(near), "{said}");
    }
}

/// Returns a job for each option of a target and each property of a job that takes a string, with an empty string as its value.
fn empty_values() -> Vec<String> {
    let root = tfjob_targets::SHAPE.block(&[("job", None)]).unwrap();
    let lines = |object: &Object| -> Vec<String> {
        let scalar = |field: &&Field| field.shape.is_scalar() && field.place == Place::Child;
        object.fields.iter().filter(scalar).map(|field| format!("{} \"\"", field.name)).collect()
    };
    let mut all: Vec<String> = lines(root).iter().map(|line| job(line, "")).collect();
    for target in root.field("target").and_then(|field| field.shape.object()).unwrap().fields {
        for line in lines(target.shape.object().unwrap()) {
            all.push(job(&format!("target \"{}\" {{ {line}; }}", target.name), ""));
        }
    }
    all
}

#[test]
fn no_message_quotes_an_empty_value() {
    let dir = tempfile::tempdir().unwrap();
    let (texts, mut wrong) = (empty_values(), Vec::new());
    assert!(texts.len() > 50, "{}", texts.len());
    for text in texts {
        fs::write(dir.path().join("j.tfjob.kdl"), &text).unwrap();
        let all = findings(dir.path(), "j.tfjob.kdl");
        wrong.extend(all.into_iter().filter(|said| said.contains("``")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An invalid name is reported once: no target adds an error about a name that it derives from this name.
#[test]
fn an_invalid_name_of_a_role_is_reported_once() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["wörker", "Worker", "a_b", "-a"] {
        let job = format!(
            "job \"j\" {{\n framework \"custom\"\n image \"r/x:1\"\n run \"a\"\n resources cpus=1 memory=\"1GiB\"\n \
             role \"worker\"\n role \"{name}\" count=2\n target \"yarn\" {{ hadoop \"3.4\"; dns-domain \"d\"; }}\n}}\n"
        );
        std::fs::write(dir.path().join("j.tfjob.kdl"), job).unwrap();
        for target in ["yarn", "kubernetes", "dcos", "spark", "local"] {
            let all = errors(dir.path(), "j.tfjob.kdl", &["--target", target]);
            let named: Vec<_> = all.iter().filter(|(_, text)| text.contains(name)).collect();
            let derived = named.iter().filter(|(_, text)| text.contains("DNS") || text.contains("shorten"));
            assert_eq!(derived.count(), 0, "{target} {name}: {named:?}");
            assert!(named.iter().any(|(code, _)| code == "bad-value"), "{target} {name}: {named:?}");
        }
    }
}

/// With several `--set`, the place of an error says which one is meant.
#[test]
fn the_place_of_a_setting_has_its_number() {
    let dir = tempfile::tempdir().unwrap();
    let job = crate::suggestions::job("", "");
    std::fs::write(dir.path().join("j.tfjob.kdl"), job).unwrap();
    let short = |sets: &[&str]| {
        let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
        let all =
            run(dir.path(), &[&["check", "j.tfjob.kdl", "--format", "short"], sets.as_slice()].concat());
        let lines = out(&all).lines().map(|line| line.split(": error").next().unwrap_or_default().to_owned());
        lines.collect::<Vec<_>>()
    };
    assert_eq!(short(&["image=#t"]), ["--set:1:7"]);
    let mut two = short(&["image=#t", "role.worker.count=x"]);
    two.sort();
    assert_eq!(two, ["--set (1):1:7", "--set (2):1:19"]);
}

#[test]
fn in_yaml_names_become_the_keys_of_an_object() {
    let dir = tempfile::tempdir().unwrap();
    for (lines, wanted) in [
        ("target: kubernetes", "write it as `{ kubernetes: {} }`"),
        ("target: [kubernetes, yarn]", "write it as `{ kubernetes: {}, yarn: {} }`"),
        ("role: [worker, ps]", "write it as `{ worker: { count: NUMBER }, ps: { count: NUMBER } }`"),
        ("target: { dcos: { shim: \"https://h/x\" } }", "write `{ url: \"https://h/x\" }`"),
        ("target: { spark: { shim: /x } }", "write `{ path: \"/x\" }`"),
        ("target: { dcos: { shim: /x } }", "write it as `{ url: URI }`"),
        ("port: 8080", "write it as `{ NAME: 8080 }`"),
        ("env: [A=1, B=x=y, C=]", "write it as `{ A: \"1\", B: \"x=y\", C: \"\" }`"),
        ("env: A=b", "write it as `{ A: b }`"),
        ("env: [{ name: A, value: \"1\" }]", "write it as `{ A: \"1\" }`"),
        ("env: [{ name: A, value: b, x: y }]", "write it as `{ NAME: STRING }`"),
        (
            "target: { spark: { conf: [spark.a=false, spark.b=1] } }",
            "write it as `{ spark.a: \"false\", spark.b: \"1\" }`",
        ),
        (
            "role: [{ name: worker, count: 2, resources: { cpus: 1 } }]",
            "write it as `{ worker: { count: 2, resources: … } }`",
        ),
        (
            "secret: { my-secret: { env: TOKEN } }",
            "write the variable as the key: `TOKEN: { from: my-secret }`",
        ),
        ("ready: web", "write it as `{ tcp: web }`"),
        ("restart: { policy: never, on: x }", "`policy` is already set here; remove this key"),
    ] {
        fs::write(
            dir.path().join("j.tfjob.yaml"),
            format!("job:\n  name: j\n  framework: custom\n  {lines}\n"),
        )
        .unwrap();
        let all = errors(dir.path(), "j.tfjob.yaml", &[]);
        assert!(all.iter().any(|(_, text)| text.contains(wanted)), "{lines}: {all:?}");
    }
}
