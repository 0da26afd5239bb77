//! The commands, a file each.
pub mod check;
pub mod completions;
pub mod explain;
pub mod init;
pub mod man;
