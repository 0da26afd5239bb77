//! Lowering to Pod templates, and to the objects that Pods need: ConfigMaps, and TensorBoard.
mod board;
pub mod comments;
mod files;
mod init;
pub mod pod;
mod steps;
mod task;

use super::context::Context;
use super::expand::INDEX;
use super::mechanism::{Board, Duty, Fetch, Mechanism, QUEUE};
use super::options::RoleOptions;
use super::schema::{Flag, Number, PodTemplate, Text, Words};
use crate::contract_builder::ContractBuilder;
pub use files::{HOOK, HOOK_DELETE, HOOK_DELETED, WAVE};
use pod::Pod;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use tfjob_contract::{Peers, RENDEZVOUS, Source};
use tfjob_lang::lowered::TracedContract;
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{Lifecycle, Probe, Requirement};
use tfjob_lang::sources::Span;

/// Environment variable from which the shim reads the role of its task.
pub const ROLE: &str = "TFJOB_ROLE";
/// Directory in the container with the contract, the scripts, and the shim.
pub const FOLDER: &str = "/tfjob/shim";

/// Returns a string as the value of a Kubernetes field, with the span of the spec that the value comes from.
pub fn text(value: impl Into<String>, at: Span) -> Text {
    Some(Traced(value.into(), at))
}

/// Returns a number as the value of a Kubernetes field, with the span of the spec that the value comes from.
pub fn number(value: impl Into<i64>, at: Span) -> Number {
    Some(Traced(value.into(), at))
}

/// Returns a boolean as the value of a Kubernetes field, with the span of the spec that the boolean comes from.
pub fn flag(value: bool, at: Span) -> Flag {
    Some(Traced(value, at))
}

/// The Pods of a job while they are built: each mechanism adds its part.
pub struct Draft<'p> {
    context: Context<'p>,
    /// Whether a mechanism needs the shim. If so, the shim starts the program of every task.
    pub shim: bool,
    /// Builder of the contract.
    pub builder: ContractBuilder,
    /// Pods in the order of the roles: one Pod stands for all tasks of a role.
    pub pods: Vec<Pod<'p>>,
    /// Labels of the job.
    pub labels: Words,
    /// Entries of the spec that need no value in an artifact. Key: span of the entry. Value: why the entry needs no value, such as
    /// "the operator adds the rendezvous port".
    pub inherent: BTreeMap<Span, String>,
    fetches: Vec<(Fetch, Span)>,
    board: Option<(Board, Span)>,
    /// Names of the Secrets that the job refers to.
    secrets: BTreeSet<String>,
    /// Whether the contract already tells the shim to watch the checkpoint directory.
    watched: bool,
    /// Seconds between SIGTERM and SIGKILL.
    grace: Option<(u64, Span)>,
}

impl<'p> Draft<'p> {
    /// Returns a draft before any mechanism is applied. `shim`: whether a mechanism needs the shim.
    pub fn new(context: Context<'p>, roles: impl Iterator<Item = RoleOptions<'p>>, shim: bool) -> Self {
        let peers = Peers::Template(context.hosts.address());
        let (role, index) = (Source::Env(ROLE.to_owned()), Source::Env(INDEX.to_owned()));
        Self {
            shim,
            builder: ContractBuilder::new(context.plan, &context.places, role, index, peers),
            pods: roles.enumerate().map(|(id, own)| Pod::new(&context, own, id)).collect(),
            labels: Words::new(),
            inherent: BTreeMap::new(),
            fetches: Vec::new(),
            board: None,
            secrets: BTreeSet::new(),
            watched: false,
            grace: None,
            context,
        }
    }

    /// Returns the name of the job's object.
    pub fn object(&self) -> &str {
        &self.context.object
    }

