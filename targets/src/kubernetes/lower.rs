//! Lowering to `tfjob.yaml`, `configmap.yaml` with the files of the Pods, and `tensorboard.yaml`.
mod comments;
mod job;

use super::context::Context;
use super::mechanism::Mechanism;
use super::schema::{ReplicaSpec, RestartPolicy, TfJob};
use super::{CONFIG_MAP, Kubernetes, operator};
use crate::pod::kustomization;
use crate::pod::lower::{Draft as Pods, flag, number, probes};
use crate::pod::schema::PodTemplate;
use crate::{patch, yaml};
use serde_json::Value;
use tfjob_lang::lowered::{Artifact, Lowered, TracedContract};
use tfjob_lang::origin::{Document, Traced, pointer_step};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::Success;
use tfjob_lang::target::Accepted;

/// Name of the rendezvous port in a container, by which the operator finds the port.
const PORT: &str = operator::PODS.rendezvous;
/// Restart policy of a role without `restart`.
const DEFAULT_POLICY: RestartPolicy = RestartPolicy::Never;

/// The TFJob and the objects that it needs, while they are built. Each mechanism adds its part.
struct Draft<'p> {
    plan: &'p Plan,
    options: &'p super::Options,
    pods: Pods<'p>,
    job: TfJob,
    /// `replicas` of each role.
    replicas: Vec<(u32, Span)>,
    /// `restartPolicy` of each role.
    policies: Vec<(RestartPolicy, Span)>,
    patches: Vec<(Option<RoleId>, String, Span)>,
    /// Span of the entry that requires the operator to delete the Pods that still run when the job ends.
    stop: Option<Span>,
    /// Whether workers continue after the chief has finished.
    go_on: bool,
    gang: Option<Span>,
}

/// Returns the artifacts of one job.
pub fn lower(job: &Accepted<'_, Kubernetes>) -> Lowered {
    Draft::of(job).finish()
}

/// Returns the contract, if the job needs the shim.
pub fn contract(job: &Accepted<'_, Kubernetes>) -> Option<TracedContract> {
    job.mechanisms().any(|(_, mechanism)| mechanism.is_shims()).then(|| Draft::of(job).contract())
}

impl<'p> Draft<'p> {
    fn of(job: &Accepted<'p, Kubernetes>) -> Self {
        let (plan, options) = (job.plan, &job.site.job);
        let shim = job.mechanisms().any(|(_, mechanism)| mechanism.is_shims());
        let roles = job.site.roles.iter().map(super::RoleOptions::pod);
        let pods = Pods::new(Context::new(plan, job.site).pod, roles, shim);
        let mut draft = Self {
            plan,
            options,
            job: job::skeleton(plan, options, pods.object()),
            pods,
            replicas: plan.roles.iter().map(|role| (role.count.value, role.count.span)).collect(),
            policies: plan.roles.iter().map(|role| (DEFAULT_POLICY, role.name.span)).collect(),
            patches: Vec::new(),
            stop: None,
            go_on: false,
            gang: None,
        };
        for (at, mechanism) in job.mechanisms() {
            draft.take(at, mechanism);
        }
        draft
    }

    fn take(&mut self, at: Span, mechanism: &Mechanism) {
        match mechanism {
            Mechanism::Pod(mechanism) => self.pods.take(at, mechanism),
            // Nothing is left to do: `skeleton` has already set the name, because names of other objects are derived from it.
            Mechanism::Name(_) => {}
            Mechanism::Annotation { key, value } => {
                self.job.metadata.annotations.insert(key.clone(), Traced(value.clone(), at));
            }
            Mechanism::Replicas { role, count } => self.replicas[*role] = (*count, at),
            Mechanism::ClusterPort { role, number } => self.cluster_port(*role, *number, at),
            Mechanism::Policy { role, policy } => {
                self.policies[*role] = (*policy, at);
                self.pods.pods[*role].restarted = (*policy != RestartPolicy::Never).then_some(at);
            }
            Mechanism::Dynamic => self.job.spec.enable_dynamic_worker = flag(true, at),
            Mechanism::Gang => self.gang = Some(at),
            Mechanism::Deadline { seconds, job } => self.deadline(*seconds, *job, at),
            Mechanism::Success { all_workers } => self.success(*all_workers, at),
            Mechanism::Outlive { role, others, success } => {
                self.pods.builder.outlives(*role, others, at);
                let all_workers = operator::is_worker(self.plan, *role) && *success != Success::Chief;
                self.success(all_workers, at);
            }
            Mechanism::WorkersGoOn => {
                self.go_on = true;
                self.pods
                    .inherent
                    .insert(at, "the operator derives job success only from the chief".to_owned());
            }
            Mechanism::Stop => self.stop = Some(at),
            Mechanism::Keep { policy, ttl } => self.keep(*policy, *ttl, at),
            Mechanism::Patch { role, text } => {
                for (id, template) in self.templates_of(*role, text) {
                    self.pods.patched(id, &template);
                }
                self.patches.push((*role, text.clone(), at));
            }
        }
    }

