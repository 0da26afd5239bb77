//! Support of programs, images, and environment variables.
mod job_context;

use super::Support;
use crate::dcos::context::Context;
use crate::dcos::package::mechanism::Mechanism;
use crate::dcos::package::support::lacks;
use crate::dcos::{Dcos, images};
use tfjob_lang::plan::{Plan, RoleId, Template};
use tfjob_lang::requirement::{self, Program, Requirement};
use tfjob_lang::spec::Pull;
use tfjob_lang::spec::values::Image;
use tfjob_lang::target::Site;

/// Returns the support of one requirement about programs and their environment.
pub fn support(requirement: &requirement::Program, Context { plan, site }: &Context<'_>) -> Support {
    match requirement {
        requirement::Program::Image { role, image } => self::image(*role, image, plan, site),
        requirement::Program::NoImage { .. } => Support::inherent("the TensorFlow package has its own image"),
        requirement::Program::Pull { pull, .. } => self::pull(*pull),
        requirement::Program::Run { role, argv } => run(*role, argv, plan, site),
        requirement::Program::Shell { .. } => lacks(
            "the TensorFlow package calls `main` of a Python module and starts no shell",
            "dcos#package-module",
        ),
        requirement::Program::Workdir { .. } => {
            lacks("the TensorFlow package chooses the working directory of its tasks", "dcos#package-code")
        }
        requirement::Program::Env { .. } => lacks(
            "the TensorFlow package accepts environment variables in its options, but ignores them",
            "dcos#package-options",
        ),
        requirement::Program::Hadoop { .. } => hadoop(plan),
    }
}

/// Returns the support of an image. All tasks without GPUs share one image, and all tasks with GPUs share another.
fn image(role: RoleId, image: &Image, plan: &Plan, site: &Site<Dcos>) -> Support {
    if let Some(refused) = images::refused(image, site) {
        return refused;
    }
    let pool = |id: RoleId| plan.roles[id].resources.gpus > 0;
    let differs = (0..plan.roles.len())
        .filter(|id| pool(*id) == pool(role))
        .any(|id| plan.roles[id].image.as_ref().is_none_or(|other| other.image.value != *image));
    if differs {
        return lacks(
            "the TensorFlow package has one image for all tasks without GPUs and one for all tasks with GPUs, but the roles of this job have more images",
            "dcos#package-images",
        );
    }
    Support::Native(Mechanism::Image { role, image: image.to_string() })
}

fn pull(pull: Pull) -> Support {
    match pull {
        Pull::Missing => Support::inherent("agents pull only images that they do not have"),
        Pull::Always | Pull::Never => {
            lacks("the TensorFlow package has no option for when an image is pulled", "dcos#package-options")
        }
    }
}

/// Returns the support of `run`. Arguments of the form `--NAME=VALUE` become the dictionary `context` of `main`. Arguments of any
/// other form are refused.
fn run(role: RoleId, argv: &[Template], plan: &Plan, site: &Site<Dcos>) -> Support {
    let entries = match job_context::entries(argv, plan, site) {
        Ok(entries) => entries,
        Err(refused) => return Support::impossible(refused.why, refused.help, "dcos#package-module"),
    };
    let same = plan.requirements.iter().all(|required| {
        let Requirement::Program(Program::Run { role: other, argv }) = &required.requirement else {
            return true;
        };
        *other == role || job_context::entries(argv, plan, site).is_ok_and(|others| others == entries)
    });
    if !same {
        return lacks(
            "the TensorFlow package calls one module with one context for all tasks, but the roles of this job have different arguments",
            "dcos#package-module",
        );
    }
    let context = match entries.len() {
        0 => "with an empty `context`".to_owned(),
        1 => "with the argument of `run` in `context`".to_owned(),
        n => format!("with the {n} arguments of `run` in `context`"),
    };
    Support::Emulated(
        Mechanism::Context(entries),
        format!(
            "the DC/OS package for TensorFlow starts no command: it calls `main` of the Python module {context}, and `sys.argv` contains no arguments"
        ),
    )
}

fn hadoop(plan: &Plan) -> Support {
    if plan.roles.iter().any(|role| role.image.is_some()) {
        return lacks(
            "the TensorFlow package sets no Hadoop variables in a custom image",
            "dcos#package-options",
        );
    }
    Support::Ignored(
        "the `hadoop` paths are ignored: the image of the TensorFlow package contains a Hadoop client and sets its variables"
            .to_owned(),
    )
}
