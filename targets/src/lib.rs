//! The platforms a plan can be lowered to.
pub mod carry;
pub mod codes;
pub mod dcos;
pub mod kubernetes;
pub mod names;
pub mod patch;
pub mod shell;
pub mod spark;
pub mod yaml;
pub mod yarn;

use std::sync::LazyLock;
use tfjob_lang::analysis::shape_of;
use tfjob_lang::shape::Shape;
use tfjob_lang::target::AnyTarget;

/// Every target, in the order that the command line lists them.
pub static ALL: &[&dyn AnyTarget] = &[&yarn::Yarn, &kubernetes::Kubernetes, &dcos::Dcos, &spark::Spark];

/// What may stand in a spec for all of them, built once.
pub static SHAPE: LazyLock<Shape> = LazyLock::new(|| shape_of(ALL));
