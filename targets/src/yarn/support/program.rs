//! Support of programs and their environment.
use super::Support;
use super::{SET_DOMAIN, without_domain};
use crate::yarn::context::Context;
use crate::yarn::mechanism::Mechanism;
use crate::yarn::text;
use crate::yarn::variables::of_bash;
use tfjob_lang::plan::{Part, RoleId, TaskRef, Template};
use tfjob_lang::requirement;
use tfjob_lang::spec::Pull;
use tfjob_lang::spec::values::Image;

/// Returns the support of one requirement about programs and their environment.
pub fn support(requirement: &requirement::Program, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Program::Image { role, image } => self::image(context, *role, image),
        requirement::Program::NoImage { role: _ } => {
            Support::inherent("the program runs directly on the node")
        }
        requirement::Program::Pull { role, pull } => self::pull(context, *role, *pull),
        requirement::Program::Run { role, argv } => run(context, *role, argv),
        requirement::Program::Shell { role, text } => shell(context, *role, text),
        requirement::Program::Workdir { role, path } => workdir(context, *role, path),
        requirement::Program::Env { role, name, value } => env(context, *role, name, value),
        requirement::Program::Hadoop { home, java, conf } => hadoop(home, java, conf.as_deref()),
    }
}

/// Maximum length of a launch command in bytes. YARN passes the command, with redirections, to `bash -c` as one argument. Linux
/// limits an argument to 128 KiB (131,072 bytes), and the rest is a reserve for the redirections.
const COMMAND: usize = 120_000;

/// Maximum length in bytes of an environment variable, `NAME=VALUE` with the closing NUL. The limit is that of Linux.
const VARIABLE: usize = 131_072;

fn image(context: &Context<'_>, role: RoleId, image: &Image) -> Support {
    refused_digest(context, image)
        .unwrap_or_else(|| Support::Native(Mechanism::Image { role, id: image.to_string() }))
}

/// Refuses the image of a task or of TensorBoard if the NodeManager does not accept the digest in its name.
pub fn refused_digest(context: &Context<'_>, image: &Image) -> Option<Support> {
    if image.digest.is_some() && !context.release.digests() {
        return Some(Support::unsupported(
            "before Hadoop 3.3, the NodeManager refuses an image name with a digest, so no container starts",
            "use a tag instead of the digest; or, if the cluster runs Hadoop 3.3 or later, set `target \"yarn\" { hadoop \"3.3\" }`",
            "yarn#image-digests",
        ));
    }
    image.digest.as_ref().is_some_and(|digest| !digest.starts_with("sha256:")).then(|| {
        Support::unsupported(
            "the NodeManager accepts only sha256 image digests",
            "use the sha256 digest of the image, or a tag",
            "DockerLinuxContainerRuntime.validateImageName, Hadoop 3.4.2",
        )
    })
}

fn pull(context: &Context<'_>, role: RoleId, pull: Pull) -> Support {
    let has_digest =
        context.role(role).image.as_ref().is_some_and(|image| image.image.value.digest.is_some());
    let (why, help) = match pull {
        Pull::Missing => return Support::inherent("docker run pulls an image that the node does not have"),
        Pull::Always => (
            "the NodeManager pulls an image only if the node does not have it; only the administrator can change this, for all containers",
            match has_digest {
                true => "remove `pull=\"always\"`: an image with a digest never changes",
                false => "remove `pull=\"always\"`, and use an image tag that is never overwritten",
            },
        ),
        Pull::Never => (
            "the NodeManager always pulls an image that the node does not have; only the administrator can change this, for all containers",
            "write `pull=\"missing\"`, or remove `pull`",
        ),
    };
    Support::unsupported(why, help, "yarn#image-pulls")
}

/// Returns the support of a command. Without the shim, the whole command is one argument of `bash -c`, which limits its length.
/// The shim reads the command from the job contract.
fn run(context: &Context<'_>, role: RoleId, argv: &[Template]) -> Support {
    if let Some(refused) = argv.iter().find_map(|argument| unknown_address(context, argument)) {
        return refused;
    }
    too_long(context, argv.iter().flat_map(|argument| &argument.parts))
        .unwrap_or_else(|| Support::Native(Mechanism::Run { role, argv: argv.to_vec() }))
}

