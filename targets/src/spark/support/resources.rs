//! What each task gets, its ports and its place: executors are alike, and Spark knows cores, memory and GPUs.
use super::super::means::Means;
use super::super::place::{BESIDE_HEAP, Ground, Manager, heap, mebibytes};
use super::super::text;
use super::Context;
use crate::cores;
use tfjob_lang::ask;
use tfjob_lang::ask::{Ask, Placement, Resources};
use tfjob_lang::plan::RoleId;
use tfjob_lang::spec::PortNumber;
use tfjob_lang::spec::values::Memory;
use tfjob_lang::target::Answer;

/// What Spark does with one requirement: resources of a task.
pub fn answer(ask: &ask::Resources, case: &Context<'_>) -> Answer<Means> {
    let ground = &case.ground;
    match ask {
        ask::Resources::Cpus { milli, .. } => cpus(ground, *milli),
        ask::Resources::Memory { bytes, .. } => memory(ground, *bytes),
        ask::Resources::Gpus { role, .. } => Answer::Native(Means::Gpus(*role)),
        ask::Resources::GpuModel { .. } => gpu_kind("model"),
        ask::Resources::GpuMemory { .. } => gpu_kind("memory"),
        ask::Resources::Disk { .. } => disk(ground),
        ask::Resources::SharedMemory { .. } => shared_memory(ground),
        ask::Resources::Device { name, .. } => device(ground, name),
    }
}

/// The folder of Kubernetes' scratch volume.
pub const SCRATCH: &str = "/var/tfjob/scratch";

/// An executor for each task of a role, as large as the largest role needs it.
pub fn tasks(ground: &Ground<'_>, id: RoleId) -> Answer<Means> {
    let role = &ground.plan.roles[id];
    let all = ground.executor();
    let mut more = Vec::new();
    if all.milli > role.resources.cpus.value {
        more.push(format!("{} cores", all.cores()));
    }
    if all.mebibytes > mebibytes(role.resources.memory.value) {
        more.push(format!("{}MiB of memory", all.mebibytes));
    }
    if all.gpus > role.resources.gpus {
        more.push(format!("{} GPUs, of which it sees {}", all.gpus, role.resources.gpus));
    }
    if more.is_empty() {
        return Answer::Native(Means::Tasks(id));
    }
    let how = format!(
        "every executor is as large as the largest role: each {} holds {}",
        role.name.value,
        more.join(", ")
    );
    Answer::Emulated(Means::Tasks(id), how)
}

/// Cores.
pub fn cpus(ground: &Ground<'_>, milli: u32) -> Answer<Means> {
    if milli.is_multiple_of(1000) || ground.manager == Manager::Kubernetes {
        return Answer::Native(Means::Cpus(milli));
    }
    let how = format!("Spark counts whole cores: {}", cores::whole(milli));
    Answer::Emulated(Means::Cpus(milli), how)
}

/// The memory of the whole container: Java heap and all that is beside it.
pub fn memory(ground: &Ground<'_>, bytes: u64) -> Answer<Means> {
    let own = mebibytes(bytes);
    let all = ground.executor().mebibytes;
    // A standalone worker gives the heap the whole, and counts nothing beside it.
    let feeds = ground.feeds() && ground.manager != Manager::Standalone;
    let least = heap(all, feeds) + BESIDE_HEAP;
    if own == all && all < least {
        return Answer::impossible(
            format!(
                "runs a Java machine and a Python beside each program: {} does not hold them",
                amount(bytes)
            ),
            format!("write at least `memory=\"{}\"`", amount(least << 20)),
            "spark-dcos §1.4, §2.2",
        );
    }
    let means = Means::Memory(own);
    match ground.manager {
        Manager::Standalone => Answer::Emulated(
            means,
            "a standalone worker sets the memory aside and does not limit it".to_owned(),
        ),
        Manager::Yarn | Manager::Kubernetes => Answer::Native(means),
    }
}

/// Memory in the largest unit that holds it whole, as a job writes it.
fn amount(bytes: u64) -> String {
    let kibibytes = format!("{}KiB", bytes.div_ceil(1 << 10));
    Memory::parse(&kibibytes).map_or(kibibytes, |memory| memory.to_string())
}

