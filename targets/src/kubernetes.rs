//! Kubernetes: a TFJob of Kubeflow's training-operator 1.9, and what stands around it.
mod annotations;
mod answer;
mod expand;
mod grammar;
mod life;
mod lower;
mod means;
mod merged;
mod operator;
mod options;
mod pasted;
mod patched;
pub mod published;
mod quantity;
mod queues;
mod rules;
pub mod shape;
mod size;

pub use options::{Gang, Options, RoleOptions, Toleration};

use crate::patch::{self, Merged};
use answer::{Case, end, framework, place, resources, start, storage, task};
use means::Means;
use tfjob_lang::ask::Ask;
use tfjob_lang::cluster::demand::{Demand, Resource};
use tfjob_lang::cluster::words::{Use, Word};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::{Lowered, TaskView, TracedContract};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::target::{Accepted, Answer, Pasted, Site, Target};

/// What kube-scheduler reads of a Pod, and the number of Pods.
const SCHEDULED: [&str; 12] = [
    "affinity",
    "hostNetwork",
    "hostPort",
    "nodeName",
    "nodeSelector",
    "overhead",
    "replicas",
    "resourceClaims",
    "resources",
    "runtimeClassName",
    "schedulerName",
    "topologySpreadConstraints",
];

/// A TFJob of Kubeflow's training-operator 1.9.
#[derive(Debug, Clone, Copy)]
pub struct Kubernetes;

