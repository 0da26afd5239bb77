//! The answers of this target, by subject.
mod life;
mod program;
mod resources;
mod storage;

pub use life::BOARD;
pub use storage::state;

use super::means::{Duty, Means};
use tfjob_lang::ask::Ask;
use tfjob_lang::plan::{Place, Plan};
use tfjob_lang::target::Answer;

/// What this machine says to one ask.
#[expect(clippy::too_many_lines, reason = "a table: an ask, its answer")]
pub fn answer(ask: &Ask, plan: &Plan) -> Answer<Means> {
    match ask {
        Ask::JobName(name) => Answer::Native(Means::Name(name.clone())),
        Ask::Description(words) => Answer::Native(Means::Description(words.clone())),
        Ask::Label { key, value } => Answer::Native(Means::Label { key: key.clone(), value: value.clone() }),
        Ask::Framework { .. }
        | Ask::Run { .. }
        | Ask::Shell { .. }
        | Ask::Workdir { .. }
        | Ask::Env { .. } => Answer::Native(Means::Words),
        Ask::Role { role, .. } | Ask::Helper { role, .. } | Ask::Evaluator { role } => {
            Answer::Native(Means::Tasks(*role))
        }
        Ask::Min { min, .. } => life::min(*min),
        Ask::Image { image, .. } => program::image(image),
        Ask::NoImage { .. } => inherent("the software of this machine"),
        Ask::Pull { .. } => Answer::Ignored("pulls no image".to_owned()),
        Ask::PullSecret { .. } => Answer::Ignored("asks no registry".to_owned()),
        Ask::SecretEnv { role, env, from, key } => program::secret(plan, *role, env, (from, key.as_deref())),
        Ask::SecretFile { env, .. } => program::secret_file(env),
        Ask::User { user, .. } => program::user(user),
        Ask::Cpus { .. } | Ask::Memory { .. } | Ask::Disk { .. } | Ask::SharedMemory { .. } => {
            resources::shared()
        }
        Ask::Gpus { role, count } => Answer::Native(Means::Gpus(*role, *count)),
        Ask::GpuModel { .. } => resources::gpu_kind("model"),
        Ask::GpuMemory { .. } => resources::gpu_kind("memory"),
        Ask::Device { name, .. } => resources::device(name),
        Ask::Port { role, name, number } => resources::port(plan, *role, (name, *number), ask),
        Ask::PortLink { .. } => Answer::Ignored("has no page that shows a task's port".to_owned()),
        Ask::Restart { role, after, restart } => life::restart(plan, *role, *after, restart),
        Ask::After { role, first, when } => Answer::Native(Means::After(*role, *first, *when)),
        Ask::Ready { role, probe } => life::ready(plan, *role, probe),
        Ask::PlaceNode { .. } | Ask::PlacePartition { .. } | Ask::PlaceSpread { .. } => {
            Answer::Ignored("runs all tasks on one machine".to_owned())
        }
        Ask::Code { uri, at, .. } => storage::code(uri, at.as_deref()),
        Ask::Stage { index, uri, at } => storage::stage(*index, uri, at.as_deref()),
        Ask::DataUri { index, uri, .. } => storage::address(Place::Data(*index), uri),
        Ask::DataMount { index, uri, at, writable } => {
            storage::mounted(Place::Data(*index), uri, at, *writable)
        }
        Ask::CheckpointsUri { uri } => storage::address(Place::Checkpoints, uri),
        Ask::CheckpointsMount { uri, at } => storage::mounted(Place::Checkpoints, uri, at, true),
        Ask::CheckpointsEvery { seconds } => Answer::Native(Means::Duty(Duty::Every(*seconds))),
        Ask::CheckpointsFresh { .. } => storage::fresh(plan),
        Ask::Scratch { .. } => storage::scratch(),
        Ask::Done { role } => life::done(*role),
        Ask::Hadoop { home, java, conf } => program::hadoop(home, java, conf.as_deref()),
        Ask::Protocol(_) => inherent("how TensorFlow's tasks talk is their own affair"),
        Ask::StartTimeout { seconds } => life::wait(*seconds),
        Ask::Gang => inherent("a job whose ports or GPUs this machine does not have is not begun"),
        Ask::StopGrace { seconds } => life::grace(*seconds),
        Ask::Deadline { seconds } => life::deadline(*seconds),
        Ask::Success(success) => Answer::Native(Means::Success(*success)),
        Ask::EndOfJob => Answer::Native(Means::EndOfJob),
        Ask::Keep { .. } => inherent("folders of this machine stay as the tasks leave them"),
        Ask::Tensorboard(board) => life::tensorboard(plan, board),
        Ask::HostNetwork => inherent("tasks are processes of this machine"),
        Ask::Network(_) => Answer::Ignored("has the network of this machine alone".to_owned()),
        Ask::Kerberos { principal, keytab } => program::kerberos(principal, keytab),
        Ask::Patch { .. } => Answer::impossible(
            "starts processes, and has no object to merge into",
            "remove `patch`",
            "the job.json of this target",
        ),
    }
}

/// It is so by itself.
const fn inherent(why: &'static str) -> Answer<Means> {
    Answer::Native(Means::Inherent(why))
}
