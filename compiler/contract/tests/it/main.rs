//! Tests of the public functions of the contract: reading and writing it as text, and rendering its tasks.
#![expect(clippy::unwrap_used, reason = "what a helper of a test cannot do fails the test")]
mod job;
mod notice;
mod refused;
mod render;
mod rendezvous;
mod text;
mod tf_config;
mod who;
