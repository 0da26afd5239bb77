//! What a cluster says to a job that is put to it.
use super::demand::{Crew, Demand, Resource, Term};
use super::file::Known;
use super::words::Word;
use super::{Cluster, Nodes, contradicted, limits, queues, racks, room};
use crate::at::At;
use crate::codes::{GRACE_EXCEEDS_LIMIT, UNDETERMINED_PLACEMENT, UNKNOWN_GPU_MODEL, UNLISTED_REGISTRY};
use crate::diagnostic::{Diagnostic, Fix, nearest};
use crate::plan::Plan;
use crate::requirement::{Job, Lifecycle, Requirement};
use crate::sources::Span;
use crate::spec::values::{Class, Image, Uri};
use crate::target::AnyTarget;
use std::borrow::Cow;

/// Every reason why the job cannot run there. `whole`: the job has no fault, so its tasks may be counted together.
/// `target`: that of the cluster.
pub(crate) fn judge(
    known: &Known,
    plan: &Plan,
    target: Option<&dyn AnyTarget>,
    whole: bool,
) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut demand = target.map_or_else(|| Demand::of(plan), |target| target.reserves(plan));
    let cluster = counted(&known.cluster.value, &mut demand);
    let cluster = cluster.as_ref();
    let queue = queues::find(cluster, plan, &demand, &mut out);
    let queue = queue.as_ref();
    let name = queue.map(|queue| queue.name);
    limits::of_task(cluster, name, &demand, &mut out);
    demand.round_memory(cluster.memory_step.as_ref().map(|step| step.value.bytes()));
    models(cluster, &mut demand.crews, &mut out);
    let fit = room::each(cluster, &demand, &mut out);
    uncounted(cluster, &demand, &mut out);
    registries(cluster, plan, &mut out);
    contradicted::by_job(known, plan, &mut out);
    if known.options.iter().all(|(word, _)| *word != Word::Grace) {
        grace(cluster, plan, &mut out);
    }
    if whole {
        let shifts = demand.shifts(plan);
        limits::of_job(cluster, plan, &mut out);
        if let Some(queue) = queue {
            queues::full(queue, &demand, &shifts, &mut out);
        }
        if fit {
            let before = out.len();
            room::together(cluster, &demand, &shifts, &mut out);
            if out.len() == before {
                racks::unnamed(cluster, &demand, &mut out);
                room::beside_gpus(cluster, &demand, &shifts, &mut out);
                room::beside_partitions(cluster, name, &demand, &shifts, &mut out);
            }
        }
    }
    out
}

/// The cluster by the platform's own count of GPUs, whichever of their two names the file and the job write.
fn counted<'c>(cluster: &'c Cluster, demand: &mut Demand) -> Cow<'c, Cluster> {
    let mut cluster = Cow::Borrowed(cluster);
    let Some(name) = &demand.gpu_device else { return cluster };
    let gpus = Resource::Device(name.clone());
    for (resource, ..) in
        demand.crews.iter_mut().flat_map(|crew| &mut crew.needs).filter(|need| need.0 == gpus)
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

/// Warns of patches that set what a scheduler reads: the values of the spec were counted.
fn uncounted(cluster: &Cluster, demand: &Demand, out: &mut Vec<Diagnostic>) {
    for patch in demand.uncounted.iter().filter(|_| !cluster.nodes.is_empty()) {
        let whose = patch.role.map_or("the job", |role| &demand.crews[role].name);
        let fact = format!(
            "the patch sets `{}`, which the check against the cluster does not read: nothing is proven for {whose}",
            patch.key
        );
        out.push(
            Diagnostic::new(&UNDETERMINED_PLACEMENT, patch.at, fact)
                .here("not counted")
                .help("set what `resources` and `placement` can say there: that is counted"),
        );
    }
}