/// What Spark cannot choose a GPU by.
pub fn gpu_kind(what: &str) -> Answer<Means> {
    Answer::refused(
        format!("asks for a number of GPUs and cannot choose them by their {what}"),
        format!(
            "remove `gpu-{what}`, and choose the nodes: `place {{ partition \"…\" }}` where the master is YARN, `place {{ node \"…\" \"…\" }}` with `target \"spark\" {{ master \"k8s://…\" }}`"
        ),
        "spark-dcos §2.3",
    )
}

/// The largest amount of a kind that any role asks: every executor has it.
fn most<T: Ord>(ground: &Ground<'_>, of: impl Fn(&Ask) -> Option<T>) -> Option<T> {
    ground.plan.asks.iter().filter_map(|asked| of(&asked.ask)).max()
}

/// Scratch space.
pub fn disk(ground: &Ground<'_>) -> Answer<Means> {
    let bytes = most(ground, |ask| {
        if let Ask::Resources(Resources::Disk { bytes, .. }) = ask { Some(*bytes) } else { None }
    });
    if ground.manager != Manager::Kubernetes {
        return Answer::refused(
            format!("sets no disk space aside on {}", ground.manager.word()),
            "remove `disk`; executors write where `spark.local.dir` or YARN's local folders are. Or let Kubernetes run them: `target \"spark\" { master \"k8s://…\" }`",
            "spark-dcos §2.3",
        );
    }
    let volume = "spark.kubernetes.executor.volumes.emptyDir.tfjob-scratch";
    let settings = vec![
        (format!("{volume}.mount.path"), SCRATCH.to_owned()),
        (format!("{volume}.options.sizeLimit"), format!("{}Mi", mebibytes(bytes.unwrap_or(0)))),
    ];
    let how = "each pod has an emptyDir of at most that size; none is set aside".to_owned();
    Answer::Emulated(Means::Settings(settings), how)
}

/// `/dev/shm`.
pub fn shared_memory(ground: &Ground<'_>) -> Answer<Means> {
    let bytes = most(ground, |ask| {
        if let Ask::Resources(Resources::SharedMemory { bytes, .. }) = ask { Some(*bytes) } else { None }
    });
    let bare = ground.plan.roles.iter().all(|role| role.image.is_none());
    let half = ground.executor().mebibytes << 19;
    if ground.manager != Manager::Kubernetes && bare && bytes.is_some_and(|bytes| bytes <= half) {
        // A node has at least the memory of its executors; of that Linux gives half to a tmpfs without a size
        // (Documentation/filesystems/tmpfs.rst), and whoever mounts the node's may have given it one.
        let how = "an executor has its node's own `/dev/shm`, which all that runs there shares: half of the node's memory, unless its administrator has sized it";
        return Answer::Emulated(
            Means::Inherent("an executor has its node's own `/dev/shm`"),
            how.to_owned(),
        );
    }
    if ground.manager != Manager::Kubernetes {
        return Answer::refused(
            format!("has no word for the size of /dev/shm on {}", ground.manager.word()),
            "ask for at most half of `memory`, without `image`: a process on the node has the node's own, which Linux makes half of its memory",
            "spark-dcos §2.3",
        );
    }
    let whole = ground.executor().mebibytes;
    if bytes.is_some_and(|bytes| mebibytes(bytes) > whole) {
        return Answer::refused(
            "counts shared memory as the executor's memory on Kubernetes, and this is more than all of it",
            format!("write `shared-memory=\"{whole}MiB\"` or less: the memory of each executor"),
            "EmptyDirVolumeSource, medium Memory",
        );
    }
    let volume = "spark.kubernetes.executor.volumes.emptyDir.tfjob-shm";
    let settings = vec![
        (format!("{volume}.mount.path"), "/dev/shm".to_owned()),
        (format!("{volume}.options.medium"), "Memory".to_owned()),
        (format!("{volume}.options.sizeLimit"), format!("{}Mi", mebibytes(bytes.unwrap_or(0)))),
    ];
    Answer::Native(Means::Settings(settings))
}

