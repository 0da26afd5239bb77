//! Programs and their environment.
use super::Answer;
use super::inherent;
use super::task;
use crate::yarn::context::Context;
use tfjob_lang::ask;

/// What YARN does with one requirement: programs and their environment.
pub fn answer(ask: &ask::Program, case: &Context<'_>) -> Answer {
    match ask {
        ask::Program::Image { role, image } => task::image(case, *role, image),
        ask::Program::NoImage { role: _ } => inherent("the program of the node itself"),
        ask::Program::Pull { role: _, pull } => task::pull(*pull),
        ask::Program::Run { role, argv } => task::run(case, *role, argv),
        ask::Program::Shell { role, text } => task::shell(case, *role, text),
        ask::Program::Workdir { role, path } => task::workdir(case, *role, path),
        ask::Program::Env { role, name, value } => task::env(case, *role, name, value),
        ask::Program::Hadoop { home, java, conf } => task::hadoop(home, java, conf.as_deref()),
    }
}
