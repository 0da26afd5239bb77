//! The job while means are read: what each app will say, and the words behind it.
use crate::carry::{Places, Spot};
use crate::dcos::document::Patches;
use crate::dcos::marathon::means::{Fetched, Means, Mount, WRITTEN_IN, Way};
use crate::dcos::marathon::support::storage::fetch;
use std::collections::BTreeMap;
use tfjob_lang::ask::{Probe, Restart};
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::{Plan, RoleId, Template};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::When;

/// What one role says, with the words behind it.
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
    /// That its programs say when their work is done.
    pub heard: Option<Span>,
}

/// A secret in a variable, or in a file at `at` with its path in the variable.
#[derive(Debug, Clone)]
pub struct Secret {
    pub env: String,
    pub source: String,
    pub at: Option<String>,
    pub words: Span,
}

/// A port in the order of the app's list.
#[derive(Debug, Clone)]
pub struct PortDraft {
    pub name: String,
    pub number: Option<u16>,
    pub at: Span,
}

/// Hadoop's folders.
#[derive(Debug, Clone)]
pub struct HadoopDraft {
    pub home: String,
    pub java: String,
    pub conf: Option<String>,
    pub at: Span,
}

/// A TensorBoard.
#[derive(Debug, Clone)]
pub struct Board {
    pub logs: Template,
    pub port: u16,
    pub image: Option<String>,
    pub milli: u32,
    pub mebibytes: u64,
    /// The path of the one mount that it reads.
    pub folder: Option<String>,
    pub place: Vec<Traced<Vec<String>>>,
    pub at: Span,
}