impl Target for Kubernetes {
    const NAME: &'static str = "kubernetes";
    const ABOUT: &'static str = "a TFJob for Kubeflow's training-operator 1.9";
    const ALSO: &'static [&'static str] =
        &["k8s", "kube", "kubeflow", "tfjob", "training-operator", "gke", "eks", "aks", "openshift"];
    const HOST: Option<&'static str> = Some(answer::board::HOSTNAME);
    const PASTED: &'static [Pasted] = pasted::PASTED;
    type Options = Options;
    type RoleOptions = RoleOptions;
    type Means = Means;
    type Case<'a> = Case<'a>;

    fn site_word(word: Word, _options: &Options) -> Use {
        match word {
            Word::DnsDomain => Use::Idle("has no use for `dns-domain`"),
            Word::MemoryStep => {
                Use::Idle("gives a container exactly the memory that it requests, in no steps")
            }
            Word::Partition | Word::QueuePartition => Use::Idle("has no partitions of nodes"),
            Word::GpuModel
            | Word::GpuMemory
            | Word::Disk
            | Word::SharedMemory
            | Word::Device
            | Word::Attribute
            | Word::Queue
            | Word::Registry
            | Word::Shared
            | Word::Grace => Use::Checked,
        }
    }

    fn case<'a>(&self, plan: &'a Plan, site: &'a Site<Self>) -> Case<'a> {
        Case::new(plan, site)
    }

    #[expect(clippy::too_many_lines, reason = "one line an ask")]
    fn answer(&self, ask: &Ask, case: &Case<'_>) -> Answer<Means> {
        match ask {
            Ask::JobName(name) => framework::job_name(case, name),
            Ask::Description(words) => framework::description(words),
            Ask::Label { key, value } => framework::label(key, value),
            Ask::Framework { name, version: _, strategy: _ } => framework::framework(case, *name),
            Ask::Role { role, count } => framework::role(case, *role, *count),
            Ask::Evaluator { role } => Answer::Native(Means::Replicas { role: *role, count: 1 }),
            Ask::Helper { role, count } => framework::helper(case, *role, *count),
            Ask::Min { role, min } => framework::min(case, *role, *min),
            Ask::Protocol(protocol) => framework::protocol(*protocol),
            Ask::Image { role, image } => task::image(*role, image),
            Ask::NoImage { role } => task::no_image(case, *role),
            Ask::Pull { role, pull } => task::pull(*role, *pull),
            Ask::PullSecret { role, name } => task::pull_secret(*role, name),
            Ask::Run { role, argv } => task::run(case, *role, argv),
            Ask::Shell { role, text } => task::shell(case, *role, text),
            Ask::Workdir { role, path } => task::workdir(case, *role, path),
            Ask::Env { role, name, value } => task::env(case, *role, name, value),
            Ask::SecretEnv { role, env, from, key } => task::secret_env(*role, env, from, key.as_deref()),
            Ask::SecretFile { role, env, from, key, at } => {
                task::secret_file(case, *role, (env, from, key.as_deref()), at)
            }
            Ask::User { role, user } => task::user(case, *role, user),
            Ask::Cpus { role, milli } => resources::cpus(*role, *milli),
            Ask::Memory { role, bytes } => resources::memory(*role, *bytes),
            Ask::Gpus { role, count } => resources::gpus(case, *role, *count),
            Ask::GpuModel { role, model } => resources::gpu_model(case, *role, model),
            Ask::GpuMemory { role, bytes } => resources::gpu_memory(case, *role, *bytes),
            Ask::Disk { role, bytes } => resources::disk(*role, *bytes),
            Ask::SharedMemory { role, bytes } => resources::shared_memory(case, *role, *bytes),
            Ask::Device { role, name, count } => resources::device(case, *role, name, *count),
            Ask::Scratch { role } => Answer::Native(Means::Scratch { role: *role }),
            Ask::Done { role } => start::done(*role),
            Ask::Port { role, name, number } => start::port(case, *role, name, *number),
            Ask::PortLink { role: _, name, link: _ } => start::port_link(name),
            Ask::Restart { role, after, restart } => end::restart(case, *role, *after, restart),
            Ask::After { role, first, when } => start::after(case.plan, *role, *first, *when),
            Ask::Ready { role, probe } => start::ready(case, *role, probe),
            Ask::StartTimeout { seconds } => start::timeout(case, *seconds),
            Ask::Gang => start::gang(case),
            Ask::PlaceNode { role, key, value } => place::node(case, *role, key, value),
            Ask::PlacePartition { role: _, name: _ } => place::partition(),
            Ask::PlaceSpread { role, spread } => place::spread(case, *role, *spread),
            Ask::HostNetwork => place::host_network(case),
            Ask::Network(_) => place::network(),
            Ask::Code { uri, reference, at } => storage::code(case, uri, reference.as_deref(), at.as_deref()),
            Ask::Stage { index, uri, at } => storage::stage(case, *index, uri, at.as_deref()),
            Ask::DataUri { index, uri, writable: _ } => storage::data_uri(case, *index, uri),
            Ask::DataMount { index, uri, at, writable } => storage::data(case, *index, uri, at, *writable),
            Ask::CheckpointsUri { uri } => storage::checkpoints_uri(uri),
            Ask::CheckpointsMount { uri, at } => storage::checkpoints(case, uri, at),
            Ask::CheckpointsEvery { seconds } => storage::every(case, *seconds),
            Ask::CheckpointsFresh { mounted } => storage::fresh(case, *mounted),
            Ask::Hadoop { home, java, conf } => task::hadoop(home, java, conf.as_deref()),
            Ask::StopGrace { seconds } => end::grace(*seconds),
            Ask::Deadline { seconds } => end::deadline(case, *seconds),
            Ask::Success(success) => end::success(case, *success),
            Ask::EndOfJob => Answer::Native(Means::Stop),
            Ask::Keep { what, seconds } => end::keep(case, *what, *seconds),
            Ask::Tensorboard(board) => answer::board::tensorboard(case, board),
            Ask::Kerberos { principal: _, keytab: _ } => task::kerberos(),
            Ask::Patch { target: _, role, text } => {
                Answer::Native(Means::Patch { role: *role, text: text.clone() })
            }
        }
    }

    fn rules(&self, plan: &Plan, site: &Site<Self>) -> Vec<Diagnostic> {
        rules::judge(plan, site)
    }

    fn merged(&self, plan: &Plan, site: &Site<Self>, lowered: &Lowered) -> Vec<Diagnostic> {
        let Some(document) = lowered.artefacts.first().and_then(|a| a.documents.first()) else {
            return Vec::new();
        };
        let mut document = Merged::sparing(Self::NAME, plan, document, merged::spared);
        merged::judge(&Case::new(plan, site), lowered, &mut document);
        document.done()
    }

    fn too_many(&self, job: &Accepted<'_, Self>) -> Option<Diagnostic> {
        size::too_many(job)
    }

    fn oversized(&self, job: &Accepted<'_, Self>) -> Vec<Diagnostic> {
        size::judge(job)
    }

    fn reserves(&self, plan: &Plan, site: &Site<Self>, mut demand: Demand) -> Demand {
        demand.gpu_device = Some(site.job.gpu_resource().to_owned());
        if let Some(label) = &site.job.gpu_model_label {
            demand.mark_models(label.value.as_str(), |model| site.job.gpu_model(model).to_owned());
        }
        demand.uncounted = patch::uncounted(plan, Self::NAME, &SCHEDULED);
        let (queue, queues) = queues::of(plan, &site.job);
        (demand.queue, demand.queues) = (queue, Some(queues));
        // Racks of one host each need no attribute.
        let rack = site.job.rack_label.as_ref().map(|label| label.value.to_string());
        demand.rack = rack.filter(|label| label != answer::board::HOSTNAME);
        for role in 0..plan.roles.len() {
            let at = plan.roles[role].name.span;
            let idle = life::idle_port(plan, role).map(|port| (Resource::Port(port), 1, at));
            demand.crews[role].needs.extend(idle);
        }
        // Its Deployment is no part of the TFJob, which alone is in the queue.
        demand.crews[plan.roles.len()..].iter_mut().for_each(|crew| crew.queued = false);
        demand
    }

    fn lower(&self, job: &Accepted<'_, Self>) -> Lowered {
        lower::lower(job)
    }

    fn contract(&self, job: &Accepted<'_, Self>) -> Option<TracedContract> {
        lower::contract(job)
    }

    fn view(&self, job: &Accepted<'_, Self>, role: RoleId, index: u32) -> TaskView {
        operator::view(job.plan, job.lowered(self), role, index)
    }
}
