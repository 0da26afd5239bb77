//! Programs and their environment: programs of this machine, without an image.
use super::Answer;
use crate::local::means::{Duty, Means};
use tfjob_lang::ask;
use tfjob_lang::spec::values::Image;

/// Answers one requirement: programs and their environment.
pub fn answer(ask: &ask::Program) -> Answer {
    match ask {
        ask::Program::Image { image, .. } => self::image(image),
        ask::Program::NoImage { .. } => Answer::inherent("the software of this machine"),
        ask::Program::Pull { .. } => Answer::Ignored("pulls no image".to_owned()),
        ask::Program::Run { .. }
        | ask::Program::Shell { .. }
        | ask::Program::Workdir { .. }
        | ask::Program::Env { .. } => Answer::Native(Means::Words),
        ask::Program::Hadoop { home, java, conf } => hadoop(home, java, conf.as_deref()),
    }
}

/// The image.
fn image(image: &Image) -> Answer {
    Answer::Ignored(format!("runs programs as they are on this machine, not in `{image}`"))
}

/// Hadoop's client.
fn hadoop(home: &str, java: &str, conf: Option<&str>) -> Answer {
    let (home, java, conf) = (home.to_owned(), java.to_owned(), conf.map(str::to_owned));
    let how = "the shim sets Hadoop's environment for the program";
    Answer::Emulated(Means::Duty(Duty::Hadoop { home, java, conf }), how.to_owned())
}
