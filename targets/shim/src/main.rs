//! The standalone shim binary, for containers.
use std::process::ExitCode;

fn main() -> ExitCode {
    tfjob_shim::run(std::env::args_os().skip(1))
}
