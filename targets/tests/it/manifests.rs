//! Tests of the manifests of a job: comments, the digest of the spec, requests of init containers, and secrets.
mod comments;
mod digests;

use crate::request::{analyze, request};
use serde_json::Value;
use tfjob_lang::lowered::Artifact;
use tfjob_targets::ALL;

const WIDE: &str = r##"job "wide" {
    framework "tensorflow" version="2.15" strategy="multi-worker-mirrored"
    image "ml/mnist:1.0"
    run "python" "{code}/train.py"
    code "https://files.example.com/code.zip"
    checkpoints "s3://models/mnist"
    secret "AWS_SECRET_ACCESS_KEY" from="store" key="secret"
    secret "TRACKING_TOKEN" from="tracking" key="token"
    deadline "2d"
    keep "failed" for="1d"
    stop grace="5m"
    network "host"
    start gang=#true
    allow "restart" on="kubernetes" because="the nodes are never drained"
    role "worker" count=8 {
        restart "on-failure" limit=3
        resources cpus=2 memory="4GiB" shared-memory="1GiB"
    }
    helper "notebook" { shell "sleep 9"; resources cpus=1 memory="2GiB"; }
    tensorboard { secrets "AWS_SECRET_ACCESS_KEY"; }
    target "kubernetes" {
        shim image="ml/tfjob-shim:1.0"
        gang "volcano"
        toleration "spot" effect="NoExecute" seconds=300
        patch #"{"spec": {"tfReplicaSpecs": {"Worker": {"template": {"spec": {"volumes": [{"name": "v", "configMap": {"name": "c", "defaultMode": 420}}]}}}}}}"#
    }
}"##;

fn files(text: &str, target: &str) -> Vec<Artifact> {
    let analysis = analyze(&request(text));
    let target = ALL.iter().find(|each| each.name() == target).expect("a target");
    let found = analysis.compile(*target);
    let told: Vec<_> =
        analysis.diagnostics.iter().chain(&found.diagnostics).filter(|d| d.is_error()).collect();
    assert!(told.is_empty(), "{told:#?}");
    found.lowered.expect("no errors").artifacts
}

fn file(text: &str, path: &str) -> String {
    files(text, "kubernetes").into_iter().find(|file| file.path == path).expect("this file").text
}

fn documents(text: &str, target: &str) -> Vec<Value> {
    files(text, target).into_iter().flat_map(|file| file.documents).map(|document| document.value).collect()
}

const PLAIN: &str = r#"job "mnist" {
    framework "tensorflow" version="2.15" strategy="multi-worker-mirrored"
    image "ml/mnist:1.0"
    run "python" "train.py"
    param "lr" 0.1
    env { target "a"; LR "{param.lr}"; }
    role "worker" count=8 { resources cpus=1 memory="1GiB"; }
    target "kubernetes" { namespace "ml" }
    target "yarn" { queue "a" }
}"#;

#[test]
fn an_annotation_can_name_each_container_of_the_pods() {
    let start = WIDE.find("        patch #").expect("a patch");
    let end = start + WIDE[start..].find('\n').expect("a line") + 1;
    let unpatched = format!("{}{}", &WIDE[..start], &WIDE[end..]);
    let jobs = documents(&unpatched, "kubernetes");
    let pod = &jobs[0]["spec"]["tfReplicaSpecs"]["Worker"]["template"]["spec"];
    let all = ["initContainers", "containers"]
        .into_iter()
        .flat_map(|kind| pod[kind].as_array().into_iter().flatten());
    let names: Vec<&str> = all.filter_map(|container| container["name"].as_str()).collect();
    assert!(names.contains(&"tfjob-bin") && names.contains(&"code") && names.len() > 2, "{names:?}");
    for name in names {
        let key = format!("container.apparmor.security.beta.kubernetes.io/{name}");
        let annotated = unpatched.replace(
            "gang \"volcano\"",
            &format!("gang \"volcano\"; annotations {{ \"{key}\" \"unconfined\"; }}"),
        );
        files(&annotated, "kubernetes");
    }
}

fn digest_of(text: &str, what: &str) -> String {
    let job = &documents(text, "kubernetes")[0];
    job["metadata"]["annotations"][format!("tfjob/{what}-digest")].as_str().expect("a digest").to_owned()
}

fn digest(text: &str) -> String {
    digest_of(text, "spec")
}

