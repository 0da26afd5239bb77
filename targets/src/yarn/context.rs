//! What answers and rules look at: the job, its cluster, and what follows from both.
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

/// A job at a cluster.
pub struct Context<'a> {
    /// The job.
    pub plan: &'a Plan,
    /// What is said of the cluster.
    pub site: &'a Site<Yarn>,
    /// The oldest release that it may run.
    pub release: Release,
    copies: OnceCell<Copies>,
    waiting: OnceCell<BTreeSet<RoleId>>,
}

impl<'a> Context<'a> {
    /// Both together.
    #[must_use]
    pub fn new(plan: &'a Plan, site: &'a Site<Yarn>) -> Self {
        Self {
            plan,
            site,
            release: Release::of(site.job.hadoop.as_ref().map(|h| &h.value)),
            copies: OnceCell::new(),
            waiting: OnceCell::new(),
        }
    }

    /// What the engine copies into the containers.
    #[must_use]
    pub fn copies(&self) -> &Copies {
        self.copies.get_or_init(|| Copies::of(self))
    }

    /// The role of that number.
    #[must_use]
    pub fn role(&self, role: RoleId) -> &'a Role {
        &self.plan.roles[role]
    }

    /// Whether the role runs in a container of Docker.
    #[must_use]
    pub fn docker(&self, role: RoleId) -> bool {
        self.role(role).image.is_some()
    }

    /// The domain of the registry's DNS.
    #[must_use]
    pub fn domain(&self) -> Option<&'a str> {
        self.site.job.dns_domain.as_ref().map(|d| d.value.as_str())
    }

    /// Where each node has a file or a directory, if each has.
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

    /// The user who submits the job, if stated.
    #[must_use]
    pub fn user(&self) -> Option<&'a str> {
        self.site.job.user.as_ref().map(|u| u.value.as_str())
    }

    /// The user in text whose tokens the master replaces.
    #[must_use]
    pub fn user_token(&self) -> String {
        self.user().unwrap_or("${USER}").to_owned()
    }

    /// The container network that the job names; `None`: the node's own.
    #[must_use]
    pub fn network(&self) -> Option<&'a str> {
        self.plan.requirements.iter().find_map(|required| {
            let Requirement::Network(Network::Container(name)) = &required.requirement else { return None };
            Some(name.as_str())
        })
    }

    /// Whether the tasks wait until each of their peers has an address: for so long as the job says, whatever the
    /// framework; without an end where the first of them looks into the checkpoints before.
    #[must_use]
    pub fn expects(&self) -> bool {
        let waits = |requirement: &Requirement| {
            matches!(
                requirement,
                Requirement::Lifecycle(Lifecycle::StartTimeout { .. })
                    | Requirement::Storage(Storage::CheckpointsFresh { mounted: true })
            )
        };
        self.plan.peers() > 1 && self.requirements(waits)
    }

    /// Whether starting the tasks needs the shim: what only a task itself can fill in. Duties come on top.
    #[must_use]
    pub fn carried(&self) -> bool {
        let roles = || self.plan.roles.iter();
        let shell = roles().any(|r| matches!(r.command, Command::Shell(_)));
        // The first process of a container ignores SIGTERM if it is a shell, and what it runs gets none.
        let deaf = roles().any(|r| r.image.is_some() && r.command.begins_with_shell());
        self.plan.meets()
            || self.expects()
            || roles().any(|r| contract_builder::own_words(r).is_some())
            || roles().any(|r| r.ports.iter().any(|p| p.number.is_none()))
            || (shell && self.plan.tasks() > 1)
            || (deaf
                && self.requirements(|requirement| {
                    matches!(requirement, Requirement::Lifecycle(Lifecycle::StopGrace { .. }))
                }))
            || self.requirements(|requirement| {
                matches!(requirement, Requirement::Program(Program::Hadoop { .. }))
            })
    }

    /// Whether the job asks such a thing.
    pub fn requirements(&self, such: impl Fn(&Requirement) -> bool) -> bool {
        self.plan.requirements.iter().any(|required| such(&required.requirement))
    }

    /// Whether only the shim can wait until a role has come so far. The engine takes a container that runs for one that
    /// is started, though its shim may still wait; and it does not tell started from ready.
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

    /// The roles whose shims wait before they start the program: for the names of peers, or for another role.
    fn waiting(&self) -> &BTreeSet<RoleId> {
        self.waiting.get_or_init(|| {
            let expects = self.expects();
            let members = (0..self.plan.roles.len()).filter(|id| self.role(*id).kind.joins_rendezvous());
            let mut waiting: BTreeSet<RoleId> = members.filter(|_| expects).collect();
            let mut open = Vec::new();
            for required in &self.plan.requirements {
                let Requirement::Lifecycle(Lifecycle::After { role, first, when }) = &required.requirement
                else {
                    continue;
                };
                if self.by_shim(*first, *when) {
                    waiting.insert(*role);
                } else if *when != When::Done {
                    open.push((*role, *first));
                }
            }
            loop {
                let before = waiting.len();
                let held = open.iter().filter(|(_, first)| waiting.contains(first));
                let held: Vec<RoleId> = held.map(|(role, _)| *role).collect();
                waiting.extend(held);
                if waiting.len() == before {
                    return waiting;
                }
            }
        })
    }

    /// Whose success is the job's.
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

    /// Whether a fixed port of a role may be taken by another task on the same node.
    #[must_use]
    pub fn shares_ports(&self, role: RoleId) -> bool {
        !(self.docker(role) && self.network().is_some())
    }

    /// The roles whose tasks' success is the job's; `None` where only one of several tasks of a role counts.
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

    /// What ends the service.
    #[must_use]
    pub fn ending(&self) -> Ending {
        let board =
            self.requirements(|requirement| matches!(requirement, Requirement::Job(Job::Tensorboard(_))));
        match self.counting().as_deref() {
            Some(all) if all.len() == self.plan.roles.len() && !board => Ending::All,
            Some([only]) if self.release.dominant() => Ending::Dominant(*only),
            Some(_) | None => Ending::Shims,
        }
    }
}

/// Whether no failure of a task ends the service: each role is started again without a limit. Then another master may go on
/// where one is lost; else it would start a service again that has failed (yarn#second-master-attempts).
#[must_use]
pub fn never_fails(plan: &Plan) -> bool {
    let without_end = |id: RoleId| {
        plan.requirements.iter().any(|required| {
            matches!(&required.requirement, Requirement::Lifecycle(Lifecycle::Restart { role, after: Loss::Node, restart }) if *role == id && !restart.is_finite())
        })
    };
    let members = (0..plan.roles.len()).filter(|id| plan.roles[*id].kind.joins_rendezvous());
    members.into_iter().all(without_end)
}

/// What ends the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The end of every component; one failed instance makes it a failure.
    All,
    /// The end of one component.
    Dominant(RoleId),
    /// The shims, which stop what only serves; then as for `All`.
    Shims,
}