/// The whole job.
#[derive(Debug)]
pub struct Draft<'p> {
    pub plan: &'p Plan,
    pub roles: Vec<RoleDraft>,
    pub labels: Vec<(String, Traced<String>)>,
    /// What is fetched or mounted, with its number where it is a stage.
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
    /// Reads all means.
    pub fn read<'a>(plan: &'p Plan, means: impl Iterator<Item = (Span, &'a Means)>) -> Self {
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
        for (at, means) in means {
            draft.take(at, means);
        }
        draft
    }

    #[expect(clippy::too_many_lines, reason = "a line for each means, so that none is forgotten")]
    fn take(&mut self, at: Span, means: &Means) {
        let text = |text: &String| Some(Traced(text.clone(), at));
        match means {
            Means::Name => self.name = at,
            Means::Tasks { role, count } => self.roles[*role].count = Some(Traced(*count, at)),
            Means::Label { key, value } => self.labels.push((key.clone(), Traced(value.clone(), at))),
            Means::Image { role, image } => self.roles[*role].image = text(image),
            Means::ForcePull { role } => self.roles[*role].force_pull = Some(at),
            Means::PullSecret { role, source } => self.roles[*role].pull_secret = text(source),
            Means::Run { role } | Means::Shell { role } => self.roles[*role].command = Some(at),
            Means::Workdir { role } => self.roles[*role].workdir = Some(at),
            Means::Env { role, name } => {
                self.roles[*role].env.insert(name.clone(), at);
            }
            Means::SecretEnv { role, env, source } => self.roles[*role].secrets.push(Secret {
                env: env.clone(),
                source: source.clone(),
                at: None,
                words: at,
            }),
            Means::SecretFile { role, env, source, at: path } => self.roles[*role].secrets.push(Secret {
                env: env.clone(),
                source: source.clone(),
                at: Some(path.clone()),
                words: at,
            }),
            Means::User { role, name } => self.roles[*role].user = text(name),
            Means::Cpus { role, milli } => self.roles[*role].cpus = Some(Traced(*milli, at)),
            Means::Memory { role, mebibytes } => self.roles[*role].mem = Some(Traced(*mebibytes, at)),
            Means::Gpus { role, count } => self.roles[*role].gpus = Some(Traced(*count, at)),
            Means::Disk { role, mebibytes } => self.roles[*role].disk = Some(Traced(*mebibytes, at)),
            Means::SharedMemory { role, mebibytes } => {
                self.roles[*role].shared_memory = Some(Traced(*mebibytes, at));
            }
            Means::Constraint { role, words } => {
                self.roles[*role].constraints.push(Traced(words.clone(), at));
            }
            Means::Port { role, name, number } => {
                self.roles[*role].ports.push(PortDraft { name: name.clone(), number: *number, at });
            }
            Means::Link { role, name } => self.roles[*role].link = text(name),
            Means::Again { role, restart } => self.roles[*role].again = Some((restart.clone(), at)),
            Means::ShimRestart { role, restart } => {
                self.roles[*role].shim_restart = Some((restart.clone(), at));
            }
            Means::Replace { role } => self.roles[*role].replace = Some(at),
            Means::After { role, first, shim } => self.roles[*role].after.push((*first, *shim, at)),
            Means::Ready { role, probe } => self.roles[*role].ready = Some((probe.clone(), at)),
            Means::Code(fetched) => self.fetched.push((None, fetched.clone(), at)),
            Means::Stage { index, fetched } => self.fetched.push((Some(*index), fetched.clone(), at)),
            Means::Data { mount, .. } | Means::Checkpoints(mount) => self.mounts.push((mount.clone(), at)),
            Means::Fresh { path } => self.fresh = Some((path.clone(), at)),
            Means::Done { role } => self.roles[*role].heard = Some(at),
            Means::Scratch { role } => self.roles[*role].scratch = Some(at),
            Means::Hadoop { home, java, conf } => {
                let (home, java, conf) = (home.clone(), java.clone(), conf.clone());
                self.hadoop = Some(HadoopDraft { home, java, conf, at });
            }
            Means::Wait { seconds } => self.wait = Some((*seconds, at)),
            Means::Deadline { seconds } => self.deadline = Some((*seconds, at)),
            Means::Grace { seconds } => self.grace = Some(Traced(*seconds, at)),
            Means::Stay => self.stay = at,
            Means::Network(None) => self.host_network = Some(at),
            Means::Network(Some(name)) => self.network = text(name),
            Means::Tensorboard { logs, port, image, milli, mebibytes, folder, place } => {
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
            Means::Patch { role, text } => self.patches.add(*role, text, at),
        }
    }

    /// Where a task finds what it reads and writes.
    pub fn places(&self) -> Places {
        let storage = &self.plan.storage;
        let spot = |volume: &tfjob_lang::plan::Volume| match &volume.at {
            Some(at) => Spot::from(at.value.clone()),
            None => Spot::from(volume.uri.value.opened()),
        };
        let mut stage: Vec<Spot> = storage.stage.iter().map(spot).collect();
        let mut code = storage.code.as_ref().map(spot).unwrap_or_default();
        for (index, fetched, _) in &self.fetched {
            match index {
                None => code = fetched.place.clone(),
                Some(index) => stage[*index] = fetched.place.clone(),
            }
        }
        Places {
            code,
            stage,
            data: storage.data.iter().map(spot).collect(),
            checkpoints: storage.checkpoints.as_ref().map(spot).unwrap_or_default(),
            scratch: Spot::under(fetch::SANDBOX, format!("/{}", fetch::SCRATCH)),
        }
    }

    /// Folders of the agent that an image must be shown.
    pub fn shown(&self) -> Vec<(Mount, Span)> {
        let fetched = self.fetched.iter().filter_map(|(_, fetched, at)| match &fetched.way {
            Way::Mount(mount) => Some((mount.clone(), *at)),
            Way::Fetch { .. } | Way::Unpack { .. } => None,
        });
        fetched.chain(self.mounts.iter().cloned()).collect()
    }

    /// Whether the shim is in the job: exactly when only it can do something that is asked, or the addresses of all
    /// tasks in the app of each would be too much.
    pub fn needs_shim(&self) -> bool {
        self.plan.tasks() > WRITTEN_IN
            || self.wait.is_some()
            || self.deadline.is_some()
            || self.fresh.is_some()
            || self.roles.iter().any(|role| role.shim_restart.is_some() || role.heard.is_some())
    }
}
