//! The answers of this target, by subject.
mod executable;
mod hidden;
pub mod life;
pub mod program;
pub mod resources;
mod secret;
mod sent;
pub mod storage;

pub use sent::{Case, clashes};

use super::means::Means;
use tfjob_lang::ask::Ask;
use tfjob_lang::plan::Place;
use tfjob_lang::target::Answer;

/// What Spark says to one ask.
#[expect(clippy::too_many_lines, reason = "a table: an ask, its answer")]
pub fn answer(ask: &Ask, case: &Case<'_>) -> Answer<Means> {
    let ground = &case.ground;
    match ask {
        Ask::JobName(name) => Answer::Native(Means::Name(name.clone())),
        Ask::Description(_) => Answer::Ignored("has no place for a description".to_owned()),
        Ask::Label { key, value } => program::label(ground, key, value),
        Ask::Framework { name, version, strategy: _ } => {
            program::framework(ground.plan, *name, version.as_ref())
        }
        Ask::Role { role, .. } | Ask::Evaluator { role } => resources::tasks(ground, *role),
        Ask::Helper { role, .. } => life::helper(resources::tasks(ground, *role)),
        Ask::Min { .. } => life::min(),
        Ask::Image { role, image } => program::image(ground, *role, image),
        Ask::NoImage { .. } => Answer::Native(Means::Inherent("the node's own software")),
        Ask::Pull { role, pull } => program::pull(ground, *role, *pull),
        Ask::PullSecret { role, name } => program::pull_secret(ground, *role, name),
        Ask::Run { argv, .. } => program::words(argv),
        Ask::Shell { .. } => Answer::Emulated(
            Means::ShimWords,
            "the shim gives the shell its references as variables".to_owned(),
        ),
        Ask::Workdir { path, .. } => program::words([path]),
        Ask::Env { name, value, .. } => program::variable(ground, name, value),
        Ask::SecretEnv { role, env, from, key } => {
            secret::secret(ground, (*role, env), (from, key.as_deref()), None)
        }
        Ask::SecretFile { role, env, from, key, at } => {
            secret::secret(ground, (*role, env), (from, key.as_deref()), Some(at))
        }
        Ask::User { .. } => program::user(),
        Ask::Cpus { milli, .. } => resources::cpus(ground, *milli),
        Ask::Memory { bytes, .. } => resources::memory(ground, *bytes),
        Ask::Gpus { role, .. } => Answer::Native(Means::Gpus(*role)),
        Ask::GpuModel { .. } => resources::gpu_kind("model"),
        Ask::GpuMemory { .. } => resources::gpu_kind("memory"),
        Ask::Disk { .. } => resources::disk(ground),
        Ask::SharedMemory { .. } => resources::shared_memory(ground),
        Ask::Device { name, .. } => resources::device(ground, name),
        Ask::Port { name, number, .. } => resources::port(ground, name, *number, ask),
        Ask::PortLink { .. } => Answer::Ignored("has no page that shows a task's port".to_owned()),
        Ask::Restart { role, after, restart } => life::restart(ground, *role, *after, restart),
        Ask::After { role, first, when } => life::after(*role, *first, *when),
        Ask::Ready { role, probe } => life::ready(ground, *role, probe),
        Ask::PlaceNode { role, key, value } => resources::node(ground, *role, key, value),
        Ask::PlacePartition { role, name } => resources::partition(ground, *role, name),
        Ask::PlaceSpread { .. } => resources::spread(ground),
        Ask::Code { uri, at, .. } => storage::code(case, uri, at.as_deref()),
        Ask::Stage { index, uri, at } => storage::stage(case, *index, uri, at.as_deref()),
        Ask::DataUri { index, uri, .. } => storage::address(ground, Place::Data(*index), uri),
        Ask::DataMount { index, uri, at, writable } => {
            storage::mounted(ground, Place::Data(*index), uri, at, *writable)
        }
        Ask::CheckpointsUri { uri } => storage::address(ground, Place::Checkpoints, uri),
        Ask::CheckpointsMount { uri, at } => storage::mounted(ground, Place::Checkpoints, uri, at, true),
        Ask::CheckpointsEvery { .. } => Answer::Native(Means::Inherent("the program's own promise")),
        Ask::CheckpointsFresh { mounted } => storage::fresh(ground, *mounted),
        Ask::Scratch { .. } => storage::scratch(ground),
        Ask::Done { role } => life::done(*role),
        Ask::Hadoop { home, java, conf } => Answer::Emulated(
            Means::Hadoop { home: home.clone(), java: java.clone(), conf: conf.clone() },
            "the shim sets Hadoop's environment for the program".to_owned(),
        ),
        Ask::Protocol(protocol) => program::protocol(*protocol),
        Ask::StartTimeout { seconds } => life::wait(ground, *seconds),
        Ask::Gang => {
            Answer::Native(Means::Inherent("TensorFlowOnSpark starts nothing before all executors are there"))
        }
        Ask::StopGrace { .. } => life::stop_grace(ground),
        Ask::Deadline { seconds } => life::deadline(*seconds),
        Ask::Success(success) => Answer::Native(Means::Success(*success)),
        Ask::EndOfJob => life::end_of_job(),
        Ask::Keep { what, seconds } => life::keep(ground, *what, *seconds),
        Ask::Tensorboard(_) => life::tensorboard(),
        Ask::HostNetwork => life::host_network(ground),
        Ask::Network(name) => life::network(ground, name),
        Ask::Kerberos { principal, keytab } => program::kerberos(ground, principal, keytab),
        Ask::Patch { .. } => Answer::impossible(
            "is given a script, which has no object to merge into",
            "write Spark's own settings: `conf { spark.driver.memory \"4g\" }`",
            "spark-dcos §2.1",
        ),
    }
}
