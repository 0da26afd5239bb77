//! `tfjob run` with real processes and shims: each test injects one fault.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test may")]
#[path = "../shared/able.rs"]
mod able;
mod ends;
#[path = "../shared/executable.rs"]
mod executable;
mod folder;
mod inherited;
mod left;
mod limited;
mod linked;
mod machine;
mod order;
mod output;
#[path = "../shared/place.rs"]
mod place;
mod screen;
mod seen;
mod sender;
mod stops;
