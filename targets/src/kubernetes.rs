//! Target `kubernetes`: a TFJob of Kubeflow's training-operator 1.9, and the objects that its Pods need.
mod context;
mod lower;
mod mechanism;
mod merged;
mod operator;
mod options;
mod pasted;
mod patched;
pub mod published;
mod queues;
mod reserve;
mod rules;
pub mod schema;
mod support;
mod updates;
mod view;

pub use options::{Gang, Options, RoleOptions, Toleration};

use crate::pod;
use crate::pod::lower::{HOOK_DELETE, WAVE};
use crate::pod::mechanism::HOSTNAME;
use crate::pod::rules::size;
use context::Context;
use mechanism::Mechanism;
use tfjob_lang::cluster::demand::Demand;
use tfjob_lang::cluster::words::{Use, Word};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::{Lowered, TaskView, TracedContract};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::Requirement;
use tfjob_lang::target::{Accepted, Pasted, Site, Support, SupportTable, Target, Updates};

/// Name of the manifest with the ConfigMap of the job. Each job with `argocd` has it.
pub const CONFIG_MAP: &str = "configmap.yaml";

/// Returns whether Argo CD deletes the objects of a job whose manifests are removed, if the application prunes. Argo CD does not delete
/// hooks. `has_annotation`: whether the ConfigMap of the job has an annotation.
#[must_use]
pub fn is_pruned_by_argo_cd(has_annotation: impl Fn(&str) -> bool) -> bool {
    has_annotation(WAVE) && !has_annotation(HOOK_DELETE)
}

/// A TFJob of Kubeflow's training-operator 1.9.
#[derive(Debug, Clone, Copy)]
pub struct Kubernetes;

impl Target for Kubernetes {
    const NAME: &'static str = "kubernetes";
    const NAMESPACE: Option<&'static str> = Some("namespace");
    const KEPT: &'static [&'static str] = &["restricted"];
    const ABOUT: &'static str = "a TFJob for Kubeflow's training-operator 1.9";
    const ALIASES: &'static [&'static str] =
        &["k8s", "kube", "kubeflow", "tfjob", "training-operator", "gke", "eks", "aks", "openshift"];
    const HOST: Option<&'static str> = Some(HOSTNAME);
    const PASTED: &'static [Pasted] = pasted::PASTED;
    const UPDATES: Updates = updates::UPDATES;
    type Options = Options;
    type RoleOptions = RoleOptions;
    type Mechanism = Mechanism;
    type Context<'a> = Context<'a>;

    fn cluster_field(word: Word, _options: &Options) -> Use {
        pod::cluster::cluster_field(word)
    }

    fn context<'a>(&self, plan: &'a Plan, site: &'a Site<Self>) -> Context<'a> {
        Context::new(plan, site)
    }

    fn support(&self, requirement: &Requirement, context: &Context<'_>) -> Support<Mechanism> {
        <Self as SupportTable>::lookup(requirement, context)
    }

    fn rules(&self, plan: &Plan, site: &Site<Self>) -> Vec<Diagnostic> {
        rules::judge(plan, site)
    }

    fn merged(&self, plan: &Plan, site: &Site<Self>, lowered: &Lowered) -> Vec<Diagnostic> {
        merged::faults(plan, site, lowered)
    }

    fn too_many(&self, job: &Accepted<'_, Self>) -> Option<Diagnostic> {
        let mounts = job.mechanisms().filter_map(|(at, mechanism)| Some((at, mechanism.mount()?)));
        size::too_many(&Context::new(job.plan, job.site).pod, mounts)
    }

    fn oversized(&self, job: &Accepted<'_, Self>) -> Vec<Diagnostic> {
        size::judge(&Context::new(job.plan, job.site).pod, || job.lowered(self))
    }

    fn reserves(&self, plan: &Plan, site: &Site<Self>, demand: Demand) -> Demand {
        reserve::reserves(plan, site, demand)
    }

    fn lower(&self, job: &Accepted<'_, Self>) -> Lowered {
        lower::lower(job)
    }

    fn contract(&self, job: &Accepted<'_, Self>) -> Option<TracedContract> {
        lower::contract(job)
    }

    fn view(&self, job: &Accepted<'_, Self>, role: RoleId, index: u32) -> TaskView {
        view::view(job.plan, job.lowered(self), role, index)
    }
}
