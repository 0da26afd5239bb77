//! Hadoop YARN services, 3.1 to 3.4: a Yarnfile and the commands that launch it.
mod answer;
mod board;
mod case;
mod command;
mod component;
mod layout;
mod lower;
mod means;
mod merged;
mod options;
mod pasted;
mod patched;
mod ports;
mod release;
mod reserve;
mod rules;
mod shape;
mod steps;
mod text;
mod variables;
mod view;

pub use means::{Duty, Means};
pub use options::{Options, RoleOptions};

use crate::containers;
use crate::patch::{self, Merged};
use answer::{
    board as tensorboard, end, framework, inherent, network, place, resources, restart, start, storage, task,
};
use case::Case;
use tfjob_lang::ask::Ask;
use tfjob_lang::cluster::demand::Demand;
use tfjob_lang::cluster::words::{Use, Word};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::{Lowered, TaskView, TracedContract};
use tfjob_lang::plan::{Place, Plan, RoleId};
use tfjob_lang::target::{Accepted, Answer, Pasted, Site, Target};

/// What the resource manager reads of a component.
const SCHEDULED: [&str; 3] = ["number_of_containers", "placement_policy", "resource"];

/// A service of Hadoop YARN.
#[derive(Debug, Clone, Copy)]
pub struct Yarn;

