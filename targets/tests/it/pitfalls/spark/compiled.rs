//! Compiles a spec for Spark and reads the artifacts.
use crate::request::{analyze, request};
use serde_json::Value;
use tfjob_lang::diagnostic::Severity;
use tfjob_lang::lowered::{Lowered, TaskView};
use tfjob_lang::target::AnyTarget;

static TARGET: &dyn AnyTarget = &tfjob_targets::spark::Spark;

/// Result of compiling a spec.
pub struct Outcome {
    /// Errors and warnings: code, marked source text, and message.
    pub found: Vec<(&'static str, String, String)>,
    /// Notes: marked source text and message.
    pub notes: Vec<(String, String)>,
    /// Help texts of all diagnostics.
    pub helps: Vec<String>,
    /// Artifacts; `None` if the spec has errors.
    pub lowered: Option<Lowered>,
    /// Environment of the first task of each role.
    pub views: Vec<TaskView>,
}

/// Compiles one spec.
pub fn compile(text: &str) -> Outcome {
    let analysis = analyze(&request(text));
    let compiled = analysis.compile(TARGET);
    let plan = analysis.plan.as_ref().unwrap();
    let all: Vec<_> = analysis
        .diagnostics
        .iter()
        .chain(&compiled.diagnostics)
        .map(|d| (d, analysis.sources.slice(d.span()).to_owned()))
        .collect();
    let note = |severity| severity == Severity::Note;
    Outcome {
        found: all
            .iter()
            .filter(|(d, _)| !note(d.code.severity))
            .map(|(d, words)| (d.code.name, words.clone(), d.message.clone()))
            .collect(),
        notes: all
            .iter()
            .filter(|(d, _)| note(d.code.severity))
            .map(|(d, words)| (words.clone(), d.message.clone()))
            .collect(),
        helps: all.iter().filter_map(|(d, _)| d.help.as_ref().map(ToString::to_string)).collect(),
        lowered: compiled.lowered,
        views: (0..plan.roles.len()).filter_map(|role| TARGET.view(plan, role, 0)).collect(),
    }
}

/// Compiles a spec that must compile.
pub fn good(text: &str) -> Outcome {
    let outcome = compile(text);
    assert!(outcome.lowered.is_some(), "{:#?}\n{text}", outcome.found);
    outcome
}

impl Outcome {
    /// Returns the text of one artifact.
    pub fn text(&self, path: &str) -> &str {
        let artifacts = &self.lowered.as_ref().unwrap().artifacts;
        &artifacts.iter().find(|a| a.path == path).unwrap_or_else(|| panic!("no {path}")).text
    }

    /// Returns the content of `job.json`.
    pub fn job(&self) -> Value {
        serde_json::from_str(self.text("job.json")).unwrap()
    }

    /// Returns the value of a Spark setting in `submit.sh`, after the shell has removed the quotes.
    pub fn setting(&self, key: &str) -> Option<String> {
        let words = self.text("submit.sh").lines().filter_map(|l| l.strip_prefix("set -- \"$@\" --conf "));
        words.map(|w| shlex::split(w).unwrap().remove(0)).find_map(|pair| {
            pair.strip_prefix(key).and_then(|rest| rest.strip_prefix('=')).map(str::to_owned)
        })
    }
}

/// Returns a job with one worker: entries of the job, resources of the worker, and entries of the `target` block.
pub fn one(top: &str, resources: &str, target: &str) -> String {
    format!(
        "job \"t\" {{\n framework \"tensorflow\" version=\"2.15\"\n {top}\n run \"python\" \"t.py\"\n role \"worker\" {{ resources {resources} }}\n target \"spark\" {{\n {target}\n }}\n}}\n"
    )
}

/// The properties of `resources` in most tests.
pub const SMALL: &str = "cpus=1 memory=\"4GiB\"";

/// Returns a job with a chief, two workers, a parameter server, and an evaluator.
pub fn many(top: &str, target: &str) -> String {
    format!(
        "job \"t\" {{\n framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"\n {top}\n run \"python\" \"t.py\"\n resources {SMALL}\n role \"chief\"\n role \"worker\" count=2\n role \"ps\"\n role \"evaluator\"\n target \"spark\" {{\n {target}\n }}\n}}\n"
    )
}
