//! The commands of the command line, one module per command.
pub mod check;
pub mod compile;
pub mod completions;
pub mod diff;
pub mod explain;
pub mod fmt;
pub mod init;
pub mod krm;
pub mod lsp;
pub mod man;
#[cfg(target_os = "linux")]
pub mod run;
pub mod schema;
pub mod show;
