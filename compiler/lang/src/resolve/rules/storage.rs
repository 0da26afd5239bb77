//! Rules about storage: conflicting paths, and URIs that cannot be used.
mod file_system;
mod hidden;

use super::Job;
use super::unused::Uses;
use crate::codes::{
    BAD_VALUE, BRANCH_REFERENCE, DUPLICATE_PATH, HDFS_WITHOUT_HADOOP, MISSING_LOG_DIRECTORY,
    MISSING_REFERENCE, NESTED_PATH, UNEXPECTED_REFERENCE, UNSUPPORTED_URI,
};
use crate::diagnostic::{Diagnostic, Premise};
use crate::plan::{Plan, Volume};
use crate::sources::Span;
use crate::spec::values::{Class, Scheme, Uri};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    paths(job, out);
    below_files(job, out);
    nested(job, out);
    hidden::check(job, out);
    code_reference(job, out);
    unusable_uris(job.plan, out);
    super::unshared::check(job, out);
    file_system::check(job, out);
    hadoop(job, out);
    let without_checkpoints = job.spec.checkpoints.is_none();
    if let Some(t) = job.spec.tensorboard.as_ref().filter(|t| t.value.logs.is_none() && without_checkpoints) {
        out.push(
            Diagnostic::new(&MISSING_LOG_DIRECTORY, t.span, "TensorBoard has no log directory")
                .from_absent(&["job", "checkpoints"])
                .from_whole(&["job", "tensorboard"])
                .given(Premise::Correct(t.span))
                .here("neither `logs` nor `checkpoints` is set")
                .help(
                    "add `logs=\"gs://BUCKET/logs\"` here, or `checkpoints \"gs://BUCKET/PATH\"` to the job",
                ),
        );
    }
}

fn volumes(plan: &Plan) -> impl Iterator<Item = &Volume> {
    let storage = &plan.storage;
    storage.code.iter().chain(&storage.stage).chain(&storage.data).chain(&storage.checkpoints)
}

