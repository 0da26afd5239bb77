//! Programs and their environment.
use crate::dcos::context::Context;
use crate::dcos::package::Given;
use crate::dcos::package::Means;
use crate::dcos::package::lacks;
use crate::dcos::package::storage;
use crate::dcos::package::tasks;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What the package does with one requirement: programs and their environment.
pub fn answer(ask: &ask::Program, Context { plan, site }: &Context<'_>) -> Given {
    match ask {
        ask::Program::Image { role, image } => tasks::image(*role, image, plan, site),
        ask::Program::NoImage { .. } => {
            Answer::Native(Means::Inherent("the package has an image of its own"))
        }
        ask::Program::Pull { pull, .. } => tasks::pull(*pull),
        ask::Program::Run { role, argv } => tasks::run(*role, argv, plan, site),
        ask::Program::Shell { .. } => {
            lacks("calls a module's `main` and starts no shell for the package's tasks", "spark-dcos §3.5")
        }
        ask::Program::Workdir { .. } => {
            lacks("chooses the folder of the package's tasks itself", "spark-dcos §3.5")
        }
        ask::Program::Env { .. } => {
            lacks("accepts variables in the package's options and never reads them", "spark-dcos §3.3")
        }
        ask::Program::Hadoop { .. } => storage::hadoop(plan),
    }
}
