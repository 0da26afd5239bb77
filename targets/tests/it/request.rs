//! Reads job descriptions and cluster files for the tests.
use tfjob_driver::{Analysis, ClusterFile, Driver, Loaded, Request};
use tfjob_lang::sources::Format;
use tfjob_targets::REGISTRY;

static DRIVER: Driver = Driver::new(REGISTRY);

/// Returns a request to compile a KDL text. The request reads no other file.
pub fn request(text: &str) -> Request<'_> {
    Request::new("job.tfjob.kdl", text)
}

/// Returns the result of the language for a request.
pub fn analyze(request: &Request<'_>) -> Analysis {
    DRIVER.analyze(request)
}

/// Reads a text as a cluster file.
pub fn cluster(text: &str) -> ClusterFile {
    let text = Loaded { name: "c.cluster.kdl".to_owned(), text: text.to_owned(), format: Format::Kdl };
    DRIVER.cluster(&text)
}
