//! Interface of the two forms of a job on DC/OS, and the choice between them.
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

/// A form of the job: options of the TensorFlow package, or Marathon apps.
pub trait Form: Sync {
    /// Returns the support of one requirement.
    fn support(&self, requirement: &Requirement, context: &Context<'_>) -> Support<Mechanism>;

    /// Returns the use of a field of the cluster file.
    fn cluster_field(&self, word: Word) -> Use {
        cluster::cluster_field(word)
    }

    /// Warns of options that this form ignores.
    fn unread(&self, plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic>;

    /// Checks a patch of the whole document or of a role.
    fn patched(&self, plan: &Plan, role: Option<RoleId>, text: &str, at: Span) -> Vec<Diagnostic>;

    /// Checks rules of this form that concern several requirements.
    fn rules(&self, plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic>;

    /// Returns the resources that the job reserves on a cluster.
    fn reserves(&self, plan: &Plan, site: &Site<Dcos>, demand: Demand) -> Demand;

    /// Whether the platform passes the checkpoint location to the program itself.
    fn passes_checkpoints(&self) -> bool {
        false
    }

    /// Whether the platform sets the variables of Hadoop.
    fn has_hadoop(&self) -> bool {
        false
    }

    /// Returns the host names of the tasks, if a task of another job can have the same name.
    fn hosts(&self, _plan: &Plan, _site: &Site<Dcos>) -> Vec<String> {
        Vec::new()
    }

    /// Checks the document after the patches are merged.
    fn merged(&self, document: &mut Merged<'_>, plan: &Plan, site: &Site<Dcos>, lowered: &Lowered);

    /// Returns the artifacts and steps of the job.
    fn lower(&self, job: &Accepted<'_, Dcos>) -> Lowered;

    /// Returns the contract of the shim, if a task needs the shim.
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