impl Target for Yarn {
    const NAME: &'static str = "yarn";
    const ABOUT: &'static str = "a Hadoop YARN service, 3.1 to 3.4";
    const ALSO: &'static [&'static str] = &["hadoop", "submarine", "emr"];
    const PASTED: &'static [Pasted] = pasted::PASTED;
    type Options = Options;
    type RoleOptions = RoleOptions;
    type Means = Means;
    type Case<'a> = Case<'a>;

    fn site_word(word: Word, _options: &Options) -> Use {
        match word {
            Word::DnsDomain => Use::Option("dns-domain"),
            Word::Grace => Use::Option("kill-delay"),
            Word::GpuMemory | Word::Disk => Use::Refused,
            Word::GpuModel
            | Word::SharedMemory
            | Word::Partition
            | Word::Device
            | Word::Attribute
            | Word::Queue
            | Word::QueuePartition
            | Word::Registry
            | Word::Shared
            | Word::MemoryStep => Use::Checked,
        }
    }

    fn case<'a>(&self, plan: &'a Plan, site: &'a Site<Self>) -> Case<'a> {
        Case::new(plan, site)
    }

    #[expect(clippy::too_many_lines, reason = "one line an ask")]
    fn answer(&self, ask: &Ask, case: &Case<'_>) -> Answer<Means> {
        match ask {
            Ask::JobName(name) => framework::name(case, name),
            Ask::Description(words) => Answer::Native(Means::Description(words.clone())),
            Ask::Label { key, value: _ } => framework::label(key),
            Ask::Framework { name, version: _, strategy: _ } => framework::framework(case, *name),
            Ask::Role { role, count } | Ask::Helper { role, count } => framework::role(case, *role, *count),
            Ask::Evaluator { role } => framework::role(case, *role, 1),
            Ask::Min { role: _, min } => framework::min(*min),
            Ask::Image { role, image } => task::image(case, *role, image),
            Ask::NoImage { role: _ } => inherent("the program of the node itself"),
            Ask::Pull { role: _, pull } => task::pull(*pull),
            Ask::PullSecret { role: _, name } => task::pull_secret(case, name),
            Ask::Run { role, argv } => task::run(case, *role, argv),
            Ask::Shell { role, text } => task::shell(case, *role, text),
            Ask::Workdir { role, path } => task::workdir(case, *role, path),
            Ask::Env { role, name, value } => task::env(case, *role, name, value),
            Ask::SecretEnv { role: _, env, from: _, key: _ } => task::secret_env(env),
            Ask::SecretFile { role: _, env: _, from: _, key: _, at: _ } => task::secret_file(),
            Ask::User { role: _, user } => task::user(user),
            Ask::Cpus { role, milli } => resources::cpus(*role, *milli),
            Ask::Memory { role, bytes } => resources::memory(*role, *bytes),
            Ask::Gpus { role, count } => resources::gpus(*role, *count),
            Ask::GpuModel { role, model } => resources::gpu_model(case, *role, model),
            Ask::GpuMemory { role: _, bytes: _ } => resources::gpu_memory(),
            Ask::Disk { role: _, bytes: _ } => resources::disk(),
            Ask::SharedMemory { role, bytes } => resources::shared_memory(case, *role, *bytes),
            Ask::Device { role, name, count } => resources::device(*role, name, *count),
            Ask::Port { role: _, name, number } => network::port(name, *number),
            Ask::PortLink { role, name, link } => network::link(case, *role, name, link),
            Ask::Restart { role, after, restart: terms } => restart::restart(case, *role, *after, terms),
            Ask::After { role, first, when } => start::after(case, *role, *first, *when),
            Ask::Ready { role, probe } => start::ready(case, *role, probe),
            Ask::PlaceNode { role, key, value } => place::attribute(case, *role, key, value),
            Ask::PlacePartition { role: _, name } => place::partition(name),
            Ask::PlaceSpread { role, spread } => place::spread(case, *role, *spread),
            Ask::Code { uri, reference, at } => storage::code(case, uri, reference.as_deref(), at.as_deref()),
            Ask::Stage { index, uri, at } => storage::stage(case, *index, uri, at.as_deref()),
            Ask::DataUri { index, uri, writable: _ } => storage::uri(case, Place::Data(*index), uri),
            Ask::DataMount { index, uri, at, writable } => {
                storage::at(case, Place::Data(*index), uri, at, *writable)
            }
            Ask::CheckpointsUri { uri } => storage::uri(case, Place::Checkpoints, uri),
            Ask::CheckpointsMount { uri, at } => storage::at(case, Place::Checkpoints, uri, at, true),
            Ask::CheckpointsEvery { seconds } => storage::every(case, *seconds),
            Ask::CheckpointsFresh { mounted } => storage::fresh(case, *mounted),
            Ask::Scratch { role } => Answer::Native(Means::Scratch { role: *role }),
            Ask::Done { role } => start::done(*role),
            Ask::Hadoop { home, java, conf } => task::hadoop(home, java, conf.as_deref()),
            Ask::Protocol(_) => framework::protocol(),
            Ask::StartTimeout { seconds } => start::timeout(case, *seconds),
            Ask::Gang => start::gang(case),
            Ask::StopGrace { seconds } => end::grace(case, *seconds),
            Ask::Deadline { seconds } => end::deadline(*seconds),
            Ask::Success(success) => end::success(case, *success),
            Ask::EndOfJob => end::end_of_job(case),
            Ask::Keep { what, seconds } => end::keep(case, *what, *seconds),
            Ask::Tensorboard(board) => tensorboard::tensorboard(case, board),
            Ask::HostNetwork => network::host(case),
            Ask::Network(name) => network::network(case, name),
            Ask::Kerberos { principal, keytab } => task::kerberos(case, principal, keytab),
            Ask::Patch { target: _, role, text } => {
                Answer::Native(Means::Patch { role: *role, text: text.clone() })
            }
        }
    }

    fn rules(&self, plan: &Plan, site: &Site<Self>) -> Vec<Diagnostic> {
        rules::judge(plan, site)
    }

    fn reserves(&self, plan: &Plan, site: &Site<Self>, mut demand: Demand) -> Demand {
        containers::schedule(&mut demand);
        if let Some(attribute) = &site.job.gpu_attribute {
            demand.mark_models(attribute.value.as_str(), str::to_owned);
        }
        demand.gpu_device = Some("yarn.io/gpu".to_owned());
        demand.crews.push(reserve::master(plan));
        demand.queue = reserve::queue(plan);
        demand.uncounted = patch::uncounted(plan, Self::NAME, &SCHEDULED);
        demand
    }

    fn merged(&self, plan: &Plan, site: &Site<Self>, lowered: &Lowered) -> Vec<Diagnostic> {
        let Some(document) = lowered.artefacts.first().and_then(|a| a.documents.first()) else {
            return Vec::new();
        };
        let mut document = Merged::new(Self::NAME, plan, document);
        merged::judge(&Case::new(plan, site), lowered, &mut document);
        document.done()
    }

    fn lower(&self, job: &Accepted<'_, Self>) -> Lowered {
        lower::lower(job)
    }

    fn contract(&self, job: &Accepted<'_, Self>) -> Option<TracedContract> {
        lower::contract(job)
    }

    fn view(&self, job: &Accepted<'_, Self>, role: RoleId, index: u32) -> TaskView {
        view::view(job, role, index)
    }
}