/// Another counted kind.
pub fn device(ground: &Ground<'_>, name: &str) -> Answer<Means> {
    let of = |ask: &Ask| match ask {
        Ask::Resources(Resources::Device { name: other, count, .. }) if other == name => Some(*count),
        _ => None,
    };
    let count = most(ground, of).unwrap_or(0);
    let gpu = matches!(name, "gpu" | "fpga" | "yarn.io/gpu" | "yarn.io/fpga");
    if ground.manager != Manager::Yarn || gpu || text::plain_fault(name).is_some() {
        return Answer::refused(
            format!("asks {} for cores, memory and GPUs, and not for `{name}`", ground.manager.word()),
            "ask for GPUs with `gpus=`; other kinds are YARN's, under the site's own names",
            "spark-dcos §2.3",
        );
    }
    let settings = vec![(format!("spark.yarn.executor.resource.{name}.amount"), count.to_string())];
    let roles = ground.plan.asks.iter().filter(|asked| of(&asked.ask) == Some(count)).count();
    if roles == ground.plan.roles.len() {
        return Answer::Native(Means::Settings(settings));
    }
    let how = format!("every executor is as large as the largest role: each holds {count} of `{name}`");
    Answer::Emulated(Means::Settings(settings), how)
}

/// A port: `TensorFlowOnSpark` finds the one of the rendezvous, the shim the others.
pub fn port(ground: &Ground<'_>, name: &str, number: PortNumber, ask: &ask::Network) -> Answer<Means> {
    let roles = &ground.plan.roles;
    let cluster = name == "cluster";
    let default = ground
        .plan
        .asks
        .iter()
        .any(|asked| asked.default && matches!(&asked.ask, Ask::Network(own) if own == ask));
    let number = match number {
        PortNumber::Auto if cluster => {
            return Answer::Native(Means::Inherent("TensorFlowOnSpark finds a free port on each node"));
        }
        PortNumber::Auto => {
            return Answer::Emulated(Means::ShimWords, "the shim finds a free port".to_owned());
        }
        PortNumber::Fixed(_) if cluster && default => {
            return Answer::Native(Means::Inherent("TensorFlowOnSpark finds a free port on each node"));
        }
        PortNumber::Fixed(number) => number.0,
    };
    let uses = |role: &tfjob_lang::plan::Role| role.ports.iter().any(|p| p.number == Some(number));
    let tasks: u32 = roles.iter().filter(|r| uses(r)).map(|r| r.count.value).sum();
    if tasks > 1 && ground.manager != Manager::Kubernetes {
        return Answer::refused(
            format!("may put two executors on one host, and {tasks} tasks want port {number} of it"),
            format!("write `port \"{name}\" \"auto\"`"),
            "spark-dcos §1.3: two identical addresses, and no error",
        );
    }
    if !cluster {
        return Answer::Native(Means::Inherent("the program opens the port itself"));
    }
    let members = roles.iter().filter(|r| r.kind.joins_rendezvous());
    let other = members
        .clone()
        .find(|r| !r.ports.iter().any(|p| p.name.value == "cluster" && p.number == Some(number)));
    match other {
        Some(other) => Answer::refused(
            format!("gives all executors one rendezvous port, and `{}` has another", other.name.value),
            format!("write the same number in every role, or `port \"{name}\" \"auto\"` in all"),
            "spark-dcos §1.3",
        ),
        None => {
            let setting = ("spark.executorEnv.TENSORFLOW_PORT".to_owned(), number.to_string());
            Answer::Native(Means::Settings(vec![setting]))
        }
    }
}