    /// Returns the part of a patch that concerns Pod templates, for each role to which the patch applies.
    fn templates_of(&self, role: Option<RoleId>, text: &str) -> Vec<(RoleId, Value)> {
        let patch = patch::value(text);
        match role {
            Some(role) => vec![(role, patch["template"].clone())],
            None => {
                let roles = &patch["spec"]["tfReplicaSpecs"];
                let template = |id| roles[operator::key(self.plan, id)]["template"].clone();
                (0..self.plan.roles.len()).map(template).enumerate().collect()
            }
        }
    }

    /// Adds the rendezvous port to a role. The default port 2222 is not added here, because the operator adds it.
    fn cluster_port(&mut self, role: RoleId, number: u16, at: Span) {
        let pod = &mut self.pods.pods[role];
        if number == operator::DEFAULT_PORT && at == pod.name() {
            self.pods.inherent.insert(at, "the operator adds the rendezvous port".to_owned());
        } else {
            pod.port(PORT, number, at);
        }
    }

    fn contract(&self) -> TracedContract {
        let probed = |(role, text, at): &(Option<RoleId>, String, Span)| {
            let at = *at;
            let templates = self.templates_of(*role, text).into_iter();
            templates.filter(|(_, template)| probes(template)).map(move |(id, _)| (id, at))
        };
        let probed: Vec<(RoleId, Span)> = self.patches.iter().flat_map(probed).collect();
        self.pods.contract(&probed)
    }

    fn finish(mut self) -> Lowered {
        self.job.metadata.labels = self.pods.object_labels();
        self.run_policy();
        self.pods.cluster_words();
        self.host_ports();
        for (id, template) in self.pods.templates().into_iter().enumerate() {
            let spec = self.replica_spec(id, template);
            self.job.spec.tf_replica_specs.insert(operator::key(self.plan, id), spec);
        }
        let contract = self.pods.shim.then(|| self.contract());
        let templates: Vec<_> = self.job.spec.tf_replica_specs.values().map(|spec| &spec.template).collect();
        let files = self.pods.files(contract.as_ref().map(|(contract, _)| contract));
        let board = self.pods.board_documents(&templates);
        let mut tfjob = Document::new(&self.job);
        self.patch(&mut tfjob);
        let written = [
            ("tfjob.yaml", vec![tfjob]),
            (CONFIG_MAP, files.into_iter().collect()),
            ("tensorboard.yaml", board),
        ];
        let written = written.into_iter().filter(|(_, documents)| !documents.is_empty());
        let artifacts: Vec<Artifact> = written.map(|(path, documents)| artifact(path, documents)).collect();
        let steps = self.pods.steps(&artifacts, self.queue_step());
        let companions = vec![kustomization(&artifacts)];
        let shared = self.pods.shared();
        Lowered { artifacts, companions, shared, contract, steps, inherent: self.pods.inherent }
    }

    fn replica_spec(&self, id: RoleId, template: PodTemplate) -> ReplicaSpec {
        let ((replicas, at), (policy, policy_at)) = (self.replicas[id], self.policies[id]);
        ReplicaSpec {
            replicas: number(replicas, at),
            restart_policy: Some(Traced(policy, policy_at)),
            template,
        }
    }

    /// Adds an unused port to helpers on the host network. The operator adds port 2222 to each container without a port named
    /// `tfjob-port`, even in helpers (`setDefaultPort` of 1.9.4). An unused port with this name prevents that.
    fn host_ports(&mut self) {
        for pod in &mut self.pods.pods {
            if !pod.helper || pod.template.spec.host_network.is_none() {
                continue;
            }
            let at = pod.name();
            match (operator::idle_port(self.plan, pod.id()), pod.container.ports.first_mut()) {
                (Some(port), _) => pod.port(PORT, port, at),
                (None, Some(first)) => first.name = Some(Traced(PORT.to_owned(), at)),
                (None, None) => {}
            }
        }
    }

    /// Applies the patches of the job and of its roles.
    fn patch(&self, tfjob: &mut Document) {
        for (role, text, at) in &self.patches {
            let pointer = match role {
                None => String::new(),
                Some(role) => {
                    format!("/spec/tfReplicaSpecs/{}", pointer_step(&operator::key(self.plan, *role)))
                }
            };
            patch::apply(tfjob, &pointer, text, *at);
        }
    }
}

fn artifact(path: &str, documents: Vec<Document>) -> Artifact {
    Artifact {
        path: path.to_owned(),
        text: yaml::write(&documents, comments::comment),
        executable: false,
        documents,
    }
}

fn kustomization(artifacts: &[Artifact]) -> Artifact {
    let text = kustomization::text(artifacts.iter().map(|artifact| artifact.path.as_str()));
    Artifact { path: kustomization::FILE.to_owned(), text, executable: false, documents: Vec::new() }
}
