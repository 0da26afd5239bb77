//! Input of support, checks, and lowering: the plan, the options, and facts derived from both.
use super::Yarn;
use super::release::Release;
use super::support::storage::upload::Copies;
use crate::contract_builder;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use tfjob_lang::plan::{Command, Plan, Role, RoleId};
use tfjob_lang::requirement::{Job, Lifecycle, Loss, Network, Program, Requirement, Storage};
use tfjob_lang::spec::values::{Class, Uri};
use tfjob_lang::spec::{Success, When};
use tfjob_lang::target::Site;

/// A job and the options of its cluster.
pub struct Context<'a> {
    /// The job.
    pub plan: &'a Plan,
    /// The `target` blocks of the job and of its roles.
    pub site: &'a Site<Yarn>,
    /// The oldest Hadoop release that the cluster may run.
    pub release: Release,
    copies: OnceCell<Copies>,
    network: OnceCell<Option<&'a str>>,
    waiting: OnceCell<BTreeSet<RoleId>>,
}

impl<'a> Context<'a> {
    /// Creates the context of a job.
    #[must_use]
    pub fn new(plan: &'a Plan, site: &'a Site<Yarn>) -> Self {
        Self {
            plan,
            site,
            release: Release::of(site.job.hadoop.as_ref().map(|h| &h.value)),
            copies: OnceCell::new(),
            network: OnceCell::new(),
            waiting: OnceCell::new(),
        }
    }

    /// Returns the `code` and `files` entries of the job, by link name and by source file.
    #[must_use]
    pub fn copies(&self) -> &Copies {
        self.copies.get_or_init(|| Copies::of(self))
    }

