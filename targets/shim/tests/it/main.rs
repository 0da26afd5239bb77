//! The built shim as a platform starts it: what the task sees is what `render` says.
#![expect(clippy::unwrap_used, reason = "what a helper of a test cannot do fails the test")]
#[path = "../../../../tests/shared/able.rs"]
mod able;
mod again;
mod copies;
mod crashes;
mod done;
mod ended;
mod events;
#[path = "../../../../tests/shared/executable.rs"]
mod executable;
#[path = "../../src/checkpoints/fixtures.rs"]
mod fixtures;
mod golden;
mod inherited;
mod job;
mod killed;
mod launchers;
mod many;
mod notice;
mod peers;
mod preflight;
mod refusal;
mod resumed;
mod sender;
mod shells;
mod status;
mod stopping;
mod supervised;
mod task;
mod terminal;
mod tree;
mod unread;
