//! Checkpoints that must be empty when the job starts, and what the job itself puts there.
use super::Job;
use crate::codes::DUPLICATE_PATH;
use crate::diagnostic::Diagnostic;
use crate::plan::Volume;
use crate::sources::Span;
use crate::spec::IfExists;
use std::collections::BTreeSet;

/// The container runtime makes the place of each mount before the first process starts, and files that the job reads are there
/// before it: a directory that holds either is never empty.
pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
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
    // What the program itself writes by its uri may come later.
    let there = |volume: &&Volume| !volume.writable || volume.at.is_some();
    let uris: Vec<_> =
        volumes().filter(there).map(|volume| (volume.uri.span, volume.uri.value.to_string())).collect();
    let mut told = BTreeSet::new();
    let mut tell = |(span, inner): (Span, String), (at, folder): (Span, &str), help: &str| {
        if is_inside(&inner, folder) && told.insert(span) {
            let fact = format!("`{inner}` is inside `{folder}`, which must be empty when the job starts");
            let found = Diagnostic::new(&DUPLICATE_PATH, span, fact)
                .from_value(at)
                .from_value(fresh.span)
                .here("is there before the first task");
            out.push(found.label(fresh.span, "fails if there are files").help(help));
        }
    };
    if let Some(at) = &outer.at {
        let help = "give it a path outside the checkpoints, or remove `if-exists`";
        mounts.into_iter().for_each(|mount| tell(mount, (at.span, &at.value), help));
    }
    let folder = outer.uri.value.to_string();
    let help = "keep the checkpoints in a directory of their own, or remove `if-exists`";
    uris.into_iter().for_each(|uri| tell(uri, (outer.uri.span, &folder), help));
}

/// Whether a path or a uri is below another.
fn is_inside(inner: &str, folder: &str) -> bool {
    let rest = inner.strip_prefix(folder.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.starts_with('/') && !rest.trim_matches('/').is_empty())
}
