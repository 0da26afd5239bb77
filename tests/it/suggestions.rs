//! Helps contain a form that is accepted, with the value of the user.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::program::{out, run};
use std::fs;
use std::path::Path;

/// Returns the code, the message, and the help of each error of a file, from the report in JSON.
pub fn errors(dir: &Path, name: &str, more: &[&str]) -> Vec<(String, String)> {
    let output = run(dir, &[&["check", name, "--format", "json"], more].concat());
    let report: serde_json::Value = serde_json::from_str(out(&output)).unwrap();
    let mut found = Vec::new();
    collect(&report, &["error"], &mut found);
    found
}

/// Returns the message and the help of each error and warning of a file.
pub fn findings(dir: &Path, name: &str) -> Vec<String> {
    let output = run(dir, &["check", name, "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(out(&output)).unwrap();
    let mut found = Vec::new();
    collect(&report, &["error", "warning"], &mut found);
    found.into_iter().map(|(_, text)| text).collect()
}

fn collect(value: &serde_json::Value, severities: &[&str], found: &mut Vec<(String, String)>) {
    if severities.iter().any(|severity| value["severity"] == *severity) {
        let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
        found.push((text("code"), format!("{} | {}", text("message"), text("help"))));
    }
    match value {
        serde_json::Value::Array(items) => items.iter().for_each(|item| collect(item, severities, found)),
        serde_json::Value::Object(fields) => {
            fields.values().for_each(|item| collect(item, severities, found))
        }
        _ => {}
    }
}

/// Returns a job with these lines in the job and in its role.
pub fn job(inside: &str, role: &str) -> String {
    format!(
        "job \"j\" {{\n framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\n image \"r/x:1\"\n \
         run \"python\" \"/app/t.py\"\n resources cpus=1 memory=\"1GiB\"\n{inside}\n role \"worker\" count=2 {{\n{role}\n }}\n}}\n"
    )
}

/// Lines of the job, lines of the role, and a part of an error or a warning that they cause.
const CASES: &[(&str, &str, &str)] = &[
    (
        "target \"yarn\" { hadoop home=\"/h\" java=\"/j\"; }",
        "",
        "write `hadoop home=\"/h\" java=\"/j\"` in `job`, outside of `target`",
    ),
    ("hadoop \"3.3\"", "", "write `target \"yarn\" { hadoop \"3.3\" }`; in `job`, the form is `hadoop home="),
    ("target \"yarn\" { hadoop; }", "", "expected a version, such as `\"3.3.6\"`"),
    ("target \"yarn\" { hadoop \"x\"; }", "", "separated by dots, such as `3.3.6`"),
    ("target \"spark\" { spark; }", "", "expected a version, such as `\"3.5\"`"),
    ("gang \"volcano\"", "", "write `start gang=#true` and `target \"kubernetes\" { gang \"volcano\" }`"),
    ("start gang=\"volcano\"", "", "and `target \"kubernetes\" { gang \"volcano\" }`"),
    ("target \"kubernetes\" { gang #true; }", "", "write `start gang=#true` and"),
    ("", "ready \"tcp\" \"rendezvous\"", "did you mean `tcp=\"rendezvous\"`?"),
    ("port \"web\" 8080", "ready \"http\" \"web/up\"", "did you mean `http=\"web/up\"`?"),
    ("", "ready tcp=2222", "write `\"rendezvous\"`: `rendezvous` is the name of port 2222"),
    ("port \"rendezvous\" 7000", "ready tcp=7000", "write `\"rendezvous\"`"),
    ("port \"rendezvous\" 7000", "ready tcp=2222", "name the port with `port \"web\" 2222`"),
    ("port \"web\" 8080", "ready http=\"8080/up\"", "write `\"web/up\"`: `web` is the name of port 8080"),
    ("", "port \"web\" 8080\nready tcp=8080", "write `\"web\"`"),
    ("stop grace=\"250ms\"", "", "`250ms` is shorter than 1 second | write at least `1s`"),
    ("deadline \"1500ms\"", "", "is not a whole number of seconds"),
    ("", "restarts \"on-failure\" max=3", "did you mean `limit`?"),
    (
        "secret \"TOK\" env=\"HF_TOKEN\"",
        "",
        "write the variable as the argument: `secret \"HF_TOKEN\" from=\"TOK\"`",
    ),
    ("target \"kubernetes\" { gpu-model \"a\"; }", "", "`gpu-model` is a property of `resources`"),
    ("", "resources cpus=1 memory=\"1GiB\" gpus=1 gpu-memory=\"40GB\"", "write `38147MiB` for 40"),
    ("", "resources cpus=1 memory=\"40GB\"", "write `40GiB` for units of 1024, or `38147MiB`"),
    ("start gang=true", "", "write `#true`"),
    ("port \"HTTP\" 80\nenv { A \"{port.http}\"; }", "", "change the name of the port from `HTTP` to `http`"),
    ("master \"yarn\"", "", "write `target \"spark\" { master \"yarn\" }`"),
    ("queue \"ml\"", "", "; for kubernetes, `local-queue` or `volcano-queue` in `target \"kubernetes\"`"),
    (
        "target \"yarn\" { hadoop home=\"/h\"; }",
        "",
        "unknown property `home` in `hadoop` | `hadoop` takes one argument and no properties",
    ),
    ("checkpoints \"file:///ckpt\"", "", "target=\"yarn\" { shared \"file:///ckpt\"; }`"),
    (
        "checkpoints \"file:///ckpt\"\ntarget \"kubernetes\"",
        "",
        "target=\"kubernetes\" { shared \"file:///ckpt\"; }`",
    ),
    (
        "",
        "framework \"tensorflow\"\nlimit 3\nrestart \"on-failure\"",
        "write `restart \"on-failure\" limit=3`",
    ),
    (
        "env { A \"{{index}}\"; }",
        "",
        "`{{index}}` is not a reference: `{{` stands for a literal brace | did you mean `{index}`?",
    ),
    ("env { A \"{{ param.lr }}\"; }\nparam \"lr\" 0.1", "", "did you mean `{param.lr}`?"),
    (
        "",
        "run \"--epochs=3\"",
        "such as `run \"python\" \"train.py\" \"--epochs=3\"`; this `run` replaces the whole `run`",
    ),
    ("", "run \"bash\" \"-c\" \"a $TFJOB_INDEX\"", "write `{index}` in place of `$TFJOB_INDEX`"),
    (
        "checkpoints \"gs://b/c\"",
        "restart \"on-failure\" no-progress-limit=3",
        "mount a directory that all nodes share, with `checkpoints \"file:///mnt/ckpt\" at=\"/mnt/ckpt\"` in the job",
    ),
    ("", "resources cpus=1 memory=\"1GiB\" tpus=8", "{ device \"google.com/tpu\" 8 }`"),
    ("", "restart 3", "write `restart \"on-failure\" limit=3`"),
    ("", "restart \"on-failure\" codes=143", "write `restart \"on-failure\" { codes 143 }`"),
    ("", "restart \"on-failure\" codes=143 limit=3", "write `restart \"on-failure\" limit=3 { codes 143 }`"),
    ("input \"spark\"", "", "write `target \"spark\" { input \"spark\" }`"),
    ("", "port #null", "the name of `port` must be a string, not null"),
    ("version \"2.15\"", "", "unknown entry `version` in `job` | `version` is a property of `framework`"),
    ("allow \"gang\" target=\"kubernetes\" because=\"x\"", "", "did you mean `on`?"),
    ("kubernetes { namespace \"ml\"; }", "", "write `target \"kubernetes\" { … }`"),
    (
        "metadata \"x\"",
        "",
        "available here: `framework`, `role`, `image`, `run`, `shell`, `env`, `resources`, `target`",
    ),
    ("data \"/mnt/x\"", "", "missing name for `data` | write `data \"NAME\" \"file:///mnt/x\"`"),
    ("files \"./x.py\"", "", "write `files \"NAME\" \"./x.py\"`"),
    ("data \"gs://x/y\" \"train\"", "", "must be the first argument | write `data \"train\" \"gs://x/y\"`"),
    (
        "data { train \"gs://x/y\"; }",
        "",
        "write the name as the first argument: `data \"train\" \"gs://x/y\"`",
    ),
    ("data \"d\" \"/data:/mnt\"", "", "write `\"file:///data\" at=\"/mnt\"`"),
    ("data \"d\" \"file:///d\" at=\"/d\" readonly=#true", "", "data is read-only by default"),
    ("code \"https://h/x.git\" branch=\"main\"", "", "did you mean `ref`?"),
    ("", "image \"ml/a:{param.tag}\"", "references are not expanded in `image`"),
    (
        "",
        "ready http=\"http://localhost:8080/health\"",
        "found a URL | write the name of a port in place of scheme, host, and number, such as `\"web/health\"`",
    ),
    ("", "after \"ps\" \"chief\"", "write one line for each: `after \"ps\"` and `after \"chief\"`"),
    ("dns-domain \"x.y\"", "", "write `target \"yarn\" { dns-domain \"x.y\" }`"),
    (
        "shim url=\"https://h/x\"",
        "",
        "write `shim url=\"https://h/x\"` in `target \"yarn\"`, `target \"kubernetes\"`",
    ),
    ("code #true", "", "must be a string, not a boolean | expected a URI"),
    (
        "role \"worker\" count=1",
        "",
        "merge both into one block; `count` sets the number of tasks of the role",
    ),
    (
        "workdir \"{scratch}/x\"",
        "",
        "`{scratch}` is empty at the first start of a task, so it contains no directory `x`",
    ),
    ("deadline \"100000d\"", "", "exceeds the maximum of 100 years | write at most `36500d`"),
    ("", "ready file=\"/tmp/../x\"", "path `/tmp/../x` contains `..` | write the path without `..`"),
    ("", "ready http=\"rendezvous/x\"", "a gRPC server, which does not answer HTTP probes"),
    ("", "ready http=\"http://localhost:8080/ok\"", "such as `\"web/ok\"`"),
    ("port \"web\" 8080", "ready http=\"http://localhost:8080/ok\"", "write `\"web/ok\"`"),
    ("port \"web\" 8080", "ready http=\"8080\"", "write `\"web/\"`"),
    ("port \"rendevous\" 2223", "", "the port name `rendevous` is too similar to `rendezvous`"),
    ("restart \"on-failure\" { codes 143 143; }", "", "exit code 143 occurs twice"),
    (
        "checkpoints \"s3://b/c\"; secret \"S_T\" from=\"s\"; tensorboard { secrets \"S_T\" \"S_T\"; }",
        "",
        "secret `S_T` occurs twice in `secrets` | remove one of them",
    ),
    (
        "secret \"my-secret\" env=\"token\"",
        "",
        "write the variable as the argument: `secret \"NAME\" from=\"my-secret\"`",
    ),
    (
        "secret \"my-secret\" env=\"TOKEN\" key=\"k\"",
        "",
        "write the variable as the argument: `secret \"TOKEN\" from=\"my-secret\" key=\"k\"`",
    ),
    ("secret \"my-secret\" env=TOKEN from=", "", "missing value after `from=`"),
    ("secret \"X_Y\" \"from\"", "", "`secret \"X_Y\" from=\"…\" key=\"…\"`"),
    ("kerberos principal=\"\" keytab=\"secret:K\"", "", "the Kerberos principal is empty"),
    ("user \"0755\"", "", "user name, not a string | write `755`"),
];

#[test]
fn the_help_names_the_form_that_was_meant() {
    let dir = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for (inside, role, wanted) in CASES {
        fs::write(dir.path().join("j.tfjob.kdl"), job(inside, role)).unwrap();
        let all = findings(dir.path(), "j.tfjob.kdl");
        if !all.iter().any(|text| text.contains(wanted)) {
            wrong.push(format!("{inside} {role}: {wanted}: {all:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_cluster_file_names_the_field_that_was_meant() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("j.tfjob.kdl"), job("", "")).unwrap();
    for (lines, wanted) in [
        (
            "target \"dcos\" { shim url=\"https://h/x\"; }",
            "write `dcos { shim url=\"https://h/x\" }` instead of `target`",
        ),
        ("limits cpus=16", "did you mean `task-cpus`?"),
        ("shared \"/mnt/nfs\"", "write `file:///mnt/nfs`"),
    ] {
        fs::write(
            dir.path().join("c.cluster.kdl"),
            format!("cluster \"c\" target=\"dcos\" {{\n{lines}\n}}\n"),
        )
        .unwrap();
        let all = errors(dir.path(), "j.tfjob.kdl", &["--cluster", "c.cluster.kdl"]);
        assert!(all.iter().any(|(_, text)| text.contains(wanted)), "{lines}: {all:?}");
    }
}

#[test]
fn extends_below_the_job_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("b.tfjob.kdl"), job("", "")).unwrap();
    fs::write(dir.path().join("j.tfjob.kdl"), "job \"j\" {\n}\nextends \"b.tfjob.kdl\"\n").unwrap();
    let all = errors(dir.path(), "j.tfjob.kdl", &[]);
    assert!(matches!(all.as_slice(), [(code, _)] if code == "misplaced-field"), "{all:?}");
}

#[test]
fn a_cluster_file_is_not_a_spec() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("j.tfjob.kdl"), "cluster \"c\" target=\"yarn\" {}\n").unwrap();
    fs::write(dir.path().join("j.tfjob.yaml"), "cluster:\n  name: c\n  target: yarn\n").unwrap();
    fs::write(dir.path().join("c9.kdl"), "cluster \"c\" target=\"yarn\" { nodes 2; }\n").unwrap();
    for (name, renamed) in
        [("j.tfjob.kdl", "j.cluster.kdl"), ("j.tfjob.yaml", "j.cluster.yaml"), ("c9.kdl", "c9.cluster.kdl")]
    {
        let all = errors(dir.path(), name, &[]);
        let [(_, said)] = all.as_slice() else { panic!("{all:?}") };
        assert!(said.contains(&format!("this is a cluster file | rename the file to `{renamed}`")), "{said}");
        assert!(said.contains("--cluster"), "{said}");
    }
}

#[test]
fn a_setting_is_explained_in_its_own_notation() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("j.tfjob.kdl"), job("target \"kubernetes\"", "")).unwrap();
    for (setting, wanted) in [
        ("role.worker.count=2.0", "must be an integer from 1 to 10000, not a decimal number"),
        (
            "target.kubernetes.annotations.example.com/owner=ml",
            "quote a name with a dot: `'target.kubernetes.annotations.\"example.com/owner\"=ml'`",
        ),
    ] {
        let all = errors(dir.path(), "j.tfjob.kdl", &["--set", setting]);
        assert!(all.iter().any(|(_, said)| said.contains(wanted)), "{setting}: {all:?}");
    }
}

