//! Declarations that nothing references, so that no program learns of them.
use super::Job;
use crate::codes::UNUSED_DECLARATION;
use crate::diagnostic::{Diagnostic, Premise};
use crate::resolve::reference;
use crate::sources::Span;
use crate::spec::{DEFAULTS, Role};
use crate::tree::{Entry, Tree, Value};
use std::collections::BTreeSet;
use tfjob_contract::variable;

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let spec = job.spec;
    let uses = Uses::of(job);
    for (name, _) in &spec.param.0 {
        report(job, &uses, &["param", &name.value], name.span, out);
    }
    for (name, _) in spec.data.0.iter().filter(|(_, data)| data.value.at.is_none()) {
        report(job, &uses, &["data", &name.value], name.span, out);
    }
    for (name, _) in spec.files.0.iter().filter(|(_, stage)| stage.value.at.is_none()) {
        report(job, &uses, &["files", &name.value], name.span, out);
    }
    if let Some(checkpoints) = spec.checkpoints.as_ref().filter(|checkpoints| checkpoints.value.at.is_none())
        && !watched(job)
    {
        report(job, &uses, &["checkpoints"], checkpoints.span, out);
    }
    timeout(job, out);
    replaced(job, out);
}

/// Defaults of which a role replaces single entries; any other is replaced as a whole.
const BY_ENTRY: [&str; 4] = ["env", "secret", "port", "after"];

/// A default of the job that every role replaces: no task has it.
fn replaced(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let roles: Vec<&Tree> = ["role", "helper"]
        .into_iter()
        .filter_map(|kind| job.tree.get(kind))
        .flat_map(|named| named.entries().iter().map(|entry| &entry.tree))
        .collect();
    let unused = |entry: &Entry, of: &dyn Fn(&Tree) -> Option<&Tree>| {
        let at = entry.key_span;
        let has = |role: &&Tree| of(role).is_some_and(|tree| tree.entries().iter().any(|e| e.key_span == at));
        !roles.is_empty() && !roles.iter().any(has) && !is_of_base(job, at)
    };
    // A target may use its options for the job itself.
    let known = |entry: &&Entry| DEFAULTS.contains(&entry.key.as_str()) && entry.key != "target";
    for default in job.tree.entries().iter().filter(known) {
        let key = default.key.as_str();
        let mut report = |entry: &Entry, name: String| {
            let what = format!("every role sets {name} itself, so that of the job is never used");
            let told = Diagnostic::new(&UNUSED_DECLARATION, entry.key_span, what)
                .here("no role takes it")
                .given(Premise::Accepted);
            out.push(told.help("remove it, or remove that of a role"));
        };
        if !BY_ENTRY.contains(&key) {
            if unused(default, &|role| Some(role)) {
                report(default, format!("`{key}`"));
            }
            continue;
        }
        for entry in default.tree.entries().iter().filter(|entry| unused(entry, &|role| role.get(key))) {
            report(entry, format!("`{key}` `{}`", entry.key));
        }
    }
}

/// A bound of a waiting that there is not.
fn timeout(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let Some(timeout) = job.spec.start.as_ref().and_then(|start| start.value.timeout.as_ref()) else {
        return;
    };
    let waits = job.roles().any(|(written, _)| !written.after.0.is_empty());
    if waits || job.plan.peers() != 1 || is_of_base(job, timeout.span) {
        return;
    }
    let fact = "`start timeout` limits how long tasks wait for each other, and no task of this job waits for another";
    out.push(
        Diagnostic::new(&UNUSED_DECLARATION, timeout.span, fact)
            .here("nothing waits")
            .given(Premise::Accepted)
            .help("remove it; `deadline \"2h\"` limits the time of the whole job"),
    );
}

/// Whether something other than the spec's references uses the checkpoints: TensorBoard, a restart limit that counts
/// progress, or the platform.
fn watched(job: &Job<'_>) -> bool {
    let board = job.spec.tensorboard.as_ref().is_some_and(|board| board.value.logs.is_none());
    let stalls = |restart: &crate::spec::Restart| restart.no_progress_limit.is_some();
    board
        || (job.place.passes_checkpoints)(job.plan)
        || job.roles().any(|(role, _)| role.restart.as_ref().is_some_and(|r| stalls(&r.value)))
}

