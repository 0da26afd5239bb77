//! What a TFJob gives of each ask: one file a subject.
pub(super) mod board;
pub(super) mod end;
pub(super) mod framework;
pub(super) mod identity;
pub(super) mod job;
pub(super) mod lifecycle;
pub(super) mod mountable;
pub(super) mod network;
pub(super) mod place;
pub(super) mod placement;
pub(super) mod program;
pub(super) mod resources;
pub(super) mod start;
pub(super) mod storage;
pub(super) mod task;

pub use crate::mounts::{is_directory, is_system};

use super::means::Means;
use super::options::Options;
use super::{Kubernetes, life};
use crate::carry::Places;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use tfjob_lang::ask;
use tfjob_lang::ask::{Ask, Lifecycle, Program};
use tfjob_lang::plan::{Plan, RoleId, RoleKind, Volume};
use tfjob_lang::spec::Success;
use tfjob_lang::target::Support;
use tfjob_lang::target::{Answer, Site};

impl Support for Kubernetes {
    type Means = Means;
    type Context<'a> = Context<'a>;

    fn job(ask: &ask::Job, case: &Self::Context<'_>) -> Answer<Means> {
        job::answer(ask, case)
    }

    fn program(ask: &ask::Program, case: &Self::Context<'_>) -> Answer<Means> {
        program::answer(ask, case)
    }

    fn identity(ask: &ask::Identity, case: &Self::Context<'_>) -> Answer<Means> {
        identity::answer(ask, case)
    }

    fn resources(ask: &ask::Resources, case: &Self::Context<'_>) -> Answer<Means> {
        resources::answer(ask, case)
    }

    fn network(ask: &ask::Network, case: &Self::Context<'_>) -> Answer<Means> {
        network::answer(ask, case)
    }

    fn lifecycle(ask: &ask::Lifecycle, case: &Self::Context<'_>) -> Answer<Means> {
        lifecycle::answer(ask, case)
    }

    fn placement(ask: &ask::Placement, case: &Self::Context<'_>) -> Answer<Means> {
        placement::answer(ask, case)
    }

    fn storage(ask: &ask::Storage, case: &Self::Context<'_>) -> Answer<Means> {
        storage::answer(ask, case)
    }
}

/// An answer of this target.
pub type Answered = Answer<Means>;

/// The folder that is ours in each container.
pub const OWN: &str = "/tfjob";

/// Files that the kubelet mounts into each container.
pub const SYSTEM_FILES: [&str; 4] =
    ["/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/dev/termination-log"];
/// The directory that the kubelet mounts into each container: in a read-only volume above there is no place for it.
pub const TOKEN: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// What every answer may look at.
#[derive(Debug)]
pub struct Context<'a> {
    /// The job.
    pub plan: &'a Plan,
    /// What it says of the cluster.
    pub options: &'a Options,
    /// Where everything is put.
    pub places: Places,
    forms: OnceCell<BTreeMap<&'a str, storage::Form>>,
}

impl<'a> Context<'a> {
    /// The case of one job.
    pub fn new(plan: &'a Plan, site: &'a Site<Kubernetes>) -> Self {
        Self { plan, options: &site.job, places: places(plan), forms: OnceCell::new() }
    }

