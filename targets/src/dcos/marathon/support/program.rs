//! Programs and their environment.
use super::Answer;
use crate::dcos::context::Context;
use crate::dcos::images;
use crate::dcos::marathon::means::Means;
use crate::dcos::marathon::support::variables::variable;
use tfjob_lang::ask;
use tfjob_lang::plan::RoleId;
use tfjob_lang::spec::Pull;

/// Answers one requirement: programs and their environment.
pub fn answer(ask: &ask::Program, Context { plan, site }: &Context<'_>) -> Answer {
    match ask {
        ask::Program::Image { role, image } => images::refused(image, site)
            .unwrap_or_else(|| Answer::Native(Means::Image { role: *role, image: image.to_string() })),
        ask::Program::NoImage { .. } => Answer::inherent("Mesos runs it on the agent's own software"),
        ask::Program::Pull { role, pull } => self::pull(*role, *pull),
        ask::Program::Run { role, argv: _ } => Answer::Native(Means::Run { role: *role }),
        ask::Program::Shell { role, text: _ } => Answer::Native(Means::Shell { role: *role }),
        ask::Program::Workdir { role, path: _ } => Answer::Native(Means::Workdir { role: *role }),
        ask::Program::Env { role, name, value: _ } => variable(*role, name, plan)
            .unwrap_or_else(|| Answer::Native(Means::Env { role: *role, name: name.clone() })),
        ask::Program::Hadoop { home, java, conf } => hadoop(home, java, conf.as_deref()),
    }
}

fn pull(role: RoleId, pull: Pull) -> Answer {
    match pull {
        Pull::Missing => Answer::inherent("agents keep the images they have"),
        Pull::Always => Answer::Native(Means::ForcePull { role }),
        Pull::Never => Answer::refused(
            "pulls an image that the agent does not have",
            "remove `pull`, or write `pull=\"missing\"`",
            "spark-dcos §3.6",
        ),
    }
}

fn hadoop(home: &str, java: &str, conf: Option<&str>) -> Answer {
    Answer::Emulated(
        Means::Hadoop { home: home.to_owned(), java: java.to_owned(), conf: conf.map(str::to_owned) },
        "the command of each app sets CLASSPATH, LD_LIBRARY_PATH and Hadoop's own variables".into(),
    )
}
