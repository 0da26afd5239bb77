//! Generated objects of the same kind, and parts of the same object, have different names, whatever names the spec uses.
use crate::pitfalls::kubernetes::specs;
use crate::pitfalls::{analyzed, compiled, on_all_cores};
use serde_json::Value;
use std::collections::BTreeSet;

/// Names that tfjob itself generates, and parts of such names.
const HOSTILE: [&str; 18] = [
    "tensorboard",
    "tfjob",
    "tfjob-shim",
    "tfjob-stage",
    "tfjob-scratch",
    "shared-memory",
    "checkpoints",
    "code",
    "fresh",
    "tensorflow",
    "cluster",
    "http",
    "s0",
    "files-s0",
    "data-s0",
    "secret-0",
    "source-1",
    "worker-0",
];

/// Returns two names that are too long for a volume once tfjob adds its prefix.
fn long() -> [String; 2] {
    ["a", "b"].map(|first| first.repeat(60))
}

/// Returns a job that uses these two names for each kind of entry that has a name.
fn job(names: [&str; 2], target: &str) -> String {
    let [a, b] = names;
    let board = if target == "yarn" { "target \"yarn\" { hadoop \"3.3\"; }" } else { "" };
    let (uri, at, fresh) =
        if target == "yarn" { ("hdfs://default", "", "") } else { ("pvc://c", "at=", "if-exists=\"fail\"") };
    let place = |path: &str| if at.is_empty() { String::new() } else { format!("at=\"{path}\"") };
    let helper = |name: &str, port: u16| {
        format!("helper \"{name}\" {{ run \"h\"; resources cpus=1 memory=\"1GiB\"; port \"web\" {port}; }}")
    };
    let mut job = vec![
        board.to_owned(),
        "hadoop home=\"/h\" java=\"/j\"; tensorboard; start timeout=\"5m\"".to_owned(),
        format!("code \"{uri}/code.tar.gz\""),
        format!("files \"{a}\" \"{uri}/a.tar.gz\"; files \"{b}\" \"{uri}/b.tar.gz\""),
        format!("data \"{a}\" \"{uri}/a\" {}; data \"{b}\" \"{uri}/b\" {}", place("/in/a"), place("/in/b")),
        format!("checkpoints \"{uri}/ck\" {} {fresh}", place("/ck")),
        helper(short(a), 8081),
        helper(short(b), 8082),
    ];
    if target == "kubernetes" {
        job.push("secret \"S\" from=\"s\" key=\"k\" at=\"/etc/s\"; secret \"T\" from=\"s\" key=\"t\" at=\"/etc/t\"".to_owned());
    }
    let role = format!(
        "run \"a\" \"{{scratch}}\" \"{{env.HOME}}\"\nresources cpus=1 memory=\"1GiB\"{}\nport \"{}\" 9001; port \"{}\" 9002",
        if target == "kubernetes" { " shared-memory=\"1MiB\"" } else { "" },
        &a[..a.len().min(15)],
        if b.len() > 15 { "bb" } else { b },
    );
    specs::lone(&job.join("\n"), &role)
}

/// Returns a name that is short enough for a role: the operator adds the name of the job and an index.
fn short(name: &str) -> &str {
    &name[..name.len().min(20)]
}

/// Returns the first value of this key that occurs twice in a list.
fn twice<'v>(list: &'v Value, key: &str) -> Option<&'v Value> {
    let mut met = BTreeSet::new();
    list.as_array()?.iter().map(|one| &one[key]).find(|name| !name.is_null() && !met.insert(name.to_string()))
}

fn pod_fault(spec: &Value) -> Option<String> {
    let mut containers = Vec::new();
    for key in ["initContainers", "containers"] {
        containers.extend(spec[key].as_array().cloned().unwrap_or_default());
    }
    let all = Value::Array(containers.clone());
    let mut found = vec![
        ("containers", twice(&all, "name").cloned()),
        ("volumes", twice(&spec["volumes"], "name").cloned()),
    ];
    for container in &containers {
        for (list, key) in
            [("env", "name"), ("ports", "name"), ("ports", "containerPort"), ("volumeMounts", "mountPath")]
        {
            found.push((list, twice(&container[list], key).cloned()));
        }
    }
    found.into_iter().find_map(|(list, name)| Some(format!("two {list} {}", name?)))
}

