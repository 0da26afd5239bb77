//! What is read and written: places that clash, uris that need more, state that tasks cannot share.
use super::Job;
use super::unused::Uses;
use crate::codes::{
    BAD_VALUE, BRANCH_REFERENCE, DUPLICATE_PATH, HDFS_WITHOUT_HADOOP, MISSING_LOG_DIRECTORY,
    MISSING_REFERENCE, NESTED_PATH, UNEXPECTED_REFERENCE, UNSHARED_CHECKPOINTS, UNSUPPORTED_FILE_SYSTEM,
    UNSUPPORTED_URI,
};
use crate::diagnostic::{Diagnostic, Premise};
use crate::plan::{Plan, Role, Volume, is_called_host};
use crate::sources::Span;
use crate::spec;
use crate::spec::values::{Class, Scheme, Uri};
use std::collections::{BTreeMap, BTreeSet};
use tfjob_contract::FrameworkName;

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    paths(job, out);
    below_files(job, out);
    nested(job, out);
    over_hadoop(job, out);
    code(job, out);
    unfit(job.plan, out);
    shared(job, out);
    file_system(job, out);
    hadoop(job, out);
    let blind = job.spec.checkpoints.is_none();
    if let Some(t) = job.spec.tensorboard.as_ref().filter(|t| t.value.logs.is_none() && blind) {
        out.push(
            Diagnostic::new(&MISSING_LOG_DIRECTORY, t.span, "TensorBoard has no folder to read")
                .from_absent(&["job", "checkpoints"])
                .from_whole(&["job", "tensorboard"])
                .here("no `logs`, and the job has no `checkpoints`")
                .help("add `logs=\"…\"`, or `checkpoints` to the job"),
        );
    }
}

fn volumes(plan: &Plan) -> impl Iterator<Item = &Volume> {
    let storage = &plan.storage;
    storage.code.iter().chain(&storage.stage).chain(&storage.data).chain(&storage.checkpoints)
}

/// Two things at one path hide each other, in the container of one role.
fn paths(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let mut told = BTreeSet::new();
    // A volume of the job, and a secret that the job gives to each role, are seen once for each of them.
    let secrets = job.roles().map(|(role, _)| role.secret.0.iter().filter_map(|(_, s)| s.value.at.as_ref()));
    for (number, own) in secrets.enumerate() {
        let mut own = own.peekable();
        // Without a secret of its own a role has what the first one has.
        if number > 0 && own.peek().is_none() {
            continue;
        }
        let mut taken: BTreeMap<String, (Span, &'static str)> = BTreeMap::new();
        let volumes = volumes(job.plan).filter_map(|volume| volume.at.as_ref());
        let volumes = volumes.map(|at| (at.span, at.value.to_string(), "the first"));
        for (at, path, what) in volumes.chain(own.map(|at| (at.span, at.value.to_string(), "a secret"))) {
            let path = path.trim_end_matches('/');
            match taken.get(path) {
                Some((first, whose)) if *first != at && told.insert((*first, at)) => out.push(
                    Diagnostic::new(&DUPLICATE_PATH, at, format!("`{path}` is taken"))
                        .from_value(*first)
                        .here("a second thing at this path")
                        .label(*first, format!("{whose} is there"))
                        .help("give each its own path"),
                ),
                Some(_) => {}
                None => drop(taken.insert(path.to_owned(), (at, what))),
            }
        }
    }
    let mut told = BTreeSet::new();
    for at in job.roles().flat_map(|(role, _)| role.secret.0.iter().filter_map(|(_, s)| s.value.at.as_ref()))
    {
        if at.value.ends_with('/') && told.insert(at.span) {
            let fact = format!("`{}` names no file", at.value.as_str());
            out.push(
                Diagnostic::new(&BAD_VALUE, at.span, fact).help("a secret is a file: `/etc/secrets/token`"),
            );
        }
    }
}

/// A secret is one file: no runtime can make a directory below it for another mount of the same role.
fn below_files(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let mut told = BTreeSet::new();
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
            // A secret of the job belongs to each of its roles.
            if !told.insert(span) {
                continue;
            }
            let fact = format!("`{inner}` is below `{file}`, which is a file");
            out.push(
                Diagnostic::new(&DUPLICATE_PATH, span, fact)
                    .from_value(*at)
                    .here("no directory can be here")
                    .label(*at, "a secret is one file")
                    .help(format!("give each a path of its own: move the file to `{file}.d/value`")),
            );
        }
    }
}