fn report(job: &Job<'_>, uses: &Uses, path: &[&str], at: Span, out: &mut Vec<Diagnostic>) {
    if is_of_base(job, at) || uses.holds(path) {
        return;
    }
    let (kind, name) = (path[0], path.get(1));
    let what = match (kind, name) {
        ("param", Some(name)) => format!("the parameter `{name}` is never used"),
        ("checkpoints", _) => "the checkpoint location is never used".to_owned(),
        (kind, name) => format!("the {kind} `{}` is never used", name.copied().unwrap_or_default()),
    };
    let reference = path.join(".");
    let by = format!("pass `{{{reference}}}` in `run` or `env`, or `${}` in a `shell`", variable(path));
    let or = if kind == "param" { "or remove it" } else { "mount it with `at=\"/PATH\"`, or remove it" };
    // A shell has every reference as a variable, and so has what it starts.
    let set = job.roles().any(|(role, _)| role.shell.is_some());
    out.push(
        Diagnostic::new(&UNUSED_DECLARATION, at, what)
            .here(if set { "nothing references it" } else { "the program does not receive it" })
            // It may be used in what could not be read.
            .given(Premise::Accepted)
            .help(format!("{by}, {or}")),
    );
}

fn is_of_base(job: &Job<'_>, at: Span) -> bool {
    job.sources.is_of_base(job.spec.name.span, at)
}

/// What a role says of its program: arguments, variables, working directory, script.
fn texts(written: &Role) -> impl Iterator<Item = &str> {
    let run = written.run.iter().flat_map(|run| &run.value.0).map(|word| word.value.as_str());
    let env = written.env.0.iter().map(|(_, value)| value.value.as_str());
    let script = written.shell.iter().map(|shell| shell.value.as_str());
    run.chain(env).chain(written.workdir.iter().map(|folder| folder.value.as_str())).chain(script)
}

/// Everything that texts of the job reference.
#[derive(Default)]
pub(super) struct Uses {
    /// `param.lr`.
    references: BTreeSet<String>,
    /// `TFJOB_PARAM_LR`.
    variables: BTreeSet<String>,
    /// The text values of `target` blocks: `python "ENV"` names `files`.
    words: BTreeSet<String>,
    /// Those under the key `data`, as in `feed "train"`.
    data: BTreeSet<String>,
}

impl Uses {
    /// Of the whole job.
    pub(super) fn of(job: &Job<'_>) -> Self {
        let mut uses = Self::default();
        for (written, role) in job.roles() {
            uses.role(written);
            role.targets.values().for_each(|tree| uses.tree(tree));
        }
        if let Some(logs) = job.spec.tensorboard.as_ref().and_then(|board| board.value.logs.as_ref()) {
            uses.text(logs.value.as_str());
        }
        job.plan.targets.values().for_each(|tree| uses.tree(tree));
        uses
    }

    /// Whether the program of a role names a directory: by its reference, or by a path of it.
    pub(super) fn are_of(written: &Role, reference: &str, paths: &[&str]) -> bool {
        let mut uses = Self::default();
        uses.role(written);
        uses.holds(&[reference]) || texts(written).any(|text| paths.iter().any(|path| has_path(text, path)))
    }

    /// Whether something of the job names the addresses of this role.
    pub(super) fn names_addresses(&self, role: &str) -> bool {
        self.holds(&["addresses", role])
    }

    fn role(&mut self, written: &Role) {
        texts(written).for_each(|text| self.text(text));
        // A reference in a script is told as one that is not replaced there.
        written.shell.iter().for_each(|shell| self.shell(shell.value.as_str()));
    }

    fn text(&mut self, text: &str) {
        self.references.extend(reference::names(text).map(str::to_owned));
    }

    /// A script has references as variables, and a program that it starts may read them too.
    fn shell(&mut self, script: &str) {
        let names = script.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        self.variables.extend(names.filter(|name| name.starts_with("TFJOB_")).map(str::to_owned));
    }

    fn tree(&mut self, tree: &Tree) {
        match &tree.value {
            Value::Text(text) => {
                self.text(text);
                self.words.insert(text.clone());
            }
            Value::List(items) => items.iter().for_each(|item| self.tree(item)),
            Value::Map(entries) => entries.iter().for_each(|entry| {
                if let ("data", Value::Text(name)) = (entry.key.as_str(), &entry.tree.value) {
                    self.data.insert(name.clone());
                }
                self.tree(&entry.tree);
            }),
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Hole => {}
        }
    }

    /// Whether a `target` block names this `data`, so that the platform itself reads it.
    pub(super) fn is_read_by_target(&self, name: &str) -> bool {
        self.data.contains(name)
    }

    fn holds(&self, path: &[&str]) -> bool {
        self.references.contains(&path.join("."))
            || self.variables.contains(&variable(path))
            || path.get(1).is_some_and(|name| self.words.contains(*name))
    }
}

/// Whether a text holds a path, or one below it: what goes on with another letter is another name.
fn has_path(text: &str, path: &str) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() || "._-".contains(c);
    text.match_indices(path).any(|(at, _)| {
        !text[at + path.len()..].starts_with(goes_on)
            && !text[..at].ends_with(|c: char| goes_on(c) || c == '/')
    })
}
