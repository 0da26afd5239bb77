//! The targets that a request checks.
use super::Request;
use super::collector::Collector;
use crate::cluster::ClusterFile;
use crate::plan::Plan;
use crate::requirement::{Requirement, Storage};
use crate::spec::values::Uri;
use crate::target::{AnyTarget, Verdict};
use std::collections::BTreeSet;

/// Returns the targets to check, without duplicates: those of the request; if it has none, the target of the cluster file; without
/// a cluster file, those with a block in the job.
pub(super) fn selected(
    request: &Request<'_>,
    plan: &Plan,
    collector: &Collector,
) -> Vec<&'static dyn AnyTarget> {
    let configured =
        |target: &&'static dyn AnyTarget| plan.configures(target.name()) || collector.is_meant(target.name());
    let of_cluster =
        request.cluster.and_then(ClusterFile::target).and_then(|name| request.registry.target(name));
    let chosen = if let (true, Some(target)) = (request.targets.is_empty(), of_cluster) {
        vec![target]
    } else if request.targets.is_empty() {
        request.registry.targets.iter().copied().filter(configured).collect()
    } else {
        request.targets.to_vec()
    };
    let mut named = BTreeSet::new();
    chosen.into_iter().filter(|target| named.insert(target.name())).collect()
}

/// Returns whether a target can mount an NFS export as the checkpoint directory of a job.
pub(super) fn mounts_nfs(target: &dyn AnyTarget, plan: &Plan) -> bool {
    let Ok(uri) = Uri::parse("nfs://host/export") else { return false };
    let mount = Storage::CheckpointsMount { uri, at: "/ckpt".to_owned() };
    match target.verdict(&Requirement::Storage(mount), plan) {
        Verdict::Native | Verdict::Emulated(_) => true,
        Verdict::Ignored(_) | Verdict::Unsupported(_) => false,
    }
}

/// Returns whether the job has a block for at least one target, and `is` returns true for every target with a block.
pub(super) fn all_configured(
    request: &Request<'_>,
    plan: &Plan,
    is: impl Fn(&dyn AnyTarget) -> bool,
) -> bool {
    let mut configured =
        request.registry.targets.iter().filter(|target| plan.targets.contains_key(target.name())).peekable();
    configured.peek().is_some() && configured.all(|target| is(*target))
}
