//! Decodes `functionConfig`: an object of kind `TFJobSpec`.
use crate::project;
use tfjob_driver::Batch;
use tfjob_lang::at::At;
use tfjob_lang::codes::{BAD_VALUE, MISSING_FIELD, UNKNOWN_KEY, WRONG_TYPE};
use tfjob_lang::diagnostic::{Diagnostic, nearest};
use tfjob_lang::escape::Escaped;
use tfjob_lang::sources::{Format, Sources, Span};
use tfjob_lang::syntax::guard::MAX_TOLD;
use tfjob_lang::syntax::read_yaml;
use tfjob_lang::tree::{Entry, Tree, Value};

/// `apiVersion` of the object.
pub const VERSION: &str = "tfjob/v1alpha1";

/// `kind` of the object.
pub const KIND: &str = "TFJobSpec";

/// Name of the object in reports.
pub const NAME: &str = "functionConfig";

/// Fields of the object.
const FIELDS: [&str; 4] = ["apiVersion", "kind", "metadata", "spec"];

/// Fields of `spec`.
const SPEC: [&str; 6] = ["path", "inline", "environment", "cluster", "set", "shim"];

/// Maximum length in bytes of the text before a setting. After a longer text, errors of the setting have another place.
const MAX_BEFORE: u32 = 1 << 16;

/// The job of a `TFJobSpec`.
#[derive(Debug, Clone, PartialEq)]
pub enum Job {
    /// Path of a spec.
    Path(At<String>),
    /// Text of a spec.
    Inline(At<String>),
}

/// Whether to emit the ConfigMap with the shim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shim {
    /// If the job needs it.
    #[default]
    Include,
    /// Never. Another generator of the kustomization emits it.
    Omit,
}

impl Shim {
    /// All values, with their names.
    const ALL: [(Self, &'static str); 2] = [(Self::Include, "include"), (Self::Omit, "omit")];
}

/// A decoded `TFJobSpec`.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// `metadata.name`.
    pub name: Option<String>,
    /// `spec.path` or `spec.inline`.
    pub job: Job,
    /// `spec.environment`: an environment of the project file.
    pub environment: Option<At<String>>,
    /// `spec.cluster`: path of a cluster file.
    pub cluster: Option<At<String>>,
    /// `spec.set`, as `KEY=VALUE` after white space: the key has the line and the column that it has in the configuration.
    pub sets: Vec<String>,
    /// `spec.shim`.
    pub shim: Shim,
}

/// Decodes the text of a `functionConfig`. The second value has its text, and the first
/// [`MAX_TOLD`] errors. Returns no configuration if there are errors.
pub fn decode(text: String) -> (Option<Config>, Batch) {
    let mut sources = Sources::default();
    let number = sources.add(NAME, Format::Yaml, text);
    let source = sources.get(number);
    let (tree, told) = read_yaml(source);
    let mut reader = Reader { sources: &sources, at: source.span(), told };
    let config = tree.filter(|_| reader.told.is_empty()).and_then(|tree| reader.config(&tree));
    let mut diagnostics = reader.told;
    diagnostics.truncate(MAX_TOLD);
    let config = config.filter(|_| diagnostics.is_empty());
    (config, Batch { sources, diagnostics })
}

struct Reader<'a> {
    sources: &'a Sources,
    /// Span of the whole text.
    at: Span,
    told: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn config(&mut self, tree: &Tree) -> Option<Config> {
        let start = Span::new(self.at.start, self.at.start);
        self.fixed(tree, "apiVersion", VERSION, start);
        self.fixed(tree, "kind", KIND, start);
        // The fields of another kind are unknown.
        if !self.told.is_empty() {
            return None;
        }
        self.known(tree, "", &FIELDS);
        let metadata = tree.get("metadata");
        if let Some(other) = metadata.filter(|metadata| !matches!(metadata.value, Value::Map(_))) {
            self.wrong(other, "`metadata`", "an object", "write `metadata: {name: NAME}`");
        }
        let name = metadata.and_then(|metadata| metadata.get("name")).and_then(Tree::text);
        let Some(spec) = tree.get("spec") else {
            let told = Diagnostic::new(&MISSING_FIELD, start, "`spec` is missing");
            self.told.push(told.help("add `spec` with `path` (the path of a spec) or `inline` (its text)"));
            return None;
        };
        if !matches!(spec.value, Value::Map(_)) {
            self.wrong(
                spec,
                "`spec`",
                "an object",
                "write `path` (the path of a spec) or `inline` (its text) below `spec`",
            );
            return None;
        }
        self.known(spec, "spec", &SPEC);
        let job = self.job(spec);
        let environment = self.text(spec, "environment", "the name of an environment of the project file");
        let cluster = self.text(spec, "cluster", "the path of a cluster file, such as `prod.cluster.kdl`");
        if let (Some(_), Some(cluster)) = (&environment, &cluster) {
            let told = Diagnostic::new(
                &BAD_VALUE,
                cluster.span,
                "`spec.cluster` cannot be used with `spec.environment`",
            );
            self.told.push(
                told.help("remove `cluster`: the project file sets the cluster file of its environment"),
            );
        }
        let sets = self.sets(spec);
        let shim = self.shim(spec);
        Some(Config { name: name.map(str::to_owned), job: job?, environment, cluster, sets, shim })
    }

