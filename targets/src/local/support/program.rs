//! Programs and their environment. Programs run on this machine, without an image.
use super::Support;
use crate::local::mechanism::{Duty, Mechanism};
use tfjob_lang::requirement;
use tfjob_lang::spec::values::Image;

/// Returns the support of one requirement about programs and their environment.
pub fn support(requirement: &requirement::Program) -> Support {
    match requirement {
        requirement::Program::Image { image, .. } => self::image(image),
        requirement::Program::NoImage { .. } => {
            Support::inherent("programs run on this machine, without an image")
        }
        requirement::Program::Pull { .. } => {
            Support::Ignored("`pull` is ignored, because a local run pulls no image".to_owned())
        }
        requirement::Program::Run { .. }
        | requirement::Program::Shell { .. }
        | requirement::Program::Workdir { .. }
        | requirement::Program::Env { .. } => Support::Native(Mechanism::Words),
        requirement::Program::Hadoop { home, java, conf } => hadoop(home, java, conf.as_deref()),
    }
}

fn image(image: &Image) -> Support {
    Support::Ignored(format!(
        "`image` is ignored, because programs run directly on this machine, not in `{image}`"
    ))
}

fn hadoop(home: &str, java: &str, conf: Option<&str>) -> Support {
    let (home, java, conf) = (home.to_owned(), java.to_owned(), conf.map(str::to_owned));
    let how = "the shim lists every Hadoop JAR in CLASSPATH, because libhdfs does not expand `*`";
    Support::Emulated(Mechanism::Duty(Duty::Hadoop { home, java, conf }), how.to_owned())
}
