//! Adds the spec and the environment of a finding to its message, if the position of the finding does not show them.
mod needed;

use std::collections::{BTreeMap, BTreeSet};
use tfjob_driver::environments::{self, list};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::sources::{Format, Position, Sources};

/// The check from which the findings of a batch come.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// Path of the checked spec or cluster file; `None` for a project file.
    pub file: Option<String>,
    /// Path of the cluster file against which the spec is checked.
    pub cluster: Option<String>,
    /// Name of the environment.
    pub environment: Option<String>,
}

/// The findings of a check.
pub struct Findings<'a> {
    /// The texts.
    pub sources: &'a Sources,
    /// The findings.
    pub diagnostics: &'a mut Vec<Diagnostic>,
    /// For each finding: the environments that have it. Empty: all.
    pub environments: &'a mut Vec<Vec<String>>,
}

/// File, start, end, code, and message. Findings with the same key are reported once.
type Key = (String, Position, Position, &'static str, String);

fn key(diagnostic: &Diagnostic, sources: &Sources) -> Option<Key> {
    let (span, source) = (diagnostic.span(), sources.find(diagnostic.span())?);
    let (start, end) = (source.position(span.start), source.position(span.end));
    Some((source.name.clone(), start, end, diagnostic.code.name, diagnostic.message.clone()))
}

/// Adds names to the messages. A message in a cluster file gets the name of its spec. A message in a base or a setting gets the
/// names of the specs that have it, unless all specs that use the base or setting have it. If only some environments of these specs
/// have a message, the message gets the names of these environments, and its help gets the names of the other environments.
/// `contexts`: one for each element of `all`. Before, drops each `unused-allow` about a line that another environment needs.
pub fn add(all: &mut [Findings<'_>], contexts: &[Context]) {
    needed::drop_needed(all, contexts);
    let is_known = |context: &Context| context.file.is_some();
    if !contexts.iter().any(is_known) || all.iter().all(|one| one.diagnostics.is_empty()) {
        return;
    }
    add_specs(all, contexts);
    add_environments(all, contexts);
}

fn add_specs(all: &mut [Findings<'_>], contexts: &[Context]) {
    let mut users: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (one, context) in all.iter().zip(contexts) {
        let Some(file) = &context.file else { continue };
        one.sources.iter().for_each(|source| {
            users.entry(source.name.clone()).or_default().insert(file);
        });
    }
    let found = occurrences(all, contexts, |context| context.file.as_deref());
    for (one, context) in all.iter_mut().zip(contexts) {
        for diagnostic in one.diagnostics.iter_mut() {
            let (Some(file), Some(key)) = (&context.file, key(diagnostic, one.sources)) else { continue };
            if key.0 == *file {
                continue;
            }
            let in_cluster = context.cluster.as_ref() == Some(&key.0);
            let of = found.get(&key).cloned().unwrap_or_default();
            if in_cluster {
                diagnostic.message.push_str(&format!(" (spec {})", list([file.as_str()])));
            } else if users.get(&key.0).is_some_and(|users| *users != of) {
                let noun = if of.len() == 1 { "spec" } else { "specs" };
                diagnostic.message.push_str(&format!(" ({noun} {})", list(of)));
            }
        }
    }
}

fn add_environments(all: &mut [Findings<'_>], contexts: &[Context]) {
    // The environments in the order of the project file.
    let mut order: Vec<&str> = Vec::new();
    let mut checked: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for context in contexts {
        let (Some(file), Some(environment)) = (&context.file, &context.environment) else { continue };
        if !order.contains(&environment.as_str()) {
            order.push(environment);
        }
        checked.entry(file).or_default().insert(environment);
    }
    let having = occurrences(all, contexts, |context| context.environment.as_deref());
    let files = occurrences(all, contexts, |context| context.file.as_deref());
    for (one, context) in all.iter_mut().zip(contexts) {
        *one.environments = vec![Vec::new(); one.diagnostics.len()];
        for (diagnostic, names) in one.diagnostics.iter_mut().zip(&mut *one.environments) {
            let Some(key) = key(diagnostic, one.sources) else { continue };
            let (Some(of), Some(files)) = (having.get(&key), files.get(&key)) else { continue };
            let possible: BTreeSet<&str> =
                files.iter().filter_map(|file| checked.get(file)).flatten().copied().collect();
            if *of == possible {
                continue;
            }
            let (of, others): (Vec<&str>, Vec<&str>) =
                order.iter().filter(|name| possible.contains(*name)).partition(|name| of.contains(*name));
            *names = of.iter().copied().map(str::to_owned).collect();
            // A setting or a cluster file may belong to this environment alone, so the help there does not name other environments.
            let in_spec = one.sources.find(diagnostic.span()).is_some_and(|it| it.format != Format::Set)
                && context.cluster.as_ref() != Some(&key.0);
            let help = diagnostic.help.as_mut().filter(|_| in_spec);
            environments::name(&mut diagnostic.message, help, &of, &others);
        }
    }
}

/// Returns for each finding the contexts in which it occurs, each as the name that `value` returns.
fn occurrences<'c>(
    all: &[Findings<'_>],
    contexts: &'c [Context],
    value: impl Fn(&'c Context) -> Option<&'c str>,
) -> BTreeMap<Key, BTreeSet<&'c str>> {
    let mut found: BTreeMap<Key, BTreeSet<&str>> = BTreeMap::new();
    for (one, context) in all.iter().zip(contexts) {
        let Some(value) = value(context) else { continue };
        for key in one.diagnostics.iter().filter_map(|diagnostic| key(diagnostic, one.sources)) {
            found.entry(key).or_default().insert(value);
        }
    }
    found
}
