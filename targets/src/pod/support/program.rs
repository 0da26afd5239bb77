//! What each task starts: its image, its program, its variables.
use super::Support;
use super::{Context, storage};
use crate::pod::expand;
use crate::pod::mechanism::{Duty, Mechanism};
use crate::pod::schema::PullPolicy;
use tfjob_lang::plan::{Part, Plan, RoleId, TaskRef, Template};
use tfjob_lang::requirement;
use tfjob_lang::requirement::{Identity, Lifecycle, Requirement};
use tfjob_lang::spec::Pull;
use tfjob_lang::spec::values::Image;

/// Answers one requirement: programs and their environment.
pub fn support(requirement: &requirement::Program, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Program::Image { role, image } => self::image(*role, image),
        requirement::Program::NoImage { role } => no_image(context, *role),
        requirement::Program::Pull { role, pull } => self::pull(*role, *pull),
        requirement::Program::Run { role, argv } => run(context, *role, argv),
        requirement::Program::Shell { role, text } => shell(context, *role, text),
        requirement::Program::Workdir { role, path } => workdir(context, *role, path),
        requirement::Program::Env { role, name, value } => env(context, *role, name, value),
        requirement::Program::Hadoop { home, java, conf } => hadoop(home, java, conf.as_deref()),
    }
}

fn image(role: RoleId, image: &Image) -> Support {
    Support::Native(Mechanism::Image { role, image: image.to_string() })
}

fn no_image(context: &Context<'_>, role: RoleId) -> Support {
    Support::impossible(
        format!("runs containers only, and `{}` has no image", context.role(role)),
        "add `image \"registry/repository:tag\"` to the job or the role",
        "kubernetes#container-images",
    )
}

fn pull(role: RoleId, pull: Pull) -> Support {
    let policy = match pull {
        Pull::Missing => PullPolicy::IfNotPresent,
        Pull::Always => PullPolicy::Always,
        Pull::Never => PullPolicy::Never,
    };
    Support::Native(Mechanism::Pull { role, policy })
}

/// Why only a running program can complete a text, in words.
fn unknown(template: &Template) -> String {
    let own = template.parts.iter().find_map(|part| match part {
        Part::Task(TaskRef::Env(name), _) => Some(format!("what the image sets as `{name}`")),
        Part::Task(TaskRef::Port(name), _) => Some(format!("the port that is free for `{name}`")),
        Part::Task(TaskRef::Done, _) => Some("the file of `{done}`".to_owned()),
        // Addresses are known unless a port among them is found at the start.
        Part::Task(TaskRef::Addresses(_) | TaskRef::Index | TaskRef::Address, _)
        | Part::Text(_)
        | Part::Data(..) => None,
    });
    let own = own.unwrap_or_else(|| "ports that are free".to_owned());
    format!("the shim fills in {own}, which no field of a Pod knows")
}

fn run(context: &Context<'_>, role: RoleId, argv: &[Template]) -> Support {
    let word = |t: &Template| expand::word(t, context, role);
    let mut words = Vec::new();
    for template in argv {
        match word(template) {
            Some(text) => words.push((text, template.span)),
            None => return Support::Emulated(Mechanism::Shim(Duty::Start), unknown(template)),
        }
    }
    if let Some(how) = deaf(context.plan, role) {
        return Support::Emulated(Mechanism::Shim(Duty::Start), how);
    }
    let index = argv.iter().any(|t| expand::asks_index(t, context.plan, role));
    Support::Native(Mechanism::Run { role, words, index })
}

/// `shell` sees all references as variables: one of a port that is found at the start only the shim can set.
fn shell(context: &Context<'_>, role: RoleId, text: &str) -> Support {
    let plan = context.plan;
    if let Some(port) = plan.roles[role].ports.iter().find(|p| p.number.is_none()) {
        let how = format!("the shim sets the variable of the port that is free for `{}`", port.name.value);
        return Support::Emulated(Mechanism::Shim(Duty::Start), how);
    }
    if let Some(how) = deaf(plan, role) {
        return Support::Emulated(Mechanism::Shim(Duty::Start), how);
    }
    Support::Native(Mechanism::Shell { role, text: text.to_owned() })
}

/// What the shim is for where the job requests a grace and its program would not get the signal.
fn deaf(plan: &Plan, role: RoleId) -> Option<String> {
    let grace = plan
        .requirements
        .iter()
        .any(|required| matches!(required.requirement, Requirement::Lifecycle(Lifecycle::StopGrace { .. })));
    (grace && plan.roles[role].command.begins_with_shell()).then(|| {
        "the shim passes SIGTERM on: a shell that is the first process of a container ignores it, and what it runs gets none".to_owned()
    })
}

fn workdir(context: &Context<'_>, role: RoleId, path: &Template) -> Support {
    let fixed = context.places.fixed(path);
    if let Some(file) = fixed.as_deref().and_then(|path| file_above(context, role, path)) {
        return Support::impossible(
            format!("starts no program in `{file}`, which is a file"),
            "use the directory that holds the file",
            "kubernetes#working-directory",
        );
    }
    match fixed {
        // The language takes no folder but an absolute one.
        Some(path) => Support::Native(Mechanism::Workdir { role, path }),
        None => Support::Emulated(
            Mechanism::Shim(Duty::Start),
            "the shim changes the folder: no field of a Pod is expanded there".to_owned(),
        ),
    }
}

/// A file that the spec puts into a role's Pods at a path, or above it.
fn file_above(context: &Context<'_>, id: RoleId, path: &str) -> Option<String> {
    let secrets = context.plan.requirements.iter().filter_map(|required| {
        let Requirement::Identity(Identity::SecretFile { role, at, .. }) = &required.requirement else {
            return None;
        };
        (*role == id).then_some(at.as_str())
    });
    let files = context.forms().iter().filter(|(_, form)| **form == storage::Form::File).map(|(at, _)| *at);
    let mut all = files.chain(secrets);
    let within =
        |at: &str| path.strip_prefix(at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    all.find(|at| within(at)).map(str::to_owned)
}

fn env(context: &Context<'_>, role: RoleId, name: &str, value: &Template) -> Support {
    match expand::word(value, context, role) {
        Some(text) => Support::Native(Mechanism::Env {
            role,
            name: name.to_owned(),
            value: (text, value.span),
            index: expand::asks_index(value, context.plan, role),
        }),
        None => Support::Emulated(Mechanism::Shim(Duty::Start), unknown(value)),
    }
}

fn hadoop(home: &str, java: &str, conf: Option<&str>) -> Support {
    let duty = Duty::Hadoop { home: home.to_owned(), java: java.to_owned(), conf: conf.map(str::to_owned) };
    let how = "the shim sets CLASSPATH with every jar of Hadoop: libhdfs expands no `*`";
    Support::Emulated(Mechanism::Shim(duty), how.to_owned())
}
