//! With `argocd`, another order of entries changes the name of the job if and only if it changes the job. Otherwise, Argo CD would
//! change a running job in place, or start a finished one again.
use crate::pitfalls::{analyzed, compiled};
use serde_json::Value;

/// A job with several entries of each kind. Entries with an order are on lines of their own.
const JOB: &str = r#"job "m" {
    framework "tensorflow" version="2.15" strategy="parameter-server"
    image "example.com/a:1"
    run "train" "{data.a}" "{param.a}" "{param.b}"
    labels {
        a "1"
        b "2"
    }
    data "a" "pvc://a/x" at="/a"
    data "b" "pvc://b/x" at="/b"
    files "c" "nfs://filer.example.com/c" at="/c"
    files "d" "nfs://filer.example.com/d" at="/d"
    param "a" 1
    param "b" 2
    secret "S_A" from="a" key="k"
    secret "S_B" from="b" key="k"
    env {
        A "1"
        B "2"
    }
    restart "on-failure" limit=3 within="1h"
    allow "restart" because="a lost job is submitted again"
    role "chief" count=1 {
        resources cpus=1 memory="1GiB"
    }
    role "ps" count=1 {
        resources cpus=1 memory="1GiB"
        port "web" 8000
        port "more" 8001
    }
    role "worker" count=2 {
        resources cpus=1 memory="1GiB" {
            device "rdma/hca" 1
            device "rdma/hcb" 1
        }
        placement {
            node "disk" "ssd"
            node "pool" "gpu"
        }
        env {
            C "1"
            D "2"
        }
        run "b"
        after "ps"
        after "chief"
        ready tcp="rendezvous"
    }
    helper "proxy" {
        run "proxy"
        resources cpus=1 memory="1GiB"
        port "one" 9000
        port "two" 9001
    }
    target "kubernetes" {
        argocd
        shim path="/opt/tfjob-shim"
        annotations {
            a "1"
            b "2"
        }
        toleration "a" effect="NoSchedule"
        toleration "b" effect="NoSchedule"
    }
}
"#;

/// Returns the name of the TFJob, and the objects without it and without the digest of the spec.
fn built(text: &str) -> (String, Vec<Value>) {
    let (told, lowered) = compiled(&analyzed(text), "kubernetes");
    let lowered =
        lowered.unwrap_or_else(|| panic!("{:?}", told.iter().map(|one| &one.message).collect::<Vec<_>>()));
    let mut documents: Vec<Value> =
        lowered.artifacts.into_iter().flat_map(|one| one.documents).map(|document| document.value).collect();
    let name = documents
        .iter()
        .find(|one| one["kind"] == "TFJob")
        .and_then(|job| job["metadata"]["name"].as_str())
        .expect("a TFJob")
        .to_owned();
    for document in &mut documents {
        if let Some(annotations) =
            document.pointer_mut("/metadata/annotations").and_then(Value::as_object_mut)
        {
            annotations.remove("tfjob/spec-digest");
            annotations.remove("tfjob/task-digest");
        }
        let text = document.to_string().replace(&name, "NAME");
        *document = serde_json::from_str(&text).expect("valid JSON");
    }
    (name, documents)
}

/// Returns whether a line contains a whole entry.
fn is_entry(line: &str) -> bool {
    !line.trim().is_empty() && !line.ends_with('{') && line.trim() != "}"
}

/// Tasks get a parameter as it is written, not its number.
#[test]
fn another_spelling_of_a_parameter_changes_the_name() {
    for (old, new) in [("1.1", "1.10"), ("5", "+5"), ("100", "0100"), ("1e3", "1000.0")] {
        let with = |value: &str| built(&JOB.replace("param \"a\" 1", &format!("param \"a\" {value}")));
        let ((before, old_job), (after, new_job)) = (with(old), with(new));
        assert_eq!(before == after, old_job == new_job, "{old} {new}");
    }
}

#[test]
fn another_order_changes_the_name_if_it_changes_the_job() {
    let (name, documents) = built(JOB);
    let lines: Vec<&str> = JOB.lines().collect();
    let mut wrong = Vec::new();
    let (mut renamed, mut kept) = (0, 0);
    for at in 1..lines.len() {
        let is_pair = is_entry(lines[at - 1]) && is_entry(lines[at]);
        let indent = |line: &str| line.len() - line.trim_start().len();
        if !is_pair || indent(lines[at - 1]) != indent(lines[at]) {
            continue;
        }
        let mut swapped = lines.clone();
        swapped.swap(at - 1, at);
        let (other, others) = built(&swapped.join("\n"));
        let is_same = others == documents;
        // Only some contracts contain all parameters, so their order always changes the name.
        let is_param = lines[at - 1..=at].iter().all(|line| line.trim().starts_with("param"));
        let is_expected = (is_same && !is_param) == (other == name);
        if !is_expected {
            wrong.push(format!(
                "{} / {}: the job is the same: {is_same}",
                lines[at - 1].trim(),
                lines[at].trim()
            ));
        }
        *(if is_same { &mut kept } else { &mut renamed }) += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(renamed > 4 && kept > 10, "{renamed} {kept}");
}
