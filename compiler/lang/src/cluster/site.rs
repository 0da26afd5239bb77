//! Validates a job against a cluster.
use super::demand::{Demand, Resource, TaskGroup, Term};
use super::file::Known;
use super::words::Word;
use super::{Cluster, Nodes, contradicted, limits, queues, racks, room};
use crate::at::At;
use crate::codes::{GRACE_EXCEEDS_LIMIT, UNDETERMINED_PLACEMENT, UNKNOWN_GPU_MODEL, UNLISTED_REGISTRY};
use crate::diagnostic::{Diagnostic, Fix, nearest};
use crate::escape::Escaped;
use crate::plan::Plan;
use crate::requirement::{Job, Lifecycle, Requirement};
use crate::sources::Span;
use crate::spec::values::{Class, Image, Uri};
use crate::target::AnyTarget;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Returns all errors and warnings about the job on the cluster. `target`: the target of the cluster. `complete`: whether the job
/// has no errors; only then is the total request of its tasks known and checked.
pub(crate) fn judge(
    known: &Known,
    plan: &Plan,
    target: Option<&dyn AnyTarget>,
    complete: bool,
) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut demand = target.map_or_else(|| Demand::of(plan), |target| target.reserves(plan));
    let cluster = counted(&known.cluster.value, &mut demand);
    let cluster = cluster.as_ref();
    let queue = queues::find(cluster, plan, &demand, &mut out);
    let queue = queue.as_ref();
    let name = queue.map(|queue| queue.name);
    limits::check_tasks(cluster, name, &demand, &mut out);
    demand.round_memory(cluster.memory_step.as_ref().map(|step| step.value.bytes()));
    models(cluster, &mut demand.groups, &mut out);
    let fit = room::check_each_task(cluster, &demand, &mut out);
    uncounted(cluster, &demand, &mut out);
    registries(cluster, plan, &demand, &mut out);
    contradicted::by_job(known, plan, &mut out);
    contradicted::namespace(known, plan, &mut out);
    contradicted::turned_off(known, plan, &mut out);
    if known.options.iter().all(|(word, _)| *word != Word::Grace) {
        grace(cluster, plan, &mut out);
    }
    if complete {
        let phases = demand.phases(plan);
        limits::check_job(cluster, plan, &mut out);
        if let Some(queue) = queue {
            queues::check_capacity(queue, &demand, &phases, &mut out);
        }
        if fit {
            let before = out.len();
            room::check_all_tasks(cluster, &demand, &phases, &mut out);
            if out.len() == before {
                racks::check_attribute(cluster, &demand, &mut out);
                room::check_gpu_nodes(cluster, &demand, &phases, &mut out);
                room::check_partition_nodes(cluster, name, &demand, &phases, &mut out);
            }
        }
    }
    out
}

/// Counts the extended resource that stands for GPUs, such as `nvidia.com/gpu`, as GPUs, both in the demand and in the cluster.
fn counted<'c>(cluster: &'c Cluster, demand: &mut Demand) -> Cow<'c, Cluster> {
    let mut cluster = Cow::Borrowed(cluster);
    let Some(name) = &demand.gpu_device else { return cluster };
    let gpus = Resource::Device(name.clone());
    for (resource, ..) in
        demand.groups.iter_mut().flat_map(|group| &mut group.needs).filter(|need| need.0 == gpus)
    {
        *resource = Resource::Gpus;
    }
    let is_twice = |nodes: &Nodes| nodes.gpus.is_none() && nodes.device.get(name).is_some();
    if cluster.nodes.iter().any(|(_, nodes)| is_twice(&nodes.value)) {
        for (_, nodes) in &mut cluster.to_mut().nodes.0 {
            let count = nodes.value.device.get(name).map(|device| &device.value.count);
            let count = count.map(|count| At { span: count.span, value: count.value.0 });
            nodes.value.gpus = nodes.value.gpus.take().or(count);
        }
    }
    cluster
}

/// Warns of patches that set a value which the scheduler reads, because the cluster check does not read patches.
fn uncounted(cluster: &Cluster, demand: &Demand, out: &mut Vec<Diagnostic>) {
    for patch in demand.uncounted.iter().filter(|_| !cluster.nodes.is_empty()) {
        let whose = patch.role.map_or("the job", |role| &demand.groups[role].name);
        let fact = format!(
            "cannot determine whether {whose} fits, because the cluster check does not read `{}` from patches",
            patch.key
        );
        out.push(
            Diagnostic::new(&UNDETERMINED_PLACEMENT, patch.at, fact)
                .here("not checked")
                .help("set the value with `resources` or `placement`, which the cluster check reads"),
        );
    }
}