#[test]
fn an_allow_that_another_one_replaces_is_reported_as_such() {
    let dir = tempfile::tempdir().unwrap();
    let allows = "user 5\nallow \"user\" because=\"x\"\nallow \"user\" on=\"yarn\" because=\"y\"";
    fs::write(dir.path().join("j.tfjob.kdl"), job(allows, "")).unwrap();
    let said = run(dir.path(), &["check", "j.tfjob.kdl", "--target", "yarn", "--format", "short"]);
    assert!(out(&said).contains("another `allow` already accepts `user` on yarn"), "{}", out(&said));
}

#[test]
fn a_role_name_that_is_too_long_is_one_error() {
    let dir = tempfile::tempdir().unwrap();
    let helper = format!("helper \"a{}\" {{ run \"x\"; }}\ntarget \"kubernetes\"", "-b".repeat(33));
    fs::write(dir.path().join("j.tfjob.kdl"), job(&helper, "")).unwrap();
    let all = errors(dir.path(), "j.tfjob.kdl", &[]);
    assert!(matches!(all.as_slice(), [(code, _)] if code == "bad-value"), "{all:?}");
}

#[test]
fn a_null_tensorboard_is_one_error() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(
        dir.path().join("j.tfjob.yaml"),
        "job:\n  name: j\n  framework: custom\n  image: r/x:1\n  run: [a]\n  tensorboard:\n  \
         resources: { cpus: 1, memory: 1GiB }\n  role: { worker: {} }\n",
    )
    .unwrap();
    let all = errors(dir.path(), "j.tfjob.yaml", &[]);
    assert!(matches!(all.as_slice(), [(code, _)] if code == "wrong-type"), "{all:?}");
}

