//! Input of the functions that decide how DC/OS supports a requirement. The package and Marathon apps, the two forms of this
//! target, have the same input.
use super::Dcos;
use tfjob_lang::plan::Plan;
use tfjob_lang::target::Site;

/// The job and its DC/OS options.
pub struct Context<'a> {
    /// The resolved job.
    pub plan: &'a Plan,
    /// The `target` blocks of the job and of its roles.
    pub site: &'a Site<Dcos>,
}
