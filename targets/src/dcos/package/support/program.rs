//! Programs and their environment.
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

/// Answers one requirement: programs and their environment.
pub fn support(requirement: &requirement::Program, Context { plan, site }: &Context<'_>) -> Support {
    match requirement {
        requirement::Program::Image { role, image } => self::image(*role, image, plan, site),
        requirement::Program::NoImage { .. } => Support::inherent("the package has an image of its own"),
        requirement::Program::Pull { pull, .. } => self::pull(*pull),
        requirement::Program::Run { role, argv } => run(*role, argv, plan, site),
        requirement::Program::Shell { .. } => lacks(
            "calls a module's `main` and starts no shell for the package's tasks",
            "dcos#package-module",
        ),
        requirement::Program::Workdir { .. } => {
            lacks("chooses the folder of the package's tasks itself", "dcos#package-code")
        }
        requirement::Program::Env { .. } => {
            lacks("accepts variables in the package's options and never reads them", "dcos#package-options")
        }
        requirement::Program::Hadoop { .. } => hadoop(plan),
    }
}

/// Tasks without GPUs share one image, those with GPUs another.
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
            "has one image for all tasks without GPUs and one for those with",
            "dcos#package-images",
        );
    }
    Support::Native(Mechanism::Image { role, image: image.to_string() })
}

fn pull(pull: Pull) -> Support {
    match pull {
        Pull::Missing => Support::inherent("agents keep the images they have"),
        Pull::Always | Pull::Never => {
            lacks("cannot say when the package's image is pulled", "dcos#package-options")
        }
    }
}

/// The words of the program become the context, or the package has no place for them.
fn run(role: RoleId, argv: &[Template], plan: &Plan, site: &Site<Dcos>) -> Support {
    let entries = match job_context::entries(argv, plan, site) {
        Ok(entries) => entries,
        Err(lost) => return Support::impossible(lost.why, lost.help, "dcos#package-module"),
    };
    let same = plan.requirements.iter().all(|required| {
        let Requirement::Program(Program::Run { role: other, argv }) = &required.requirement else {
            return true;
        };
        *other == role || job_context::entries(argv, plan, site).is_ok_and(|others| others == entries)
    });
    if !same {
        return lacks("gives all the package's tasks one module and one context", "dcos#package-module");
    }
    let words = match entries.len() {
        0 => "without context".to_owned(),
        n => format!("with {n} of its words as context"),
    };
    Support::Emulated(
        Mechanism::Context(entries),
        format!("the package's own program calls the module's main, {words}; no word reaches sys.argv"),
    )
}

fn hadoop(plan: &Plan) -> Support {
    if plan.roles.iter().any(|role| role.image.is_some()) {
        return lacks("sets no variables of Hadoop in an image of the job's own", "dcos#package-options");
    }
    Support::Ignored(
        "does not use these folders: the package's own image holds Hadoop's client and sets its variables"
            .to_owned(),
    )
}
