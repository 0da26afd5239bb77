//! Pods of Kubernetes: what all kinds of jobs there share.
//!
//! A kind of job, the object that makes the Pods, says in a [`context::Kind`] how it names and labels them; it asks
//! [`support`] for all requirements that only a Pod meets, and puts the templates that [`lower`] builds into its own object.
pub mod annotations;
pub mod cluster;
pub mod context;
pub mod expand;
pub mod grammar;
pub mod lower;
pub mod means;
pub mod merged;
pub mod options;
pub mod patched;
pub mod places;
pub mod quantity;
pub mod reserve;
pub mod rules;
pub mod schema;
pub mod support;
pub mod view;
