//! What differs between the two forms of a job on DC/OS, and the one place that chooses between them.
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

/// A form of the job: what differs between the two forms of this target.
pub trait Form: Sync {
    /// The answer to one requirement.
    fn support(&self, requirement: &Requirement, context: &Context<'_>) -> Support<Mechanism>;

    /// The use of a word of the cluster file.
    fn site_word(&self, word: Word) -> Use {
        cluster::site_word(word)
    }

    /// Warns of options that this form never reads.
    fn unread(&self, plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic>;

    /// Judges a patch of the whole, or of a role.
    fn patched(&self, plan: &Plan, role: Option<RoleId>, text: &str, at: Span) -> Vec<Diagnostic>;

    /// Checks across several requirements that the other form does not have.
    fn rules(&self, plan: &Plan, site: &Site<Dcos>) -> Vec<Diagnostic>;

    /// What the job reserves of a cluster.
    fn reserves(&self, plan: &Plan, site: &Site<Dcos>, demand: Demand) -> Demand;

    /// Whether the platform passes the checkpoint location to the program itself.
    fn passes_checkpoints(&self) -> bool {
        false
    }

    /// Whether the platform itself sets the variables of Hadoop.
    fn has_hadoop(&self) -> bool {
        false
    }

    /// Host names of the tasks, where those of another job of the cluster may be the same.
    fn hosts(&self, _plan: &Plan, _site: &Site<Dcos>) -> Vec<String> {
        Vec::new()
    }

    /// Judges the whole artifact with the patches in it.
    fn merged(&self, document: &mut Merged<'_>, plan: &Plan, site: &Site<Dcos>, lowered: &Lowered);

    /// The files of the job.
    fn lower(&self, job: &Accepted<'_, Dcos>) -> Lowered;

    /// The shim's contract, where a task needs the shim.
    fn contract(&self, _job: &Accepted<'_, Dcos>) -> Option<TracedContract> {
        None
    }

    /// What one task sees.
    fn view(&self, job: &Accepted<'_, Dcos>, role: RoleId, index: u32) -> TaskView;
}

/// The form that these options choose. Marathon where they leave it open.
pub fn chosen(options: &Options) -> &'static dyn Form {
    match options.form() {
        Some(FormName::Package) => &Package,
        Some(FormName::Marathon) | None => &Marathon,
    }
}
