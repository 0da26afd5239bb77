//! If the shim restarts a program and can read its checkpoints, its contract has the path of the checkpoints. There, the shim
//! stores its restart budget, repairs incomplete checkpoints, and reads the step. No target requires a duty that the shim does
//! not support.
use crate::pitfalls::{analyzed, compiled};
use tfjob_targets::ALL;

fn spec(checkpoints: &str, more: &str) -> String {
    format!(
        "job \"e\" {{
    framework \"tensorflow\" version=\"2.15\"
    image \"ml/mnist:1.0\"
    checkpoints {checkpoints}
    role \"worker\" {{
        run \"python\" \"a.py\"
        resources cpus=1 memory=\"1GiB\"
        restart \"on-failure\" limit=3 within=\"1h\" backoff=\"10s\"
    }}
    {more}
}}"
    )
}

#[test]
fn a_task_that_comes_back_knows_where_its_checkpoints_are() {
    let allow = |target: &str| format!("allow \"restart\" on=\"{target}\" because=\"x\"");
    let spark = allow("spark") + "; target \"spark\" { master \"k8s://https://x\"; upload \"s3a://b/u\" }";
    let rows = [
        ("kubernetes", "\"pvc://c/x\" at=\"/ckpt\"", allow("kubernetes"), "/ckpt"),
        ("yarn", "\"file:///mnt/c\" at=\"/ckpt\"", "target \"yarn\" { hadoop \"3.3\" }".to_owned(), "/ckpt"),
        (
            "dcos",
            "\"file:///mnt/c\" at=\"/ckpt\"",
            "target \"dcos\" { shim url=\"https://h/s\" }".to_owned(),
            "/ckpt",
        ),
        ("spark", "\"pvc://c/x\" at=\"/ckpt\"", spark, "/ckpt"),
        ("local", "\"file:///mnt/c\"", String::new(), "/mnt/c"),
    ];
    assert_eq!(rows.len(), ALL.len(), "each target has its row");
    for (target, checkpoints, more, path) in rows {
        let text = spec(checkpoints, &more);
        let (errors, lowered) = compiled(&analyzed(&text), target);
        let told: Vec<&String> = errors.iter().map(|d| &d.message).collect();
        let (contract, _) =
            lowered.and_then(|lowered| lowered.contract).unwrap_or_else(|| panic!("{target}: {told:#?}"));
        let found = contract.duties.and_then(|duties| duties.checkpoints).map(|folder| folder.path);
        assert_eq!(found.as_deref(), Some(path), "{target}");
    }
}

#[test]
fn what_the_shim_cannot_see_is_refused_or_the_platforms() {
    let roles = |probe: &str, when: &str, port: &str| {
        let task = "run \"python\" \"a.py\"; resources cpus=1 memory=\"1GiB\"";
        format!(
            "job \"e\" {{
    framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"
    image \"ml/mnist:1.0\"
    role \"chief\" {{ {task} }}
    role \"worker\" {{ {task}; after \"a\" when=\"{when}\" }}
    helper \"a\" {{ {task}; {port}; {probe} }}
    start timeout=\"5m\"
    target \"yarn\" {{ hadoop \"3.1\"; dns-domain \"x\" }}
    target \"dcos\" {{ shim url=\"https://h/s\" }}
}}"
        )
    };
    let probes =
        ["ready file=\"/tmp/x\"", "ready tcp=\"web\"", "ready tcp=\"rendezvous\"", "ready http=\"web/x\""];
    let mut contracts = 0;
    for probe in probes {
        for when in ["started", "ready", "done"] {
            for port in ["port \"web\" \"auto\"", "port \"web\" 3000"] {
                let analysis = analyzed(&roles(probe, when, port));
                for target in ALL {
                    let (_, lowered) = compiled(&analysis, target.name());
                    let Some((contract, _)) = lowered.and_then(|lowered| lowered.contract) else { continue };
                    contracts += 1;
                    assert_eq!(
                        contract.first_unsupported_duty(),
                        None,
                        "{}: {probe} {when} {port}",
                        target.name()
                    );
                }
            }
        }
    }
    assert!(contracts > 10, "only {contracts}");
}