#[test]
fn the_digest_changes_with_the_spec_and_only_with_it() {
    let first = digest(PLAIN);
    // Another value for the same spec needs a new version of the format, and a line in CHANGELOG.md.
    assert_eq!(first, "sha256:b5b0b86dbaaaf3238f9a4c326839319f6f09e386bc4f7a1a9d7e4031259cb3e3");
    assert_eq!(first.len(), tfjob_lang::digest::LENGTH);
    for (old, new) in [
        ("cpus=1 memory=\"1GiB\"", "memory=\"1024MiB\" cpus=1"),
        ("target \"a\"; LR \"{param.lr}\";", "LR \"{param.lr}\"; target \"a\";"),
        ("count=8", "/* more */ count=8"),
        ("queue \"a\"", "queue \"b\""),
        ("    target \"yarn\" { queue \"a\" }\n", ""),
        ("\"{param.lr}\"; }", "\"{param.lr}\"\n }"),
    ] {
        assert!(PLAIN.contains(old), "{old}");
        assert_eq!(digest(&PLAIN.replace(old, new)), first, "{new}");
    }
    let mut met = vec![first];
    for (old, new) in [
        ("count=8", "count=9"),
        ("namespace \"ml\"", "namespace \"mm\""),
        ("target \"a\"", "target \"b\""),
        ("lr\" 0.1", "lr\" 0.2"),
        ("worker\" count=8 {", "worker\" count=8 { target \"kubernetes\" { priority \"high\"; };"),
    ] {
        let other = digest(&PLAIN.replace(old, new));
        assert!(!met.contains(&other), "{new}");
        met.push(other);
    }
}

#[test]
fn one_more_task_is_a_diff_of_three_lines() {
    let (before, after) =
        (file(PLAIN, "tfjob.yaml"), file(&PLAIN.replace("count=8", "count=9"), "tfjob.yaml"));
    let changed = before.lines().zip(after.lines()).filter(|(a, b)| a != b).map(|(a, _)| a.trim_start());
    let keys: Vec<&str> = changed.map(|line| line.split(':').next().unwrap_or_default()).collect();
    assert_eq!(keys, ["tfjob/spec-digest", "tfjob/task-digest", "replicas"]);
    assert_eq!(before.lines().count(), after.lines().count());
}

#[test]
fn the_copy_of_the_shim_requests_no_more_than_the_task() {
    let jobs =
        documents(&WIDE.replace("memory=\"4GiB\" shared-memory=\"1GiB\"", "memory=\"32MiB\""), "kubernetes");
    let copy =
        &jobs[0]["spec"]["tfReplicaSpecs"]["Worker"]["template"]["spec"]["initContainers"][0]["resources"];
    let least = serde_json::json!({ "cpu": "100m", "memory": "32Mi" });
    assert_eq!(*copy, serde_json::json!({ "requests": least, "limits": least }));
    let jobs = documents(WIDE, "kubernetes");
    let init = &jobs[0]["spec"]["tfReplicaSpecs"]["Worker"]["template"]["spec"]["initContainers"];
    let small = serde_json::json!({ "cpu": "100m", "memory": "64Mi" });
    assert_eq!(init[0]["resources"], serde_json::json!({ "requests": small, "limits": small }), "{init}");
    // The download unpacks archives, so it has the amounts of the task.
    assert_eq!(init[1]["resources"]["requests"]["memory"], "4Gi", "{init}");
}

/// Returns the variables of a list of objects with names.
fn names(env: &Value) -> Vec<&str> {
    env.as_array().into_iter().flatten().filter_map(|variable| variable["name"].as_str()).collect()
}

#[test]
fn tensorboard_and_helpers_get_only_the_secrets_that_they_name() {
    let all = documents(WIDE, "kubernetes");
    let find = |kind: &str| all.iter().find(|object| object["kind"] == kind).expect("an object");
    let board = &find("Deployment")["spec"]["template"]["spec"]["containers"][0]["env"];
    assert_eq!(names(board), ["AWS_SECRET_ACCESS_KEY"]);
    let roles = &find("TFJob")["spec"]["tfReplicaSpecs"];
    let env = |role: &str| names(&roles[role]["template"]["spec"]["containers"][0]["env"]);
    assert!(env("Worker").ends_with(&["AWS_SECRET_ACCESS_KEY", "TRACKING_TOKEN"]), "{:?}", env("Worker"));
    assert!(!env("notebook").iter().any(|name| name.contains("TOKEN")), "{:?}", env("notebook"));
    let named = WIDE.replace("sleep 9\";", "sleep 9\"; secret \"HUB_TOKEN\" from=\"hub\" key=\"t\";");
    assert!(documents(&named, "kubernetes")[0].to_string().contains("HUB_TOKEN"));
}

