//! What support looks at, in both forms.
use super::Dcos;
use tfjob_lang::plan::Plan;
use tfjob_lang::target::Site;

/// The job, and what is said of its cluster.
pub struct Context<'a> {
    /// The job.
    pub plan: &'a Plan,
    /// The `target` blocks of the job and of its roles.
    pub site: &'a Site<Dcos>,
}