    /// Applies one mechanism. `at`: the span in the spec that requests it.
    pub fn take(&mut self, at: Span, mechanism: &Mechanism) {
        self.secrets.extend(mechanism.secret().map(str::to_owned));
        match mechanism {
            Mechanism::Label { key, value } => self.label(key, value, at),
            Mechanism::Image { role, image } => self.pods[*role].container.image = text(image, at),
            Mechanism::Pull { role, policy } => {
                self.pods[*role].container.image_pull_policy = Some(Traced(*policy, at));
            }
            Mechanism::PullSecret { role, name } => self.pods[*role].pull_secret(name, at),
            Mechanism::Run { role, words, index } => self.pods[*role].run(words, *index),
            Mechanism::Shell { role, text } => self.pods[*role].shell = Some((text.clone(), at)),
            Mechanism::Workdir { role, path } => self.pods[*role].container.working_dir = text(path, at),
            Mechanism::Env { role, name, value, index } => self.pods[*role].variable(name, value, at, *index),
            Mechanism::SecretEnv { role, env, from, key } => self.pods[*role].secret(env, (from, key), at),
            Mechanism::SecretFile { role, env, from, key, at: path } => {
                self.pods[*role].secret_file(env, (from, key), path, at);
            }
            Mechanism::User { role, uid } => self.pods[*role].user(*uid, at),
            Mechanism::Amount { role, resource, quantity } => self.pods[*role].amount(resource, quantity, at),
            Mechanism::Disk { role, quantity } => self.pods[*role].disk = Some((quantity.clone(), at)),
            Mechanism::Device { role, resource, count } => {
                self.pods[*role].amount(resource, &count.to_string(), at);
            }
            Mechanism::SharedMemory { role, quantity } => self.pods[*role].shared_memory(quantity, at),
            Mechanism::Scratch { role } => self.pods[*role].scratch = Some(at),
            Mechanism::NodeLabel { role, key, value } => self.pods[*role].node_label(key, value, at),
            Mechanism::NodeOver { role, key, number } => self.pods[*role].node_over(key, *number, at),
            Mechanism::Apart { role, topology_key } => self.pods[*role].apart(topology_key, at),
            Mechanism::Port { role, name, number } => self.pods[*role].port(name, *number, at),
            Mechanism::Ready { role, probe } => self.pods[*role].ready(probe, at),
            Mechanism::Mount(mount) => self.pods.iter_mut().for_each(|pod| pod.mount(mount, at)),
            Mechanism::Fetch(fetch) => self.fetches.push((fetch.clone(), at)),
            Mechanism::Fresh { role, at: folder, waits } => self.fresh(*role, folder, *waits, at),
            Mechanism::HostNetwork => self.pods.iter_mut().for_each(|pod| pod.host_network(at)),
            Mechanism::Grace(seconds) => {
                self.pods.iter_mut().for_each(|pod| pod.grace(*seconds, at));
                self.grace = u64::try_from(*seconds).ok().map(|seconds| (seconds, at));
            }
            Mechanism::Tensorboard(board) => self.board = Some((board.as_ref().clone(), at)),
            Mechanism::Shim(duty) => self.duty(duty, at),
        }
    }

    fn label(&mut self, key: &str, value: &str, at: Span) {
        self.labels.insert(key.to_owned(), Traced(value.to_owned(), at));
        // Kueue admits the job as a whole, so its Pods do not get the queue label. With this label, each Pod would wait for its own
        // quota.
        for pod in self.pods.iter_mut().filter(|_| key != QUEUE) {
            pod.template.metadata.labels.insert(key.to_owned(), Traced(value.to_owned(), at));
        }
    }

    fn fresh(&mut self, role: RoleId, folder: &str, waits: bool, at: Span) {
        self.pods[role].fresh = Some((folder.to_owned(), at));
        if waits {
            self.builder.looked(self.context.plan, at);
        }
    }

    fn duty(&mut self, duty: &Duty, at: Span) {
        match duty {
            Duty::Start | Duty::Port => {
                self.inherent.insert(at, "the shim starts the task".to_owned());
            }
            Duty::Hadoop { home, java, conf } => self.builder.hadoop(home, java, conf.as_deref(), at),
            Duty::Restart { role, terms } => {
                self.builder.restart(*role, terms, at);
                let path = self.context.plan.storage.checkpoints.as_ref().and_then(|c| c.at.as_ref());
                if let Some(path) = path.filter(|_| !self.watched) {
                    self.builder.checkpoints(&path.value, None, false, path.span);
                }
            }
            Duty::Done { role } => self.builder.hears(*role, at),
            Duty::Wait { seconds } => self.builder.wait(*seconds, at),
            Duty::After { role, first, when } => self.builder.after(*role, *first, *when, at),
            Duty::Ready { role, probe } => self.builder.ready(*role, probe, at),
            Duty::Checkpoints { path, every } => {
                self.watched = true;
                self.builder.checkpoints(path, *every, false, at);
            }
        }
    }