/// Where data is mounted for reading only, no runtime can make the place for another mount within: it must be there.
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
        let above = inner.match_indices('/').map(|(at, _)| &inner[..at]).filter(|folder| !folder.is_empty());
        let Some((outer, at)) = above.filter_map(|folder| read_only.get_key_value(folder)).next_back() else {
            continue;
        };
        let fact = format!("`{inner}` is inside `{outer}`, which is mounted for reading only");
        out.push(
            Diagnostic::new(&NESTED_PATH, span, fact)
                .from_value(*at)
                .here("must be there already")
                .label(*at, "mounted here")
                .help(
                    "where no such folder is in it the container does not start: give this a path of its own",
                ),
        );
    }
}

/// A mount over the image's own Hadoop or Java, unless it seems to bring them.
fn over_hadoop(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let Some(hadoop) = job.spec.hadoop.as_ref().map(|hadoop| &hadoop.value) else { return };
    let brings = |volume: &Volume, folder: &str| {
        let words = format!("{} {}", volume.name.value, volume.uri.value.path()).to_ascii_lowercase();
        let named = ["hadoop", "java", "jdk", "jre"].iter().any(|word| words.contains(word));
        let same = volume.at.as_ref().is_some_and(|at| at.value.trim_end_matches('/') == folder);
        !volume.writable && (named || same)
    };
    for volume in volumes(job.plan) {
        let Some(at) = &volume.at else { continue };
        let mount = at.value.trim_end_matches('/');
        let hidden = [("home", &hadoop.home), ("java", &hadoop.java)].into_iter().filter(|(_, folder)| {
            let path = folder.value.as_str().trim_end_matches('/');
            let below = path.strip_prefix(mount).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
            below && !brings(volume, path)
        });
        out.extend(hidden.map(|(field, folder)| {
            let fact = format!(
                "a mount at `{mount}` hides `{}` of the image, which `hadoop {field}` names",
                folder.value
            );
            Diagnostic::new(&NESTED_PATH, at.span, fact)
                .from_value(folder.span)
                .here("mounted over it")
                .label(folder.span, "in the image")
                .help(format!("give `{}` a path of its own; where it brings this directory itself, name it so, such as `hadoop`", volume.name.value))
        }));
    }
}

fn code(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let Some(code) = &job.spec.code else { return };
    let git = code.value.uri.value.scheme().class() == Class::Repository;
    match (&code.value.r#ref, git) {
        (None, true) => out.push(
            Diagnostic::new(
                &MISSING_REFERENCE,
                code.value.uri.span,
                "a git uri without `ref` may be another program tomorrow",
            )
            .from_whole(&["job", "code"])
            .here("which commit?")
            .help("add `ref=\"v1.4.2\"`: a tag or a commit"),
        ),
        (Some(reference), false) => out.push(
            Diagnostic::new(&UNEXPECTED_REFERENCE, reference.span, "`ref` belongs to a `git+https:` uri")
                .from_value(code.value.uri.span)
                .here("no meaning here")
                .label(code.value.uri.span, "not a git uri")
                .help("remove it, or write the uri as `git+https://…`"),
        ),
        (Some(reference), true) => {
            let name = reference.value.as_str();
            if ["main", "master", "develop", "dev", "trunk", "HEAD"].contains(&name) {
                out.push(
                    Diagnostic::new(
                        &BRANCH_REFERENCE,
                        reference.span,
                        format!("`{name}` is a branch: each run may get another program"),
                    )
                    .from_value(code.value.uri.span)
                    .here("moves")
                    .help("write a tag or a commit"),
                );
            }
        }
        (None, false) => {}
    }
}

