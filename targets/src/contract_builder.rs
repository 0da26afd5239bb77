//! Builds the contract from a plan, and records for each value the span in the spec that sets it. The shim reads the job from the
//! contract.
mod order;
mod places;
mod reads;
mod view;

pub use order::{stays, waits_again};
pub use places::{Location, Places, plain, variable_of};
pub use view::{lost_variables, view};

use crate::libhdfs::JARS;
use std::collections::BTreeMap;
use tfjob_contract::{
    After, Checkpoints, Contract, Duties, Hadoop, NEWEST, Peers, Piece, RENDEZVOUS, Ready, Restart, Role,
    RoleDuties, RoleKind, Run, Source, Success, Value, When,
};
use tfjob_lang::origin::{Origins, pointer_step};
use tfjob_lang::plan::{self, Command, Part, Plan, RoleId, Template};
use tfjob_lang::requirement;
use tfjob_lang::sources::Span;
use tfjob_lang::spec::RestartOn;

/// Text for the user: how a target emulates `{done}`.
pub const HEARD: &str = "the program creates the file `{done}` to report that its work is complete; if the program does not exit after that, the shim stops it";

/// The contract while it is built.
#[derive(Debug, Clone)]
pub struct ContractBuilder {
    contract: Contract,
    origins: BTreeMap<String, Span>,
}

impl ContractBuilder {
    /// Returns a builder with the values of the plan. `role` and `index`: where the shim reads the role and the index of its task.
    /// `peers`: where the shim reads the addresses of the other tasks.
    #[must_use]
    pub fn new(plan: &Plan, places: &Places, role: Source, index: Source, peers: Peers) -> Self {
        let mut origins = BTreeMap::from([
            ("/job".to_owned(), plan.name.span),
            ("/framework".to_owned(), plan.framework.name.span),
        ]);
        let roles = (0..plan.roles.len()).map(|id| role_of(plan, places, id, &mut origins)).collect();
        let contract = Contract {
            version: NEWEST,
            job: plan.name.value.clone(),
            framework: plan.framework.of_contract(),
            role,
            index,
            peers,
            hadoop: None,
            roles,
            duties: None,
        };
        Self { contract, origins }
    }

    /// Records the span in the spec that sets the value at a JSON pointer of the contract.
    pub fn trace(&mut self, pointer: &str, at: Span) {
        self.origins.insert(pointer.to_owned(), at);
    }

    /// Sets the directories of Hadoop and Java in the image, and the directory of the Hadoop configuration, if the spec sets it.
    pub fn hadoop(&mut self, home: &str, java: &str, conf: Option<&str>, at: Span) {
        self.contract.hadoop = Some(Hadoop {
            home: home.to_owned(),
            java: Some(java.to_owned()),
            conf: conf.map(str::to_owned),
            jars: JARS.iter().map(|folder| format!("share/hadoop/{folder}")).collect(),
        });
        self.trace("/hadoop", at);
    }

    /// Adds to one role an environment variable that is not in the `env` of the spec, such as the path of a secret file.
    pub fn variable(&mut self, role: RoleId, name: &str, value: &str, at: Span) {
        let env = &mut self.contract.roles[role].env;
        env.push((name.to_owned(), vec![Piece::Text(value.to_owned())]));
        let pointer = format!("/roles/{role}/env/{}", env.len() - 1);
        self.trace(&pointer, at);
    }

    /// Returns the contract, so that the caller can make a change that no method of this builder makes, such as adding the role of
    /// TensorBoard.
    pub fn contract_mut(&mut self) -> &mut Contract {
        &mut self.contract
    }

