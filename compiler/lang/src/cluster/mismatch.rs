//! Reports a cluster file for a target that is not among the targets of the job.
use super::Known;
use crate::codes::TARGET_MISMATCH;
use crate::diagnostic::Diagnostic;
use crate::shape::words::one_of;
use crate::target::AnyTarget;
use crate::tree::{Entry, Tree};

/// Returns an error if the job has `target` blocks, but none for the target of the cluster file. `spec`: the spec with its base
/// files, before the defaults of the cluster are applied.
pub(crate) fn other_target(known: &Known, spec: &Tree, targets: &[&dyn AnyTarget]) -> Option<Diagnostic> {
    let own = &known.cluster.value.target;
    let job = spec.get("job")?;
    let groups = ["role", "helper"].into_iter().filter_map(|kind| job.get(kind));
    let members = groups.flat_map(Tree::entries).map(|member| &member.tree);
    let blocks: Vec<&Entry> = [job]
        .into_iter()
        .chain(members)
        .filter_map(|block| block.get("target"))
        .flat_map(Tree::entries)
        .collect();
    // An unknown target may be a misspelling of the target of the cluster, so then this error is not reported.
    let is_known = |block: &&Entry| targets.iter().any(|target| target.name() == block.key);
    let first = *blocks.first()?;
    if blocks.iter().any(|block| block.key == own.value.as_str() || !is_known(block)) {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    blocks.iter().for_each(|block| {
        if !names.contains(&block.key.as_str()) {
            names.push(&block.key)
        }
    });
    let named: Vec<String> = names.iter().map(|name| format!("target \"{name}\"")).collect();
    let (own_name, named) = (own.value.as_str(), one_of(named.iter().map(String::as_str), "and"));
    let fact = format!("the cluster file is for `{own_name}`, but the job has only {named}");
    let told = Diagnostic::new(&TARGET_MISMATCH, own.span, fact).here("target of the cluster");
    Some(told.label(first.key_span, "target of the job").help(format!(
        "name a cluster file for {}, or add `--target {own_name}` to check the job for this cluster",
        one_of(names.into_iter(), "or")
    )))
}