/// A node's attribute.
pub fn node(ground: &Ground<'_>, id: RoleId, key: &str, value: &str) -> Answer<Means> {
    let wanted = |id: RoleId| {
        let mut all: Vec<_> = ground
            .plan
            .asks
            .iter()
            .filter_map(|asked| match &asked.ask {
                Ask::Placement(Placement::Node { role, key, value }) if *role == id => Some((key, value)),
                _ => None,
            })
            .collect();
        all.sort();
        all
    };
    if ground.manager != Manager::Kubernetes {
        return Answer::refused(
            format!("knows no attributes of nodes on {}", ground.manager.word()),
            "a node label of YARN is `place { partition \"…\" }`; attributes are those of `target \"spark\" { master \"k8s://…\" }`",
            "spark-dcos §2.3",
        );
    }
    if (0..ground.plan.roles.len()).any(|other| wanted(other) != wanted(id)) {
        return alike("the nodes");
    }
    if let Some(fault) = label_fault(key, value) {
        return Answer::refused(
            format!("passes it to Kubernetes, where {fault}"),
            "write a label of the nodes",
            "spark-dcos §2.3",
        );
    }
    let setting = |family: &str| Means::Settings(vec![(format!("{family}.{key}"), value.to_owned())]);
    let since = ground.options.spark.as_ref().is_some_and(|v| v.value.at_least((3, 3)));
    match (since, ground.client()) {
        (true, _) => Answer::Native(setting("spark.kubernetes.executor.node.selector")),
        // The driver is no pod.
        (false, true) => Answer::Native(setting("spark.kubernetes.node.selector")),
        (false, false) => Answer::refused(
            "places the driver on these nodes too before version 3.3, and an unset version counts as 3.1",
            format!(
                "add `spark \"3.3\"` to `target \"spark\"` if the cluster is that new; or write `conf {{ \"spark.kubernetes.node.selector.{key}\" \"{value}\" }}`, which places both"
            ),
            "SPARK-36075: spark.kubernetes.{driver,executor}.node.selector came with 3.3.0",
        ),
    }
}

/// A partition of the cluster: a node label of YARN.
pub fn partition(ground: &Ground<'_>, id: RoleId, name: &str) -> Answer<Means> {
    let wanted = |id: RoleId| {
        ground.plan.asks.iter().find_map(|asked| match &asked.ask {
            Ask::Placement(Placement::Partition { role, name }) if *role == id => Some(name),
            _ => None,
        })
    };
    let label = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    if ground.manager != Manager::Yarn || !label {
        return Answer::refused(
            format!("knows no partition `{name}` on {}", ground.manager.word()),
            "a partition is a node label of YARN: letters, digits, `-` and `_`",
            "spark-dcos §2.3",
        );
    }
    if (0..ground.plan.roles.len()).any(|other| wanted(other) != wanted(id)) {
        return alike("the partition");
    }
    let key = "spark.yarn.executor.nodeLabelExpression".to_owned();
    Answer::Native(Means::Settings(vec![(key, name.to_owned())]))
}

/// Tasks apart.
pub fn spread(ground: &Ground<'_>) -> Answer<Means> {
    Answer::refused(
        format!("lets {} choose the hosts, and cannot keep executors apart", ground.manager.word()),
        "remove `spread`",
        "spark-dcos §2.3",
    )
}

/// Something that roles have in different ways, and executors only in one.
pub fn alike(what: &str) -> Answer<Means> {
    Answer::refused(
        format!("has one kind of executor for all roles, so {what} cannot differ"),
        "write the same in every role, or in the job",
        "spark-dcos §1.8: homogeneous executors",
    )
}

/// Labels that Spark gives its pods (`KubernetesConf`, `Constants`).
const RESERVED: [&str; 7] = [
    "spark-app-name",
    "spark-app-selector",
    "spark-exec-id",
    "spark-exec-inactive",
    "spark-exec-resourceprofile-id",
    "spark-role",
    "spark-version",
];

/// Why a job cannot give Spark's pods a label of that key.
pub fn reserved_label(key: &str) -> Option<String> {
    RESERVED.contains(&key).then(|| format!("Spark gives each pod its own label `{key}`"))
}

/// What keeps a pair from being a label of Kubernetes.
pub fn label_fault(key: &str, value: &str) -> Option<String> {
    let edge = |b: Option<u8>| b.is_some_and(|b| b.is_ascii_alphanumeric());
    let word = |text: &str| {
        let inner = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
        text.len() <= 63 && inner && edge(text.bytes().next()) && edge(text.bytes().last())
    };
    let (prefix, name) = key.split_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name));
    if !word(name) || prefix.is_some_and(|p| !crate::names::is_subdomain(p)) {
        return Some(format!("`{key}` is no key of a label"));
    }
    (!value.is_empty() && !word(value)).then(|| format!("`{value}` is no value of a label"))
}