fn shell(context: &Context<'_>, role: RoleId, text: &str) -> Support {
    too_long(context, &[Part::Text(text.to_owned())])
        .unwrap_or_else(|| Support::Native(Mechanism::Shell { role, text: text.to_owned() }))
}

fn workdir(context: &Context<'_>, role: RoleId, path: &Template) -> Support {
    unknown_address(context, path)
        .unwrap_or_else(|| Support::Native(Mechanism::Workdir { role, path: path.clone() }))
}

fn too_long<'t>(context: &Context<'_>, parts: impl IntoIterator<Item = &'t Part>) -> Option<Support> {
    let length = |part: &Part| match part {
        Part::Text(plain) => text::in_double_quotes(&text::word(plain)).len() + 1,
        Part::Data(..) | Part::Task(..) => 256,
    };
    let total: usize = parts.into_iter().map(length).sum();
    (total > COMMAND && !context.carried()).then(|| {
        Support::impossible(
            format!(
                "the command has {total} bytes, but bash gets it as one argument, which can have at most {COMMAND} bytes"
            ),
            "move long arguments into a file that the program reads",
            "yarn#command-length",
        )
    })
}

/// Refuses a reference to the address of a task if the option `dns-domain` is not set.
fn unknown_address(context: &Context<'_>, template: &Template) -> Option<Support> {
    let needs_address = template.parts.iter().any(|part| match part {
        Part::Task(TaskRef::Address | TaskRef::Addresses(_), _) => true,
        Part::Task(TaskRef::Index | TaskRef::Port(_) | TaskRef::Env(_) | TaskRef::Done, _)
        | Part::Text(_)
        | Part::Data(..) => false,
    });
    (needs_address && context.domain().is_none()).then(|| {
        without_domain(Support::impossible(
            "references to task addresses expand to registry DNS names, but the domain of these names (`dns-domain`) is not set",
            SET_DOMAIN,
            "yarn#registry-dns",
        ))
    })
}

fn env(context: &Context<'_>, role: RoleId, name: &str, value: &Template) -> Support {
    if name.starts_with("YARN_CONTAINER_RUNTIME_") {
        return Support::impossible(
            format!(
                "the NodeManager reads `{name}` to configure the container, so the program cannot use this variable"
            ),
            "use the matching field (`image`, `network`, `data … at=…`), or set the variable in the `patch` of \
             `target \"yarn\" { … }`",
            "yarn#runtime-variables",
        );
    }
    if of_bash(name) && !context.carried() {
        return Support::impossible(
            format!(
                "the program would not see this value, because tasks are started by bash, which sets `{name}` itself"
            ),
            "rename the variable",
            "yarn#shell-variables",
        );
    }
    if name == "WORK_DIR" {
        return Support::impossible(
            "the program would not see this value, because the service master sets `WORK_DIR` to the working directory of the container",
            "rename the variable",
            "yarn#work_dir",
        );
    }
    if let Some(refused) = unknown_address(context, value) {
        return refused;
    }
    let length: usize = value
        .parts
        .iter()
        .map(|part| match part {
            Part::Text(plain) => text::in_double_quotes(plain).len(),
            Part::Data(..) | Part::Task(..) => 256,
        })
        .sum();
    let total = name.len() + 2 + length;
    if total > VARIABLE && !context.carried() {
        return Support::impossible(
            format!(
                "`{name}` is too long, with {total} bytes after escaping: above {VARIABLE} bytes, the container does not start, but the service reports success"
            ),
            "move the value into a file that the program reads",
            "yarn#variable-length",
        );
    }
    Support::Native(Mechanism::Env { role, name: name.to_owned(), value: value.clone() })
}

/// Returns the support of Hadoop. The shim sets the environment variables that libhdfs requires.
fn hadoop(home: &str, java: &str, conf: Option<&str>) -> Support {
    Support::Emulated(
        Mechanism::Hadoop { home: home.to_owned(), java: java.to_owned(), conf: conf.map(str::to_owned) },
        "the shim sets CLASSPATH and LD_LIBRARY_PATH, so that TensorFlow finds libhdfs and its Java classes"
            .to_owned(),
    )
}