    /// Checks a field that has only one valid value.
    fn fixed(&mut self, tree: &Tree, field: &str, expected: &str, start: Span) {
        let told = match tree.get(field) {
            None => {
                Diagnostic::new(&MISSING_FIELD, start, format!("`{field}` of `functionConfig` is missing"))
            }
            Some(tree) if tree.text() == Some(expected) => return,
            Some(tree) => {
                let fact = format!("`{field}` of `functionConfig` must be `{expected}`");
                Diagnostic::new(&BAD_VALUE, tree.span, fact)
            }
        };
        self.told.push(told.help(format!("write `{field}: {expected}`")));
    }

    /// Reports the fields of an object that do not exist. `owner`: path of the object; empty for the outermost one.
    fn known(&mut self, tree: &Tree, owner: &str, fields: &[&str]) {
        for entry in tree.entries().iter().filter(|entry| !fields.contains(&entry.key.as_str())) {
            let of = if owner.is_empty() { KIND } else { owner };
            let fact = format!("`{}` is not a field of `{of}`", entry.key.escaped());
            let told = Diagnostic::new(&UNKNOWN_KEY, entry.key_span, fact);
            let near = nearest(&entry.key, fields.iter().copied());
            let near = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
            let of_spec = owner.is_empty() && SPEC.contains(&entry.key.as_str());
            let near = if of_spec { "move it into `spec`: ".to_owned() } else { near };
            self.told.push(told.help(format!("{near}the fields are {}", list(fields))));
        }
    }

    fn job(&mut self, spec: &Tree) -> Option<Job> {
        let path = self.text(spec, "path", "the path of a spec, such as `mnist.tfjob.kdl`");
        let inline = self.text(spec, "inline", "the text of a spec in KDL");
        let entry = |name: &str| spec.entries().iter().find(|entry| entry.key == name);
        match (entry("path"), entry("inline")) {
            (Some(_), Some(inline)) => {
                let fact = "`spec` has both `path` and `inline`";
                let told = Diagnostic::new(&BAD_VALUE, inline.key_span, fact);
                self.told.push(told.help("remove one of them: the job is a file, or its text"));
                None
            }
            (None, None) => {
                let told =
                    Diagnostic::new(&MISSING_FIELD, spec.span, "`spec` has neither `path` nor `inline`");
                self.told.push(told.help("add `path: FILE`, such as `path: mnist.tfjob.kdl`; or add `inline` with the text of a spec"));
                None
            }
            (Some(_), None) => path.map(Job::Path),
            (None, Some(_)) => inline.map(Job::Inline),
        }
    }