    /// Records whether a patch adds a resource claim to the container of the program. The claim may be for GPUs, so with a claim,
    /// the shim must not hide devices from the program.
    pub fn patched(&mut self, id: RoleId, template: &Value) {
        let containers = template["spec"]["containers"].as_array().into_iter().flatten();
        let mut own = containers.filter(|container| container["name"] == self.context.kind.container);
        if own.any(|container| container["resources"]["claims"].as_array().is_some_and(|all| !all.is_empty()))
        {
            self.pods[id].claims = true;
            let role = &mut self.builder.contract_mut().roles[id];
            role.gpus = role.gpus.filter(|gpus| *gpus > 0);
        }
    }

    /// Returns the contract after all mechanisms are applied. The contract tells each shim whether the kubelet probes the
    /// rendezvous port of the task. If so, the Pod has no DNS record until this port answers. `probed`: roles for which a patch
    /// sets such a probe.
    pub fn contract(&self, probed: &[(RoleId, Span)]) -> TracedContract {
        let mut builder = self.builder.clone();
        if let Some((seconds, at)) = self.grace {
            builder.within(seconds, at);
        }
        for required in &self.context.plan.requirements {
            if let Requirement::Lifecycle(Lifecycle::Ready { role, probe: Probe::Tcp(port) }) =
                &required.requirement
                && port == RENDEZVOUS
                && self.pods[*role].container.readiness_probe.is_some()
            {
                builder.probed(*role, required.at);
            }
        }
        for (role, at) in probed {
            builder.probed(*role, *at);
        }
        builder.done()
    }

    /// Records as inherent the options whose values are in no artifact on their own, because each value is used only together with
    /// another entry. Such an option names an object of the cluster, or describes the cluster.
    pub fn cluster_words(&mut self) {
        let options = self.context.options;
        let labels =
            [options.gpu_resource, options.gpu_model_label, options.gpu_memory_label, options.rack_label];
        let labels = labels.into_iter().flatten().map(|label| label.span);
        let models = options.gpu_models.0.iter().map(|(_, value)| value.span);
        let images = options.stage_image.iter().map(|image| image.span);
        let shims = options.shim.iter().map(|path| path.span);
        let shims = shims.chain(options.shim_image.iter().map(|image| image.span));
        let restricted = options.restricted.iter().map(|flag| flag.span);
        let drivers = options.csi.0.iter().flat_map(|(_, csi)| {
            let words = csi.value.attributes.0.iter().map(|(_, words)| words.span);
            words.chain([csi.value.driver.span])
        });
        for at in drivers.chain(labels).chain(models).chain(images).chain(shims).chain(restricted) {
            self.inherent
                .entry(at)
                .or_insert_with(|| "a name or a setting of the cluster, used by other entries".to_owned());
        }
    }

    /// Returns the Pod template of each role, after all mechanisms are applied.
    pub fn templates(&self) -> Vec<PodTemplate> {
        (0..self.pods.len()).map(|id| self.template(id)).collect()
    }

    /// Returns whether Pods need the directory with the contract and the scripts.
    fn needs_files(&self) -> bool {
        self.shim || !self.fetches.is_empty() || self.pods.iter().any(|pod| pod.fresh.is_some())
    }

    fn restricted(&self) -> Option<Span> {
        self.context.options.restricted.filter(|r| r.value).map(|r| r.span)
    }
}

/// Returns whether a patch of a Pod template adds a probe. The Pod then has no DNS record until the probe passes.
pub fn probes(template: &Value) -> bool {
    let containers = template["spec"]["containers"].as_array().into_iter().flatten();
    let probes = |container: &Value| {
        ["readinessProbe", "startupProbe"].iter().any(|probe| container[probe].is_object())
    };
    containers.into_iter().any(probes)
}
