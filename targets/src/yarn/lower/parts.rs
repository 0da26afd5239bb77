//! Lowering of single mechanisms: each sets a part of a component, of the service, or of the job contract.
use super::Writer;
use super::command::Sigterm;
use super::component::Draft;
use crate::contract_builder::Places;
use crate::yarn::mechanism::Duty;
use crate::yarn::rules::link_labels;
use crate::yarn::schema::{ConfigFile, DOMINANT, FileType, RETRIES, RestartPolicy, THRESHOLD};
use std::collections::BTreeMap;
use tfjob_contract::{Piece, Value};
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::{DataRef, Role, RoleId, RoleKind};
use tfjob_lang::requirement::{Lifecycle, Requirement};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::When;

/// Returns to which processes of a role the NodeManager sends SIGTERM. In Docker, it is only the first process.
const fn sigterm(role: &Role) -> Sigterm {
    if role.image.is_some() { Sigterm::First } else { Sigterm::Group }
}

impl Writer<'_, '_> {
    pub(super) fn command(&mut self, role: RoleId, argv: Vec<Value>, at: Span) {
        let draft = &mut self.roles[role];
        draft.command.argv = argv;
        draft.command_at = at;
        if draft.command.workdir.is_none() && self.job.plan.storage.code.is_some() {
            draft.command.workdir = Some(self.layout.places.code.value());
        }
    }

    /// Sets an environment variable for each reference in a shell script. Only a job without the shim needs these variables, and
    /// such a job has one task, so the index is 0.
    pub(super) fn shell_variables(&mut self, role: RoleId, at: Span) {
        let variable = |path: &[&str]| tfjob_contract::variable(path);
        let mut all = self.layout.places.variables(self.job.plan, role);
        all.push((variable(&["index"]), vec![Piece::Text("0".to_owned())]));
        for port in &self.job.plan.roles[role].ports {
            if let Some(number) = port.number {
                all.push((variable(&["port", &port.name.value]), vec![Piece::Text(number.to_string())]));
            }
        }
        for (name, value) in all {
            let at = Places::origin_of(self.job.plan, &name).unwrap_or(at);
            self.roles[role].variable(&name, value, at);
        }
    }

    pub(super) fn link(
        &mut self,
        role: RoleId,
        (label, port): (&str, u16),
        (user, domain): (&str, &str),
        at: Span,
    ) {
        let (name, count) = (self.roles[role].name.0.clone(), self.job.plan.roles[role].count.value);
        let job = &self.job.plan.name.value;
        for (index, label) in link_labels(label, count).into_iter().enumerate() {
            let url = format!("http://{name}-{index}.{job}.{user}.{domain}:{port}");
            self.service.quicklinks.insert(label, Traced(url, at));
        }
    }

    pub(super) fn in_place(
        &mut self,
        role: RoleId,
        tries: Option<u32>,
        (pause, window): (u64, Option<u64>),
        at: Span,
    ) {
        let draft = &mut self.roles[role];
        let tries = tries.map_or_else(|| "-1".to_owned(), |tries| tries.to_string());
        draft.property(RETRIES, tries, at);
        draft.property("yarn.service.container-failure.retry-interval-ms", pause, at);
        if let Some(window) = window {
            draft.property("yarn.service.container-failure.validity-interval-ms", window, at);
        }
        draft.command.waits = Some(sigterm(&self.job.plan.roles[role]));
    }

    /// Makes the commands of helpers exit with 0, even after the last failure, because any failed instance fails the service.
    pub(super) fn settle_helpers(&mut self) {
        let dominant = |draft: &Draft| draft.properties.contains_key(DOMINANT);
        let ignored = self.roles.iter().any(dominant);
        for (draft, role) in self.roles.iter_mut().zip(&self.job.plan.roles) {
            let never = draft.policy.0 == RestartPolicy::Never;
            // A helper with `waits` needs no change: the NodeManager restarts it without a limit, so it never fails permanently.
            if role.kind == RoleKind::Helper && draft.command.waits.is_none() && !(ignored && never) {
                draft.command.waits = Some(sigterm(role));
                draft.command.settles = true;
            }
        }
    }

    /// Tells the shims which roles YARN restarts. Only shims that check which tasks have finished need this.
    pub(super) fn set_replaced_roles(&mut self) {
        let Some(builder) = self.builder.as_mut().filter(|builder| builder.sees_ends()) else { return };
        for (role, draft) in self.roles.iter().enumerate() {
            let Traced(policy, at) = &draft.policy;
            if *policy != RestartPolicy::Never || draft.command.waits.is_some() {
                builder.returns(role, *at);
            }
        }
    }

