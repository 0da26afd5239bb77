//! The settings that follow from the job as a whole, and those without which no job of this kind survives.
use super::draft::Draft;
use crate::libhdfs;
use crate::shim_source::ShimSource;
use crate::spark::context::Manager;
use crate::spark::python;
use std::collections::BTreeSet;
use tfjob_lang::origin::Traced;
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::Class;

/// Where Spark's own images have the program that prints GPUs.
const IMAGE_GPUS: &str = "/opt/spark/examples/src/main/scripts/getGpusResources.sh";

/// Directories of the node that the driver's container has on YARN.
const DRIVER_MOUNTS: &str = "spark.yarn.appMasterEnv.YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS";

/// Fills in what no single ask says.
pub fn settle(draft: &mut Draft<'_>) {
    once(draft);
    tokens(draft);
    losses(draft);
    executors(draft);
    gpus(draft);
    lists(draft);
    options(draft);
    python(draft);
}

/// One attempt: a task that is tried again would register a second node, and its error would hide the first
/// (spark#one-attempt).
fn once(draft: &mut Draft<'_>) {
    let at = draft.context.plan.name.span;
    for (key, value) in [
        ("spark.dynamicAllocation.enabled", "false"),
        ("spark.python.worker.reuse", "true"),
        ("spark.speculation", "false"),
        ("spark.task.maxFailures", "1"),
    ] {
        draft.set(key, value, at);
    }
    match draft.context.manager {
        Manager::Yarn => {
            draft.set("spark.yarn.maxAppAttempts", "1", at);
            draft.set("spark.yarn.submit.waitAppCompletion", "true", at);
        }
        Manager::Kubernetes => draft.set("spark.kubernetes.submission.waitAppCompletion", "true", at),
        Manager::Standalone => {}
    }
}

/// Spark asks for tokens of the default file system alone, and a container of YARN has nothing else to show to a name node
/// (`HadoopFSDelegationTokenProvider.hadoopFSsToAccess`). Without Kerberos it does not ask.
fn tokens(draft: &mut Draft<'_>) {
    const KEY: &str = "spark.kerberos.access.hadoopFileSystems";
    // Its names before Spark 3, which count where the new one is not set.
    const OLD: [&str; 2] = ["spark.yarn.access.hadoopFileSystems", "spark.yarn.access.namenodes"];
    let context = &draft.context;
    if context.manager != Manager::Yarn
        || context.options.conf.iter().any(|(own, _)| own.value == KEY || OLD.contains(&own.value.as_str()))
    {
        return;
    }
    let storage = &context.plan.storage;
    let volumes = storage.code.iter().chain(&storage.stage).chain(&storage.data).chain(&storage.checkpoints);
    let other: Vec<_> = volumes
        .filter(|volume| volume.uri.value.scheme().class() == Class::Hadoop)
        .filter(|volume| !volume.uri.value.is_of_site())
        .collect();
    let Some(at) = other.first().map(|volume| volume.uri.span) else { return };
    let names: BTreeSet<String> = other
        .iter()
        .map(|volume| format!("{}://{}", volume.uri.value.scheme().word(), volume.uri.value.host()))
        .collect();
    draft.set(KEY, Vec::from_iter(names).join(","), at);
}

/// YARN, and Kubernetes since Spark 3.5, give an application up that has lost twice as many executors as it has: the job's
/// own `restart` says how often it goes on (`ExecutorFailureTracker`).
fn losses(draft: &mut Draft<'_>) {
    let options = draft.context.options;
    let Some(at) = draft.again.values().map(|(_, at)| *at).next() else { return };
    let own = |key: &str| options.conf.iter().any(|(own, _)| own.value == key);
    let before = options.spark.as_ref().is_none_or(|version| !version.value.at_least((3, 5)));
    let (old, new) = ("spark.yarn.max.executor.failures", "spark.executor.maxNumFailures");
    if draft.context.manager == Manager::Standalone || own(old) || own(new) {
        return;
    }
    // As many for each attempt as Spark gives the first.
    let each = draft.context.plan.tasks().saturating_mul(2).max(3);
    let mut attempts = draft.again.values().map(|(terms, _)| terms.limit.filter(|_| terms.within.is_none()));
    let attempts = attempts.try_fold(1_u32, |sum, limit| Some(sum.saturating_add(limit?)));
    let most =
        attempts.map_or(u32::MAX, |attempts| each.saturating_mul(attempts)).min(i32::MAX.cast_unsigned());
    draft.set(new, most.to_string(), at);
    if draft.context.manager == Manager::Yarn && before {
        draft.set(old, most.to_string(), at);
    }
}

