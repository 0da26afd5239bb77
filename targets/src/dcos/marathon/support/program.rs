//! Support of programs, images, and environment variables.
use super::Support;
use crate::dcos::context::Context;
use crate::dcos::images;
use crate::dcos::marathon::mechanism::Mechanism;
use crate::dcos::marathon::support::variables::variable;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement;
use tfjob_lang::spec::Pull;

/// Returns the support of one requirement about programs and their environment.
pub fn support(requirement: &requirement::Program, Context { plan, site }: &Context<'_>) -> Support {
    match requirement {
        requirement::Program::Image { role, image } => images::refused(image, site)
            .unwrap_or_else(|| Support::Native(Mechanism::Image { role: *role, image: image.to_string() })),
        requirement::Program::NoImage { .. } => Support::inherent("the task uses the software of the agent"),
        requirement::Program::Pull { role, pull } => self::pull(*role, *pull),
        requirement::Program::Run { role, argv: _ } => Support::Native(Mechanism::Run { role: *role }),
        requirement::Program::Shell { role, text: _ } => Support::Native(Mechanism::Shell { role: *role }),
        requirement::Program::Workdir { role, path: _ } => {
            Support::Native(Mechanism::Workdir { role: *role })
        }
        requirement::Program::Env { role, name, value: _ } => variable(*role, name, plan)
            .unwrap_or_else(|| Support::Native(Mechanism::Env { role: *role, name: name.clone() })),
        requirement::Program::Hadoop { home, java, conf } => hadoop(home, java, conf.as_deref()),
    }
}

fn pull(role: RoleId, pull: Pull) -> Support {
    match pull {
        Pull::Missing => Support::inherent("agents pull only images that they do not have"),
        Pull::Always => Support::Native(Mechanism::ForcePull { role }),
        Pull::Never => Support::unsupported(
            "an agent always pulls an image that it does not have, and no field of an app prevents the pull",
            "remove `pull`, or use `pull=\"missing\"`",
            "dcos#image-cache",
        ),
    }
}

fn hadoop(home: &str, java: &str, conf: Option<&str>) -> Support {
    Support::Emulated(
        Mechanism::Hadoop { home: home.to_owned(), java: java.to_owned(), conf: conf.map(str::to_owned) },
        "the command of each app sets `HADOOP_HOME`, `CLASSPATH`, and the other environment variables that libhdfs needs".into(),
    )
}
