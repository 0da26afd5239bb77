//! Compiles a spec for a local run and reads the artifacts.
use crate::pitfalls::{analyzed, compiled};
use serde_json::Value;
use tfjob_contract::Contract;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_targets::local::Job;

/// Result of compiling a spec.
pub struct Outcome {
    /// Content of `job.json`, as `tfjob run` reads it.
    pub job: Job,
    /// Content of `contract.json`, as the shim reads it.
    pub contract: Contract,
    /// Command that starts the job.
    pub step: Vec<String>,
}

/// Compiles a spec that must compile, and reads `job.json` and `contract.json`.
pub fn good(text: &str) -> Outcome {
    let (errors, lowered) = compiled(&analyzed(text), "local");
    let told: Vec<_> = errors.iter().map(|d: &Diagnostic| &d.message).collect();
    let lowered = lowered.unwrap_or_else(|| panic!("{told:#?}\n{text}"));
    let file = |path: &str| &lowered.artifacts.iter().find(|a| a.path == path).unwrap().text;
    let [step] = &lowered.steps[..] else { panic!("one step starts all: {:?}", lowered.steps) };
    Outcome {
        job: serde_json::from_str(file("job.json")).unwrap(),
        contract: Contract::read(file("contract.json")).unwrap(),
        step: step.words("out/t/local", "t.tfjob.kdl"),
    }
}

impl Outcome {
    /// Returns the contract as JSON.
    pub fn json(&self) -> Value {
        serde_json::to_value(&self.contract).unwrap()
    }
}

/// The `resources` entry of most tests.
pub const SMALL: &str = "resources cpus=1 memory=\"1GiB\"";

/// Returns a job with one worker: entries of the job and of the worker.
pub fn one(top: &str, worker: &str) -> String {
    let resources = if worker.contains("resources ") { "" } else { SMALL };
    let run =
        if worker.contains("run ") || worker.contains("shell ") { "" } else { "run \"python\" \"t.py\"" };
    format!(
        "job \"t\" {{\n framework \"tensorflow\" version=\"2.15\"\n {top}\n role \"worker\" {{\n {run}\n {resources}\n {worker}\n }}\n}}\n"
    )
}

/// Returns a job with a chief, two workers, a parameter server, and an evaluator: entries of the job and of the workers.
pub fn many(top: &str, worker: &str) -> String {
    let run =
        if worker.contains("run ") || worker.contains("shell ") { "" } else { "run \"python\" \"t.py\"" };
    let task = format!("{{ run \"python\" \"t.py\"; {SMALL}; }}");
    format!(
        "job \"t\" {{\n framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"\n {top}\n role \"chief\" {task}\n role \"worker\" count=2 {{\n {run}\n {SMALL}\n {worker}\n }}\n role \"ps\" {task}\n role \"evaluator\" {task}\n}}\n"
    )
}

/// Returns a job with two workers and synchronous training.
pub fn pair(worker: &str) -> String {
    let run =
        if worker.contains("run ") || worker.contains("shell ") { "" } else { "run \"python\" \"t.py\"" };
    format!(
        "job \"t\" {{\n framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\n role \"worker\" count=2 {{\n {run}\n {SMALL}\n {worker}\n }}\n}}\n"
    )
}
