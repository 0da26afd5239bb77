//! How the tests of the language analyze a text: for no target at all.
use super::{Request, cluster_shape_of, shape_of};
use crate::shape::Shape;
use crate::sources::Format;
use crate::target::Registry;
use std::sync::LazyLock;

static JOBS: LazyLock<Shape> = LazyLock::new(|| shape_of(&[]));
static CLUSTERS: LazyLock<Shape> = LazyLock::new(|| cluster_shape_of(&[]));

/// A text that builds on no other.
pub(crate) fn request<'a>(name: &'a str, text: &'a str, format: Format) -> Request<'a> {
    let registry = Registry { targets: &[], jobs: &JOBS, clusters: || &CLUSTERS };
    Request::new(name, text, format, registry)
}
