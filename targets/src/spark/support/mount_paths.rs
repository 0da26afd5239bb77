//! Checks of mount paths in a container: a volume must not hide other files.
use super::resources::SCRATCH;
use crate::mounts::{is_directory, is_system};
use crate::spark::context::{Context, Manager};
use tfjob_lang::plan::{Part, Plan, Template};
use tfjob_lang::requirement::{Identity, Program, Requirement, Resources};

/// Paths at which Spark (`LocalDirsFeatureStep`) and the kubelet mount directories into each pod. If the job mounts a volume at a
/// parent directory of such a path, Spark or the kubelet creates a directory in the volume. This directory remains in the volume.
/// If the volume is read-only, the directory cannot be created.
const BELOW: [&str; 3] = [
    "/var/data/spark-0",
    "/var/run/secrets/kubernetes.io/serviceaccount",
    "/run/secrets/kubernetes.io/serviceaccount",
];

/// Returns why a volume cannot be mounted at a path, for example because it would hide files. `None` if it can be mounted. Mounts
/// of secrets are not considered.
pub fn hidden(context: &Context<'_>, at: &str) -> Option<&'static str> {
    let requirements = |wanted: fn(&Requirement) -> bool| {
        context.plan.requirements.iter().any(|required| wanted(&required.requirement))
    };
    let kubernetes = context.manager == Manager::Kubernetes;
    if is_system(at) || at == "/var" && !kubernetes {
        Some("a mount there would hide system files of the container")
    } else if kubernetes && BELOW.iter().any(|path| is_within(path, at)) {
        Some("Spark and Kubernetes mount their own directories below it")
    } else if kubernetes && is_spark(at) {
        Some("a mount there would hide the files of Spark")
    } else if at == "/dev/shm"
        && requirements(|requirement| {
            matches!(requirement, Requirement::Resources(Resources::SharedMemory { .. }))
        })
    {
        Some("`shared-memory` is mounted there")
    } else if at == SCRATCH
        && requirements(|requirement| matches!(requirement, Requirement::Resources(Resources::Disk { .. })))
    {
        Some("the volume of `disk` is mounted there")
    } else {
        None
    }
}

/// Returns whether the image probably has files at a path: a directory of the Filesystem Hierarchy Standard, or one that the job
/// uses.
pub fn covers(plan: &Plan, folder: &str) -> bool {
    let secret = |path: &str| {
        plan.requirements
            .iter()
            .any(|required| matches!(&required.requirement, Requirement::Identity(Identity::SecretFile { at, .. }) if at == path))
    };
    let named = |text: &str| {
        let words = text.split(|c: char| c.is_whitespace() || "\"'`=:,;()<>|&".contains(c));
        // A path that equals `folder` is no sign of a file in the image. By this path, the job may read the mounted secret itself,
        // such as a certificate.
        words.filter(|word| *word != folder && !secret(word)).any(|word| is_within(word, folder))
    };
    let template =
        |text: &Template| text.parts.iter().any(|part| matches!(part, Part::Text(text) if named(text)));
    is_directory(folder)
        || is_within(folder, "/usr")
        || plan.requirements.iter().any(|required| match &required.requirement {
            Requirement::Program(Program::Run { argv, .. }) => argv.iter().any(template),
            Requirement::Program(Program::Shell { text, .. }) => named(text),
            Requirement::Program(Program::Workdir { path, .. }) => {
                template(path) || matches!(&path.parts[..], [Part::Text(text)] if text == folder)
            }
            Requirement::Program(Program::Env { value, .. }) => template(value),
            Requirement::Program(Program::Hadoop { home, java, .. }) => named(home) || named(java),
            _ => false,
        })
}

/// Returns whether a mount at a path would hide programs of Spark's image, or the working directory of executors.
fn is_spark(at: &str) -> bool {
    let at = at.trim_end_matches('/');
    let Some(rest) = at.strip_prefix("/opt/spark") else { return at == "/opt" };
    let step = rest.strip_prefix('/').and_then(|rest| rest.split('/').next());
    matches!(rest, "" | "/work-dir")
        || step.is_some_and(|step| ["bin", "conf", "jars", "python", "sbin"].contains(&step))
}

fn is_within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder.trim_end_matches('/'))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
