//! Pods of Kubernetes: what all kinds of jobs there share.
//!
//! A kind of job is the object that makes the Pods. It passes in
//! - a [`context::Kind`]: how it names and labels them,
//! - its options, as a view ([`options`]), its own structs, and the types of a patch of it,
//! - `patched::Own`: what its controller sets, so that a patch of a Pod cannot,
//! - `merged::Role`: where a role's template is in the patched object, and who its peers are,
//! - `rules::Job`: whether a patch sets a field,
//! - `view::Own`: the variables that its controller adds.
//!
//! [`support`] answers the requirements that only a Pod meets, and [`lower`] builds the templates for the kind's own object.
pub mod annotations;
pub mod cluster;
pub mod context;
pub mod expand;
pub mod grammar;
pub mod lower;
pub mod mechanism;
pub mod merged;
pub mod options;
pub mod patched;
pub mod places;
pub mod quantity;
pub mod queues;
pub mod reserve;
pub mod rules;
pub mod schema;
pub mod support;
pub mod view;