    pub(super) fn replace(&mut self, role: RoleId, always: bool, limited: bool, at: Span) {
        let draft = &mut self.roles[role];
        let policy = if always { RestartPolicy::Always } else { RestartPolicy::OnFailure };
        draft.policy = Traced(policy, at);
        if limited {
            draft.property(THRESHOLD, 0, at);
        }
        if !draft.properties.contains_key(RETRIES) {
            draft.property(RETRIES, 0, at);
        }
    }

    /// Adds a file to the files of every component. `dest`: path in the container. `source`: URI of the file. `None` for a file
    /// that consists of `properties`.
    pub(super) fn file(
        &mut self,
        kind: FileType,
        dest: &str,
        source: Option<&str>,
        properties: BTreeMap<String, String>,
        at: Span,
    ) {
        self.service.configuration.files.push(ConfigFile {
            kind,
            dest_file: Traced(dest.to_owned(), at),
            src_file: source.map(|source| Traced(source.to_owned(), at)),
            visibility: None,
            properties,
        });
    }

    pub(super) fn mount(
        &mut self,
        place: DataRef,
        roles: &[RoleId],
        (source, path, writable): (&str, &str, bool),
        at: Span,
    ) {
        let mode = if writable { "rw" } else { "ro" };
        for role in roles {
            self.roles[*role].mounts.push(Traced(format!("{source}:{path}:{mode}"), at));
        }
        if roles.is_empty() {
            self.note(at, "every node has the directory at this path");
        }
        if matches!(place, DataRef::Checkpoints | DataRef::Data(_)) {
            self.shared.push(Traced(format!("{source}:{path}:ro"), at));
        }
    }

    /// Makes the NodeManager keep the Docker containers of finished tasks. The directories of tasks without Docker are kept by a
    /// setting of the cluster, so the job needs no setting for them.
    pub(super) fn kept(&mut self, at: Span) {
        for (draft, role) in self.roles.iter_mut().zip(&self.job.plan.roles) {
            if role.image.is_some() {
                draft.runtime("YARN_CONTAINER_RUNTIME_DOCKER_DELAYED_REMOVAL", "true", at);
            }
        }
        self.note(at, "the NodeManager keeps the files of finished containers");
    }

    pub(super) fn duty(&mut self, duty: &Duty, at: Span) {
        match duty {
            Duty::Wait(seconds) => self.carried(|builder| builder.wait(*seconds, at)),
            Duty::Restart { role, terms } => {
                if self.job.plan.storage.checkpoints.as_ref().is_some_and(|c| c.at.is_some()) {
                    self.watched = Some(at);
                }
                self.carried(|builder| builder.restart(*role, terms, at));
            }
            Duty::After { role, first, when } => {
                let ready =
                    self.job.plan.requirements.iter().find_map(|required| match &required.requirement {
                        Requirement::Lifecycle(Lifecycle::Ready { role, probe })
                            if role == first && *when == When::Ready =>
                        {
                            Some((probe, required.at))
                        }
                        _ => None,
                    });
                self.carried(|builder| {
                    builder.after(*role, *first, *when, at);
                    if let Some((probe, at)) = ready {
                        builder.ready(*first, probe, at);
                    }
                });
            }
            Duty::Ends(success) => {
                self.carried(|builder| builder.ends_with(*success, at));
                self.note(at, "when the job completes, the shims stop the tasks that are still running");
            }
            Duty::Done { role } => self.carried(|builder| builder.hears(*role, at)),
            Duty::Fresh => self.fresh = Some(at),
            Duty::FreePort => self.note(at, "the shim finds a free port"),
        }
    }

    /// Lets the shim watch the checkpoint directory, if a `restart` needs this, or if the directory must be empty before the job
    /// starts.
    pub(super) fn watch(&mut self) {
        let every = self.every.take();
        if let Some(at) = self.fresh.or(self.watched) {
            let path = self.layout.places.checkpoints.path.clone();
            let fresh = self.fresh.is_some();
            self.carried(|builder| builder.checkpoints(&path, every.map(|(seconds, _)| seconds), fresh, at));
            let plan = self.job.plan;
            if fresh {
                self.carried(|builder| builder.looked(plan, at));
            }
        }
        if let Some((_, at)) = every {
            self.note(at, "the program writes the checkpoints");
        }
    }
}
