//! Support of the requirements that concern only Pods, for all kinds of jobs.
//!
//! The modules `program`, `identity`, `resources`, `placement`, and `storage` handle all requirements of their area. In the other
//! areas, the kind of job handles the requirements of the job, and these modules handle those of its Pods.
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

/// Support of one requirement by the Pods of a job.
pub type Support = tfjob_lang::target::Support<Mechanism>;
