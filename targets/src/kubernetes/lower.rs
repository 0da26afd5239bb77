//! From means to files: `job.yaml` holds the TFJob, `around.yaml` what must stand before it or stays beside it.
mod board;
mod init;
mod job;
mod pod;
mod steps;
mod task;

use super::expand::INDEX;
use super::means::{Board, Duty, Fetch, Means, QUEUE};
use super::places::places;
use super::schema::{ConfigMap, Flag, Metadata, Number, Text, TfJob};
use super::{Kubernetes, operator};
use crate::carry::{Carry, Places};
use crate::{patch, yaml};
use pod::Pod;
use std::collections::{BTreeMap, BTreeSet};
use tfjob_contract::{Address, Contract, Peers, Source};
use tfjob_lang::ask::{Ask, Lifecycle, Probe};
use tfjob_lang::lowered::{Artefact, Lowered, TracedContract};
use tfjob_lang::origin::{Document, Traced, pointer_step};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::sources::Span;
use tfjob_lang::target::Accepted;

/// The variable that holds a task's role where the shim is.
pub const ROLE: &str = "TFJOB_ROLE";
/// The folder with the contract, the scripts and the shim.
pub const FOLDER: &str = "/tfjob/shim";

/// Text and the words behind it.
pub fn text(value: impl Into<String>, at: Span) -> Text {
    Some(Traced(value.into(), at))
}

/// A number and the words behind it.
pub fn number(value: impl Into<i64>, at: Span) -> Number {
    Some(Traced(value.into(), at))
}

/// A flag and the words behind it.
pub fn flag(value: bool, at: Span) -> Flag {
    Some(Traced(value, at))
}

/// The job while it is drawn up.
struct Draft<'p> {
    plan: &'p Plan,
    options: &'p super::Options,
    places: Places,
    /// Whether some means is the shim's: then it starts every task.
    shim: bool,
    carry: Carry,
    job: TfJob,
    pods: Vec<Pod<'p>>,
    fetches: Vec<(Fetch, Span)>,
    board: Option<(Board, Span)>,
    patches: Vec<(Option<RoleId>, String, Span)>,
    inherent: BTreeMap<Span, String>,
    /// The Secrets that the job names.
    secrets: BTreeSet<String>,
    /// Whether what still runs at the end is stopped, and who says so.
    stop: Option<Span>,
    /// Whether workers go on when the chief is done.
    go_on: bool,
    gang: Option<Span>,
    /// Whether the shim knows how often checkpoints come.
    watched: bool,
    /// Seconds between SIGTERM and the kill.
    grace: Option<(u64, Span)>,
}

/// The files of one job.
pub fn lower(job: &Accepted<'_, Kubernetes>) -> Lowered {
    let mut draft = Draft::new(job);
    for (at, means) in job.means() {
        draft.take(at, means);
    }
    draft.finish()
}

/// The shim's contract, where the job has the shim.
pub fn contract(job: &Accepted<'_, Kubernetes>) -> Option<TracedContract> {
    if !job.means().any(|(_, means)| means.is_shims()) {
        return None;
    }
    let mut draft = Draft::new(job);
    for (at, means) in job.means() {
        draft.take(at, means);
    }
    Some(draft.settled())
}

impl<'p> Draft<'p> {
    fn new(job: &Accepted<'p, Kubernetes>) -> Self {
        let (plan, options) = (job.plan, &job.site.job);
        let places = places(plan);
        let namespace = options.namespace();
        let host = format!("{}-{{role}}-{{index}}.{namespace}.svc", plan.name.value);
        let peers = Peers::Template(Address { host, names: BTreeMap::new(), roles: BTreeMap::new() });
        let carry =
            Carry::new(plan, &places, Source::Env(ROLE.to_owned()), Source::Env(INDEX.to_owned()), peers);
        Self {
            plan,
            options,
            places,
            shim: job.means().any(|(_, means)| means.is_shims()),
            carry,
            job: job::skeleton(plan, options),
            pods: job
                .site
                .roles
                .iter()
                .enumerate()
                .map(|(id, own)| Pod::new(plan, options, own, id))
                .collect(),
            fetches: Vec::new(),
            board: None,
            patches: Vec::new(),
            inherent: BTreeMap::new(),
            secrets: job.means().filter_map(|(_, means)| means.secret()).map(str::to_owned).collect(),
            stop: None,
            go_on: false,
            gang: None,
            watched: false,
            grace: None,
        }
    }

