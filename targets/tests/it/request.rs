//! How a test of the targets reads a job description and a cluster file.
use tfjob_driver::{Analysis, ClusterFile, Driver, Loaded, Request};
use tfjob_lang::sources::Format;
use tfjob_targets::REGISTRY;

static DRIVER: Driver = Driver::new(REGISTRY);

/// A request about a text of KDL. It reads no other file.
pub fn request(text: &str) -> Request<'_> {
    Request::new("job.tfjob.kdl", text)
}

/// What the language says of it.
pub fn analyze(request: &Request<'_>) -> Analysis {
    DRIVER.analyze(request)
}

/// A cluster file of this text.
pub fn cluster(text: &str) -> ClusterFile {
    let text = Loaded { name: "c.cluster.kdl".to_owned(), text: text.to_owned(), format: Format::Kdl };
    DRIVER.cluster(&text)
}
