//! What compile time tells run time: the job as one container sees it, and where that container finds out who it is.
//!
//! Platforms are data here, not code: a [`Source`] says where role, index and peers are to be found, so that a new
//! target needs no new shim and an old image serves a new target.
mod contract;

pub use contract::{
    Address, Contract, Framework, NEWEST, Peers, Piece, Role, RoleKind, Run, Source, Strategy, Unreadable,
    Value,
};