    /// Returns a field that must be a string. `expected`: its meaning.
    fn text(&mut self, spec: &Tree, field: &str, expected: &str) -> Option<At<String>> {
        let tree = spec.get(field)?;
        let Some(text) = tree.text() else {
            self.wrong(tree, &format!("`spec.{field}`"), "a string", &format!("expected {expected}"));
            return None;
        };
        if text.trim().is_empty() {
            let told = Diagnostic::new(&BAD_VALUE, tree.span, format!("`spec.{field}` is empty"));
            self.told.push(told.help(format!("expected {expected}")));
            return None;
        }
        Some(At { value: text.to_owned(), span: tree.span })
    }

    /// Returns the settings as arguments of `--set`.
    fn sets(&mut self, spec: &Tree) -> Vec<String> {
        let Some(set) = spec.get("set") else { return Vec::new() };
        let Value::Map(entries) = &set.value else {
            self.wrong(
                set,
                "`spec.set`",
                "an object",
                "write `KEY: VALUE` below `set`, such as `role.worker.count: 8`",
            );
            return Vec::new();
        };
        entries.iter().filter_map(|entry| self.setting(entry)).collect()
    }

    fn setting(&mut self, entry: &Entry) -> Option<String> {
        let key = entry.key.as_str();
        // Outside of quotes, `=` would end the key.
        if key.split('"').step_by(2).any(|part| part.contains('=')) || key.trim().is_empty() {
            let fact = format!("`{}` is not the path of a field of the job", key.escaped());
            let told = Diagnostic::new(&BAD_VALUE, entry.key_span, fact);
            self.told.push(told.help("write `KEY: VALUE`, such as `role.worker.count: 8`"));
            return None;
        }
        match &entry.tree.value {
            Value::Text(text) => Some(self.placed(entry, text)),
            Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
                Some(self.placed(entry, self.sources.slice(entry.tree.span)))
            }
            Value::Null | Value::List(_) | Value::Map(_) | Value::Hole => {
                let field = format!("`{}` in `spec.set`", key.escaped());
                let help = "a key is the whole path of a field, such as `role.worker.count`";
                self.wrong(&entry.tree, &field, "a string, a number, or a boolean", help);
                None
            }
        }
    }

    /// Returns a setting after white space instead of the text of the configuration.
    fn placed(&self, entry: &Entry, value: &str) -> String {
        let before = Span::new(self.at.start, entry.key_span.start);
        // The text before each setting may contain a long inline spec.
        let before = if before.len() <= MAX_BEFORE { self.sources.slice(before) } else { "" };
        format!("{}{}={value}", project::blank(before), entry.key)
    }

    fn shim(&mut self, spec: &Tree) -> Shim {
        let Some(tree) = spec.get("shim") else { return Shim::default() };
        let named = |name: &str| Shim::ALL.into_iter().find(|(_, own)| *own == name);
        if let Some((shim, _)) = tree.text().and_then(named) {
            return shim;
        }
        let told = Diagnostic::new(&BAD_VALUE, tree.span, "`spec.shim` must be `include` or `omit`");
        self.told.push(told.help("`omit` if another generator of the kustomization emits the ConfigMap with the shim; otherwise remove the field"));
        Shim::default()
    }

    /// Reports a value of a wrong type. `types`: the types of the field.
    fn wrong(&mut self, tree: &Tree, field: &str, types: &str, help: &str) {
        let found = match &tree.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Int(_) | Value::Float(_) => "a number",
            Value::Text(_) => "a string",
            Value::List(_) => "a list",
            Value::Map(_) => "an object",
            Value::Hole => return,
        };
        let told = Diagnostic::new(&WRONG_TYPE, tree.span, format!("{field} must be {types}, not {found}"));
        self.told.push(told.help(help));
    }
}

/// Returns a list such as `a`, `b`, and `c`.
fn list(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{}, and {last}", rest.join(", ")),
        Some(_) | None => names.concat(),
    }
}

#[cfg(test)]
mod tests;
