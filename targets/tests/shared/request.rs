//! How a test of the targets reads a spec.
use tfjob_lang::analysis::{Loaded, Request};
use tfjob_lang::sources::Format;
use tfjob_targets::{ALL, SHAPE};

/// A request to analyse a text of KDL for every target. It reads no other file.
pub fn request(text: &str) -> Request<'_> {
    Request {
        name: "job.tfjob.kdl",
        text,
        format: Format::Kdl,
        set: &[],
        load: &nothing,
        targets: ALL,
        shape: &SHAPE,
        cluster: None,
        one_machine: false,
    }
}

fn nothing(_: &str, to: &str) -> Result<Loaded, String> {
    Err(format!("`{to}` is not there"))
}