    fn take(&mut self, at: Span, means: &Means) {
        match means {
            Means::Inherent(why) => drop(self.inherent.insert(at, why.clone())),
            // The skeleton has it: everything else is named after it.
            Means::Name(_) => {}
            Means::Label { key, value } => self.label(key, value, at),
            Means::Annotation { key, value } => self.annotation(key, value, at),
            Means::Replicas { role, count } => self.pods[*role].replicas = (*count, at),
            Means::Image { role, image } => self.pods[*role].container.image = text(image, at),
            Means::Pull { role, policy } => {
                self.pods[*role].container.image_pull_policy = Some(Traced(*policy, at));
            }
            Means::PullSecret { role, name } => self.pods[*role].pull_secret(name, at),
            Means::Run { role, words, index } => self.pods[*role].run(words, *index),
            Means::Shell { role, text } => self.pods[*role].shell = Some((text.clone(), at)),
            Means::Workdir { role, path } => self.pods[*role].container.working_dir = text(path, at),
            Means::Env { role, name, value, index } => self.pods[*role].variable(name, value, at, *index),
            Means::SecretEnv { role, env, from, key } => self.pods[*role].secret(env, (from, key), at),
            Means::SecretFile { role, env, from, key, at: path } => {
                self.pods[*role].secret_file(env, (from, key), path, at);
            }
            Means::User { role, uid } => self.pods[*role].user(*uid, at),
            Means::Amount { role, resource, quantity } => self.pods[*role].amount(resource, quantity, at),
            Means::Disk { role, quantity } => self.pods[*role].disk = Some((quantity.clone(), at)),
            Means::Device { role, resource, count } => {
                self.pods[*role].amount(resource, &count.to_string(), at);
            }
            Means::SharedMemory { role, quantity } => self.pods[*role].shared_memory(quantity, at),
            Means::Scratch { role } => self.pods[*role].scratch = Some(at),
            Means::NodeLabel { role, key, value } => self.pods[*role].node_label(key, value, at),
            Means::NodeOver { role, key, number } => self.pods[*role].node_over(key, *number, at),
            Means::Apart { role, topology_key } => self.pods[*role].apart(topology_key, at),
            Means::ClusterPort { role, number } => self.cluster_port(*role, *number, at),
            Means::Port { role, name, number } => self.pods[*role].port(name, *number, at),
            Means::Policy { role, policy } => self.pods[*role].policy = (*policy, at),
            Means::Dynamic => self.job.spec.enable_dynamic_worker = flag(true, at),
            Means::Ready { role, probe } => self.pods[*role].ready(probe, at),
            Means::Mount(mount) => self.pods.iter_mut().for_each(|pod| pod.mount(mount, at)),
            Means::Fetch(fetch) => self.fetches.push((fetch.clone(), at)),
            Means::Fresh { role, at: folder, waits } => self.fresh(*role, folder, *waits, at),
            Means::HostNetwork => self.pods.iter_mut().for_each(|pod| pod.host_network(at)),
            Means::Gang => self.gang = Some(at),
            Means::Grace(seconds) => {
                self.pods.iter_mut().for_each(|pod| pod.grace(*seconds, at));
                self.grace = u64::try_from(*seconds).ok().map(|seconds| (seconds, at));
            }
            Means::Deadline { seconds, job } => self.deadline(*seconds, *job, at),
            Means::Success { all_workers } => self.success(*all_workers, at),
            Means::WorkersGoOn => {
                self.go_on = true;
                self.inherent.insert(at, "the operator asks the chief alone".to_owned());
            }
            Means::Stop => self.stop = Some(at),
            Means::Keep { policy, ttl } => self.keep(*policy, *ttl, at),
            Means::Tensorboard(board) => self.board = Some((board.as_ref().clone(), at)),
            Means::Patch { role, text } => {
                self.claims(*role, text);
                self.patches.push((*role, text.clone(), at));
            }
            Means::Shim(duty) => self.duty(duty, at),
        }
    }

    fn fresh(&mut self, role: RoleId, folder: &str, waits: bool, at: Span) {
        self.pods[role].fresh = Some((folder.to_owned(), at));
        if waits {
            self.carry.looked(self.plan, at);
        }
    }

    /// The operator adds the usual one by itself.
    fn cluster_port(&mut self, role: RoleId, number: u16, at: Span) {
        if number == operator::DEFAULT_PORT && at == self.pods[role].name() {
            self.inherent.insert(at, "the operator adds the port of the rendezvous".to_owned());
        } else {
            self.pods[role].port("tfjob-port", number, at);
        }
    }

    fn duty(&mut self, duty: &Duty, at: Span) {
        match duty {
            Duty::Start | Duty::Port => {
                self.inherent.insert(at, "the shim starts the task".to_owned());
            }
            Duty::Hadoop { home, java, conf } => self.carry.hadoop(home, java, conf.as_deref(), at),
            Duty::Restart { role, terms } => {
                self.carry.restart(*role, terms, at);
                let path = self.plan.storage.checkpoints.as_ref().and_then(|c| c.at.as_ref());
                if let Some(path) = path.filter(|_| !self.watched) {
                    self.carry.checkpoints(&path.value, None, false, path.span);
                }
            }
            Duty::Done { role } => self.carry.hears(*role, at),
            Duty::Wait { seconds } => self.carry.wait(*seconds, at),
            Duty::After { role, first, when } => self.carry.after(*role, *first, *when, at),
            Duty::Ready { role, probe } => self.carry.ready(*role, probe, at),
            Duty::Outlive { role, others, success } => {
                self.carry.outlives(*role, others, at);
                let all_workers = operator::replica_type(self.plan, *role) == Some("Worker")
                    && *success != tfjob_lang::spec::Success::Chief;
                self.success(all_workers, at);
            }
            Duty::Checkpoints { path, every } => {
                self.watched = true;
                self.carry.checkpoints(path, *every, false, at);
            }
        }
    }

