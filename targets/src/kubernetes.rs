//! Kubernetes: a TFJob of Kubeflow's training-operator 1.9, and what stands around it.
mod annotations;
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
mod support;

pub use options::{Gang, Options, RoleOptions, Toleration};

use crate::patch::{self, Merged};
use means::Means;
use support::Context;
use tfjob_lang::ask::Ask;
use tfjob_lang::cluster::demand::{Demand, Resource};
use tfjob_lang::cluster::words::{Use, Word};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::{Lowered, TaskView, TracedContract};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::target::{Accepted, Answer, Pasted, Site, Support, Target};

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
    const HOST: Option<&'static str> = Some(support::board::HOSTNAME);
    const PASTED: &'static [Pasted] = pasted::PASTED;
    type Options = Options;
    type RoleOptions = RoleOptions;
    type Means = Means;
    type Context<'a> = Context<'a>;

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

    fn context<'a>(&self, plan: &'a Plan, site: &'a Site<Self>) -> Context<'a> {
        Context::new(plan, site)
    }

    fn answer(&self, ask: &Ask, case: &Context<'_>) -> Answer<Means> {
        <Self as Support>::answer(ask, case)
    }

    fn rules(&self, plan: &Plan, site: &Site<Self>) -> Vec<Diagnostic> {
        rules::judge(plan, site)
    }

    fn merged(&self, plan: &Plan, site: &Site<Self>, lowered: &Lowered) -> Vec<Diagnostic> {
        let Some(document) = lowered.artefacts.first().and_then(|a| a.documents.first()) else {
            return Vec::new();
        };
        let mut document = Merged::sparing(Self::NAME, plan, document, merged::spared);
        merged::judge(&Context::new(plan, site), lowered, &mut document);
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
        demand.rack = rack.filter(|label| label != support::board::HOSTNAME);
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