    /// Returns a role.
    #[must_use]
    pub fn role(&self, role: RoleId) -> &'a Role {
        &self.plan.roles[role]
    }

    /// Returns whether the role runs in a Docker container.
    #[must_use]
    pub fn docker(&self, role: RoleId) -> bool {
        self.role(role).image.is_some()
    }

    /// Returns the domain of the registry DNS, or `None` if the option `dns-domain` is not set.
    #[must_use]
    pub fn domain(&self) -> Option<&'a str> {
        self.site.job.dns_domain.as_ref().map(|d| d.value.as_str())
    }

    /// Returns the path of a file or a directory on each node, or `None` if the nodes do not have it.
    #[must_use]
    pub fn node_path(&self, uri: &Uri) -> Option<String> {
        if uri.scheme().class() == Class::Node {
            return Some(uri.path().to_owned());
        }
        let text = uri.to_string();
        let mounted = self.site.job.mounted.iter().filter_map(|(from, to)| {
            let rest = text.strip_prefix(from.value.trim_end_matches('/'))?;
            (rest.is_empty() || rest.starts_with('/'))
                .then(|| (from.value.len(), format!("{}{rest}", to.value.as_str())))
        });
        mounted.max_by_key(|(length, _)| *length).map(|(_, path)| path)
    }

    /// Returns the user who submits the job, or `None` if the option `user` is not set.
    #[must_use]
    pub fn user(&self) -> Option<&'a str> {
        self.site.job.user.as_ref().map(|u| u.value.as_str())
    }

    /// Returns the option `user`. If it is not set, returns the token `${USER}`, which the service master replaces by the user
    /// name.
    #[must_use]
    pub fn user_token(&self) -> String {
        self.user().unwrap_or("${USER}").to_owned()
    }

    /// Returns the container network, or `None` if containers use the network of the node.
    #[must_use]
    pub fn network(&self) -> Option<&'a str> {
        *self.network.get_or_init(|| {
            self.plan.requirements.iter().find_map(|required| {
                let Requirement::Network(Network::Container(name)) = &required.requirement else {
                    return None;
                };
                Some(name.as_str())
            })
        })
    }

    /// Returns the name of the leader for a message: its role, with the number of the task if the role has several tasks.
    #[must_use]
    pub fn leader_name(&self) -> String {
        let role = self.role(self.plan.leader().unwrap_or_default());
        let name = &role.name.value;
        if role.count.value > 1 { format!("task 0 of `{name}`") } else { format!("`{name}`") }
    }

    /// Returns whether tasks wait until all peers have an address. They wait if the job sets `start timeout`, which limits the
    /// wait, or if the first task checks for existing checkpoints. Without `start timeout`, the wait has no limit.
    #[must_use]
    pub fn waits_for_peers(&self) -> bool {
        let waits = |requirement: &Requirement| {
            matches!(
                requirement,
                Requirement::Lifecycle(Lifecycle::StartTimeout { .. })
                    | Requirement::Storage(Storage::CheckpointsFresh { mounted: true })
            )
        };
        self.plan.peers() > 1 && self.requirements(waits)
    }

    /// Returns whether the shim must start the tasks, for example because the job has a rendezvous, or because an argument differs
    /// between tasks. A job may also need the shim for a `mechanism::Duty`, which this function does not check.
    #[must_use]
    pub fn carried(&self) -> bool {
        let roles = || self.plan.roles.iter();
        let shell = roles().any(|r| matches!(r.command, Command::Shell(_)));
        // A shell that is the first process of a container ignores SIGTERM, and does not forward it to its child processes.
        let no_sigterm = roles().any(|r| r.image.is_some() && r.command.begins_with_shell());
        self.plan.meets()
            || self.waits_for_peers()
            || roles().any(|r| contract_builder::own_words(r).is_some())
            || roles().any(|r| r.ports.iter().any(|p| p.number.is_none()))
            || (shell && self.plan.tasks() > 1)
            || (no_sigterm
                && self.requirements(|requirement| {
                    matches!(requirement, Requirement::Lifecycle(Lifecycle::StopGrace { .. }))
                }))
            || self.requirements(|requirement| {
                matches!(requirement, Requirement::Program(Program::Hadoop { .. }))
            })
    }

    /// Returns whether the job has a requirement that the function `such` accepts.
    pub fn requirements(&self, such: impl Fn(&Requirement) -> bool) -> bool {
        self.plan.requirements.iter().any(|required| such(&required.requirement))
    }

    /// Returns whether the shim of a dependent role must wait until `first` has reached the state `when`, because the service
    /// master cannot wait for this state. There are two cases. If the shim of `first` itself waits, its container already counts as
    /// running and, without a readiness check, as ready. Or `when` is `started`, but the service master would wait longer: until a
    /// readiness check passes or, in older releases, until `first` has finished.
    #[must_use]
    pub fn waits_in_shim(&self, first: RoleId, when: When) -> bool {
        self.waiting().contains(&first) || self.by_shim(first, when)
    }

    fn by_shim(&self, first: RoleId, when: When) -> bool {
        let probed = || {
            self.requirements(|requirement| matches!(requirement, Requirement::Lifecycle(Lifecycle::Ready { role, .. }) if *role == first))
        };
        when == When::Started && (!self.release.ready_while_running() || probed())
    }

    /// Returns the roles whose shim, before it starts the program, waits for the addresses of peers or for another role.
    fn waiting(&self) -> &BTreeSet<RoleId> {
        self.waiting.get_or_init(|| {
            let waits = self.waits_for_peers();
            let members = (0..self.plan.roles.len()).filter(|id| self.role(*id).kind.joins_rendezvous());
            let mut waiting: BTreeSet<RoleId> = members.filter(|_| waits).collect();
            let mut dependencies = Vec::new();
            for required in &self.plan.requirements {
                let Requirement::Lifecycle(Lifecycle::After { role, first, when }) = &required.requirement
                else {
                    continue;
                };
                if self.by_shim(*first, *when) {
                    waiting.insert(*role);
                } else if *when != When::Done {
                    dependencies.push((*role, *first));
                }
            }
            loop {
                let before = waiting.len();
                let delayed = dependencies.iter().filter(|(_, first)| waiting.contains(first));
                let delayed: Vec<RoleId> = delayed.map(|(role, _)| *role).collect();
                waiting.extend(delayed);
                if waiting.len() == before {
                    return waiting;
                }
            }
        })
    }

    /// Returns which tasks decide job success.
    #[must_use]
    pub fn success(&self) -> Success {
        let found = self.plan.requirements.iter().find_map(|required| {
            let Requirement::Lifecycle(Lifecycle::Success(success)) = &required.requirement else {
                return None;
            };
            Some(*success)
        });
        found.unwrap_or(Success::All)
    }

    /// Returns whether tasks of the role bind ports on the network of the node. There, two tasks on one node may need the same
    /// port.
    #[must_use]
    pub fn shares_ports(&self, role: RoleId) -> bool {
        !(self.docker(role) && self.network().is_some())
    }

    /// Returns the roles that decide job success. `None` if a single task decides it, although its role has several tasks.
    #[must_use]
    pub fn counting(&self) -> Option<Vec<RoleId>> {
        let success = self.success();
        match success {
            Success::All | Success::Workers => Some(self.plan.deciding(success).collect()),
            Success::Chief => {
                let first = self.plan.leader()?;
                (self.role(first).count.value == 1).then(|| vec![first])
            }
        }
    }

    /// Returns what ends the service.
    #[must_use]
    pub fn ending(&self) -> Ending {
        let board =
            self.requirements(|requirement| matches!(requirement, Requirement::Job(Job::Tensorboard(_))));
        let all_count = |all: &[RoleId]| all.len() == self.plan.roles.len();
        match self.counting().as_deref() {
            Some(all) if all_count(all) && !board => Ending::All,
            Some([only]) if self.release.dominant() => Ending::Dominant(*only),
            // Without a rendezvous, no shim sees when the job completes, so TensorBoard is unsupported. If an `allow` accepts this,
            // the job runs without TensorBoard.
            Some(all) if all_count(all) && !self.plan.meets() => Ending::All,
            Some(_) | None => Ending::Shims,
        }
    }
}

/// Returns whether no failed task ends the service, because each role of the rendezvous restarts without a limit. Only then may
/// YARN restart the service master. In other jobs, a new service master would rerun a failed service
/// (yarn#second-master-attempts).
#[must_use]
pub fn never_fails(plan: &Plan) -> bool {
    let unlimited = |id: RoleId| {
        plan.requirements.iter().any(|required| {
            matches!(&required.requirement, Requirement::Lifecycle(Lifecycle::Restart { role, after: Loss::Node, restart }) if *role == id && !restart.is_finite())
        })
    };
    let members = (0..plan.roles.len()).filter(|id| plan.roles[*id].kind.joins_rendezvous());
    members.into_iter().all(unlimited)
}

/// The condition under which the service ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The service ends when all components have finished. One failed instance fails the service.
    All,
    /// The service ends when this component has finished.
    Dominant(RoleId),
    /// The service ends when all components have finished, as with `All`. The shims stop long-running tasks, because these would
    /// keep the service running forever.
    Shims,
}