/// Whether every node sees the same at this uri: the file says so, or there is one node.
pub(crate) fn shares(cluster: &Cluster, uri: &Uri) -> bool {
    let below = |folder: &str| {
        let rest = uri.path().strip_prefix(folder.trim_end_matches('/'));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let one = cluster.nodes.iter().map(|(_, nodes)| u64::from(nodes.value.count.value)).sum::<u64>() == 1;
    uri.scheme().class() == Class::Node
        && (one || cluster.shared.iter().any(|shared| below(shared.value.path())))
}

/// A model that no node has is told once, and then asks for any.
fn models(cluster: &Cluster, crews: &mut [Crew], out: &mut Vec<Diagnostic>) {
    let with_gpus =
        || cluster.nodes.iter().filter(|(_, n)| n.value.gpus.as_ref().is_some_and(|g| g.value > 0));
    // Of nodes that do not say their model nobody knows what they have.
    if cluster.nodes.is_empty() || with_gpus().any(|(_, nodes)| nodes.value.gpu_model.is_none()) {
        return;
    }
    let known: Vec<_> = with_gpus().filter_map(|(_, nodes)| nodes.value.gpu_model.as_ref()).collect();
    for crew in crews {
        crew.terms.retain(|(term, at)| {
            let Term::GpuModel(model, _) = term else { return true };
            if known.is_empty() || known.iter().any(|k| k.value.as_str() == model) {
                return true;
            }
            out.push(stranger(model, *at, &known));
            false
        });
    }
}

fn stranger(model: &str, at: Span, known: &[&At<crate::spec::values::Text>]) -> Diagnostic {
    let fact = format!("no node has a GPU of model `{}`", model.escape_debug());
    let mut words: Vec<&str> = known.iter().map(|k| k.value.as_str()).collect();
    words.sort_unstable();
    words.dedup();
    let mut told = Diagnostic::new(&UNKNOWN_GPU_MODEL, at, fact).here("unknown to the cluster");
    for model in known.iter().take(3) {
        told = told.label(model.span, "a model that is there");
    }
    match nearest(model, words.iter().copied()) {
        Some(near) => {
            told.help(format!("did you mean `{near}`?")).suggest(Fix::replace(at, format!("{near:?}")))
        }
        None => told.help(format!("models are `{}`", words.join("`, `"))),
    }
}

/// Images that come from elsewhere. A warning: whether a node can reach another registry is not in the file.
fn registries(cluster: &Cluster, plan: &Plan, out: &mut Vec<Diagnostic>) {
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
    // The image that fetches `code` and `files`.
    let stage =
        plan.targets.get(cluster.target.value.as_str()).and_then(|options| options.get("stage-image"));
    let stage = stage.and_then(|tree| Some((tree.span, Image::parse(tree.text()?).ok()?)));
    let stage = stage.iter().map(|(at, image)| (*at, image));
    let mut told = Vec::new();
    for (at, image) in roles.map(|used| (used.image.span, &used.image.value)).chain(board).chain(stage) {
        if told.contains(&at) || !foreign(image) {
            continue;
        }
        told.push(at);
        let names: Vec<&str> = cluster.registry.iter().map(|r| r.value.as_str()).collect();
        let whose = match &image.registry {
            Some(registry) => format!("comes from `{registry}`"),
            None => "names no registry".to_owned(),
        };
        out.push(
            Diagnostic::new(
                &UNLISTED_REGISTRY,
                at,
                format!("this image {whose}, and the nodes pull from `{}`", names.join("`, `")),
            )
            .here("from elsewhere")
            .label(first.span, "the cluster's registry")
            .help(format!(
                "write `{}/{}…`, or name the other registry in the cluster file",
                names[0], image.repository
            )),
        );
    }
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
                format!("a node of this cluster kills a task {} after SIGTERM", site.value),
            )
            .here("longer than that")
            .label(site.span, "the site's own")
            .help(format!("write `grace=\"{}\"` or less", site.value))
            .suggest(Fix::replace(at, format!("\"{}\"", site.value))),
        );
    }
}
