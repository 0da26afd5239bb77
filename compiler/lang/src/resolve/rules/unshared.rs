//! Reports a checkpoint directory that is local to each node, although several tasks need it.
use super::Job;
use super::unused::Uses;
use crate::cluster::declare_shared;
use crate::codes::UNSHARED_CHECKPOINTS;
use crate::diagnostic::{Diagnostic, Premise};
use crate::plan::{Role, is_called_host};
use crate::spec;
use crate::spec::values::Class;

/// Returns whether the placement of all these roles requires the same node, by host name.
fn on_one_node(roles: &[(&spec::Role, &Role)]) -> bool {
    let host = |role: &spec::Role| {
        let placement = role.placement.as_ref()?;
        let mut nodes = placement.value.node.0.iter();
        let (key, node) = nodes.find(|(key, _)| is_called_host(key.value.as_str()))?;
        Some((key.value.clone(), node.value.value.value.to_string()))
    };
    let mut hosts = roles.iter().map(|(role, _)| host(role));
    hosts.next().flatten().is_some_and(|first| hosts.all(|other| other.as_ref() == Some(&first)))
}

/// Reports a checkpoint directory that is local to each node, if several tasks need it.
pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let plan = job.plan;
    let Some(checkpoints) = &plan.storage.checkpoints else { return };
    // A helper such as a notebook counts only if it references the checkpoints.
    let path = checkpoints.at.as_ref().map_or("", |at| at.value.as_str()).trim_end_matches('/');
    let paths = [path, checkpoints.uri.value.path().trim_end_matches('/')];
    let paths: Vec<_> = paths.into_iter().filter(|path| !path.is_empty()).collect();
    let reads = |role: &spec::Role| Uses::has_use(role, "checkpoints", &paths);
    let roles = job.roles().filter(|(written, role)| role.kind.joins_rendezvous() || reads(written));
    let roles: Vec<_> = roles.collect();
    if job.context.faulty_cluster || checkpoints.shared || on_one_node(&roles) {
        return;
    }
    let is_local = checkpoints.uri.value.scheme().class().is_path();
    let tasks: u32 = roles.iter().map(|(_, role)| role.count.value).sum();
    if is_local && tasks > 1 {
        let uri = &checkpoints.uri.value;
        let node = uri.scheme().class() == Class::Node;
        let subject = match node {
            true => "`file:` paths are local to each node".to_owned(),
            false => format!("`{uri}` is a local directory"),
        };
        let fact = format!("{subject}, but {tasks} tasks on different nodes need this checkpoint directory");
        // On every target, the program can open a URI such as `gs:`, so the help always suggests one.
        let without = checkpoints.at.as_ref().map_or("", |_| " without `at`");
        let remote = format!(
            "use remote storage: `checkpoints \"gs://BUCKET/PATH\"`{without}, or an `hdfs:` URI and `hadoop home=\"…\" java=\"…\"`"
        );
        // For a directory next to the spec, the path on the nodes is unknown here, so the help does not suggest to declare it as
        // `shared`.
        let declare = (job.context.example_target)(plan).filter(|_| node);
        let declare = declare.map(|target| declare_shared(uri, target));
        let at = checkpoints.at.as_ref().map_or("/ckpt", |at| at.value.as_str());
        let mount = (job.context.mounts_nfs)(plan)
            .then(|| format!("mount a shared volume: `checkpoints \"nfs://HOST/EXPORT\" at=\"{at}\"`"));
        let help = one_of_these(declare.into_iter().chain(mount).chain([remote]));
        out.push(
            Diagnostic::new(&UNSHARED_CHECKPOINTS, checkpoints.uri.span, fact)
                .here("local to each node")
                .help(help)
                .given(Premise::SeveralMachines),
        );
    }
}

/// Returns a help with numbered alternatives; a single one without its number.
fn one_of_these(ways: impl Iterator<Item = String>) -> String {
    let ways: Vec<String> = ways.collect();
    if let [way] = ways.as_slice() {
        return way.clone();
    }
    let numbered = (1..).zip(&ways).map(|(number, way)| format!("({number}) {way}"));
    format!("do one of these: {}", numbered.collect::<Vec<_>>().join("; "))
}
