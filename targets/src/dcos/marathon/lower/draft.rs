//! Collects the values of all mechanisms of a job, each with the span in the spec that sets it.
use crate::contract_builder::{Location, Places};
use crate::dcos::document::Patches;
use crate::dcos::marathon::mechanism::{Fetched, Mechanism, Mount, WRITTEN_IN, Way};
use crate::dcos::marathon::support::storage::fetch;
use std::collections::BTreeMap;
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::{Plan, RoleId, Template};
use tfjob_lang::requirement::{Probe, Restart};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::When;

/// Values that the mechanisms set for one role, each with its span in the spec.
#[derive(Debug, Clone, Default)]
pub struct RoleDraft {
    pub count: Option<Traced<u32>>,
    pub image: Option<Traced<String>>,
    pub force_pull: Option<Span>,
    pub pull_secret: Option<Traced<String>>,
    pub command: Option<Span>,
    pub workdir: Option<Span>,
    pub env: BTreeMap<String, Span>,
    pub secrets: Vec<Secret>,
    pub user: Option<Traced<String>>,
    pub cpus: Option<Traced<u32>>,
    pub mem: Option<Traced<u64>>,
    pub gpus: Option<Traced<u32>>,
    pub disk: Option<Traced<u64>>,
    pub shared_memory: Option<Traced<u64>>,
    pub constraints: Vec<Traced<Vec<String>>>,
    pub ports: Vec<PortDraft>,
    pub link: Option<Traced<String>>,
    pub again: Option<(Restart, Span)>,
    pub shim_restart: Option<(Restart, Span)>,
    pub replace: Option<Span>,
    pub after: Vec<(RoleId, Option<When>, Span)>,
    pub ready: Option<(Probe, Span)>,
    pub scratch: Option<Span>,
    /// Span of `{done}`. Set if the programs of the role create the `{done}` file when their work is complete.
    pub heard: Option<Span>,
}

/// A secret in the environment variable `env`. If `at` is set, the secret is a file at this path, and the variable contains the
/// path.
#[derive(Debug, Clone)]
pub struct Secret {
    pub env: String,
    pub source: String,
    pub at: Option<String>,
    pub words: Span,
}

/// A port of a role. The ports of a role have the same order as `portDefinitions` or `portMappings` in its apps.
#[derive(Debug, Clone)]
pub struct PortDraft {
    pub name: String,
    pub number: Option<u16>,
    pub at: Span,
}

/// Directories of Hadoop and Java.
#[derive(Debug, Clone)]
pub struct HadoopDraft {
    pub home: String,
    pub java: String,
    pub conf: Option<String>,
    pub at: Span,
}

/// Values that the mechanisms set for TensorBoard.
#[derive(Debug, Clone)]
pub struct Board {
    pub logs: Template,
    pub port: u16,
    pub image: Option<String>,
    pub milli: u32,
    pub mebibytes: u64,
    /// Path in the container at which the directory with the logs is mounted. `None` if nothing is mounted.
    pub folder: Option<String>,
    pub place: Vec<Traced<Vec<String>>>,
    pub at: Span,
}

/// Values that the mechanisms set for the whole job.
#[derive(Debug)]
pub struct Draft<'p> {
    pub plan: &'p Plan,
    pub roles: Vec<RoleDraft>,
    pub labels: Vec<(String, Traced<String>)>,
    /// How `code` and each `files` entry are delivered. The first element is the index of the `files` entry, or `None` for `code`.
    pub fetched: Vec<(Option<usize>, Fetched, Span)>,
    pub mounts: Vec<(Mount, Span)>,
    pub hadoop: Option<HadoopDraft>,
    pub wait: Option<(u64, Span)>,
    pub deadline: Option<(u64, Span)>,
    pub fresh: Option<(String, Span)>,
    pub grace: Option<Traced<u64>>,
    pub stay: Span,
    pub name: Span,
    pub network: Option<Traced<String>>,
    pub host_network: Option<Span>,
    pub board: Option<Board>,
    pub patches: Patches,
    pub inherent: BTreeMap<Span, String>,
}

impl<'p> Draft<'p> {
    /// Collects the values that all mechanisms set.
    pub fn read<'a>(plan: &'p Plan, mechanisms: impl Iterator<Item = (Span, &'a Mechanism)>) -> Self {
        let at = plan.name.span;
        let mut draft = Self {
            plan,
            roles: vec![RoleDraft::default(); plan.roles.len()],
            labels: Vec::new(),
            fetched: Vec::new(),
            mounts: Vec::new(),
            hadoop: None,
            wait: None,
            deadline: None,
            fresh: None,
            grace: None,
            stay: at,
            name: at,
            network: None,
            host_network: None,
            board: None,
            patches: Patches::default(),
            inherent: BTreeMap::new(),
        };
        for (at, mechanism) in mechanisms {
            draft.take(at, mechanism);
        }
        draft
    }

