//! Spark settings that depend on the whole job, and settings that every job needs.
use super::draft::Draft;
use crate::libhdfs;
use crate::shim_source::ShimSource;
use crate::spark::context::Manager;
use crate::spark::python;
use std::collections::BTreeSet;
use tfjob_lang::origin::Traced;
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::Class;

/// Path of the GPU discovery script in the images of Spark.
const IMAGE_GPUS: &str = "/opt/spark/examples/src/main/scripts/getGpusResources.sh";

/// Setting with the mounts of the driver's Docker container on YARN.
const DRIVER_MOUNTS: &str = "spark.yarn.appMasterEnv.YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS";

/// Adds the settings that depend on the whole job.
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

/// Turns off retries of Spark tasks. A retried task would register as a second node, and its error would hide the first error
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

/// Requests delegation tokens for all file systems of the job. By default, Spark requests a token only for the default file system
/// (`HadoopFSDelegationTokenProvider.hadoopFSsToAccess`), and YARN containers have no other credentials. Without Kerberos, the
/// setting has no effect.
fn tokens(draft: &mut Draft<'_>) {
    const KEY: &str = "spark.kerberos.access.hadoopFileSystems";
    // Names that the setting had before Spark 3. Spark still reads them if the new name is not set.
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

/// Raises the limit of lost executors to the number that `restart` allows. By default, Spark fails an application when the number
/// of lost executors reaches twice the number of its executors. This applies on YARN and, since 3.5, on Kubernetes
/// (`ExecutorFailureTracker`).
fn losses(draft: &mut Draft<'_>) {
    let options = draft.context.options;
    let Some(at) = draft.again.values().map(|(_, at)| *at).next() else { return };
    let is_set = |key: &str| options.conf.iter().any(|(set, _)| set.value == key);
    let before = options.spark.as_ref().is_none_or(|version| !version.value.at_least((3, 5)));
    let (old, new) = ("spark.yarn.max.executor.failures", "spark.executor.maxNumFailures");
    if draft.context.manager == Manager::Standalone || is_set(old) || is_set(new) {
        return;
    }
    // Spark's default for the maximum number of lost executors. Each attempt of the job may lose this many executors.
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

/// Sets the size of executors. Each executor runs one task, which gets all cores and memory of the executor.
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

/// Requests GPUs for the executor, and the same GPUs for its task. A task that requests no GPUs sees none (spark#gpus-of-a-task).
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
        // A standalone worker finds and assigns its GPUs without a script.
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

/// Adds settings whose value is a list of several entries of the spec.
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
        draft.explain(at, "part of the same Spark setting as the first entry of this kind");
    }
}

/// Adds the settings that options of the target set.
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
        draft.explain(shim.span, "this job does not need the shim");
    }
    for (key, value) in &options.conf {
        draft.set(&key.value, value.value.to_string(), value.span);
    }
}

/// Sets the Python interpreter of the driver and the executors. The option `python` names it. If the option is unset, it is the
/// interpreter that the commands of the job run.
fn python(draft: &mut Draft<'_>) {
    let context = &draft.context;
    let named = context.options.python.as_ref().and_then(|option| python::named(context.plan, option));
    // If the interpreter cannot be used, nothing is set here, because a check reports it.
    let Some(found) = named.or_else(|| python::of_job(context).ok().flatten()) else { return };
    let path = found.word(&draft.places);
    match python::of_driver(context, &path) {
        python::Driver::Same => mounts(draft, &path, found.at),
        python::Driver::Submitter(path) => draft.set("spark.pyspark.driver.python", path, found.at),
    }
    draft.set("spark.pyspark.python", path, found.at);
}

/// Mounts the directory of a Python interpreter not only into the containers of the executors, but also into that of the driver,
/// unless `conf` already does. Without this mount, the driver could not start Python, because its container has none of the
/// executors' volumes.
fn mounts(draft: &mut Draft<'_>, python: &str, at: Span) {
    let below = |to: &str| python.strip_prefix(to).is_some_and(|rest| rest.starts_with('/'));
    let is_set = draft.context.options.conf.iter().any(|(key, value)| {
        let volume = key.value.starts_with("spark.kubernetes.driver.volumes.") && below(value.value.as_str());
        volume || key.value == DRIVER_MOUNTS
    });
    if is_set {
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
