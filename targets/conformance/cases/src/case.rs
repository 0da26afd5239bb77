//! A case, the input of an engine: the artifacts of one spec, the claims about each task, and the origins of values.
use serde::Serialize;
use serde_json::{Map, Value, json};
use tfjob_lang::analysis::Analysis;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::{Artifact, Lowered};
use tfjob_lang::sources::{Sources, Span};
use tfjob_lang::target::AnyTarget;
use tfjob_lang::tree::{self, Tree};

/// Number of tasks per role whose claims are compared; further tasks do not differ.
const MOST_TASKS: u32 = 64;

/// One line of the input of an engine.
#[derive(Debug, Serialize)]
pub struct Case {
    /// Name of the case.
    pub case: String,
    /// The target that wrote the artifacts.
    pub target: &'static str,
    /// Path of the spec, relative to the root of the project if it is inside.
    pub spec: String,
    /// The framework, and the scalar options of the `target` block, such as versions and masters.
    pub options: Map<String, Value>,
    /// The files; empty if `refused` is not.
    pub artifacts: Vec<File>,
    /// Claims about each task.
    pub tasks: Vec<Task>,
    /// Origins of the values.
    pub origins: Vec<Origin>,
    /// Why there are no artifacts: `file:line:column: error[code]: message`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// Data about a mutant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutant: Option<Value>,
    /// Texts that must reach each process, byte for byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strings: Option<Value>,
}

/// One artifact.
#[derive(Debug, Serialize)]
pub struct File {
    /// Path relative to the output directory of the target.
    pub path: String,
    /// The complete text.
    pub text: String,
    /// Whether it is executable.
    pub executable: bool,
}

/// The claims about one task: environment, arguments, and working directory.
#[derive(Debug, Serialize)]
pub struct Task {
    role: String,
    index: u32,
    env: std::collections::BTreeMap<String, String>,
    argv: Vec<String>,
    workdir: Option<String>,
}

/// The origin of a value in the spec.
#[derive(Debug, Serialize)]
pub struct Origin {
    artifact: String,
    document: usize,
    pointer: String,
    at: String,
}

impl Case {
    /// Returns the case of a spec for a target.
    #[must_use]
    pub fn of(name: String, spec: &str, analysis: &Analysis, target: &'static dyn AnyTarget) -> Self {
        let compiled = analysis.compile(target);
        let found = analysis.diagnostics.iter().chain(&compiled.diagnostics);
        let refused = found.filter(|d| d.is_error()).map(|d| told(&analysis.sources, d)).collect();
        let mut case = Self {
            case: name,
            target: target.name(),
            spec: spec.to_owned(),
            options: options(analysis, target.name()),
            artifacts: Vec::new(),
            tasks: Vec::new(),
            origins: Vec::new(),
            refused,
            mutant: None,
            strings: None,
        };
        if let Some(lowered) = compiled.lowered {
            case.fill(&lowered, analysis, target);
        }
        case
    }

    /// Limits the case to the first tasks of each role, which the engine then starts.
    pub fn started(&mut self, most: u32) {
        self.options.insert("started".to_owned(), json!(most));
        self.tasks.retain(|task| task.index < most);
    }

    fn fill(&mut self, lowered: &Lowered, analysis: &Analysis, target: &dyn AnyTarget) {
        let file =
            |a: &Artifact| File { path: a.path.clone(), text: a.text.clone(), executable: a.executable };
        self.artifacts = lowered.artifacts.iter().map(file).collect();
        for artifact in &lowered.artifacts {
            for (document, value) in artifact.documents.iter().enumerate() {
                let origin = |(pointer, span): (&String, &Span)| Origin {
                    artifact: artifact.path.clone(),
                    document,
                    pointer: pointer.clone(),
                    at: place(&analysis.sources, *span),
                };
                self.origins.extend(value.origins.0.iter().map(origin));
            }
        }
        let Some(plan) = &analysis.plan else { return };
        for (id, role) in plan.roles.iter().enumerate() {
            for index in 0..role.count.value.min(MOST_TASKS) {
                let Some(view) = target.view(plan, id, index) else { continue };
                let (env, argv, workdir) = (view.env, view.argv, view.workdir);
                self.tasks.push(Task { role: role.name.value.clone(), index, env, argv, workdir });
            }
        }
    }
}

fn options(analysis: &Analysis, target: &str) -> Map<String, Value> {
    let job = analysis.tree.get("job");
    let framework = |key: &str| job.and_then(|job| job.get("framework")?.get(key)?.text());
    let mut options = Map::new();
    for (option, key) in [("framework", "name"), ("version", "version"), ("strategy", "strategy")] {
        options.insert(option.to_owned(), json!(framework(key)));
    }
    let block = job.and_then(|job| job.get("target")?.get(target));
    for entry in block.map(Tree::entries).unwrap_or_default() {
        if let Some(value) = scalar(&entry.tree) {
            options.insert(entry.key.clone(), value);
        }
    }
    options
}

fn scalar(tree: &Tree) -> Option<Value> {
    match &tree.value {
        tree::Value::Bool(flag) => Some(json!(flag)),
        tree::Value::Int(number) => i64::try_from(*number).ok().map(|number| json!(number)),
        tree::Value::Float(number) => Some(json!(number)),
        tree::Value::Text(text) => Some(json!(text)),
        tree::Value::Null | tree::Value::List(_) | tree::Value::Map(_) | tree::Value::Hole => None,
    }
}

fn place(sources: &Sources, span: Span) -> String {
    sources.find(span).map_or_else(String::new, |source| {
        let at = source.position(span.start);
        format!("{}:{}:{}", source.name, at.line, at.column)
    })
}

fn told(sources: &Sources, d: &Diagnostic) -> String {
    format!("{}: {}[{}]: {}", place(sources, d.span()), d.code.severity.word(), d.code.name, d.message)
}
