//! Resources that a job reserves: identical executors, and one container for the driver or for YARN's application master.
use super::context::{Context, Manager};
use super::settings::{Size, heap, millicores};
use crate::containers;
use tfjob_lang::cluster::demand::{Demand, Resource, TaskGroup};
use tfjob_lang::sources::Span;

/// Minimum memory in MiB that Spark adds to the heap of a driver (`ResourceProfile.MEMORY_OVERHEAD_MIN_MIB`).
const LEAST_OVERHEAD: i64 = 384;

/// Sets the demand of each executor to the largest request of any role. Adds the driver, which starts first and waits until all
/// executors are placed.
pub fn reserve(context: &Context<'_>, mut demand: Demand) -> Demand {
    match context.manager {
        Manager::Yarn => containers::schedule(&mut demand),
        Manager::Standalone => demand.round_cores(),
        Manager::Kubernetes => {}
    }
    let executors = &mut demand.groups[..context.plan.roles.len()];
    let mut most: Vec<(Resource, u64, Span)> = Vec::new();
    for (resource, amount, at) in executors.iter().flat_map(|group| &group.needs) {
        match most.iter_mut().find(|(other, ..)| other == resource) {
            Some(known) if known.1 < *amount => *known = (resource.clone(), *amount, *at),
            Some(_) => {}
            None => most.push((resource.clone(), *amount, *at)),
        }
    }
    // Executors reserve no ports of their node, so the demand contains no ports.
    most.retain(|(resource, ..)| !matches!(resource, Resource::Port(_)));
    let mut identical = true;
    for group in executors {
        identical &=
            most.iter().all(|(resource, amount, _)| group.need(resource).is_some_and(|own| own.0 == *amount));
        group.needs = most.iter().map(|largest| located(group, largest)).collect();
    }
    demand.groups.extend(driver(context));
    demand.together = true;
    demand.because = (!identical).then_some("all executors of a Spark job have the size of the largest task");
    demand
}

/// Returns the largest request of a resource as the request of `group`. The result has the span of the request of `group`, if this
/// is the largest amount. Otherwise, it has `at`, the span of the largest request in another group.
fn located(group: &TaskGroup, (resource, amount, at): &(Resource, u64, Span)) -> (Resource, u64, Span) {
    let at = group.need(resource).filter(|own| own.0 == *amount).map_or(*at, |own| own.1);
    (resource.clone(), *amount, at)
}

/// Returns the container of the driver or of the application master. It starts before the first executor. `None` if the driver runs
/// on the submitting host and needs no application master.
fn driver(context: &Context<'_>) -> Option<TaskGroup> {
    let given = |key: &str| context.options.conf.get(key).map(|value| (value.value.as_str(), value.span));
    let mebi = |key: &str| given(key).and_then(|(value, _)| Size::Mebi.read(value));
    let (name, prefix, memory, factor) = match (context.manager, context.client()) {
        (Manager::Yarn, true) => ("YARN's application master", "spark.yarn.am", 512, 0.1),
        (Manager::Yarn, false) => ("Spark's driver", "spark.driver", 1024, 0.1),
        // The Python process of a driver uses memory outside the heap, so Spark adds more overhead (`BasicDriverFeatureStep`).
        (Manager::Kubernetes, false) => ("Spark's driver", "spark.driver", 1024, 0.4),
        (Manager::Standalone, _) | (Manager::Kubernetes, true) => return None,
    };
    let key = |rest: &str| format!("{prefix}.{rest}");
    let read = |key: &str| given(key).and_then(|(value, _)| heap(value)).or_else(|| mebi(key));
    let heap = read(&key("memory")).unwrap_or(memory);
    let general = (context.manager == Manager::Kubernetes).then_some("spark.kubernetes.memoryOverheadFactor");
    let factor = [Some(key("memoryOverheadFactor").as_str()), general]
        .into_iter()
        .flatten()
        .find_map(|key| given(key)?.0.parse::<f64>().ok())
        .unwrap_or(factor);
    let share = ((heap as f64 * factor) as i64).max(LEAST_OVERHEAD);
    let memory = heap.saturating_add(mebi(&key("memoryOverhead")).unwrap_or(share));
    let pod =
        (context.manager == Manager::Kubernetes).then(|| given("spark.kubernetes.driver.request.cores"));
    let milli = pod.flatten().and_then(|(value, _)| millicores(value));
    let cores = given(&key("cores")).and_then(|(value, _)| value.parse::<u64>().ok()).unwrap_or(1);
    let job = context.plan.name.span;
    let at = |rest: &str| given(&key(rest)).map_or(job, |given| given.1);
    let bytes = u64::try_from(memory).unwrap_or(0).saturating_mul(1 << 20);
    Some(TaskGroup {
        name: name.to_owned(),
        at: job,
        count: 1,
        min: 1,
        needs: vec![
            (Resource::Cpus, milli.unwrap_or(cores.saturating_mul(1000)), at("cores")),
            (Resource::Memory, bytes, at("memory")),
        ],
        terms: Vec::new(),
        queued: true,
    })
}
