//! Programs and their environment.
use crate::dcos::context::Context;
use crate::dcos::marathon::Given;
use crate::dcos::marathon::Means;
use crate::dcos::marathon::storage;
use crate::dcos::marathon::task;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What Marathon does with one requirement: programs and their environment.
pub fn answer(ask: &ask::Program, Context { plan, site }: &Context<'_>) -> Given {
    match ask {
        ask::Program::Image { role, image } => crate::dcos::images::refused(image, site)
            .unwrap_or_else(|| Answer::Native(Means::Image { role: *role, image: image.to_string() })),
        ask::Program::NoImage { .. } => {
            Answer::Native(Means::Inherent("Mesos runs it on the agent's own software"))
        }
        ask::Program::Pull { role, pull } => task::pull(*role, *pull),
        ask::Program::Run { role, argv: _ } => Answer::Native(Means::Run { role: *role }),
        ask::Program::Shell { role, text: _ } => Answer::Native(Means::Shell { role: *role }),
        ask::Program::Workdir { role, path: _ } => Answer::Native(Means::Workdir { role: *role }),
        ask::Program::Env { role, name, value: _ } => task::variable(*role, name, plan)
            .unwrap_or_else(|| Answer::Native(Means::Env { role: *role, name: name.clone() })),
        ask::Program::Hadoop { home, java, conf } => storage::hadoop(home, java, conf.as_deref()),
    }
}
