//! The contract from outside: as text, and as what becomes of each task.
#![expect(clippy::unwrap_used, reason = "what a helper of a test cannot do fails the test")]
mod job;
mod notice;
mod refused;
mod render;
mod rendezvous;
mod text;
mod tf_config;
mod who;
