//! Support of the requirements that a Pod meets, whatever makes it.
//!
//! `program`, `identity`, `resources`, `placement` and `storage` answer their whole areas. Of the other areas a kind answers what
//! concerns the job, and the rest is here.
pub mod identity;
pub mod job;
pub mod lifecycle;
pub mod network;
pub mod placement;
pub mod program;
pub mod resources;
pub mod storage;
pub mod tensorboard;

use super::context::Context;
use super::mechanism::Mechanism;

/// An answer about the Pods of a job.
pub type Support = tfjob_lang::target::Support<Mechanism>;
