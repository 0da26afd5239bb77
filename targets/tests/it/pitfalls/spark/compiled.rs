//! One spec through this target, and what the artifacts hold.
use crate::request::{analyze, request};
use serde_json::Value;
use tfjob_lang::diagnostic::Severity;
use tfjob_lang::lowered::{Lowered, TaskView};
use tfjob_lang::target::AnyTarget;

static TARGET: &dyn AnyTarget = &tfjob_targets::spark::Spark;

/// What came of a spec.
pub struct Outcome {
    /// Errors and warnings: the code, the words, the message.
    pub found: Vec<(&'static str, String, String)>,
    /// Notes: the words and the message.
    pub notes: Vec<(String, String)>,
    /// What errors and warnings say would be accepted.
    pub helps: Vec<String>,
    /// The artifacts.
    pub lowered: Option<Lowered>,
    /// The first task of each role.
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
    /// The text of one artifact.
    pub fn text(&self, path: &str) -> &str {
        let artifacts = &self.lowered.as_ref().unwrap().artifacts;
        &artifacts.iter().find(|a| a.path == path).unwrap_or_else(|| panic!("no {path}")).text
    }

    /// `job.json`.
    pub fn job(&self) -> Value {
        serde_json::from_str(self.text("job.json")).unwrap()
    }

    /// The value of a setting in the script, as the shell would pass it on.
    pub fn setting(&self, key: &str) -> Option<String> {
        let words = self.text("submit.sh").lines().filter_map(|l| l.strip_prefix("set -- \"$@\" --conf "));
        words.map(|w| shlex::split(w).unwrap().remove(0)).find_map(|pair| {
            pair.strip_prefix(key).and_then(|rest| rest.strip_prefix('=')).map(str::to_owned)
        })
    }
}

/// A job of one worker: words of the job, its resources, words of the target.
pub fn one(top: &str, resources: &str, target: &str) -> String {
    format!(
        "job \"t\" {{\n framework \"tensorflow\" version=\"2.15\"\n {top}\n run \"python\" \"t.py\"\n role \"worker\" {{ resources {resources} }}\n target \"spark\" {{\n {target}\n }}\n}}\n"
    )
}

/// The resources of most tests.
pub const SMALL: &str = "cpus=1 memory=\"4GiB\"";

/// A job with a chief, two workers, a parameter server and an evaluator.
pub fn many(top: &str, target: &str) -> String {
    format!(
        "job \"t\" {{\n framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"\n {top}\n run \"python\" \"t.py\"\n resources {SMALL}\n role \"chief\"\n role \"worker\" count=2\n role \"ps\"\n role \"evaluator\"\n target \"spark\" {{\n {target}\n }}\n}}\n"
    )
}
