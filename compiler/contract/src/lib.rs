//! What compile time tells run time: the job as one container sees it, and where that container finds out who it is.
//!
//! Platforms are data here, not code: a [`Source`] says where role, index and peers are to be found, so that a new
//! target needs no new shim and an old image serves a new target. [`render`] turns a [`Contract`], a task and an
//! environment into what is run; `tfjob show` and the shim call the same one.
mod address;
mod carried;
mod carrier;
mod check;
mod contract;
mod domain;
mod duties;
mod failure;
mod hadoop;
mod machine;
mod notice;
mod owned;
mod peers;
mod read;
mod render;
mod rendezvous;
mod tf_config;
mod whereabouts;
mod who;

pub use carried::Duty;
pub use contract::{Address, Contract, Framework, Hadoop, Peers, Piece, Role, Run, Source, Value};
pub use domain::{
    Entry, FrameworkName, Keywords, Membership, Pace, RestartOn, RoleKind, StrategyName, Success, When,
    leader,
};
pub use duties::{After, Checkpoints, Duties, Ready, Restart, RoleDuties};
pub use failure::{Failure, Unreadable};
pub use machine::{Machine, Shown};
pub use notice::Notice;
pub use owned::{OWNED, owner, variable};
pub use read::{LARGEST, NEWEST};
pub use render::{ALL as MOST_BYTES, LONGEST as LONGEST_TEXT, Rendered, render, too_long};
pub use tf_config::{TaskId, TfConfig};
pub use whereabouts::{KEPT, Peer, SUBMISSION, Sign};