/// Uris that cannot serve as what they are given for.
fn unfit(plan: &Plan, out: &mut Vec<Diagnostic>) {
    // A query decides what the server answers with.
    let directory = |uri: &Uri| {
        let path = uri.path().split('#').next().unwrap_or_default();
        uri.scheme().class() == Class::Web && path.ends_with('/') && !path.contains('?')
    };
    for volume in plan.storage.code.iter().chain(&plan.storage.stage).filter(|v| directory(&v.uri.value)) {
        let uri = volume.uri.value.to_string();
        let plain = uri.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        let fact =
            "a web server answers a URL that ends in `/` with a page, not with the files of a directory";
        let help = format!("pack the directory and name the archive: `{plain}.tar.gz`");
        out.push(Diagnostic::new(&UNSUPPORTED_URI, volume.uri.span, fact).here("not for this").help(help));
    }
    for volume in plan.storage.data.iter().chain(&plan.storage.checkpoints) {
        let scheme = volume.uri.value.scheme();
        let (fact, help) = match scheme.class() {
            Class::Repository if !volume.writable => (
                "no program opens `git+https:` as data".to_owned(),
                "fetch it as `code` or `files`, or put the files on `https:`, `gs:`, `hdfs:` or the like",
            ),
            Class::Web | Class::Repository if volume.writable => (
                format!("nothing can be written to `{}:`", scheme.word()),
                "write to `hdfs:`, `gs:`, `nfs:` or `pvc:`",
            ),
            Class::Web
            | Class::Repository
            | Class::Hadoop
            | Class::Bucket
            | Class::Volume
            | Class::Node
            | Class::Spec => continue,
        };
        out.push(Diagnostic::new(&UNSUPPORTED_URI, volume.uri.span, fact).here("not for this").help(help));
    }
}

/// Whether all these ask for one node, by the attribute with its host name.
fn on_one_node(roles: &[(&spec::Role, &Role)]) -> bool {
    let host = |role: &spec::Role| {
        let place = role.placement.as_ref()?;
        let mut nodes = place.value.node.0.iter();
        let (key, node) = nodes.find(|(key, _)| is_called_host(key.value.as_str()))?;
        Some((key.value.clone(), node.value.value.value.to_string()))
    };
    let mut hosts = roles.iter().map(|(role, _)| host(role));
    hosts.next().flatten().is_some_and(|first| hosts.all(|other| other.as_ref() == Some(&first)))
}

/// A folder of one node is not shared by tasks on several.
fn shared(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let plan = job.plan;
    let Some(checkpoints) = &plan.storage.checkpoints else { return };
    // A helper such as a notebook has nothing to do with checkpoints that it does not name.
    let place = checkpoints.at.as_ref().map_or("", |at| at.value.as_str()).trim_end_matches('/');
    let paths = [place, checkpoints.uri.value.path().trim_end_matches('/')];
    let paths: Vec<_> = paths.into_iter().filter(|path| !path.is_empty()).collect();
    let reads = |role: &spec::Role| Uses::are_of(role, "checkpoints", &paths);
    let roles = job.roles().filter(|(written, role)| role.kind.joins_rendezvous() || reads(written));
    let roles: Vec<_> = roles.collect();
    if job.place.faulty_cluster || checkpoints.shared || on_one_node(&roles) {
        return;
    }
    let own = checkpoints.uri.value.scheme().class().is_path();
    let tasks: u32 = roles.iter().map(|(_, role)| role.count.value).sum();
    if own && tasks > 1 {
        let uri = &checkpoints.uri.value;
        // A path beside the spec is not known here.
        let same = (uri.scheme().class() == Class::Node).then(|| {
            format!(
                "; if every node sees this folder as the same, say so in a cluster file: `shared \"{uri}\"`"
            )
        });
        let opened = "use storage that the program opens by its uri: `checkpoints \"gs://BUCKET/PATH\"`, or `hdfs:` with `hadoop`";
        let help = match &checkpoints.at {
            Some(at) => format!(
                "{opened}; or, where the platform mounts it, `checkpoints \"nfs://HOST/EXPORT\" at=\"{}\"`",
                at.value
            ),
            None => opened.to_owned(),
        };
        out.push(
            Diagnostic::new(
                &UNSHARED_CHECKPOINTS,
                checkpoints.uri.span,
                format!("{tasks} tasks on several nodes do not share a node's own folder"),
            )
            .here("each node has its own")
            .help(format!("{help}{}", same.unwrap_or_default()))
            .given(Premise::SeveralMachines),
        );
    }
}