    /// What a container finds at each path that the spec names.
    pub fn forms(&self) -> &BTreeMap<&'a str, storage::Form> {
        self.forms.get_or_init(|| storage::forms(self))
    }

    /// The name of a role.
    pub fn role(&self, role: RoleId) -> &str {
        &self.plan.roles[role].name.value
    }

    /// Hadoop's folder, Java's, and that of the configuration, where the image has them.
    pub fn hadoop(&self) -> Option<(String, String, Option<String>)> {
        self.plan.asks.iter().find_map(|asked| {
            let Ask::Program(Program::Hadoop { home, java, conf }) = &asked.ask else { return None };
            Some((home.clone(), java.clone(), conf.clone()))
        })
    }

    /// Whether others look for a role's tasks by name before these are ready. Nobody looks for an evaluator, unless its
    /// success is a part of the job's.
    pub fn needs_name(&self, role: RoleId) -> bool {
        let all = |ask: &Ask| matches!(ask, Ask::Lifecycle(Lifecycle::Success(Success::All)));
        let evaluator = self.plan.roles[role].kind == RoleKind::Evaluator;
        self.meets(role) && (!evaluator || self.plan.asks.iter().any(|asked| all(&asked.ask)))
    }

    /// Whether a role's tasks meet others.
    pub fn meets(&self, role: RoleId) -> bool {
        life::replica_type(self.plan, role).is_some() && self.plan.rendezvous_tasks() > 1
    }
}

/// Why nothing can be mounted at a path, if nothing can: because of the path itself, or because it is below a file or in
/// something read-only, where the container runtime cannot make a directory to mount on.
pub fn unmountable_in(case: &Context<'_>, at: &str) -> Option<String> {
    let above = at.match_indices('/').map(|(end, _)| &at[..end]);
    let inside = above.rev().find_map(|outer| match case.forms().get(outer)? {
        storage::Form::File => Some(format!("cannot mount inside `{outer}`, which is a file")),
        storage::Form::ReadOnly => Some(format!("cannot mount inside `{outer}`, which is read-only")),
        storage::Form::Directory => None,
    });
    let file = || case.forms().get(at) == Some(&storage::Form::File);
    unmountable(at).or(inside).or_else(|| over_directory(at).filter(|_| file()))
}

/// Why no file can be mounted at a path, if none can.
pub fn over_directory(at: &str) -> Option<String> {
    is_directory(at).then(|| format!("cannot mount a file at `{at}`, which is a directory of the image"))
}

/// Where everything is put, as a task sees it.
pub fn places(plan: &Plan) -> Places {
    let storage = &plan.storage;
    let at = |volume: &Volume, else_at: String| volume.at.as_ref().map_or(else_at, |at| at.value.clone());
    let uri = |volume: &Volume| at(volume, volume.uri.value.to_string());
    let stage = |volume: &Volume| at(volume, format!("{OWN}/stage/{}", volume.name.value));
    Places {
        code: storage.code.as_ref().map_or_else(String::new, |v| at(v, format!("{OWN}/code"))).into(),
        stage: storage.stage.iter().map(|v| stage(v).into()).collect(),
        data: storage.data.iter().map(|v| uri(v).into()).collect(),
        checkpoints: storage.checkpoints.as_ref().map_or_else(String::new, uri).into(),
        scratch: format!("{OWN}/scratch").into(),
    }
}

/// Why nothing can be mounted at a path, if nothing can.
pub fn unmountable(at: &str) -> Option<String> {
    let at = if at == "/" { at } else { at.trim_end_matches('/') };
    let below = |folder: &str| at.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    if at.contains(':') {
        return Some(format!("cannot mount at `{at}`: the kubelet refuses a path with a colon"));
    }
    if is_system(at) {
        return Some(format!("cannot mount at `{at}`: it would hide the container's own system"));
    }
    if let Some(file) = SYSTEM_FILES.iter().find(|file| at == **file || below(file)) {
        return Some(format!("keeps `{file}`, which the kubelet writes for each Pod"));
    }
    if TOKEN.strip_prefix(at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
        return Some(format!("cannot mount at `{at}`: the kubelet mounts the service account at `{TOKEN}`"));
    }
    if at == "/dev/shm" || at.starts_with("/dev/shm/") {
        return Some("keeps `/dev/shm` for shared memory".to_owned());
    }
    let ours = at == OWN || at.strip_prefix(OWN).is_some_and(|rest| rest.starts_with('/'));
    ours.then(|| format!("keeps `{OWN}` for code, staged files and the shim"))
}
