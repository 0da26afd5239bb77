//! Programs and their environment.
use super::Context;
use super::task;
use crate::kubernetes::means::Means;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What a TFJob does with one requirement: programs and their environment.
pub fn answer(ask: &ask::Program, case: &Context<'_>) -> Answer<Means> {
    match ask {
        ask::Program::Image { role, image } => task::image(*role, image),
        ask::Program::NoImage { role } => task::no_image(case, *role),
        ask::Program::Pull { role, pull } => task::pull(*role, *pull),
        ask::Program::Run { role, argv } => task::run(case, *role, argv),
        ask::Program::Shell { role, text } => task::shell(case, *role, text),
        ask::Program::Workdir { role, path } => task::workdir(case, *role, path),
        ask::Program::Env { role, name, value } => task::env(case, *role, name, value),
        ask::Program::Hadoop { home, java, conf } => task::hadoop(home, java, conf.as_deref()),
    }
}