#[test]
fn only_extends_is_to_be_fixed_if_it_is_inside_the_job() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("j.tfjob.kdl"), "job \"j\" {\n extends \"b.tfjob.kdl\"\n target \"yarn\"\n}\n")
        .unwrap();
    let output = run(dir.path(), &["check", "j.tfjob.kdl"]);
    let said = [out(&output), crate::program::err(&output)].concat();
    assert!(said.contains("yarn not checked until `extends` is fixed"), "{said}");
}

#[test]
fn no_target_reports_a_consequence_of_two_chiefs() {
    let dir = tempfile::tempdir().unwrap();
    let text = job("role \"chief\" count=2\nrole \"ps\"\ntarget \"kubernetes\"", "")
        .replace("multi-worker-mirrored", "parameter-server");
    fs::write(dir.path().join("j.tfjob.kdl"), text).unwrap();
    let all = errors(dir.path(), "j.tfjob.kdl", &[]);
    assert!(matches!(all.as_slice(), [(code, _)] if code == "too-many-tasks"), "{all:?}");
}

#[test]
fn a_key_with_a_wrong_indentation_is_compared_with_the_keys_above() {
    let dir = tempfile::tempdir().unwrap();
    for (text, wanted) in [
        (
            "job:\n  name: j\n   framework: custom\n",
            "`framework` is indented by 3 spaces; keys of one object need the same indentation: 2 as `name`",
        ),
        (
            "job:\n  name: j\n  role:\n    worker:\n      count: 2\n     restart: never\n",
            "5 spaces; keys of one object need the same indentation: 6 as `count`, or 4 as `worker`",
        ),
        (
            "job:\n  name: j\n framework: custom\n",
            "1 space; keys of one object need the same indentation: 2 as `name`, or 0 as `job`",
        ),
        ("job:\n  name: [a\n  framework: custom\n", "invalid YAML: "),
    ] {
        fs::write(dir.path().join("j.tfjob.yaml"), text).unwrap();
        let all = errors(dir.path(), "j.tfjob.yaml", &[]);
        assert!(all.iter().any(|(_, said)| said.contains(wanted)), "{text}: {all:?}");
    }
}

#[test]
fn a_long_value_is_shortened_in_the_message() {
    let dir = tempfile::tempdir().unwrap();
    for long in ["a".repeat(3000), format!("a`b{}", "x".repeat(3000))] {
        let lines = format!("target \"kubernetes\" {{ gang \"{long}\"; }}\nnetwork \"{long}\"");
        fs::write(dir.path().join("j.tfjob.kdl"), job(&lines, "")).unwrap();
        let all = errors(dir.path(), "j.tfjob.kdl", &[]);
        assert!(!all.is_empty() && all.iter().all(|(_, said)| said.len() < 700), "{all:?}");
    }
}

#[test]
fn a_third_occurrence_is_not_called_the_second_one() {
    let dir = tempfile::tempdir().unwrap();
    let thrice = "deadline \"1h\"\ndeadline \"2h\"\ndeadline \"3h\"";
    fs::write(dir.path().join("j.tfjob.kdl"), job(thrice, "")).unwrap();
    let said = run(dir.path(), &["check", "j.tfjob.kdl"]);
    assert!(
        !out(&said).contains("second occurrence") && out(&said).matches("repeated here").count() == 2,
        "{}",
        out(&said)
    );
}
