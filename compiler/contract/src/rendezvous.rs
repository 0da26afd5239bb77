//! Rendezvous variables of each framework.
use crate::peers::{Found, Place};
use crate::{Contract, Failure, FrameworkName, Machine, RENDEZVOUS, Role, TaskId, TfConfig, tf_config};
use std::collections::BTreeMap;

/// Variables, in the order in which they are set.
pub(crate) type Variables = Vec<(&'static str, String)>;

/// Returns the variables of a task; none for a helper.
pub(crate) fn variables(
    contract: &Contract,
    task: &TaskId,
    role: &Role,
    found: &Found<'_>,
    machine: &mut dyn Machine,
) -> Result<Variables, Failure> {
    if !role.kind.joins_rendezvous() {
        return Ok(Vec::new());
    }
    let ranks = Ranks::of(contract, task);
    match contract.framework.name {
        FrameworkName::Caffe | FrameworkName::Custom => Ok(Vec::new()),
        FrameworkName::Tensorflow => tensorflow(contract, task, role, found),
        FrameworkName::Pytorch => {
            let leader = ranks.leader(found, machine)?;
            Ok(pytorch(&ranks, &leader))
        }
        FrameworkName::Xgboost => {
            let leader = ranks.leader(found, machine)?;
            let mut variables = pytorch(&ranks, &leader);
            variables.extend(tracker(&ranks, &leader));
            Ok(variables)
        }
        FrameworkName::Mxnet => mxnet(contract, role, &ranks, found, machine),
        FrameworkName::Horovod => horovod(task, role, &ranks, found, machine),
    }
}

fn tensorflow(
    contract: &Contract,
    task: &TaskId,
    reader: &Role,
    found: &Found<'_>,
) -> Result<Variables, Failure> {
    let roles = tf_config::cluster(contract, reader);
    if roles.is_empty() {
        return Ok(Vec::new());
    }
    // Checks that the task has an address. With an index beyond the list of addresses, TensorFlow would fail much later, with a
    // less clear message.
    found.place(reader, task.index)?;
    let mut cluster = BTreeMap::new();
    for role in roles {
        cluster.insert(role.name.clone(), found.addresses(role)?);
    }
    Ok(vec![("TF_CONFIG", TfConfig { cluster, task: task.clone() }.text())])
}

/// Ranks of the tasks: by the role order of the framework, then by index.
struct Ranks<'c> {
    first: Option<&'c Role>,
    rank: u64,
    world: u64,
}

impl<'c> Ranks<'c> {
    fn of(contract: &'c Contract, task: &TaskId) -> Self {
        let mut ranks = Self { first: None, rank: u64::from(task.index), world: 0 };
        for kind in contract.framework.name.roles() {
            let Some(role) = contract.role_named(kind.keyword()).filter(|role| role.kind.is_peer()) else {
                continue;
            };
            if role.name == task.role {
                ranks.rank += ranks.world;
            }
            ranks.first = ranks.first.or(Some(role));
            ranks.world += u64::from(role.count);
        }
        ranks
    }

    /// Returns the address of the task of rank 0. A single task uses localhost.
    fn leader(&self, found: &Found<'_>, machine: &mut dyn Machine) -> Result<Place, Failure> {
        let first = self.first.ok_or_else(|| {
            Failure::Contract(
                "the job contract has no role of the framework, so no task can have rank 0".to_owned(),
            )
        })?;
        match found {
            Found::Alone if self.world == 1 => {
                let port = match first.port {
                    0 => machine.free_port(RENDEZVOUS).map_err(Failure::Machine)?,
                    port => port.to_string(),
                };
                Ok(Place { host: "localhost".to_owned(), port })
            }
            Found::Template(_) | Found::Given { .. } | Found::Alone => found.place(first, 0),
        }
    }
}

/// Returns the variables of `init_method="env://"`. There is one rank per task, not per GPU: a program that needs one process per
/// GPU starts them itself (`torchrun --nnodes=$WORLD_SIZE --node-rank=$RANK …`).
fn pytorch(ranks: &Ranks<'_>, leader: &Place) -> Variables {
    vec![
        ("MASTER_ADDR", leader.host.clone()),
        ("MASTER_PORT", leader.port.clone()),
        ("RANK", ranks.rank.to_string()),
        ("WORLD_SIZE", ranks.world.to_string()),
    ]
}

/// Returns the variables of `xgboost.rabit` and `xgboost.collective`. The program of rank 0 starts the tracker.
fn tracker(ranks: &Ranks<'_>, leader: &Place) -> Variables {
    vec![
        ("DMLC_TRACKER_URI", leader.host.clone()),
        ("DMLC_TRACKER_PORT", leader.port.clone()),
        ("DMLC_TASK_ID", ranks.rank.to_string()),
        ("DMLC_NUM_WORKER", ranks.world.to_string()),
    ]
}

/// Returns the variables of ps-lite. A job with one task has none, because its `kvstore` is local.
fn mxnet(
    contract: &Contract,
    role: &Role,
    ranks: &Ranks<'_>,
    found: &Found<'_>,
    machine: &mut dyn Machine,
) -> Result<Variables, Failure> {
    if ranks.world <= 1 {
        return Ok(Vec::new());
    }
    let count = |name| contract.role_named(name).map_or(0, |role| role.count).to_string();
    let root = ranks.leader(found, machine)?;
    Ok(vec![
        ("DMLC_ROLE", role.name.clone()),
        ("DMLC_PS_ROOT_URI", root.host),
        ("DMLC_PS_ROOT_PORT", root.port),
        ("DMLC_NUM_SERVER", count("server")),
        ("DMLC_NUM_WORKER", count("worker")),
    ])
}

/// Returns the variables of the Gloo controller of Horovod, with one rank per task. Without a rendezvous address, Horovod runs as
/// one process. With a rendezvous address, the program of worker 0 must run the server
/// (`horovod.runner.http.http_server.RendezvousServer`).
fn horovod(
    task: &TaskId,
    role: &Role,
    ranks: &Ranks<'_>,
    found: &Found<'_>,
    machine: &mut dyn Machine,
) -> Result<Variables, Failure> {
    let (rank, size) = (ranks.rank.to_string(), ranks.world.to_string());
    let mut variables = vec![
        ("HOROVOD_RANK", rank.clone()),
        ("HOROVOD_SIZE", size.clone()),
        ("HOROVOD_LOCAL_RANK", "0".to_owned()),
        ("HOROVOD_LOCAL_SIZE", "1".to_owned()),
        ("HOROVOD_CROSS_RANK", rank),
        ("HOROVOD_CROSS_SIZE", size),
        ("HOROVOD_CONTROLLER", "gloo".to_owned()),
        ("HOROVOD_CPU_OPERATIONS", "gloo".to_owned()),
    ];
    if ranks.world > 1 {
        let leader = ranks.leader(found, machine)?;
        variables.push(("HOROVOD_HOSTNAME", found.host(role, task.index)?));
        variables.push(("HOROVOD_GLOO_RENDEZVOUS_ADDR", leader.host));
        variables.push(("HOROVOD_GLOO_RENDEZVOUS_PORT", leader.port));
    }
    Ok(variables)
}