    /// Returns whether the shims wait for peers.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.contract.duties.as_ref().is_some_and(|duties| duties.wait.is_some())
    }

    /// Returns whether the shim of a task of this role stores the restart count ([`Contract::keeps_restart_budget`]).
    #[must_use]
    pub fn keeps(&self, role: RoleId) -> bool {
        self.contract.roles.get(role).is_some_and(|role| self.contract.keeps_restart_budget(role))
    }

    fn duties(&mut self) -> &mut Duties {
        self.contract.duties.get_or_insert_with(Duties::default)
    }

    fn role_duties(&mut self, role: RoleId) -> &mut RoleDuties {
        self.contract.roles[role].duties.get_or_insert_with(RoleDuties::default)
    }

    /// Lets the shims wait for peers, for at most `seconds`.
    pub fn wait(&mut self, seconds: u64, at: Span) {
        self.duties().wait = Some(seconds);
        self.trace("/duties/wait", at);
    }

    /// Makes all tasks wait until the leader, such as task 0 of the chief, has checked that the checkpoint directory is empty.
    /// Otherwise, another task could write checkpoints before the check. The leader has an address only after the check, so the
    /// other tasks wait for the addresses of their peers. If the job has no `start timeout`, this wait has no limit.
    pub fn looked(&mut self, plan: &Plan, at: Span) {
        let bounded = plan.requirements.iter().any(|required| {
            matches!(
                required.requirement,
                requirement::Requirement::Lifecycle(requirement::Lifecycle::StartTimeout { .. })
            )
        });
        if plan.peers() > 1 && !bounded {
            self.wait(u64::MAX, at);
        }
        let Some(first) = plan.leader() else { return };
        let leads = self.contract.roles[first].name.clone();
        for role in (0..plan.roles.len()).filter(|id| plan.roles[*id].kind == RoleKind::Evaluator) {
            let own = self.contract.roles[role].duties.as_ref();
            if !own.is_some_and(|duties| duties.after.iter().any(|after| after.role == leads)) {
                self.after(role, first, When::Started, at);
            }
        }
    }

    /// Lets the shims stop the job after `seconds`.
    pub fn deadline(&mut self, seconds: u64, at: Span) {
        self.duties().deadline = Some(seconds);
        self.trace("/duties/deadline", at);
    }

    /// Sets the number of seconds between SIGTERM and SIGKILL.
    pub fn grace(&mut self, seconds: u64, at: Span) {
        self.duties().grace = Some(seconds);
        self.trace("/duties/grace", at);
    }

    /// Sets the grace period of the shim. `seconds`: the time between the platform's SIGTERM and its SIGKILL. The shim sends its
    /// own SIGKILL one second earlier, so that it can still report the result of the task. Nothing is set if the shim has no
    /// duties, or if `seconds` is less than 2.
    pub fn within(&mut self, seconds: u64, at: Span) {
        if self.contract.has_duties() && seconds > 1 {
            self.grace(seconds - 1, at);
        }
    }

    /// Lets the shims stop long-running tasks when the job completes.
    pub fn ends_with(&mut self, success: Success, at: Span) {
        self.duties().ends_with = Some(success);
        self.trace("/duties/ends_with", at);
    }

    /// Lets the shim keep its container running after success, because the platform would restart a container that exits.
    pub fn hold(&mut self, at: Span) {
        self.duties().hold = true;
        self.trace("/duties/hold", at);
    }

    /// Lets the shim watch the checkpoint directory `path`. `every`: checkpoint interval in seconds. `fail_if_exists`: whether the
    /// task fails if the directory already has checkpoints.
    pub fn checkpoints(&mut self, path: &str, every: Option<u64>, fail_if_exists: bool, at: Span) {
        self.duties().checkpoints = Some(Checkpoints { path: path.to_owned(), every, fail_if_exists });
        self.trace("/duties/checkpoints", at);
    }

    /// Lets the shim restart the program of a role inside the container of the task.
    pub fn restart(&mut self, role: RoleId, terms: &requirement::Restart, at: Span) {
        self.role_duties(role).restart = Some(Restart {
            always: terms.on == RestartOn::Always,
            limit: terms.limit,
            within: terms.within,
            backoff: terms.backoff,
            max_backoff: terms.max_backoff,
            min_uptime: terms.min_uptime,
            no_progress_limit: terms.no_progress_limit,
            codes: terms.codes.clone(),
        });
        self.trace(&format!("/roles/{role}/duties/restart"), at);
    }

    /// Lets the tasks of `role` start only after the tasks of `first` have reached the state `when`.
    pub fn after(&mut self, role: RoleId, first: RoleId, when: When, at: Span) {
        let first = self.contract.roles[first].name.clone();
        let after = &mut self.role_duties(role).after;
        after.push(After { role: first, when });
        let pointer = format!("/roles/{role}/duties/after/{}", after.len() - 1);
        self.trace(&pointer, at);
    }

    /// Lets the tasks of `role` exit only after the tasks of the roles `others` have finished.
    pub fn outlives(&mut self, role: RoleId, others: &[RoleId], at: Span) {
        let names = others.iter().map(|other| self.contract.roles[*other].name.clone()).collect();
        self.role_duties(role).outlives = names;
        self.trace(&format!("/roles/{role}/duties/outlives"), at);
    }

    /// Records that the platform replaces lost containers of a role.
    pub fn returns(&mut self, role: RoleId, at: Span) {
        self.role_duties(role).returns = true;
        self.trace(&format!("/roles/{role}/duties/returns"), at);
    }

    /// Returns whether the shims check which other tasks have finished, so that they can stop long-running tasks.
    #[must_use]
    pub fn sees_ends(&self) -> bool {
        self.contract.duties.as_ref().is_some_and(|duties| duties.ends_with.is_some())
    }

    /// Sets the readiness probe of a role.
    pub fn ready(&mut self, role: RoleId, probe: &requirement::Probe, at: Span) {
        self.role_duties(role).ready = Some(match probe {
            requirement::Probe::Tcp(port) => Ready::Tcp(port.clone()),
            requirement::Probe::Http(port, path) => Ready::Http { port: port.clone(), path: path.clone() },
            requirement::Probe::File(path) => Ready::File(path.clone()),
        });
        self.trace(&format!("/roles/{role}/duties/ready"), at);
    }

    /// Records that the platform probes the rendezvous port of a role. So while a shim of this role waits for peers, it answers on
    /// this port. Otherwise, the probe would fail, and some platforms would not publish the address of the task.
    pub fn probed(&mut self, role: RoleId, at: Span) {
        let own = &self.contract.roles[role];
        let stated = own.duties.as_ref().is_some_and(|duties| duties.ready.is_some());
        if self.waits() && !stated && !self.contract.all_listen(own) {
            self.ready(role, &requirement::Probe::Tcp(RENDEZVOUS.to_owned()), at);
        }
    }

    /// Lets the shim watch for the `{done}` file, by which the program of a role reports that its work is complete.
    pub fn hears(&mut self, role: RoleId, at: Span) {
        self.role_duties(role).done = true;
        self.trace(&format!("/roles/{role}/duties/done"), at);
    }

    /// Returns the contract, and the span in the spec for each of its values.
    #[must_use]
    pub fn done(mut self) -> (Contract, Origins) {
        self.follow();
        (self.contract, Origins(self.origins))
    }
}