/// Schemes of Hadoop that no TensorFlow opens, with or without `tensorflow-io` (seen with TensorFlow 2.15.1 and tensorflow-io
/// 0.36), and what to write instead.
const CLOSED: [(Scheme, &str); 2] = [
    (
        Scheme::S3a,
        "`s3a:` is a name of Hadoop: write `s3://`, which a program opens that imports `tensorflow_io`",
    ),
    (
        Scheme::Abfs,
        "`abfs:` is a name of Hadoop: use storage that TensorFlow opens, such as `gs:`, or mount it with `at=`",
    ),
];

/// What TensorFlow itself would have to open. What only a target's block names, the platform reads.
fn file_system(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let plan = job.plan;
    if plan.framework.name.value != FrameworkName::Tensorflow {
        return;
    }
    let uses = Uses::of(job);
    let read = |volume: &&Volume| volume.at.is_none() && !uses.is_read_by_target(volume.name.value.as_str());
    for (scheme, help) in CLOSED {
        let opened = plan.storage.data.iter().chain(&plan.storage.checkpoints).filter(read);
        let volumes =
            opened.filter(|volume| volume.uri.value.scheme() == scheme).map(|volume| volume.uri.span);
        let logs = job.spec.tensorboard.iter().filter_map(|board| board.value.logs.as_ref());
        let logs =
            logs.filter(|logs| Scheme::of_address(logs.value.as_str()) == Some(scheme)).map(|logs| logs.span);
        for at in volumes.chain(logs) {
            let fact = format!("TensorFlow has no file system for `{}:`", scheme.word());
            out.push(Diagnostic::new(&UNSUPPORTED_FILE_SYSTEM, at, fact).here("not implemented").help(help));
        }
    }
}

fn hadoop(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let plan = job.plan;
    if job.spec.hadoop.is_some() || job.place.faulty_cluster || (job.place.has_hadoop)(plan) {
        return;
    }
    // The program itself opens data and state; `code` and `files` are fetched for it.
    let uses = Uses::of(job);
    let by_program = |v: &&Volume| v.at.is_none() && !uses.is_read_by_target(v.name.value.as_str());
    let opened = plan.storage.data.iter().chain(&plan.storage.checkpoints).filter(by_program);
    let own = job.spec.tensorboard.as_ref().and_then(|board| board.value.logs.as_ref());
    let own = own
        .filter(|logs| Scheme::of_address(logs.value.as_str()).is_some_and(|s| s.class() == Class::Hadoop));
    let of_hadoop = |volume: &&Volume| volume.uri.value.scheme().class() == Class::Hadoop;
    let places = opened.filter(of_hadoop).map(|volume| volume.uri.span).chain(own.map(|logs| logs.span));
    for at in places {
        out.push(
            Diagnostic::new(
                &HDFS_WITHOUT_HADOOP,
                at,
                "a program opens this through libhdfs, and nothing says where Hadoop is",
            )
            .from_absent(&["job", "hadoop"])
            .here("needs `CLASSPATH` and `libjvm.so`")
            .help(
                "add `hadoop home=\"/opt/hadoop\" java=\"/opt/java\"`, or set `CLASSPATH` and `LD_LIBRARY_PATH` where the \
                 program runs",
            ),
        );
    }
}