/// Returns the errors on Kubernetes: the code and the help of each.
fn errors_of(text: &str) -> Vec<String> {
    let analysis = analyze(&request(text));
    let target = ALL.iter().find(|each| each.name() == "kubernetes").expect("a target");
    let found = analysis.compile(*target);
    let all = analysis.diagnostics.iter().chain(&found.diagnostics).filter(|d| d.is_error());
    all.map(|d| format!("{}: {}", d.code.name, d.help.clone().unwrap_or_default())).collect()
}

#[test]
fn tensorboard_without_a_credential_of_its_logs_is_an_error() {
    let told = errors_of;
    let none = WIDE.replace("tensorboard { secrets \"AWS_SECRET_ACCESS_KEY\"; }", "tensorboard");
    let help = "missing-secret: add `secrets \"AWS_SECRET_ACCESS_KEY\"` to the `tensorboard` block";
    assert_eq!(told(&none), [help]);
    // The store of the logs does not read this variable, the logs are elsewhere, or a service account or a file may give the right.
    for (old, new) in [
        ("AWS_SECRET_ACCESS_KEY", "AWS_BILLING_TOKEN"),
        ("s3://", "gs://"),
        ("gang \"volcano\"", "gang \"volcano\"; service-account \"trainer\""),
        ("deadline \"2d\"", "deadline \"2d\"; env { AWS_PROFILE \"ml\"; }"),
    ] {
        assert_ne!(none.replace(old, new), none, "{old}");
        assert_eq!(told(&none.replace(old, new)), [""; 0], "{new}");
    }
    let google = none.replace("s3://", "gs://");
    // A variable of the store contains the secret, or the path of its file, or the file is at a default path.
    let own = "secret \"AWS_SECRET_ACCESS_KEY\" from=\"store\" key=\"secret\"";
    let help = "missing-secret: add `secrets \"STORE\"` to the `tensorboard` block";
    for (text, entries) in [
        (&google, "at=\"/etc/k.json\"; env { GOOGLE_APPLICATION_CREDENTIALS \"/etc/k.json\"; }"),
        (&google, "at=\"/etc/k.json\"; env { GOOGLE_APPLICATION_CREDENTIALS \"{env.STORE}\"; }"),
        (&none, "; env { AWS_SECRET_ACCESS_KEY \"{env.STORE}\"; }"),
        (&none, "at=\"/etc/aws\"; env { AWS_SHARED_CREDENTIALS_FILE \"/etc/aws\"; }"),
        (&none, "at=\"/opt/ml/.aws/credentials\""),
    ] {
        let secret = format!("secret \"STORE\" from=\"store\" key=\"secret\" {entries}");
        let text = text.replace(own, &secret);
        assert_eq!(told(&text), [help], "{entries}");
        let named = text.replace("tensorboard\n", "tensorboard { secrets \"STORE\"; }\n");
        assert_eq!(told(&named), [""; 0], "{entries}");
    }
    let of_role = none.replace(own, "secret \"STORE\" from=\"store\" key=\"secret\"").replace(
        "restart \"on-failure\" limit=3",
        "restart \"on-failure\" limit=3; env { AWS_SECRET_ACCESS_KEY \"{env.STORE}\"; }",
    );
    let moved = ", and set `AWS_SECRET_ACCESS_KEY` in the `env` of the job, which TensorBoard gets too";
    assert_eq!(told(&of_role), [format!("{help}{moved}")]);
    assert_eq!(told(&google.replace("AWS_SECRET_ACCESS_KEY", "GOOGLE_MAPS_API_KEY")), [""; 0]);
    assert_eq!(told(&google.replace("AWS_SECRET_ACCESS_KEY", "GOOGLE_APPLICATION_CREDENTIALS")).len(), 1);
}