/// Returns kind and name of all objects of a job, including the objects that the operator creates for a TFJob.
fn objects(documents: &[Value]) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for document in documents {
        let of = |key: &str| document[key].as_str().unwrap_or_default().to_owned();
        let name = document["metadata"]["name"].as_str().unwrap_or_default();
        all.push((of("kind"), name.to_owned()));
        for (role, spec) in document["spec"]["tfReplicaSpecs"].as_object().into_iter().flatten() {
            for index in 0..spec["replicas"].as_u64().unwrap_or(1) {
                let task = format!("{name}-{}-{index}", role.to_lowercase());
                all.extend(["Pod", "Service"].map(|kind| (kind.to_owned(), task.clone())));
            }
        }
    }
    all
}

fn kubernetes(documents: &[Value]) -> Option<String> {
    let mut met = BTreeSet::new();
    if let Some(object) = objects(documents).into_iter().find(|object| !met.insert(object.clone())) {
        return Some(format!("two {object:?}"));
    }
    let roles = documents.iter().flat_map(|d| d["spec"]["tfReplicaSpecs"].as_object().into_iter().flatten());
    let pods = roles.map(|(_, role)| &role["template"]["spec"]);
    let pods = pods.chain(documents.iter().map(|d| &d["spec"]["template"]["spec"]));
    pods.filter(|spec| !spec.is_null()).find_map(pod_fault)
}

fn yarn(documents: &[Value]) -> Option<String> {
    let service = documents.first()?;
    let mut names = BTreeSet::from([service["name"].as_str()?.to_owned()]);
    let components = service["components"].as_array()?;
    let again = components
        .iter()
        .map(|c| c["name"].to_string())
        .find(|name| !names.insert(name.trim_matches('"').to_owned()));
    let files = twice(&service["configuration"]["files"], "dest_file").map(ToString::to_string);
    // The DNS name of an instance is `COMPONENT-INDEX`, so a component with such a name would conflict with it.
    let tasks = components.iter().flat_map(|c| {
        let count = c["number_of_containers"].as_u64().unwrap_or(1);
        (0..count).map(move |index| format!("{}-{index}", c["name"].as_str().unwrap_or_default()))
    });
    let taken = tasks.into_iter().find(|task| names.contains(task));
    again.or(files).or(taken).map(|name| format!("two of {name}"))
}

#[test]
fn no_two_things_have_one_name() {
    let long = long();
    let names: Vec<&str> = HOSTILE.into_iter().chain(long.iter().map(String::as_str)).collect();
    // Each pair once. Half of the pairs are reversed, so that each name is used as the first and as the second one.
    let mut pairs = Vec::new();
    for (at, a) in names.iter().enumerate() {
        for (to, b) in names.iter().enumerate().skip(at + 1) {
            pairs.push(if (at + to) % 2 == 0 { [*a, *b] } else { [*b, *a] });
        }
    }
    for (target, fault) in [("kubernetes", kubernetes as fn(&[Value]) -> Option<String>), ("yarn", yarn)] {
        let found = on_all_cores(&pairs, |pair| {
            let text = job(*pair, target);
            let (told, lowered) = compiled(&analyzed(&text), target);
            let Some(lowered) = lowered else { return Err(told) };
            let documents: Vec<Value> =
                lowered.artifacts.iter().flat_map(|a| &a.documents).map(|d| d.value.clone()).collect();
            assert_eq!(fault(&documents), None, "{target}: {pair:?}\n{text}");
            Ok(())
        });
        let written = found.iter().filter(|found| found.is_ok()).count();
        let errors = found.into_iter().filter_map(Result::err).flatten();
        let errors: BTreeSet<_> = errors.map(|d| d.message).collect();
        assert!(written >= 75, "{target}: only {written} were written: {errors:#?}");
    }
}
