//! The commands, a file each.
pub mod check;
pub mod compile;
pub mod completions;
pub mod explain;
pub mod fmt;
pub mod init;
pub mod man;
pub mod schema;
pub mod show;