/// Reports several mounts at the same path in the container of a role.
fn paths(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let mut reported = BTreeSet::new();
    // Every role inherits the volumes and secrets of the job, so each conflict is reported only once.
    let secrets = job.roles().map(|(role, _)| role.secret.0.iter().filter_map(|(_, s)| s.value.at.as_ref()));
    for (number, own) in secrets.enumerate() {
        let mut own = own.peekable();
        // A role without secrets has only the mounts of the job, which are checked with the first role.
        if number > 0 && own.peek().is_none() {
            continue;
        }
        let mut taken: BTreeMap<String, (Span, &'static str)> = BTreeMap::new();
        let volumes = volumes(job.plan).filter_map(|volume| volume.at.as_ref());
        let volumes = volumes.map(|at| (at.span, at.value.to_string(), "first mount"));
        let secrets = own.map(|at| (at.span, at.value.to_string(), "mounted secret"));
        for (at, path, label) in volumes.chain(secrets) {
            let path = path.trim_end_matches('/');
            match taken.get(path) {
                Some((first, label)) if *first != at && reported.insert((*first, at)) => out.push(
                    Diagnostic::new(
                        &DUPLICATE_PATH,
                        at,
                        format!("`{path}` is already used by another mount"),
                    )
                    .from_value(*first)
                    .here("second mount at this path")
                    .label(*first, *label)
                    .help(format!("use another path, such as `{path}-2`")),
                ),
                Some(_) => {}
                None => drop(taken.insert(path.to_owned(), (at, label))),
            }
        }
    }
    let mut reported = BTreeSet::new();
    for at in job.roles().flat_map(|(role, _)| role.secret.0.iter().filter_map(|(_, s)| s.value.at.as_ref()))
    {
        if at.value.ends_with('/') && reported.insert(at.span) {
            let fact =
                format!("`{}` is a directory path, but a secret is mounted as a file", at.value.as_str());
            out.push(
                Diagnostic::new(&BAD_VALUE, at.span, fact)
                    .help("write a file path, such as `/etc/secrets/token`"),
            );
        }
    }
}

/// Reports mounts below a secret of the same role. A secret is a file, so no runtime can create a directory below it.
fn below_files(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let mut reported = BTreeSet::new();
    for (role, _) in job.roles() {
        let secrets = || role.secret.0.iter().filter_map(|(_, s)| s.value.at.as_ref());
        let files: BTreeMap<&str, Span> = secrets().map(|at| (at.value.as_str(), at.span)).collect();
        if files.is_empty() {
            continue;
        }
        let mounts = volumes(job.plan).filter_map(|v| v.at.as_ref());
        let mounts = mounts.map(|at| (at.span, at.value.to_string()));
        for (span, inner) in mounts.chain(secrets().map(|at| (at.span, at.value.to_string()))) {
            let above = inner.match_indices('/').map(|(at, _)| &inner[..at]);
            let Some((file, at)) = above.filter_map(|path| files.get_key_value(path)).next_back() else {
                continue;
            };
            // Every role inherits the secrets of the job, so each secret is reported only once.
            if !reported.insert(span) {
                continue;
            }
            let fact = format!("`{inner}` cannot be mounted: `{file}` is a file, not a directory");
            out.push(
                Diagnostic::new(&DUPLICATE_PATH, span, fact)
                    .from_value(*at)
                    .here("inside a file")
                    .label(*at, "secret mounted as a file")
                    .help(format!(
                        "use another path, or mount the secret at another path, such as `{file}.d/value`"
                    )),
            );
        }
    }
}

/// Reports mounts inside a read-only mount. No runtime can create the mount point there, so it must already exist.
fn nested(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let data = job.plan.storage.data.iter().filter(|v| !v.writable).filter_map(|v| v.at.as_ref());
    let read_only: BTreeMap<&str, Span> = data.map(|at| (at.value.trim_end_matches('/'), at.span)).collect();
    if read_only.is_empty() {
        return;
    }
    let secrets =
        job.roles().flat_map(|(role, _)| role.secret.0.iter().filter_map(|(_, s)| s.value.at.as_ref()));
    let mounts = volumes(job.plan).filter_map(|v| v.at.as_ref()).map(|at| (at.span, at.value.to_string()));
    for (span, inner) in mounts.chain(secrets.map(|at| (at.span, at.value.to_string()))) {
        let above =
            inner.match_indices('/').map(|(at, _)| &inner[..at]).filter(|directory| !directory.is_empty());
        let Some((outer, at)) = above.filter_map(|directory| read_only.get_key_value(directory)).next_back()
        else {
            continue;
        };
        let fact = format!("`{inner}` is inside the read-only mount `{outer}`, so mounting it may fail");
        let below = inner[outer.len()..].trim_start_matches('/');
        out.push(
            Diagnostic::new(&NESTED_PATH, span, fact)
                .from_value(*at)
                .here("mount point must already exist")
                .label(*at, "read-only mount")
                .help(format!(
                    "use a path outside `{outer}`; otherwise, the container starts only if the mount `{outer}` already contains `{below}`"
                )),
        );
    }
}

/// Reports a `ref` of `code` that is missing, does not apply, or can change, such as a branch.
fn code_reference(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let Some(code) = &job.spec.code else { return };
    let git = code.value.uri.value.scheme().class() == Class::Repository;
    match (&code.value.r#ref, git) {
        (None, true) => out.push(
            Diagnostic::new(
                &MISSING_REFERENCE,
                code.value.uri.span,
                "a git URI without `ref` uses the default branch, which can change between runs",
            )
            .from_whole(&["job", "code"])
            .here("no `ref`")
            .help("add a tag or commit, such as `ref=\"v1.4.2\"`"),
        ),
        (Some(reference), false) => out.push(
            Diagnostic::new(
                &UNEXPECTED_REFERENCE,
                reference.span,
                "`ref` is valid only for a `git+https:` URI",
            )
            .from_value(code.value.uri.span)
            .here("not applicable")
            .label(code.value.uri.span, "not a git URI")
            .help("remove `ref`, or use a `git+https://…` URI"),
        ),
        (Some(reference), true) => {
            let name = reference.value.as_str();
            if ["main", "master", "develop", "dev", "trunk", "HEAD"].contains(&name) {
                out.push(
                    Diagnostic::new(
                        &BRANCH_REFERENCE,
                        reference.span,
                        format!("`{name}` is a branch, so each run may use different code"),
                    )
                    .from_value(code.value.uri.span)
                    .here("branch")
                    .help("use a tag or commit, such as `ref=\"v1.4.2\"`"),
                );
            }
        }
        (None, false) => {}
    }
}

/// Reports URIs that their field, such as `code` or `data`, does not support.
fn unusable_uris(plan: &Plan, out: &mut Vec<Diagnostic>) {
    // A trailing `/` shows a directory only if the URL has no query. With a query, the server may return anything.
    let directory = |uri: &Uri| {
        let path = uri.path().split('#').next().unwrap_or_default();
        uri.scheme().class() == Class::Web && path.ends_with('/') && !path.contains('?')
    };
    for volume in plan.storage.code.iter().chain(&plan.storage.stage).filter(|v| directory(&v.uri.value)) {
        let uri = volume.uri.value.to_string();
        let plain = uri.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        let fact = "a URL that ends in `/` returns a web page, not the files of a directory";
        let help = format!("pack the directory into an archive, such as `{plain}.tar.gz`");
        out.push(Diagnostic::new(&UNSUPPORTED_URI, volume.uri.span, fact).here("not an archive").help(help));
    }
    for volume in plan.storage.data.iter().chain(&plan.storage.checkpoints) {
        let scheme = volume.uri.value.scheme();
        let (fact, label, help) = match scheme.class() {
            Class::Repository if !volume.writable => (
                "`data` cannot use `git+https:`, because programs cannot read files from a git repository"
                    .to_owned(),
                "git repository",
                "download the repository with `code` or `files`, or copy the files to `gs:`, `s3:`, or `hdfs:`",
            ),
            Class::Web | Class::Repository if volume.writable => (
                format!("`{}:` is read-only, but the job writes to `{}`", scheme.word(), volume.name.value),
                "read-only",
                "use a writable location, such as `hdfs:`, `gs:`, `s3:`, `nfs:`, or `pvc:`",
            ),
            Class::Web
            | Class::Repository
            | Class::Hadoop
            | Class::Bucket
            | Class::Volume
            | Class::Node
            | Class::Spec => continue,
        };
        out.push(Diagnostic::new(&UNSUPPORTED_URI, volume.uri.span, fact).here(label).help(help));
    }
}

/// Reports `hdfs:` and other Hadoop URIs in a job that sets no location of Hadoop.
fn hadoop(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let plan = job.plan;
    if job.spec.hadoop.is_some() || job.context.faulty_cluster || (job.context.has_hadoop)(plan) {
        return;
    }
    // Only data and checkpoints are checked, because the program itself opens them. `code` and `files` are downloaded before it
    // starts.
    let uses = Uses::new(job);
    let by_program = |v: &&Volume| v.at.is_none() && !uses.is_read_by_target(v.name.value.as_str());
    let opened = plan.storage.data.iter().chain(&plan.storage.checkpoints).filter(by_program);
    let logs = job.spec.tensorboard.as_ref().and_then(|board| board.value.logs.as_ref());
    let logs = logs
        .filter(|logs| Scheme::of_address(logs.value.as_str()).is_some_and(|s| s.class() == Class::Hadoop));
    let of_hadoop = |volume: &&Volume| volume.uri.value.scheme().class() == Class::Hadoop;
    let of_volumes = opened.filter(of_hadoop).map(|volume| volume.uri.span);
    let mut spans: Vec<Span> = of_volumes.chain(logs.map(|logs| logs.span)).collect();
    spans.sort_unstable();
    let Some((first, others)) = spans.split_first() else { return };
    let fact = "the program opens this URI through libhdfs, but the location of Hadoop is not set";
    let told = Diagnostic::new(&HDFS_WITHOUT_HADOOP, *first, fact)
        .from_absent(&["job", "hadoop"])
        .here("needs `CLASSPATH` and `libjvm.so`")
        .help(
            "add `hadoop home=\"/opt/hadoop\" java=\"/opt/java\"` with the directories in the image; ignore this warning if the \
             image sets `CLASSPATH` and `LD_LIBRARY_PATH`",
        );
    out.push(others.iter().fold(told, |told, at| told.label(*at, "also opened through libhdfs")));
}