#[test]
fn tensorboard_without_a_credential_that_a_command_sets_is_an_error() {
    let told = errors_of;
    let none = WIDE.replace("tensorboard { secrets \"AWS_SECRET_ACCESS_KEY\"; }", "tensorboard");
    let google = none.replace("s3://", "gs://");
    let own = "secret \"AWS_SECRET_ACCESS_KEY\" from=\"store\" key=\"secret\"";
    let help = "missing-secret: add `secrets \"STORE\"` to the `tensorboard` block";
    let command = "run \"python\" \"{code}/train.py\"";
    for (text, at, set, name) in [
        (&none, "", "shell \"AWS_SECRET_ACCESS_KEY=$STORE exec python t.py\"", "AWS_SECRET_ACCESS_KEY"),
        (&none, "", "run \"env\" \"AWS_SECRET_ACCESS_KEY={env.STORE}\" \"t\"", "AWS_SECRET_ACCESS_KEY"),
        (
            &none,
            "",
            "run \"sh\" \"-c\" \"export AWS_SECRET_ACCESS_KEY=\\\"$STORE\\\"; t\"",
            "AWS_SECRET_ACCESS_KEY",
        ),
        (
            &google,
            "at=\"/etc/k.json\"",
            "shell \"export GOOGLE_APPLICATION_CREDENTIALS=/etc/k.json; exec t\"",
            "GOOGLE_APPLICATION_CREDENTIALS",
        ),
    ] {
        let secret = format!("secret \"STORE\" from=\"store\" key=\"secret\" {at}");
        let told = told(&text.replace(own, &secret).replace(command, set));
        assert_eq!(
            told,
            [format!("{help}, and set `{name}` in the `env` of the job, which TensorBoard gets too")],
            "{set}"
        );
    }
    let token = "secret \"STORE\" from=\"store\" key=\"secret\" at=\"/etc/t\"; env { AWS_WEB_IDENTITY_TOKEN_FILE \"/etc//t\"; AWS_ROLE_ARN \"arn:x\"; }";
    assert_eq!(told(&none.replace(own, token)), [help]);
}

/// Returns the help of each error `missing-secret` that is reported for all targets.
fn missing_secrets(text: &str) -> Vec<String> {
    let all = analyze(&request(text)).diagnostics;
    let missing = all.iter().filter(|found| found.code.name == "missing-secret");
    missing.map(|found| found.help.clone().unwrap_or_default()).collect()
}

/// The rule is independent of the target.
#[test]
fn a_helper_or_role_that_uses_a_secret_of_others_is_an_error() {
    let told = missing_secrets;
    let program = "shell \"sleep 9\";";
    let help = "add `secret \"TRACKING_TOKEN\" from=\"tracking\" key=\"token\"` to `helper \"notebook\"`";
    for own in [
        "run \"x\" \"{env.TRACKING_TOKEN}\";",
        "shell \"echo $TRACKING_TOKEN\";",
        "shell \"set -u\\necho ${TRACKING_TOKEN}\";",
        "shell \"sleep 9\"; env { COPY \"{env.TRACKING_TOKEN}\"; };",
        "run \"sh\" \"-c\" \"echo $TRACKING_TOKEN\";",
    ] {
        let text = WIDE.replace(program, own);
        assert_eq!(told(&text), [help], "{own}");
        let given = format!("{own} secret \"TRACKING_TOKEN\" from=\"a\" key=\"b\";");
        assert_eq!(told(&WIDE.replace(program, &given)), [""; 0], "{given}");
    }
    for own in [
        "shell \"TRACKING_TOKEN=$(cat /k); echo $TRACKING_TOKEN\";",
        "shell \"echo ${TRACKING_TOKEN:-none}\";",
        "shell \"sleep 9\"; env { TRACKING_TOKEN \"x-{env.TRACKING_TOKEN}\"; };",
    ] {
        assert_eq!(told(&WIDE.replace(program, own)), [""; 0], "{own}");
    }
    // A default of the job is for the roles, which get the secret.
    let shared = WIDE.replace("deadline \"2d\"", "deadline \"2d\"; env { COPY \"{env.TRACKING_TOKEN}\"; }");
    assert_eq!(told(&shared), [""; 0]);
    // Only a helper declares the secret.
    let of_helper = WIDE.replace(program, "shell \"sleep 9\"; secret \"HUB_TOKEN\" from=\"hub\" key=\"t\";");
    let used = of_helper.replace("count=8 {", "count=8 {\n env { HUB \"{env.HUB_TOKEN}\"; }");
    assert_eq!(told(&used), ["add `secret \"HUB_TOKEN\" from=\"hub\" key=\"t\"` to `role \"worker\"`"]);
}