    #[expect(clippy::too_many_lines, reason = "one line for each mechanism")]
    fn take(&mut self, at: Span, mechanism: &Mechanism) {
        let text = |text: &String| Some(Traced(text.clone(), at));
        match mechanism {
            Mechanism::Name => self.name = at,
            Mechanism::Tasks { role, count } => self.roles[*role].count = Some(Traced(*count, at)),
            Mechanism::Label { key, value } => self.labels.push((key.clone(), Traced(value.clone(), at))),
            Mechanism::Image { role, image } => self.roles[*role].image = text(image),
            Mechanism::ForcePull { role } => self.roles[*role].force_pull = Some(at),
            Mechanism::PullSecret { role, source } => self.roles[*role].pull_secret = text(source),
            Mechanism::Run { role } | Mechanism::Shell { role } => self.roles[*role].command = Some(at),
            Mechanism::Workdir { role } => self.roles[*role].workdir = Some(at),
            Mechanism::Env { role, name } => {
                self.roles[*role].env.insert(name.clone(), at);
            }
            Mechanism::SecretEnv { role, env, source } => self.roles[*role].secrets.push(Secret {
                env: env.clone(),
                source: source.clone(),
                at: None,
                words: at,
            }),
            Mechanism::SecretFile { role, env, source, at: path } => self.roles[*role].secrets.push(Secret {
                env: env.clone(),
                source: source.clone(),
                at: Some(path.clone()),
                words: at,
            }),
            Mechanism::User { role, name } => self.roles[*role].user = text(name),
            Mechanism::Cpus { role, milli } => self.roles[*role].cpus = Some(Traced(*milli, at)),
            Mechanism::Memory { role, mebibytes } => self.roles[*role].mem = Some(Traced(*mebibytes, at)),
            Mechanism::Gpus { role, count } => self.roles[*role].gpus = Some(Traced(*count, at)),
            Mechanism::Disk { role, mebibytes } => self.roles[*role].disk = Some(Traced(*mebibytes, at)),
            Mechanism::SharedMemory { role, mebibytes } => {
                self.roles[*role].shared_memory = Some(Traced(*mebibytes, at));
            }
            Mechanism::Constraint { role, words } => {
                self.roles[*role].constraints.push(Traced(words.clone(), at));
            }
            Mechanism::Port { role, name, number } => {
                self.roles[*role].ports.push(PortDraft { name: name.clone(), number: *number, at });
            }
            Mechanism::Link { role, name } => self.roles[*role].link = text(name),
            Mechanism::Again { role, restart } => self.roles[*role].again = Some((restart.clone(), at)),
            Mechanism::ShimRestart { role, restart } => {
                self.roles[*role].shim_restart = Some((restart.clone(), at));
            }
            Mechanism::Replace { role } => self.roles[*role].replace = Some(at),
            Mechanism::After { role, first, shim } => self.roles[*role].after.push((*first, *shim, at)),
            Mechanism::Ready { role, probe } => self.roles[*role].ready = Some((probe.clone(), at)),
            Mechanism::Code(fetched) => self.fetched.push((None, fetched.clone(), at)),
            Mechanism::Stage { index, fetched } => self.fetched.push((Some(*index), fetched.clone(), at)),
            Mechanism::Data { mount, .. } | Mechanism::Checkpoints(mount) => {
                self.mounts.push((mount.clone(), at))
            }
            Mechanism::Fresh { path } => self.fresh = Some((path.clone(), at)),
            Mechanism::Done { role } => self.roles[*role].heard = Some(at),
            Mechanism::Scratch { role } => self.roles[*role].scratch = Some(at),
            Mechanism::Hadoop { home, java, conf } => {
                let (home, java, conf) = (home.clone(), java.clone(), conf.clone());
                self.hadoop = Some(HadoopDraft { home, java, conf, at });
            }
            Mechanism::Wait { seconds } => self.wait = Some((*seconds, at)),
            Mechanism::Deadline { seconds } => self.deadline = Some((*seconds, at)),
            Mechanism::Grace { seconds } => self.grace = Some(Traced(*seconds, at)),
            Mechanism::Stay => self.stay = at,
            Mechanism::Network(None) => self.host_network = Some(at),
            Mechanism::Network(Some(name)) => self.network = text(name),
            Mechanism::Tensorboard { logs, port, image, milli, mebibytes, folder, place } => {
                self.board = Some(Board {
                    logs: logs.clone(),
                    port: *port,
                    image: image.clone(),
                    milli: *milli,
                    mebibytes: *mebibytes,
                    folder: folder.clone(),
                    place: place.clone(),
                    at,
                });
            }
            Mechanism::Patch { role, text } => self.patches.add(*role, text, at),
        }
    }

    /// Returns the locations of code, files, data, checkpoints, and scratch directory in a task.
    pub fn places(&self) -> Places {
        let storage = &self.plan.storage;
        let location = |volume: &tfjob_lang::plan::Volume| match &volume.at {
            Some(at) => Location::from(at.value.clone()),
            None => Location::from(volume.uri.value.opened()),
        };
        let mut stage: Vec<Location> = storage.stage.iter().map(location).collect();
        let mut code = storage.code.as_ref().map(location).unwrap_or_default();
        for (index, fetched, _) in &self.fetched {
            match index {
                None => code = fetched.place.clone(),
                Some(index) => stage[*index] = fetched.place.clone(),
            }
        }
        Places {
            code,
            stage,
            data: storage.data.iter().map(location).collect(),
            checkpoints: storage.checkpoints.as_ref().map(location).unwrap_or_default(),
            scratch: Location::under(fetch::SANDBOX, format!("/{}", fetch::SCRATCH)),
        }
    }

    /// Returns the agent directories that a container with an image must mount.
    pub fn agent_mounts(&self) -> Vec<(Mount, Span)> {
        let fetched = self.fetched.iter().filter_map(|(_, fetched, at)| match &fetched.way {
            Way::Mount(mount) => Some((mount.clone(), *at)),
            Way::Fetch { .. } | Way::Unpack { .. } => None,
        });
        fetched.chain(self.mounts.iter().cloned()).collect()
    }

    /// Returns whether the job needs the shim: a mechanism needs it, or the job has so many tasks that the list of their addresses
    /// would be too long for each app.
    pub fn needs_shim(&self) -> bool {
        self.plan.tasks() > WRITTEN_IN
            || self.wait.is_some()
            || self.deadline.is_some()
            || self.fresh.is_some()
            || self.roles.iter().any(|role| role.shim_restart.is_some() || role.heard.is_some())
    }
}
