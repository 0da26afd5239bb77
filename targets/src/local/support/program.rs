//! Programs and their environment: programs of this machine, without an image.
use super::Support;
use crate::local::mechanism::{Duty, Mechanism};
use tfjob_lang::requirement;
use tfjob_lang::spec::values::Image;

/// Answers one requirement: programs and their environment.
pub fn support(requirement: &requirement::Program) -> Support {
    match requirement {
        requirement::Program::Image { image, .. } => self::image(image),
        requirement::Program::NoImage { .. } => Support::inherent("the software of this machine"),
        requirement::Program::Pull { .. } => Support::Ignored("pulls no image".to_owned()),
        requirement::Program::Run { .. }
        | requirement::Program::Shell { .. }
        | requirement::Program::Workdir { .. }
        | requirement::Program::Env { .. } => Support::Native(Mechanism::Words),
        requirement::Program::Hadoop { home, java, conf } => hadoop(home, java, conf.as_deref()),
    }
}

/// The image.
fn image(image: &Image) -> Support {
    Support::Ignored(format!("runs programs as they are on this machine, not in `{image}`"))
}

/// Hadoop's client.
fn hadoop(home: &str, java: &str, conf: Option<&str>) -> Support {
    let (home, java, conf) = (home.to_owned(), java.to_owned(), conf.map(str::to_owned));
    let how = "the shim sets Hadoop's environment for the program";
    Support::Emulated(Mechanism::Duty(Duty::Hadoop { home, java, conf }), how.to_owned())
}
