//! The language server of tfjob: editors get diagnostics, completion, hover, and navigation for job specs.
//!
//! ```text
//! messages --server--> Session { documents } --Host::check--> Checked --diagnostics, hover, …--> messages
//!          lsp-server                          driver                  lsp-types
//! ```
//!
//! The only crate that knows the types of the Language Server Protocol (LSP). It contains no rule of the language: it calls the
//! driver through a [`Host`], which also reads files. It is synchronous: a check takes about a millisecond.
mod client;
mod conflicts;
mod cursor;
mod data;
mod diagnostics;
mod documents;
mod features;
mod host;
mod names;
mod outline;
mod params;
mod position;
mod results;
mod server;
mod session;
mod shown;
mod stdio;
mod summary;

pub use client::Client;
pub use host::{Host, Options, Outcome, Run, Specs, Unsaved};
pub use server::serve;
pub use stdio::{Start, serve_stdio};
