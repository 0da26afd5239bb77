//! Kubernetes Pods: the structs, support, lowering, and patches that all kinds of jobs share.
//!
//! A kind of job is a type of object whose controller creates the Pods. Each kind passes in
//! - a [`context::Kind`]: the names and labels of its Pods,
//! - its options that concern Pods ([`options`]), its own structs, and the types of its patches,
//! - the annotations [`mechanism::SPEC_DIGEST`] and [`mechanism::TASK_DIGEST`] of its object, which count toward the maximum size of
//!   the annotations,
//! - `patched::Own`: the values that its controller sets, so that a patch cannot set them,
//! - `merged::Role`: the location of a role's template in the patched object, and the needs of its peers,
//! - `rules::Job`: whether a patch sets a field,
//! - `view::Own`: the environment variables that its controller adds.
//!
//! [`support`] covers the requirements that concern only Pods. [`lower`] builds the Pod templates for the object of the kind.
pub mod annotations;
pub mod cluster;
pub mod context;
pub mod expand;
pub mod grammar;
pub mod kustomization;
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
pub mod shim;
pub mod support;
pub mod view;
