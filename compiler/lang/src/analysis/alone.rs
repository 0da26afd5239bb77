//! Test helper: an analysis without targets.
use super::{Request, cluster_shape_of, shape_of};
use crate::shape::Shape;
use crate::sources::Format;
use crate::target::Registry;
use std::sync::LazyLock;

static JOBS: LazyLock<Shape> = LazyLock::new(|| shape_of(&[]));
static CLUSTERS: LazyLock<Shape> = LazyLock::new(|| cluster_shape_of(&[]));
static PROJECTS: LazyLock<Shape> = LazyLock::new(|| crate::project::shape_of(&[]));

/// Returns the request for a text without base files.
pub(crate) fn request<'a>(name: &'a str, text: &'a str, format: Format) -> Request<'a> {
    let registry = Registry { targets: &[], jobs: &JOBS, clusters: || &CLUSTERS, projects: || &PROJECTS };
    Request::new(name, text, format, registry)
}