    /// The contract, once all means are known.
    fn settled(&self) -> TracedContract {
        let mut carry = self.carry.clone();
        if let Some((seconds, at)) = self.grace {
            carry.within(seconds, at);
        }
        self.probed(&mut carry);
        carry.done()
    }

    /// Tells the shims whose rendezvous port the kubelet probes: until it answers, the Pod has no name for its peers. A probe of a
    /// patch is of that port too.
    fn probed(&self, carry: &mut Carry) {
        for asked in &self.plan.asks {
            if let Ask::Lifecycle(Lifecycle::Ready { role, probe: Probe::Tcp(port) }) = &asked.ask
                && port == "cluster"
                && self.pods[*role].container.readiness_probe.is_some()
            {
                carry.probed(*role, asked.at);
            }
        }
        for (role, text, at) in &self.patches {
            let patch = patch::value(text);
            for id in 0..self.pods.len() {
                let own = match role {
                    Some(role) if *role == id => &patch,
                    Some(_) => continue,
                    None => &patch["spec"]["tfReplicaSpecs"][operator::key(self.plan, id)],
                };
                let containers = own["template"]["spec"]["containers"].as_array().into_iter().flatten();
                let probes = |container: &serde_json::Value| {
                    ["readinessProbe", "startupProbe"].iter().any(|probe| container[probe].is_object())
                };
                if containers.into_iter().any(probes) {
                    carry.probed(id, *at);
                }
            }
        }
    }

    fn finish(mut self) -> Lowered {
        self.run_policy();
        self.cluster_words();
        let uses_folder =
            self.shim || !self.fetches.is_empty() || self.pods.iter().any(|pod| pod.fresh.is_some());
        for id in 0..self.pods.len() {
            let spec = self.replica_spec(id, uses_folder);
            self.job.spec.tf_replica_specs.insert(operator::key(self.plan, id), spec);
        }
        let contract = self.shim.then(|| self.settled());
        let mut around = Vec::new();
        if let Some(map) = self.files(contract.as_ref().map(|(contract, _)| contract), uses_folder) {
            around.push(Document::new(&map));
        }
        around.extend(self.board_documents());
        let mut tfjob = Document::new(&self.job);
        self.patch(&mut tfjob);
        let steps = self.steps(!around.is_empty());
        let mut artefacts = vec![artefact("job.yaml", vec![tfjob])];
        if !around.is_empty() {
            artefacts.push(artefact("around.yaml", around));
        }
        Lowered { artefacts, contract, steps, inherent: self.inherent }
    }

    /// What the user says of the finished TFJob, the job's words first.
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

    /// The ConfigMap with the contract and the scripts.
    fn files(&self, contract: Option<&Contract>, needed: bool) -> Option<ConfigMap> {
        let name = &self.plan.name;
        let mut data = BTreeMap::new();
        if let Some(contract) = contract {
            data.insert("contract.json".to_owned(), Traced(contract.write(), name.span));
        }
        if let Some((_, at)) = self.fetches.first() {
            data.insert("stage.sh".to_owned(), Traced(include_str!("stage.sh").to_owned(), *at));
        }
        if let Some((_, at)) = self.pods.iter().find_map(|pod| pod.fresh.as_ref()) {
            data.insert("fresh.sh".to_owned(), Traced(include_str!("fresh.sh").to_owned(), *at));
        }
        needed.then(|| ConfigMap {
            api_version: text("v1", name.span),
            kind: text("ConfigMap", name.span),
            metadata: self.metadata(&self.files_name()),
            data,
        })
    }

    fn files_name(&self) -> String {
        format!("{}-tfjob", self.plan.name.value)
    }

    fn shim_name(&self) -> String {
        format!("{}-tfjob-shim", self.plan.name.value)
    }

    /// A name in the job's namespace, with the job's labels. Kueue's is the job's alone: it holds back a Deployment too.
    fn metadata(&self, name: &str) -> Metadata {
        let labels = self.job.metadata.labels.iter().filter(|(key, _)| *key != QUEUE);
        Metadata {
            name: text(name, self.plan.name.span),
            namespace: self.job.metadata.namespace.clone(),
            labels: labels.map(|(key, value)| (key.clone(), value.clone())).collect(),
            annotations: BTreeMap::new(),
        }
    }
}

fn artefact(path: &str, documents: Vec<Document>) -> Artefact {
    Artefact { path: path.to_owned(), text: yaml::write(&documents), executable: false, documents }
}
