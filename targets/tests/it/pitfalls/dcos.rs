//! Pitfalls of DC/OS: options of the TensorFlow package, and Marathon apps.
#![expect(clippy::unwrap_used, reason = "a test may")]

mod agents;
mod boards;
mod groups;
mod hostile;
mod images;
mod layers;
mod marathon;
mod merged;
mod mounted;
mod options;
mod package;
mod patches;
mod ports;
mod secrets;
mod variables;
mod written;

use super::{Pitfall, Seen, analyzed, holds};
use serde_json::Value;
use tfjob_lang::lowered::Lowered;

/// Returns the pitfalls that no spec can contain.
pub fn impossible() -> Vec<super::Built> {
    written::impossible().into_iter().chain(agents::impossible()).chain(layers::impossible()).collect()
}

/// Returns a spec of one worker as a Marathon app. The arguments are inserted into the job and the role.
pub fn marathon(job: &str, role: &str) -> String {
    format!(
        r#"job "mnist" {{
    framework "tensorflow" version="2.15"
    image "ml/mnist:1.0"
    {job}
    role "worker" {{
        run "python" "train.py"
        resources cpus=1 memory="1GiB"
        {role}
    }}
}}
"#
    )
}

/// Returns a spec of two synchronous workers as Marathon apps.
pub fn workers(job: &str, role: &str) -> String {
    marathon(job, role)
        .replace("version=\"2.15\"", "version=\"2.15\" strategy=\"multi-worker-mirrored\"")
        .replace("role \"worker\"", "role \"worker\" count=2")
}

/// Returns a spec in which the second role starts after the first; both roles exit on their own.
pub fn two(when: &str) -> String {
    format!(
        r#"job "steps" {{
    framework "custom"
    image "ml/steps:1.0"
    run "sh" "step.sh"
    role "first" {{
        resources cpus=1 memory="1GiB"
    }}
    role "second" {{
        resources cpus=1 memory="1GiB"
        after "first" {when}
    }}
}}
"#
    )
}

/// Returns a spec for the TensorFlow package. The arguments are inserted into the job, the role, and the target block.
pub fn package(job: &str, role: &str, block: &str) -> String {
    format!(
        r#"job "mnist" {{
    framework "tensorflow" version="1.5" strategy="custom"
    code "https://files.example.com/mnist.zip"
    {job}
    role "worker" {{
        run "python" "train.py"
        resources cpus=1 memory="1GiB"
        {role}
    }}
    target "dcos" {{
        module "train"
        {block}
    }}
}}
"#
    )
}

const REFUSED: &str = "unsupported-feature";
pub const TF1: &str = "version=\"1.5\"";

/// Observed on the libraries with which the package manager validates and renders the package options.
const COSMOS: Seen = Seen::On("the libraries of Cosmos, the package manager");
/// Observed on the JSON schema of Marathon, run by its validator.
const SCHEMA: Seen = Seen::On("the schema of Marathon 1.7");

/// Returns all pitfalls that tfjob reports.
pub fn pitfalls() -> Vec<Pitfall> {
    package::pitfalls()
        .into_iter()
        .chain(marathon::pitfalls())
        .chain(agents::pitfalls())
        .chain(boards::pitfalls())
        .chain(images::pitfalls())
        .chain(layers::pitfalls())
        .chain(patches::pitfalls())
        .chain(merged::pitfalls())
        .chain(variables::pitfalls())
        .chain(options::pitfalls())
        .chain(groups::pitfalls())
        .chain(secrets::pitfalls())
        .collect()
}

#[test]
fn each_is_told_and_its_neighbour_compiles() {
    holds("dcos", &pitfalls());
}

/// Compiles a valid spec.
fn written(spec: &str) -> Lowered {
    let (errors, lowered) = super::compiled(&analyzed(spec), "dcos");
    let told: Vec<_> = errors.iter().map(|d| &d.message).collect();
    lowered.unwrap_or_else(|| panic!("{told:#?}\n{spec}"))
}

/// Returns the only artifact.
fn artifact(lowered: &Lowered) -> Value {
    serde_json::from_str(&lowered.artifacts[0].text).unwrap()
}

/// Returns the Marathon apps of a job, in order.
fn apps(spec: &str) -> Vec<Value> {
    let lowered = written(spec);
    assert_eq!(lowered.artifacts[0].path, "marathon.json");
    artifact(&lowered)["apps"].as_array().unwrap().clone()
}

fn options(spec: &str) -> Value {
    let lowered = written(spec);
    assert_eq!(lowered.artifacts[0].path, "options.json");
    artifact(&lowered)
}