/// An executor for each task: as many cores as its one task takes, and all the memory of its container.
fn executors(draft: &mut Draft<'_>) {
    let (plan, all) = (draft.context.plan, draft.context.executor());
    let job = plan.name.span;
    let (cores, memory) = (draft.largest[0].unwrap_or(job), draft.largest[1].unwrap_or(job));
    let tasks = plan.tasks();
    draft.set("spark.executor.cores", all.cores().to_string(), cores);
    draft.set("spark.task.cpus", all.cores().to_string(), cores);
    let (heap, whole) = (draft.context.heap(), all.mebibytes);
    match draft.context.manager {
        Manager::Standalone => {
            draft.set("spark.cores.max", (u64::from(tasks) * u64::from(all.cores())).to_string(), cores);
            draft.set("spark.executor.memory", format!("{heap}m"), memory);
        }
        Manager::Yarn | Manager::Kubernetes => {
            draft.set("spark.executor.instances", tasks.to_string(), job);
            draft.set("spark.executor.memory", format!("{heap}m"), memory);
            draft.set("spark.executor.memoryOverhead", format!("{}m", whole.saturating_sub(heap)), memory);
        }
    }
    if draft.context.manager == Manager::Kubernetes {
        for key in ["spark.kubernetes.executor.request.cores", "spark.kubernetes.executor.limit.cores"] {
            draft.set(key, format!("{}m", all.milli), cores);
        }
    }
}

/// The executor's GPUs are its one task's; without the task's amount it would see none (spark#gpus-of-a-task).
fn gpus(draft: &mut Draft<'_>) {
    let (options, count) = (draft.context.options, draft.context.executor().gpus);
    let at = draft.largest[2].unwrap_or(draft.context.plan.name.span);
    if count == 0 {
        return;
    }
    draft.set("spark.executor.resource.gpu.amount", count.to_string(), at);
    draft.set("spark.task.resource.gpu.amount", count.to_string(), at);
    let given = options.gpu_discovery.as_ref().map(|path| Traced(path.value.to_string(), path.span));
    let program = match draft.context.manager {
        Manager::Yarn => Some(given.unwrap_or(Traced("./gpus.sh".to_owned(), at))),
        Manager::Kubernetes => Some(given.unwrap_or(Traced(IMAGE_GPUS.to_owned(), at))),
        // The worker hands its GPUs out itself.
        Manager::Standalone => None,
    };
    if let Some(Traced(path, at)) = program {
        draft.set("spark.executor.resource.gpu.discoveryScript", path, at);
    }
    if draft.context.manager == Manager::Kubernetes {
        let vendor = options.gpu_vendor.as_ref();
        let vendor = vendor.map_or(("nvidia.com", at), |v| (v.value.as_str(), v.span));
        draft.set("spark.executor.resource.gpu.vendor", vendor.0, vendor.1);
    }
}

/// Settings that gather what several words say.
fn lists(draft: &mut Draft<'_>) {
    let joined = |list: &[Traced<String>]| {
        let at = list.first().map(|t| t.1)?;
        Some((list.iter().map(|t| t.0.as_str()).collect::<Vec<_>>().join(","), at))
    };
    if let Some((tags, at)) = joined(&draft.tags) {
        draft.set("spark.yarn.tags", tags, at);
    }
    if let Some((binds, at)) = joined(&draft.binds) {
        let key = "YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS";
        draft.set(&format!("spark.executorEnv.{key}"), binds, at);
    }
    let others: Vec<_> = draft.tags.iter().skip(1).chain(draft.binds.iter().skip(1)).map(|t| t.1).collect();
    for at in others {
        draft.explain(at, "it stands in the same setting as the first of its kind");
    }
}

