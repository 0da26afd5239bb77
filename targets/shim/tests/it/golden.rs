//! Contracts as a compiler has written them: `contracts/NAME.json`, and what `--print` makes of it.
//!
//! Once a release has written a version, its files here no longer change: a job that carries one may start tomorrow.
use crate::job::{Folder, alone, argv, environment, fails, shim, stdout};
use std::collections::BTreeMap;
use std::path::Path;
use tfjob_contract::{Contract, NEWEST};

const ENVIRONMENT: [(&str, &str); 8] = [
    ("TFJOB_ROLE", "worker"),
    ("TFJOB_INDEX", "0"),
    ("USER", "ann"),
    ("HOSTNAME", "ctr-chief-0"),
    ("NODE", r#"{"zone":"z1"}"#),
    ("PWD", "/home/ann"),
    ("PYTHONPATH", "/lib"),
    ("PEERS", r#"{"cluster":{"chief":["a:1"],"worker":["b:2","c:3"],"ps":["d:4"]}}"#),
];

/// Each file, and what it asks besides starting a task.
const FILES: [(&str, &[&str]); 24] = [
    ("after-done", &["`after` with `when=\"done\"`"]),
    ("after-ready", &["`after` with `when=\"ready\"`"]),
    ("after-started", &["`after` with `when=\"started\"`"]),
    ("alone", &["`stop grace=`"]),
    ("checkpoints", &["`checkpoints`"]),
    ("deadline", &["`deadline`"]),
    ("done", &["`{done}`"]),
    ("ends-with-all", &["`success`"]),
    ("ends-with-chief", &["`success`"]),
    ("ends-with-workers", &["`success`"]),
    ("given", &["`start timeout=`"]),
    ("grace", &["`stop grace=`"]),
    ("hold", &["a container that keeps running after success (`hold`)"]),
    ("named", &["`success`"]),
    ("outlives", &["`success \"all\"`"]),
    ("reads", &["a check that `data` paths exist on the node"]),
    ("ready-file", &["`ready file=`"]),
    ("ready-free-port", &["`ready` with port `\"auto\"`"]),
    ("ready-http", &["`ready`"]),
    ("ready-tcp", &["`ready`"]),
    ("restart", &["`restart`"]),
    ("returns", &["`success \"all\"`", "`restart`"]),
    ("start", &[]),
    ("wait", &["`start timeout=`"]),
];

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/contracts"))
}

#[test]
fn each_file_is_read_and_written_the_same() {
    for (name, duties) in FILES {
        let path = folder().join(format!("{name}.json"));
        let text = std::fs::read_to_string(&path).unwrap();
        let contract = Contract::read(&text).unwrap();
        assert_eq!(contract.write(), text.trim_end(), "{name}");
        assert_eq!(contract.version, NEWEST, "{name}");
        let asked: Vec<&str> =
            contract.requested_duties().iter().map(|(_, duty)| duty.spec_syntax()).collect();
        assert_eq!(asked, duties, "{name}");
        let mut env: BTreeMap<String, String> = environment(&ENVIRONMENT);
        if name == "start" {
            env.insert("TFJOB_ROLE".to_owned(), "chief".to_owned());
        }
        let output = shim(&env).arg("--print").arg("--contract").arg(&path).output().unwrap();
        let printed = std::fs::read_to_string(path.with_extension("printed")).unwrap();
        assert_eq!(stdout(&output), printed, "{name}");
    }
    let there = std::fs::read_dir(folder()).unwrap().count();
    assert_eq!(there, FILES.len() * 2, "each file stands in the list");
}

#[test]
fn a_newer_contract_is_refused_before_anything_runs() {
    let folder = Folder::new();
    let ran = folder.0.join("ran");
    let mut contract: serde_json::Value =
        serde_json::from_str(&alone(argv(&["touch", ran.to_str().unwrap()])).write()).unwrap();
    contract["version"] = (NEWEST + 1).into();
    contract["a word of tomorrow"] = true.into();
    let path = folder.write("c", &contract.to_string());
    for words in [&["--print"][..], &[]] {
        let output = shim(&environment(&[])).args(words).arg("--contract").arg(&path).output().unwrap();
        let newer = NEWEST + 1;
        fails(
            &output,
            65,
            &format!(
                "{}: version {newer} of the job contract is not supported by this tfjob-shim, which supports up to {NEWEST}; use the tfjob-shim of the tfjob release that compiled the job",
                path.display()
            ),
        );
    }
    assert!(!ran.exists());
}
