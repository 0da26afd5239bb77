//! Image, program, and environment of each task.
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

/// Returns the support of one requirement about programs and their environment.
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
        format!("each pod runs a container, but `{}` has no image", context.role(role)),
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

/// Returns a note that says which value of a template the shim inserts, because the value is known only when the task starts.
fn unknown(template: &Template) -> String {
    let reference = template.parts.iter().find_map(|part| match part {
        Part::Task(TaskRef::Env(name), _) => Some(format!("the value of `{name}`, because the kubelet expands only variables that the pod spec sets, not those of the image")),
        Part::Task(TaskRef::Port(name), _) => Some(format!("the port number of `{name}`, because the shim picks a free port at startup")),
        Part::Task(TaskRef::Done, _) => Some("the path of the `{done}` file, because the shim picks this path at startup".to_owned()),
        // Most of these values are known at compile time, so the shim inserts none of them. The exception is an address with a port
        // that the shim picks at startup: the text below describes it.
        Part::Task(TaskRef::Addresses(_) | TaskRef::Index | TaskRef::Address, _)
        | Part::Text(_)
        | Part::Data(..) => None,
    });
    let reference = reference
        .unwrap_or_else(|| "the ports of the tasks, because the shims pick free ports at startup".to_owned());
    format!("the shim inserts {reference}")
}

fn run(context: &Context<'_>, role: RoleId, argv: &[Template]) -> Support {
    let mut words = Vec::new();
    for template in argv {
        match expand::word(template, context, role) {
            Some(text) => words.push((text, template.span)),
            None => return Support::Emulated(Mechanism::Shim(Duty::Start), unknown(template)),
        }
    }
    if let Some(how) = signals_lost(context.plan, role) {
        return Support::Emulated(Mechanism::Shim(Duty::Start), how);
    }
    let index = argv.iter().any(|t| expand::uses_index(t, context.plan, role));
    Support::Native(Mechanism::Run { role, words, index })
}

/// Returns the support of `shell`. Each reference in the text becomes an environment variable. Only the shim can set the variable
/// of a port that is picked at startup.
fn shell(context: &Context<'_>, role: RoleId, text: &str) -> Support {
    let plan = context.plan;
    if let Some(port) = plan.roles[role].ports.iter().find(|p| p.number.is_none()) {
        let how = format!("the shim picks a free port for `{}` and sets its variable", port.name.value);
        return Support::Emulated(Mechanism::Shim(Duty::Start), how);
    }
    if let Some(how) = signals_lost(plan, role) {
        return Support::Emulated(Mechanism::Shim(Duty::Start), how);
    }
    Support::Native(Mechanism::Shell { role, text: text.to_owned() })
}

/// Returns why the shim must start the program: the job sets `stop grace`, but the program would not receive SIGTERM. Otherwise
/// `None`.
fn signals_lost(plan: &Plan, role: RoleId) -> Option<String> {
    let grace = plan
        .requirements
        .iter()
        .any(|required| matches!(required.requirement, Requirement::Lifecycle(Lifecycle::StopGrace { .. })));
    (grace && plan.roles[role].command.begins_with_shell()).then(|| {
        "the shim forwards SIGTERM to the program, because a shell that is the first process of a container ignores this signal".to_owned()
    })
}

fn workdir(context: &Context<'_>, role: RoleId, path: &Template) -> Support {
    let fixed = context.places.fixed(path);
    if let Some(file) = fixed.as_deref().and_then(|path| file_above(context, role, path)) {
        return Support::impossible(
            format!("`{file}` is a file, so the working directory cannot be at or below it"),
            "use the directory that contains the file",
            "kubernetes#working-directory",
        );
    }
    match fixed {
        // A relative path gets here only if the language has already reported it.
        Some(path) => Support::Native(Mechanism::Workdir { role, path }),
        None => Support::Emulated(
            Mechanism::Shim(Duty::Start),
            "the shim changes to the working directory, because the kubelet does not expand variables in `workingDir`"
                .to_owned(),
        ),
    }
}

/// Returns the file that the spec places in the Pods of a role at `path`, or at a path above it, if any.
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
            index: expand::uses_index(value, context.plan, role),
        }),
        None => Support::Emulated(Mechanism::Shim(Duty::Start), unknown(value)),
    }
}

fn hadoop(home: &str, java: &str, conf: Option<&str>) -> Support {
    let duty = Duty::Hadoop { home: home.to_owned(), java: java.to_owned(), conf: conf.map(str::to_owned) };
    let how = "the shim lists every Hadoop JAR in CLASSPATH, because libhdfs does not expand `*`";
    Support::Emulated(Mechanism::Shim(duty), how.to_owned())
}
