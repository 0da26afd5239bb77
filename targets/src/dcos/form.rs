//! Interface of the two forms in which DC/OS can run a job, and the choice between them.
use super::context::Context;
use super::marathon::Marathon;
use super::mechanism::Mechanism;
use super::options::{FormName, Options};
use super::package::Package;
use super::{Dcos, cluster};
use crate::patch::Merged;
use tfjob_lang::cluster::demand::Demand;
use tfjob_lang::cluster::words::{Use, Word};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::{Lowered, TaskView, TracedContract};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::Requirement;
use tfjob_lang::sources::Span;
use tfjob_lang::target::{Accepted, Site, Support};

/// A form in which DC/OS can run a job: options of the TensorFlow package, or Marathon apps.
pub trait Form: Sync {
    /// Returns how this form supports one requirement.
    fn support(&self, requirement: &Requirement, context: &Context<'_>) -> Support<Mechanism>;

    /// Returns how this form uses a field of the cluster file.
    fn cluster_field(&self, word: Word) -> Use {
        cluster::cluster_field(word)
    }

    /// Warns of options that this form ignores.
    fn unread(&self, plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic>;

    /// Checks a patch of the whole document or of a role.
    fn patched(&self, plan: &Plan, role: Option<RoleId>, text: &str, at: Span) -> Vec<Diagnostic>;

    /// Checks the rules of this form that concern several requirements together.
    fn rules(&self, plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic>;

    /// Returns the resources that the job reserves on a cluster. `demand`: the sum of the requests of all tasks.
    fn reserves(&self, plan: &Plan, site: &Site<Dcos>, demand: Demand) -> Demand;

    /// Returns whether the platform passes the checkpoint location to the program, so that the arguments of the program need not
    /// contain the location.
    fn passes_checkpoints(&self) -> bool {
        false
    }

    /// Returns whether the platform sets the environment variables of the Hadoop client.
    fn has_hadoop(&self) -> bool {
        false
    }

    /// Returns the DNS names of the tasks. A check compares them with those of other jobs, because two tasks cannot have the same
    /// DNS name. Empty if this form always gives the tasks of two jobs different names.
    fn hosts(&self, _plan: &Plan, _site: &Site<Dcos>) -> Vec<String> {
        Vec::new()
    }

    /// Checks the document after the patches are merged.
    fn merged(&self, document: &mut Merged<'_>, plan: &Plan, site: &Site<Dcos>, lowered: &Lowered);

    /// Returns the artifacts and steps of the job.
    fn lower(&self, job: &Accepted<'_, Dcos>) -> Lowered;

    /// Returns the contract that the shim reads. `None` if no task needs the shim.
    fn contract(&self, _job: &Accepted<'_, Dcos>) -> Option<TracedContract> {
        None
    }

    /// Returns command, environment, and working directory of one task.
    fn view(&self, job: &Accepted<'_, Dcos>, role: RoleId, index: u32) -> TaskView;
}

/// Returns the form that the options select. Default: Marathon.
pub fn chosen(options: &Options) -> &'static dyn Form {
    match options.form() {
        Some(FormName::Package) => &Package,
        Some(FormName::Marathon) | None => &Marathon,
    }
}
