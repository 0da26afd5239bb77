//! Reports declarations without effect: nothing references them, or every role overrides them.
use super::Job;
use crate::codes::UNUSED_DECLARATION;
use crate::diagnostic::{Diagnostic, Premise};
use crate::resolve::reference;
use crate::sources::Span;
use crate::spec::{Role, is_default};
use crate::tree::{Entry, Tree, Value};
use std::collections::BTreeSet;
use tfjob_contract::variable;

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let spec = job.spec;
    let uses = Uses::new(job);
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
        && !is_used_otherwise(job)
    {
        report(job, &uses, &["checkpoints"], checkpoints.span, out);
    }
    start_timeout(job, out);
    overridden(job, out);
}

/// Fields with entries that a role overrides one by one. A role overrides any other field as a whole.
const BY_ENTRY: [&str; 4] = ["env", "secret", "port", "after"];

/// Reports defaults of the job that every role overrides.
fn overridden(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
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
    // A target may use the options in its block for the job itself, so `target` blocks of the job are never reported.
    let known = |entry: &&Entry| is_default(&entry.key, "role") && entry.key != "target";
    for default in job.tree.entries().iter().filter(known) {
        let key = default.key.as_str();
        let mut report = |entry: &Entry, name: String| {
            let fact = format!("every role overrides {name}, so the value in the job is never used");
            let diagnostic = Diagnostic::new(&UNUSED_DECLARATION, entry.key_span, fact)
                .here("not used by any role")
                .given(Premise::Accepted);
            out.push(diagnostic.help("remove this value, or remove the override in a role"));
        };
        if !BY_ENTRY.contains(&key) {
            if unused(default, &|role| Some(role)) {
                report(default, format!("`{key}`"));
            }
            continue;
        }
        for entry in default.tree.entries().iter().filter(|entry| unused(entry, &|role| role.get(key))) {
            let name = match key {
                "env" => format!("`{}` in `env`", entry.key),
                _ => format!("`{key} \"{}\"`", entry.key),
            };
            report(entry, name);
        }
    }
}

/// Reports `start timeout` in a job in which no task waits.
fn start_timeout(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let Some(timeout) = job.spec.start.as_ref().and_then(|start| start.value.timeout.as_ref()) else {
        return;
    };
    let waits = job.roles().any(|(written, _)| !written.after.0.is_empty());
    if waits || job.plan.peers() != 1 || is_of_base(job, timeout.span) {
        return;
    }
    let fact = "`start timeout` has no effect: no task of this job waits for another task";
    out.push(
        Diagnostic::new(&UNUSED_DECLARATION, timeout.span, fact)
            .here("no effect")
            .given(Premise::Accepted)
            .help("remove it; to limit the run time of the job, write `deadline \"2h\"`"),
    );
}

/// Returns whether the checkpoints are used other than by a reference: by TensorBoard, `no-progress-limit`, or the
/// platform.
fn is_used_otherwise(job: &Job<'_>) -> bool {
    let board = job.spec.tensorboard.as_ref().is_some_and(|board| board.value.logs.is_none());
    let has_limit = |restart: &crate::spec::Restart| restart.no_progress_limit.is_some();
    board
        || (job.context.passes_checkpoints)(job.plan)
        || job.roles().any(|(role, _)| role.restart.as_ref().is_some_and(|r| has_limit(&r.value)))
}

fn report(job: &Job<'_>, uses: &Uses, path: &[&str], at: Span, out: &mut Vec<Diagnostic>) {
    if is_of_base(job, at) || uses.holds(path) {
        return;
    }
    let (kind, name) = (path[0], path.get(1));
    let fact = match name {
        Some(name) => format!("`{kind} \"{name}\"` is never used"),
        None => format!("`{kind}` is never used"),
    };
    let reference = path.join(".");
    let or = if kind == "param" { "or remove it" } else { "mount it with `at=\"/PATH\"`, or remove it" };
    // A `shell` script gets every reference as an environment variable. So if a role has a script, the label does not say that the
    // value is not passed to the program.
    let has_shell = job.roles().any(|(role, _)| role.shell.is_some());
    let by = match has_shell && job.roles().all(|(role, _)| role.shell.is_some()) {
        true => format!("use `${}` in `shell`", variable(path)),
        false => format!("pass `{{{reference}}}` in `run` or `env`"),
    };
    out.push(
        Diagnostic::new(&UNUSED_DECLARATION, at, fact)
            .here(if has_shell { "never referenced" } else { "not passed to the program" })
            // A part of the spec that could not be parsed may use the declaration, so the finding requires a job without errors.
            .given(Premise::Accepted)
            .help(format!("{by}, {or}")),
    );
}

