//! Input of the functions that decide the support of requirements of Pods, and of the functions that build the Pods.
use super::options::Options;
use super::places::places;
use super::support::storage::{self, Form};
use crate::contract_builder::Places;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use tfjob_contract::Address;
use tfjob_lang::digest;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{Program, Requirement};

/// Names and labels of the Pods of one kind of job.
#[derive(Debug)]
pub struct Kind {
    /// Name of the target, as in `target "…"`.
    pub target: &'static str,
    /// `kind` of the object whose controller creates the Pods.
    pub name: &'static str,
    /// Name of the container in which the program runs.
    pub container: &'static str,
    /// Keys of two labels that each Pod has: one contains the job name, the other the role name.
    pub labels: [&'static str; 2],
    /// Pod field that contains the index of the task in its role, such as `metadata.annotations['KEY']`.
    pub index: &'static str,
    /// Name of the container port that serves the rendezvous.
    pub rendezvous: &'static str,
    /// Port that the operator adds to each Pod that has no rendezvous port. `None` if the operator adds no port.
    pub added_port: Option<u16>,
    /// Returns the host names of the Pods of a job, from the names of the job and of its namespace.
    pub hosts: fn(job: &str, namespace: &str) -> Hosts,
}

/// Fixed parts of a Pod's host name. The host name consists of `before`, the role name, `between`, the task index, and `after`.
#[derive(Debug, Clone)]
pub struct Hosts {
    /// Text before the role name.
    pub before: String,
    /// Text between the role name and the index.
    pub between: &'static str,
    /// Text after the index.
    pub after: String,
}

impl Hosts {
    /// Returns the host name of a task. `index` may be a number or a placeholder.
    #[must_use]
    pub fn host(&self, role: &str, index: &str) -> String {
        format!("{}{role}{}{index}{}", self.before, self.between, self.after)
    }

    /// Returns the host name pattern for the contract.
    #[must_use]
    pub fn address(&self) -> Address {
        Address { host: self.host("{role}", "{index}"), names: BTreeMap::new(), roles: BTreeMap::new() }
    }
}

/// A job with its options: the input of the functions that decide the support of requirements of Pods, and that build the Pods.
#[derive(Debug)]
pub struct Context<'a> {
    /// The job.
    pub plan: &'a Plan,
    /// The kind of job.
    pub kind: &'static Kind,
    /// Options of the target block that concern Pods.
    pub options: Options<'a>,
    /// Paths of code, data, and checkpoints in a container.
    pub places: Places,
    /// Name of the job's object: the name of the job, and a digest of the spec if the options request it.
    pub object: String,
    /// Fixed parts of the host names of the job's tasks.
    pub hosts: Hosts,
    /// Role whose task 0 checks for existing checkpoints.
    pub leader: Option<RoleId>,
    forms: OnceCell<BTreeMap<&'a str, Form>>,
}

/// End of the name of the ConfigMap of a job.
pub const FILES_SUFFIX: &str = "-tfjob";

/// Returns the name of the job's object. With a digest, each change of the tasks is another object: a GitOps tool creates the new
/// one, deletes the old one, and does not replace the object of unchanged tasks.
fn object(plan: &Plan, kind: &Kind, options: &Options<'_>) -> String {
    if options.replaced_in_wave.is_none() {
        return plan.name.value.to_string();
    }
    format!("{}-{}", plan.name.value, digest::short(&plan.task_digest(kind.target)))
}

/// Returns the name of an object of a job without the digest of the job: the parts before and after the digest. `None` if the name
/// has no digest.
pub fn without_digest(name: &str) -> Option<(&str, &str)> {
    let (whole, rest) = match name.strip_suffix(FILES_SUFFIX) {
        Some(whole) => (whole, FILES_SUFFIX),
        None => (name, ""),
    };
    let (job, end) = whole.rsplit_once('-')?;
    digest::is_short(end).then_some((job, rest))
}

impl<'a> Context<'a> {
    /// Returns the context of one job. `leader`: the role whose task 0 checks for existing checkpoints.
    pub fn new(plan: &'a Plan, kind: &'static Kind, options: Options<'a>, leader: Option<RoleId>) -> Self {
        let object = object(plan, kind, &options);
        let hosts = (kind.hosts)(&object, options.namespace());
        Self { plan, kind, options, places: places(plan), object, hosts, leader, forms: OnceCell::new() }
    }

    /// Returns, for each mount path of the spec, whether a file or a directory is mounted there.
    pub fn forms(&self) -> &BTreeMap<&'a str, Form> {
        self.forms.get_or_init(|| storage::forms(self))
    }

    /// Returns the name of a role.
    pub fn role(&self, role: RoleId) -> &str {
        &self.plan.roles[role].name.value
    }

    /// Returns the directories of Hadoop, Java, and the Hadoop configuration in the image, if the spec sets `hadoop`.
    pub fn hadoop(&self) -> Option<(String, String, Option<String>)> {
        self.plan.requirements.iter().find_map(|required| {
            let Requirement::Program(Program::Hadoop { home, java, conf }) = &required.requirement else {
                return None;
            };
            Some((home.clone(), java.clone(), conf.clone()))
        })
    }
}