/// The words of the target that are settings of Spark.
fn options(draft: &mut Draft<'_>) {
    let options = draft.context.options;
    let texts = [
        ("spark.yarn.queue", options.queue.as_ref().map(|q| Traced(q.value.to_string(), q.span))),
        ("spark.yarn.priority", options.priority.as_ref().map(|p| Traced(p.value.to_string(), p.span))),
        (
            "spark.kubernetes.namespace",
            options.namespace.as_ref().map(|n| Traced(n.value.to_string(), n.span)),
        ),
        (
            "spark.kubernetes.authenticate.driver.serviceAccountName",
            options.service_account.as_ref().map(|n| Traced(n.value.to_string(), n.span)),
        ),
        (
            "spark.kubernetes.file.upload.path",
            options.upload.as_ref().map(|u| Traced(libhdfs::address(&u.value), u.span)),
        ),
    ];
    for (key, value) in texts {
        if let Some(Traced(value, at)) = value {
            draft.set(key, value, at);
        }
    }
    if let Some(shim) = ShimSource::location(options.shim.as_ref()).filter(|_| !draft.shim) {
        draft.explain(shim.span, "no task of this job needs the shim");
    }
    for (key, value) in &options.conf {
        draft.set(&key.value, value.value.to_string(), value.span);
    }
}

/// The Python of driver and executors: the one that was named, else the one below `files` or the code that the job runs.
fn python(draft: &mut Draft<'_>) {
    let context = &draft.context;
    let named = context.options.python.as_ref().and_then(|option| python::named(context.plan, option));
    // A rule has refused what cannot be followed.
    let Some(found) = named.or_else(|| python::of_job(context).ok().flatten()) else { return };
    let path = found.word(&draft.places);
    match python::of_driver(context, &path) {
        python::Driver::Same => mounts(draft, &path, found.at),
        python::Driver::Submitter(own) => draft.set("spark.pyspark.driver.python", own, found.at),
    }
    draft.set("spark.pyspark.python", path, found.at);
}

/// Mounts the directory of a Python into the driver's container too, which has no other volume of the executors'; unless the
/// job's own settings do.
fn mounts(draft: &mut Draft<'_>, python: &str, at: Span) {
    let below = |to: &str| python.strip_prefix(to).is_some_and(|rest| rest.starts_with('/'));
    let own = draft.context.options.conf.iter().any(|(key, value)| {
        let volume = key.value.starts_with("spark.kubernetes.driver.volumes.") && below(value.value.as_str());
        volume || key.value == DRIVER_MOUNTS
    });
    if own {
        return;
    }
    let binds: Vec<&str> = draft.binds.iter().map(|bind| bind.0.as_str()).collect();
    let binds: Vec<&str> =
        binds.into_iter().filter(|bind| bind.split(':').nth(1).is_some_and(below)).collect();
    if !binds.is_empty() {
        let binds = binds.join(",");
        draft.set(DRIVER_MOUNTS, binds, at);
    }
    let family = "spark.kubernetes.executor.volumes.";
    let paths = draft.settings.iter().filter(|(_, value)| below(&value.0));
    let volumes = paths.filter_map(|(key, _)| key.strip_prefix(family)?.strip_suffix(".mount.path"));
    let volumes: Vec<String> = volumes.map(|volume| format!("{volume}.")).collect();
    let same = draft.settings.iter().filter_map(|(key, value)| {
        let rest = key.strip_prefix(family)?;
        let shared = volumes.iter().any(|volume| rest.starts_with(volume));
        shared.then(|| (format!("spark.kubernetes.driver.volumes.{rest}"), value.clone()))
    });
    let same: Vec<(String, Traced<String>)> = same.collect();
    for (key, Traced(value, at)) in same {
        draft.set(&key, value, at);
    }
}