fn is_of_base(job: &Job<'_>, at: Span) -> bool {
    job.sources.is_of_base(job.spec.name.span, at)
}

/// Returns the texts of a role: arguments, values of environment variables, working directory, and script.
fn texts(written: &Role) -> impl Iterator<Item = &str> {
    let run = written.run.iter().flat_map(|run| &run.value.0).map(|argument| argument.value.as_str());
    let env = written.env.0.iter().map(|(_, value)| value.value.as_str());
    let script = written.shell.iter().map(|shell| shell.value.as_str());
    run.chain(env).chain(written.workdir.iter().map(|workdir| workdir.value.as_str())).chain(script)
}

/// All names that the texts of a job use.
#[derive(Default)]
pub(super) struct Uses {
    /// References, such as `param.lr`.
    references: BTreeSet<String>,
    /// Variables in scripts, such as `TFJOB_PARAM_LR`.
    variables: BTreeSet<String>,
    /// String values in `target` blocks, which may be names. For example, `python "ENV"` uses `files "ENV"`.
    options: BTreeSet<String>,
    /// Names of `data` that `target` blocks use, such as `train` in `feed "train"`: the argument of `feed` has the key `data` in
    /// the tree.
    data: BTreeSet<String>,
}

impl Uses {
    /// Collects the uses in the whole job.
    pub(super) fn new(job: &Job<'_>) -> Self {
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

    /// Returns whether the texts of a role contain `reference` or one of `paths`.
    pub(super) fn has_use(written: &Role, reference: &str, paths: &[&str]) -> bool {
        let mut uses = Self::default();
        uses.role(written);
        uses.holds(&[reference]) || texts(written).any(|text| paths.iter().any(|path| has_path(text, path)))
    }

    /// Returns whether the job references the addresses of this role.
    pub(super) fn has_addresses(&self, role: &str) -> bool {
        self.holds(&["addresses", role])
    }

    fn role(&mut self, written: &Role) {
        texts(written).for_each(|text| self.text(text));
        // Another rule reports references in a script, which are not expanded there. So only the variables of a script are
        // collected.
        written.shell.iter().for_each(|shell| self.shell(shell.value.as_str()));
    }

    fn text(&mut self, text: &str) {
        self.references.extend(reference::names(text).map(str::to_owned));
    }

    /// Collects the environment variables that a script uses, such as `$TFJOB_INDEX`. Each of them stands for a reference, such as
    /// `{index}`.
    fn shell(&mut self, script: &str) {
        let names = script.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        self.variables.extend(names.filter(|name| name.starts_with("TFJOB_")).map(str::to_owned));
    }

    fn tree(&mut self, tree: &Tree) {
        match &tree.value {
            Value::Text(text) => {
                self.text(text);
                self.options.insert(text.clone());
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

    /// Returns whether a `target` block uses this `data`, so that the platform reads it.
    pub(super) fn is_read_by_target(&self, name: &str) -> bool {
        self.data.contains(name)
    }

    fn holds(&self, path: &[&str]) -> bool {
        self.references.contains(&path.join("."))
            || self.variables.contains(&variable(path))
            || path.get(1).is_some_and(|name| self.options.contains(*name))
    }
}

/// Returns whether a text contains the path, or a path below it. In a longer file name, the path does not count: `/data2` does not
/// contain `/data`.
fn has_path(text: &str, path: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || "._-".contains(c);
    text.match_indices(path).any(|(at, _)| {
        !text[at + path.len()..].starts_with(is_name)
            && !text[..at].ends_with(|c: char| is_name(c) || c == '/')
    })
}
