//! One task: its image, what it starts, with which variables, secrets and user.
use super::{Answered, Context, over_directory, storage, unmountable_in};
use crate::kubernetes::expand;
use crate::kubernetes::grammar::{is_key, is_subdomain};
use crate::kubernetes::means::{Duty, Means};
use crate::kubernetes::shape::PullPolicy;
use tfjob_lang::ask::{Ask, Identity, Lifecycle};
use tfjob_lang::plan::{Own, Part, Plan, RoleId, Template};
use tfjob_lang::spec::values::Image;
use tfjob_lang::spec::{Pull, User};
use tfjob_lang::target::Answer;

pub fn image(role: RoleId, image: &Image) -> Answered {
    Answer::Native(Means::Image { role, image: image.to_string() })
}

pub fn no_image(case: &Context<'_>, role: RoleId) -> Answered {
    Answer::impossible(
        format!("runs containers only, and `{}` has no image", case.role(role)),
        "add `image \"registry/repository:tag\"` to the job or the role",
        "kubernetes §1.3",
    )
}

pub fn pull(role: RoleId, pull: Pull) -> Answered {
    let policy = match pull {
        Pull::Missing => PullPolicy::IfNotPresent,
        Pull::Always => PullPolicy::Always,
        Pull::Never => PullPolicy::Never,
    };
    Answer::Native(Means::Pull { role, policy })
}

pub fn pull_secret(role: RoleId, name: &str) -> Answered {
    if !is_subdomain(name) {
        return unnamed(name);
    }
    Answer::Native(Means::PullSecret { role, name: name.to_owned() })
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

pub fn run(case: &Context<'_>, role: RoleId, argv: &[Template]) -> Answered {
    let word = |t: &Template| expand::word(t, case.plan, &case.places, case.options.namespace(), role);
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
pub fn shell(case: &Context<'_>, role: RoleId, text: &str) -> Answered {
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

pub fn workdir(case: &Context<'_>, role: RoleId, path: &Template) -> Answered {
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

pub fn env(case: &Context<'_>, role: RoleId, name: &str, value: &Template) -> Answered {
    match expand::word(value, case.plan, &case.places, case.options.namespace(), role) {
        Some(text) => Answer::Native(Means::Env {
            role,
            name: name.to_owned(),
            value: (text, value.span),
            index: expand::asks_index(value, case.plan, role),
        }),
        None => Answer::Emulated(Means::Shim(Duty::Start), unknown(value)),
    }
}

/// Where the proof of what is said of Secrets stands.
const PROOF: &str = "kubernetes §2, secrets";

fn unnamed(secret: &str) -> Answered {
    let help = "`a` to `z`, digits, `-` and `.`, at most 253";
    Answer::impossible(format!("cannot have a Secret named `{secret}`"), help, PROOF)
}

/// The entry of a Secret, or why there is none.
fn entry(from: &str, key: Option<&str>) -> Result<String, Box<Answered>> {
    if !is_subdomain(from) {
        return Err(Box::new(unnamed(from)));
    }
    let Some(key) = key else {
        let help = "say which entry: `key=\"token\"`";
        return Err(Box::new(Answer::impossible(
            format!("keeps several entries in a Secret such as `{from}`"),
            help,
            PROOF,
        )));
    };
    if !is_key(key) {
        let help = "letters, digits, `-`, `_` and `.`, at most 253";
        return Err(Box::new(Answer::impossible(
            format!("cannot have an entry `{key}` in a Secret"),
            help,
            PROOF,
        )));
    }
    Ok(key.to_owned())
}

pub fn secret_env(role: RoleId, env: &str, from: &str, key: Option<&str>) -> Answered {
    match entry(from, key) {
        Ok(key) => Answer::Native(Means::SecretEnv { role, env: env.to_owned(), from: from.to_owned(), key }),
        Err(refused) => *refused,
    }
}

pub fn secret_file(
    case: &Context<'_>,
    role: RoleId,
    (env, from, key): (&str, &str, Option<&str>),
    at: &str,
) -> Answered {
    if let Some(why) = unmountable_in(case, at).or_else(|| over_directory(at)) {
        return Answer::impossible(why, "another path", "kubernetes-observed §4");
    }
    match entry(from, key) {
        Ok(key) => Answer::Native(Means::SecretFile {
            role,
            env: env.to_owned(),
            from: from.to_owned(),
            key,
            at: at.to_owned(),
        }),
        Err(refused) => *refused,
    }
}

/// A container has no list of users that Kubernetes could read: only numbers.
pub fn user(case: &Context<'_>, role: RoleId, user: &User) -> Answered {
    match user {
        User::Number(0) if case.options.restricted() => Answer::refused(
            "does not let root run where the namespace is `restricted`",
            "a number other than 0",
            "Pod Security Standards, restricted",
        ),
        User::Number(uid) => match i32::try_from(*uid) {
            Ok(_) => Answer::Native(Means::User { role, uid: *uid }),
            Err(_) => Answer::impossible(
                format!("takes no user above {}", i32::MAX),
                "a smaller number",
                "k8s.io/apimachinery validation, IsValidUserID",
            ),
        },
        User::Name(name) => Answer::refused(
            format!("runs a container as a number, and cannot look up `{name}` in the image"),
            "the user's number, as `id -u` says it in the image",
            "PodSecurityContext, runAsUser",
        ),
    }
}

pub fn hadoop(home: &str, java: &str, conf: Option<&str>) -> Answered {
    let duty = Duty::Hadoop { home: home.to_owned(), java: java.to_owned(), conf: conf.map(str::to_owned) };
    let how = "the shim sets CLASSPATH with every jar of Hadoop: libhdfs expands no `*`";
    Answer::Emulated(Means::Shim(duty), how.to_owned())
}

pub fn kerberos() -> Answered {
    Answer::refused(
        "has no Kerberos: nothing in a Pod gets a ticket or renews it",
        "mount the keytab by `secret … at=` and call `kinit` in `shell`",
        "kubernetes §2, HDFS",
    )
}
