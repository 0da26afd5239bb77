//! What each task starts: its image, its program, its variables.
use super::Answer;
use super::{Context, storage};
use crate::pod::expand;
use crate::pod::means::{Duty, Means};
use crate::pod::schema::PullPolicy;
use tfjob_lang::ask;
use tfjob_lang::ask::{Ask, Identity, Lifecycle};
use tfjob_lang::plan::{Own, Part, Plan, RoleId, Template};
use tfjob_lang::spec::Pull;
use tfjob_lang::spec::values::Image;

/// Answers one requirement: programs and their environment.
pub fn answer(ask: &ask::Program, case: &Context<'_>) -> Answer {
    match ask {
        ask::Program::Image { role, image } => self::image(*role, image),
        ask::Program::NoImage { role } => no_image(case, *role),
        ask::Program::Pull { role, pull } => self::pull(*role, *pull),
        ask::Program::Run { role, argv } => run(case, *role, argv),
        ask::Program::Shell { role, text } => shell(case, *role, text),
        ask::Program::Workdir { role, path } => workdir(case, *role, path),
        ask::Program::Env { role, name, value } => env(case, *role, name, value),
        ask::Program::Hadoop { home, java, conf } => hadoop(home, java, conf.as_deref()),
    }
}

fn image(role: RoleId, image: &Image) -> Answer {
    Answer::Native(Means::Image { role, image: image.to_string() })
}

fn no_image(case: &Context<'_>, role: RoleId) -> Answer {
    Answer::impossible(
        format!("runs containers only, and `{}` has no image", case.role(role)),
        "add `image \"registry/repository:tag\"` to the job or the role",
        "kubernetes §1.3",
    )
}

fn pull(role: RoleId, pull: Pull) -> Answer {
    let policy = match pull {
        Pull::Missing => PullPolicy::IfNotPresent,
        Pull::Always => PullPolicy::Always,
        Pull::Never => PullPolicy::Never,
    };
    Answer::Native(Means::Pull { role, policy })
}

/// Why only a running program can complete a text, in words.
fn unknown(template: &Template) -> String {
    let own = template.parts.iter().find_map(|part| match part {
        Part::Own(Own::Env(name), _) => Some(format!("what the image sets as `{name}`")),
        Part::Own(Own::Port(name), _) => Some(format!("the port that is free for `{name}`")),
        Part::Own(Own::Done, _) => Some("the file of `{done}`".to_owned()),
        // Addresses are known unless a port among them is found at the start.
        Part::Own(Own::Addresses(_) | Own::Index | Own::Address, _) | Part::Text(_) | Part::Place(..) => None,
    });
    let own = own.unwrap_or_else(|| "ports that are free".to_owned());
    format!("the shim fills in {own}, which no field of a Pod knows")
}

fn run(case: &Context<'_>, role: RoleId, argv: &[Template]) -> Answer {
    let word = |t: &Template| expand::word(t, case, role);
    let mut words = Vec::new();
    for template in argv {
        match word(template) {
            Some(text) => words.push((text, template.span)),
            None => return Answer::Emulated(Means::Shim(Duty::Start), unknown(template)),
        }
    }
    if let Some(how) = deaf(case.plan, role) {
        return Answer::Emulated(Means::Shim(Duty::Start), how);
    }
    let index = argv.iter().any(|t| expand::asks_index(t, case.plan, role));
    Answer::Native(Means::Run { role, words, index })
}

/// `shell` sees all references as variables: one of a port that is found at the start only the shim can set.
fn shell(case: &Context<'_>, role: RoleId, text: &str) -> Answer {
    let plan = case.plan;
    if let Some(port) = plan.roles[role].ports.iter().find(|p| p.number.is_none()) {
        let how = format!("the shim sets the variable of the port that is free for `{}`", port.name.value);
        return Answer::Emulated(Means::Shim(Duty::Start), how);
    }
    if let Some(how) = deaf(plan, role) {
        return Answer::Emulated(Means::Shim(Duty::Start), how);
    }
    Answer::Native(Means::Shell { role, text: text.to_owned() })
}

/// What the shim is for where the job requests a grace and its program would not get the signal.
fn deaf(plan: &Plan, role: RoleId) -> Option<String> {
    let grace =
        plan.asks.iter().any(|asked| matches!(asked.ask, Ask::Lifecycle(Lifecycle::StopGrace { .. })));
    (grace && plan.roles[role].command.begins_with_shell()).then(|| {
        "the shim passes SIGTERM on: a shell that is the first process of a container ignores it, and what it runs gets none".to_owned()
    })
}

fn workdir(case: &Context<'_>, role: RoleId, path: &Template) -> Answer {
    let fixed = case.places.fixed(path);
    if let Some(file) = fixed.as_deref().and_then(|path| file_above(case, role, path)) {
        return Answer::impossible(
            format!("starts no program in `{file}`, which is a file"),
            "use the directory that holds the file",
            "kubernetes-observed §4",
        );
    }
    match fixed {
        // The language takes no folder but an absolute one.
        Some(path) => Answer::Native(Means::Workdir { role, path }),
        None => Answer::Emulated(
            Means::Shim(Duty::Start),
            "the shim changes the folder: no field of a Pod is expanded there".to_owned(),
        ),
    }
}

/// A file that the spec puts into a role's Pods at a path, or above it.
fn file_above(case: &Context<'_>, id: RoleId, path: &str) -> Option<String> {
    let secrets = case.plan.asks.iter().filter_map(|asked| {
        let Ask::Identity(Identity::SecretFile { role, at, .. }) = &asked.ask else { return None };
        (*role == id).then_some(at.as_str())
    });
    let files = case.forms().iter().filter(|(_, form)| **form == storage::Form::File).map(|(at, _)| *at);
    let mut all = files.chain(secrets);
    let within =
        |at: &str| path.strip_prefix(at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    all.find(|at| within(at)).map(str::to_owned)
}

fn env(case: &Context<'_>, role: RoleId, name: &str, value: &Template) -> Answer {
    match expand::word(value, case, role) {
        Some(text) => Answer::Native(Means::Env {
            role,
            name: name.to_owned(),
            value: (text, value.span),
            index: expand::asks_index(value, case.plan, role),
        }),
        None => Answer::Emulated(Means::Shim(Duty::Start), unknown(value)),
    }
}

fn hadoop(home: &str, java: &str, conf: Option<&str>) -> Answer {
    let duty = Duty::Hadoop { home: home.to_owned(), java: java.to_owned(), conf: conf.map(str::to_owned) };
    let how = "the shim sets CLASSPATH with every jar of Hadoop: libhdfs expands no `*`";
    Answer::Emulated(Means::Shim(duty), how.to_owned())
}
