//! What support and lowering of Pods look at, made once for a job.
use super::options::Options;
use super::places::places;
use super::support::storage::{self, Form};
use crate::contract_builder::Places;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use tfjob_contract::Address;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{Program, Requirement};

/// How one kind of job names and labels its Pods.
#[derive(Debug)]
pub struct Kind {
    /// The name of the target, as in `target "…"`.
    pub target: &'static str,
    /// The `kind` of the object that makes the Pods.
    pub name: &'static str,
    /// The container of the program.
    pub container: &'static str,
    /// Labels of each Pod: one with the name of the job, one with the name of the role.
    pub labels: [&'static str; 2],
    /// The field of each Pod that holds its index within the role, such as `metadata.annotations['KEY']`.
    pub index: &'static str,
    /// The name of the port `rendezvous` in the container.
    pub rendezvous: &'static str,
    /// The port that each Pod without a port `rendezvous` gets, where the kind adds one.
    pub added_port: Option<u16>,
    /// Host names of the Pods of a job in a namespace.
    pub hosts: fn(job: &str, namespace: &str) -> Hosts,
}

/// Host names of Pods: these texts, with the name of the role and the index of the Pod between them.
#[derive(Debug, Clone)]
pub struct Hosts {
    /// Before the name of the role.
    pub before: String,
    /// Between the name of the role and the index.
    pub between: &'static str,
    /// After the index.
    pub after: String,
}

impl Hosts {
    /// The host of a task, `index` as given.
    #[must_use]
    pub fn host(&self, role: &str, index: &str) -> String {
        format!("{}{role}{}{index}{}", self.before, self.between, self.after)
    }

    /// The same for the contract of the shim.
    #[must_use]
    pub fn address(&self) -> Address {
        Address { host: self.host("{role}", "{index}"), names: BTreeMap::new(), roles: BTreeMap::new() }
    }
}

/// What every answer about a Pod may look at.
#[derive(Debug)]
pub struct Context<'a> {
    /// The job.
    pub plan: &'a Plan,
    /// The kind of job.
    pub kind: &'static Kind,
    /// What the job sets of the cluster.
    pub options: Options<'a>,
    /// Where everything is put.
    pub places: Places,
    /// The host names of the tasks.
    pub hosts: Hosts,
    /// The role whose first task looks for checkpoints of an earlier run, where the kind has one.
    pub leader: Option<RoleId>,
    forms: OnceCell<BTreeMap<&'a str, Form>>,
}

impl<'a> Context<'a> {
    /// The context of one job.
    pub fn new(plan: &'a Plan, kind: &'static Kind, options: Options<'a>, leader: Option<RoleId>) -> Self {
        let hosts = (kind.hosts)(&plan.name.value, options.namespace());
        Self { plan, kind, options, places: places(plan), hosts, leader, forms: OnceCell::new() }
    }

    /// What a container finds at each path that the spec names.
    pub fn forms(&self) -> &BTreeMap<&'a str, Form> {
        self.forms.get_or_init(|| storage::forms(self))
    }

    /// The name of a role.
    pub fn role(&self, role: RoleId) -> &str {
        &self.plan.roles[role].name.value
    }

    /// The directories of Hadoop, of Java, and of the configuration, where the image has them.
    pub fn hadoop(&self) -> Option<(String, String, Option<String>)> {
        self.plan.requirements.iter().find_map(|required| {
            let Requirement::Program(Program::Hadoop { home, java, conf }) = &required.requirement else {
                return None;
            };
            Some((home.clone(), java.clone(), conf.clone()))
        })
    }
}
