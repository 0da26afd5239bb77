//! The job contract: the compiled job that the shim reads, with the rules by which a container determines its task and its peers.
//!
//! Platform differences are data, not code: a [`Source`] tells how to read role, index, and peers. So a new target needs no new
//! shim, and an old image works with a new target. From a [`Contract`], a task, and an environment, [`render`] creates the command
//! and the variables of the task; `tfjob show` and the shim both call it.
mod address;
mod check;
mod contract;
mod domain;
mod duties;
mod duty_support;
mod encoded;
mod failure;
mod hadoop;
mod identity;
mod machine;
mod notice;
mod peers;
mod read;
mod render;
mod rendezvous;
mod reserved;
mod tf_config;
mod topology;

pub use contract::{
    Address, Contract, Framework, Hadoop, Peers, Piece, RENDEZVOUS, Role, Run, Source, Value,
};
pub use domain::{
    Entry, FrameworkName, Keywords, Membership, Pace, RestartOn, RoleKind, StrategyName, Success, When,
    leader,
};
pub use duties::{After, Checkpoints, Duties, Ready, Restart, RoleDuties};
pub use duty_support::Duty;
pub use encoded::{base64, decode as from_base64};
pub use failure::{Failure, Unreadable};
pub use machine::{Machine, PlaceholderMachine};
pub use notice::Notice;
pub use read::{LARGEST, NEWEST};
pub use render::{ALL as MOST_BYTES, LONGEST as LONGEST_TEXT, Rendered, render, too_long};
pub use reserved::{RESERVED, owner, variable};
pub use tf_config::{TaskId, TfConfig};
pub use topology::{KEPT, Peer, Readiness, SUBMISSION};
