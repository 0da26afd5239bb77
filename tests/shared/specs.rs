//! Analyzes specs as the command line does, for tests.
use std::path::Path;
use tfjob_driver::{Analysis, Driver, Loaded, Request};
use tfjob_lang::sources::Format;
use tfjob_targets::REGISTRY;

pub static DRIVER: Driver = Driver::new(REGISTRY);

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Analyzes a spec. Base files are read relative to `name`.
pub fn text_at(name: &str, text: &str) -> Analysis {
    let load = |from: &str, to: &str| {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(to);
        std::fs::read_to_string(root().join(&path))
            .map(|text| Loaded { name: path.to_string_lossy().into_owned(), text, format: Format::Kdl })
            .map_err(|e| e.to_string())
    };
    DRIVER.analyze(&Request::new(name, text).format(Format::Kdl).load(&load))
}
