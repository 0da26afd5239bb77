//! Programs and their environment.
use super::SAY_DOMAIN;
use super::Support;
use crate::yarn::context::Context;
use crate::yarn::mechanism::Mechanism;
use crate::yarn::text;
use crate::yarn::variables::of_bash;
use tfjob_lang::plan::{Part, RoleId, TaskRef, Template};
use tfjob_lang::requirement;
use tfjob_lang::spec::Pull;
use tfjob_lang::spec::values::Image;

/// Answers one requirement: programs and their environment.
pub fn support(requirement: &requirement::Program, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Program::Image { role, image } => self::image(context, *role, image),
        requirement::Program::NoImage { role: _ } => Support::inherent("the program of the node itself"),
        requirement::Program::Pull { role: _, pull } => self::pull(*pull),
        requirement::Program::Run { role, argv } => run(context, *role, argv),
        requirement::Program::Shell { role, text } => shell(context, *role, text),
        requirement::Program::Workdir { role, path } => workdir(context, *role, path),
        requirement::Program::Env { role, name, value } => env(context, *role, name, value),
        requirement::Program::Hadoop { home, java, conf } => hadoop(home, java, conf.as_deref()),
    }
}

/// Bytes of a launch command, which bash gets as one word: Linux passes 128 KiB, and the engine adds its redirections.
const COMMAND: usize = 120_000;

/// Bytes of `NAME=VALUE` with the closing NUL, which the node manager passes to its own launcher unread.
const VARIABLE: usize = 131_072;

fn image(context: &Context<'_>, role: RoleId, image: &Image) -> Support {
    unpulled(context, image)
        .unwrap_or_else(|| Support::Native(Mechanism::Image { role, id: image.to_string() }))
}

/// An image that no container of the cluster's release can name, be it a task's or the TensorBoard's.
pub fn unpulled(context: &Context<'_>, image: &Image) -> Option<Support> {
    if image.digest.is_some() && !context.release.digests() {
        return Some(Support::unsupported(
            "accepts no digest in the name of an image before Hadoop 3.3, and fails at the start of each container",
            "name the image by its tag, or say `target \"yarn\" { hadoop \"3.3\" }` if the cluster is newer",
            "yarn#image-digests",
        ));
    }
    image.digest.as_ref().is_some_and(|digest| !digest.starts_with("sha256:")).then(|| {
        Support::unsupported(
            "knows only sha256 digests",
            "name the image by its tag or its sha256 digest",
            "DockerLinuxContainerRuntime.validateImageName of 3.4.2",
        )
    })
}

fn pull(pull: Pull) -> Support {
    let (word, why) = match pull {
        Pull::Missing => return Support::inherent("docker run pulls what the node does not have"),
        Pull::Always => (
            "always",
            "pulls an image only where the node does not have it, unless its administrator says otherwise for all",
        ),
        Pull::Never => ("never", "pulls an image wherever the node does not have it"),
    };
    Support::unsupported(
        why,
        format!("remove `pull=\"{word}\"`, and name the image by a tag that is never pushed again"),
        "yarn#image-pulls",
    )
}

/// The command as a whole must pass through bash as one word, unless the shim reads it from its contract.
fn run(context: &Context<'_>, role: RoleId, argv: &[Template]) -> Support {
    if let Some(refused) = argv.iter().find_map(|word| unknown_address(context, word)) {
        return refused;
    }
    too_long(context, argv.iter().flat_map(|word| &word.parts))
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
        Part::Text(words) => text::in_double_quotes(&text::word(words)).len() + 1,
        Part::Data(..) | Part::Task(..) => 256,
    };
    let total: usize = parts.into_iter().map(length).sum();
    (total > COMMAND && !context.carried()).then(|| {
        Support::impossible(
            format!("starts a command through bash as one word of at most {COMMAND} bytes, and this one has {total}"),
            "put the text in a file beside the program",
            "yarn#command-length",
        )
    })
}

/// What names an address where the cluster gives none.
fn unknown_address(context: &Context<'_>, template: &Template) -> Option<Support> {
    let seeks = template.parts.iter().any(|part| match part {
        Part::Task(TaskRef::Address | TaskRef::Addresses(_), _) => true,
        Part::Task(TaskRef::Index | TaskRef::Port(_) | TaskRef::Env(_) | TaskRef::Done, _)
        | Part::Text(_)
        | Part::Data(..) => false,
    });
    (seeks && context.domain().is_none()).then(|| {
        Support::impossible(
            "gives tasks no other address than the registry's DNS name, and no domain is stated",
            SAY_DOMAIN,
            "yarn#registry-dns",
        )
    })
}

fn env(context: &Context<'_>, role: RoleId, name: &str, value: &Template) -> Support {
    if name.starts_with("YARN_CONTAINER_RUNTIME_") {
        return Support::impossible(
            format!("reads `{name}` itself, to choose and set up the container"),
            "write it by the field that means it (`image`, `network`, `data … at=…`), or in the `patch` of \
             `target \"yarn\" { … }`",
            "yarn#runtime-variables",
        );
    }
    if of_bash(name) && !context.carried() {
        return Support::impossible(
            format!("starts tasks through bash, which keeps `{name}` for itself: the value does not arrive"),
            "give the variable another name",
            "yarn#shell-variables",
        );
    }
    if name == "WORK_DIR" {
        return Support::impossible(
            "names the container's own folder in `WORK_DIR`, and the command looks there",
            "give the variable another name",
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
            Part::Text(words) => text::in_double_quotes(words).len(),
            Part::Data(..) | Part::Task(..) => 256,
        })
        .sum();
    let total = name.len() + 2 + length;
    if total > VARIABLE && !context.carried() {
        return Support::impossible(
            format!(
                "starts nothing, and calls it a success, where a variable is longer than {VARIABLE} bytes; with its escapes this one has {total}"
            ),
            "put the text in a file beside the program",
            "yarn#variable-length",
        );
    }
    Support::Native(Mechanism::Env { role, name: name.to_owned(), value: value.clone() })
}

/// The shim sets what libhdfs needs.
fn hadoop(home: &str, java: &str, conf: Option<&str>) -> Support {
    Support::Emulated(
        Mechanism::Hadoop { home: home.to_owned(), java: java.to_owned(), conf: conf.map(str::to_owned) },
        "the shim sets CLASSPATH and LD_LIBRARY_PATH".to_owned(),
    )
}
