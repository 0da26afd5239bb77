//! What one task gets: image, secrets, account, resources, place.
use super::command::{is_for_the_program, is_of_the_shell};
use super::{Given, Means, attribute, fetch};
use crate::dcos::amounts::whole_mebibytes;
use crate::dcos::group::group_path;
use crate::dcos::{Dcos, attributes, secrets};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::spec::{Pull, User};
use tfjob_lang::target::{Answer, Site};

/// What sets a variable of each task, so that the job cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setter {
    /// The shell that starts the program.
    Shell,
    /// The agent, by which the command finds the sandbox and its ports.
    Agent,
}

/// `HOST`, `PORTS` and ports that the command does not read are the job's where it says so: the app's own variables come
/// last (Marathon, `TaskBuilder.commandInfo`).
pub(super) fn setter(role: RoleId, name: &str, plan: &Plan) -> Option<Setter> {
    if is_of_the_shell(name) {
        return Some(Setter::Shell);
    }
    let agents = ["MESOS_", "LIBPROCESS_", "MARATHON_"].iter().any(|prefix| name.starts_with(prefix));
    let number = name.strip_prefix("PORT").filter(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    let picked = plan.roles[role].ports.iter().any(|port| port.number.is_none());
    (agents || number.is_some() && picked).then_some(Setter::Agent)
}

/// A variable: the agent's own and the ports that the command reads are not for the job to set.
pub(super) fn variable(role: RoleId, name: &str, plan: &Plan) -> Option<Given> {
    Some(match setter(role, name, plan)? {
        Setter::Shell => Answer::impossible(
            format!(
                "starts the program by the image's `sh`, which may be bash, and bash sets `{name}` itself"
            ),
            "another name",
            "bash(1), Shell Variables",
        ),
        Setter::Agent => Answer::impossible(
            format!("tells each task of itself in `{name}`, and the task's command reads such variables"),
            "another name",
            "spark-dcos §3.6",
        ),
    })
}

/// A variable that holds a secret or its path: the app has it, and not the command behind the shell.
pub(super) fn secret_variable(role: RoleId, name: &str, plan: &Plan) -> Option<Given> {
    variable(role, name, plan).or_else(|| {
        is_for_the_program(name).then(|| {
            Answer::impossible(
                format!("gives a secret to the shell that starts the program, and `{name}` is the shell's own variable or steers it"),
                "another name",
                "dash(1) and bash(1), Shell Variables",
            )
        })
    })
}

pub(super) fn pull(role: RoleId, pull: Pull) -> Given {
    match pull {
        Pull::Missing => Answer::Native(Means::Inherent("agents keep the images they have")),
        Pull::Always => Answer::Native(Means::ForcePull { role }),
        Pull::Never => Answer::refused(
            "pulls an image that the agent does not have",
            "remove `pull`, or write `pull=\"missing\"`",
            "spark-dcos §3.6",
        ),
    }
}

pub(super) fn pull_secret(role: RoleId, name: &str, plan: &Plan, site: &Site<Dcos>) -> Given {
    secret(name, None, plan, site, |source| Means::PullSecret { role, source })
}

/// The path of a secret says who may read it: a folder opens it to the services below that folder only.
pub(super) fn secret(
    from: &str,
    key: Option<&str>,
    plan: &Plan,
    site: &Site<Dcos>,
    means: impl FnOnce(String) -> Means,
) -> Given {
    let service = group_path(plan, site);
    if let Some(refused) = secrets::refused(from, key, &service, plan, &site.job) {
        return refused;
    }
    let path = from.trim_start_matches('/');
    Answer::Native(means(path.to_owned()))
}

/// At an absolute path only inside an image (Mesos, `isolators/volume/secret.cpp`).
pub(super) fn secret_file(
    role: RoleId,
    (env, at): (&str, &str),
    from: &str,
    key: Option<&str>,
    plan: &Plan,
    site: &Site<Dcos>,
) -> Given {
    if plan.roles[role].image.is_none() {
        return Answer::impossible(
            "puts a secret at a path of its own only inside an image",
            "name an `image`, or leave `at` out: then the variable holds the value",
            "Mesos, isolators/volume/secret.cpp",
        );
    }
    if let Some(why) = fetch::secret_fault(at, plan) {
        return Answer::impossible(
            why,
            "another path, such as `at=\"/run/secrets/key\"`",
            "Mesos, isolators/volume/secret.cpp",
        );
    }
    secret(from, key, plan, site, |source| Means::SecretFile {
        role,
        env: env.to_owned(),
        source,
        at: at.to_owned(),
    })
}

pub(super) fn user(role: RoleId, user: &User) -> Given {
    match user {
        User::Name(name) => Answer::Native(Means::User { role, name: name.clone() }),
        User::Number(number) => Answer::impossible(
            format!("looks a user up by name on the agent, and `{number}` is a number"),
            "write the name of an account that every agent has",
            "spark-dcos §3.6",
        ),
    }
}

/// `IS` came with Marathon 1.6; `CLUSTER` with a value says the same of an app with one task.
pub(super) fn node(role: RoleId, (key, value): (&str, &str), plan: &Plan, site: &Site<Dcos>) -> Given {
    attributes::refused(role, (key, value), plan, site).unwrap_or_else(|| {
        Answer::Native(Means::Constraint { role, words: attribute::constraint(key, value, site) })
    })
}

pub(super) fn partition() -> Given {
    Answer::refused(
        "has no partitions of nodes",
        "write `place { node \"ATTRIBUTE\" \"VALUE\" }` with an attribute that marks those nodes",
        "spark-dcos §3.6",
    )
}

/// The agent's driver is in the container only where the image says so (Mesos, `NvidiaVolume::shouldInject`: since 1.8 also by
/// a variable of the image; one of the app does not count).
pub(super) fn gpus(role: RoleId, count: u32, plan: &Plan, site: &Site<Dcos>) -> Given {
    let means = Means::Gpus { role, count };
    if plan.roles[role].image.is_none() {
        return Answer::Native(means);
    }
    let how = if site.job.is_since((1, 13)) {
        "Mesos mounts the agent's NVIDIA driver only into an image with the label `com.nvidia.volumes.needed` or with `NVIDIA_VISIBLE_DEVICES` in its own environment"
    } else {
        "before version 1.13 Mesos mounts the agent's NVIDIA driver only into an image with the label `com.nvidia.volumes.needed`"
    };
    Answer::Emulated(means, how.to_owned())
}

pub(super) fn gpu_model(role: RoleId, model: &str, plan: &Plan, site: &Site<Dcos>) -> Given {
    match &site.job.gpu_model_attribute {
        Some(attribute) => node(role, (attribute.value.as_str(), model), plan, site),
        None => Answer::refused(
            "does not know the models of its GPUs",
            "name the agents' attribute that holds it: `gpu-model-attribute \"gpu\"` in `target \"dcos\"`",
            "spark-dcos §3.6",
        ),
    }
}

pub(super) fn gpu_memory() -> Given {
    Answer::refused(
        "does not know the memory of its GPUs",
        "remove `gpu-memory`, and write `place { node \"ATTRIBUTE\" \"VALUE\" }` with an attribute that marks such nodes",
        "spark-dcos §3.6",
    )
}

pub(super) fn shared_memory(role: RoleId, bytes: u64, plan: &Plan, site: &Site<Dcos>) -> Given {
    let memory = plan.roles[role].resources.memory.value;
    let late = !site.job.is_since((2, 1));
    let since = "add `version \"2.1\"` to `target \"dcos\"` if the cluster is that new";
    if bytes > memory {
        let less = format!("write `shared-memory=\"{}MiB\"` or less, which is `memory`", memory >> 20);
        return Answer::refused(
            "counts shared memory as the task's memory, and this is more than all of it",
            if late { format!("{less}; and {since}") } else { less },
            "Linux, Documentation/admin-guide/cgroup-v1/memory.rst: tmpfs is charged to its cgroup",
        );
    }
    if late {
        return Answer::refused(
            "can size `/dev/shm` only since version 2.1",
            since,
            "Marathon's changelog, 1.9.73",
        );
    }
    whole_mebibytes(bytes, |mebibytes| Means::SharedMemory { role, mebibytes })
}

pub(super) fn device(name: &str) -> Given {
    Answer::refused(
        format!("counts cores, memory, disk and GPUs, and no `{name}`"),
        "remove `device`, mark the nodes with an attribute, and write `place { node \"ATTRIBUTE\" \"VALUE\" }`",
        "spark-dcos §3.6",
    )
}

pub(super) fn kerberos() -> Given {
    Answer::refused(
        "gives Marathon's apps no Kerberos ticket",
        "let the program run `kinit` with a keytab from `secret`, or use the package",
        "spark-dcos §3.6",
    )
}
