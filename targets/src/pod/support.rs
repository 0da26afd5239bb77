//! Support of the requirements that concern only Pods, for all kinds of jobs.
//!
//! `program`, `identity`, `resources`, `placement`, and `storage` are complete. In the other areas, the kind handles requirements
//! of the job, and this module those of its Pods.
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