/// Returns whether the directory at this URI is the same on every node: the cluster file declares it as `shared`, or the
/// cluster has one node.
pub(crate) fn shares(cluster: &Cluster, uri: &Uri) -> bool {
    let below = |folder: &str| {
        let rest = uri.path().strip_prefix(folder.trim_end_matches('/'));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let one = cluster.nodes.iter().map(|(_, nodes)| u64::from(nodes.value.count.value)).sum::<u64>() == 1;
    uri.scheme().class() == Class::Node
        && (one || cluster.shared.iter().any(|shared| below(shared.value.path())))
}

/// Reports each GPU model that no node has, and removes it from the requests, so that later checks do not report it again.
fn models(cluster: &Cluster, groups: &mut [TaskGroup], out: &mut Vec<Diagnostic>) {
    let with_gpus =
        || cluster.nodes.iter().filter(|(_, n)| n.value.gpus.as_ref().is_some_and(|g| g.value > 0));
    // If a node with GPUs does not declare its model, it may have any model, so requested models are not checked.
    if cluster.nodes.is_empty() || with_gpus().any(|(_, nodes)| nodes.value.gpu_model.is_none()) {
        return;
    }
    let known: Vec<_> = with_gpus().filter_map(|(_, nodes)| nodes.value.gpu_model.as_ref()).collect();
    for group in groups {
        group.terms.retain(|(term, at)| {
            let Term::GpuModel(model, _) = term else { return true };
            if known.is_empty() || known.iter().any(|k| k.value.as_str() == model) {
                return true;
            }
            out.push(unknown_model(model, *at, &known));
            false
        });
    }
}

fn unknown_model(model: &str, at: Span, known: &[&At<crate::spec::values::Text>]) -> Diagnostic {
    let fact = format!("no node has a GPU of model `{}`", model.escaped());
    let mut words: Vec<&str> = known.iter().map(|k| k.value.as_str()).collect();
    words.sort_unstable();
    words.dedup();
    let mut told = Diagnostic::new(&UNKNOWN_GPU_MODEL, at, fact).here("not in the cluster file");
    for model in known.iter().take(3) {
        told = told.label(model.span, "available model");
    }
    match nearest(model, words.iter().copied()) {
        Some(near) => {
            told.help(format!("did you mean `{near}`?")).suggest(Fix::replace(at, format!("{near:?}")))
        }
        None => told.help(format!("available models: `{}`", words.join("`, `"))),
    }
}

/// Warns of images of registries that the cluster file does not list. This is not an error, because the nodes may still be able to
/// pull from these registries.
fn registries(cluster: &Cluster, plan: &Plan, demand: &Demand, out: &mut Vec<Diagnostic>) {
    let Some(first) = cluster.registry.first() else { return };
    let foreign = |image: &Image| {
        let name = image.full_name();
        let mut from = cluster.registry.iter().map(|r| Image::of_hub(r.value.as_str().trim_end_matches('/')));
        !from.any(|from| name.strip_prefix(from.as_ref()).is_some_and(|rest| rest.starts_with('/')))
    };
    let board = plan.requirements.iter().filter_map(|required| match &required.requirement {
        Requirement::Job(Job::Tensorboard(board)) => board.image.as_ref().map(|image| (required.at, image)),
        _ => None,
    });
    let roles = plan.roles.iter().filter_map(|role| role.image.as_ref());
    let own = roles.map(|used| (used.image.span, &used.image.value)).chain(board);
    let mut told = Vec::new();
    for (at, image) in own.filter(|(_, image)| foreign(image)) {
        if !told.contains(&at) {
            told.push(at);
            out.push(unlisted(cluster, "the image", image, at).label(first.span, "registry of the cluster"));
        }
    }
    // A patch may set several images.
    let others: BTreeSet<_> = demand.images.iter().collect();
    for (at, image) in others.into_iter().filter(|(_, image)| foreign(image)) {
        let name = format!("the image `{}`", image.to_string().escaped());
        out.push(unlisted(cluster, &name, image, *at).label(first.span, "registry of the cluster"));
    }
}

fn unlisted(cluster: &Cluster, name: &str, image: &Image, at: Span) -> Diagnostic {
    let names: Vec<&str> = cluster.registry.iter().map(|r| r.value.as_str()).collect();
    let listed = format!("the cluster file lists only `{}`", names.join("`, `"));
    let fact = match &image.registry {
        Some(registry) => format!("{name} is in registry `{registry}`, but {listed}"),
        None => format!("{name} has no registry in its name (default: Docker Hub), but {listed}"),
    };
    Diagnostic::new(&UNLISTED_REGISTRY, at, fact).here("registry not listed").help(format!(
        "write `{}/{}{}{}` if that registry has the image, or add `registry \"{}\"` to the cluster file",
        names[0],
        image.repository,
        image.tag.as_ref().map_or_else(String::new, |tag| format!(":{tag}")),
        image.digest.as_ref().map_or_else(String::new, |digest| format!("@{digest}")),
        image.registry.as_deref().unwrap_or("docker.io")
    ))
}

fn grace(cluster: &Cluster, plan: &Plan, out: &mut Vec<Diagnostic>) {
    let Some(site) = &cluster.grace else { return };
    let required = plan.requirements.iter().find_map(|required| match required.requirement {
        Requirement::Lifecycle(Lifecycle::StopGrace { seconds }) if seconds > site.value.seconds() => {
            Some(required.at)
        }
        _ => None,
    });
    if let Some(at) = required {
        out.push(
            Diagnostic::new(
                &GRACE_EXCEEDS_LIMIT,
                at,
                format!(
                    "`grace` exceeds the grace period of the cluster: SIGKILL follows SIGTERM after {}",
                    site.value
                ),
            )
            .here(format!("longer than {}", site.value))
            .label(site.span, "grace period of the cluster")
            .help(format!("write `grace=\"{}\"` or less", site.value))
            .suggest(Fix::replace(at, format!("\"{}\"", site.value))),
        );
    }
}

/// Returns a help that declares a directory of the nodes as shared in a cluster file.
pub(crate) fn declare_shared(directory: &Uri, target: &str) -> String {
    format!(
        "if this directory is a shared mount on every node, write `cluster \"prod\" target=\"{target}\" {{ shared \"{directory}\"; }}` to `prod.cluster.kdl`, and run tfjob with `--cluster prod.cluster.kdl`"
    )
}