#[test]
fn a_helper_that_inherits_a_secret_or_uses_its_file_is_an_error() {
    let told = missing_secrets;
    let program = "shell \"sleep 9\";";
    let help = "add `secret \"TRACKING_TOKEN\" from=\"tracking\" key=\"token\"` to `helper \"notebook\"`";
    for (command, keyword) in [
        ("run \"python\" \"t.py\" \"{env.TRACKING_TOKEN}\"", "run"),
        ("shell \"exec t $TRACKING_TOKEN\"", "shell"),
    ] {
        let text = WIDE.replace("run \"python\" \"{code}/train.py\"", command);
        assert_eq!(told(&text), [""; 0], "{command}");
        let inherited = text.replace(program, "");
        let own = format!("{help}, or add a `{keyword}` of its own to this helper");
        assert_eq!(told(&inherited), [own], "{command}");
        let given = text.replace(program, "secret \"TRACKING_TOKEN\" from=\"a\" key=\"b\";");
        assert_eq!(told(&given), [""; 0], "{command}");
    }
    let file = "secret \"F\" from=\"s\" key=\"k\" at=\"/etc/f\"";
    let with_file = WIDE.replace("deadline \"2d\"", &format!("deadline \"2d\"; {file}"));
    let help = format!("add `{file}` to `helper \"notebook\"`");
    for own in [
        "run \"cat\" \"/etc/f\";",
        "shell \"cat /etc/f\";",
        "run \"x\" \"--key=/etc/f\";",
        "run \"sh\" \"-c\" \"cat /etc/f\";",
        "shell \"sleep 9\"; env { KF \"/etc/f\"; };",
    ] {
        let text = with_file.replace(program, own);
        assert_eq!(told(&text), [help.as_str()], "{own}");
        assert_eq!(told(&with_file.replace(program, &format!("{own} {file};"))), [""; 0], "{own}");
    }
    for own in ["shell \"[ -f /etc/f ] && cat /etc/f\";", "run \"cat\" \"/etc/f2\";"] {
        assert_eq!(told(&with_file.replace(program, own)), [""; 0], "{own}");
    }
}

#[test]
fn the_uri_of_logs_may_refer_to_the_job_and_its_parameters() {
    let logs = |uri: &str| {
        let text =
            WIDE.replace("tensorboard {", &format!("param \"n\" \"x\"; tensorboard logs=\"{uri}\" {{"));
        errors(&text)
    };
    assert_eq!(logs("s3://models/{job}"), [""; 0]);
    assert_eq!(logs("s3://models/{param.n}/a"), [""; 0]);
    let told = logs("s3://models/{env.A}");
    assert!(told[0].contains("a URI with a reference whose value is not known at compile time"), "{told:?}");
    assert!(logs("models/{job}")[0].contains("is not an absolute path, URI, or reference"));
}

/// Returns the messages of the errors of the target `kubernetes`.
fn errors(text: &str) -> Vec<String> {
    let analysis = analyze(&request(text));
    let target = ALL.iter().find(|each| each.name() == "kubernetes").expect("a target");
    let found = analysis.compile(*target);
    let all = analysis.diagnostics.iter().chain(&found.diagnostics).filter(|d| d.is_error());
    all.map(|d| d.message.clone()).collect()
}

#[test]
fn annotations_of_tfjob_are_reserved() {
    let own = "namespace \"ml\"; annotations { \"tfjob/KEY\" \"x\"; }";
    let job = "namespace \"ml\"; patch #\"{\"metadata\": {\"annotations\": {\"tfjob/KEY\": VALUE}}}\"#";
    let pods = "namespace \"ml\"; patch #\"{\"spec\": {\"tfReplicaSpecs\": {\"Worker\": {\"template\": {\"metadata\": \
                {\"annotations\": {\"tfjob/KEY\": VALUE}}}}}}}\"#";
    for edit in [own, job, pods] {
        for (key, value) in
            [("spec-digest", "\"x\""), ("spec-digest", "null"), ("other", "\"x\""), ("other", "null")]
        {
            let edit = edit.replace("KEY", key).replace("VALUE", value);
            let found = errors(&PLAIN.replace("namespace \"ml\"", &edit));
            assert!(
                found.len() == 1
                    && found[0].contains("reserved: tfjob writes the annotations with the prefix `tfjob/`"),
                "{edit}: {found:#?}"
            );
        }
    }
    assert_eq!(
        errors(&PLAIN.replace(
            "namespace \"ml\"",
            &job.replace("tfjob/KEY", "tfjob.example.com/x").replace("VALUE", "\"x\"")
        )),
        [""; 0]
    );
}
