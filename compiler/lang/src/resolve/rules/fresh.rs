//! Reports mounts and files inside a checkpoint directory that must be empty at job start.
use super::Job;
use crate::codes::DUPLICATE_PATH;
use crate::diagnostic::Diagnostic;
use crate::plan::Volume;
use crate::sources::Span;
use crate::spec::IfExists;
use std::collections::BTreeSet;

/// Reports mounts and inputs inside a checkpoint directory with `if-exists="fail"`. The container runtime creates mount
/// points before the first process starts, and inputs exist even earlier. So such a directory is never empty.
pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let written = job.spec.checkpoints.as_ref().and_then(|checkpoints| checkpoints.value.if_exists.as_ref());
    let (Some(fresh), Some(outer)) =
        (written.filter(|fresh| fresh.value == IfExists::Fail), &job.plan.storage.checkpoints)
    else {
        return;
    };
    let storage = &job.plan.storage;
    let volumes = || storage.code.iter().chain(&storage.stage).chain(&storage.data);
    let secrets =
        job.roles().flat_map(|(role, _)| role.secret.0.iter().filter_map(|(_, s)| s.value.at.as_ref()));
    let mounts = volumes().filter_map(|volume| volume.at.as_ref()).map(|at| (at.span, at.value.to_string()));
    let mounts: Vec<_> = mounts.chain(secrets.map(|at| (at.span, at.value.to_string()))).collect();
    // A `writable` location that is not mounted may not exist at job start, because the program may create it later. So it is not
    // reported.
    let exists = |volume: &&Volume| !volume.writable || volume.at.is_some();
    let uris: Vec<_> =
        volumes().filter(exists).map(|volume| (volume.uri.span, volume.uri.value.to_string())).collect();
    let mut reported = BTreeSet::new();
    let mut report = |(span, inner): (Span, String), (at, outer): (Span, &str), help: &str| {
        if is_inside(&inner, outer) && reported.insert(span) {
            let fact = format!(
                "`{inner}` is inside the checkpoint directory `{outer}`, so `if-exists=\"fail\"` fails every run"
            );
            let found = Diagnostic::new(&DUPLICATE_PATH, span, fact)
                .from_value(at)
                .from_value(fresh.span)
                .here("created before the first task starts");
            out.push(found.label(fresh.span, "requires an empty directory").help(help));
        }
    };
    if let Some(at) = &outer.at {
        let help = "use a path outside the checkpoint directory, or remove `if-exists=\"fail\"`";
        mounts.into_iter().for_each(|mount| report(mount, (at.span, &at.value), help));
    }
    let directory = outer.uri.value.to_string();
    let help = "use a separate directory for the checkpoints, or remove `if-exists=\"fail\"`";
    uris.into_iter().for_each(|uri| report(uri, (outer.uri.span, &directory), help));
}

/// Returns whether the path or URI `inner` is below `outer`.
fn is_inside(inner: &str, outer: &str) -> bool {
    let rest = inner.strip_prefix(outer.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.starts_with('/') && !rest.trim_matches('/').is_empty())
}
