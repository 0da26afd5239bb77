//! Targets: the platforms that a plan can be compiled for.
mod application;
pub mod codes;
mod containers;
pub mod contract_builder;
pub mod cores;
pub mod dcos;
mod delivered;
pub mod devices;
mod finished;
pub mod helper_environment;
pub mod kubernetes;
pub mod libhdfs;
pub mod local;
pub mod mounts;
pub mod names;
pub mod pack;
pub mod patch;
mod paths;
mod pod;
mod ports;
mod rendezvous;
pub mod shell;
pub mod shim_source;
pub mod spark;
pub mod specimens;
mod table;
pub mod yaml;
pub mod yarn;

use std::sync::LazyLock;
use tfjob_lang::analysis::cluster_shape_of;
use tfjob_lang::project;
use tfjob_lang::shape::Shape;
use tfjob_lang::target::{AnyTarget, Registry, Target};

/// All targets, in the order in which the command line lists them.
pub static ALL: &[&dyn AnyTarget] =
    &[&yarn::Yarn, &kubernetes::Kubernetes, &dcos::Dcos, &spark::Spark, &local::Local];

/// Shape of a spec, including the target blocks of all targets.
pub static SHAPE: Shape = Shape::Object(table::ROOT);

/// Shape of a cluster file, including the target blocks of all targets. It is built at the first use.
pub static CLUSTER_SHAPE: LazyLock<Shape> = LazyLock::new(|| cluster_shape_of(ALL));

/// Shape of a project file; built at the first use.
pub static PROJECT_SHAPE: LazyLock<Shape> = LazyLock::new(|| project::shape_of(ALL));

/// Returns the first character in the path of an output directory that prevents a target from submitting a job from this directory.
/// `None` if there is no such character.
#[must_use]
pub fn refused_in_directory(target: &dyn AnyTarget, path: &str) -> Option<char> {
    if target.name() == spark::Spark::NAME { spark::refused_in_directory(path) } else { None }
}

/// All targets, and the shapes of spec, cluster file, and project file.
pub static REGISTRY: Registry =
    Registry { targets: ALL, jobs: &SHAPE, clusters: || &CLUSTER_SHAPE, projects: || &PROJECT_SHAPE };
