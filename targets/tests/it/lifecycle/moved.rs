//! If the platform may restart a task on another node, the task finds its checkpoints there, or a diagnostic says that it does
//! not.
use crate::lifecycle::platforms::json;
use crate::lifecycle::terms;
use crate::request::{analyze, request};
use tfjob_lang::lowered::Lowered;
use tfjob_targets::ALL;

/// URI of the checkpoints, placement of the task, and whether another node would lack the checkpoints.
const STATES: [(&str, &str, bool); 6] = [
    ("file:///mnt/ck", "", true),
    ("file:///mnt/ck", "placement { partition \"gpu\"; }", true),
    ("file:///mnt/ck", "placement { node HOST \"n7\"; }", false),
    ("file:///mnt/ck", "placement { node OTHER \"n7\"; }", true),
    ("nfs://filer/ck", "", false),
    ("hdfs://default/ck", "", false),
];

fn spec(target: &str, state: (&str, &str, bool), terms: &str) -> String {
    let (uri, place, _) = state;
    let at = if uri.starts_with("hdfs") { "" } else { " at=\"/mnt/ck\"" };
    let (image, terms) = match target {
        "spark" => ("", terms.replace("on-failure\"", "on-failure\" scope=\"job\"")),
        _ => ("image \"ml/own:1.0\"", terms.to_owned()),
    };
    let hadoop = if at.is_empty() && !image.is_empty() { "hadoop home=\"/h\" java=\"/j\"" } else { "" };
    // The attribute with the name of the node, and another attribute, which may have that meaning only on other platforms.
    let (host, other) = match target {
        "dcos" => ("\"hostname\"", "\"kubernetes.io/hostname\""),
        "kubernetes" => ("\"kubernetes.io/hostname\"", "\"hostname\""),
        _ => ("\"nm.yarn.io/hostname\"", "\"nm.yarn.io/zone\""),
    };
    format!(
        r#"job "lives" {{
    framework "tensorflow" version="2.15"
    {image}
    {hadoop}
    checkpoints "{uri}"{at}
    role "worker" {{
        run "/opt/own" "{{checkpoints}}"
        resources cpus=1 memory="1GiB"
        {}
        {}
    }}
    helper "nb" {{ run "/opt/nb"; resources cpus=1 memory="1GiB"; }}
    target "yarn" {{ hadoop "3.4.1"; dns-domain "c"; user "ada"; }}
    target "dcos" {{ version "2.1"; shim url="https://files.example/tfjob-shim"; }}
    target "spark" {{ master "yarn"; }}
    allow "restart" on="kubernetes" because="a Pod that is lost ends the job"
}}"#,
        terms.replace("scope=\"job\" scope=\"task\"", "scope=\"job\""),
        place.replace("HOST", host).replace("OTHER", other)
    )
}

/// Returns whether the platform may restart the task on another node, according to the artifact.
fn moves(target: &str, lowered: &Lowered, restarts: bool) -> bool {
    match target {
        "local" => false,
        "kubernetes" => {
            let job = json(lowered, "tfjob.yaml");
            job["spec"]["enableDynamicWorker"] == true
        }
        "yarn" => json(lowered, ".json")["components"][0]["restart_policy"] != "NEVER",
        // Marathon may restart an app without persistent volumes on any agent. The Spark driver requests new executors.
        "dcos" | "spark" => restarts,
        other => panic!("{other}"),
    }
}

#[test]
fn a_task_that_moves_to_another_node_is_told_that_its_checkpoints_do_not() {
    let (mut told, mut silent) = (Vec::new(), Vec::new());
    for target in ALL {
        let name = target.name();
        for state in STATES {
            for (written, meant) in terms() {
                let text = spec(name, state, written);
                let analysis = analyze(&request(&text));
                let compiled = analysis.compile(*target);
                let Some(lowered) = compiled.lowered else { continue };
                let expected = state.2 && moves(name, &lowered, meant.is_some());
                let found = compiled.diagnostics.iter().any(|d| d.code.name == "unshared-restart");
                assert_eq!(found, expected, "{name}: {text}");
                if expected { told.push(name) } else { silent.push(name) }
            }
        }
    }
    told.dedup();
    silent.dedup();
    assert_eq!(told, ["yarn", "kubernetes", "dcos", "spark"]);
    assert_eq!(silent, ["yarn", "kubernetes", "dcos", "spark", "local"]);
}