fn role_of(plan: &Plan, places: &Places, id: RoleId, origins: &mut BTreeMap<String, Span>) -> Role {
    let role = &plan.roles[id];
    let base = format!("/roles/{id}");
    let mut from = |pointer: String, at: Span| origins.insert(format!("{base}{pointer}"), at);
    from("/name".to_owned(), role.name.span);
    from("/count".to_owned(), role.count.span);
    let run = match &role.command {
        Command::Run(words) => {
            for (i, word) in words.iter().enumerate() {
                from(format!("/run/argv/{i}"), word.span);
            }
            if let (Some(first), Some(last)) = (words.first(), words.last()) {
                from("/run".to_owned(), first.span.to(last.span));
            }
            Run::Argv(words.iter().map(|w| places.value(w, plan)).collect())
        }
        Command::Shell(text) => {
            from("/run/shell".to_owned(), text.span);
            Run::Shell(text.value.clone())
        }
    };
    let mut env: Vec<(String, Value)> = Vec::new();
    if matches!(role.command, Command::Shell(_)) {
        for (name, value) in places.variables(plan, id) {
            if let Some(at) = Places::origin_of(plan, &name) {
                from(format!("/env/{}", env.len()), at);
            }
            env.push((name, value));
        }
    }
    for (name, value) in &role.env {
        from(format!("/env/{}", env.len()), name.span);
        env.push((name.value.clone(), places.value(value, plan)));
    }
    if let Some(path) = &role.workdir {
        from("/workdir".to_owned(), path.span);
    }
    let duties = reads::of(plan, places, id).map(|(duties, at)| {
        from("/duties/reads".to_owned(), at);
        duties
    });
    let cluster = role.ports.iter().find(|p| p.name.value == RENDEZVOUS);
    let others = role.ports.iter().filter(|p| p.name.value != RENDEZVOUS);
    let ports = others.map(|p| (p.name.value.clone(), p.number.unwrap_or(0))).collect();
    for port in &role.ports {
        let name = pointer_step(&port.name.value);
        let at = if name == RENDEZVOUS { "/port".to_owned() } else { format!("/ports/{name}") };
        from(at, port.name.span);
    }
    Role {
        name: role.name.value.clone(),
        kind: role.kind.membership(),
        count: role.count.value,
        port: cluster.and_then(|p| p.number).unwrap_or(0),
        gpus: (!role.resources.other_devices).then_some(role.resources.gpus),
        run,
        workdir: workdir(role, plan, places),
        env,
        ports,
        duties,
    }
}

/// Returns the working directory of a role: its `workdir`, or `{code}` if the role has no `workdir`. `None` if the job has no code
/// either.
fn workdir(role: &plan::Role, plan: &Plan, places: &Places) -> Option<Value> {
    match &role.workdir {
        Some(path) => Some(places.value(path, plan)),
        None => plan.storage.code.as_ref().map(|_| places.code.value()),
    }
}

/// Returns the span of the first reference in a role to a value that differs for each task, such as `{index}`. `None` if the role
/// has no such reference.
#[must_use]
pub fn own_words(role: &plan::Role) -> Option<Span> {
    let words: Vec<&Template> = match &role.command {
        Command::Run(words) => words.iter().collect(),
        Command::Shell(_) => Vec::new(),
    };
    let all = words.into_iter().chain(&role.workdir).chain(role.env.iter().map(|(_, value)| value));
    all.flat_map(|t| &t.parts).find_map(|part| match part {
        Part::Task(_, at) => Some(*at),
        Part::Text(_) | Part::Data(..) => None,
    })
}

/// Returns the help for `gang` on a platform that starts the containers one by one. `waiting`: what waits for peers, such as
/// `executors`. `refused`: whether the target refuses not only `gang` but also `start timeout` in this job.
pub fn without_gang(plan: &Plan, waiting: &str, refused: bool) -> String {
    let limited = plan.requirements.iter().any(|required| {
        matches!(
            required.requirement,
            requirement::Requirement::Lifecycle(requirement::Lifecycle::StartTimeout { .. })
        )
    });
    match (refused, limited) {
        (true, _) => "remove `gang`".to_owned(),
        (false, true) => format!("remove `gang`; `start timeout` already limits how long {waiting} wait"),
        (false, false) => {
            format!("remove `gang`, and write `start timeout=\"30m\"` to limit how long {waiting} wait")
        }
    }
}
